"""What the search for bases without paint looks at, and what it is spared."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from calibration.records import Table, Tags
from tests.vision.small_table import TABLE, base, camera, table
from tests.vision.test_plain import CLEAN, pictures, posed
from vision.bases.pixels import Placed
from vision.bases.shapes import outline_of
from vision.ground import FLAT
from vision.plain import Pictures, find
from vision.plain.choosing.packing import Settled
from vision.plain.stage import Stage
from vision.simulated import Effects, Renderer, VirtualTable

AT = (300.0, 225.0)
BASE = Placed(outline_of(TABLE.armies[0].bases[0]), *AT, 0.0, 0.0)


def with_a_small_tag(empty: np.ndarray) -> np.ndarray:
    """The table with a tag of 20 mm on it, blurred past reading: white paper, black print, white cells in it."""
    shown = empty.astype(np.float32)
    for side_mm, level in ((30.0, 225.0), (20.0, 25.0), (5.0, 225.0)):
        half = side_mm / 2
        corners = [
            (AT[0] + x, AT[1] + y, 0.0) for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))
        ]
        cv2.fillConvexPoly(shown, np.rint(camera().project(np.array(corners))).astype(np.int32), (level,) * 3)
    return np.asarray(np.rint(cv2.GaussianBlur(shown, (0, 0), 1.2)), dtype=np.uint8)


def stages_of(monkeypatch: pytest.MonkeyPatch) -> list[Stage]:
    """The stages on which bases are looked for from now on; none is found."""
    stages: list[Stage] = []

    def nothing(stage: Stage, *_: object) -> Settled:
        stages.append(stage)
        return Settled([], [], None, None, np.zeros(0))

    monkeypatch.setattr(find, "settled", nothing)
    return stages


@pytest.mark.parametrize("depth", [0.6, 0.66, 0.75])
def test_the_darkest_of_a_hard_shadow_is_no_figure_whatever_it_leaves_of_the_light(
    depth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where shadows usually left a third of it, those spots that had less than .3 were told as second figures."""
    places = [(140.0 + 90 * k, 130.0 + 100 * m) for k in range(4) for m in range(3)]
    men = [replace(base(f"p{at}", *at), plain=True) for at in places]
    hard = replace(CLEAN, lamp_mm=(1.1, -0.7), shadow_depth=depth, shadow_soft_mm=0.8)
    after, before = pictures(*men, effects=hard)
    prints, pose = posed(after)
    stages = stages_of(monkeypatch)
    find.look_for_plain_bases(Pictures(after, before, pose, TABLE, FLAT, prints), [])
    (stage,) = stages
    assert len(stage.feet) == len(places)


@pytest.mark.parametrize(("tags", "there"), [(Tags(size_mm=20.0), False), (UNSET, True)], ids=["tags", "no tags"])
def test_under_a_tag_too_small_to_be_read_no_base_is_looked_for_and_its_corners_are_no_figures(
    tags: Tags, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a table that has tags; on one that has none the same patch may be a base with a figure on it."""
    stages = stages_of(monkeypatch)
    known: Table = replace(TABLE, tags=tags)
    empty = Renderer(camera(), Effects(jpeg_quality=0), 1).render(table(flock=VirtualTable(table=TABLE).mat))
    shown = with_a_small_tag(empty)
    prints = find_markers(grey_of(shown), TABLE.markers.dictionary)
    find.look_for_plain_bases(Pictures(shown, empty, camera(), known, FLAT, prints), [])
    (stage,) = stages
    assert (stage.filled([BASE])[0] > 0.5) == there
    assert bool(len(stage.feet)) == there
