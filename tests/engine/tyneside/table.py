"""Builds small games of single figures for the tests of what happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import TypedDice
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.game import Game, Unit, game_from
from engine.rulesets.tyneside import RULESET
from engine.rulesets.tyneside.vocabulary import State, state_of

Json = dict[str, Any]

ROUND = {"shape": "round", "diameter_mm": 25.0}


def group(
    name: str,
    *spots: Sequence[float],
    kind: str = "irregular",
    weapon: str = "musket",
    formation: str = "group",
    roles: Sequence[str] = (),
    figure: Json | None = None,
    stats: Json | None = None,
    **state: Any,
) -> Json:
    """A unit with a figure at each spot in mm; names that begin with ``f`` are French, the others British.

    ``roles`` are those of its first figures, ``figure`` further keys of all; other keys go to ``state``.
    """
    french = name.startswith("f")
    figures = [
        {"id": f"{name}-{n}", "x_mm": x, "y_mm": y, "bearing_deg": 180.0 if french else 0.0, "base": ROUND,
         "role": roles[n - 1] if n <= len(roles) else "private", **(figure or {})}
        for n, (x, y) in enumerate(spots, 1)
    ]  # fmt: skip
    return {
        "id": name, "side": "french" if french else "british", "type": kind, "formation": formation,
        "weapon": weapon, "stats": stats or {}, "state": state, "figures": figures,
    }  # fmt: skip


def leader(name: str, spot: Sequence[float], klass: str = "veteran", weapon: str = "sword", **more: Any) -> Json:
    """A player character."""
    return group(name, spot, kind="leader", weapon=weapon, roles=["officer"], stats={"class": klass}, **more)


def row(count: int, x: float = 600.0, y: float = 400.0, step: float = 40.0) -> list[tuple[float, float]]:
    """Spots side by side, to the right of the first."""
    return [(x + step * number, y) for number in range(count)]


def piece(kind: str, left: float, near: float, right: float, far: float, **keys: Any) -> Json:
    """A rectangle of terrain."""
    corners = [[left, near], [right, near], [right, far], [left, far]]
    return {"id": kind, "kind": kind, "polygon_mm": corners, **keys}


def game(
    *units: Json,
    terrain: Sequence[Json] = (),
    options: Mapping[str, Any] | None = None,
    active: str | None = "british",
    number: int = 2,
    **conditions: Any,
) -> Game:
    """A game on a table of six by four feet."""
    built = game_from(
        {
            "format": "vedette-game/1", "ruleset": "tyneside",
            "table": {"width_mm": 1828.8, "depth_mm": 1219.2},
            "conditions": {**conditions, "options": dict(options or {})},
            "turn": {"number": number, "active_side": active},
            "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}],
            "units": list(units), "terrain": list(terrain),
        },
        "the test's game",
    )  # fmt: skip
    RULESET.check(built)
    return built


def do(of: Game, action: str, *dice: int, **keys: Any) -> Played:
    """An action played with these dice."""
    return play(of, RULESET.begin(of, action_from({"action": action, **keys})), TypedDice(dice))


def said(played: Played, name: str) -> list[Json]:
    """The facts of the events of a name."""
    return [dict(event.facts) for event in played.events if event.event == name]


def state(of: Game | Played, name: str) -> State:
    """A unit's state."""
    return state_of(unit(of, name))


def unit(of: Game | Played, name: str) -> Unit:
    """A unit of a game, or of the game after an action."""
    return (of.game if isinstance(of, Played) else of).unit(name)


def spots(of: Game | Played, name: str) -> list[tuple[float, float]]:
    """Where a unit's figures stand, to a tenth of a millimetre."""
    return [(round(one.x_mm, 1), round(one.y_mm, 1)) for one in unit(of, name).figures]
