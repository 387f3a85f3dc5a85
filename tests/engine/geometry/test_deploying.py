"""Bodies laid out at an edge keep clear of everybody, stay on the table and face it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.moving.deploying import beside, laid_out
from engine.geometry.shapes.bases import bases_of, gaps
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


@given(st.sampled_from(["left", "right", "behind"]), st.floats(0, 360), bodies, bodies)
def test_a_body_carries_on_the_line_on_a_flank_or_stands_behind_it(where, bearing, first, second) -> None:
    (base, count, *_), (other, number, deep, space) = first, second
    wide = TableArea(width_mm=9000.0, depth_mm=9000.0)
    spots = [(4500 + 40 * n, 4500.0, bearing) for n in range(count)]
    line = [Figure(id=f"{n}", x_mm=x, y_mm=y, bearing_deg=b, base=base) for n, (x, y, b) in enumerate(spots)]
    found = beside(line, where, number, other, wide, line, gap_mm=space, ranks=deep)
    assert found is not None
    new = _bases(
        [Figure(id=f"n{n}", x_mm=x, y_mm=y, bearing_deg=b, base=other) for n, (x, y, b) in enumerate(found)]
    )
    old, turn = _bases(line), np.radians(bearing)
    ahead, right = np.array([np.sin(turn), np.cos(turn)]), np.array([np.cos(turn), -np.sin(turn)])
    assert gaps(new, old).min() > 5.0
    off = {"left": (-right, right), "right": (right, -right), "behind": (-ahead, ahead)}[where]
    assert -new.support(off[1]).max() == pytest.approx(old.support(off[0]).max() + 6.0)
    if where != "behind":
        assert new.support(ahead).max() == pytest.approx(old.support(ahead).max())


@pytest.mark.parametrize(("where", "fits"), [("left", True), ("right", False), ("behind", False)])
def test_nobody_is_put_off_the_table_or_onto_others(where, fits) -> None:
    line = [Figure(id="a", x_mm=1180, y_mm=500, bearing_deg=0, base=Round(diameter_mm=25))]
    friend = Figure(id="b", x_mm=1180, y_mm=460, bearing_deg=0, base=Round(diameter_mm=25))
    found = beside(line, where, 2, Round(diameter_mm=25), TABLE, [*line, friend])
    assert (found is not None) is fits


def test_a_line_that_faces_no_way_is_not_carried_on() -> None:
    line = [Figure(id="a", x_mm=600, y_mm=500, base=Round(diameter_mm=25))]
    assert beside(line, "left", 2, Round(diameter_mm=25), TABLE, line) is None
