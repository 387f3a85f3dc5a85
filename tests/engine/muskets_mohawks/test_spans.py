"""The ground that units span on the way of a charge, against the geometry that draws it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry.moving.moves import towards
from engine.geometry.moving.passing import overlap
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.table.spans import by_the_way, upon
from tests.engine.muskets_mohawks.playing import Plain, game, unit
from tests.long_runs import examples

BASES = [
    {"shape": "round", "diameter_mm": 25.0},
    {"shape": "round", "diameter_mm": 40.0},
    {"shape": "rect", "width_mm": 20.0, "depth_mm": 45.0},
]
FAR = 500.0


@st.composite
def bodies(draw: st.DrawFn, name: str, side: str) -> Plain:
    place = st.integers(100, 1100)
    one = unit(name, side, number=draw(st.integers(1, 6)), at=(900, 600), facing=draw(st.integers(0, 359)))
    alike = draw(st.booleans())
    base = draw(st.sampled_from(BASES))
    x, y = draw(place), draw(place)
    for figure in one["figures"]:
        figure["x_mm"], figure["y_mm"] = x + draw(st.integers(-80, 80)), y + draw(st.integers(-80, 80))
        figure["base"] = base if alike else draw(st.sampled_from(BASES))
    return one


@settings(max_examples=examples(100), deadline=None)
@given(bodies("us", "british"), bodies("friend", "british"), bodies("foe", "french"), st.integers(0, 359))
def test_where_one_body_stands_upon_another_is_told_as_it_is_drawn(
    us: Plain, friend: Plain, foe: Plain, bearing: int
) -> None:
    ready = game_from(game(us, friend, foe), "the scene")
    ours, direction = ready.unit("us"), towards(bearing)
    near = {one.id for one in by_the_way(sheet_of(ready), ours, direction, FAR)}
    for name in ("friend", "foe"):
        other = ready.unit(name)
        drawn, told = overlap(ours.figures, other.figures, direction), upon(ours, other, direction, FAR)
        if drawn is None:
            assert told is None or told[1] - told[0] < 20  # a brush hangs on how finely rims are drawn
        elif drawn[0] < FAR - 1 and drawn[1] - drawn[0] >= 20:
            assert name in near
            assert told is not None
            assert told == (pytest.approx(drawn[0], abs=0.7), pytest.approx(drawn[1], abs=0.7))
