"""Where a move may end: on nothing that may be passed but not stood on, however large, and on no closed ground."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.geometry.plane.directions import unit_vector
from engine.geometry.reach import (
    Blockers,
    Going,
    Setting,
    Straight,
    Wheel,
    bases_as_blockers,
    ground_of,
    joined,
    loose_region,
    loose_way,
    outlines_as_blockers,
    region,
    spokes_region,
    turned,
    way_into_contact,
    way_to,
)
from engine.records.game import Base, Rect, Round
from tests.engine.geometry.oracles_reach import stands_on, together
from tests.engine.geometry.test_reach_contacts import BEARING, OUTLINE, SPEC, clear
from tests.engine.geometry.test_reach_regions import line

FEWER = settings(max_examples=max(5, settings.default.max_examples // 3))
SQUARE, DISC = Rect(width_mm=20, depth_mm=20), Round(diameter_mm=20)
MOVE = st.tuples(st.floats(-1, 1), st.one_of(st.floats(0.02, 0.99), st.sampled_from([0.2, 0.4])))


@st.composite
def friends(draw: st.DrawFn) -> Blockers:
    """Figures and outlines without crossing sides, bulging or not, as often as not larger than who moves."""
    outlines = draw(st.lists(OUTLINE.filter(lambda ring: shapely.Polygon(ring).is_valid), max_size=2))
    figures = draw(st.lists(SPEC, min_size=0 if outlines else 1, max_size=3))
    away = draw(st.sampled_from([0.0, 0.0, 15.0]))
    return joined([
        outlines_as_blockers(outlines, ["pond"] * len(outlines), keep_away_mm=away),
        bases_as_blockers(together(figures), ["friend"] * len(figures), away),
    ])  # fmt: skip


def gone(specs: Any, shift: Any) -> list[Any]:
    return [((x + shift[0], y + shift[1]), shape, bearing) for (x, y), shape, bearing in specs]


@given(st.lists(SPEC, min_size=1, max_size=3), friends(), BEARING, st.lists(MOVE, min_size=4, max_size=4))
def test_a_straight_move_ends_where_no_base_stands_on_anything(
    specs: Any, standing: Blockers, facing: float, moves: Any
) -> None:
    assume(clear(specs, standing, 1.0) and not stands_on(specs, standing, 0.5))
    bases, setting = together(specs), Setting(standing=standing)
    found = region(bases, facing, [Straight(half_deg=90.0)], 150.0, setting)
    for side, share in moves:
        shift = 150.0 * share * unit_vector(facing + 89.0 * side)
        there, goal = gone(specs, shift), bases.centre.mean(axis=0) + shift
        way = way_to(bases, facing, [Straight(half_deg=90.0)], 150.0, goal, setting)
        if stands_on(there, standing, -0.01):
            assert way.reachable.name == "NO"
            assert all(why.startswith("would end on") for why in way.why_not)
        elif not stands_on(there, standing, 0.01):
            assert way.reachable.name == "YES"
        if stands_on(there, standing, -0.6):
            assert not found.places.contains(shapely.Point(goal))
        elif not stands_on(there, standing, 0.6):
            assert found.places.buffer(0.3).contains(shapely.Point(goal))


@given(SPEC, friends(), st.tuples(st.floats(-200, 200), st.floats(-200, 200)))
def test_a_loose_figure_ends_where_it_stands_on_nothing(spec: Any, standing: Blockers, goal: Any) -> None:
    assume(clear([spec], standing, 1.0) and not stands_on([spec], standing, 0.5))
    way = loose_way(together([spec]), 900.0, np.array(goal), Setting(standing=standing))
    there = [(goal, *spec[1:])]
    if stands_on(there, standing, -0.01):
        assert way.reachable.name == "NO"
    elif not stands_on(there, standing, 0.01):
        assert way.reachable.name == "YES"


@FEWER
@given(st.integers(2, 4), friends(), BEARING, st.lists(MOVE, min_size=4, max_size=4), st.booleans())
def test_a_wheel_ends_where_no_base_stands_on_anything(
    count: int, standing: Blockers, facing: float, moves: Any, square: bool
) -> None:
    base: Base = SQUARE if square else DISC
    specs = line(count, (3.0, 7.0), facing, base, 20.0)
    assume(clear(specs, standing, 1.0) and not stands_on(specs, standing, 0.5))
    bases, setting, width = together(specs), Setting(standing=standing), 20.0 * (count - 1)
    found = region(bases, facing, [Wheel()], 120.0, setting)
    for side, share in moves:
        turn = math.copysign(abs(side) * min(math.pi / 2, 118.0 / width), side)
        after = turned(bases, bases.centre[-1 if side > 0 else 0], turn)
        ahead = share * (120.0 - abs(turn) * width) * unit_vector(facing + math.degrees(turn))
        end = [((x, y), base, facing + math.degrees(turn)) for x, y in (after.centre + ahead).tolist()]
        goal = after.centre.mean(axis=0) + ahead
        if not stands_on(end, standing, 1.5):
            assert found.places.buffer(0.5).contains(shapely.Point(goal))
        around = [goal, *(goal + 1.5 * unit_vector(bearing) for bearing in range(0, 360, 45))]
        if all(way_to(bases, facing, [Wheel()], 120.0, spot, setting).reachable.name == "NO" for spot in around):
            assert not found.places.buffer(-0.5).contains(shapely.Point(goal))


@pytest.mark.parametrize("square", [True, False])
@pytest.mark.parametrize("half", [0.0, 5.0])
@pytest.mark.parametrize(
    ("name", "far", "free"),
    [("friend", 39.0, True), ("friend", 41.0, False), ("friend", 60.0, False), ("friend", 81.0, True),
     ("house", 39.0, True), ("house", 41.0, False), ("house", 60.0, False), ("house", 81.0, True),
     ("pond", 39.0, True), ("pond", 41.0, False), ("pond", 100.0, False), ("pond", 161.0, True),
     ("fort", 59.0, False), ("fort", 100.0, True), ("fort", 141.0, False)],
)  # fmt: skip
def test_who_may_be_passed_may_not_be_ended_on(
    square: bool, half: float, name: str, far: float, free: bool
) -> None:
    rings = {"house": (10, 50, 70), "pond": (30, 50, 150), "fort": (90, 50, 150)}
    if name == "friend":
        standing = bases_as_blockers(together([((0.0, 60.0), SQUARE, 0.0)]), ["friend"])
    else:
        wide, low, high = rings[name]
        yard = [[(-70, 65), (70, 65), (70, 135), (-70, 135)]] if name == "fort" else []
        outline = [(-wide, low), (wide, low), (wide, high), (-wide, high)]
        standing = outlines_as_blockers([outline], [name], [yard])
    mover, goal = together([((0.0, 0.0), SQUARE if square else DISC, 0.0)]), np.array([0.0, far])
    setting, ways = Setting(standing=standing), [Straight(half_deg=half)]
    why = () if free else (f"would end on {name}",)
    assert way_to(mover, 0.0, ways, 200.0, goal, setting).why_not == why
    assert loose_way(mover, 200.0, goal, setting).why_not == why
    places = region(mover, 0.0, ways, 200.0, setting).places
    assert (places.distance(shapely.Point(goal)) < 1e-6) is free
    assert (loose_region(mover, 200.0, setting).places.distance(shapely.Point(goal)) < 1e-6) is free


def test_who_stands_a_hair_on_a_friend_may_stay_beside_him_but_go_no_deeper() -> None:
    mover = together([((0.0, 0.0), SQUARE, 0.0)])
    friend = bases_as_blockers(together([((19.5, 0.0), SQUARE, 0.0)]), ["friend"])
    for goal, free in (((0.0, 8.0), True), ((0.5, 8.0), False), ((-3.0, 8.0), True)):
        spot, setting = np.array(goal), Setting(standing=friend)
        assert (way_to(mover, 0.0, [Straight(half_deg=45.0)], 50.0, spot, setting).reachable.name == "YES") is free
        places = region(mover, 0.0, [Straight(half_deg=45.0)], 50.0, setting).places
        assert (places.distance(shapely.Point(goal)) < 0.01) is free


def test_who_stands_in_a_pond_may_go_out_of_it_but_not_end_in_it() -> None:
    mover = together([((0.0, 0.0), DISC, 0.0)])
    pond = outlines_as_blockers([[(-50, -50), (50, -50), (50, 50), (-50, 50)]], ["pond"])
    places = region(mover, 0.0, [Straight(half_deg=45.0)], 100.0, Setting(standing=pond)).places
    found = [places.contains(shapely.Point(0, far)) for far in (20, 55, 61)]
    assert found == [False, False, True]


def test_a_body_that_goes_into_contact_ends_on_no_friend() -> None:
    mover = together([((0.0, 0.0), SQUARE, 0.0)])
    friend = bases_as_blockers(together([((0.0, 60.0), SQUARE, 0.0)]), ["friend"])
    foe = together([((0.0, 74.0), Rect(width_mm=8, depth_mm=4), 0.0)])
    way = way_into_contact(mover, 0.0, [Straight()], 100.0, foe, Setting(standing=friend))
    assert (way.reachable.name, way.why_not) == ("NO", ("would end on friend",))


@pytest.mark.parametrize("going", [Going(may_end=False), Going(barred=True)])
def test_where_no_move_may_end_the_reference_point_does_not_stand(going: Going) -> None:
    pair = together([((0.0, 0.0), DISC, 0.0), ((40.0, 0.0), DISC, 0.0)])
    bog = ground_of([[(-10, 40), (10, 40), (10, 60), (-10, 60)]], [going])
    lead, ways = np.array([0.0, 0.0]), [Straight(half_deg=40.0)]
    for goal, free in (((0.0, 50.0), False), ((-20.0, 50.0), True)):  # in the second the pair's middle is in it
        found = region(pair, 0.0, ways, 100.0, Setting(ground=bog), lead)
        assert found.places.contains(shapely.Point(goal)) is free
        way = way_to(pair, 0.0, ways, 100.0, np.array(goal), Setting(ground=bog), lead)
        assert (way.reachable.name == "YES") is free
    alone = spokes_region(together([((0.0, 0.0), DISC, 0.0)]), 100.0, bog)
    assert not alone.places.contains(shapely.Point(0.0, 50.0))
    assert alone.places.contains(shapely.Point(-20.0, 50.0))
