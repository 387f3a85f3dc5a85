"""How high the ground is, on the table and as the camera sees it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon

from tests.vision.small_table import TABLE, camera
from vision.ground import FLAT, Ground, Patch, ground_of, inside
from vision.records import TerrainSeen

SQUARE = ((100.0, 100.0), (300.0, 100.0), (300.0, 300.0), (100.0, 300.0))
HILL = TerrainSeen(kind="hill", polygon_mm=SQUARE, sigma_mm=0.5)
WOODS = TerrainSeen(kind="woods", polygon_mm=((250.0, 250.0), (400.0, 250.0), (400.0, 400.0)), sigma_mm=0.5)
GROUND = ground_of([HILL, WOODS], TABLE)


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "height_mm"), [(50, 50, 0), (200, 200, 30), (380, 300, 2), (295, 280, 30), (390, 290, 2)]
)
def test_the_ground_is_as_high_as_the_highest_patch_there(x_mm: float, y_mm: float, height_mm: float):
    assert GROUND.height_at([[x_mm, y_mm]]) == pytest.approx([height_mm])


def test_a_bare_table_is_flat_and_no_points_have_no_heights():
    assert FLAT.height_at([[1.0, 2.0]]).tolist() == [0.0]
    assert GROUND.height_at([]).shape == (0,)
    assert GROUND.height_seen(camera(), np.zeros((0, 2))).shape == (0,)


def test_points_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"\(N, 2\)"):
        GROUND.height_at([[1.0, 2.0, 3.0]])


def test_the_camera_sees_the_hills_top_where_parallax_puts_it():
    view = camera()
    on_top = view.project([[105.0, 105.0, 30.0]])
    assert GROUND.height_seen(view, on_top).tolist() == [30.0]
    assert GROUND.height_at(view.to_plane(on_top, 0.0)).tolist() == [0.0]


def test_a_wall_is_too_narrow_to_stand_on():
    wall = TerrainSeen(kind="hill", polygon_mm=((0.0, 0.0), (300.0, 0.0), (300.0, 9.0), (0.0, 9.0)), sigma_mm=0.5)
    assert ground_of([wall], TABLE) == FLAT


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=3, max_size=8, unique=True),
    st.tuples(st.floats(-60, 60), st.floats(-60, 60)),
)
def test_inside_and_outside_are_told_as_shapely_tells_them(
    corners: list[tuple[float, float]], at: tuple[float, float]
):
    hull = Polygon(corners).convex_hull
    point = Point(at)
    if hull.geom_type != "Polygon" or hull.exterior.distance(point) < 1e-6:
        return
    outline = np.array(hull.exterior.coords[:-1])
    assert bool(inside(outline, np.array([at]))[0]) == hull.contains(point)


def test_what_has_no_place_lies_outside():
    patch = Patch(np.array(SQUARE), 5.0)
    assert Ground((patch,)).height_at([[np.nan, 1.0]]).tolist() == [0.0]
