"""What ``ask`` says of the dice of a unit's other actions and what changes their number, before they are thrown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import Cause, dice_for, test_modifiers
from engine.rulesets.muskets_mohawks.table.broken_ground import on_road
from engine.rulesets.muskets_mohawks.table.facts import crew_of
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, formation_of, stats_of
from engine.rulesets.muskets_mohawks.wording import dice

__all__ = ["dice_of", "fast_modifiers", "hands"]

#: Those who are trained to serve a gun (R-36).
_TRAINED = ("crew", "leader")


def dice_of(game: Game, unit: Unit, action: str) -> dict[str, Any]:
    """``roll`` and ``modifiers`` of an action that asks for dice at once and counts passes; empty for another.

    ``roll`` is ``{count, die, success, rule}``, each modifier ``{name, effect, rule}``.
    """
    pool = _POOLS.get(action)
    return {} if pool is None else pool(game, unit)


def fast_modifiers(game: Game, unit: Unit) -> tuple[Modifier, ...]:
    """What adds to the two dice of a fast move, and takes from them (MM-49, MM-194)."""
    road = on_road(game, unit) and formation_of(unit) == "unformed"
    told = ((conditions_of(game).snow_slows, dice("in snow", -1, "MM-194")), (road, dice("on a road", 1, "MM-49")))
    return tuple(modifier for holds, modifier in told if holds)


def hands(unit: Unit) -> int:
    """The crew that a gun's reloading is rolled against: one less without a trained gunner (MM-123, R-36)."""
    crew = crew_of(unit)
    return len(crew) - (0 if any(figure.role in _TRAINED for figure in crew) else 1)


def _told(count: int, against: int, rule: str, modifiers: Sequence[Modifier] = ()) -> dict[str, Any]:
    return {
        "roll": {"count": count, "die": "d6", "success": f"<={against}", "rule": rule},
        "modifiers": [{"name": one.name, "effect": one.effect, "rule": one.rule} for one in modifiers],
    }


def _fast(game: Game, unit: Unit) -> dict[str, Any]:
    found = fast_modifiers(game, unit)
    count = 2 + sum(one.extra["value"] for one in found)
    return _told(count, stats_of(unit).rep, "MM-47", found)


def _reload(_game: Game, unit: Unit) -> dict[str, Any]:
    return _told(1, hands(unit), "MM-123") if unit.type == "gunners" else {}


def _rally(game: Game, unit: Unit) -> dict[str, Any]:
    found = test_modifiers(game, unit, Cause(), fired_at=False)
    rows = {one.rule for one in found}
    count = dice_for(covered="MM-60" in rows, half="MM-61" in rows, officer="MM-62" in rows)
    return _told(count, stats_of(unit).rep, "MM-59", found)


def _start_fire(_game: Game, unit: Unit) -> dict[str, Any]:
    return _told(2, stats_of(unit).rep, "MM-176")


_POOLS: Mapping[str, Callable[[Game, Unit], dict[str, Any]]] = {
    "fast-move": _fast, "reload": _reload, "rally": _rally, "form-line": _rally, "start-fire": _start_fire,
}  # fmt: skip
