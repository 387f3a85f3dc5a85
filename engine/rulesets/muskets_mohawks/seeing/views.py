"""What a whole side sees of its enemies: the tables that every pair of units reads its part from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.geometry.distances import Distances, between_units
from engine.geometry.facing.aspects import strips
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.units import mean_bearings
from engine.geometry.sight import Lines, Seen, Watch, held_by
from engine.geometry.sight.tables import lines_of
from engine.rulesets.muskets_mohawks.seeing.obstacles import Obstacle
from engine.rulesets.muskets_mohawks.table.bodies import Body

__all__ = ["Line", "Names", "View", "arc_sigmas", "in_the_way_of", "owners"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
#: The number of a line in the table of lookers and targets, row by row; the names of what stands in the way.
Line = int
Names = tuple[str, ...]
Number = TypeVar("Number", int, Index)


@dataclass(frozen=True, eq=False)
class View:
    """One side's figures (n) against all others' (m); arrays (n, m). Those in buildings are left out.

    ``rows`` and ``columns`` tell where each unit's figures stand in them; ``seen`` is by the row that takes sight
    away. ``watch`` has the blockers of the obstacles, in their order; ``still`` tells what stands in the way of
    lines of which that is known from an earlier view, ``named`` of those that matter by now; ``stays`` (u, v) of
    which pairs of units all is as in that earlier view. ``back`` is what the enemies see of this side, where that
    was worked out before, in the same order. A part of a ``whole``, in which its figures have ``numbers``, leaves
    these to it.
    """

    rows: Mapping[str, slice]
    columns: Mapping[str, slice]
    lookers: Body
    targets: Body
    gap_mm: Array
    off_deg: Array
    sigma_mm: Array
    arc_sigma_deg: Array
    obstacles: Mapping[str, Obstacle]
    watch: Watch
    seen: Mapping[str, Seen]
    still: Mapping[str, Mapping[Line, Names]] = field(default_factory=dict)
    named: dict[str, dict[Line, Names]] = field(default_factory=dict)
    stays: Mask | None = None
    back: View | None = None
    whole: View | None = None
    numbers: tuple[Index, Index] | None = None

    def part(self, rows: Sequence[str], columns: Sequence[str]) -> View:
        """What some of the units see of some others, each in their order here, as a view of its own."""
        if len(rows) == len(self.rows) and len(columns) == len(self.columns):
            return self
        (mine, row), (theirs, column) = _picked(self.rows, rows), _picked(self.columns, columns)
        block = _block(row, column)
        return View(
            mine, theirs, self.lookers.pick(row.tolist()), self.targets.pick(column.tolist()), self.gap_mm[block],
            self.off_deg[block], self.sigma_mm[block], self.arc_sigma_deg[block], self.obstacles, self.watch,
            {rule: one.pick(block) for rule, one in self.seen.items()}, whole=self, numbers=(row, column),
        )  # fmt: skip

    @cached_property
    def blocked(self) -> Mapping[str, Mask]:
        """(n, m) by the row that takes sight away: the pairs that it takes as measured."""
        return {rule: one.taken for rule, one in self.seen.items()}

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The ids of the units that look and of those that are looked at."""
        return tuple(self.rows), tuple(self.columns)

    def in_whole(self, row: Number, column: Number) -> tuple[Number, Number]:
        """The numbers that lookers and targets, one or several, have in the whole."""
        return (row, column) if self.numbers is None else (self.numbers[0][row], self.numbers[1][column])

    @cached_property
    def _known(self) -> dict[str, Mapping[tuple[int, int], Names]]:
        return {}

    def behind(self, rule: str) -> Mapping[tuple[int, int], Names]:
        """What stands between the nearest two figures of two units of those that a row takes sight from: the names,
        by the numbers of the units."""
        if rule not in self._known:
            self._known[rule] = self._behind(rule)
        return self._known[rule]

    def _behind(self, rule: str) -> Mapping[tuple[int, int], Names]:
        gap = np.where(self.blocked[rule], self.gap_mm, np.inf)
        shape = len(self.rows), len(self.columns)
        nearest = between_units(Distances(gap, np.zeros_like(gap)), self.row_unit, self.column_unit, shape)
        one, other = np.nonzero(np.isfinite(nearest.value_mm))
        row, column = nearest.row[one, other], nearest.column[one, other]
        whole, pairs = self if self.whole is None else self.whole, zip(one.tolist(), other.tolist(), strict=True)
        return dict(zip(pairs, whole._names(rule, *self.in_whole(row, column)), strict=True))

    def _names(self, rule: str, row: Index, column: Index) -> list[Names]:
        """What stands in the way of lines from which a row takes sight."""
        lines, known = (row * len(self.targets) + column).tolist(), self.still.get(rule, {})
        named = self.named.get(rule, {}) | {line: known[line] for line in lines if line in known}
        named |= self._named_by_others(rule, row, column)
        fresh = np.array([line not in named for line in lines], dtype=bool)
        if fresh.any():
            anew = in_the_way_of(lines_of(self.watch, row[fresh], column[fresh]), self.obstacles[rule])
            named |= zip([line for line, new in zip(lines, fresh.tolist(), strict=True) if new], anew, strict=True)
        self.named[rule] = named
        return [named[line] for line in lines]

    def _named_by_others(self, rule: str, row: Index, column: Index) -> dict[Line, Names]:
        """What is known to stand in the way of lines, looked along the other way."""
        if self.back is None or not (self.obstacles[rule].mutual and self.back.obstacles[rule].mutual):
            return {}
        known, width = self.back.named.get(rule, {}), len(self.targets)
        there = zip((row * width + column).tolist(), (column * len(self.lookers) + row).tolist(), strict=True)
        return {line: known[other] for line, other in there if other in known}

    @cached_property
    def row_number(self) -> Mapping[str, int]:
        """The numbers of the lookers' units by their ids."""
        return {name: number for number, name in enumerate(self.rows)}

    @cached_property
    def column_number(self) -> Mapping[str, int]:
        """The numbers of the targets' units by their ids."""
        return {name: number for number, name in enumerate(self.columns)}

    @cached_property
    def row_unit(self) -> Index:
        """(n,) the number of each looker's unit."""
        return owners(self.rows)

    @cached_property
    def column_unit(self) -> Index:
        """(m,) the number of each target's unit."""
        return owners(self.columns)

    @cached_property
    def aspects(self) -> NDArray[np.int8]:
        """(n, v) from where each looker comes to each unit of the targets (MM-09 to MM-11), as `Aspect` counts."""
        count = len(self.columns)
        facing, _ = mean_bearings(self.targets.bearing_deg, self.column_unit, count)
        lines = strips(self.targets.bases, self.column_unit, count, facing)
        return lines.as_measured(self.lookers.centre)


def _picked(parts: Mapping[str, slice], names: Sequence[str]) -> tuple[dict[str, slice], Index]:
    """Some of the units with where their figures stand among themselves, and where these stood."""
    which = [np.arange(parts[name].start, parts[name].stop) for name in names]
    ends = np.cumsum([0, *(len(one) for one in which)]).tolist()
    spans = {name: slice(*pair) for name, pair in zip(names, pairwise(ends), strict=True)}
    return spans, np.concatenate([np.zeros(0, dtype=np.intp), *which])


def _block(row: Index, column: Index) -> tuple[Index | slice, Index | slice]:
    """Some rows and columns of a table; those that follow each other as slices, which copy nothing."""
    one, other = (
        slice(int(some[0]), int(some[-1]) + 1) if len(some) and some[-1] - some[0] == len(some) - 1 else some
        for some in (row, column)
    )
    if isinstance(one, slice) or isinstance(other, slice):
        return one, other
    return row[:, None], column[None]


def owners(parts: Mapping[str, slice]) -> Index:
    """(n,) the number of each figure's unit."""
    return np.repeat(np.arange(len(parts)), [part.stop - part.start for part in parts.values()])


def in_the_way_of(lines: Lines, obstacle: Obstacle) -> list[tuple[str, ...]]:
    """For each line what of an obstacle takes sight away as measured, by name, in the order of its parts."""
    held = held_by(lines, obstacle.blocker)
    held = held.pick(held.takes)
    found: list[list[int]] = [[] for _ in range(len(lines))]
    for line, part in sorted(zip(held.line.tolist(), held.part.tolist(), strict=True)):
        found[line].append(part)
    return [tuple(obstacle.names[part] for part in parts) if obstacle.names else () for parts in found]


def arc_sigmas(lookers: Body, sigma_mm: Array, apart_mm: Array) -> Array:
    """(n, m) the sigma of the angle off a looker's front, in degrees."""
    sideways = np.degrees(np.arctan2(sigma_mm, np.maximum(apart_mm, MM)))
    angle: Array = np.hypot(sideways, lookers.bearing_sigma_deg[:, None])
    return angle
