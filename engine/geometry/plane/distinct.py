"""Each value once. numpy tells it too, but loads its masked arrays for that: a short command would feel it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["distinct", "distinct_rows", "first_of_rows", "numbered", "runs", "without_repeats"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """(k,) the different values of an array, in rising order.

    >>> distinct(np.array([3, 1, 3])).tolist(), distinct(np.zeros(0)).tolist()
    ([1, 3], [])
    """
    ordered = np.sort(values, axis=None)
    return ordered[_fresh(ordered)]


def distinct_rows(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k, c) the different ones of rows (n, c), ordered by their first entry, then the next.

    >>> distinct_rows(np.array([[3.0, 1.0], [2.0, 5.0], [3.0, 1.0]])).tolist()
    [[2.0, 5.0], [3.0, 1.0]]
    """
    return points[first_of_rows(points)]


def first_of_rows(rows: NDArray[Any]) -> Index:
    """(k,) where each of the different ones of rows (n, c) stands first, in the order of `distinct_rows`.

    >>> first_of_rows(np.array([[3, 1], [2, 5], [3, 1]])).tolist()
    [1, 0]
    """
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return order[first]


def runs(ordered: NDArray[Any]) -> Index:
    """(k,) where each run of equal values of an array (n,) begins.

    >>> runs(np.array([4, 4, 7, 9, 9])).tolist()
    [0, 2, 3]
    """
    return np.flatnonzero(_fresh(ordered))


def numbered(values: NDArray[Any]) -> Index:
    """(n,) the number of each value among the different ones in rising order.

    >>> numbered(np.array([30, 10, 30, 20])).tolist()
    [2, 0, 2, 1]
    """
    order = np.argsort(values, kind="stable")
    number = np.empty(len(order), dtype=np.intp)
    number[order] = np.cumsum(_fresh(values[order])) - 1
    return number


def without_repeats(points: NDArray[np.float64], *, closed: bool) -> NDArray[np.float64]:
    """(k, c) points without those that repeat the one before; in a ring also the last where it repeats the first.

    >>> without_repeats(np.array([[1.0], [1.0], [2.0], [1.0]]), closed=True).ravel().tolist()
    [1.0, 2.0]
    """
    if len(points) < 2:
        return points
    kept = np.concatenate([[True], (points[1:] != points[:-1]).any(axis=1)])
    points = points[kept]
    return points[:-1] if closed and len(points) > 1 and (points[0] == points[-1]).all() else points


def _fresh(ordered: NDArray[Any]) -> Mask:
    """(n,) whether each value of an array is another than the one before."""
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return first
