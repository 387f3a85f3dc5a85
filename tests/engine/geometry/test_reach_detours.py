"""Ways round obstacles: against closed forms and against a search over many-sided polygons."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.geometry.reach.blockers import Blockers, bases_as_blockers, joined, outlines_as_blockers
from engine.geometry.reach.detours import Obstacles, corners_round, net_of
from engine.geometry.reach.loose import loose_region, obstacles_for
from engine.geometry.reach.regions import Setting
from engine.records.game import Round
from tests.engine.geometry.oracles_reach import pieces, together, way_among_polygons
from tests.engine.geometry.test_reach_contacts import OUTLINE, POINT

FIGURE = st.tuples(POINT, st.sampled_from([10.0, 25.0, 40.0]).map(lambda d: Round(diameter_mm=d)), st.just(0.0))


@st.composite
def scenery(draw: st.DrawFn) -> Blockers:
    outlines = [
        list(shapely.get_coordinates(shapely.MultiPoint(points).convex_hull)[:-1])
        for points in draw(st.lists(OUTLINE, max_size=2))
    ]
    outlines = [outline for outline in outlines if len(outline) > 2]
    figures = draw(st.lists(FIGURE, max_size=3))
    parts = [outlines_as_blockers(outlines, ["rock"] * len(outlines))]
    return joined([*parts, bases_as_blockers(together(figures), ["foe"] * len(figures))])


def closed_to(radius: float, blockers: Blockers, sides: int) -> shapely.Geometry:
    """The ground that a disc's centre must keep out of, its arcs inscribed with many sides."""
    solid = [
        shapely.Polygon(blockers.start[blockers.shape == n])
        for n in range(len(blockers.names))
        if (blockers.shape == n).sum() > 2
    ]
    around = [shapely.buffer(piece, radius + rounding, quad_segs=sides) for piece, rounding in pieces(blockers)]
    return shapely.union_all([*solid, *around])


def length(start: Any, goal: Any, obstacles: Obstacles) -> float:
    net = net_of(np.array([start]), np.array([goal]), obstacles)
    return float(net.distance_mm[1])


@settings(max_examples=max(5, settings.default.max_examples // 4))
@given(POINT, POINT, scenery(), st.sampled_from([6.0, 12.5]))
def test_the_shortest_way_is_that_of_a_search_over_all_corners(
    start: Any, goal: Any, blockers: Blockers, radius: float
) -> None:
    closed = closed_to(radius, blockers, 8)
    assume(closed.distance(shapely.Point(start)) > 0.01 and closed.distance(shapely.Point(goal)) > 0.01)
    found = length(start, goal, obstacles_for(radius, blockers, np.array([start, goal]), None))
    inside = way_among_polygons(start, goal, closed)  # arcs inscribed: never longer than the true way
    assert inside - 1e-6 <= found
    if math.isfinite(found):
        assert found <= inside * (1 + 0.006) + 0.05
    else:
        assert not math.isfinite(inside)


@given(st.floats(20, 300), st.floats(20, 300), st.floats(1, 19.9), st.floats(-1, 1))
def test_a_way_round_a_post_is_two_tangents_and_an_arc(a: float, b: float, radius: float, share: float) -> None:
    post = Obstacles(np.array([[0.0, 0.0]]), np.array([[0.0, 0.0]]), np.array([radius]))
    start, goal = (0.99 * share * radius, -a), (0.0, b)
    ends = [math.hypot(*start), math.hypot(*goal)]
    between = math.pi - math.atan2(abs(start[0]), a)
    arc = between - sum(math.acos(radius / end) for end in ends)
    wanted = sum(math.sqrt(end**2 - radius**2) for end in ends) + radius * arc
    if shapely.LineString([start, goal]).distance(shapely.Point(0, 0)) < radius - 0.002:
        assert length(start, goal, post) == pytest.approx(wanted, abs=1e-6)


def test_the_way_is_told_stretch_by_stretch() -> None:
    wall = outlines_as_blockers([[(-30, 0), (30, 0), (30, 10), (-30, 10)]], ["wall"])
    start, goal = np.array([[5.0, -40.0]]), np.array([[5.0, 60.0]])
    net = net_of(start, goal, obstacles_for(10.0, wall, start, None))
    way = net.way()
    assert [stretch.centre for stretch in way] == [None, (30.0, 0.0), None, (30.0, 10.0), None]
    assert way[0].start == (5.0, -40.0)
    assert way[-1].end == (5.0, 60.0)
    assert sum(stretch.length_mm for stretch in way) == pytest.approx(net.distance_mm[1], abs=1e-9)
    assert all(one.end == pytest.approx(other.start) for one, other in pairwise(way))
    assert way[1].turn_rad < 0  # round the right-hand corner, counter-clockwise


def test_a_river_right_across_the_table_is_not_gone_round_beyond_its_edge() -> None:
    river = outlines_as_blockers([[(0, 400), (1000, 400), (1000, 420), (0, 420)]], ["river"])
    start, goal = (500.0, 300.0), (500.0, 500.0)
    here = np.array([start])
    assert length(start, goal, obstacles_for(12.5, river, here, (1000.0, 800.0))) == math.inf
    assert math.isfinite(length(start, goal, obstacles_for(12.5, river, here, None)))


def test_a_gap_is_passed_by_bases_that_just_fit() -> None:
    walls = outlines_as_blockers(
        [[(-500, 0), (-10, 0), (-10, 5), (-500, 5)], [(10, 0), (500, 0), (500, 5), (10, 5)]], ["left", "right"]
    )
    here = np.array([[0.0, -50.0]])
    assert length((0, -50), (0, 50), obstacles_for(10.0, walls, here, None)) == pytest.approx(100.0)
    assert length((0, -50), (0, 50), obstacles_for(10.1, walls, here, None)) > 900  # round the far ends


@given(scenery(), st.lists(POINT, min_size=12, max_size=12), POINT)
def test_the_ground_of_a_loose_figure_is_where_its_ways_lead(blockers: Blockers, spots: Any, at: Any) -> None:
    figure = together([(at, Round(diameter_mm=20.0), 0.0)])
    closed = closed_to(10.0, blockers, 12)
    assume(closed.distance(shapely.Point(at)) > 0.01)
    region = loose_region(figure, 180.0, Setting(passing=blockers))
    obstacles = obstacles_for(10.0, blockers, np.array([at]), None)
    for spot in spots:
        if closed.distance(shapely.Point(spot)) > 0.5:
            far = length(at, spot, obstacles)
            if abs(far - 180.0) > 1.0:
                assert region.places.buffer(0.3).contains(shapely.Point(spot)) == (far < 180.0)


@settings(max_examples=max(5, settings.default.max_examples // 3))
@given(st.floats(0, 4), st.floats(0, 4), st.floats(0, 17), st.sampled_from([5.0, 10.0, 12.5]))
def test_round_a_corner_one_gets_all_along_the_wall_wherever_it_stands(
    x: float, y: float, up: float, radius: float
) -> None:
    wall = outlines_as_blockers([[(x, y), (400 + x, y), (400 + x, 20 + y), (x, 20 + y)]], ["wall"])
    at = (x - 60, y + 10 + up)
    figure = together([(at, Round(diameter_mm=2 * radius), 0.0)])
    places = loose_region(figure, 400.0, Setting(passing=wall)).places.buffer(0.3)
    obstacles = obstacles_for(radius, wall, np.array([at]), None)
    for far in (5.0, 50.0, 150.0, 300.0):
        for off in (0.2, 2.0, 8.0, 20.0):
            spot = (x + far, y + 20 + radius + off)
            if length(at, spot, obstacles) < 399.0:
                assert places.contains(shapely.Point(spot))


def test_nothing_in_the_way_and_nowhere_to_go() -> None:
    nothing = obstacles_for(10.0, outlines_as_blockers([], []), np.zeros((1, 2)), None)
    assert length((0, 0), (30, 40), nothing) == pytest.approx(50.0)
    assert net_of(np.zeros((1, 2)), np.zeros((0, 2)), nothing).distance_mm.tolist() == [0.0]
    assert loose_region(together([]), 100.0).outline_mm == ()


@given(
    st.lists(st.tuples(st.floats(-200, 200), st.floats(-200, 200)), min_size=3, max_size=9),
    st.floats(1.0, 80.0),
)
def test_who_goes_over_a_corner_of_what_is_in_the_way_keeps_clear_of_it(
    outline: list[tuple[float, float]], half_mm: float
) -> None:
    assume(shapely.MultiPoint(outline).convex_hull.area > 1.0)
    start, goal = (-400.0, -400.0), (400.0, 400.0)
    corners = corners_round([np.array(outline)], start, goal, half_mm)
    body = shapely.MultiPoint(outline).convex_hull
    assert all(body.distance(shapely.Point(corner)) > half_mm - 1e-6 for corner in corners)
    ways = [math.dist(start, corner) + math.dist(corner, goal) for corner in corners]
    assert ways == sorted(ways, key=lambda way: round(way, 6))
