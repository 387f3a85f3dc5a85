"""What a body can come to touch: what is left out changes nothing about the ground that it reaches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.reach import (
    NOTHING,
    Setting,
    Straight,
    Wheel,
    bases_as_blockers,
    joined,
    outlines_as_blockers,
    region,
)
from engine.geometry.reach.nearby import Going, met_by, nearby
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Rect, Round

WAYS = {
    "ahead": (Straight(half_deg=45.0),),
    "oblique at a price": (Straight(half_deg=60.0, cost_mm=30.0, factor=0.5),),
    "back": (Straight(turn_deg=180.0),),
    "wheel": (Wheel(most_deg=90.0),),
    "wheel and no farther": (Wheel(most_deg=45.0, straight_on=False),),
    "any way": (Straight(half_deg=180.0),),
    "all of them": (Straight(half_deg=45.0), Wheel(), Straight(turn_deg=180.0)),
}
spots = st.tuples(st.integers(-200, 200), st.integers(-200, 200))


@pytest.mark.parametrize("ways", WAYS.values(), ids=WAYS)
@given(
    facing=st.sampled_from([0.0, 30.0, 45.0, 90.0, 200.0]),
    ranks=st.integers(1, 2),
    others=st.lists(spots, min_size=1, max_size=8),
    rock=spots,
    allowance=st.sampled_from([40.0, 100.0]),
)
def test_what_is_left_out_changes_nothing(ways, facing, ranks, others, rock, allowance):
    turn = np.radians(facing)
    places = [
        (x * np.cos(turn) + y * np.sin(turn), -x * np.sin(turn) + y * np.cos(turn))
        for y in np.arange(ranks) * -22.0
        for x in (-30.0, 0.0, 30.0)
    ]
    body = bases_of(places, [Rect(width_mm=25, depth_mm=20)] * len(places), [facing] * len(places))
    clear = [spot for spot in others if min(np.hypot(*(np.array(spot) - place)) for place in places) > 45]
    men = bases_of(clear, [Round(diameter_mm=20)] * len(clear), [0] * len(clear))
    every = bases_as_blockers(men, [str(number) for number in range(len(clear))])
    some = nearby(every, body, facing, ways, allowance)
    assert set(some.shape) <= set(every.shape)
    whole, less = (region(body, facing, ways, allowance, Setting(one)).footprint for one in (every, some))
    assert whole.symmetric_difference(less).area < 1e-6
    ground = outlines_as_blockers([[(rock[0] + x, rock[1] + y) for x, y in ((0, 0), (9, 0), (9, 9))]], ["rock"])
    reached = region(body, facing, ways, allowance, Setting(NOTHING)).footprint
    if not len(nearby(ground, body, facing, ways, allowance)):
        assert reached.disjoint(ground.area())


def test_an_outline_round_the_body_is_near_though_its_sides_are_far():
    body = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    lake = outlines_as_blockers([[(-500, -500), (500, -500), (500, 500), (-500, 500)]], ["lake"])
    assert len(nearby(lake, body, 0.0, WAYS["ahead"], 50.0)) == 4


def test_nothing_in_the_way_and_nobody_to_move():
    body = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    assert len(nearby(NOTHING, body, 0.0, WAYS["ahead"], 50.0)) == 0
    rock = outlines_as_blockers([[(0, 0), (9, 0), (9, 9)]], ["rock"])
    assert len(nearby(rock, bases_of([], [], []), 0.0, WAYS["ahead"], 50.0)) == 3


def test_the_rear_of_a_column_that_wheels_is_held_up_by_what_it_swings_into():
    column = bases_of(
        [(x, -25.0 * row) for row in range(8) for x in (0, 27)], [Round(diameter_mm=20)] * 16, [0] * 16
    )
    post = bases_as_blockers(bases_of([(110, -130)], [Round(diameter_mm=10)], [0]), ["post"])
    far = bases_as_blockers(bases_of([(600, -130)], [Round(diameter_mm=10)], [0]), ["post"])
    assert met_by(post, [Going(column, 0.0, WAYS["wheel"], 80.0)]).all()
    free, held = (region(column, 0.0, [Wheel(straight_on=False)], 80.0, Setting(one)) for one in (far, post))
    assert held.footprint.area < 0.8 * free.footprint.area
    assert not len(far.near(column.centre, 100.0))


@given(
    st.lists(st.tuples(spots, st.lists(spots, min_size=1, max_size=4), st.sampled_from(sorted(WAYS))), max_size=4),
    st.lists(spots, max_size=5),
)
def test_what_several_come_to_touch_is_what_each_comes_to_touch(movers, others):
    men = bases_of(others, [Round(diameter_mm=20)] * len(others), [0] * len(others))
    rock = outlines_as_blockers([[(0, 0), (40, 0), (20, 9)]], ["rock"])
    every = joined([rock, bases_as_blockers(men, [str(number) for number in range(len(others))])])
    going = [
        Going(bases_of(at, [Round(diameter_mm=20)] * len(at), [0] * len(at)), float(x), WAYS[way], 60.0)
        for (x, _), at, way in movers
    ]
    met = met_by(every, going)
    assert met.shape == (len(movers), len(others) + 1)
    for one, row in zip(going, met, strict=True):
        alone = nearby(every, one.bases, one.facing_deg, one.manoeuvres, one.allowance_mm)
        assert sorted(set(alone.shape.tolist())) == np.flatnonzero(row).tolist()


def test_figures_that_go_each_by_itself_come_to_all_about_them():
    body = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    men = bases_of([(0, -60), (90, 0), (0, 200)], [Round(diameter_mm=20)] * 3, [0] * 3)
    assert met_by(bases_as_blockers(men, ["a", "b", "c"]), [Going(body, 0.0, (), 70.0)]).tolist() == [
        [True, True, False]
    ]
