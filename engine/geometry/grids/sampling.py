"""The cells along many lines at once, as `HexGrid.samples` has them for one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.grids.frame import Array, Cells, cells_array
from engine.geometry.grids.hexes import HexGrid

__all__ = ["Samples", "samples_between"]

#: By which cube coordinate leads: what it and the next one, times these, add to the first two coordinates.
_FIRST = np.array([[1, 0], [-1, -1], [0, 1]])
_SECOND = np.array([[0, 1], [1, 0], [-1, -1]])


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of some lines, N in all, those of each line in order and one after the other.

    ``line`` (N,): which line a sample is on; ``cells`` (2, N, 2): the two cells of each, the same one twice unless
    it falls on a common side; ``along`` (N,): how far along the line, as a share.
    """

    line: NDArray[np.int64]
    cells: Cells
    along: Array


def samples_between(grid: HexGrid, starts: ArrayLike, ends: ArrayLike) -> Samples:
    """The cells at each step of the lines from middles (P, 2) to middles (P, 2), the ends left out; exact.

    >>> found = samples_between(HexGrid(100.0), [[0, 0], [0, 0]], [[2, 0], [0, 3]])
    >>> found.line.tolist(), found.cells.tolist()
    ([0, 1, 1], [[[1, -1], [0, 1], [0, 2]], [[1, 0], [0, 1], [0, 2]]])
    """
    first, last = grid.cubes(cells_array(starts)), grid.cubes(cells_array(ends))
    way = last - first
    count = np.abs(way).max(axis=-1, initial=0)
    each = np.maximum(count - 1, 0)
    line = np.repeat(np.arange(len(each)), each)
    step = np.arange(1, len(line) + 1) - np.repeat(np.cumsum(each) - each, each)
    lead, pick = np.abs(way).argmax(axis=-1), np.arange(len(each))
    second = (lead + 1) % 3
    whole = count[line]
    ahead = first[pick, lead][line] + np.sign(way[pick, lead])[line] * step
    # the second coordinate in halves of a step and half more: to the nearest whole one, and halves both ways
    halves = 2 * (first[pick, second][line] * whole + way[pick, second][line] * step) + whole
    up, rest = np.divmod(halves, 2 * whole)
    by_lead = lead[line]
    cells = [_cells(grid, ahead, beside, by_lead) for beside in (up - (rest == 0), up)]
    return Samples(line, np.stack(cells), step / whole)


def _cells(grid: HexGrid, ahead: Cells, beside: Cells, lead: Cells) -> Cells:
    """The cells (N, 2) of which the leading cube coordinates (N,) and the next ones (N,) are known."""
    across = _FIRST[lead, 0] * ahead + _FIRST[lead, 1] * beside
    up = _SECOND[lead, 0] * ahead + _SECOND[lead, 1] * beside
    return grid.cells_of(np.stack([across, up], axis=-1))
