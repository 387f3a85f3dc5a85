"""The dice of a unit's other actions, told before they are thrown: as many as are then asked for, and why."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dice import SeededDice
from engine.play import play
from engine.records.action import action_from
from engine.records.game import game_from
from engine.rulesets import find_ruleset
from tests.engine.muskets_mohawks.playing import Plain, game, gun, unit, wood

RULES = find_ruleset("muskets-mohawks")


def told(scene: Plain, action: str, name: str = "a") -> Plain:
    """The unit's entry for an action."""
    (one,) = RULES.ask(game_from(scene, "the scene"), [name]).units
    entry: Plain = next(entry for entry in one.extra["actions"] if entry["action"] == action)
    return entry


def asked(scene: Plain, action: str, **keys: Any) -> tuple[int, str | None]:
    """How many dice an action then asks for first, and what they are compared with."""
    ready = game_from(scene, "the scene")
    played = play(ready, RULES.begin(ready, action_from({"action": action, **keys})), SeededDice(1))
    return played.rolls[0].roll.count, played.rolls[0].roll.success


def changes(entry: Plain) -> dict[str, str]:
    return {one["rule"]: one["effect"] for one in entry["modifiers"]}


ROAD = wood("r", 0, 250, 1800, 350, kind="road")


@pytest.mark.rule("MM-47", "MM-49", "MM-194")
@pytest.mark.parametrize(
    ("terrain", "conditions", "count", "why"),
    [
        ([], {}, 2, {}),
        ([ROAD], {}, 3, {"MM-49": "+1d6"}),
        ([], {"snow": "ground"}, 1, {"MM-194": "-1d6"}),
        ([ROAD], {"snow": "snowing"}, 2, {"MM-49": "+1d6", "MM-194": "-1d6"}),
    ],
)
def test_a_fast_move_s_dice_are_told_before_it_is_tried(
    terrain: list[Plain], conditions: Plain, count: int, why: dict[str, str]
) -> None:
    scene = game(unit("a", "british", type="irregular", rep=5), terrain=terrain, **conditions)
    entry = told(scene, "fast-move")
    assert (entry["roll"]["count"], entry["roll"]["success"], changes(entry)) == (count, "<=5", why)
    assert asked(scene, "fast-move", unit="a") == (count, "<=5")


@pytest.mark.rule("MM-60", "MM-61", "MM-62", "MM-59")
@pytest.mark.parametrize(("action", "retiring"), [("rally", True), ("form-line", False)])
@pytest.mark.parametrize(
    ("start", "officer", "sheltered", "why"),
    [
        (10, False, False, {}),
        (20, False, False, {"MM-61": "-1d6"}),
        (20, True, False, {"MM-61": "-1d6", "MM-62": "+1d6"}),
        (10, True, True, {"MM-60": "+1d6", "MM-62": "+1d6"}),
    ],
)
def test_the_dice_of_a_rally_are_told_with_what_adds_to_them(
    action: str, *, retiring: bool, start: int, officer: bool, sheltered: bool, why: dict[str, str]
) -> None:
    one = unit("a", "british", rep=3, state={"start_strength": start, "retiring": retiring})
    one["figures"][0]["role"] = "officer" if officer else "rank"
    gully = [wood("g", 600, 200, 1200, 400, kind="gully")] if sheltered else []
    scene = game(one, unit("b", "french", at=(900, 1100), facing=180), terrain=gully)
    entry = told(scene, action)
    assert changes(entry) == why
    assert (entry["roll"]["count"], entry["roll"]["success"]) == asked(scene, action, unit="a")


@pytest.mark.rule("MM-123", "R-36")
def test_a_gun_s_reloading_tells_how_many_hands_there_are() -> None:
    scene = game(gun("a", "british", at=(900, 300), crew=4, state={"reload_markers": 2}))
    assert told(scene, "reload")["roll"] == {"count": 1, "die": "d6", "success": "<=4", "rule": "MM-123"}
    for figure in scene["units"][0]["figures"][1:]:
        figure["role"] = "rank"
    assert told(scene, "reload")["roll"]["success"] == "<=3"
    assert asked(scene, "reload", unit="a") == (1, "<=3")


@pytest.mark.parametrize(("action", "legal"), [("reload", True), ("fast-move", False)])
def test_what_is_refused_or_asks_for_no_dice_tells_none(action: str, *, legal: bool) -> None:
    entry = told(game(unit("a", "british", state={"reload_markers": 1})), action)
    assert (entry["legal"], "roll" in entry) == (legal, False)
