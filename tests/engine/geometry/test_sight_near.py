"""The coarse choices of what lines may have to do with: none that matters is left out."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from engine.geometry.plane.distinct import distinct, distinct_rows, first_of_rows, numbered, runs
from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import all_lines, watch_of
from engine.geometry.sight.near import lines_by_body, lines_by_piece, lines_near, lines_past
from engine.geometry.sight.records import bodies_of
from engine.records.game import Rect, Round
from tests.engine.geometry import oracles_sight as oracle
from tests.engine.geometry.oracles_sight import outlines, spots, turns

crowds = st.lists(spots, min_size=1, max_size=4)
reaches = st.sampled_from([0.0, 0.5, 2.0])


def _line(start, end):
    return LineString([start, end]) if tuple(start) != tuple(end) else Point(start)


@given(crowds, crowds, spots, reaches)
def test_lines_that_come_within_reach_of_a_spot(lookers, targets, spot, reach):
    chosen = set(zip(*lines_past(watch_of(lookers, targets, []), np.ones((len(lookers), len(targets)), bool),
                                 np.array(spot), reach), strict=True))  # fmt: skip
    for i, start in enumerate(lookers):
        for j, end in enumerate(targets):
            apart = _line(start, end).distance(Point(spot))
            assert (i, j) in chosen or apart > reach
            assert (i, j) not in chosen or apart < 1.5 * reach + 0.2


@given(crowds, crowds, spots, reaches)
def test_of_lines_only_those_asked_about(lookers, targets, spot, reach):
    among = np.zeros((len(lookers), len(targets)), dtype=bool)
    assert len(lines_past(watch_of(lookers, targets, []), among, np.array(spot), reach)[0]) == 0


@given(crowds, crowds, st.lists(st.tuples(spots, st.booleans(), turns), max_size=4), reaches)
def test_lines_that_come_within_reach_of_bases(lookers, targets, men, reach):
    shapes = [Rect(width_mm=2, depth_mm=3) if rect else Round(diameter_mm=2) for _, rect, _ in men]
    bodies = bodies_of(bases_of([at for at, _, _ in men], shapes, [turn for _, _, turn in men]))
    lines = all_lines(lookers, targets)
    chosen = set(zip(*lines_by_body(bodies, lines, reach), strict=True))
    near = lines_near(bodies, lines.start, lines.end, reach)
    for k, (at, rect, turn) in enumerate(men):
        body = Polygon(oracle.base_outline(at, 2, 3, turn)) if rect else Point(at).buffer(1.0, quad_segs=64)
        for q in range(len(lines)):
            apart = _line(lines.start[q], lines.end[q]).distance(body)
            assert (q, k) in chosen or apart > reach
            assert near[q] or apart > reach


@given(crowds, crowds, st.lists(outlines, max_size=3), reaches)
def test_lines_that_come_within_reach_of_terrain(lookers, targets, terrain, reach):
    lines = all_lines(lookers, targets)
    chosen = {
        (q, number) for number, which in lines_by_piece(pieces_of(terrain), lines, reach) for q in which.tolist()
    }
    for number, outline in enumerate(terrain):
        for q in range(len(lines)):
            apart = _line(lines.start[q], lines.end[q]).distance(Polygon(outline))
            assert (q, number) in chosen or apart > reach


@given(st.lists(st.integers(-3, 3)), st.lists(spots))
def test_each_value_once(numbers, points):
    assert distinct(np.array(numbers, dtype=int)).tolist() == sorted(set(numbers))
    found = distinct_rows(np.array(points, dtype=float).reshape(-1, 2))
    assert [tuple(one) for one in found.tolist()] == sorted(set(points))
    assert first_of_rows(np.array(points, dtype=float).reshape(-1, 2)).tolist() == [
        points.index(one) for one in sorted(set(points))
    ]
    assert numbered(np.array(numbers, dtype=int)).tolist() == [sorted(set(numbers)).index(n) for n in numbers]
    ordered = sorted(numbers)
    assert runs(np.array(ordered, dtype=int)).tolist() == sorted({ordered.index(n) for n in ordered})
