"""Bodies that shift and turn: first contacts against bodies that are stepped along."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.plane.directions import unit_vector
from engine.geometry.reach.blockers import Blockers, bases_as_blockers, joined, outlines_as_blockers
from engine.geometry.reach.overlaps import core_distances
from engine.geometry.reach.straight import contacts, first_contact, sums_of
from engine.geometry.reach.wheels import turn_until_contact
from engine.records.game import Rect, Round
from tests.engine.geometry.oracles_reach import core, pieces, shift_to_contact, together, turned_gap

#: Whole tens make tangent lines, touching bases and collinear sides as often as not.
PLACE = st.one_of(st.integers(-20, 20).map(lambda n: 10.0 * n), st.floats(-200, 200).map(lambda v: round(v, 3)))
POINT = st.tuples(PLACE, PLACE)
SIZE = st.one_of(st.sampled_from([10.0, 20.0, 40.0]), st.floats(5, 60).map(lambda v: round(v, 2)))
SHAPE = st.one_of(
    st.builds(lambda size: Round(diameter_mm=size), SIZE),
    st.builds(lambda width, depth: Rect(width_mm=width, depth_mm=depth), SIZE, SIZE),
)
BEARING = st.one_of(
    st.sampled_from([0.0, 45.0, 90.0, 180.0, 270.0]), st.floats(0, 359.9).map(lambda v: round(v, 2))
)
SPEC = st.tuples(POINT, SHAPE, BEARING)
OUTLINE = st.lists(POINT, min_size=3, max_size=6, unique=True)


@st.composite
def obstacles(draw: st.DrawFn) -> Blockers:
    outlines = draw(st.lists(OUTLINE, max_size=2))
    figures = draw(st.lists(SPEC, max_size=2))
    away = draw(st.sampled_from([0.0, 0.0, 25.0]))
    parts = [outlines_as_blockers(outlines, ["rock"] * len(outlines))]
    if figures:
        parts.append(bases_as_blockers(together(figures), ["foe"] * len(figures), away))
    return joined(parts)


def clear(specs: Any, blockers: Blockers, by: float = 1e-3) -> bool:
    """Whether the bases neither overlap a blocker nor stand in one."""
    gaps = [a.distance(b) - r - s for a, r in map(core, specs) for b, s in pieces(blockers)]
    inside = blockers.holding(together(specs).centre).any() if len(blockers) else False
    return not inside and min(gaps, default=1.0) > by


@given(st.lists(SPEC, min_size=1, max_size=3), obstacles(), BEARING)
def test_a_body_goes_straight_until_it_first_touches(specs: Any, blockers: Blockers, bearing: float) -> None:
    assume(clear(specs, blockers))
    found = first_contact(together(specs), blockers, unit_vector(bearing))
    got = math.inf if found is None else found.distance_mm
    either = [shift_to_contact(specs, blockers, unit_vector(bearing), 1200.0, 1e-3 + by) for by in (-1e-7, 1e-7)]
    assert any(got == pytest.approx(wanted, abs=2e-6) for wanted in either)


@given(st.lists(SPEC, min_size=1, max_size=3), obstacles())
def test_distances_from_bases_to_sides_are_those_of_the_shapes(specs: Any, blockers: Blockers) -> None:
    found = core_distances(together(specs), blockers)
    for row, (geometry, _) in zip(found, map(core, specs), strict=True):
        wanted = [geometry.distance(piece) for piece, _ in pieces(blockers)]
        assert row == pytest.approx(wanted, abs=1e-9)


@given(st.lists(SPEC, min_size=1, max_size=2), obstacles(), POINT, st.booleans())
def test_a_body_turns_until_it_first_touches(specs: Any, blockers: Blockers, pivot: Any, clockwise: bool) -> None:
    assume(clear(specs, blockers))
    sense, most = (1.0 if clockwise else -1.0), math.pi / 2
    stop = turn_until_contact(together(specs), blockers, np.array(pivot), most, clockwise)
    end = most if stop is None else stop.turn_rad
    for turn in np.linspace(0.0, end, 40)[1:-1]:
        assert turned_gap(specs, blockers, pivot, sense * float(turn)) > -2e-3
    if stop is not None:
        assert abs(turned_gap(specs, blockers, pivot, sense * stop.turn_rad)) < 1e-6


@given(st.lists(SPEC, min_size=1, max_size=2), obstacles(), POINT)
def test_a_turn_that_is_stopped_would_have_gone_into_what_stops_it(
    specs: Any, blockers: Blockers, pivot: Any
) -> None:
    assume(clear(specs, blockers))
    stop = turn_until_contact(together(specs), blockers, np.array(pivot), math.pi / 2)
    if stop is not None:
        later = [turned_gap(specs, blockers, pivot, stop.turn_rad + math.exp(-n)) for n in range(2, 16)]
        assert min(later) <= 0.0


def test_a_body_slides_along_a_wall_and_passes_a_corner_that_it_touches() -> None:
    wall = outlines_as_blockers([[(-100, 10), (100, 10), (100, 20), (-100, 20)]], ["wall"])
    for shape in (Round(diameter_mm=20), Rect(width_mm=20, depth_mm=20)):
        mover = together([((0.0, 0.0), shape, 0.0)])
        assert first_contact(mover, wall, np.array([1.0, 0.0])) is None
        assert first_contact(mover, wall, np.array([0.0, -1.0])) is None
        ahead = first_contact(mover, wall, np.array([0.0, 1.0]))
        assert ahead is not None
        assert ahead.distance_mm == 0.0
        beside = together([((110.0, 0.0), shape, 0.0)])
        assert first_contact(beside, wall, np.array([0.0, 1.0])) is None


def test_the_first_figures_to_touch_are_named() -> None:
    line = together([((x, 0.0), Round(diameter_mm=20), 0.0) for x in (0.0, 20.0, 40.0)])
    foes = together([((44.0, 100.0), Round(diameter_mm=20), 0.0), ((0.0, 90.0), Round(diameter_mm=20), 0.0)])
    found = first_contact(line, bases_as_blockers(foes, ["far", "near"]), np.array([0.0, 1.0]))
    assert found is not None
    assert (found.base, found.shape, found.distance_mm) == (0, 1, 70.0)


def test_bases_that_overlap_at_the_start_may_part_but_not_go_deeper() -> None:
    mover = together([((0.0, 0.0), Round(diameter_mm=20), 0.0)])
    other = bases_as_blockers(together([((19.5, 0.0), Round(diameter_mm=20), 0.0)]), ["friend"])
    for bearing, free in ((270.0, True), (0.0, True), (180.0, True), (90.0, False), (80.0, False)):
        assert (first_contact(mover, other, unit_vector(bearing)) is None) is free


def test_who_stands_in_a_shape_is_not_held_by_it() -> None:
    pond = outlines_as_blockers([[(-50, -50), (50, -50), (50, 50), (-50, 50)]], ["pond"])
    inside = together([((0.0, 0.0), Round(diameter_mm=20), 0.0)])
    assert first_contact(inside, pond, np.array([0.0, 1.0])) is None
    over_the_rim = together([((0.0, -55.0), Round(diameter_mm=20), 0.0)])
    assert first_contact(over_the_rim, pond, np.array([0.0, 1.0])) is not None


def test_no_bases_and_no_blockers_meet_nothing() -> None:
    nobody, nothing = together([]), outlines_as_blockers([], [])
    assert first_contact(nobody, nothing, np.array([0.0, 1.0])) is None
    assert turn_until_contact(nobody, nothing, np.zeros(2), 1.0) is None
    distance, pair = contacts(sums_of(nobody, nothing), np.array([[0.0, 1.0]]))
    assert (distance.tolist(), pair.tolist()) == ([math.inf], [-1])
