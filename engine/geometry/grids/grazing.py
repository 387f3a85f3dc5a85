"""How surely straight lines go through cells: how far they would have to shift for that to be otherwise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.grids.frame import Array
from engine.geometry.plane.tolerance import MM

__all__ = ["Grazing", "grazing"]


@dataclass(frozen=True, eq=False)
class Grazing:
    """How a line runs by ``n`` convex outlines.

    Whether ``through`` their insides (0.001 mm allowed), how far in mm it would have to shift square to itself for
    that to change, and at which share (0 to 1) of its length the corner lies that it would shift past.
    """

    through: NDArray[np.bool_]
    shift_mm: Array
    share: Array


def grazing(outlines: ArrayLike, start: ArrayLike, end: ArrayLike) -> Grazing:
    """How the line through two table points (2,) runs by convex outlines (n, k, 2), such as cells between them.

    >>> found = grazing([[[100, 100], [200, 100], [200, 200], [100, 200]]], [0, 0], [300, 300])
    >>> found.through.tolist(), found.shift_mm.round(2).tolist(), found.share.round(2).tolist()
    ([True], [70.71], [0.5])
    >>> found = grazing([[[100, 0], [200, 0], [200, 100], [100, 100]]], [0, 0], [300, 300])
    >>> found.through.tolist(), found.shift_mm.round(6).tolist()
    ([False], [0.0])
    """
    corners, begin = np.asarray(outlines, dtype=float), np.asarray(start, dtype=float)
    way = np.asarray(end, dtype=float) - begin
    length = float(np.hypot(*way))
    along = way / length if length else np.array([0.0, 1.0])
    aside = (corners - begin) @ np.array([-along[1], along[0]])
    left, right = aside.max(axis=1), -aside.min(axis=1)
    through = (left > MM) & (right > MM)
    corner = np.where(
        through, np.where(left < right, aside.argmax(axis=1), aside.argmin(axis=1)), np.abs(aside).argmin(axis=1)
    )
    rows = np.arange(len(corners))
    share = (corners - begin)[rows, corner] @ along / (length or 1.0)
    return Grazing(through, np.abs(aside[rows, corner]), np.clip(share, 0.0, 1.0))
