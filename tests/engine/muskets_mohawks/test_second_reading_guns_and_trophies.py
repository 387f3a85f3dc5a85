"""Rows read a second time: canister that stops in a wall, and who has won a melee."""

from __future__ import annotations

import pytest

from tests.engine.muskets_mohawks.playing import Plain, after, event, game, gun, names, resolve, unit, wood


@pytest.mark.rule("MM-175", "MM-63")
def test_canister_that_stops_in_masonry_frightens_nobody_inside() -> None:
    house = wood("house", 850, 500, 950, 600, kind="building", dv=3)
    squad = unit("t", "french", number=3, at=(900, 520), facing=180, state={"in_building": "house"})
    start = game(gun("g", "british", at=(900, 200)), squad, terrain=(house,))
    played = resolve(start, [], action="fire-canister", unit="g", building="house")
    assert names(played) == ["fired"]
    assert after(played, "g")["state"]["reload_markers"] == 2


def _victory(kind: str) -> Plain:
    """The first unit wins a later round: the enemy loses one figure and retires."""
    ours = unit("a", "british", type=kind, number=5, at=(900, 300), state={"in_melee": ["b"], "melee_round": 1})
    theirs = unit("b", "french", number=5, at=(900, 325), facing=180, state={"in_melee": ["a"], "melee_round": 1})
    dice = [1, *[6] * (5 if kind == "indian" else 3), 6, 6, 6, 6, 3, 3, 6, 6]
    return resolve(game(ours, theirs), dice, action="melee", unit="a", enemy="b")


@pytest.mark.rule("MM-67", "R-43")
@pytest.mark.parametrize("kind", ["indian", "regular"])
def test_who_beats_an_enemy_has_won_a_melee(kind: str) -> None:
    played = _victory(kind)
    assert event(played, "won-melee")["trophies_due"] is (kind == "indian")
    assert after(played, "a")["state"]["won_melee"] is True


@pytest.mark.rule("MM-67", "MM-82")
def test_indians_are_tested_for_trophies_after_their_first_victory_only() -> None:
    tested = resolve(_victory("indian")["game"], [4, 4], action="trophies", unit="a")
    assert event(tested, "reaction")["result"] == "no-trophies"
    assert after(tested, "a")["state"]["trophies_due"] is False
