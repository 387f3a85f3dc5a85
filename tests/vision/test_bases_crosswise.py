"""Rectangles side by side are told from the same two that stand crosswise by the seam between them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from calibration.records import RectBase
from tests.vision.test_bases import Level, Stands, camera, drawn, table
from vision.bases.picture.paint import expected_features, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.crosswise import crosswise, each_crosswise, fill_a_square
from vision.bases.shapes import outline_of
from vision.bases.usual import Look
from vision.bases.weighing.choose import polygons_of
from vision.bases.weighing.judged import Found, fitted_together
from vision.light import estimate_light

HORSE = outline_of(RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0))
ABREAST = [Placed(HORSE, 250.0 + side * 12.6, 200.0, 0.0, 0.0) for side in (-1, 1)]
NEXT = Placed(HORSE, 250.0 + 3 * 12.6, 200.0, 0.0, 0.0)


def fitted(scene: Scene, placed: list[Placed]) -> Found:
    paint = paint_of(expected_features("#9e2b25"), scene.background)
    return fitted_together(scene, placed, np.ones(len(placed)), paint, Look(), 5, soft_mm=0.0)


@pytest.mark.parametrize("begun_crosswise", [True, False])
def test_horses_abreast_are_found_so_however_they_were_taken_at_first(begun_crosswise: bool) -> None:
    stands = [Stands("red", "horse", base.x_mm, base.y_mm) for base in (*ABREAST, NEXT)]
    frame = drawn(stands)
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    taken = each_crosswise(*ABREAST) if begun_crosswise else ABREAST
    told = crosswise(scene, fitted(scene, [*taken, NEXT]), paint_of(expected_features("#9e2b25"), scene.background))
    assert sorted(round(base.x_mm / 25.2 - 0.5) for base in told.placed) == [9, 10, 11]
    assert all(abs((base.bearing_deg + 90) % 180 - 90) < 2.0 for base in told.placed)


@given(st.floats(0, 360), st.floats(-1, 1), st.floats(-2, 2), st.booleans())
def test_crosswise_they_cover_the_same_square(bearing: float, off_mm: float, askew_deg: float, wide: bool) -> None:
    kind = replace(HORSE, half_width_mm=25.0, half_depth_mm=12.5) if wide else HORSE
    along = np.deg2rad(bearing + (0 if wide else 90))
    one = Placed(kind, 100.0, 100.0, 0.0, bearing)
    other = Placed(kind, 100 + 25.2 * np.sin(along) + off_mm, 100 + 25.2 * np.cos(along), 0.0, bearing + askew_deg)
    assert fill_a_square(one, other)
    assert fill_a_square(other, one)
    both, crossed = (shapely.union_all(polygons_of(pair)) for pair in ((one, other), each_crosswise(one, other)))
    assert both.intersection(crossed).area > 0.93 * both.area


@pytest.mark.parametrize(
    "other",
    [
        replace(NEXT, y_mm=220.0),  # half a rank behind
        replace(NEXT, x_mm=NEXT.x_mm + 8.0),  # with a gap
        replace(NEXT, bearing_deg=90.0),
        replace(ABREAST[1], y_mm=250.4),  # behind the other's neighbour
        replace(NEXT, outline=replace(HORSE, half_depth_mm=15.0)),
    ],
)
def test_what_stands_otherwise_is_left_alone(other: Placed) -> None:
    assert not fill_a_square(ABREAST[1], other)
