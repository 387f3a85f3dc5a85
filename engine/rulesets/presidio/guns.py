"""Pieces of artillery with their loads and crews (PR-901, PR-903, PR-914)."""

from __future__ import annotations

from engine.geometry.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.presidio.bodies import gun_of
from engine.rulesets.presidio.book import Artillery, Load, Mode, artillery, book
from engine.rulesets.presidio.field import field_of
from engine.rulesets.presidio.vocabulary import state_of

__all__ = ["crew_at", "gun_modes", "load_of", "piece_of"]


def piece_of(unit: Unit) -> Artillery | None:
    """The piece of an artillery unit; None of a unit whose weapon is none."""
    return artillery().get(unit.weapon)


def load_of(unit: Unit) -> Load | None:
    """What the piece has loaded; None where it has no such ammunition (PR-902)."""
    piece = piece_of(unit)
    return None if piece is None else piece.ammunition.get(state_of(unit).ammo)


def gun_modes(unit: Unit) -> tuple[Mode, ...]:
    """The modes in which the piece and its load can ever be fired (PR-901, PR-903)."""
    load = load_of(unit)
    return () if load is None else load.modes


def crew_at(game: Game, unit: Unit) -> int:
    """How many gunners are within 2 in of their piece (PR-914)."""
    field, gun = field_of(game), gun_of(unit)
    if gun is None:
        return 0
    mine = field.of_unit[unit.id].tolist()
    at = [number for number in mine if field.figures[number].id == gun.id]
    crew = [number for number in mine if field.figures[number].role not in ("gun", "limber", "wagon", "driver")]
    if not at or not crew:
        return 0
    gaps = field.edges.value_mm[at[0], crew]
    return int((gaps <= book().mm("crew") + MM).sum())
