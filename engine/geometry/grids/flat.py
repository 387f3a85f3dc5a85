"""Flat-topped hexes one at a time, in plain whole numbers: for rules that ask one short question after another.

The cells are those of a `HexGrid` with a flat top: odd columns stand half a hex farther away. Directions are
numbered clockwise from 0, straight away; facing k points at the vertex between the directions k and k + 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

__all__ = ["around", "beyond", "direction_between", "faces", "parts", "steps_apart"]

Cell = tuple[int, int]

_STEPS = (
    ((0, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0)),
    ((0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1)),
)


def beyond(cell: Cell, direction: int) -> Cell:
    """The cell beyond a side; the bounds of a grid are not asked.

    >>> beyond((4, 4), 1), beyond((5, 4), 1)
    ((5, 4), (6, 5))
    """
    column, row = cell
    across, up = _STEPS[column & 1][direction % 6]
    return column + across, row + up


def around(cell: Cell) -> tuple[Cell, ...]:
    """The six cells beside a cell, clockwise from the one straight away.

    >>> around((0, 0))
    ((0, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))
    """
    column, row = cell
    return tuple((column + across, row + up) for across, up in _STEPS[column & 1])


def direction_between(cell: Cell, other: Cell) -> int | None:
    """The direction in which a neighbour lies; None where they are none.

    >>> direction_between((4, 4), (5, 4)), direction_between((4, 4), (4, 6))
    (1, None)
    """
    offset = (other[0] - cell[0], other[1] - cell[1])
    steps = _STEPS[cell[0] & 1]
    return steps.index(offset) if offset in steps else None


def steps_apart(cell: Sequence[int], other: Sequence[int]) -> int:
    """How many steps lie between two cells.

    >>> steps_apart((0, 0), (3, 1)), steps_apart((4, 4), (4, 4))
    (3, 0)
    """
    across = other[0] - cell[0]
    up = other[1] - (other[0] >> 1) - cell[1] + (cell[0] >> 1)
    # of across, up and their sum it is the greatest: the sum where both go one way
    return abs(across + up) if (across >= 0) == (up >= 0) else max(abs(across), abs(up))


def parts(cell: Sequence[int], facing: int, other: Sequence[int]) -> tuple[int, int]:
    """How many steps through the left and the right frontal side lead from a cell to another; less than 0: back.

    >>> parts((4, 4), 0, (5, 5)), parts((4, 4), 3, (5, 5))
    ((1, 1), (-1, -1))
    """
    q = other[0] - cell[0]
    s = other[1] - (other[0] >> 1) - cell[1] + (cell[0] >> 1)
    t = -q - s
    return ((s, q), (-t, -s), (q, t), (-s, -q), (t, s), (-q, -t))[facing % 6]


def faces(cell: Sequence[int], facing: int, other: Sequence[int], arc: Literal["cone", "wedge"] = "cone") -> bool:
    """Whether another cell lies in the arc of a facing, as `engine.geometry.grids.facings.in_arc` has it.

    >>> faces((4, 4), 1, (6, 4)), faces((4, 4), 1, (4, 6)), faces((4, 4), 1, (4, 4))
    (True, False, False)
    """
    left, right = parts(cell, facing, other)
    if left == 0 and right == 0:
        return False
    if arc == "cone":
        return left >= 0 and right >= 0
    return 2 * left + right >= 0 and left + 2 * right >= 0
