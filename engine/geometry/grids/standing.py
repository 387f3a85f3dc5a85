"""Which cell a base stands in, how sure that is, and which others it hangs over into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.geometry.certainty import Verdicts, settled
from engine.geometry.grids.frame import Array, Cells
from engine.geometry.grids.hexes import HexGrid
from engine.geometry.grids.squares import SquareGrid
from engine.geometry.plane import lines
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, from_rect

__all__ = ["Standing", "stand"]


@dataclass(frozen=True, eq=False)
class Standing:
    """Where ``n`` bases stand.

    ``cell`` (n, 2) holds the centre, which is ``to_edge_mm`` (n,) from its edge; ``next_cell`` (n, 2) is the one
    across the nearest edge; ``settled`` (n,) are verdicts; ``straddled`` are the cells that each base lies over,
    its own among them.
    """

    cell: Cells
    to_edge_mm: Array
    settled: Verdicts
    next_cell: Cells
    straddled: tuple[tuple[tuple[int, int], ...], ...]


def stand(grid: SquareGrid | HexGrid, bases: Bases, sigma_mm: ArrayLike = 0.0) -> Standing:
    """Where bases stand on a grid; BORDERLINE where the centre is within two sigma of an edge.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> there = stand(SquareGrid(100.0), bases_of([(99.5, 50)], [Round(diameter_mm=25)], [0]), 0.5)
    >>> there.cell.tolist(), float(there.to_edge_mm[0]), there.settled.tolist(), there.straddled
    ([[0, 0]], 0.5, [1], (((0, 0), (1, 0)),))
    """
    cells = grid.cells_at(bases.centre)
    sigma = np.broadcast_to(np.asarray(sigma_mm, dtype=float), len(bases))
    corners = grid.outlines(cells)
    to_edge, beyond = _nearest_edge(bases.centre, corners)
    doubtful = (sigma > 0) & (to_edge <= 2 * sigma)
    within = bases.circumradius <= to_edge  # most bases, for which no edge need be looked at
    return Standing(
        cells, to_edge, settled(np.ones(len(bases), dtype=bool), doubtful), grid.cells_at(beyond),
        tuple(
            ((int(cell[0]), int(cell[1])),) if alone else _straddled(grid, bases.pick([k]), cell)
            for k, (cell, alone) in enumerate(zip(cells, within, strict=True))
        ),
    )  # fmt: skip


def _nearest_edge(centres: Array, corners: Array) -> tuple[Array, Array]:
    """How far each centre (n, 2) is from the outline (n, k, 2) of its cell, and a point (n, 2) just across it."""
    if not len(centres):
        return np.zeros(0), np.zeros((0, 2))
    nearest = np.array(
        [
            spots[np.hypot(*(spots - centre).T).argmin()]
            for centre, outline in zip(centres, corners, strict=True)
            for spots in [lines.nearest_on_segments(centre[None], outline, lines.turned(outline))[0]]
        ]
    )
    away = np.hypot(*(nearest - centres).T)
    middles = corners.mean(axis=1)
    outward = nearest - middles
    return away, nearest + outward / np.hypot(*outward.T)[:, None] * 4 * MM


def _straddled(grid: SquareGrid | HexGrid, base: Bases, cell: Cells) -> tuple[tuple[int, int], ...]:
    """The cells that one base lies over by more than a touch: a search outwards from the cell of its centre."""
    open_cells, found = [(int(cell[0]), int(cell[1]))], []
    seen = set(open_cells)
    while open_cells:
        here = open_cells.pop()
        if here != (int(cell[0]), int(cell[1])) and not _overlaps(grid.outlines(here), base):
            continue
        found.append(here)
        for other in grid.neighbours(here, bounded=False):
            if other not in seen:
                seen.add(other)
                open_cells.append(other)
    return tuple(sorted(found))


def _overlaps(outline: Array, base: Bases) -> bool:
    """Whether a base lies over a convex outline (k, 2) by more than 0.001 mm."""
    middle = outline.mean(axis=0)
    shrunk = middle + (outline - middle) * (1 - 2 * MM / np.hypot(*(outline[0] - middle)))
    return bool(from_rect(shrunk, base)[0] <= 0)
