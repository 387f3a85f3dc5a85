"""Each value once. numpy tells it too, but loads its masked arrays for that: a short command would feel it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["distinct", "distinct_rows"]


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """(k,) the different values of an array, in rising order.

    >>> distinct(np.array([3, 1, 3])).tolist(), distinct(np.zeros(0)).tolist()
    ([1, 3], [])
    """
    ordered = np.sort(values, axis=None)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def distinct_rows(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k, 2) the different ones of points (n, 2), ordered by x, then y.

    >>> distinct_rows(np.array([[3.0, 1.0], [2.0, 5.0], [3.0, 1.0]])).tolist()
    [[2.0, 5.0], [3.0, 1.0]]
    """
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered[first]
