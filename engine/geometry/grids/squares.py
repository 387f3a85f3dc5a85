"""Squares over the table: which one a point is in, how far apart two are, which ones a line goes through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from engine.geometry.grids.frame import Array, Bounds, Cells, cells_array, from_table, to_table
from engine.geometry.plane.distinct import distinct
from engine.geometry.plane.tolerance import MM

__all__ = ["Diagonals", "SquareGrid"]

#: ``one``: a diagonal step counts one; ``orthogonal``: there are no diagonal steps.
Diagonals = Literal["one", "orthogonal"]

_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


@dataclass(frozen=True)
class SquareGrid(Bounds):
    """Squares of ``size_mm``; the near left corner of square (0, 0) is ``origin_mm``.

    ``columns`` and ``rows`` bound it; None: it goes on for ever.
    """

    size_mm: float
    columns: int | None = None
    rows: int | None = None
    origin_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0

    def centres(self, cells: ArrayLike) -> Array:
        """The middles (..., 2) of cells (..., 2), in table mm.

        >>> SquareGrid(152.4).centres([0, 1]).round(1).tolist()
        [76.2, 228.6]
        """
        middles = (cells_array(cells).astype(np.float64) + 0.5) * self.size_mm
        return to_table(middles, self.origin_mm, self.turn_deg)

    def cells_at(self, points: ArrayLike) -> Cells:
        """The cells (..., 2) that table points (..., 2) lie in; on an edge the one farther right or farther off.

        Points outside the grid's bounds get the cells that would be there.

        >>> SquareGrid(100.0).cells_at([[99.9, 0.0], [100.0, 250.0], [-0.5, 0.0]]).tolist()
        [[0, 0], [1, 2], [-1, 0]]
        """
        local = from_table(points, self.origin_mm, self.turn_deg)
        return np.floor((local + MM) / self.size_mm).astype(np.int64)

    def outlines(self, cells: ArrayLike) -> Array:
        """The corners (..., 4, 2) of cells (..., 2), in table mm."""
        corners = (cells_array(cells).astype(np.float64)[..., None, :] + _CORNERS) * self.size_mm
        return to_table(corners, self.origin_mm, self.turn_deg)

    def neighbours(
        self, cell: Sequence[int], diagonals: Diagonals = "one", *, bounded: bool = True
    ) -> list[tuple[int, int]]:
        """The cells beside a cell, clockwise from the one beyond it; where ``bounded``, those on the grid alone.

        >>> SquareGrid(100.0, 3, 3).neighbours((0, 0))
        [(0, 1), (1, 1), (1, 0)]
        """
        column, row = cell
        around = [(column + across, row + up) for across, up in (_STEPS if diagonals == "one" else _STEPS[::2])]
        return [other for other in around if self.holds(other)] if bounded else around

    def distances(self, cells: ArrayLike, others: ArrayLike, diagonals: Diagonals = "one") -> Cells:
        """How many steps lie between cells (..., 2) and others (..., 2); shapes broadcast.

        >>> grid = SquareGrid(100.0)
        >>> int(grid.distances([0, 0], [2, 3])), int(grid.distances([0, 0], [2, 3], "orthogonal"))
        (3, 5)
        """
        apart = np.abs(cells_array(cells) - cells_array(others))
        return np.asarray(apart.max(axis=-1) if diagonals == "one" else apart.sum(axis=-1))

    def path(self, start: Sequence[int], end: Sequence[int], diagonals: Diagonals = "one") -> list[tuple[int, int]]:
        """One shortest way from cell to cell, both included, as near the straight line as it can be; for a ruler.

        >>> SquareGrid(100.0).path((0, 0), (3, 1))
        [(0, 0), (1, 0), (2, 1), (3, 1)]
        >>> SquareGrid(100.0).path((0, 0), (1, 1), "orthogonal")
        [(0, 0), (1, 0), (1, 1)]
        """
        (column, row), (last_column, last_row) = start, end
        way = [(int(column), int(row))]
        across, up = last_column - column, last_row - row
        while way[-1] != (last_column, last_row):
            c, r = way[-1]
            if diagonals == "one":
                step = len(way)
                most = max(abs(across), abs(up))
                way.append((column + _share(across, step, most), row + _share(up, step, most)))
            elif (abs(c - column) * 2 + 1) * abs(up) <= (abs(r - row) * 2 + 1) * abs(across):
                way.append((c + (1 if across > 0 else -1), r))
            else:
                way.append((c, r + (1 if up > 0 else -1)))
        return way

    def cells_along(self, start: ArrayLike, end: ArrayLike) -> list[tuple[int, int]]:
        """The cells whose inside the line between two table points (2,) goes through, in order, the ends' included.

        A corner that is grazed and an edge that is run along do not count (0.001 mm allowed).

        >>> SquareGrid(100.0).cells_along([50, 50], [250, 250])
        [(0, 0), (1, 1), (2, 2)]
        >>> SquareGrid(100.0).cells_along([0, 100], [300, 100])
        []
        """
        ends = np.array([start, end], dtype=float)
        a, b = from_table(ends, self.origin_mm, self.turn_deg) / self.size_mm
        length = float(np.hypot(*(b - a)))
        slack = MM / self.size_mm
        if length <= slack:
            return [] if _on_edge(a, slack) else [(int(np.floor(a[0])), int(np.floor(a[1])))]
        cuts = [np.array([0.0, 1.0])]
        for axis in (0, 1):
            low, high = sorted((a[axis], b[axis]))
            if high - low > slack:
                lines = np.arange(np.ceil(low), np.floor(high) + 1)
                cuts.append((lines - a[axis]) / (b[axis] - a[axis]))
        shares = distinct(np.clip(np.concatenate(cuts), 0.0, 1.0))
        long = np.diff(shares) * length > slack
        middles = a + ((shares[:-1] + shares[1:]) / 2)[long, None] * (b - a)
        cells: dict[tuple[int, int], None] = {}
        for middle in middles:
            if not _on_edge(middle, slack):
                cells[int(np.floor(middle[0])), int(np.floor(middle[1]))] = None
        return list(cells)


def _share(whole: int, step: int, steps: int) -> int:
    """``whole * step / steps`` rounded to the nearest, halves towards 0: the same there and back."""
    size = (2 * abs(whole) * step + steps - 1) // (2 * steps)
    return size if whole >= 0 else -size


def _on_edge(point: Array, slack: float) -> bool:
    """Whether a point (2,) in squares lies on a line of the grid."""
    return bool((np.abs(point - np.round(point)) <= slack).any())
