"""Builds small tables of single figures for the tests of ``ask``; lengths in millimetres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.records.answer import ChargeOption, FireOption, MoveOption, UnitAnswer
from engine.records.game import Game, game_from
from engine.rulesets.tyneside import RULESET

Json = dict[str, Any]
Spot = tuple[float, float]

#: A figure's base: so far from the centre its outline is.
HALF = 12.5


def figure(name: str, x: float, y: float, bearing: float | None = 0.0, **more: Any) -> Json:
    """A figure on a round base of 25 mm."""
    return {"id": name, "x_mm": x, "y_mm": y, "bearing_deg": bearing,
            "base": {"shape": "round", "diameter_mm": 2 * HALF}, **more}  # fmt: skip


def unit(name: str, *spots: Spot | Json, **keys: Any) -> Json:
    """A unit's entry: ``a…`` are British and face north, others French and face south.

    Keys are those of the game file (``type``, ``weapon``, ``stats`` …); any other goes to ``state``.
    """
    british = name.startswith("a")
    figures = [
        one if isinstance(one, dict) else figure(f"{name}-{number}", *one, 0.0 if british else 180.0)
        for number, one in enumerate(spots, start=1)
    ]
    entry: Json = {"id": name, "side": "british" if british else "french", "type": "irregular",
                   "formation": "group", "weapon": "musket", "stats": {}, "state": {},
                   "figures": figures}  # fmt: skip
    for key, value in keys.items():
        (entry if key in entry else entry["state"])[key] = value
    return entry


def row(count: int, x: float, y: float, step: float = 50.0) -> list[Spot]:
    """So many places side by side, the first at (x, y)."""
    return [(x + number * step, y) for number in range(count)]


def ground(kind: str, left: float, near: float, right: float, far: float, **keys: Any) -> Json:
    """A rectangle of terrain."""
    return {"id": keys.pop("id", kind), "kind": kind,
            "polygon_mm": [[left, near], [right, near], [right, far], [left, far]], **keys}  # fmt: skip


def game(
    *units: Json,
    terrain: Sequence[Json] = (),
    options: Mapping[str, Any] | None = None,
    sigma_mm: float = 0.0,
    bearing_sigma_deg: float = 0.0,
    active: str | None = "british",
    **conditions: Any,
) -> Game:
    """A game on a table of 180 by 120 cm, the British to move."""
    built = game_from(
        {
            "format": "vedette-game/1", "ruleset": "tyneside",
            "table": {"width_mm": 1800.0, "depth_mm": 1200.0},
            "conditions": {**conditions, "options": dict(options or {})},
            "turn": {"number": 2, "active_side": active},
            "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}],
            "units": list(units), "terrain": list(terrain),
            "measured": {"sigma_mm": sigma_mm, "bearing_sigma_deg": bearing_sigma_deg},
        },
        "the test's game",
    )  # fmt: skip
    RULESET.check(built)
    return built


def asked(of: Game, name: str = "a") -> UnitAnswer:
    """What a unit can do."""
    return RULESET.ask(of, [name]).units[0]


def shot(*units: Json, at: str = "b", weapon: str | None = None, by: str = "a", **more: Any) -> FireOption:
    """A unit's fire at a target."""
    entries = asked(game(*units, **more), by).fire
    return next(one for one in entries if one.target == at and weapon in (None, one.extra["weapon"]))


def charge(*units: Json, at: str = "b", **more: Any) -> ChargeOption:
    """The charge of ``a`` at a target."""
    return next(one for one in asked(game(*units, **more)).charge if one.target == at)


def moves(*units: Json, **more: Any) -> MoveOption:
    """The move of ``a``."""
    found = asked(game(*units, **more)).move
    assert found is not None
    return found


def risk(*units: Json, of: str = "a", **more: Any) -> Json:
    """The risk that a unit is under."""
    found: Json = asked(game(*units, **more), of).extra["risk"]
    return found


def terms(found: Json) -> dict[str, int]:
    """The terms of a risk factor, by row."""
    return {factor["rule"]: factor["value"] for factor in found["factors"]}


def apart(distance: float, x: float = 600.0, y: float = 150.0) -> tuple[Spot, Spot]:
    """Two places whose round bases are so far from each other, the second to the north."""
    return (x, y), (x, y + distance + 2 * HALF)
