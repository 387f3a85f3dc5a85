"""The straight way from each unit to each enemy (R-22): the nearest figures, the line between them, what is on it.

A charge goes along it. The ways of a whole side are worked out together; those of stand-ins one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.distances import Distances, UnitDistances, between_units, shortest_lines
from engine.geometry.pieces import pieces_from
from engine.geometry.sight.crossing import lengths_in, lengths_without
from engine.geometry.tolerance import MM
from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.bodies import Body
from engine.rulesets.muskets_mohawks.obstacles import WOOD_EDGE_MM, obstacles_of
from engine.rulesets.muskets_mohawks.sheet import Sheet
from engine.rulesets.muskets_mohawks.viewing import view_of
from engine.rulesets.muskets_mohawks.views import View

__all__ = ["Approach", "approach", "impassable"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Point = tuple[float, float]

_BARRED = ("building", "lake", "impassable", "river")


@dataclass(frozen=True)
class Approach:
    """The straight way from one unit to another.

    The ids of the nearest figures, the line between their bases, its length and sigma in mm; ``crossed`` are the
    pieces on it that cannot be passed, ``through_woods`` tells whether more than an inch of it lies in a wood.
    """

    figure: str
    other: str
    distance_mm: float
    sigma_mm: float
    start: Point
    end: Point
    crossed: tuple[str, ...]
    through_woods: bool


@dataclass(frozen=True, eq=False)
class _Ways:
    """Ways (w,): numbers of the figures, lengths and sigmas, ends (w, 2), and what they cross by the pieces."""

    row: NDArray[np.intp]
    column: NDArray[np.intp]
    value_mm: Array
    sigma_mm: Array
    start: Array
    end: Array
    crossed: Mapping[str, Mask]
    through_woods: Mask

    def one(self, number: int, mine: Body, theirs: Body) -> Approach | None:
        """One of the ways; None where a unit has no figure."""
        if self.row[number] < 0:
            return None
        start, end = self.start[number].tolist(), self.end[number].tolist()
        return Approach(
            mine.ids[self.row[number]], theirs.ids[self.column[number]],
            float(self.value_mm[number]), float(self.sigma_mm[number]), (start[0], start[1]), (end[0], end[1]),
            tuple(name for name, mask in self.crossed.items() if mask[number]), bool(self.through_woods[number]),
        )  # fmt: skip


def approach(sheet: Sheet, unit: Unit, target: Unit) -> Approach | None:
    """The straight way from a unit to another; None where either has no figure."""
    view = view_of(sheet, unit, target)
    if view is not None:
        ways = sheet.memo(("ways", unit.side), lambda: _of_side(sheet, view))
        names = list(view.columns)
        number = list(view.rows).index(unit.id) * len(names) + names.index(target.id)
        return ways.one(number, view.lookers, view.targets)
    return sheet.memo(("way", unit.id, target.id), lambda: _of_two(sheet, unit, target), unit, target)


def _of_side(sheet: Sheet, view: View) -> _Ways:
    table = between_units(
        Distances(view.gap_mm, view.sigma_mm), view.row_unit, view.column_unit, (len(view.rows), len(view.columns))
    )
    return _ways(sheet, view.lookers, view.targets, table)


def _of_two(sheet: Sheet, unit: Unit, target: Unit) -> Approach | None:
    mine, theirs = sheet.body(unit), sheet.body(target)
    if not len(mine) or not len(theirs):
        return None
    sigma = np.hypot(mine.sigma_mm[:, None], theirs.sigma_mm[None, :])
    table = Distances(sheet.gaps(mine.bases, theirs.bases), sigma)
    nearest = between_units(table, np.zeros(len(mine)), np.zeros(len(theirs)), (1, 1))
    return _ways(sheet, mine, theirs, nearest).one(0, mine, theirs)


def _ways(sheet: Sheet, mine: Body, theirs: Body, nearest: UnitDistances) -> _Ways:
    row, column = nearest.row.ravel(), nearest.column.ravel()
    start, end = shortest_lines(_picked(mine.bases, row), _picked(theirs.bases, column))
    woods = obstacles_of(sheet).woods
    through = np.zeros(len(row), dtype=bool)
    for number in range(len(woods)):
        through |= lengths_in(woods, number, start, end) > WOOD_EDGE_MM + MM
    crossed = _crossed(sheet, start, end)
    return _Ways(row, column, nearest.value_mm.ravel(), nearest.sigma_mm.ravel(), start, end, crossed, through)


def _picked(bases: Bases, which: NDArray[np.intp]) -> Bases:
    return bases.pick(np.maximum(which, 0))


def _crossed(sheet: Sheet, start: Array, end: Array) -> dict[str, Mask]:
    """What lines (w, 2)-(w, 2) run through that a straight path may not cross, by its id (R-22).

    Buildings, lakes, impassable ground, and rivers but for fords and bridges.
    """
    barred = sheet.of_kind(*_BARRED)
    pieces = sheet.memo("barred", lambda: pieces_from([piece.terrain for piece in barred]))
    openings = sheet.memo("openings", lambda: pieces_from([p.terrain for p in sheet.of_kind("ford", "bridge")]))
    found = {}
    for number, piece in enumerate(barred):
        if piece.terrain.kind == "river":
            through = lengths_without(pieces, number, openings, start, end) > MM
        else:
            through = lengths_in(pieces, number, start, end) > MM
        if through.any():
            found[piece.id] = through
    return found


def impassable(sheet: Sheet, start: Array, end: Array) -> tuple[str, ...]:
    """The pieces that straight paths (n, 2)-(n, 2) may not cross (R-22)."""
    return tuple(_crossed(sheet, start, end))
