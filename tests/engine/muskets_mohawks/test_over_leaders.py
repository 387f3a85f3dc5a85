"""Leaders who fall, fight or are met in the middle of an activation, and guns that nobody serves."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records.game import game_from
from engine.rulesets.muskets_mohawks.answering import answer
from engine.rulesets.muskets_mohawks.command import command_of, order, overall_commander
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, names, resolve, unit


def chief(name: str, rank: str, at: tuple[float, float], rep: int = 5, **more: Any) -> Plain:
    """A higher Leader on his own; his Rep is said as a Leader's alone."""
    made = unit(name, "british", type="leader", number=1, leader=1, at=at, weapon="none", **more)
    made["stats"] = {"leader_rep": rep, "rank": rank, **more.get("stats", {})}
    return made


def may_activate(scene: Plain, leader: str) -> dict[str, bool]:
    ready = game_from(scene, "the scene")
    return {entry["unit"]: entry["legal"] for entry in command_of(ready, ready.unit(leader))}


@pytest.mark.rule("MM-30", "MM-31", "MM-43", "muskets-mohawks R-57")
def test_when_the_captain_falls_in_a_charge_that_he_ordered_the_lieutenant_commands_all() -> None:
    piece = gun("gun", "french", at=(900, 560))
    for one in piece["figures"]:
        one["bearing_deg"] = 180.0
        one["y_mm"] = 560.0 if one["role"] == "gun" else 600.0
    captain = chief("captain", "captain", (900, 280))
    lieutenant = chief("lieutenant", "lieutenant", (700, 200), 4, stats={"commands": []})
    scene = game(
        unit("right", "british", at=(900, 320)), unit("left", "british", at=(500, 200), number=4), captain,
        lieutenant, piece,
    )  # fmt: skip
    assert not may_activate(scene, "lieutenant")["left"]
    # the charge, the gun's answer; canister at two of the unit and at the Captain behind them, two Leader checks
    played = resolve(scene, [1, 1, 6, 6, 1, 6, *[1] * 3, *[1] * 4], action="charge", unit="right", target="gun")
    assert event(played, "destroyed")["unit"] == "captain"
    assert event(played, "contact")["unit"] == "right"
    now = played["game"]
    ready = game_from(now, "the scene")
    assert order(ready) == ["lieutenant", "left"]
    commander = overall_commander(ready, "british")
    assert commander is not None
    assert commander.id == "lieutenant"
    assert may_activate(now, "lieutenant") == {"right": False, "left": True, "captain": False}
    assert set(may_activate(now, "captain").values()) == {False}


@pytest.mark.rule("MM-33", "MM-69", "MM-142", "MM-160", "muskets-mohawks R-29")
@pytest.mark.parametrize(("dice", "result"), [([6, 6], "runaway"), ([1, 1], "carry-on")])
def test_a_leader_who_falls_to_the_fire_at_his_charge_is_not_tested_for_but_missed_in_the_melee(
    dice: list[int], result: str
) -> None:
    us = unit("us", "british", type="irregular", number=6, at=(900, 300))
    foe = unit("foe", "french", number=6, at=(900, 520), facing=180)
    charge = resolve(game(us, foe), [1, 1, 6, 1, 6, 1, *[6] * 5], action="charge", unit="us", target="foe")
    assert event(charge, "hit")["leader_lost"] is True
    assert "reaction" not in names(charge)
    # six dice against four and one for a figure more; the enemy's Leader alone is checked for
    fought = resolve(
        charge["game"], [6] * 6 + [6] * 5 + [1, 1] + dice + [1, 1], action="melee", unit="us", enemy="foe"
    )
    assert [one["unit"] for one in fought["events"] if one["event"] == "leader-check"] == ["foe"]
    tested = event(fought, "reaction", unit="us")
    assert (tested["tests"], tested["result"]) == (["received-casualty"], result)


@pytest.mark.rule("MM-139", "MM-150")
def test_a_leader_on_his_own_fights_and_is_charged_with_his_own_rep() -> None:
    captain = chief("captain", "captain", (900, 300), state={"in_melee": ["foe"], "melee_round": 1})
    foe = unit(
        "foe", "french", number=1, at=(900, 325), facing=180, state={"in_melee": ["captain"], "melee_round": 1}
    )
    played = resolve(game(captain, foe), [6] * 9, action="melee", unit="captain", enemy="foe")
    assert (event(played, "melee")["unit_dice"], event(played, "melee")["enemy_dice"]) == (5, 4)
    alone = chief("captain", "captain", (900, 300))
    charger = unit("foe", "french", number=1, at=(900, 520), facing=180)
    charge = resolve(
        game(alone, charger, active="french"), [5, 6, 5, 5], action="charge", unit="foe", target="captain"
    )
    assert event(charge, "charge")["target_passed"] == 2


def joined(*leaders: Plain, **state: Any) -> Plain:
    """A unit without a Leader of its own that met the Captain when it retired, and has rallied since."""
    tester = unit("t", "british", number=5, at=(900, 600), leader=None, state={"led_by": "captain", **state})
    return game(tester, unit("foe", "french", at=(900, 1000), facing=180), *leaders)


def shot_at(scene: Plain, dice: list[int]) -> Plain:
    tests = ["received-fire", "received-casualty"]
    return resolve(scene, dice, action="reaction", unit="t", tests=tests, cause="foe")


@pytest.mark.rule("MM-56", "MM-76", "muskets-mohawks R-29")
def test_the_leader_whom_a_retreat_met_leads_after_the_rally_as_long_as_he_stays() -> None:
    tester = unit("t", "british", number=5, at=(900, 600), leader=None)
    foe = unit("foe", "french", at=(900, 1000), facing=180)
    scene = game(tester, foe, chief("captain", "captain", (900, 500)))
    fled = resolve(scene, [6, 6], action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert after(fled, "t")["state"]["led_by"] == "captain"
    rallied = resolve(fled["game"], [1, 1, 6], action="rally", unit="t", formation="unformed")
    assert after(rallied, "t")["state"]["retiring"] is False
    held = shot_at(rallied["game"], [6, 6, 6])
    assert event(held, "reaction")["result"] == "retire"
    gone = resolve(rallied["game"], action="march", unit="captain", to=[900, 400])
    assert event(shot_at(gone["game"], [6, 6]), "reaction")["result"] == "runaway"


@pytest.mark.rule("MM-33", "muskets-mohawks R-47")
def test_of_two_leaders_with_a_unit_the_one_that_it_met_is_rolled_against() -> None:
    major = chief("major", "major", (850, 575), 3)
    captain = chief("captain", "captain", (900, 575), 5)
    played = shot_at(joined(major, captain), [1, 6, 6, 5])
    assert event(played, "reaction")["leader_passed"] == 1


@pytest.mark.rule("MM-76", "muskets-mohawks R-29")
def test_a_leader_who_merely_stands_beside_a_unit_is_not_its_own() -> None:
    beside = joined(chief("captain", "captain", (900, 575)), led_by=None)
    assert event(shot_at(beside, [6, 6, 6]), "reaction")["result"] == "runaway"


def why_no_shot(piece: Plain) -> str:
    foe = unit("foe", "french", at=(900, 1000), facing=180)
    return "; ".join(answer(game_from(game(piece, foe), "the scene"), ["gun"]).units[0].fire[0].why_not)


@pytest.mark.rule("MM-94", "muskets-mohawks R-35")
def test_ask_says_how_far_a_crew_is_from_the_gun_that_it_left_and_when_it_serves_it_again() -> None:
    piece = gun("gun", "british", at=(900, 600), state={"left_gun": True})
    for one in piece["figures"][1:]:
        one["y_mm"] = 600 - 25 - 12.5 - 10 * INCH  # from the trail of the gun to the rims of the bases
    said = why_no_shot(piece)
    assert "serves it again within 2 in" in said
    assert "is 10 in (254 mm) off" in said


@pytest.mark.rule("MM-118", "muskets-mohawks R-35")
def test_ask_says_that_nobody_takes_over_a_gun_whose_crew_fell() -> None:
    piece = gun("gun", "british", at=(900, 600))
    piece["figures"] = piece["figures"][:1]
    assert "no action that gives it another" in why_no_shot(piece)
