"""Intervals over sorted targets: which one of those that cover a target has the least key, for all at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["NONE", "Keys", "least_covering", "places"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Keys = NDArray[np.int64]

#: The key of a target that no interval covers.
NONE = np.iinfo(np.int64).max


def places(angle: Array, low: Array, high: Array) -> tuple[Index, Index]:
    """From where to where (n, k), (n, k) among sorted angles (n, m) intervals reach.

    Ends of intervals go round: a high end beyond pi gives a place of m and more.
    """
    rows, count = angle.shape
    row = np.arange(rows)[:, None]
    shift = 16.0 * row
    flat = (angle + shift).ravel()
    base = row * count
    begin = np.searchsorted(flat, low + shift, "left") - base
    round_again = high > np.pi
    empty = ~(high >= low)
    end = np.searchsorted(flat, np.where(empty, low, high - 2 * np.pi * round_again) + shift, "right") - base
    end = np.where(empty, begin, np.minimum(end + count * round_again, begin + count))
    return begin, end


def least_covering(begin: Index, end: Index, key: Keys, count: int) -> Keys:
    """(n, m) for each of ``count`` places in each row the least key of the intervals (n, k) that cover it.

    >>> begin, end = np.array([[0, 1, 3]]), np.array([[3, 2, 5]])
    >>> found = least_covering(begin, end, np.array([[7, 5, 6]]), 4)
    >>> found.tolist()  # the last goes round and covers place 0 too
    [[6, 5, 7, 6]]
    """
    rows = begin.shape[0]
    kept = np.flatnonzero(end > begin)
    row = kept // max(begin.shape[1], 1)
    start, stop, keys = begin.ravel()[kept], end.ravel()[kept], key.ravel()[kept]
    over = np.flatnonzero(stop > count)
    row = np.concatenate([row, row[over]])
    keys = np.concatenate([keys, keys[over]])
    begins = np.concatenate([start, np.maximum(start[over] - count, 0)])
    ends = np.concatenate([np.minimum(stop, count), stop[over] - count])
    some = ends > begins
    row, keys, begins, ends = row[some], keys[some], begins[some], ends[some]
    levels = max(int(count).bit_length(), 1)
    logs = np.log2(np.maximum(np.arange(count + 1), 1)).astype(np.intp)
    level = logs[ends - begins]
    table = np.full((levels, rows, count), NONE, dtype=np.int64)
    flat = table.reshape(-1)
    at = (level * rows + row) * count
    np.minimum.at(flat, at + begins, keys)
    np.minimum.at(flat, at + ends - (1 << level), keys)
    for number in range(levels - 1, 0, -1):
        upper, lower, half = table[number], table[number - 1], 1 << (number - 1)
        np.minimum(lower, upper, out=lower)
        np.minimum(lower[:, half:], upper[:, :-half], out=lower[:, half:])
    found: Keys = table[0]
    return found
