"""Lines over hexes taken many at a time go through the same cells as one at a time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.grids import HexGrid
from engine.geometry.grids.sampling import samples_between

cells = st.tuples(st.integers(-6, 30), st.integers(-6, 30))


@given(st.sampled_from(["flat", "pointed"]), st.lists(st.tuples(cells, cells), min_size=1, max_size=12))
def test_many_lines_sample_the_cells_that_each_line_samples(top, pairs):
    grid = HexGrid(100.0, top=top)
    starts, ends = zip(*pairs, strict=True)
    found = samples_between(grid, starts, ends)
    for number, (start, end) in enumerate(pairs):
        expected = grid.samples(start, end)
        held = [k for k, line in enumerate(found.line) if line == number]
        got = [tuple(sorted({tuple(cell) for cell in found.cells[:, k].tolist()})) for k in held]
        assert got == expected
        steps = [round(found.along[k] * (len(expected) + 1)) for k in held]
        assert steps == list(range(1, len(expected) + 1))
