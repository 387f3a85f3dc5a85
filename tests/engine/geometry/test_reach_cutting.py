"""Ground that is not covered: whatever is cut, at once or piece by piece, known before or not, is what is left."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.reach import Blockers, bases_as_blockers, joined, outlines_as_blockers
from engine.geometry.reach.areas import on_tables, thinned, unions
from engine.geometry.reach.cutting import cut
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Rect, Round

SPOT = st.tuples(st.integers(-60, 60), st.integers(-60, 60))
BASE = st.sampled_from([Round(diameter_mm=20), Round(diameter_mm=25), Rect(width_mm=20, depth_mm=30)])


@st.composite
def crowds(draw: st.DrawFn) -> Blockers:
    """Figures of a few units, that may overlap, and a rock."""
    men = draw(st.lists(st.tuples(SPOT, BASE, st.sampled_from("abc")), max_size=6))
    bases = bases_of([at for at, *_ in men], [base for _, base, _ in men], [30.0] * len(men))
    x, y = draw(SPOT)
    rock = outlines_as_blockers([[(x, y), (x + 30, y + 4), (x + 20, y + 40)]], ["rock"])
    return joined([bases_as_blockers(bases, [name for *_, name in men]), rock])


def one_by_one(shape: shapely.Geometry, crowd: Blockers, wider_mm: float) -> shapely.Geometry:
    """The oracle: every shape drawn and taken away by itself."""
    for number in sorted(set(crowd.shape.tolist())):
        mine = crowd.shape == number
        ring, size = crowd.start[mine], float(crowd.rounding[mine][0]) + wider_mm
        core = shapely.Polygon(ring) if len(ring) > 2 else shapely.Point(ring[0])
        shape = shape.difference(core.buffer(size, quad_segs=4) if size else core)
    return shape


@pytest.mark.parametrize("wider", [0.0, 12.5])
@given(every=st.lists(crowds(), min_size=1, max_size=3), corner=SPOT)
def test_what_is_cut_together_is_what_is_cut_one_by_one(wider, every, corner):
    shapes = np.array([shapely.box(*corner, corner[0] + 70 + n, corner[1] + 50) for n in range(len(every))])
    left = cut(shapes, [crowd.solids for crowd in every], 4, [wider] * len(every))
    for shape, crowd, found in zip(shapes, every, left, strict=True):
        expected = one_by_one(shape, crowd, wider)
        assert found.is_valid
        assert found.symmetric_difference(expected).area < 1e-6
    again = cut(shapes, [crowd.solids for crowd in every], 4, [wider] * len(every))
    assert shapely.equals_exact(left, again, 0.0).all()


@given(crowds(), SPOT, st.sampled_from([10.0, 40.0]))
def test_what_is_far_away_takes_nothing_from_what_is_cut(crowd, corner, size):
    shape = shapely.box(*corner, corner[0] + size, corner[1] + size)
    near = crowd.near(shapely.get_coordinates(shape), 1.0)
    whole, some = (cut(np.array([shape]), [one.solids], 4, [0.0])[0] for one in (crowd, near))
    assert shapely.equals_exact(whole, some, 0.0)


@given(crowds(), st.sets(st.sampled_from(["a", "b", "rock"])))
def test_only_what_bears_a_name_that_is_wanted_is_cut(crowd, wanted):
    shape, some = shapely.box(-60, -60, 60, 60), crowd.whole(np.array([name in wanted for name in crowd.names]))
    assert {crowd.names[number] for number in some.shape} <= wanted
    (left,) = cut(np.array([shape]), [some.solids], 4, [0.0])
    assert left.symmetric_difference(one_by_one(shape, some, 0.0)).area < 1e-6


@given(st.lists(st.tuples(st.integers(0, 3), SPOT), max_size=8))
def test_unions_of_many_at_once_are_those_of_each(parts):
    parts = sorted(parts)
    boxes = np.array([shapely.box(x, y, x + 20, y + 30) for _, (x, y) in parts] + [None], dtype=object)[:-1]
    owner = np.array([number for number, _ in parts], dtype=np.intp)
    for number, found in enumerate(unions(boxes, owner, 4)):
        mine = shapely.union_all(boxes[owner == number])
        assert found.symmetric_difference(mine).area == 0.0


def test_what_hangs_over_the_table_is_left_out_and_lines_are_too():
    shapes = np.array([shapely.box(-5, 0, 5, 9), shapely.box(-5, -5, 0, 9), shapely.box(1, 1, 5, 9)])
    found = on_tables(shapes, [(50.0, 50.0), (50.0, 50.0), None])
    assert [shape.area for shape in found] == [45.0, 0.0, 32.0]


def test_a_ring_that_thinning_would_cross_is_put_right_or_keeps_its_points():
    spike = shapely.Polygon([(0, 0), (10, 0), (10, 10), (5.02, 0.01), (5, 0.02), (0, 10)])
    for put_right in (True, False):
        (found,) = thinned(np.array([spike]), 0.1, put_right=put_right)
        assert found.is_valid
        assert found.symmetric_difference(spike).area < 2.0
