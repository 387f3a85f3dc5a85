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


SLOPED = Ground((Patch(np.array(SQUARE), 30.0, slope_mm=20.0),))


@pytest.mark.parametrize(("x_mm", "height_mm"), [(200, 30), (301, 28.5), (310, 15), (319, 1.5), (320, 0), (400, 0)])
def test_between_top_and_foot_the_ground_falls_evenly(x_mm: float, height_mm: float):
    assert SLOPED.height_at([[x_mm, 200.0]]) == pytest.approx([height_mm])


def test_the_side_of_a_hill_falls_all_round_a_corner():
    away = 10.0 / np.sqrt(2.0)
    assert SLOPED.height_at([[300.0 + away, 300.0 + away]]) == pytest.approx([15.0])


def test_heights_are_certain_away_from_rims_and_on_flat_tables():
    assert GROUND.sigma_at([[200.0, 200.0], [50.0, 50.0], [110.0, 200.0]], 0.0).tolist() == [0.0, 0.0, 0.0]
    assert FLAT.sigma_at([[1.0, 2.0]], 15.0).tolist() == [0.0]
    assert GROUND.sigma_at([], 15.0).shape == (0,)


@pytest.mark.parametrize("reach_mm", [0.0, 12.5, 20.0])
def test_on_the_rim_of_a_hill_the_height_may_be_either(reach_mm: float):
    on, near, far = GROUND.sigma_at([[100.0, 200.0], [103.0, 200.0], [160.0, 200.0]], reach_mm)
    assert on == pytest.approx(15.0)
    assert far < near < on
    assert far < 0.3


def test_the_wider_a_base_the_farther_from_the_rim_it_may_straddle_it():
    sigmas = [float(GROUND.sigma_at([[108.0, 200.0]], reach)[0]) for reach in (0.0, 8.0, 12.5, 25.0)]
    assert sigmas == sorted(sigmas)
    assert sigmas[-1] > 5.0


def test_the_step_between_a_hill_and_the_wood_on_it_is_what_counts():
    lower, upper = (
        Patch(np.array(SQUARE), 30.0, sigma_mm=1.0),
        Patch(np.array(SQUARE) * 0.5 + 100.0, 40.0, sigma_mm=1.0),
    )
    assert Ground((lower, upper)).sigma_at([[250.0, 200.0]]) == pytest.approx([5.0])


@given(st.tuples(st.floats(-50, 450), st.floats(-50, 450)), st.floats(0.0, 30.0))
def test_the_uncertainty_of_a_height_is_at_most_half_the_step(at: tuple[float, float], reach_mm: float):
    sigma = float(GROUND.sigma_at([at], reach_mm)[0])
    assert 0.0 <= sigma <= 15.0 + 1e-9
    if Polygon(SQUARE).exterior.distance(Point(at)) > 3.0 * (reach_mm + 1.0):
        assert sigma < 1.2


def test_what_has_no_place_lies_outside():
    assert SLOPED.height_at([[np.nan, 1.0]]).tolist() == [0.0]
    assert GROUND.sigma_at([[np.nan, 1.0]], 10.0).tolist() == [0.0]
    patch = Patch(np.array(SQUARE), 5.0)
    assert Ground((patch,)).height_at([[np.nan, 1.0]]).tolist() == [0.0]


def test_a_crowd_of_points_lies_within_an_outline_as_each_of_them_does_alone():
    rng = np.random.default_rng(7)
    outline = np.array([(0.0, 0.0), (400.0, 0.0), (400.0, 120.0), (160.0, 130.0), (300.0, 300.0), (0.0, 300.0)])
    points = np.concatenate(
        [rng.uniform(-50, 450, (4000, 2)), outline, [[np.nan, 5.0]], rng.integers(0, 4, (50, 2)) * 100.0]
    )
    alone = [bool(inside(outline, point[None])[0]) for point in points]
    assert inside(outline, points).tolist() == alone
    assert 0.3 < np.mean(alone) < 0.7
