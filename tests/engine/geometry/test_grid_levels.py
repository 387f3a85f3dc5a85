"""Lines over hexes of several levels, against points laid along the line one by one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.grids import HexGrid
from engine.geometry.grids.levels import heights_along, stops_at

Cell = tuple[int, int]
CELLS = st.tuples(st.integers(0, 9), st.integers(0, 9))
LEVELS = st.integers(0, 4)
TOPS = st.sampled_from(["flat", "pointed"])


def beside(grid: HexGrid, point: np.ndarray[tuple[int], np.dtype[np.float64]]) -> set[Cell]:
    """The hexes that a point lies in: those of points about it, farther off than comparisons allow for."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False) + 0.01
    around = point + 1e-2 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return {(int(c), int(r)) for c, r in grid.cells_at(around)}


def oracle(grid: HexGrid, start: Cell, end: Cell, low: int, high: int, top: dict[Cell, int]) -> set[Cell] | None:
    count = int(grid.distances(start, end))
    first, last = grid.centres([start, end])
    for number in range(1, count):
        there = beside(grid, first + (last - first) * number / count)
        height = low + Fraction((high - low) * number, count)
        if all(top.get(cell, 0) > height for cell in there):
            return there
    return None


@given(CELLS, CELLS, LEVELS, LEVELS, st.dictionaries(CELLS, LEVELS, max_size=40), TOPS)
def test_the_first_step_that_rises_above_the_line(
    start: Cell, end: Cell, low: int, high: int, top: dict[Cell, int], kind: str
) -> None:
    grid = HexGrid(50.0, top="flat" if kind == "flat" else "pointed")
    found = stops_at(grid, start, end, low, high, lambda cell: top.get(cell, 0))
    assert (None if found is None else set(found)) == oracle(grid, start, end, low, high, top)


@given(CELLS, CELLS, LEVELS, LEVELS)
def test_from_the_other_end_the_line_runs_as_high(start: Cell, end: Cell, low: int, high: int) -> None:
    there = heights_along(HexGrid(50.0), start, end, low, high)
    back = heights_along(HexGrid(50.0), end, start, high, low)
    assert [cells for cells, _ in there] == [cells for cells, _ in back[::-1]]
    assert [height for _, height in there] == pytest.approx([height for _, height in back[::-1]])


def test_neighbours_and_the_same_hex_have_nothing_between_them() -> None:
    grid = HexGrid(50.0)
    assert stops_at(grid, (2, 2), (2, 3), 0, 0, lambda _: 9) is None
    assert stops_at(grid, (2, 2), (2, 2), 0, 0, lambda _: 9) is None
