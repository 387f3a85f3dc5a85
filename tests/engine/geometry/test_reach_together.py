"""The ground in reach of many bodies at once: to the last bit that of each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry.reach import (
    NOTHING,
    OPEN,
    Going,
    LooseMover,
    Manoeuvre,
    Mover,
    Region,
    Setting,
    Straight,
    Wheel,
    bases_as_blockers,
    ground_of,
    loose_region,
    loose_regions_of,
    region,
    regions_of,
)
from engine.geometry.side_by_side import side_by_side
from engine.records.game import Round
from tests.engine.geometry.oracles_reach import together
from tests.engine.geometry.test_reach_contacts import BEARING, POINT, SPEC, obstacles

FEWER = settings(max_examples=max(5, settings.default.max_examples // 3))
WAYS: st.SearchStrategy[Sequence[Manoeuvre]] = st.lists(
    st.sampled_from([
        Straight(half_deg=45.0), Straight(turn_deg=180.0, cost_mm=20.0), Wheel(), Wheel(straight_on=False)
    ]),
    max_size=3,
)  # fmt: skip
FAR = st.sampled_from([0.0, 60.0, 150.0])
SLOW = ground_of([[(-50.0, 20.0), (50.0, 20.0), (50.0, 80.0), (-50.0, 80.0)]], [Going(factor=0.5)])


@st.composite
def situations(draw: st.DrawFn) -> Setting:
    friend = together([(draw(POINT), Round(diameter_mm=20), 0.0)])
    return Setting(
        draw(obstacles()),
        draw(st.sampled_from([NOTHING, bases_as_blockers(friend, ["friend"])])),
        draw(st.sampled_from([None, (150.0, 150.0)])),
        draw(st.sampled_from([OPEN, OPEN, SLOW])),
    )


BODIES = st.lists(st.tuples(st.lists(SPEC, max_size=3), BEARING, WAYS, FAR, situations()), min_size=1, max_size=4)


def alike(one: Region, other: Region) -> bool:
    """Whether two regions are the same to the last bit."""
    return bool(
        shapely.equals_exact(one.footprint, other.footprint, 0.0)
        and shapely.equals_exact(one.places, other.places, 0.0)
        and one.start == other.start
        and one.rings_mm == other.rings_mm
    )


@FEWER
@given(BODIES)
def test_rigid_bodies_reach_together_what_each_reaches_alone(bodies: Any) -> None:
    found = regions_of([Mover(together(specs), *rest) for specs, *rest in bodies])
    for (specs, *rest), one in zip(bodies, found, strict=True):
        assert alike(one, region(together(specs), *rest))


@FEWER
@given(st.lists(st.tuples(st.lists(SPEC, max_size=3), FAR, situations()), min_size=1, max_size=4))
def test_loose_figures_reach_together_what_each_body_reaches_alone(bodies: Any) -> None:
    found = loose_regions_of([LooseMover(together(specs), *rest) for specs, *rest in bodies])
    for (specs, *rest), one in zip(bodies, found, strict=True):
        assert alike(one, loose_region(together(specs), *rest))


@FEWER
@given(
    st.lists(
        st.tuples(st.lists(SPEC, min_size=1, max_size=3), FAR, situations(), situations()), min_size=1, max_size=3
    )
)
def test_loose_figures_reach_what_they_reach_whatever_was_known_of_their_ground(bodies: Any) -> None:
    """With other things to end on or none, on the same ground and on other ground."""
    first = loose_regions_of([LooseMover(together(specs), far, then) for specs, far, then, _ in bodies])
    for other in (lambda then, now: replace(then, standing=now.standing), lambda then, now: now):
        movers = [
            LooseMover(together(specs), far, other(then, now), one.passable)
            for (specs, far, then, now), one in zip(bodies, first, strict=True)
        ]
        for mover, found in zip(movers, loose_regions_of(movers), strict=True):
            assert alike(found, loose_region(mover.bases, mover.allowance_mm, mover.setting))


def test_ground_that_is_known_is_not_looked_for_again() -> None:
    """Only what one may not end on has changed."""
    one = together([((0.0, 0.0), Round(diameter_mm=20), 0.0)])
    wall = bases_as_blockers(together([((40.0, 0.0), Round(diameter_mm=30), 0.0)]), ["wall"])
    friend = bases_as_blockers(together([((-40.0, 0.0), Round(diameter_mm=20), 0.0)]), ["friend"])
    (before,) = loose_regions_of([LooseMover(one, 80.0, Setting(wall))])
    (after,) = loose_regions_of([LooseMover(one, 80.0, Setting(wall, friend), before.passable)])
    assert after.passable[0].ground is before.passable[0].ground
    assert after.footprint.area < before.footprint.area


def test_of_no_bodies_there_are_no_regions() -> None:
    assert regions_of([]) == []
    assert loose_regions_of([]) == []


def test_so_many_bodies_that_two_threads_share_them_reach_what_each_reaches_alone() -> None:
    pair = together([((0.0, 0.0), Round(diameter_mm=20), 0.0), ((25.0, 0.0), Round(diameter_mm=20), 0.0)])
    post = bases_as_blockers(together([((10.0, 60.0), Round(diameter_mm=20), 0.0)]), ["post"])
    ways = [Straight(half_deg=45.0), Wheel()]
    asked = [(pair, 15.0 * number, ways, 80.0 + number, Setting(post)) for number in range(12)]
    found = regions_of([Mover(*one) for one in asked])
    assert [alike(one, region(*each)) for one, each in zip(found, asked, strict=True)] == [True] * 12


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_work_shared_by_threads_keeps_its_order(threads: int) -> None:
    assert side_by_side(lambda n: n * n, range(50), threads) == [n * n for n in range(50)]


@pytest.mark.parametrize("threads", [1, 2])
def test_what_work_raises_is_raised_to_whom_asked_for_it(threads: int) -> None:
    def work(number: int) -> int:
        if number == 7:
            raise ValueError("seven")
        return number

    with pytest.raises(ValueError, match="seven"):
        side_by_side(work, range(20), threads)
