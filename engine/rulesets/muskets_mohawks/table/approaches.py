"""The straight way from each unit to each enemy (R-22): the nearest figures, the line between them, what is on it.

A charge goes along it. The ways of a whole side are worked out together; those of stand-ins one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geometry.distances import Distances, UnitDistances, between_units, shortest_lines
from engine.geometry.plane.distinct import distinct
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.pieces import pieces_from
from engine.geometry.sight.crossing import along_pieces, lengths_without
from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.seeing.obstacles import WOOD_EDGE_MM, obstacles_of
from engine.rulesets.muskets_mohawks.seeing.viewing import view_of
from engine.rulesets.muskets_mohawks.seeing.views import View
from engine.rulesets.muskets_mohawks.table.bodies import Body, joined
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = [
    "Approach",
    "approach",
    "distances_mm",
    "impassable",
    "nearest_lookers",
    "through_rivers",
    "woods_off_roads",
]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
Point = tuple[float, float]

_BARRED = ("building", "lake", "impassable", "river")


class Approach(NamedTuple):
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
    """Ways (w,): numbers of the figures, lengths and sigmas, ends (w, 2), which pieces (w, b) that bar the
    way they cross."""

    row: Index
    column: Index
    value_mm: Array
    sigma_mm: Array
    start: Array
    end: Array
    crossed: Mask
    through_woods: Mask

    def entered(self, which: Index, ways: _Ways) -> _Ways:
        """The same with other ways in place of some."""
        changed = {}
        for own in fields(self):
            changed[own.name] = getattr(self, own.name).copy()
            changed[own.name][which] = getattr(ways, own.name)
        return _Ways(**changed)

    def pick(self, which: Index) -> _Ways:
        """Some of the ways."""
        return _Ways(*(getattr(self, own.name)[which] for own in fields(self)))

    def each(self, mine: Sequence[str], theirs: Sequence[str], barred: Sequence[str]) -> list[Approach]:
        """The ways one by one, by the ids of the figures and of the pieces that bar a way."""
        crossed: dict[int, tuple[str, ...]] = {}
        for number in np.flatnonzero(self.crossed.any(axis=1)).tolist():
            crossed[number] = tuple(barred[piece] for piece in np.flatnonzero(self.crossed[number]).tolist())
        lists = zip(
            self.row.tolist(), self.column.tolist(), self.value_mm.tolist(), self.sigma_mm.tolist(),
            self.start.tolist(), self.end.tolist(), self.through_woods.tolist(), strict=True,
        )  # fmt: skip
        return [
            Approach(
                mine[row], theirs[column], value, sigma, (start[0], start[1]), (end[0], end[1]),
                crossed.get(number, ()), through,
            )
            for number, (row, column, value, sigma, start, end, through) in enumerate(lists)
        ]  # fmt: skip


def approach(sheet: Sheet, unit: Unit, target: Unit) -> Approach | None:
    """The straight way from a unit to another; None where either has no figure."""
    view = view_of(sheet, unit, target)
    if view is None:
        return sheet.memo(("way", unit.id, target.id), lambda: _outside_views(sheet, unit, target), unit, target)
    ways = _ways_of(sheet, unit.side, view)
    return ways.told[view.row_number[unit.id] * len(view.columns) + view.column_number[target.id]]


def approach_of_each(sheet: Sheet, unit: Unit, target: Unit) -> dict[str, Approach]:
    """The straight way from each figure of a unit by itself, by their ids; none where either has no figure."""
    mine, theirs = sheet.body(unit), sheet.body(target)
    if not len(theirs):
        return {}
    ways = _in_turn(sheet, [mine.pick([row]) for row in range(len(mine))], [theirs])
    return {way.figure: way for way in ways}


def distances_mm(sheet: Sheet, unit: Unit, view: View) -> Mapping[str, float]:
    """The lengths of the straight ways from a unit to all enemies in its side's view, by their ids."""
    ways, row = _ways_of(sheet, unit.side, view), view.row_number[unit.id]
    return dict(zip(view.columns, ways.lengths_mm[row], strict=True))


def nearest_lookers(sheet: Sheet, side: str, view: View) -> Index:
    """(u, v) the numbers of the figures from which the ways of a side's units to their enemies lead.

    ``view`` may be a part of the side's.
    """
    whole = view.whole or view
    rows = _ways_of(sheet, side, whole).ways.row.reshape(len(whole.rows), len(whole.columns))
    one, other = ([of[name] for name in names] for of, names in zip(_numbers(whole), view.units, strict=True))
    begins = [view.rows[name].start - whole.rows[name].start for name in view.rows]
    own: Index = rows[np.ix_(one, other)] + np.array(begins)[:, None]
    return own


def _numbers(view: View) -> tuple[Mapping[str, int], Mapping[str, int]]:
    return view.row_number, view.column_number


def _ways_of(sheet: Sheet, side: str, view: View) -> _OfSide:
    return sheet.memo(("ways", side), lambda: _of_side(sheet, side, view))


@dataclass(frozen=True, eq=False)
class _OfSide:
    """The ways from the units of a side to their enemies, by the names of units and figures in their order.

    ``kept`` has what was told of them before, and which of them differ from that.
    """

    names: tuple[tuple[str, ...], ...]
    ways: _Ways
    barred: tuple[str, ...]
    kept: tuple[list[Approach], Index] | None = None

    @cached_property
    def lengths_mm(self) -> list[list[float]]:
        """How long each is, by the numbers of the units."""
        lengths: list[list[float]] = self.ways.value_mm.reshape(-1, len(self.names[1])).tolist()
        return lengths

    @cached_property
    def told(self) -> list[Approach]:
        """All of them, one by one."""
        if self.kept is None:
            return self.ways.each(self.names[2], self.names[3], self.barred)
        found, changed = list(self.kept[0]), self.kept[1]
        fresh = self.ways.pick(changed).each(self.names[2], self.names[3], self.barred)
        for number, way in zip(changed.tolist(), fresh, strict=True):
            found[number] = way
        return found


def _of_side(sheet: Sheet, side: str, view: View) -> _OfSide:
    """The ways of all pairs of units; of those that are as they were, the ways of the game before."""
    before = sheet.earlier(("ways", side))
    names = tuple(view.rows), tuple(view.columns), view.lookers.ids, view.targets.ids
    barred = tuple(piece.id for piece in sheet.of_kind(*_BARRED))
    moved = None if before is None else sheet.moved_since(before.game)
    rows, columns, shape = view.row_unit, view.column_unit, (len(view.rows), len(view.columns))
    if before is None or moved is None or before.value.names != names:
        return _OfSide(names, _between(sheet, view, rows, columns, shape), barred)
    ways: _Ways = before.value.ways
    number = np.arange(shape[0] * shape[1]).reshape(shape)
    changed = np.zeros(shape, dtype=bool)
    for unit in moved & view.rows.keys():
        own = np.where(rows == view.row_number[unit], 0, -1)
        fresh = _between(sheet, view, own, columns, (1, shape[1]))
        ways = ways.entered(number[view.row_number[unit]], fresh)
        changed[view.row_number[unit]] = True
    for unit in moved & view.columns.keys():
        own = np.where(columns == view.column_number[unit], 0, -1)
        fresh = _between(sheet, view, rows, own, (shape[0], 1))
        ways = ways.entered(number[:, view.column_number[unit]], fresh)
        changed[:, view.column_number[unit]] = True
    told = before.value.__dict__.get("told")
    return _OfSide(names, ways, barred, None if told is None else (told, number[changed]))


def _between(sheet: Sheet, view: View, rows: Index, columns: Index, shape: tuple[int, int]) -> _Ways:
    """The ways between units by whose the lookers (n,) and targets (m,) are; -1 for figures that do not matter."""
    mine, theirs = np.flatnonzero(rows >= 0), np.flatnonzero(columns >= 0)
    table = Distances(view.gap_mm[np.ix_(mine, theirs)], view.sigma_mm[np.ix_(mine, theirs)])
    nearest = between_units(table, rows[mine], columns[theirs], shape)
    return _ways(sheet, view.lookers, view.targets, nearest, mine[nearest.row], theirs[nearest.column])


def _outside_views(sheet: Sheet, unit: Unit, target: Unit) -> Approach | None:
    """The way between two units that no view holds: enemies in or from buildings out of those of all of them."""
    mine, theirs = sheet.body(unit), sheet.body(target)
    if not len(mine) or not len(theirs):
        return None
    pair = unit.id, target.id
    if sheet.owns(unit, target) and unit.side != target.side:
        together = sheet.memo(("ways indoors", unit.side), lambda: _indoors(sheet, unit.side))
        if pair in together:
            return together[pair]
    return _of_many(sheet, [mine], [theirs])[pair]


def _indoors(sheet: Sheet, side: str) -> dict[tuple[str, str], Approach]:
    """The ways from a side's units in buildings to all enemies, and from all its units to enemies in buildings.

    Rectangles are left to themselves: the last bit of a distance may hang on who is measured beside them.
    """
    bodies = [body for one in sheet.game.units if len(body := sheet.body(one)) and not body.bases.is_rect.any()]
    mine = [body for body in bodies if body.unit.side == side]
    theirs = [body for body in bodies if body.unit.side != side]
    return _of_many(sheet, mine, _in_buildings(theirs)) | _of_many(sheet, _in_buildings(mine), theirs)


def _in_buildings(bodies: Sequence[Body]) -> list[Body]:
    return [body for body in bodies if state_of(body.unit).in_building is not None]


def _of_many(sheet: Sheet, mine: Sequence[Body], theirs: Sequence[Body]) -> dict[tuple[str, str], Approach]:
    """The ways from some units to others, by their ids."""
    names = product((body.unit.id for body in mine), (body.unit.id for body in theirs))
    return dict(zip(names, _in_turn(sheet, mine, theirs), strict=True))


def _in_turn(sheet: Sheet, mine: Sequence[Body], theirs: Sequence[Body]) -> list[Approach]:
    """The ways from some bodies to others: from the first to all, then from the second to all."""
    if not mine or not theirs:
        return []
    one, other = joined(sheet.game, mine), joined(sheet.game, theirs)
    units = [np.repeat(np.arange(len(some)), [len(body) for body in some]) for some in (mine, theirs)]
    table = Distances(sheet.gaps(one.bases, other.bases), np.hypot(one.sigma_mm[:, None], other.sigma_mm[None, :]))
    nearest = between_units(table, units[0], units[1], (len(mine), len(theirs)))
    ways = _ways(sheet, one, other, nearest, nearest.row, nearest.column)
    return ways.each(one.ids, other.ids, [piece.id for piece in sheet.of_kind(*_BARRED)])


def _ways(sheet: Sheet, mine: Body, theirs: Body, nearest: UnitDistances, row: Index, column: Index) -> _Ways:
    """The ways between figures (u, v) of two bodies."""
    row, column = row.ravel(), column.ravel()
    start, end = shortest_lines(mine.bases.pick(row), theirs.bases.pick(column))
    woods = obstacles_of(sheet).woods
    through: Mask = np.any(along_pieces(woods, start, end) > WOOD_EDGE_MM + MM, axis=1)
    return _Ways(
        row, column, nearest.value_mm.ravel(), nearest.sigma_mm.ravel(), start, end,
        _crossed(sheet, start, end), through,
    )  # fmt: skip


def _crossed(sheet: Sheet, start: Array, end: Array) -> Mask:
    """(w, b) which of the pieces that bar the way lines (w, 2)-(w, 2) run through (R-22).

    Buildings, lakes, impassable ground, and rivers but for fords and bridges.
    """
    barred, land = sheet.of_kind(*_BARRED), sheet.land
    pieces = land.memo("barred", lambda: pieces_from([piece.terrain for piece in barred]))
    openings = land.memo("openings", lambda: pieces_from([p.terrain for p in land.of_kind("ford", "bridge")]))
    through: Mask = along_pieces(pieces, start, end) > MM
    for number, piece in enumerate(barred):
        if piece.terrain.kind == "river":
            through[:, number] = lengths_without(pieces, number, openings, start, end) > MM
    return through


def impassable(sheet: Sheet, start: Array, end: Array) -> tuple[str, ...]:
    """The pieces that straight paths (n, 2)-(n, 2) may not cross (R-22)."""
    barred, met = sheet.of_kind(*_BARRED), np.nonzero(_crossed(sheet, start, end))[1]
    return tuple(barred[number].id for number in distinct(met).tolist())


def through_rivers(sheet: Sheet, start: Array, end: Array) -> Mask:
    """(n,) which straight paths (n, 2)-(n, 2) lead through a river, but for its fords and bridges."""
    rivers = [number for number, piece in enumerate(sheet.of_kind(*_BARRED)) if piece.terrain.kind == "river"]
    through: Mask = np.any(_crossed(sheet, start, end)[:, rivers], axis=1)
    return through


def woods_off_roads(sheet: Sheet, start: Array, end: Array) -> tuple[str, ...]:
    """The woods into which straight paths (n, 2)-(n, 2) lead off the roads, where no gun or wagon goes (MM-189).

    Who stands in a wood already has a way out of it.
    """
    land = sheet.land
    woods = land.of_kind("woods")
    pieces = land.memo("woods", lambda: pieces_from([piece.terrain for piece in woods]))
    roads = land.memo("roads", lambda: pieces_from([piece.terrain for piece in land.of_kind("road")]))
    through = along_pieces(pieces, start, end) > MM
    return tuple(
        piece.id
        for number, piece in enumerate(woods)
        if through[:, number].any()
        and not piece.shape.contains(start).any()
        and (lengths_without(pieces, number, roads, start, end) > MM).any()
    )
