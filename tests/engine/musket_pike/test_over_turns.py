"""What one turn leaves to the next: bridges left, guns taken, halves that rejoin, charges, fatigue over battles."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused
from engine.records.game import Game
from engine.rulesets.musket_pike.campaign.losses import left_of, lost_in, mustered
from engine.rulesets.musket_pike.campaign.records import CarryOver, Fought
from engine.rulesets.musket_pike.vocabulary import state_of
from tests.engine.musket_pike.fighting import WON, fought
from tests.engine.musket_pike.scene import asked, attack, do, game, ground, unit

FAR = unit("b9", (20, 12))


def next_turn(of: Game, side: str, *dice: int) -> Game:
    """The turn of a side begins after that of the other."""
    other = "b" if side == "a" else "a"
    ended = do(of, "end-turn", side=other).game
    return do(ended, "begin-turn", *dice, side=side).game


@pytest.mark.rule("MP-76", "MP-243")
def test_pioneers_who_have_left_the_bridge_rest_again() -> None:
    bridge = ground("bridge", (5, 4), strength=100)
    of = game(unit("a", (4, 4), "pioneer", "column", repairing=True, fatigue=200), FAR, terrain=[bridge])
    away = do(of, "move", unit="a", path=["S", "S"]).game
    assert not state_of(away.unit("a")).repairing
    weary = next_turn(next_turn(away, "b"), "a")  # it has marched since its last turn
    rested = next_turn(next_turn(weary, "b"), "a", 99)
    assert state_of(rested.unit("a")).fatigue < 200


@pytest.mark.rule("MP-87", "MP-89")
def test_captured_guns_are_silent_until_their_captors_next_turn() -> None:
    gun, foe = unit("b1", (5, 4), "artillery"), unit("b2", (7, 4))
    of = game(unit("a", (4, 4), "infantry", "block", fired=True), unit("b", (5, 4), fired=True), gun, foe,
              parameters=WON)  # fmt: skip
    won = fought(of).game
    assert state_of(won.unit("b1")).captured_by == "a"
    theirs = do(do(won, "end-turn", side="a").game, "begin-turn", side="b", steps=[]).game
    with pytest.raises(ActionRefused, match="was captured this turn"):
        do(theirs, "fire", unit="b1", target="b2")
    own = do(do(theirs, "end-turn", side="b").game, "begin-turn", side="a", steps=[]).game
    assert not state_of(own.unit("b1")).taken_now


@pytest.mark.rule("MP-36", "MP-70")
def test_skirmishers_of_half_a_battalion_come_back_to_the_whole() -> None:
    of = game(unit("a", (4, 4), stats={"strength": 800, "attributes": ["can-deploy"]}), FAR)
    wide = do(of, "formation", unit="a", to="extended-line").game
    out = do(wide, "deploy-skirmishers", unit="a-x").game
    whole = do(next_turn(next_turn(out, "b"), "a"), "formation", unit="a", to="shortened-line").game
    assert [one.id for one in whole.units] == ["a", "b9", "a-x-sk"]
    back = do(whole, "move", unit="a-x-sk", path=["N"]).game
    assert do(back, "recall-skirmishers", unit="a-x-sk").game.unit("a").stats["strength"] == 800


@pytest.mark.rule("MP-295", "MP-36")
def test_the_skirmishers_of_half_a_battalion_are_no_loss_of_the_battle() -> None:
    of = game(unit("a", (4, 4), stats={"strength": 800, "attributes": ["can-deploy"]}), FAR)
    wide = do(of, "formation", unit="a", to="extended-line").game
    out = do(wide, "deploy-skirmishers", unit="a-x").game
    assert lost_in(mustered(of), out)[0] == {}


@pytest.mark.rule("MP-295")
def test_a_unit_that_has_rested_brings_no_fatigue_of_an_earlier_battle_to_the_next() -> None:
    scenario = game(unit("a", (4, 4)), FAR)
    history: list[Fought] = []
    for fatigue in (300, 0):
        began = left_of(scenario, history, CarryOver(fatigue=True))
        end = game(unit("a", (4, 4), fatigue=fatigue), FAR)
        losses, tired = lost_in(mustered(began), end)
        history.append(
            Fought(
                situation="s", a="x", b="y", battle="z", outcome="draw", played=True, losses=losses, fatigue=tired
            )
        )
    assert state_of(left_of(scenario, history, CarryOver(fatigue=True)).unit("a")).fatigue == 0


@pytest.mark.rule("MP-295", "MP-213")
def test_a_leader_lost_in_one_battle_is_followed_by_his_deputy_in_the_next() -> None:
    chief = unit("a-army", (1, 1), "leader", stats={"level": "army"})
    first = unit("a-l", (4, 4), "leader", stats={"commander": "a-army"})
    deputy = unit("a-2", (2, 2), "leader", stats={"commander": "a-l", "secondary": True})
    scenario = game(unit("a", (4, 5), stats={"commander": "a-l"}), deputy, first, chief, FAR)
    fought = Fought(
        situation="s", a="x", b="y", battle="z", outcome="draw", played=True, losses={"a-l": 1}, fatigue={}
    )
    began = left_of(scenario, [fought], CarryOver())
    assert [one.id for one in began.units] == ["a", "a-2", "a-army", "b9"]
    assert began.unit("a").stats["commander"] == "a-2"
    assert (began.unit("a-2").stats["commander"], began.unit("a-2").stats["secondary"]) == ("a-army", False)
    spared = left_of(scenario, [fought], CarryOver(losses=False))
    assert spared.unit("a-2").stats["secondary"] is True


@pytest.mark.rule("MP-36", "MP-148", "MP-124")
def test_what_half_a_line_or_battery_has_done_the_whole_has_done() -> None:
    half = unit("a", (4, 4), "infantry", "extended-line")
    other = unit("a-x", (4, 3), "infantry", "extended-line", stats={"parent": "a"}, moved=True, exerted=True)
    whole = do(game(half, other, FAR), "formation", unit="a", to="shortened-line").game
    assert (state_of(whole.unit("a")).moved, state_of(whole.unit("a")).exerted) == (True, True)
    guns = unit("a", (4, 4), "artillery"), unit("a-x", (4, 3), "artillery", stats={"parent": "a"}, turned_now=True)
    battery = do(game(*guns, unit("b", (6, 4))), "formation", unit="a", to="shortened-line").game
    with pytest.raises(ActionRefused, match="turned this turn"):
        do(battery, "fire", unit="a", target="b")


@pytest.mark.rule("MP-102", "MP-73", "MP-103")
def test_a_squadron_neither_leaves_nor_rejoins_a_charge_that_has_begun() -> None:
    horse = unit("a", (4, 4), "cavalry", charging=True)
    with pytest.raises(ActionRefused, match="has charged"):
        do(game(horse, FAR), "deploy-squadron", unit="a")
    squadron = unit("a-sq", (4, 4), "squadron", charging=True, stats={"strength": 100, "parent": "a"})
    with pytest.raises(ActionRefused, match="has charged"):
        do(game(unit("a", (4, 4), "cavalry"), squadron, FAR), "recall-squadron", unit="a-sq")


@pytest.mark.rule("MP-178", "MP-72")
def test_a_charge_that_goes_on_into_a_zone_of_control_rides_no_farther_but_may_attack() -> None:
    rider = unit("a", (4, 4), "cavalry", charging=True, can_continue=True, meleed=True, melees=1, disordered=True)
    of = game(rider, unit("b", (7, 3)))
    there = do(of, "charge", unit="a", path=["NE", "SE"]).game
    with pytest.raises(ActionRefused, match="zone of control"):
        do(there, "charge", unit="a", path=["NE"])
    assert asked(there).move.extra["charge_hexes"] == []
    assert attack(there).legal
    assert not state_of(next_turn(next_turn(there, "b"), "a", 6).unit("a")).halted


@pytest.mark.rule("MP-178", "MP-72")
def test_a_charge_that_wins_again_rides_on_from_a_zone_of_control() -> None:
    rider = unit("a", (6, 4), "cavalry", charging=True, can_continue=True, meleed=True, melees=1, halted=True,
                 fired=True)  # fmt: skip
    won = fought(game(rider, unit("b", (7, 3), fired=True), parameters={**WON, "charge_max_melees": 3}))
    assert state_of(won.game.unit("a")).can_continue
    assert not state_of(won.game.unit("a")).halted
