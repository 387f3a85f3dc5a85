"""The cells along many lines at once, as `HexGrid.samples` has them for one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.grids.frame import Array, Cells, cells_array
from engine.geometry.grids.hexes import HexGrid

__all__ = ["Samples", "samples_between"]


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of P lines, K at most on each.

    ``cells`` (P, K, 2, 2): the two cells of each sample, the same one twice unless it falls on a common side;
    ``along`` (P, K): how far along the line, as a share; ``held`` (P, K): whether the line has that many samples.
    """

    cells: Cells
    along: Array
    held: NDArray[np.bool_]


def samples_between(grid: HexGrid, starts: ArrayLike, ends: ArrayLike) -> Samples:
    """The cells at each step of the lines from middles (P, 2) to middles (P, 2), the ends left out; exact.

    >>> found = samples_between(HexGrid(100.0), [[0, 0], [0, 0]], [[2, 0], [0, 3]])
    >>> found.cells.tolist()[0][0], found.held.tolist()
    ([[1, -1], [1, 0]], [[True, False], [True, True]])
    """
    first, last = grid.cubes(cells_array(starts)), grid.cubes(cells_array(ends))
    way = last - first
    count = np.abs(way).max(axis=-1, initial=0)
    steps = np.arange(1, max(int(count.max(initial=0)), 1))
    whole = np.maximum(count, 1)[:, None]
    lead = np.abs(way).argmax(axis=-1)
    pick = np.arange(len(lead))
    second = (lead + 1) % 3

    def at(axis: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        scaled = first[pick, axis][:, None] * whole + way[pick, axis][:, None] * steps
        low, rest = np.divmod(scaled, whole)
        return np.asarray(low), np.asarray(rest)

    ahead, _ = at(lead)
    low, rest = at(second)
    cubes = np.empty((len(pick), len(steps), 2, 3), dtype=np.int64)
    for side, up in enumerate((2 * rest > whole, 2 * rest >= whole)):
        beside = low + up
        for axis, value in ((lead, ahead), (second, beside), ((lead + 2) % 3, -ahead - beside)):
            cubes[pick[:, None], np.arange(len(steps))[None, :], side, axis[:, None]] = value
    return Samples(grid.cells_of(cubes), steps / whole, steps < whole)
