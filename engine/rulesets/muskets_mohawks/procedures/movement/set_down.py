"""Setting figures down where a rule wants them: on the table, upon nobody, on ground where men can stand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from engine.geometry.moving.moves import moved, towards
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, bases_of, gaps
from engine.records.game import Figure, Game, TableArea, Unit
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM, Sheet, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["level_mm", "set_down"]

#: How finely and how far about the place that is wanted a free one is looked for.
_STEP_MM, _FAR_MM = 12.5, 600.0
#: Where nobody stands in the open; a river but for its fords and bridges.
_BARRED = ("building", "lake", "impassable", "river")


def set_down(
    game: Game, unit: Unit, figures: Sequence[Figure], bearing_deg: float, most_mm: float
) -> tuple[Figure, ...]:
    """The figures of a unit as they are to be put, all shifted alike by as little as lets them stand there.

    They are shifted aside of a bearing, and by ``most_mm`` at the most along it. A figure is on the table where its
    centre is. They touch no enemy, and stand upon none of their side. Where there is no room for them, they stay
    where they were to be put, but on the table.
    """
    ids = {one.id for one in figures}
    own = [one for one in unit.figures if one.id not in ids]
    friends, foes = _others(game, unit)
    for number, off in enumerate(_shifts(bearing_deg, most_mm)):
        there = moved(figures, off, 1.0)
        mine = [*friends, *own] if number else friends  # as wanted they may touch their own unit
        if _on_table(there, game.table) and not _upon(there, mine, foes) and _firm(sheet_of(game), unit, there):
            return there
    return tuple(_kept_on(one, game.table) for one in figures)


def level_mm(figures: Sequence[Figure], others: Sequence[Figure], bearing_deg: float) -> float:
    """How far along a bearing figures go until the foremost is level with the hindmost of others; at least 0."""
    x, y = towards(bearing_deg)
    front, back = (
        max(one.x_mm * x + one.y_mm * y for one in figures),
        min(one.x_mm * x + one.y_mm * y for one in others),
    )
    return max(0.0, back - front)


def _shifts(bearing_deg: float, most_mm: float) -> list[Vector]:
    """Shifts, the shortest first: so far along a bearing, and as far as is looked to either side of it."""
    (x, y), steps = towards(bearing_deg), range(int(_FAR_MM / _STEP_MM) + 1)
    along = [*np.arange(0.0, most_mm, _STEP_MM).tolist(), most_mm]
    every = [(forth, side * step * _STEP_MM) for forth in along for step in steps for side in (1.0, -1.0)]
    every.sort(key=lambda off: round(math.hypot(*off), 6))
    return [(forth * x + aside * y, forth * y - aside * x) for forth, aside in every]


def _others(game: Game, unit: Unit) -> tuple[list[Figure], list[Figure]]:
    """Who stands in the open besides the unit: its friends, and its enemies."""
    there = [one for one in game.units if one.id != unit.id and state_of(one).in_building is None]
    friends = [figure for one in there if one.side == unit.side for figure in one.figures]
    return friends, [figure for one in there if one.side != unit.side for figure in one.figures]


def _upon(figures: Sequence[Figure], friends: Sequence[Figure], foes: Sequence[Figure]) -> bool:
    bases = _bases(figures)
    limits = ((friends, MM), (foes, CONTACT_MM + MM))
    return any(bool((gaps(bases, _bases(some)) < limit).any()) for some, limit in limits if some)


def _firm(sheet: Sheet, unit: Unit, figures: Sequence[Figure]) -> bool:
    """Whether men can stand there; who is in a building stays in it."""
    centres = np.array([(one.x_mm, one.y_mm) for one in figures], dtype=float)
    house = state_of(unit).in_building
    opened = np.zeros(len(centres), dtype=bool)
    for piece in sheet.of_kind("ford", "bridge"):
        opened |= piece.shape.contains(centres)[:, 0]
    for piece in sheet.of_kind(*_BARRED):
        inside = piece.shape.contains(centres)[:, 0]
        if piece.id == house:
            inside = ~inside
        elif piece.terrain.kind == "river":
            inside &= ~opened
        if inside.any():
            return False
    return True


def _on_table(figures: Sequence[Figure], table: TableArea) -> bool:
    return all(0.0 <= one.x_mm <= table.width_mm and 0.0 <= one.y_mm <= table.depth_mm for one in figures)


def _kept_on(figure: Figure, table: TableArea) -> Figure:
    x, y = min(max(figure.x_mm, 0.0), table.width_mm), min(max(figure.y_mm, 0.0), table.depth_mm)
    return replace(figure, x_mm=x, y_mm=y)


def _bases(figures: Sequence[Figure]) -> Bases:
    spots = [(one.x_mm, one.y_mm) for one in figures]
    return bases_of(spots, [one.base for one in figures], [one.bearing_deg for one in figures])
