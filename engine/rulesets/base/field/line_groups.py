"""Lines from the same figures to several groups of others, told apart group by group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["by_group"]

Index = NDArray[np.intp]


def by_group(line: Index, sizes: Sequence[int]) -> list[tuple[Index, Index]]:
    """Lines (t,) of a table of figures against others that stand group by group, so many in each: for each group
    which of the lines lead there, in their order, and their numbers in the table of that group alone.

    >>> found = by_group(np.array([0, 4, 1, 2]), [1, 2])
    >>> [(which.tolist(), line.tolist()) for which, line in found]
    [([0], [0]), ([1, 2, 3], [2, 0, 1])]
    """
    count = np.array(sizes, dtype=np.intp)
    ends = np.cumsum(count)
    row, column = np.divmod(line, max(int(count.sum()), 1))
    group = np.searchsorted(ends, column, side="right")
    order = np.argsort(group, kind="stable")
    group, row, column = group[order], row[order], column[order]
    alone = row * count[group] + column - (ends - count)[group]
    cuts = np.searchsorted(group, np.arange(1, len(count)))
    return list(zip(np.split(order, cuts), np.split(alone, cuts), strict=True))
