"""Hexes over the table: which one a point is in, how far apart two are, which ones a line goes through.

The arithmetic is done in cube coordinates (three whole numbers that sum to 0), after Red Blob Games' account of
hexagonal grids; on lines between middles it is exact, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from engine.geometry.grids.frame import Array, Bounds, Cells, cells_array, from_table, to_table
from engine.geometry.plane.tolerance import MM

__all__ = ["STEPS", "HexGrid"]

#: The steps to the neighbours in cube coordinates, clockwise from the first side; the same for both tops.
STEPS = np.array([[0, 1, -1], [1, 0, -1], [1, -1, 0], [0, -1, 1], [-1, 0, 1], [-1, 1, 0]])
_NAMES = {"flat": ("N", "NE", "SE", "S", "SW", "NW"), "pointed": ("NE", "E", "SE", "SW", "W", "NW")}


@dataclass(frozen=True)
class HexGrid(Bounds):
    """Hexes of ``size_mm`` from side to side, with a flat or a pointed top; every second line stands half a hex on.

    Flat: odd columns stand half a hex farther away, and the corner of the box round hex (0, 0) is ``origin_mm``.
    Pointed: odd rows stand half a hex farther right. ``columns`` and ``rows`` bound the grid; None: it goes on.
    """

    size_mm: float
    columns: int | None = None
    rows: int | None = None
    origin_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    top: Literal["flat", "pointed"] = "flat"

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the six sides, clockwise: side k of a flat top looks to 60 k degrees, of a pointed to
        60 k + 30."""
        return _NAMES[self.top]

    @cached_property
    def side_bearings_deg(self) -> Array:
        """(6,) the bearings on which the six neighbours' middles lie."""
        first = 0.0 if self.top == "flat" else 30.0
        return np.asarray((np.arange(6) * 60.0 + first + self.turn_deg) % 360.0, dtype=np.float64)

    def cubes(self, cells: ArrayLike) -> Cells:
        """Cells (..., 2) as cube coordinates (..., 3).

        >>> HexGrid(100.0).cubes([[0, 0], [3, 1]]).tolist()
        [[0, 0, 0], [3, 0, -3]]
        """
        cells = cells_array(cells)
        q, s = cells[..., 0], cells[..., 1]
        if self.top == "flat":
            s = s - q // 2
        else:
            q = q - s // 2
        return np.stack([q, s, -q - s], axis=-1)

    def cells_of(self, cubes: ArrayLike) -> Cells:
        """Cube coordinates (..., 3) as cells (..., 2).

        >>> HexGrid(100.0, top="pointed").cells_of([[-1, 2, -1]]).tolist()
        [[0, 2]]
        """
        cubes = np.asarray(cubes, dtype=np.int64)
        q, s = cubes[..., 0], cubes[..., 1]
        if self.top == "flat":
            return np.stack([q, s + q // 2], axis=-1)
        return np.stack([q + s // 2, s], axis=-1)

    def centres(self, cells: ArrayLike) -> Array:
        """The middles (..., 2) of cells (..., 2), in table mm.

        >>> HexGrid(100.0).centres([[0, 0], [1, 0]]).round(3).tolist()
        [[57.735, 50.0], [144.338, 100.0]]
        """
        cells = cells_array(cells)
        long, short = cells[..., 0], cells[..., 1]
        if self.top == "pointed":
            long, short = short, long
        along = self.size_mm * (1 / np.sqrt(3) + long * np.sqrt(3) / 2)
        across = self.size_mm * (0.5 + short + 0.5 * (long % 2))
        pair = (along, across) if self.top == "flat" else (across, along)
        return to_table(np.stack(pair, axis=-1), self.origin_mm, self.turn_deg)

    def cells_at(self, points: ArrayLike) -> Cells:
        """The cells (..., 2) that table points (..., 2) lie in: those of the nearest middles.

        On a side it is the one farther right, or farther off where neither is (0.001 mm allowed).

        >>> HexGrid(100.0).cells_at([[57.7, 99.0], [57.735, 100.0], [150.0, 100.0]]).tolist()
        [[0, 0], [0, 1], [1, 0]]
        """
        local = from_table(points, self.origin_mm, self.turn_deg) + np.array([MM, MM / 2])
        x, y = local[..., 0] / self.size_mm, local[..., 1] / self.size_mm
        along, across = (x, y) if self.top == "flat" else (y, x)
        lead = (along - 1 / np.sqrt(3)) * 2 / np.sqrt(3)
        second = across - 0.5 - lead / 2
        pair = (lead, second) if self.top == "flat" else (second, lead)
        return self.cells_of(_rounded(np.stack([*pair, -lead - second], axis=-1)))

    def outlines(self, cells: ArrayLike) -> Array:
        """The corners (..., 6, 2) of cells (..., 2) in table mm; corner k is the clockwise end of side k."""
        angles = np.radians(self.side_bearings_deg + 30.0)
        rim = self.size_mm / np.sqrt(3) * np.stack([np.sin(angles), np.cos(angles)], axis=-1)
        return np.asarray(self.centres(cells)[..., None, :] + rim, dtype=np.float64)

    def neighbour(self, cells: ArrayLike, sides: ArrayLike) -> Cells:
        """The cells (..., 2) beyond sides of cells (..., 2), numbered clockwise from 0; bounds are not asked.

        >>> HexGrid(100.0).neighbour([1, 4], 1).tolist()
        [2, 5]
        """
        step = STEPS[np.asarray(sides, dtype=np.int64) % 6]
        return self.cells_of(self.cubes(cells) + step)

    def neighbours(self, cell: Sequence[int], *, bounded: bool = True) -> list[tuple[int, int]]:
        """The cells beside a cell, clockwise from side 0; where ``bounded``, those on the grid alone."""
        column, row = cell
        if self.top == "flat":
            odd = column % 2
            steps = ((0, 1), (1, odd), (1, odd - 1), (0, -1), (-1, odd - 1), (-1, odd))
        else:
            odd = row % 2
            steps = ((odd, 1), (1, 0), (odd, -1), (odd - 1, -1), (-1, 0), (odd - 1, 1))
        around = [(column + across, row + up) for across, up in steps]
        return [other for other in around if self.holds(other)] if bounded else around

    def distances(self, cells: ArrayLike, others: ArrayLike) -> Cells:
        """How many steps lie between cells (..., 2) and others (..., 2); shapes broadcast.

        >>> int(HexGrid(100.0).distances([0, 0], [3, 1]))
        3
        """
        return np.asarray(np.abs(self.cubes(cells) - self.cubes(others)).max(axis=-1))

    def side_between(self, cell: Sequence[int], other: Sequence[int]) -> int | None:
        """Which side of a cell, clockwise from 0, another one lies beyond; None where they are no neighbours.

        >>> HexGrid(100.0).side_between((1, 4), (2, 5)), HexGrid(100.0).side_between((1, 4), (3, 4))
        (1, None)
        """
        step = self.cubes(other) - self.cubes(cell)
        found = np.flatnonzero((step == STEPS).all(axis=1))
        return int(found[0]) if len(found) else None

    def samples(self, start: Sequence[int], end: Sequence[int]) -> list[tuple[tuple[int, int], ...]]:
        """The cells at each step of the line from middle to middle, the ends left out: one a step, or the two of a
        common side that the step falls on, the lower cell first.

        Exact, in whole numbers; from the other end the same cells come in the other order.

        >>> HexGrid(100.0).samples((0, 0), (2, 0))
        [((1, -1), (1, 0))]
        """
        first, last = self.cubes(start), self.cubes(end)
        way = last - first
        count = int(np.abs(way).max())
        if count < 2:
            return []
        steps = np.arange(1, count)[:, None]
        scaled = first * count + way * steps
        low, rest = np.divmod(scaled, count)
        lead = int(np.argmax(np.abs(way)))
        second, third = (lead + 1) % 3, (lead + 2) % 3
        found = []
        for k in range(count - 1):
            twice = 2 * int(rest[k, second])
            ups = [0, 1] if twice == count else [int(twice > count)]
            cubes = []
            for up in ups:
                cube = [0, 0, 0]
                cube[lead] = int(low[k, lead])
                cube[second] = int(low[k, second]) + up
                cube[third] = -cube[lead] - cube[second]
                cubes.append(cube)
            found.append(tuple(sorted((int(c), int(r)) for c, r in self.cells_of(cubes))))
        return found

    def path(self, start: Sequence[int], end: Sequence[int]) -> list[tuple[int, int]]:
        """One shortest way from cell to cell along the straight line, both included; for a ruler.

        >>> HexGrid(100.0).path((0, 0), (2, 0))
        [(0, 0), (1, -1), (2, 0)]
        """
        ends = [(int(start[0]), int(start[1])), (int(end[0]), int(end[1]))]
        if ends[0] == ends[1]:
            return ends[:1]
        return [ends[0], *(cells[0] for cells in self.samples(start, end)), ends[1]]


def _rounded(cubes: Array) -> Cells:
    """The whole cube coordinates (..., 3) nearest to fractional ones (..., 3)."""
    whole = np.round(cubes)
    off = np.abs(whole - cubes)
    worst = np.argmax(off, axis=-1)[..., None]
    mended = -(whole.sum(axis=-1, keepdims=True) - np.take_along_axis(whole, worst, axis=-1))
    np.put_along_axis(whole, worst, mended, axis=-1)
    return np.asarray(whole, dtype=np.int64)
