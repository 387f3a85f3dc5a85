"""Builds small games for the tests: units in line, mob or open order, terrain, conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.records.answer import ChargeOption, FireOption
from engine.records.game import Game, game_from
from engine.rulesets.muskets_mohawks.options.charge_options import charge_option
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option

INCH = 25.4
ROUND = {"shape": "round", "diameter_mm": 25.0}

Json = dict[str, Any]
Spots = Sequence[tuple[float, float]]


def row(count: int, x: float, y: float, step: float = 50.0) -> list[tuple[float, float]]:
    """Spots in a row along x, its middle at (x, y)."""
    return [(x + (i - (count - 1) / 2) * step, y) for i in range(count)]


def block(counts: Sequence[int], x: float, y: float, back: float) -> list[tuple[float, float]]:
    """Ranks of touching bases, front rank first, each 25 mm behind the one before (``back``: +1 or -1 along y)."""
    return [spot for rank, count in enumerate(counts) for spot in row(count, x, y + back * 25.0 * rank, 25.0)]


def unit(
    name: str,
    side: str = "british",
    at: Spots = ((900.0, 300.0),),
    *,
    kind: str = "irregular",
    bearing: float | None = 0.0,
    base: Json | None = None,
    leader: bool = True,
    stats: Json | None = None,
    **keys: Any,
) -> Json:
    """A unit's entry: Rep 4 with muskets unless told; the first figure leads it. Other keys go to ``state``."""
    own = {key: keys.pop(key) for key in ("formation", "weapon") if key in keys}
    figures = [
        {"id": f"{name}-{n}", "x_mm": x, "y_mm": y, "bearing_deg": bearing, "base": base or ROUND,
         "role": "leader" if leader and n == 1 else "rank"}
        for n, (x, y) in enumerate(at, 1)
    ]  # fmt: skip
    return {
        "id": name, "side": side, "type": kind, "formation": "unformed", "weapon": "musket",
        "stats": {"rep": 4, **(stats or {})}, "state": keys, "figures": figures, **own,
    }  # fmt: skip


def gun(name: str, side: str = "british", at: tuple[float, float] = (900.0, 300.0), bearing: float = 0.0,
        crew: int = 5, **state: Any) -> Json:  # fmt: skip
    """A gun, 40 by 60 mm, its muzzle 30 mm ahead of ``at``, with its crew behind it."""
    entry = unit(
        name, side, row(crew, at[0], at[1] - 45.0), kind="gunners", bearing=bearing, weapon="cannon", **state
    )
    piece = {"shape": "rect", "width_mm": 40.0, "depth_mm": 60.0}
    entry["figures"].append(
        {"id": f"{name}-gun", "x_mm": at[0], "y_mm": at[1], "bearing_deg": bearing, "base": piece, "role": "gun"}
    )
    return entry


def box(name: str, kind: str, low: tuple[float, float], high: tuple[float, float], **keys: Any) -> Json:
    """Terrain: a rectangle between two corners."""
    (a, b), (c, d) = low, high
    return {"id": name, "kind": kind, "polygon_mm": [[a, b], [c, b], [c, d], [a, d]], **keys}


def game(
    *units: Json, terrain: Sequence[Json] = (), sigma: float = 0.0, options: Json | None = None, **conditions: Any
) -> Game:
    """A game of British from the south against French from the north on 72 in by 48 in."""
    if options:
        conditions["options"] = options
    return game_from(
        {
            "format": "vedette-game/1", "ruleset": "muskets-mohawks",
            "table": {"width_mm": 1828.8, "depth_mm": 1219.2}, "conditions": conditions,
            "turn": {"number": 3, "active_side": "british"},
            "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}],
            "units": list(units), "terrain": list(terrain), "measured": {"sigma_mm": sigma},
        },
        "the test's game",
    )  # fmt: skip


def fire(table: Game, mode: str = "at-will", shooter: str = "us", target: str = "them") -> FireOption:
    """One fire entry."""
    return fire_option(table, table.unit(shooter), table.unit(target), mode)


def charge(table: Game, charger: str = "us", target: str = "them", *, by_reaction: bool = False) -> ChargeOption:
    """One charge entry."""
    return charge_option(table, table.unit(charger), table.unit(target), by_reaction=by_reaction)


def effects(option: FireOption | ChargeOption) -> dict[str, str]:
    """The rows of an entry's modifiers and what they do."""
    return {modifier.rule: modifier.effect for modifier in option.modifiers}
