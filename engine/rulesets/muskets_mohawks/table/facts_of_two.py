"""Facts of one unit against another: out of those of its whole side at once, or of the two alone.

Both say the same, to the last bit; alone are stand-ins and those in buildings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.seeing.outlook import Outlook, outlook_of
from engine.rulesets.muskets_mohawks.seeing.sight import pairs
from engine.rulesets.muskets_mohawks.seeing.viewing import view_from
from engine.rulesets.muskets_mohawks.seeing.views import View
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.table.told import Told

__all__ = ["FactsOfTwo", "OfSide", "oblongs"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


class OfSide(Protocol[T_co]):
    """The facts of some units of a side against some of their enemies."""

    def of(self, unit: Unit, target: Unit) -> T_co:
        """Those of two units that the outlook holds."""


@dataclass(frozen=True)
class FactsOfTwo(Generic[T]):
    """Facts of one kind (``what``), and how they are worked out ``alone`` and for many units at once.

    Those of two units follow from the two, from the terrain and from what they see of each other; they are kept
    from game to game while all that stays.
    """

    what: str
    alone: Callable[[Sheet, Unit, Unit], T]
    of_side: Callable[[Sheet, str, Outlook], OfSide[T]]

    def of(self, sheet: Sheet, unit: Unit, target: Unit) -> T:
        """The facts of a unit against another."""
        if not sheet.owns(unit, target) or unit.side == target.side:
            return self.alone(sheet, unit, target)
        side = self._in_view(sheet, unit)
        held = side is not None and target.id in side.view.columns
        return side.of(unit, target) if side is not None and held else self._by_itself(sheet, unit, target)

    def at_enemies(self, sheet: Sheet, unit: Unit) -> Mapping[str, T]:
        """As `of` for all enemies of one of the game's own units, by their ids."""
        side = self._in_view(sheet, unit)
        found = {} if side is None else side.row(unit)
        rest = (enemy for enemy in sheet.game.enemies(unit) if enemy.id not in found)
        return found | {enemy.id: self._by_itself(sheet, unit, enemy) for enemy in rest}

    def _by_itself(self, sheet: Sheet, unit: Unit, target: Unit) -> T:
        told: Told[T] = Told(sheet, f"{self.what} alone", unit)
        seen = pairs(sheet, unit, target)
        return told.option(target, "", (seen,), lambda: self.alone(sheet, unit, target))

    def _in_view(self, sheet: Sheet, unit: Unit) -> _InView[T] | None:
        """The facts of all that the unit's side sees, where the unit is one of those that look."""
        view, side = view_from(sheet, unit), unit.side
        if view is None:
            return None
        return sheet.memo((self.what, "in view", side), lambda: self._of_view(sheet, side, view))

    def _of_view(self, sheet: Sheet, side: str, view: View) -> _InView[T]:
        before, rows = sheet.earlier((self.what, side)), dict[str, dict[str, T]]()
        seen = sheet.earlier(("view", side))
        if before is not None and seen is not None and before.value.view is seen.value and view.stays is not None:
            rows = before.value.rows
        found = _Facts(view, _kept(view, rows))
        sheet.memo((self.what, side), lambda: found)

        def part(rows: tuple[str, ...], columns: tuple[str, ...]) -> OfSide[T]:
            return self.of_side(sheet, side, outlook_of(sheet, side, view, rows, columns))

        return _InView(sheet, found, part)


@dataclass(frozen=True, eq=False)
class _Facts(Generic[T]):
    """What is known so far of the units of a view, by the ids of the two."""

    view: View
    rows: Mapping[str, dict[str, T]]


def _kept(view: View, rows: Mapping[str, Mapping[str, T]]) -> dict[str, dict[str, T]]:
    """What was known of pairs of which all stays as it was."""
    if not rows or view.stays is None:
        return {name: {} for name in view.rows}
    return {
        name: {
            other: known[other] for other, stays in zip(view.columns, row, strict=True) if stays and other in known
        }
        for (name, known), row in zip(rows.items(), view.stays.tolist(), strict=True)
    }


@dataclass(frozen=True, eq=False)
class _InView(Generic[T]):
    """The facts of all pairs of units of a view; those not known yet are worked out by parts of the view."""

    sheet: Sheet
    facts: _Facts[T]
    part: Callable[[tuple[str, ...], tuple[str, ...]], OfSide[T]]

    @property
    def view(self) -> View:
        """What the side sees."""
        return self.facts.view

    def of(self, unit: Unit, target: Unit) -> T:
        """The facts of two units."""
        row = self.facts.rows[unit.id]
        if target.id not in row:
            number = self._part_of[self.view.row_number[unit.id]][self.view.column_number[target.id]]
            row[target.id] = self._parts[number].of(unit, target)
        return row[target.id]

    def row(self, unit: Unit) -> dict[str, T]:
        """The facts of a unit against all enemies that its side sees."""
        row = self.facts.rows[unit.id]
        if len(row) < len(self.view.columns):
            units = self.sheet.game.by_id
            for name in [name for name in self.view.columns if name not in row]:
                self.of(unit, units[name])
        return row

    @cached_property
    def _oblongs(self) -> list[tuple[Index, Index]]:
        unknown = [[name not in row for name in self.view.columns] for row in self.facts.rows.values()]
        return oblongs(np.array(unknown, dtype=bool))

    @cached_property
    def _part_of(self) -> list[list[int]]:
        """By the numbers of two units, in which part they are."""
        shape = len(self.view.rows), len(self.view.columns)
        found = np.zeros(shape, dtype=np.intp)
        for number, (rows, columns) in reversed(list(enumerate(self._oblongs))):
            found[np.ix_(rows, columns)] = number
        numbers: list[list[int]] = found.tolist()
        return numbers

    @cached_property
    def _parts(self) -> list[OfSide[T]]:
        rows, columns = tuple(self.view.rows), tuple(self.view.columns)
        return [
            self.part(tuple(rows[number] for number in one), tuple(columns[number] for number in other))
            for one, other in self._oblongs
        ]


def oblongs(marked: Mask) -> list[tuple[Index, Index]]:
    """Few oblongs of a table, as rows and columns, that hold all its marks and little else.

    The rows that are all marked, then the columns that are, then what holds the rest.

    >>> marked = np.array([[1, 1, 1], [1, 0, 0], [1, 0, 1]]) > 0
    >>> [(rows.tolist(), columns.tolist()) for rows, columns in oblongs(marked)]
    [([0], [0, 1, 2]), ([1, 2], [0]), ([2], [2])]
    """
    found, rest = [], marked.copy()
    rows = np.flatnonzero(marked.all(axis=1))
    found.append((rows, np.arange(marked.shape[1])))
    rest[rows] = False
    others = np.flatnonzero(~marked.all(axis=1))
    columns = np.flatnonzero(marked[others].all(axis=0)) if len(others) else others
    found.append((others, columns))
    rest[:, columns] = False
    found.append((np.flatnonzero(rest.any(axis=1)), np.flatnonzero(rest.any(axis=0))))
    return [one for one in found if len(one[0]) and len(one[1])]
