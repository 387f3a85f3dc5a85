"""What ``ask`` says of a melee: the dice of both sides, every row that changes them, and those rows alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.dice import SeededDice
from engine.play import play
from engine.records.action import action_from
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from tests.engine.muskets_mohawks.playing import Plain, game, unit, wood

HILL = wood("hill", 700, 200, 1100, 320, "hill", crest_mm=[[700, 210], [1100, 210]])
WALL = wood("wall", 700, 312, 1100, 314, "wall")


def locked(us: Mapping[str, Any], foe: Mapping[str, Any], terrain: Sequence[Plain] = ()) -> Plain:
    """Five of us against five of theirs, in the second round of a melee unless the state says otherwise."""
    sides = []
    for name, side, y, facing, other, keys in (
        ("us", "british", 300, 0, "foe", us), ("foe", "french", 327, 180, "us", foe),
    ):  # fmt: skip
        state = {"in_melee": [other], "melee_round": 1, **keys.get("state", {})}
        more = {key: value for key, value in keys.items() if key != "state"}
        sides.append(unit(name, side, at=(900, y), facing=facing, **{"number": 5, "state": state, **more}))
    return game(*sides, terrain=terrain)


def fight(scene: Plain, name: str = "us") -> Plain:
    (told,) = RULESET.ask(game_from(scene, "the scene"), [name]).units[0].extra["melee"]
    found: Plain = told
    return found


CASES: list[Any] = [
    ("no row", {}, {}, (), [], (4, 4)),
    ("MM-151", {"type": "indian"}, {}, (), [("MM-151", "unit", "+2d6")], (6, 4)),
    ("MM-152", {"formation": "formed-line"}, {}, (), [("MM-152", "unit", "+1d6")], (5, 4)),
    ("MM-152", {"formation": "mob"}, {}, (), [], (4, 4)),
    ("MM-153", {"type": "cavalry", "weapon": "sword", "state": {"mounted": True}}, {}, (),
     [("MM-153", "unit", "+1d6")], (5, 4)),
    ("MM-154", {}, {}, (HILL,), [("MM-154", "unit", "+1d6")], (5, 4)),
    ("MM-155", {"state": {"behind": "wall"}}, {}, (WALL,), [("MM-155", "unit", "+2d6")], (6, 4)),
    ("MM-156", {"number": 7}, {}, (), [("MM-156", "unit", "+2d6")], (6, 4)),
    ("MM-156", {}, {"number": 6}, (), [("MM-156", "enemy", "+1d6")], (4, 5)),
    ("MM-157", {"type": "cavalry", "weapon": "lance", "state": {"mounted": True, "melee_round": 0}}, {}, (),
     [("MM-153", "unit", "+1d6"), ("MM-157", "unit", "+1d6")], (6, 4)),
    ("MM-157", {"type": "cavalry", "weapon": "lance", "state": {"mounted": True}}, {}, (),
     [("MM-153", "unit", "+1d6")], (5, 4)),
    ("MM-158", {"state": {"following_up": True}}, {}, (), [("MM-158", "unit", "+1d6")], (5, 4)),
    ("MM-158", {}, {"state": {"following_up": True}}, (), [("MM-158", "enemy", "+1d6")], (4, 5)),
    ("MM-245", {"stats": {"special": ["cuirassier"]}}, {}, (), [("MM-245", "unit", "+1d6")], (5, 4)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("us", "foe", "terrain", "rows", "dice"),
    [
        pytest.param(*one[1:], id=f"{one[0]} {number}", marks=[pytest.mark.rule(one[0])] * (one[0] != "no row"))
        for number, one in enumerate(CASES)
    ],
)
def test_each_row_that_changes_the_dice_is_told_and_no_other(
    us: Plain, foe: Plain, terrain: Sequence[Plain], rows: list[tuple[str, str, str]], dice: tuple[int, int]
) -> None:
    scene = locked(us, foe, terrain)
    told = fight(scene)
    assert [(one["rule"], one["who"], one["effect"]) for one in told["modifiers"]] == rows
    assert (told["dice"], told["enemy_dice"]) == dice
    assert "figures" not in told
    mirrored = fight(scene, "foe")
    assert (mirrored["enemy_dice"], mirrored["dice"]) == dice
    ready = game_from(scene, "the scene")
    action = action_from({"action": "melee", "unit": "us", "enemy": "foe"})
    played = play(ready, RULESET.begin(ready, action), SeededDice(1))
    fought = next(one.facts for one in played.events if one.event == "melee")
    assert (fought["unit_dice"], fought["enemy_dice"]) == dice
    assert {(one.roll.die, one.roll.success, one.roll.rule) for one in played.rolls[:2]} == {
        (told["die"], told["success"], told["rule"])
    }


@pytest.mark.rule("MM-159", "MM-156")
def test_against_two_the_dice_are_shared_out_and_each_share_is_told() -> None:
    scene = locked({"number": 6}, {})
    scene["units"][0]["state"]["in_melee"] = ["foe", "more"]
    second = unit(
        "more", "french", number=2, at=(1000, 327), facing=180, state={"in_melee": ["us"], "melee_round": 1}
    )
    scene["units"].append(second)
    told = RULESET.ask(game_from(scene, "the scene"), ["us"]).units[0].extra["melee"]
    assert [(one["enemy"], one["dice"]) for one in told] == [("foe", 2), ("more", 3)]
    assert [one["figures"] for one in told] == [3, 3]
    assert [(one["rule"], one["who"]) for one in told[0]["modifiers"]] == [("MM-156", "enemy")]
    assert [(one["rule"], one["who"]) for one in told[1]["modifiers"]] == [("MM-156", "unit")]


def test_who_is_in_no_melee_is_told_nothing_of_one() -> None:
    scene = game(unit("us", "british"), unit("foe", "french", at=(900, 900), facing=180))
    assert "melee" not in RULESET.ask(game_from(scene, "the scene"), ["us"]).units[0].extra


@pytest.mark.rule("MM-254")
@pytest.mark.parametrize("who", ["charger", "target"])
def test_that_texian_scouts_test_one_rep_lower_is_told(who: str) -> None:
    scouts: Any = {"stats": {"special": ["texian-scout"]}}
    scene = game(
        unit("us", "british", **(scouts if who == "charger" else {})),
        unit("foe", "french", at=(900, 550), facing=180, **(scouts if who == "target" else {})),
    )
    (option,) = RULESET.ask(game_from(scene, "the scene"), ["us"]).units[0].charge
    assert option.roll is not None
    assert option.roll.extra[f"{who}_success"] == "<=3"
    (told,) = [one for one in option.modifiers if one.rule == "MM-254"]
    assert (told.extra["who"], told.effect) == (who, "Rep -1")
    assert (option.roll.charger, option.roll.target) == (2, 2)
