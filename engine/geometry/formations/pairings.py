"""Matching two sets as evenly as can be: nobody is left out whom somebody could face, and nobody faces many while
another could take one of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["even_pairs"]

Mask = NDArray[np.bool_]
Group = tuple[tuple[int, ...], tuple[int, ...]]


def even_pairs(touches: Mask) -> tuple[Group, ...]:
    """Groups of one against one, or one against several, of rows and columns that touch (n, m).

    As many rows and columns as possible are matched one to one; the rest join an opponent that they touch, so that
    the sizes of the groups have the least sum of squares. Of equals the first in order is taken; groups come in the
    order of their first row. Who touches nobody is in no group.

    >>> even_pairs(np.array([[True, False], [True, True], [False, True]]))
    (((0,), (0,)), ((1, 2), (1,)))
    """
    column_of = _matching(touches)
    rows = {row: [column] for column, row in column_of.items()}
    matched = set(column_of)
    facing: dict[int, list[int]] = {column: [row] for column, row in column_of.items()}
    for row in range(touches.shape[0]):
        if row not in rows and touches[row].any():
            _join(facing, row, touches)
    sides: dict[int, list[int]] = rows
    for column in range(touches.shape[1]):
        if column not in matched and touches[:, column].any():
            _join(sides, column, touches.T)
    groups: list[Group] = [
        (tuple(sorted(facing[column])), (column,)) for column in facing if len(facing[column]) > 1
    ]
    several = {row for found, _ in groups for row in found}
    groups += [((row,), tuple(sorted(columns))) for row, columns in sides.items() if row not in several]
    return tuple(sorted(groups))


def _matching(touches: Mask) -> dict[int, int]:
    """A largest matching one to one: the row of each matched column, by augmenting paths in order."""
    row_of: dict[int, int] = {}

    def placed(row: int, tried: set[int]) -> bool:
        for column in np.flatnonzero(touches[row]).tolist():
            if column in tried:
                continue
            tried.add(column)
            if column not in row_of or placed(row_of[column], tried):
                row_of[column] = row
                return True
        return False

    for row in range(touches.shape[0]):
        placed(row, set())
    return row_of


def _join(groups: dict[int, list[int]], member: int, touches: Mask) -> None:
    """Lets a member join the group that ends up smallest, others making room along a chain where that helps.

    ``groups`` holds the members of each hub, ``touches`` (members, hubs); a group never loses its last member.
    """
    before: dict[int, tuple[int, int] | None] = {
        hub: None for hub in np.flatnonzero(touches[member]).tolist() if hub in groups
    }
    queue = list(before)
    for hub in queue:
        for other in groups[hub]:
            for next_hub in np.flatnonzero(touches[other]).tolist():
                if next_hub in groups and next_hub not in before:
                    before[next_hub] = (hub, other)
                    queue.append(next_hub)
    end = min(queue, key=lambda hub: len(groups[hub]))
    while (step := before[end]) is not None:
        hub, other = step
        groups[hub].remove(other)
        groups[end].append(other)
        end = hub
    groups[end].append(member)
