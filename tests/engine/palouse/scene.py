"""Builds small games on squares for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import TypedDice
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.answer import UnitAnswer
from engine.records.game import Game, game_from
from engine.rulesets.palouse import RULESET

Json = dict[str, Any]


def unit(name: str, square: Sequence[int], kind: str = "infantry", *, veteran: bool = False, **state: Any) -> Json:
    """A unit's entry; names that begin with ``f`` are French, the others British. Other keys go to ``state``."""
    return {
        "id": name, "side": "french" if name.startswith("f") else "british", "type": kind, "formation": "none",
        "weapon": "cannon" if kind == "artillery" else "musket", "square": list(square),
        "stats": {"veteran": True} if veteran else {}, "state": state,
    }  # fmt: skip


def ground(kind: str, *squares: Sequence[int]) -> Json:
    """Terrain on squares."""
    return {"id": f"{kind}-{squares[0]}", "kind": kind, "squares": [list(square) for square in squares]}


def edge(kind: str, column: int, row: int, name: str) -> Json:
    """Terrain on the edge of a square."""
    return {"id": f"{kind}-{column}-{row}-{name}", "kind": kind, "edges": [[column, row, name]]}


def game(
    *units: Json,
    terrain: Sequence[Json] = (),
    options: Mapping[str, Any] | None = None,
    active: str | None = "british",
    sides: Mapping[str, Json] | None = None,
    **conditions: Any,
) -> Game:
    """A game of 12 by 8 squares, the British to move."""
    keys = {"british": {}, "french": {}} | dict(sides or {})
    built = game_from(
        {
            "format": "vedette-game/1", "ruleset": "palouse",
            "table": {"width_mm": 1828.8, "depth_mm": 1219.2,
                      "grid": {"kind": "square", "size_mm": 152.4, "columns": 12, "rows": 8, "origin_mm": [0, 0]}},
            "conditions": {**conditions, "options": dict(options or {})},
            "turn": {"number": 2, "active_side": active},
            "sides": [{"name": "british", "edge": "south", **keys["british"]},
                      {"name": "french", "edge": "north", **keys["french"]}],
            "units": list(units), "terrain": list(terrain),
        },
        "the test's game",
    )  # fmt: skip
    RULESET.check(built)
    return built


def asked(of: Game, name: str = "b") -> UnitAnswer:
    """What a unit can do."""
    return RULESET.ask(of, [name]).units[0]


def do(of: Game, action: str, *dice: int, **keys: Any) -> Played:
    """An action played with these dice."""
    return play(of, RULESET.begin(of, action_from({"action": action, **keys})), TypedDice(dice))
