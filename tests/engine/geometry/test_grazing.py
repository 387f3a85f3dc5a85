"""How surely a line goes through cells, against lines that are shifted until they do or do not."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from engine.geometry.grids import HexGrid, SquareGrid
from engine.geometry.grids.frame import Array
from engine.geometry.grids.grazing import grazing

GRIDS = [SquareGrid(152.4, origin_mm=(7.0, -3.0)), SquareGrid(100.0, turn_deg=17.0), HexGrid(100.0)]


def _through(outline: Array, start: Array, end: Array, shift: float) -> bool:
    """Whether the line through two points, shifted to its left, runs through an outline."""
    way = (end - start) / np.hypot(*(end - start))
    begin = start + shift * np.array([-way[1], way[0]])
    line = shapely.LineString([begin - 2000.0 * way, begin + 2000.0 * way])
    return bool(line.intersection(shapely.Polygon(outline)).length > 1e-9)


@pytest.mark.parametrize("grid", GRIDS)
def test_a_line_goes_through_a_cell_or_not_until_it_is_shifted_so_far(grid: SquareGrid | HexGrid) -> None:
    draw = np.random.default_rng(4)
    cells = np.stack(np.meshgrid(np.arange(-2, 8), np.arange(-2, 8)), axis=-1).reshape(-1, 2)
    outlines = grid.outlines(cells)
    for _ in range(40):
        start, end = draw.uniform(0.0, 600.0, (2, 2))
        found = grazing(outlines, start, end)
        for outline, crosses, shift in zip(outlines, found.through, found.shift_mm, strict=True):
            assert _through(outline, start, end, 0.0) is bool(crosses)
            less, more = [
                {_through(outline, start, end, sign * shift * part) for sign in (-1, 1)} for part in (0.99, 1.01)
            ]
            assert less == {bool(crosses)}
            assert (not crosses) in more


def test_where_along_the_line_the_corner_lies_is_told() -> None:
    square = np.array([[[100.0, 0.0], [200.0, 0.0], [200.0, 90.0], [100.0, 90.0]]])
    found = grazing(square, (0.0, 0.0), (400.0, 400.0))
    assert found.through.tolist() == [False]
    assert found.shift_mm == pytest.approx([10.0 / np.sqrt(2)])
    assert found.share == pytest.approx([95.0 / 400.0])
