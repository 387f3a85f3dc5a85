"""Which way a base on a hex looks: its vertex, its front, flank and rear sides, and the hexes in its arc."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdicts, settled
from engine.geometry.grids.frame import Array, Cells
from engine.geometry.grids.hexes import STEPS, HexGrid
from engine.geometry.plane.directions import off
from engine.geometry.plane.tolerance import DEG

__all__ = ["ARCS", "Facing", "arc_of", "facing_at", "in_arc", "side_zone"]

#: ``cone``: what steps through both frontal sides reach, n + 1 hexes at n steps; ``wedge``: all within 60 degrees.
ARCS = ("cone", "wedge")
Arc = Literal["cone", "wedge"]
Zone = Literal["front", "flank", "rear"]


@dataclass(frozen=True)
class Facing:
    """A vertex of a hex, 0 to 5 clockwise; vertex k lies between the sides k and k + 1, the frontal ones.

    ``settled`` is a verdict: BORDERLINE where the bearing may as well point at a neighbouring vertex.
    """

    vertex: int
    off_deg: float
    settled: int

    @property
    def frontal(self) -> tuple[int, int]:
        """The two frontal sides."""
        return self.vertex, (self.vertex + 1) % 6


def vertex_bearings_deg(grid: HexGrid) -> Array:
    """(6,) the bearings of the vertices; for flat tops 30, 90, 150, 210, 270, 330."""
    bearings: Array = (grid.side_bearings_deg + 30.0) % 360.0
    return bearings


def facing_at(grid: HexGrid, bearing_deg: float, sigma_deg: float = 0.0) -> Facing:
    """The vertex nearest to a bearing; of two equally near the clockwise one.

    >>> facing_at(HexGrid(100.0), 75.0)
    Facing(vertex=1, off_deg=15.0, settled=2)
    >>> facing_at(HexGrid(100.0), 61.0, sigma_deg=2.0).settled
    1
    """
    away = off(vertex_bearings_deg(grid), np.array(bearing_deg))
    near = np.flatnonzero(away <= away.min() + DEG)
    vertex = int(near[0] if len(near) == 1 or set(near) == {0, 5} else near[-1])
    margin = 30.0 - float(away[vertex])
    verdict = settled(True, sigma_deg > 0 and abs(margin) <= 2 * sigma_deg)
    return Facing(vertex, round(float(away[vertex]), 9), int(verdict))


def arc_of(grid: HexGrid, cell: ArrayLike, vertex: int, reach: int) -> Cells:
    """The cells (n, 2) within ``reach`` steps in the cone of a facing, nearest first; bounds are not asked.

    >>> len(arc_of(HexGrid(100.0), (5, 5), 0, 3))
    9
    """
    one = np.asarray(grid.cubes(grid.neighbour(cell, vertex)) - grid.cubes(cell))
    other = np.asarray(grid.cubes(grid.neighbour(cell, vertex + 1)) - grid.cubes(cell))
    pairs = [(n - b, b) for n in range(1, reach + 1) for b in range(n + 1)]
    return grid.cells_of([grid.cubes(cell) + a * one + b * other for a, b in pairs])


def in_arc(grid: HexGrid, cells: ArrayLike, vertices: ArrayLike, others: ArrayLike, arc: Arc = "cone") -> Verdicts:
    """Whether other cells (..., 2) lie in the arcs of cells (..., 2) that face vertices (...,); shapes broadcast.

    A cell is not in its own arc. Grids are exact: the verdicts are yes or no. Raises ValueError for an unknown arc.

    >>> in_arc(HexGrid(100.0), [5, 5], [0], [[5, 7], [5, 3], [4, 6]]).tolist()
    [2, 0, 0]
    >>> in_arc(HexGrid(100.0), [5, 5], [0], [[4, 7], [4, 6]], "wedge").tolist()
    [2, 0]
    """
    if arc not in ARCS:
        raise ValueError(f"expected an arc of {', '.join(ARCS)}, got {arc!r}")
    away = grid.cubes(others) - grid.cubes(cells)
    vertices = np.asarray(vertices, dtype=np.int64) % 6
    first, second = _parts(away, vertices)
    here = (away == 0).all(axis=-1)
    if arc == "cone":
        return settled(~here & (first >= 0) & (second >= 0))
    # within 60 degrees of the vertex's bearing: not behind either line through the middle along the flank vertices
    return settled(~here & (2 * first + second >= 0) & (first + 2 * second >= 0))


def side_zone(vertex: int, side: int) -> Zone:
    """Whether a side of a hex is frontal, a flank or rear to a facing.

    >>> [side_zone(0, side) for side in range(6)]
    ['front', 'front', 'flank', 'rear', 'rear', 'flank']
    """
    turn = (side - vertex) % 6
    return "front" if turn in (0, 1) else "rear" if turn in (3, 4) else "flank"


def _parts(away: Cells, vertices: NDArray[np.int64]) -> tuple[Cells, Cells]:
    """How many steps through the first and the second frontal side make up cube offsets (..., 3)."""
    one, other = STEPS[vertices], STEPS[(vertices + 1) % 6]
    # one x other is 1 for neighbouring steps: Cramer's rule in the first two cube coordinates
    turn = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    first = (away[..., 0] * other[..., 1] - away[..., 1] * other[..., 0]) * turn
    second = (one[..., 0] * away[..., 1] - one[..., 1] * away[..., 0]) * turn
    return np.asarray(first), np.asarray(second)
