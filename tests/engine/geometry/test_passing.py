"""Bodies that go straight on among others, held against outlines laid upon each other step by step."""

from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.moving.passing import BRUSH_MM, clear_of, overlap, runs_into
from engine.records.game import Base, Figure, Rect, Round

bases = st.sampled_from([Round(diameter_mm=25.0), Round(diameter_mm=40.0), Rect(width_mm=25.0, depth_mm=50.0)])
far = st.integers(-150, 150)


@st.composite
def men(draw: st.DrawFn, name: str) -> list[Figure]:
    spots = draw(st.lists(st.tuples(far, far), min_size=1, max_size=3))
    return [
        Figure(id=f"{name}{n}", x_mm=x, y_mm=y, base=draw(bases), bearing_deg=draw(st.integers(0, 359)))
        for n, (x, y) in enumerate(spots)
    ]


def outline(figure: Figure) -> shapely.Polygon:
    base: Base = figure.base
    if isinstance(base, Round):
        return shapely.Point(figure.x_mm, figure.y_mm).buffer(base.diameter_mm / 2, quad_segs=32)
    box = shapely.box(-base.width_mm / 2, -base.depth_mm / 2, base.width_mm / 2, base.depth_mm / 2)
    turned = shapely.affinity.rotate(box, -(figure.bearing_deg or 0.0), origin=(0, 0))
    return shapely.affinity.translate(turned, figure.x_mm, figure.y_mm)


def body(figures: list[Figure]) -> shapely.Polygon:
    return shapely.union_all([outline(one) for one in figures]).convex_hull


@given(men("a"), men("b"), st.integers(0, 359))
def test_the_stretch_is_where_bodies_lie_upon_each_other(
    ours: list[Figure], theirs: list[Figure], turn: int
) -> None:
    way = (math.sin(math.radians(turn)), math.cos(math.radians(turn)))
    start, end = overlap(ours, theirs, way) or (math.inf, -math.inf)
    one, other = body(ours), body(theirs)
    for step in range(0, 500, 5):
        there = shapely.affinity.translate(one, way[0] * step, way[1] * step)
        if there.buffer(-1.5 * BRUSH_MM).intersects(other):
            assert start <= step <= end
        if there.distance(other) > 0.5:
            assert not start <= step <= end
    gone = clear_of(ours, [theirs], way, 60.0)
    assert gone == (end + BRUSH_MM if start < 60.0 < end else 60.0)


@pytest.mark.parametrize(
    ("at", "expected"),
    [((0.0, 100.0), 76.0), ((24.5, 100.0), None), ((0.0, -40.0), None), ((0.0, 300.0), None), ((0.0, 10.0), 0.0)],
)
def test_how_far_they_go_until_somebody_is_in_the_way(at: tuple[float, float], expected: float | None) -> None:
    here = Figure(id="a", x_mm=0, y_mm=0, base=Round(diameter_mm=25.0))
    there = Figure(id="b", x_mm=at[0], y_mm=at[1], base=Round(diameter_mm=25.0))
    found = runs_into([here], [there], (0.0, 1.0), 200.0)
    assert found == (None if expected is None else pytest.approx(expected, abs=0.1))


def test_two_bodies_one_behind_the_other_are_both_passed() -> None:
    line = [Figure(id=str(y), x_mm=0, y_mm=y, base=Round(diameter_mm=25.0)) for y in (0, 100, 130)]
    assert clear_of(line[:1], [line[2:], line[1:2]], (0.0, 1.0), 90.0) == pytest.approx(155.0, abs=0.1)
    assert clear_of(line[:1], [], (0.0, 1.0), 90.0) == 90.0
