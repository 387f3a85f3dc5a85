"""The changes that the procedures of this ruleset make, in few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.events import Change, SetCondition, SetState, SetUnit
from engine.geometry.moving.moves import gap_between
from engine.geometry.plane.tolerance import at_most
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.options.fire_reasons import AT_GUN_MM
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, gun_of, state_of

__all__ = ["fired_on", "formed", "gun_regained", "left_alone", "loosed", "noted", "parted", "state", "state_where"]


def state(unit: str, **values: Any) -> tuple[SetState, ...]:
    """The unit's state gets these values, each written even where it is the default."""
    return tuple(SetState(unit=unit, key=key, value=value) for key, value in values.items())


def state_where(unit: Unit, **values: Any) -> tuple[SetState, ...]:
    """Like `state`, but only those that differ from what the unit has: for side effects of another action."""
    now = state_of(unit)
    changed = {
        key: value
        for key, value in values.items()
        if getattr(now, key) != (tuple(value) if isinstance(value, list) else value)
    }
    return state(unit.id, **changed)


def noted(game: Game, **values: Any) -> tuple[SetCondition, ...]:
    """How far the evening has come, where the players have said how they play (``conditions.evening``)."""
    evening = game.conditions.get("evening", {})
    if not evening.get("play"):
        return ()
    return (SetCondition(key="evening", value={**evening, **values}),)


def fired_on(game: Game, shooter: Unit, targets: Iterable[Unit]) -> tuple[SetState, ...]:
    """Enemies whose side has had enough keep in mind who fired at them: they may return it (MM-166)."""
    return tuple(
        change
        for unit in targets
        if unit.side != shooter.side and state_of(unit).had_enough
        for change in state(unit.id, fired_on_by={**state_of(unit).fired_on_by, shooter.id: game.turn.number})
    )


def formed(unit: str, formation: str) -> tuple[SetUnit, ...]:
    """The unit takes a formation."""
    return (SetUnit(unit=unit, key="formation", value=formation),)


def gun_regained(unit: Unit) -> tuple[SetState, ...]:
    """A crew that stands within 2 in of the gun that it left serves it again (R-35)."""
    gun = gun_of(unit)
    if gun is None or not state_of(unit).left_gun:
        return ()
    gap = gap_between(figures_of(unit), [gun])
    near = gap is not None and at_most(gap.distance_mm, AT_GUN_MM)
    return state(unit.id, left_gun=False) if near else ()


def loosed(game: Game, unit: Unit) -> tuple[Change, ...]:
    """Continuous fire by and at the unit ends (MM-110)."""
    firing = [other for other in game.units if other.id != unit.id and state_of(other).firing_at == unit.id]
    return (
        *state(unit.id, firing_at=None),
        *(change for other in firing for change in state(other.id, firing_at=None)),
    )


def parted(game: Game, unit: Unit, opponents: Iterable[str] | None = None) -> tuple[Change, ...]:
    """The unit loses contact with its opponents (all, or those named); who fights no one is unformed (MM-164)."""
    fought = [name for name in state_of(unit).in_melee if name in game.by_id]
    left = set(fought if opponents is None else opponents)
    if not left & set(fought):
        return ()
    changes: list[Change] = [*_fights_on(unit, [name for name in fought if name not in left])]
    for name in fought:
        if name in left:
            other = game.unit(name)
            changes += _fights_on(other, [one for one in state_of(other).in_melee if one != unit.id])
    return tuple(changes)


def left_alone(game: Game, unit: Unit) -> tuple[Change, ...]:
    """Opponents of whom nobody is there any more, taken off by hand perhaps, hold the unit no longer."""
    fought = state_of(unit).in_melee
    there = [name for name in fought if name in game.by_id and figures_of(game.by_id[name])]
    return () if len(there) == len(fought) else _fights_on(unit, there)


def _fights_on(unit: Unit, opponents: list[str]) -> tuple[Change, ...]:
    if opponents:
        return state(unit.id, in_melee=opponents)
    loose: tuple[Change, ...] = formed(unit.id, "unformed") if figures_of(unit) else ()
    return (*state(unit.id, in_melee=[], melee_round=0), *state_where(unit, following_up=False), *loose)
