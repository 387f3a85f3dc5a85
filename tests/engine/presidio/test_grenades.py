"""Grenades (PR-936)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records.answer import FireOption
from tests.engine.presidio.scene import (
    Json,
    asked,
    do,
    effects,
    game,
    ground,
    inches,
    needs,
    row,
    told,
    unit,
)


@pytest.mark.rule("PR-936", "PR-408")
@pytest.mark.parametrize(("far", "number"), [(3.9, 7), (7.9, 9), (15.9, 11), (16.0, None)])
def test_grenades_are_thrown_like_indirect_fire(far: float, number: int | None) -> None:
    own = unit("a", *row(2, 900, 200), stats={"ranged": 0, "arms": [{"weapon": "grenade", "figures": ["a-1"]}]})
    foe = unit("b", (925, 225 + inches(far)), type="light", formation="column")
    option = next(one for one in asked(game(own, foe)).fire if one.extra["weapon"] == "grenade")
    assert (needs(option), option.mode, option.legal) == (number, "indirect", number is not None)
    if number is not None:
        assert option.shooters == ("a-1",)
        played = do(game(own, foe), "12", action="fire", unit="a", target="b", mode="indirect", weapon="grenade")
        assert told(played, "casualty") == [{"unit": "b", "figure": "b-1"}]


def thrower(at: float = 200.0, **keys: Any) -> Json:
    """A man of no skill with a grenade."""
    given = {"stats": {"ranged": 0, "arms": [{"weapon": "grenade", "figures": ["a-1"]}]}, **keys}
    return unit("a", (900, at), **given)


def grenade(*units: Json, **more: Any) -> FireOption:
    """His throw at the first enemy."""
    return next(one for one in asked(game(*units, **more)).fire if one.extra["weapon"] == "grenade")


@pytest.mark.rule("PR-010", "PR-009", "PR-936")
@pytest.mark.parametrize(("die", "needed"), [(3, 7), (4, 9)])
def test_a_throw_whose_range_the_measurement_cannot_tell_is_diced_for(die: int, needed: int) -> None:
    foe = unit("b", (900, 225 + inches(4.0)), type="light", formation="column")
    of = game(thrower(), foe, sigma_mm=0.5)
    throws = {"action": "fire", "unit": "a", "target": "b", "mode": "indirect", "weapon": "grenade"}
    assert told(do(of, f"{die} {needed}", **throws), "scatter") == []
    assert told(do(of, f"{die} {needed - 2} 2", **throws), "scatter")[0]["distance_mm"] == inches(4)


@pytest.mark.rule("PR-413", "PR-936")
def test_who_throws_from_cover_throws_worse() -> None:
    wall = ground("wall", 600, 215, 1200, 220, height_ft=4)
    foe = unit("b", (900, 225 + inches(7.9)), type="light", formation="column")
    option = grenade(thrower(), foe, terrain=[wall])
    assert (needs(option), effects(option)["PR-413"]) == (10, 1)


@pytest.mark.rule("PR-426", "PR-936")
@pytest.mark.parametrize(("always", "number"), [(False, None), (True, 12)])
def test_a_throw_that_needs_more_than_12_hits_on_a_natural_12_where_that_is_agreed(
    always: bool, number: int | None
) -> None:
    foe = unit("b", (900, 225 + inches(15.9)))
    option = grenade(thrower(), foe, options={"natural_12_hits": always})
    assert (needs(option), option.legal) == (number, always)
