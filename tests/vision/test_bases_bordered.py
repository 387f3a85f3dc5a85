"""A painted rim is set off from the top within it; who is in doubt and has none is no base of the army."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_bases import FLOCK, Level, Stands, camera, drawn, table
from tests.vision.test_bases_likewise import Seen, seen, stand
from vision.bases.picture.paint import expected_features
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.shapes import outline_of
from vision.bases.weighing.bordered import Bordered, bordered, but_borderless
from vision.light import estimate_light

KINDS = {kind.name: outline_of(kind) for kind in table().armies[0].bases}
BLUE, RED = (expected_features(table().armies[k].base_colour) for k in (1, 0))
AT = (200.0, 180.0)


def as_hex(bgr: tuple[int, int, int]) -> str:
    return "#" + bytes(reversed(bgr)).hex()


def looked_at(
    army: str, kind: str = "foot", paint: NDArray[np.float64] = BLUE, *, shade: float = 1.0, off_mm: float = 0.0
) -> Bordered:
    """What a base of a paint shows of another, a shadow that leaves so much light lying across its right half."""
    frame = drawn([Stands(army, kind, *AT, 20.0)])
    x, _ = camera().project(np.array([[*AT, 3.0]]))[0]
    light = estimate_light(frame, ())
    frame[:, round(x) :] = np.rint(frame[:, round(x) :] * shade)
    scene = Scene(frame, camera(), Level(), light, (), table())
    return bordered(scene, [Placed(KINDS[kind], AT[0] + off_mm, AT[1], 0.0, 20.0)], paint)


@pytest.mark.parametrize("kind", ["foot", "horse"])
@pytest.mark.parametrize("shade", [1.0, 0.5])
def test_a_painted_rim_is_set_off_towards_its_paint_all_round_also_where_a_shadow_lies_across(
    kind: str, shade: float
) -> None:
    shown = looked_at("blue", kind, shade=shade)
    assert shown.strength[0] > 0.4
    assert shown.painted[0] > 0.85
    assert shown.keeps[0] > 0.9
    assert shown.apart[0] > 2.0


@pytest.mark.parametrize("shade", [1.0, 0.5])
@pytest.mark.parametrize("paint", [BLUE, RED], ids=["blue", "red"])
def test_a_base_flocked_to_its_edge_has_no_rim_of_any_paint(paint: NDArray[np.float64], shade: float) -> None:
    shown = looked_at(as_hex(FLOCK), paint=paint, shade=shade)
    assert abs(shown.strength[0]) < 0.1
    assert shown.painted[0] < 0.1


def test_a_rim_keeps_to_its_own_paint_and_to_no_other() -> None:
    for own, paint, other in (("blue", BLUE, RED), ("red", RED, BLUE)):
        assert looked_at(own, paint=paint).keeps[0] > 0.9
        assert looked_at(own, paint=other).keeps[0] < 0.7
        assert looked_at(own, paint=other).strength[0] < looked_at(own, paint=paint).strength[0] / 2


def test_bare_mat_has_no_rim_and_what_is_out_of_the_picture_is_not_told() -> None:
    assert looked_at("blue", off_mm=90.0).painted[0] < 0.1
    assert np.isnan(looked_at("blue", off_mm=2000.0).strength).all()


def left(army: Seen, spots: list[Placed], likely: float) -> list[Placed]:
    """Which spots are left when a base is told on each, so likely; the army's own are, however likely these are."""
    found = army.left.moved([], army.as_fitted(spots))
    own = len(army.left.placed)
    all_likely = np.full(len(found.placed), likely)
    kept, kept_likely = but_borderless(army.scene, found, all_likely, army.paint)
    assert kept.placed[:own] == army.left.placed
    assert len(kept_likely) == len(kept.placed)
    return kept.placed[own:]


def test_who_is_in_doubt_and_has_no_rim_is_told_no_more() -> None:
    army = seen(Stands(as_hex(FLOCK), "foot", 330.0, 120.0), Stands("blue", "foot", 330.0, 240.0), lost=())
    bare, painted = stand(330.0, 120.0), stand(330.0, 240.0)
    assert left(army, [bare, painted], 0.75) == [painted]
    assert left(army, [painted], 0.75) == [painted]
    assert left(army, [bare, painted], 0.85) == [bare, painted]


def test_where_paint_and_flock_are_one_nobody_is_given_up_for_showing_no_rim() -> None:
    army = seen(Stands(as_hex(FLOCK), "foot", 330.0, 120.0), lost=())
    alike = replace(army, paint=replace(army.paint, paint=expected_features(as_hex(FLOCK))))
    spot = stand(330.0, 120.0)
    assert left(army, [spot], 0.75) == []
    assert left(alike, [spot], 0.75) == [spot]
