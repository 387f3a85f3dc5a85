"""Ways to a point and into contact: costs, legs, what blocks, and what is borderline."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.geometry.certainty import Verdict
from engine.geometry.plane.directions import unit_vector
from engine.geometry.reach import (
    Blockers,
    Going,
    Setting,
    Straight,
    Wheel,
    bases_as_blockers,
    ground_of,
    loose_way,
    outlines_as_blockers,
    turned,
    way_into_contact,
    way_to,
)
from engine.records.game import Round
from tests.engine.geometry.oracles_reach import shift_to_contact, together
from tests.engine.geometry.test_reach_contacts import BEARING, SPEC, clear, obstacles
from tests.engine.geometry.test_reach_regions import line

FEWER = settings(max_examples=max(5, settings.default.max_examples // 4))
ONE = [((0.0, 0.0), Round(diameter_mm=20), 0.0)]


@given(
    st.integers(2, 6), BEARING, st.floats(0.01, 1.5), st.one_of(st.just(0.0), st.floats(0.01, 200.0)), st.booleans()
)
def test_a_wheel_that_leads_to_a_point_is_found_again(
    count: int, facing: float, turn: float, ahead: float, clockwise: bool
) -> None:
    bases = together(line(count, (40.0, 60.0), facing, Round(diameter_mm=20), 25.0))
    sense = 1.0 if clockwise else -1.0
    after = turned(bases, bases.centre[-1 if clockwise else 0], sense * turn)
    goal = after.centre.mean(axis=0) + ahead * unit_vector(facing + sense * math.degrees(turn))
    way = way_to(bases, facing, [Wheel()], 1e4, goal)
    assert way.reachable == Verdict.YES
    assert way.cost_mm <= turn * 25.0 * (count - 1) + ahead + 1e-6  # that way, or a cheaper one
    assert way.legs[-1].end_mm == pytest.approx(tuple(goal), abs=1e-5)
    assert way.legs[0].kind == "wheel"


@FEWER
@given(st.lists(SPEC, min_size=1, max_size=3), st.lists(SPEC, min_size=1, max_size=2), BEARING,
       st.sampled_from([20.0, 45.0, 180.0]))  # fmt: skip
def test_the_least_shift_into_contact(specs: Any, foes: Any, facing: float, half: float) -> None:
    targets = bases_as_blockers(together(foes), ["foe"] * len(foes))
    assume(clear(specs, targets))
    way = way_into_contact(together(specs), facing, [Straight(half_deg=half)], 2000.0, together(foes))
    looks = [
        shift_to_contact(specs, targets, unit_vector(facing + turn), 900.0) for turn in np.linspace(-half, half, 9)
    ]
    assert way.cost_mm <= min(looks) + 1e-6
    if math.isfinite(way.cost_mm):
        to = np.subtract(way.legs[-1].end_mm, way.legs[-1].start_mm)
        assert shift_to_contact(specs, targets, to / np.hypot(*to), 900.0) == pytest.approx(way.cost_mm, abs=1e-5)
    else:
        assert min(looks) == math.inf


@FEWER
@given(obstacles(), BEARING, st.floats(40, 200))
def test_a_straight_way_is_blocked_by_what_is_met_first(blockers: Blockers, facing: float, far: float) -> None:
    assume(clear(ONE, blockers))
    room = shift_to_contact(ONE, blockers, unit_vector(facing), 500.0)
    assume(abs(room - far) > 0.01)
    way = way_to(together(ONE), facing, [Straight()], 500.0, far * unit_vector(facing), Setting(passing=blockers))
    assert (way.reachable == Verdict.YES) is (room > far)
    assert (way.blocker is None) is (room > far)
    if way.blocker is not None:
        (spot,) = (shape for shape in way.shapes if shape.part == "blocker")
        assert getattr(spot, "at_mm") == pytest.approx(tuple(room * unit_vector(facing)), abs=1e-4)  # noqa: B009


@pytest.mark.parametrize(
    ("sigma", "far", "verdict"),
    [(0.0, 100.0, "YES"), (0.0, 100.0005, "YES"), (0.0, 100.01, "NO"), (0.5, 100.9, "BORDERLINE"),
     (0.5, 99.1, "BORDERLINE"), (0.5, 98.9, "YES"), (0.5, 101.1, "NO")],
)  # fmt: skip
def test_limits_are_inclusive_and_borderline_within_two_sigma(sigma: float, far: float, verdict: str) -> None:
    goal = np.array([0.0, far])
    for way in (
        way_to(together(ONE), 0.0, [Straight()], 100.0, goal, sigma_mm=sigma),
        loose_way(together(ONE), 100.0, goal, sigma_mm=sigma),
    ):
        assert way.reachable.name == verdict


def test_contact_takes_its_doubt_from_the_bases() -> None:
    foe = replace(together([((0.0, 100.0), Round(diameter_mm=20), 0.0)]), sigma_mm=np.array([0.4]))
    one = replace(together(ONE), sigma_mm=np.array([0.3]))
    way = way_into_contact(one, 0.0, [Straight()], 79.5, foe)
    assert (way.sigma_mm, way.reachable) == (0.5, Verdict.BORDERLINE)


def test_why_a_point_cannot_be_reached() -> None:
    far = way_to(together(ONE), 0.0, [Straight(half_deg=45.0)], 100.0, np.array([0.0, 112.5]))
    assert far.why_not == ("12.5 mm too far: 112.5 mm, has 100.0 mm",)
    assert far.too_far_mm == pytest.approx(12.5)
    aside = way_to(together(ONE), 0.0, [Straight(half_deg=45.0)], 100.0, np.array([50.0, 0.0]))
    assert aside.why_not == ("90.0° off the way it may go, 45.0° allowed",)
    off = way_to(together(ONE), 0.0, [Straight(turn_deg=180.0)], 50.0, np.array([0.0, -20.0]),
                 Setting(table_mm=(500.0, 500.0)))  # fmt: skip
    assert off.why_not == ("off the table",)
    friend = bases_as_blockers(together([((0.0, 60.0), Round(diameter_mm=20), 0.0)]), ["friend"])
    on = way_to(together(ONE), 0.0, [Straight()], 100.0, np.array([0.0, 70.0]), Setting(standing=friend))
    assert on.why_not == ("would end on friend",)
    assert way_to(together(ONE), 0.0, [], 100.0, np.array([0.0, 70.0])).why_not == ("no manoeuvre leads there",)
    mire = ground_of([[(-50, 30), (50, 30), (50, 60), (-50, 60)]], [Going(name="mire", may_end=False)])
    in_mire = way_to(together(ONE), 0.0, [Straight()], 100.0, np.array([0.0, 45.0]), Setting(ground=mire))
    assert in_mire.why_not == ("may not end there",)


def test_the_price_of_turning_about_and_of_ground() -> None:
    about = way_to(together(ONE), 0.0, [Straight(turn_deg=180.0, cost_mm=50.8)], 150.0, np.array([0.0, -80.0]))
    assert [(leg.kind, leg.cost_mm) for leg in about.legs] == [("turn", 50.8), ("straight", 80.0)]
    wall = ground_of([[(-500, 50), (500, 50), (500, 52), (-500, 52)]], [Going(name="wall", crossing_mm=62.5)])
    over = way_to(together(ONE), 0.0, [Straight()], 250.0, np.array([0.0, 100.0]), Setting(ground=wall))
    assert over.cost_mm == pytest.approx(162.5)


def test_a_loose_figure_goes_round_and_says_how() -> None:
    wall = outlines_as_blockers([[(-30, 40), (30, 40), (30, 50), (-30, 50)]], ["wall"])
    way = loose_way(together(ONE), 300.0, np.array([0.0, 100.0]), Setting(passing=wall))
    assert [leg.kind for leg in way.legs] == ["straight", "arc", "straight", "arc", "straight"]
    assert sum(leg.cost_mm for leg in way.legs) == pytest.approx(way.cost_mm)
    assert {shape.part for shape in way.shapes} == {"path"}
    ring = outlines_as_blockers(
        [[(-90, 40), (90, 40), (90, 160), (-90, 160)]], ["fort"], [[[(-70, 60), (70, 60), (70, 140), (-70, 140)]]]
    )
    shut = loose_way(together(ONE), 900.0, np.array([0.0, 100.0]), Setting(passing=ring))
    assert (shut.reachable, shut.blocker) == (Verdict.NO, "fort")
    wood = ground_of([[(-200, 30), (200, 30), (200, 70), (-200, 70)]], [Going(factor=0.5)])
    slow = loose_way(together(ONE), 200.0, np.array([0.0, 100.0]), Setting(ground=wood))
    assert slow.cost_mm == pytest.approx(140.0)


def test_a_wheel_into_contact_is_cheaper_than_no_way_at_all() -> None:
    body = line(5, (0.0, 0.0), 0.0, Round(diameter_mm=20), 20.0)
    foe = [((150.0, 40.0), Round(diameter_mm=20), 0.0)]
    straight = way_into_contact(together(body), 0.0, [Straight(half_deg=10.0)], 300.0, together(foe))
    assert straight.reachable == Verdict.NO
    way = way_into_contact(together(body), 0.0, [Wheel()], 300.0, together(foe))
    assert way.reachable == Verdict.YES
    best = min(_wheel_cost(body, foe, turn) for turn in np.linspace(0.0, math.pi / 2, 91))
    assert way.cost_mm == pytest.approx(best, abs=0.1)
    assert way.cost_mm <= best + 1e-3


def _wheel_cost(body: Any, foe: Any, turn: float) -> float:
    bases = together(body)
    after = turned(bases, bases.centre[-1], turn)
    facing = math.degrees(turn)
    specs = [(tuple(centre), shape, facing) for centre, (_, shape, _) in zip(after.centre, body, strict=True)]
    room = shift_to_contact(specs, bases_as_blockers(together(foe), ["foe"]), unit_vector(facing), 500.0)
    return turn * 80.0 + room


SHARES = ground_of([[(-50, 30), (50, 30), (50, 60), (-50, 60)]], [Going(keeps=0.5)])


@pytest.mark.parametrize(
    ("far", "has", "cost", "reachable"),
    [(62.0, 100.0, 97.0, "YES"), (45.0, 100.0, 80.0, "YES"), (62.0, 94.0, 94.0, "YES"), (62.0, 90.0, 94.0, "NO"),
     (20.0, 100.0, 20.0, "YES")],
)  # fmt: skip
def test_ground_that_keeps_a_share_takes_it_of_what_one_has(
    far: float, has: float, cost: float, reachable: str
) -> None:
    way = way_to(together(ONE), 0.0, [Straight()], has, np.array([0.0, far]), Setting(ground=SHARES))
    assert (way.cost_mm, way.reachable.name) == (pytest.approx(cost, abs=1e-5), reachable)
    loose = loose_way(together(ONE), has, np.array([0.0, far]), Setting(ground=SHARES))
    assert loose.reachable.name == reachable
    if reachable == "YES":
        assert loose.cost_mm == pytest.approx(cost, abs=1e-5)


@pytest.mark.parametrize(
    ("going", "has", "cost", "reachable"),
    [(Going(factor=0.5), 120.0, 160.0, "NO"), (Going(factor=0.5), 160.0, 160.0, "YES"),
     (Going(crossing_mm=15.0), 120.0, 115.0, "YES"), (Going(barred=True), 120.0, 100.0, "NO")],
)  # fmt: skip
def test_a_straight_way_into_contact_pays_for_its_ground(
    going: Going, has: float, cost: float, reachable: str
) -> None:
    field = ground_of([[(-50, 20), (50, 20), (50, 80), (-50, 80)]], [going])
    foe = together([((0.0, 120.0), Round(diameter_mm=20), 0.0)])
    way = way_into_contact(together(ONE), 0.0, [Straight()], has, foe, Setting(ground=field))
    assert (way.cost_mm, way.reachable.name) == (pytest.approx(cost, abs=1e-5), reachable)


def test_who_finds_a_friend_before_the_nearest_foe_goes_into_contact_with_the_next() -> None:
    foes = together([((x, 100.0), Round(diameter_mm=20), 0.0) for x in (0.0, 60.0)])
    friend = bases_as_blockers(together([((0.0, 80.0), Round(diameter_mm=16), 0.0)]), ["friend"])
    way = way_into_contact(together(ONE), 0.0, [Straight(half_deg=45.0)], 200.0, foes, Setting(standing=friend))
    assert (way.reachable.name, way.cost_mm) == ("YES", pytest.approx(math.hypot(60, 100) - 20))
