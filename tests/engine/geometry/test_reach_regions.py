"""The ground in reach: every legal place is in it and no other, by moves that are stepped along."""

from __future__ import annotations

import math
from itertools import pairwise
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
    first_contact,
    ground_of,
    loose_region,
    outlines_as_blockers,
    region,
    shifted,
    turn_until_contact,
    turned,
    way_to,
)
from engine.geometry.shapes.bases import Bases
from engine.records.game import Base, Rect, Round
from tests.engine.geometry.oracles_reach import core, shift_to_contact, together, turned_gap
from tests.engine.geometry.test_reach_contacts import BEARING, SPEC, clear, obstacles

FEWER = settings(max_examples=max(5, settings.default.max_examples // 3))
MOVE = st.tuples(st.floats(-1, 1), st.floats(0.02, 1.2))


def solid(spec: Any) -> shapely.Geometry:
    geometry, radius = core(spec)
    return geometry.buffer(radius, quad_segs=64) if radius else geometry


def line(count: int, at: tuple[float, float], bearing: float, base: Base, step: float) -> list[Any]:
    across = unit_vector(bearing + 90)
    return [(tuple(np.array(at) + step * n * across), base, bearing) for n in range(count)]


@FEWER
@given(st.lists(SPEC, min_size=1, max_size=3), obstacles(), BEARING, st.sampled_from([30.0, 45.0, 90.0, 180.0]),
       st.lists(MOVE, min_size=4, max_size=4))  # fmt: skip
def test_straight_moves_reach_what_stepping_reaches(
    specs: Any, blockers: Blockers, facing: float, half: float, moves: Any
) -> None:
    assume(clear(specs, blockers))
    bases = together(specs)
    found = region(bases, facing, [Straight(half_deg=half)], 150.0, Setting(passing=blockers))
    at = bases.centre.mean(axis=0)
    for side, share in moves:
        direction, distance = unit_vector(facing + side * half), 150.0 * share
        room = shift_to_contact(specs, blockers, direction, 400.0)
        place = shapely.Point(at + distance * direction)
        if distance < min(room, 150.0) - 0.3:
            assert found.places.buffer(0.3).contains(place)
            moved = [solid(spec) for spec in specs]
            shift = distance * direction
            outline = shapely.union_all([shapely.affinity.translate(one, *shift) for one in moved])
            assert found.footprint.buffer(0.5).contains(outline.buffer(-0.2))
        elif distance > min(room, 150.0) + 0.3:
            assert not found.places.buffer(-0.3).contains(place)


@FEWER
@given(st.integers(2, 5), obstacles(), BEARING, st.lists(MOVE, min_size=3, max_size=3), st.booleans())
def test_wheels_reach_what_turning_step_by_step_reaches(
    count: int, blockers: Blockers, facing: float, moves: Any, square: bool
) -> None:
    base: Base = Rect(width_mm=20, depth_mm=20) if square else Round(diameter_mm=20)
    specs = line(count, (3.0, 7.0), facing, base, 20.0)
    assume(clear(specs, blockers))
    bases = together(specs)
    found = region(bases, facing, [Wheel()], 120.0, Setting(passing=blockers))
    width = 20.0 * (count - 1)
    at = bases.centre.mean(axis=0)
    for side, share in moves:
        sense = 1.0 if side > 0 else -1.0
        turn = min(abs(side) * math.pi / 2, 120.0 / width)
        pivot = bases.centre[-1 if sense > 0 else 0]
        steps = [turned_gap(specs, blockers, tuple(pivot), sense * t) for t in np.linspace(0, turn, 25)]
        if min(steps, default=1.0) < 0.05:
            continue
        after = turned(bases, pivot, sense * turn)
        ahead = unit_vector(facing + sense * math.degrees(turn))
        go = share * max(0.0, 120.0 - turn * width) * 0.8
        swung = [(tuple(after.centre[n]), base, facing + sense * math.degrees(turn)) for n in range(count)]
        if go < shift_to_contact(swung, blockers, ahead, 400.0) - 0.5:
            middle = at - pivot
            cos, sin = math.cos(sense * turn), math.sin(sense * turn)
            place = (
                pivot
                + np.array([middle[0] * cos + middle[1] * sin, middle[1] * cos - middle[0] * sin])
                + go * ahead
            )
            assert found.places.buffer(1.0).contains(shapely.Point(place))


def swept_ground(bases: Bases, facing: float, allowance: float, blockers: Blockers) -> shapely.Geometry:
    """Where the middle of a front gets to by a wheel and straight on, turn by turn, a quarter of a degree apart."""
    width = float(np.hypot(*(bases.centre[-1] - bases.centre[0])))
    parts = []
    for pivot, sense in ((bases.centre[0], -1.0), (bases.centre[-1], 1.0)):
        most = min(math.pi / 2, allowance / width)
        stop = turn_until_contact(bases, blockers, pivot, most, clockwise=sense > 0)
        most = most if stop is None else stop.turn_rad
        ends = []
        for turn in np.linspace(0.0, most, int(math.degrees(most) / 0.25) + 2):
            after, ahead = turned(bases, pivot, sense * turn), unit_vector(facing + sense * math.degrees(turn))
            met = first_contact(after, blockers, ahead)
            room = allowance - turn * width
            go = room if met is None else min(room, met.distance_mm)
            ends.append([after.centre.mean(axis=0), after.centre.mean(axis=0) + go * ahead])
        parts += [shapely.MultiPoint([*one, *other]).convex_hull for one, other in pairwise(ends)]
    return shapely.union_all(parts, grid_size=1e-6)  # without a grid half of these slivers are lost at some angles


@settings(max_examples=max(4, settings.default.max_examples // 10))
@given(st.integers(2, 5), obstacles(), BEARING, st.booleans())
def test_a_wheel_reaches_what_turn_by_turn_is_free_and_nothing_else(
    count: int, blockers: Blockers, facing: float, square: bool
) -> None:
    base: Base = Rect(width_mm=20, depth_mm=20) if square else Round(diameter_mm=20)
    specs = line(count, (3.0, 7.0), facing, base, 20.0)
    assume(clear(specs, blockers))
    bases = together(specs)
    found = region(bases, facing, [Wheel()], 150.0, Setting(passing=blockers)).places
    wanted = swept_ground(bases, facing, 150.0, blockers)
    assert wanted.difference(found).buffer(-1.0).is_empty
    assert found.difference(wanted).buffer(-1.0).is_empty


def test_a_body_that_cannot_stir_covers_what_it_stands_on() -> None:
    bases = together(line(3, (0.0, 0.0), 0.0, Round(diameter_mm=20), 20.0))
    walls = outlines_as_blockers([[(-60, 10), (60, 10), (60, 14), (-60, 14)]], ["wall"])
    held = region(bases, 0.0, [Wheel()], 100.0, Setting(passing=walls))
    assert held.footprint.bounds == pytest.approx((-10.0, -10.0, 50.0, 10.0), abs=1.0)


@pytest.mark.parametrize("bearing", [0.0, 30.0, 180.0, 270.0])
def test_a_wheel_swings_the_far_end_no_farther_than_the_move(bearing: float) -> None:
    bases = together(line(9, (500.0, 500.0), bearing, Round(diameter_mm=25), 25.0))
    start = shapely.union_all([shapely.Point(c).buffer(12.5) for c in bases.centre]).convex_hull
    found = region(bases, bearing, [Wheel()], 200.0)
    across = unit_vector(bearing + 90)
    far_end = bases.centre[0] + 200 * (math.cos(1.0) * across + math.sin(1.0) * unit_vector(bearing))
    assert found.footprint.buffer(1.5).contains(shapely.Point(far_end))  # 200 mm of arc at 200 mm: one radian
    assert start.buffer(200.5).contains(found.footprint)


def test_a_wheel_stops_at_the_wall_that_it_meets() -> None:
    bases = together(line(5, (0.0, 0.0), 0.0, Round(diameter_mm=20), 20.0))
    wall = outlines_as_blockers([[(70, 30), (120, 30), (120, 40), (70, 40)]], ["wall"])
    free, held = (
        region(bases, 0.0, [Wheel()], 150.0, Setting(passing=blockers)).footprint
        for blockers in (outlines_as_blockers([], []), wall)
    )
    beyond = shapely.Point(50.0, 60.0)  # only a wheel to the left, about the left end, gets there
    assert free.contains(beyond)
    assert not shapely.intersects(held, shapely.box(71, 31, 119, 39))
    assert held.area < free.area


def test_the_table_holds_every_centre() -> None:
    bases = together([((50.0, 50.0), Round(diameter_mm=20), 0.0)])
    for found in (
        region(bases, 0.0, [Straight(half_deg=180.0)], 200.0, Setting(table_mm=(500.0, 500.0))),
        loose_region(bases, 200.0, Setting(table_mm=(500.0, 500.0))),
    ):
        assert found.places.bounds == pytest.approx((0.0, 0.0, 250.0, 250.0), abs=0.2)
        assert found.footprint.bounds == pytest.approx((0.0, 0.0, 260.0, 260.0), abs=0.5)


def test_bases_that_may_be_passed_may_not_be_ended_on() -> None:
    mover = together([((0.0, 0.0), Round(diameter_mm=20), 0.0)])
    friend = bases_as_blockers(together([((0.0, 60.0), Round(diameter_mm=20), 0.0)]), ["friend"])
    for found in (
        region(mover, 0.0, [Straight(half_deg=45.0)], 150.0, Setting(standing=friend)),
        loose_region(mover, 150.0, Setting(standing=friend)),
    ):
        assert found.places.contains(shapely.Point(0, 120))
        assert not found.places.contains(shapely.Point(0, 60))
        assert not found.places.contains(shapely.Point(0, 78))
        assert found.places.contains(shapely.Point(0, 81))
        assert len(found.rings_mm[0][1]) == 1  # the friend is a hole
    stopped = region(mover, 0.0, [Straight(half_deg=45.0)], 150.0, Setting(passing=friend))
    assert not stopped.places.contains(shapely.Point(0, 120))


@FEWER
@given(BEARING, st.floats(0.2, 1.5), st.lists(st.floats(0.0, 1.0), min_size=3, max_size=3), st.floats(5, 60))
def test_after_a_wheel_ground_is_counted_along_the_way_ahead(
    facing: float, factor: float, shares: list[float], start: float
) -> None:
    bases = together(line(3, (0.0, 0.0), facing, Round(diameter_mm=20), 24.0))
    at, ahead, aside = bases.centre.mean(axis=0), unit_vector(facing), unit_vector(facing + 90)
    corners = ((-900, start), (900, start), (900, start + 40), (-900, start + 40))
    strip = [at + side * aside + far * ahead for side, far in corners]
    ground = ground_of([strip], [Going(factor=factor, crossing_mm=3.0)])
    found = region(bases, facing, [Wheel()], 150.0, Setting(ground=ground))
    for share in shares:
        turn = share * math.pi / 2
        corner = turned(bases, bases.centre[0], -turn).centre.mean(axis=0)  # about the left end
        way = unit_vector(facing - math.degrees(turn))
        rest, gone, inside = 150.0 - turn * 48.0, 0.0, False
        while rest > 0:  # step by step, and pay for each
            deep = 0 <= (corner + gone * way - at) @ ahead - start <= 40
            rest -= 3.0 * (deep and not inside) + 0.05 / (factor if deep else 1.0)
            gone, inside = gone + 0.05, deep
        if gone > 2.0:
            assert found.places.buffer(1.5).contains(shapely.Point(corner + (gone - 1.5) * way))
            goal = corner + (gone - 1.5) * way
            assert way_to(bases, facing, [Wheel()], 150.0, goal, Setting(ground=ground)).cost_mm <= 150.0 + 1.0


def test_ground_that_slows_is_counted_along_the_reference_point() -> None:
    wood = ground_of([[(-300, 50), (300, 50), (300, 300), (-300, 300)]], [Going(factor=0.5)])
    mover = together([((0.0, 0.0), Round(diameter_mm=20), 0.0)])
    found = region(mover, 0.0, [Straight(half_deg=30.0)], 100.0, Setting(ground=wood))
    assert found.places.bounds[3] == pytest.approx(75.0, abs=0.01)
    back = region(mover, 0.0, [Straight(turn_deg=180.0, factor=0.5, cost_mm=20.0)], 100.0)
    assert back.places.bounds[1] == pytest.approx(-40.0)


def test_a_pond_is_a_hole_and_far_banks_are_parts_of_their_own() -> None:
    pond = outlines_as_blockers([[(60, -15), (90, -15), (90, 15), (60, 15)]], ["pond"])
    figure = together([((0.0, 0.0), Round(diameter_mm=20), 0.0)])
    found = loose_region(figure, 200.0, Setting(passing=pond))
    outline, holes = found.rings_mm[0]
    assert len(holes) == 1
    assert shapely.Polygon(holes[0]).area == pytest.approx(900.0, abs=60.0)
    assert shapely.LinearRing(outline).is_ccw
    assert not shapely.LinearRing(holes[0]).is_ccw
    assert found.outline_mm == outline
    assert [shape.part for shape in found.drawing()] == ["reach"]


def test_nobody_goes_nowhere() -> None:
    nobody = together([])
    assert region(nobody, 0.0, [Straight(half_deg=45.0), Wheel()], 100.0).rings_mm == ()
    alone = together([((0.0, 0.0), Round(diameter_mm=20), 0.0)])
    assert region(alone, 0.0, [Wheel()], 100.0).rings_mm == ()  # one figure has no end to wheel about
    still = region(alone, 0.0, [Straight(half_deg=45.0)], 0.0)
    assert still.footprint.area < 400.0
    moved: Bases = shifted(alone, np.array([1.0, 2.0]))
    assert moved.centre.tolist() == [[1.0, 2.0]]
