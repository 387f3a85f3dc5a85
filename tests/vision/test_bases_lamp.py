"""The shadows that bases cast on the mat beside their own rims, under a low lamp."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.prints.markers import find_markers
from calibration.records import Army, Table
from tests.vision.small_table import TABLE, camera
from vision.bases.find import look_for_bases
from vision.bases.picture.lamp import Lamp
from vision.ground import Ground
from vision.simulated import BasePlaced, Effects, Renderer, VirtualTable

LAMPLIT = Effects(
    noise=1.0, linear=True, lamp_mm=(0.9, -0.6), shadow_depth=0.65, shadow_soft_mm=2.0, sharp_low=True, blur_px=0.7
)
PLACES = [(110.0 + 75.0 * column, 110.0 + 70.0 * row) for column in range(6) for row in range(4)]


def shown(rim: str, effects: Effects) -> tuple[Table, NDArray[np.uint8]]:
    """A table of an army with such rims, and a picture of its bases at their places."""
    army = {"name": "us", "base_colour": rim, "bases": [
        {"name": "foot", "shape": "round", "diameter_mm": 25.0, "height_mm": 4.0}
    ]}  # fmt: skip
    table = replace(TABLE, armies=(msgspec.convert(army, Army),), terrain_kinds=())
    stand = (
        BasePlaced(id=f"{n}", army="us", base="foot", x_mm=x, y_mm=y, bearing_deg=0.0)
        for n, (x, y) in enumerate(PLACES)
    )
    return table, Renderer(camera(), effects).render(VirtualTable(table=table, bases=tuple(stand)))


def measured(rim: str, effects: Effects) -> tuple[NDArray[np.float64], Lamp | None]:
    """How far (N, 2) bases are off the places where they stand, and the lamp that they tell."""
    table, frame = shown(rim, effects)
    found = tuple(find_markers(frame, table.markers.dictionary))
    seen, known = look_for_bases(frame, camera(), table, Ground(()), found)
    at = np.array([[base.x_mm, base.y_mm] for base in seen])
    near = np.hypot(*(at[:, None] - np.array(PLACES)).transpose(2, 0, 1)).argmin(axis=1)
    assert sorted(near) == list(range(len(PLACES)))
    return at - np.array(PLACES)[near], known.lamp


@pytest.mark.parametrize("rim", ["#22242c", "#9e2b25"])
def test_bases_are_not_drawn_far_towards_their_own_shadows(rim: str) -> None:
    """A dark rim goes over into its shadow: were that no part of the picture, all would stand 0.45 mm off."""
    off, lamp = measured(rim, LAMPLIT)
    assert lamp is not None
    assert np.hypot(*off.mean(axis=0)) < 0.3


def test_the_lamp_is_told_by_the_way_the_shadows_fall() -> None:
    lamp = measured("#9e2b25", LAMPLIT)[1]
    assert lamp is not None
    assert lamp.cast[0] > 0.4
    assert lamp.cast[1] < -0.2


def test_where_nothing_casts_a_shadow_there_is_no_lamp() -> None:
    assert measured("#9e2b25", replace(LAMPLIT, shadows=False))[1] is None


def test_a_base_looked_at_again_by_itself_stands_where_it_stood_among_all() -> None:
    """One tells less well than all did what rims share: by that it would stand up to 0.08 mm elsewhere."""
    table, frame = shown("#22242c", LAMPLIT)
    found = tuple(find_markers(frame, table.markers.dictionary))
    seen, known = look_for_bases(frame, camera(), table, Ground(()), found)
    rows, columns = np.mgrid[: frame.shape[0], : frame.shape[1]]
    for base in seen[::3]:
        x, y = camera().project(np.array([[base.x_mm, base.y_mm, 4.0]]))[0]
        within = np.hypot(columns - x, rows - y) < 40
        (again,) = look_for_bases(frame, camera(), table, Ground(()), found, within, known)[0]
        assert np.hypot(again.x_mm - base.x_mm, again.y_mm - base.y_mm) < 0.05
