"""Terrain as arrays: what lies in it, however its outline is given."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from engine.geometry.plane.lines import signed_area
from engine.geometry.shapes.pieces import pieces_from, pieces_of
from engine.geometry.shapes.strips import strip_outline
from engine.geometry.sight.crossing import lengths_in
from engine.records.game import Terrain
from tests.engine.geometry.oracles_sight import outlines, spots

rough = st.lists(spots, min_size=1, max_size=8)


@given(st.lists(outlines, max_size=4), st.lists(spots, max_size=8))
def test_which_points_lie_in_which_piece(terrain, points):
    pieces = pieces_of(terrain)
    inside, apart, deep = pieces.contains(points), pieces.to_outline(points), pieces.depth(points)
    assert inside.shape == apart.shape == deep.shape == (len(points), len(terrain))
    for i, point in enumerate(points):
        for k, outline in enumerate(terrain):
            want = Polygon(outline)
            assert inside[i, k] == want.covers(Point(point))
            assert apart[i, k] == pytest.approx(want.exterior.distance(Point(point)), abs=1e-9)
            assert deep[i, k] == (apart[i, k] if inside[i, k] else 0)


@given(st.lists(outlines, max_size=4))
def test_the_cores_of_pieces_lie_in_them(terrain):
    for spots_, radii in pieces_of(terrain).cores:
        for outline, spot, radius in zip(terrain, spots_, radii, strict=True):
            shape, middle = Polygon(outline), Point(spot)
            assert radius < 1e-9 or shape.contains(middle)
            assert radius <= shape.exterior.distance(middle) + 1e-9


@given(outlines)
def test_an_outline_is_the_same_either_way_round_and_closed_or_not(outline):
    shapes = [outline, outline[::-1], [*outline, outline[0]], [outline[0], *outline]]
    points = [(x / 2, y / 2) for x in range(-1, 18, 3) for y in range(-1, 18, 3)]
    found = pieces_of(shapes).contains(points)
    assert (found == found[:, :1]).all()


@given(rough, spots, spots)
def test_outlines_that_cross_themselves_are_read_by_the_even_odd_rule(outline, start, end):
    pieces = pieces_of([outline])
    points = [(x + 0.37, y + 0.21) for x in range(8) for y in range(8)]
    want = [_times_round(outline, point) % 2 == 1 for point in points]
    near = np.array([LineString([*outline, outline[0]]).distance(Point(point)) < 1e-6 for point in points])
    assert ((pieces.strictly_in(points)[:, 0] == np.array(want)) | near).all()
    length = lengths_in(pieces, 0, np.array([start]), np.array([end]))[0]
    assert 0 <= length <= np.hypot(*np.subtract(end, start)) + 1e-9


def _times_round(outline: list[tuple[float, float]], point: tuple[float, float]) -> int:
    """How many sides a ray to the right crosses."""
    x, y = point
    count = 0
    for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            count += 1
    return count


@pytest.mark.parametrize(
    ("outline", "convex", "whole"),
    [
        ([(0, 0), (4, 0), (4, 4), (0, 4)], True, True),
        ([(0, 0), (2, 0), (4, 0), (4, 4), (0, 4)], True, True),
        ([(0, 0), (4, 0), (4, 4), (2, 1)], False, True),
        ([(0, 0), (4, 4), (4, 0), (0, 4)], False, False),
        ([(0, 0), (4, 0), (4, 4), (4, 0)], False, False),
        ([(0, 0), (4, 0)], False, False),
    ],
)
def test_convex_pieces_and_pieces_that_hang_together(outline, convex, whole):
    pieces = pieces_of([outline])
    assert (pieces.convex[0], pieces.whole[0]) == (convex, whole)


def test_outlines_without_area_hold_only_their_rim():
    pieces = pieces_of([[], [(5, 5)], [(0, 0), (10, 0)], [(0, 0), (10, 0), (5, 0)]])
    assert pieces.contains([[5, 5], [5, 0], [5, 1]]).tolist() == [
        [False, True, False, False],
        [False, False, True, True],
        [False, False, False, False],
    ]


def test_walls_and_roads_are_strips():
    straight = Terrain(id="w", kind="wall", polyline_mm=((0, 0), (30, 40)), width_mm=10)
    bent = Terrain(id="r", kind="road", polyline_mm=((0, 0), (50, 0), (50, 50)), width_mm=8, height_mm=2)
    wood = Terrain(id="f", kind="woods", polygon_mm=((0, 0), (9, 0), (9, 9)), height_mm=30)
    pieces = pieces_from([straight, bent, wood])
    assert pieces.names == ("w", "r", "f")
    assert pieces.height_mm.tolist() == [0, 2, 30]
    for number, piece in enumerate((straight, bent)):
        want = LineString(piece.polyline_mm).buffer(piece.width_mm / 2, cap_style="flat", join_style="mitre")
        found = Polygon(pieces.rings[number][0])
        assert shapely.symmetric_difference(found, want).area == pytest.approx(0, abs=1e-9)
        assert signed_area(pieces.rings[number][0]) == pytest.approx(want.area)
    assert strip_outline([(1, 1), (1, 1)], 4).tolist() == [[1, 1]]


def _turns_back(path: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Where a path bends by more than 135 degrees: it is cut off there as at its ends."""
    legs = np.diff(np.array(path), axis=0)
    ways = legs / np.hypot(*legs.T)[:, None]
    return [path[n + 1] for n in np.nonzero((ways[:-1] * ways[1:]).sum(axis=1) < -np.sqrt(0.5))[0]]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=8, unique=True),
    st.booleans(),
    st.floats(1.0, 60.0),
)
@example([(0, 0), (4, 0), (4, 4), (0, 4)], True, 10.0)
@example([(0, 0), (4, 4), (4, 0), (0, 4)], False, 10.0)
@example([(2, 4), (2, 2), (2, 3)], False, 45.0)
@example([(0, 0), (0, 1), (0, 2)], True, 33.0)
@example([(1, 0), (1, 1), (0, 0), (1, 3)], True, 1.0)
@example([(3, 9), (6, 2), (4, 7)], False, 50.0)
def test_what_a_wall_or_road_runs_round_is_no_part_of_it(cells, closed, width):
    points = [(100.0 * x, 100.0 * y) for x, y in cells]
    path = [*points, points[0]] if closed and len(points) > 2 else points
    pieces = pieces_from([Terrain(id="w", kind="wall", polyline_mm=tuple(path), width_mm=width)])
    spots = np.array([(x, y) for x in np.arange(-45.0, 950.0, 61.0) for y in np.arange(-45.0, 950.0, 61.0)])
    near = shapely.distance(shapely.points(spots), LineString(path))
    inside = pieces.contains(spots)[:, 0]
    assert not inside[near > 1.31 * width + 1e-6].any()  # mitres up to bends of 135 degrees
    ends = shapely.MultiPoint([path[0], path[-1], *_turns_back(path)])
    by_an_end = shapely.distance(shapely.points(spots), ends) < width / 2
    assert inside[(near < width / 2 - 1e-6) & ~by_an_end].all()


def test_a_yard_is_open_though_its_wall_is_closed():
    yard = Terrain(id="w", kind="wall", polyline_mm=((0, 0), (400, 0), (400, 400), (0, 400), (0, 0)), width_mm=10)
    loop = Terrain(id="r", kind="road", polyline_mm=((0, 0), (400, 400), (400, 0), (0, 400)), width_mm=10)
    pieces = pieces_from([yard, loop])
    assert pieces.contains([[200, 200], [200, 2], [-4, -4], [350, 200]]).tolist() == [
        [False, True], [True, False], [True, False], [False, False]
    ]  # fmt: skip
    assert pieces.whole.all()


def test_some_of_the_pieces():
    pieces = pieces_of([[(0, 0), (1, 0), (0, 1)], [(5, 5), (6, 5), (5, 6)]], [1, 2], ["a", "b"])
    assert pieces.pick([1]).names == ("b",)
    assert pieces.pick([True, False]).height_mm.tolist() == [1]
    assert len(pieces.pick([])) == 0
