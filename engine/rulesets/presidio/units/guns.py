"""Pieces of artillery with their loads and crews (PR-901, PR-903, PR-914)."""

from __future__ import annotations

from engine.geometry.moving.moves import gap_between
from engine.geometry.plane.tolerance import MM
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.book import Artillery, Load, Mode, artillery, book
from engine.rulesets.presidio.table.bodies import gun_of
from engine.rulesets.presidio.table.field import field_of
from engine.rulesets.presidio.table.sorts import formation_of
from engine.rulesets.presidio.vocabulary import figures_of, is_artillery, state_of

__all__ = ["crew_alone", "crew_at", "crew_of", "gun_modes", "load_of", "piece_of"]

#: Who of a piece is no gunner.
_TEAM = ("gun", "limber", "wagon", "driver")


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
    crew = [number for number in mine if field.figures[number].role not in _TEAM]
    if not at or not crew:
        return 0
    gaps = field.edges.value_mm[at[0], crew]
    return int((gaps <= book().mm("crew") + MM).sum())


def crew_of(unit: Unit) -> tuple[Figure, ...]:
    """The gunners of a piece, wherever they are."""
    return tuple(figure for figure in figures_of(unit) if figure.role not in _TEAM)


def crew_alone(unit: Unit) -> bool:
    """Whether the gunners of a piece have left it, or have lost it: they go on foot then (PR-715)."""
    if not is_artillery(unit) or formation_of(unit) == "limbered" or not crew_of(unit):
        return False
    gun = gun_of(unit)
    gap = None if gun is None else gap_between(crew_of(unit), (gun,))
    return gap is None or gap.distance_mm > book().mm("crew") + MM
