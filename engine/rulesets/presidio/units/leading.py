"""Who commands: the leaders within hearing, those who comfort a unit, a side's leadership (PR-105 to PR-111)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.geometry.certainty import SIGMAS
from engine.geometry.plane.tolerance import at_most
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.field import Near, field_of, measured, nearest, on_table
from engine.rulesets.presidio.table.sorts import leads
from engine.rulesets.presidio.vocabulary import conditions_of, figures_of, state_of

__all__ = ["command_over", "leader_doubts", "leadership", "near_role", "officer_of", "officer_over"]

_NCOS = ("corporal", "sergeant", "first-sergeant", "sergeant-major")
_SILENT = ("panicked", "surrendered", "off-board")


def _leaders(game: Game, unit: Unit) -> Iterator[tuple[Figure, Near]]:
    """The leaders of a unit's side with their distances from it, but for those who have lost their own nerve."""
    return ((figure, near) for figure, _, near in _owned_leaders(game, unit))


def _owned_leaders(game: Game, unit: Unit) -> Iterator[tuple[Figure, Unit, Near]]:
    """As `_leaders`, with the unit that each belongs to."""
    field = field_of(game)
    mine = field.of_unit[unit.id]
    for number, (figure, owner) in enumerate(zip(field.figures, field.units, strict=True)):
        if owner.side != unit.side or not leads(figure):
            continue
        if owner.id != unit.id and state_of(owner).morale in _SILENT:
            continue
        near = nearest(field, np.array([number]), mine)
        if near is not None:
            yield figure, owner, near


def command_over(game: Game, unit: Unit) -> int:
    """The highest command skill within 2 in of any figure of a unit; 0 where no leader is near (PR-105)."""
    limit, skill = book().mm("command"), book().command
    heard = [skill[figure.role] for figure, near in _leaders(game, unit) if at_most(near.distance_mm, limit)]
    return max(heard, default=0)


def officer_over(game: Game, unit: Unit) -> int:
    """The highest command skill of an officer or chief within 2 in; NCOs do not count (PR-202)."""
    limit, skill = book().mm("command"), book().command
    heard = [
        skill[figure.role]
        for figure, near in _leaders(game, unit)
        if figure.role not in _NCOS and at_most(near.distance_mm, limit)
    ]
    return max(heard, default=0)


def officer_of(game: Game, *units: Unit) -> Unit | None:
    """To which unit the officer belongs who makes some units one: their own, else the highest of those near."""
    limit, skill = book().mm("command"), book().command
    own = {unit.id for unit in units}
    near = [
        (owner.id in own, skill[figure.role], owner)
        for unit in units
        for figure, owner, apart in _owned_leaders(game, unit)
        if figure.role not in _NCOS and at_most(apart.distance_mm, limit)
    ]
    return max(near, key=lambda one: one[:2], default=(False, 0, None))[2]


def leader_doubts(game: Game, unit: Unit) -> tuple[str, ...]:
    """In words which leaders may be within 2 in of a unit or not."""
    limit = book().mm("command")
    return tuple(
        f"whether {figure.id} leads {unit.id}: {measured(near.distance_mm, near.sigma_mm, limit)}"
        for figure, near in _leaders(game, unit)
        if near.sigma_mm > 0 and abs(near.distance_mm - limit) <= SIGMAS * near.sigma_mm
    )


def near_role(game: Game, unit: Unit, role: str, limit_mm: float) -> bool:
    """Whether a figure of a role, of the unit's side, is within a limit of any of the unit's figures."""
    field = field_of(game)
    mine = field.of_unit[unit.id]
    them = [
        number
        for number, (figure, owner) in enumerate(zip(field.figures, field.units, strict=True))
        if owner.side == unit.side and figure.role == role and state_of(owner).morale != "surrendered"
    ]
    near = nearest(field, np.array(them, dtype=np.intp), mine)
    return near is not None and at_most(near.distance_mm, limit_mm)


def leadership(game: Game, side: str) -> int:
    """A side's leadership: as the players say, else the highest command skill on the table (PR-206)."""
    said = conditions_of(game).leadership
    if side in said:
        return said[side]
    skill = book().command
    figures = [
        figure
        for unit in game.units
        if unit.side == side and on_table(unit) and state_of(unit).morale != "surrendered"
        for figure in figures_of(unit)
    ]
    return max((skill[figure.role] for figure in figures if leads(figure)), default=0)
