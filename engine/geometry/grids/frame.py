"""The grid's own frame: table points seen from the grid's origin, with its turn taken out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "Bounds", "Cells", "cells_array", "from_table", "to_table"]

Array = NDArray[np.float64]
Cells = NDArray[np.int64]


class Bounds:
    """How many cells a grid has: ``columns`` and ``rows``; None: it goes on for ever."""

    columns: int | None
    rows: int | None

    def holds(self, cell: Sequence[int]) -> bool:
        """Whether one cell is within the grid's bounds."""
        column, row = cell
        wide = self.columns is None or column < self.columns
        return column >= 0 and row >= 0 and wide and (self.rows is None or row < self.rows)

    def contains(self, cells: ArrayLike) -> NDArray[np.bool_]:
        """Whether cells (..., 2) are within the grid's bounds."""
        cells = cells_array(cells)
        inside = (cells >= 0).all(axis=-1)
        for axis, count in enumerate((self.columns, self.rows)):
            if count is not None:
                inside &= cells[..., axis] < count
        return np.asarray(inside)


def to_table(local: Array, origin_mm: tuple[float, float], turn_deg: float) -> Array:
    """Table points (..., 2) of points (..., 2) in the grid's frame.

    >>> to_table(np.array([0.0, 10.0]), (100.0, 0.0), 90.0).round(6).tolist()
    [110.0, 0.0]
    """
    sine, cosine = _turn(turn_deg)
    x, y = local[..., 0], local[..., 1]
    return np.stack([origin_mm[0] + x * cosine + y * sine, origin_mm[1] - x * sine + y * cosine], axis=-1)


def from_table(points: ArrayLike, origin_mm: tuple[float, float], turn_deg: float) -> Array:
    """Points (..., 2) in the grid's frame of table points (..., 2).

    >>> from_table([110.0, 0.0], (100.0, 0.0), 90.0).round(6).tolist()
    [0.0, 10.0]
    """
    sine, cosine = _turn(turn_deg)
    away = np.asarray(points, dtype=float) - origin_mm
    x, y = away[..., 0], away[..., 1]
    return np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=-1)


def cells_array(cells: ArrayLike) -> Cells:
    """Cells as an array (..., 2) of whole numbers. Raises ValueError for another shape or for fractions."""
    given = np.asarray(cells)
    if given.shape[-1:] != (2,) or not np.array_equal(given, np.floor(given)):
        raise ValueError(f"expected cells (..., 2) of whole columns and rows, got {given!r}")
    return given.astype(np.int64)


def _turn(turn_deg: float) -> tuple[float, float]:
    if turn_deg == 0:
        return 0.0, 1.0
    angle = np.radians(turn_deg)
    return float(np.sin(angle)), float(np.cos(angle))
