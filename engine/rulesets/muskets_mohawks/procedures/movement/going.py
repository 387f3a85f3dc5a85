"""What a unit takes along when it goes, and what changes then: works, water, a gun left (MM-191, R-32, R-35)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.events import Change
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.procedures.changes import formed, gun_regained, state_where
from engine.rulesets.muskets_mohawks.procedures.movement.fording import Bank, water_at
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, state_of

__all__ = ["after_going", "going", "unformed_by_water"]


def going(unit: Unit) -> tuple[Figure, ...]:
    """Those who move when the unit does: all, but for a gun that its crew has left (R-35)."""
    return tuple(figures_of(unit)) if state_of(unit).left_gun else unit.figures


def after_going(game: Game, unit: Unit, gone: Sequence[Figure]) -> tuple[Change, ...]:
    """What changes with the places: it defends no works any more, is at or in the water, is back at its gun."""
    moved = {figure.id: figure for figure in gone}
    there = replace(unit, figures=tuple(moved.get(figure.id, figure) for figure in unit.figures))
    bank = water_at(game, there)
    changes: tuple[Change, ...] = (
        *state_where(unit, behind=None, at_edge_since=bank),
        *_unformed(game, unit, bank),
    )
    return changes if state_of(unit).retiring else (*changes, *gun_regained(there))


def unformed_by_water(game: Game, unit: Unit, gone: Sequence[Figure]) -> tuple[Change, ...]:
    """What becomes of the formation of a unit whose figures have come into water or out of it (MM-191)."""
    moved = {figure.id: figure for figure in gone}
    there = replace(unit, figures=tuple(moved.get(figure.id, figure) for figure in unit.figures))
    return _unformed(game, unit, water_at(game, there))


def _unformed(game: Game, unit: Unit, bank: Bank | None) -> tuple[Change, ...]:
    wet = "inside" in (bank, water_at(game, unit)) and unit.type not in ("gunners", "leader", "wagon", "pef")
    return formed(unit.id, "unformed") if wet and formation_of(unit) != "unformed" else ()
