"""Which hexes measured points lie in and how far from the nearest side, for many points at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.geometry.grids.frame import Array, Cells, to_table
from engine.geometry.grids.hexes import HexGrid
from engine.geometry.plane.tolerance import MM

__all__ = ["Placed", "placed"]


@dataclass(frozen=True, eq=False)
class Placed:
    """Where ``n`` points lie: their cells (n, 2), the distance (n,) to the nearest side, and the direction (n,) of
    that side, clockwise from 0."""

    cell: Cells
    to_side_mm: Array
    side: Cells


def placed(grid: HexGrid, points: ArrayLike) -> Placed:
    """Where table points (n, 2) lie; on a side in the lower column, then the lower row (0.001 mm allowed).

    >>> there = placed(HexGrid(100.0), [[57.735, 99.0], [57.735, 100.0]])
    >>> there.cell.tolist(), there.to_side_mm.round(3).tolist(), there.side.tolist()
    ([[0, 0], [0, 0]], [1.0, 0.0], [0, 0])
    """
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    # `cells_at` gives what lies on a side, within the allowance, to the farther cell: twice it back, to the nearer
    cells = grid.cells_at(points - to_table(2 * np.array([MM, MM / 2]), (0.0, 0.0), grid.turn_deg))
    bearings = np.radians(grid.side_bearings_deg)
    outward = np.stack([np.sin(bearings), np.cos(bearings)], axis=-1)
    along = (points - grid.centres(cells)) @ outward.T
    side = along.argmax(axis=1)
    return Placed(cells, grid.size_mm / 2 - along.max(axis=1), side.astype(np.int64))
