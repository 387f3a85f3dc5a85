"""Lines over hexes that lie at different levels: how high they run at each step, and what rises above them.

Heights are in whatever unit the levels are; the line runs straight from one height to the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.geometry.grids.hexes import HexGrid

__all__ = ["heights_along", "stops_at"]

Cell = tuple[int, int]

#: Sums of fractions that are equal on paper.
_EQUAL = 1e-9


def heights_along(
    grid: HexGrid, start: Sequence[int], end: Sequence[int], start_height: float, end_height: float
) -> list[tuple[tuple[Cell, ...], float]]:
    """The cells at each step of the line from middle to middle, as `HexGrid.samples`, and how high it runs there.

    >>> heights_along(HexGrid(100.0), (0, 0), (0, 4), 0, 2)
    [(((0, 1),), 0.5), (((0, 2),), 1.0), (((0, 3),), 1.5)]
    >>> heights_along(HexGrid(100.0), (0, 0), (0, 1), 0, 2)
    []
    """
    steps = grid.samples(start, end)
    count = len(steps) + 1
    return [
        (cells, (start_height * (count - number) + end_height * number) / count)
        for number, cells in enumerate(steps, start=1)
    ]


def stops_at(
    grid: HexGrid,
    start: Sequence[int],
    end: Sequence[int],
    start_height: float,
    end_height: float,
    top: Callable[[Cell], float],
) -> tuple[Cell, ...] | None:
    """The cells of the first step at which what stands there rises above the line; None where nothing does.

    ``top`` tells how high each cell reaches. What is as high as the line does not stop it; on a side that two cells
    share both must.

    >>> hill = {(0, 2): 1.0}
    >>> over = lambda cell: hill.get(cell, 0.0)
    >>> stops_at(HexGrid(100.0), (0, 0), (0, 4), 0, 0, over), stops_at(HexGrid(100.0), (0, 0), (0, 4), 1, 1, over)
    (((0, 2),), None)
    """
    for cells, height in heights_along(grid, start, end, start_height, end_height):
        if all(top(cell) > height + _EQUAL for cell in cells):
            return cells
    return None
