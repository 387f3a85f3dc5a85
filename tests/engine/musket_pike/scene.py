"""Builds small battles on hexes for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from engine.dice import TypedDice
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.answer import ChargeOption, FireOption, UnitAnswer
from engine.records.game import Game, Unit, game_from
from engine.rulesets.musket_pike import RULESET
from engine.rulesets.musket_pike.vocabulary import FORMATIONS

Json = dict[str, Any]

_ARMS = {
    "artillery": "6-pounder",
    "ship": "naval-gun",
    "leader": "none",
    "supply-wagon": "none",
    "cavalry": "sword",
}


def case(
    expected: Any, rows: str | tuple[str, ...], name: str, made: Json | None = None, **more: Any
) -> ParameterSet:
    """A line of a table: what is expected, its rows, its name, the unit that it is about, and conditions."""
    marks = pytest.mark.rule(*([rows] if isinstance(rows, str) else rows))
    return pytest.param(expected, made or {}, more, marks=marks, id=name)


def unit(
    name: str,
    hex: Sequence[int],
    kind: str = "infantry",
    formation: str | None = None,
    *,
    weapon: str | None = None,
    stats: Mapping[str, Any] | None = None,
    **state: Any,
) -> Json:
    """A unit's entry: names that begin with ``b`` are of side b and face left, the others of side a and face right.

    A battalion has 400 men, a battery 6 guns. Other keys go to ``state``.
    """
    side = "b" if name.startswith("b") else "a"
    strength = 6 if kind in ("artillery", "ship") else 400
    if formation is None:
        formation = "unlimbered" if kind == "artillery" else FORMATIONS[kind][0]
    return {
        "id": name, "side": side, "type": kind, "formation": formation, "hex": list(hex),
        "weapon": weapon or _ARMS.get(kind, "musket"), "stats": {"strength": strength, **(stats or {})},
        "state": {"facing": "L" if side == "b" else "R", **state},
    }  # fmt: skip


def ground(kind: str, *hexes: Sequence[int], **keys: Any) -> Json:
    """Terrain on hexes."""
    return {"id": f"{kind}-{hexes[0]}", "kind": kind, "hexes": [list(hex) for hex in hexes], **keys}


def hexside(kind: str, column: int, row: int, direction: str) -> Json:
    """Terrain on a side of a hex."""
    return {"id": f"{kind}-{column}-{row}-{direction}", "kind": kind, "hexsides": [[column, row, direction]]}


def road(kind: str, *path: Sequence[int]) -> Json:
    """A road through hexes."""
    return {"id": f"{kind}-{path[0]}", "kind": kind, "path": [list(hex) for hex in path]}


def game(
    *units: Json,
    terrain: Sequence[Json] = (),
    options: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    active: str | None = "a",
    turn: int = 3,
    sides: Mapping[str, Json] | None = None,
    **conditions: Any,
) -> Game:
    """A battle on 24 by 18 hexes, side a to move in turn 3."""
    keys = {"a": {}, "b": {}} | dict(sides or {})
    built = game_from(
        {
            "format": "vedette-game/1", "ruleset": "musket-pike",
            "table": {"width_mm": 2200.0, "depth_mm": 1900.0,
                      "grid": {"kind": "hex", "size_mm": 100.0, "columns": 24, "rows": 18, "origin_mm": [0, 0]}},
            "conditions": {**conditions, "options": dict(options or {}), "parameters": dict(parameters or {})},
            "turn": {"number": turn, "active_side": active},
            "sides": [{"name": "a", "edge": "west", **keys["a"]}, {"name": "b", "edge": "east", **keys["b"]}],
            "units": list(units), "terrain": list(terrain),
        },
        "the test's game",
    )  # fmt: skip
    RULESET.check(built)
    return built


def asked(of: Game, name: str = "a") -> UnitAnswer:
    """What a unit can do."""
    return RULESET.ask(of, [name]).units[0]


def shot(of: Game, name: str = "a", target: str = "b", mode: str = "direct") -> FireOption:
    """A unit's fire at a target."""
    return next(one for one in asked(of, name).fire if one.target == target and one.mode == mode)


def attack(of: Game, name: str = "a", target: str = "b") -> ChargeOption:
    """A unit's melee against the hex of a target."""
    return next(one for one in asked(of, name).charge if one.target == target)


def do(of: Game, action: str, *dice: int, **keys: Any) -> Played:
    """An action played with these dice; ``with_`` is the key ``with``."""
    raw = {"action": action, **{key.rstrip("_"): value for key, value in keys.items()}}
    return play(of, RULESET.begin(of, action_from(raw)), TypedDice(dice))


def told(played: Played, event: str, unit: str | None = None) -> list[Mapping[str, Any]]:
    """The facts of the events of a name, in order, of one unit where it is given."""
    found = [one.facts for one in played.events if one.event == event]
    return [facts for facts in found if unit is None or facts.get("unit") == unit]


def after(played: Played, name: str = "b") -> Unit:
    """A unit as an action leaves it."""
    return played.game.unit(name)
