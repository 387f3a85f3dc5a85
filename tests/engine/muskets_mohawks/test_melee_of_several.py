"""One unit in melee with several: its dice and figures are divided, whoever acts, and shown and foretold so."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb
from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from engine.records.action import action_from
from engine.records.game import Game, game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.chances import foretold
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, names, resolve, unit


def melee(active: str = "french", rounds: tuple[int, int, int] = (1, 1, 1), **more: Any) -> Plain:
    """Ten British between six Irregulars on either side of their front."""
    ours, left, right = rounds
    us = unit("us", "british", at=(900, 500), state={"in_melee": ["left", "right"], "melee_round": ours})
    foes = [
        unit(name, "french", type="irregular", number=6, at=(x, 525), facing=180,
             state={"in_melee": ["us"], "melee_round": fought, **more.get(name, {})})
        for name, x, fought in (("left", 750, left), ("right", 1050, right))
    ]  # fmt: skip
    return game(us, *foes, active=active)


def ready(scene: Plain) -> Game:
    return game_from(scene, "the scene")


def told(scene: Plain, name: str) -> list[tuple[str, int, int]]:
    fights = RULESET.ask(ready(scene), [name]).units[0].extra["melee"]
    return [(one["enemy"], one["dice"], one["enemy_dice"]) for one in fights]


def foretold_casualties(scene: Game, keys: Plain) -> list[float]:
    """The chances that the enemy loses nobody, one, two …, as players read them."""
    found = foretold(scene, action_from(keys))
    assert found is not None
    return [one.chance for one in found.outcomes]


def exactly(fought: Plain) -> list[float]:
    """The same by the dice that a round was fought with, half of which succeed, in the order of the casualties."""
    ours, theirs = fought["unit_dice"], fought["enemy_dice"]
    lost = Counter[int]()
    for mine, his in product(range(ours + 1), range(theirs + 1)):
        lost[max(0, mine - his)] += comb(ours, mine) * comb(theirs, his)
    return [lost[number] / 2 ** (ours + theirs) for number in sorted(lost)]


@pytest.mark.rule("MM-159")
@pytest.mark.parametrize(("acts", "enemy", "dice"), [("left", "us", (7, 2)), ("us", "left", (2, 7))])
def test_a_unit_has_its_share_alone_against_one_of_two_whoever_is_named_first(
    acts: str, enemy: str, dice: tuple[int, int]
) -> None:
    played = resolve(melee(), [6] * 9, action="melee", unit=acts, enemy=enemy)
    fought = event(played, "melee")
    assert (fought["unit_dice"], fought["enemy_dice"]) == dice
    assert names(played) == ["melee", "round-fought"]  # the other enemy fights in his own activation


@pytest.mark.rule("MM-159", "MM-156")
def test_what_the_three_are_told_of_their_fights_is_the_same() -> None:
    scene = melee()
    assert told(scene, "us") == [("left", 2, 7), ("right", 2, 7)]
    assert told(scene, "left") == told(scene, "right") == [("us", 7, 2)]
    (fight,) = RULESET.ask(ready(scene), ["left"]).units[0].extra["melee"]
    assert fight["enemy_figures"] == 5
    assert "figures" not in fight
    assert [(one["rule"], one["who"]) for one in fight["modifiers"]] == [("MM-151", "unit"), ("MM-156", "unit")]


@pytest.mark.rule("MM-159", "MM-149")
def test_who_joins_a_melee_meets_but_a_share_of_the_unit() -> None:
    scene = melee(rounds=(2, 2, 0), left={"activated": True})
    # Of four dice and five men each; one falls of each on contact, and the five left outnumber the four by one.
    played = resolve(scene, [6] * 9 + [1] * 8, action="melee", unit="right", enemy="us")
    fought = event(played, "melee")
    assert (fought["unit_dice"], fought["enemy_dice"]) == (7, 2)
    assert (fought["unit_casualties"], fought["enemy_casualties"]) == (1, 1)


@pytest.mark.rule("MM-159", "MM-162")
def test_who_has_had_his_round_is_named_for_his_share_and_does_not_fight_again() -> None:
    scene = melee(rounds=(2, 2, 0), left={"activated": True})
    shares = [{"id": "left", "dice": 1, "figures": 2}, {"id": "right", "dice": 3, "figures": 8}]
    played = resolve(scene, [6] * 11 + [1] * 8, action="melee", unit="us", enemies=shares)
    assert event(played, "melee")["enemy"] == "right"
    assert event(played, "melee")["unit_dice"] == 3 + 2
    assert after(played, "left")["state"]["melee_round"] == 2


@pytest.mark.rule("MM-159")
def test_the_player_of_the_enemy_may_share_him_out_otherwise() -> None:
    shares = [{"id": "left", "dice": 3, "figures": 8}, {"id": "right", "dice": 1, "figures": 2}]
    keys = {"action": "melee", "unit": "left", "enemy": "us", "enemy_shares": shares}
    played = resolve(melee(), [6] * 11, **keys)
    fought = event(played, "melee")
    assert (fought["unit_dice"], fought["enemy_dice"]) == (6, 5)
    assert foretold_casualties(ready(melee()), keys) == pytest.approx(exactly(fought), abs=1e-6)


REFUSED: list[tuple[Plain, str]] = [
    ({"enemies": [{"id": "left", "dice": 4, "figures": 10}]}, "us fights right as well"),
    ({"enemy": "left", "enemy_shares": [{"id": name, "dice": 3, "figures": 3} for name in ("us", "right")]},
     "left does not fight right"),
    ({"enemy": "left", "enemy_shares": [{"id": "us", "dice": 9, "figures": 6}]}, "more than the 6 dice of left"),
]  # fmt: skip


@pytest.mark.rule("MM-159")
@pytest.mark.parametrize(("keys", "why"), REFUSED)
def test_shares_name_all_whom_the_unit_fights_and_no_other(keys: Plain, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        resolve(melee("british"), action="melee", unit="us", **keys)


def test_the_enemy_s_shares_stand_beside_a_single_enemy() -> None:
    one = [{"id": "us", "dice": 4, "figures": 10}]
    both = [{"id": name, "dice": 2, "figures": 5} for name in ("left", "right")]
    for keys, why in (
        ({"enemies": both, "enemy_shares": one}, "expected with enemy"),
        ({"enemy": "left", "enemy_shares": one * 2}, "each enemy once"),
    ):
        with pytest.raises(UnknownAction, match=why):
            resolve(melee(), action="melee", unit="us", **keys)


@pytest.mark.rule("MM-159")
@pytest.mark.parametrize(("acts", "enemy"), [("left", "us"), ("us", "left")])
def test_the_chances_of_a_round_are_those_of_the_divided_dice(acts: str, enemy: str) -> None:
    keys = {"action": "melee", "unit": acts, "enemy": enemy}
    fought = event(resolve(melee(), [6] * 9, **keys), "melee")
    assert foretold_casualties(ready(melee()), keys) == pytest.approx(exactly(fought), abs=1e-6)


@pytest.mark.rule("MM-159", "MM-162")
def test_who_fights_one_of_two_in_its_activation_fights_the_other_too_but_neither_twice() -> None:
    scene = melee("british", evening={"play": "solo", "stage": "battle", "markers": True})
    first = resolve(scene, [4] * 7 + [4] * 2, action="melee", unit="us", enemy="left")["game"]
    with pytest.raises(ActionRefused, match="fought their round"):
        resolve(first, action="melee", unit="us", enemy="left")
    with pytest.raises(ActionRefused, match="already activated"):
        resolve(first, action="break-off", unit="us", enemy="right")
    both = resolve(first, [4] * 9, action="melee", unit="us", enemy="right")["game"]
    for enemy in ("left", "right"):
        with pytest.raises(ActionRefused, match="fought their round"):
            resolve(both, action="melee", unit="us", enemy=enemy)
    assert after({"game": both}, "left")["state"]["melee_round"] == 2
    assert after({"game": both}, "right")["state"]["melee_round"] == 2
    fresh = resolve(both, [1, 1], action="new-turn")["game"]
    resolve(fresh, [4] * 9, action="melee", unit="us", enemy="left")
