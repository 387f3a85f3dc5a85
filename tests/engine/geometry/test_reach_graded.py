"""Ground that costs: prices along lines, the law of refraction, and the bound of the search."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from engine.geometry.reach.blockers import outlines_as_blockers
from engine.geometry.reach.detours import Obstacles
from engine.geometry.reach.going import OPEN, Going, Ground, ground_of, left_along, walk, walked
from engine.geometry.reach.graded import cheapest, graded_region
from engine.geometry.reach.loose import obstacles_for
from tests.engine.geometry.test_reach_contacts import OUTLINE, POINT

NOTHING = Obstacles(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))
FACTOR = st.sampled_from([0.25, 0.5, 0.75, 1.5])


def convex(points: Any) -> Any:
    hull = shapely.MultiPoint(points).convex_hull
    return shapely.get_coordinates(hull)[:-1] if hull.geom_type == "Polygon" else None


@st.composite
def grounds(draw: st.DrawFn) -> tuple[Ground, list[tuple[shapely.Geometry, Going]]]:
    outlines = [convex(points) for points in draw(st.lists(OUTLINE, max_size=3))]
    outlines = [outline for outline in outlines if outline is not None]
    goings = [Going(factor=draw(FACTOR), crossing_mm=draw(st.sampled_from([0.0, 0.0, 25.0]))) for _ in outlines]
    pieces = [(shapely.Polygon(o), g) for o, g in zip(outlines, goings, strict=True)]
    return ground_of(outlines, goings), pieces


def plain_price(start: Any, end: Any, pieces: list[tuple[shapely.Geometry, Going]]) -> float:
    """A straight line's price by shapely: painted from the last piece to the first."""
    line, price = shapely.LineString([start, end]), 0.0
    for number in range(len(pieces) - 1, -1, -1):
        area, going = pieces[number]
        price += line.intersection(area).length / (going.factor or 1.0)
        line = line.difference(area)
    price += line.length
    way = shapely.LineString([start, end])
    for area, going in pieces:
        inside = way.intersection(area)
        entries = sum(part.length > 1e-6 for part in getattr(inside, "geoms", [inside]))
        price += going.crossing_mm * (entries - area.contains(shapely.Point(start)))
    return price


def off_the_sides(point: Any, pieces: Any) -> bool:
    return all(area.exterior.distance(shapely.Point(point)) > 1e-3 for area, _ in pieces)


def price_step_by_step(start: Any, end: Any, pieces: list[tuple[shapely.Geometry, Going]]) -> float:
    """A straight line's price from one side that it meets to the next, the cheaper side of it where it runs along
    one: first by what has to be paid to enter, then by speed, then where less changes."""
    way = shapely.LineString([start, end])
    length = way.length
    meets = [0.0, length]
    for area, _ in pieces:
        spots = shapely.get_coordinates(way.intersection(area.exterior))
        meets += [way.project(shapely.Point(spot)) for spot in [*spots, *shapely.get_coordinates(area)]]
    ahead = np.subtract(end, start) / length
    aside = 2e-5 * np.array([-ahead[1], ahead[0]])
    price, inside = (
        0.0,
        [
            area.contains(shapely.Point(start)) and area.exterior.distance(shapely.Point(start)) > 1e-6
            for area, _ in pieces
        ],
    )
    for one, other in pairwise(sorted(meets)):
        if other - one < 1e-6:
            continue
        middle = np.array(start) + (one + other) / 2 * ahead
        choices = []
        for spot in (middle + aside, middle - aside):
            there = [bool(area.contains(shapely.Point(spot))) for area, _ in pieces]
            entry = sum(
                g.crossing_mm for (_, g), now, was in zip(pieces, there, inside, strict=True) if now and not was
            )
            factors = [going.factor or 1.0 for (_, going), now in zip(pieces, there, strict=True) if now]
            changes = sum(now != was for now, was in zip(there, inside, strict=True))
            choices.append((entry, 1 / factors[-1] if factors else 1.0, changes, there))
        entry, rate, _, inside = min(choices)
        price += entry + rate * (other - one)
    return price


@given(grounds(), st.integers(0, 9), st.tuples(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5)), st.booleans())
def test_a_way_along_a_side_pays_for_the_cheaper_ground_beside_it(
    scene: Any, number: int, shares: Any, exact: bool
) -> None:
    ground, pieces = scene
    assume(len(ground))
    side = number % len(ground.start)
    shares = [round(2 * share) / 2 if exact else round(share, 3) for share in shares]
    start, end = (ground.start[side] + share * (ground.end[side] - ground.start[side]) for share in shares)
    assume(math.dist(start, end) > 1.0)
    left = walked(ground, start[None], end[None], np.array([1e5])).left_mm[0]
    assert 1e5 - left == pytest.approx(price_step_by_step(start, end, pieces), abs=1e-3)


@pytest.mark.parametrize("turn_deg", [0.0, 90.0, 180.0, 270.0, 30.0, 123.4])
@pytest.mark.parametrize("mirrored", [False, True])
def test_ground_costs_the_same_whichever_way_the_table_lies(turn_deg: float, mirrored: bool) -> None:
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))

    def there(*spots: tuple[float, float]) -> Any:
        points = np.array(spots) * ([-1, 1] if mirrored else [1, 1])
        return points @ np.array([[cos, -sin], [sin, cos]])

    corners = there((0, 0), (100, 0), (100, 50), (0, 50))
    slow, dear = (ground_of([corners], [going]) for going in (Going(factor=0.25), Going(crossing_mm=25.0)))
    for low in (True, False):
        start, goal = there((-20, 5 if low else 45), (120, 5 if low else 45))
        about = cheapest(start, goal, slow, NOTHING, 900.0)
        assert about is not None
        assert about.cost_mm == pytest.approx(100 + 2 * math.hypot(20, 5), abs=1e-6)
        one, other = there((0, 0 if low else 50), (100, 0 if low else 50))
        along = walked(slow, one[None], other[None], np.array([400.0]))
        assert along.left_mm[0] == pytest.approx(300.0)
    for side, inner in (((50, 0), (50, 20)), ((50, 50), (50, 30)), ((0, 25), (20, 25)), ((100, 25), (80, 25))):
        start, goal = there(side, inner)
        assert walked(dear, start[None], goal[None], np.array([60.0])).left_mm[0] == pytest.approx(15.0)
        assert walked(dear, goal[None], start[None], np.array([60.0])).left_mm[0] == pytest.approx(40.0)


@given(POINT, POINT, grounds())
def test_a_straight_way_costs_what_lies_under_it(start: Any, end: Any, scene: Any) -> None:
    ground, pieces = scene
    assume(math.dist(start, end) > 1.0)
    line = shapely.LineString([start, end])
    left = walked(ground, np.array([start]), np.array([end]), np.array([1e5])).left_mm[0]
    assert 1e5 - left == pytest.approx(price_step_by_step(start, end, pieces), abs=1e-3)
    assume(off_the_sides(start, pieces) and off_the_sides(end, pieces))
    assume(all(line.intersection(area.exterior).length == 0 for area, _ in pieces))
    assert 1e5 - left == pytest.approx(plain_price(start, end, pieces), abs=1e-5)


@given(POINT, POINT, grounds(), st.floats(10, 300))
def test_how_far_an_allowance_leads_costs_just_the_allowance(
    start: Any, end: Any, scene: Any, budget: float
) -> None:
    ground, pieces = scene
    assume(off_the_sides(start, pieces) and math.dist(start, end) > 1.0)
    direction = np.subtract(end, start) / math.dist(start, end)
    far = left_along(ground, np.array(start), direction[None], budget)[0]
    there = np.array(start) + far * direction
    line = shapely.LineString([start, there])
    assume(all(line.intersection(area.exterior).length == 0 for area, _ in pieces))
    spent = plain_price(start, there, [(a, Going(factor=g.factor)) for a, g in pieces])
    assert spent <= budget + 1e-3
    if all(going.crossing_mm == 0 for _, going in pieces):
        assert spent == pytest.approx(budget, abs=1e-3)


@pytest.mark.parametrize("factor", [0.25, 0.5, 0.9, 1.5])
@pytest.mark.parametrize(("start", "goal"), [((0, -80), (150, 60)), ((-40, -10), (90, 120)), ((0, -50), (0, 50))])
def test_a_way_into_slow_ground_is_refracted_as_by_snell(factor: float, start: Any, goal: Any) -> None:
    wood = ground_of([[(-900, 0), (900, 0), (900, 900), (-900, 900)]], [Going(factor=factor)])

    def cost(x: float) -> float:
        return math.dist(start, (x, 0)) + math.dist((x, 0), goal) / factor

    wanted = minimize_scalar(cost, bounds=(-900, 900), method="bounded", options={"xatol": 1e-10}).fun
    route = cheapest(np.array(start, float), np.array(goal, float), wood, NOTHING, 2000.0)
    assert route is not None
    assert route.cost_mm == pytest.approx(wanted, abs=1e-6)


def test_a_way_may_bend_twice_and_use_a_road() -> None:
    road = ground_of([[(-500, 0), (500, 0), (500, 20), (-500, 20)]], [Going(factor=2.0)])
    route = cheapest(np.array([-200.0, -30.0]), np.array([200.0, -30.0]), road, NOTHING, 1000.0)
    assert route is not None
    # To the road at 30 degrees off square (sin = 1/2), along its near side at double speed, and back.
    wanted = 2 * 30 / math.cos(math.radians(30)) + (400 - 2 * 30 * math.tan(math.radians(30))) / 2
    assert route.cost_mm == pytest.approx(wanted, abs=0.05)


@settings(max_examples=max(5, settings.default.max_examples // 5))
@given(POINT, POINT, grounds())
def test_the_cheapest_way_is_within_its_bound_of_a_finer_search(start: Any, goal: Any, scene: Any) -> None:
    ground, pieces = scene
    assume(off_the_sides(start, pieces) and off_the_sides(goal, pieces) and math.dist(start, goal) > 1.0)
    rough, fine = (
        cheapest(np.array(start), np.array(goal), ground, NOTHING, 4000.0, spacing) for spacing in (40.0, 13.0)
    )
    assert rough is not None
    assert fine is not None
    rate = 1 / min([1.0, *(going.factor or 1.0 for _, going in pieces)])
    assert rough.cost_mm <= fine.cost_mm + 40.0 * 2 * rate * (2 * len(pieces))
    assert rough.cost_mm <= plain_price(start, goal, pieces) + 1e-4 or any(
        shapely.LineString([start, goal]).intersection(area.exterior).length > 0 for area, _ in pieces
    )


@pytest.mark.parametrize(
    ("going", "budget", "left"),
    [
        (Going(crossing_mm=50.0), 250.0, 100.0),
        (Going(crossing_mm=150.0), 200.0, 0.0),
        (Going(crossing_mm=150.1), 200.0, None),
        (Going(keeps=0.5), 250.0, (250 - 50) * 0.5 - 50),
        (Going(keeps=0.0), 250.0, None),
        (Going(barred=True), 250.0, None),
        (Going(factor=0.5), 250.0, 140.0),
        (Going(factor=0.25, crossing_mm=20.0), 250.0, 100.0),
    ],
)
def test_the_price_of_a_wall(going: Going, budget: float, left: float | None) -> None:
    wall = ground_of([[(-500, 50), (500, 50), (500, 60), (-500, 60)]], [going])
    start, goal = np.array([[0.0, 0.0]]), np.array([[0.0, 100.0]])
    found = walked(wall, start, goal, np.array([budget]))
    if left is None:
        assert (found.left_mm[0], found.stopped_by[0]) == (-1.0, 0)
        assert found.share[0] * 100 == pytest.approx(50.0)
    elif left == 0.0:
        assert found.share[0] * 100 == pytest.approx(50.0)  # over it, with nothing left
    else:
        assert found.left_mm[0] == pytest.approx(left)


def test_a_wall_is_gone_round_where_that_is_cheaper_than_over_it() -> None:
    wall = ground_of([[(-300, 50), (20, 50), (20, 60), (-300, 60)]], [Going(crossing_mm=50.0)])
    start, goal = np.array([0.0, 0.0]), np.array([0.0, 100.0])
    over = cheapest(start, np.array([-250.0, 100.0]), wall, NOTHING, 900.0)
    assert over is not None
    assert over.cost_mm == pytest.approx(math.hypot(250, 100) + 50, abs=1e-6)
    about = cheapest(start, goal, wall, NOTHING, 900.0)
    assert about is not None
    assert about.cost_mm == pytest.approx(math.hypot(20, 50) + 10 + math.hypot(20, 40), abs=1e-6)


def test_the_price_is_carried_over_the_points_of_a_way() -> None:
    wall = ground_of([[(-500, 50), (500, 50), (500, 60), (-500, 60)]], [Going(crossing_mm=30.0)])
    bent = np.array([[0.0, 0.0], [0.0, 50.0], [0.0, 55.0], [0.0, 100.0]])
    left, end, _ = walk(wall, bent, 150.0)
    assert left.tolist() == pytest.approx([100.0, 65.0, 20.0])
    assert end.tolist() == [0.0, 100.0]


def test_slow_ground_and_obstacles_together() -> None:
    wood = ground_of([[(-200, 40), (200, 40), (200, 80), (-200, 80)]], [Going(factor=0.5)])
    rock = outlines_as_blockers([[(-20, 90), (20, 90), (20, 110), (-20, 110)]], ["rock"])
    start, goal = np.array([0.0, 0.0]), np.array([0.0, 150.0])
    route = cheapest(start, goal, wood, obstacles_for(12.5, rock, start[None], None), 600.0)
    assert route is not None
    assert 190.0 < route.cost_mm < 240.0
    assert cheapest(start, goal, wood, obstacles_for(12.5, rock, start[None], None), 180.0) is None


def test_the_ground_in_reach_is_smaller_in_woods_and_longer_by_road() -> None:
    wood = ground_of([[(-200, 40), (200, 40), (200, 400), (-200, 400)]], [Going(factor=0.5)])
    area = graded_region(np.zeros(2), wood, NOTHING, 100.0)
    assert area.bounds == pytest.approx((-100.0, -100.0, 100.0, 70.0), abs=0.1)
    road = ground_of([[(-10, -400), (10, -400), (10, 400), (-10, 400)]], [Going(factor=1.5)])
    area = graded_region(np.zeros(2), road, NOTHING, 100.0)
    assert area.bounds[3] == pytest.approx(150.0, abs=0.5)
    assert graded_region(np.zeros(2), OPEN, NOTHING, 100.0).area == pytest.approx(math.pi * 1e4, rel=1e-3)
