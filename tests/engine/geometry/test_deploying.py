"""Bodies laid out at an edge keep clear of everybody, stay on the table and face it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.bases import bases_of, gaps
from engine.geometry.deploying import laid_out
from engine.records.game import Figure, Rect, Round, TableArea

TABLE = TableArea(width_mm=1200.0, depth_mm=900.0)
FACING = {"south": 0.0, "north": 180.0, "west": 90.0, "east": 270.0}
edges = st.sampled_from(sorted(FACING))
shapes = st.sampled_from(
    [Round(diameter_mm=25.0), Rect(width_mm=40.0, depth_mm=20.0), Rect(width_mm=25.0, depth_mm=50.0)]
)
bodies = st.tuples(shapes, st.integers(1, 12), st.integers(1, 3), st.sampled_from([0.0, 25.0]))


def _bases(figures: list[Figure]):
    return bases_of(
        [(f.x_mm, f.y_mm) for f in figures], [f.base for f in figures], [f.bearing_deg for f in figures]
    )


@given(edges, st.lists(bodies, max_size=5))
def test_bodies_stand_clear_of_each_other_on_the_table(edge, some) -> None:
    taken: list[Figure] = []
    for number, (base, count, ranks, gap) in enumerate(some):
        spots = laid_out(count, base, edge, TABLE, taken, gap_mm=gap, ranks=ranks)
        assert spots is not None
        assert len(spots) == count
        assert {spot[2] for spot in spots} == {FACING[edge]}
        figures = [
            Figure(id=f"{number}-{n}", x_mm=x, y_mm=y, bearing_deg=bearing, base=base)
            for n, (x, y, bearing) in enumerate(spots)
        ]
        new = _bases(figures)
        for way, most in (((1.0, 0.0), 1200.0), ((0.0, 1.0), 900.0), ((-1.0, 0.0), 0.0), ((0.0, -1.0), 0.0)):
            assert (new.support(np.array(way)) <= most + 1e-6).all()
        if taken:
            assert (gaps(new, _bases(taken)) > 0).all()
        taken += figures


@pytest.mark.parametrize("edge", sorted(FACING))
def test_a_line_stands_base_to_base_on_the_edge(edge) -> None:
    spots = laid_out(3, Round(diameter_mm=25.0), edge, TABLE, [])
    assert spots is not None
    line = bases_of([spot[:2] for spot in spots], [Round(diameter_mm=25.0)] * 3, [0.0] * 3)
    assert gaps(line, line)[0].round(9).tolist() == [0.0, 0.0, 25.0]


def test_where_there_is_no_room_nobody_is_laid_out() -> None:
    assert laid_out(100, Round(diameter_mm=25.0), "south", TABLE, []) is None
