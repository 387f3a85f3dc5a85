"""What a body can come to touch: what is left out changes nothing about the ground that it reaches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.bases import bases_of
from engine.geometry.reach import NOTHING, Setting, Straight, Wheel, bases_as_blockers, outlines_as_blockers, region
from engine.geometry.reach.nearby import nearby
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
