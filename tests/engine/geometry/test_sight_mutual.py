"""Whether any point of one base sees any of another, held against all lines between many points of their rims."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from engine.geometry.certainty import Verdict
from engine.geometry.shapes.bases import Bases, bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import Opaque, Standing, any_sees_any, free_line
from engine.records.game import Rect, Round
from tests.engine.geometry import oracles_sight as oracle
from tests.engine.geometry.oracles_sight import outlines, spots, turns

shapes = st.integers(1, 3).map(lambda wide: Round(diameter_mm=wide)) | st.tuples(
    st.integers(1, 3), st.integers(1, 3)
).map(lambda at: Rect(width_mm=at[0], depth_mm=at[1]))
bases = st.tuples(spots, shapes, turns)


def _bases(some: list[tuple]) -> Bases:
    return bases_of([one[0] for one in some], [one[1] for one in some], [one[2] for one in some])


def _rim(base: tuple) -> list[oracle.Spot]:
    """Points all round a base, corners among them."""
    at, shape, turn = base
    if isinstance(shape, Round):
        angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        return [
            (at[0] + shape.diameter_mm / 2 * math.cos(a), at[1] + shape.diameter_mm / 2 * math.sin(a))
            for a in angles
        ]
    corners = oracle.base_outline(at, shape.width_mm, shape.depth_mm, turn)
    rim = LineString([*corners, corners[0]])
    return corners + [tuple(rim.interpolate(share, normalized=True).coords[0]) for share in np.linspace(0, 1, 21)]


def _inside(line: LineString, things: list[Polygon]) -> float:
    """What of a line runs in a thing, but for what runs along its rim, within the thousandth that is forgiven."""
    return max((line.intersection(thing.buffer(-1.1e-3)).length for thing in things), default=0.0)


@settings(max_examples=max(10, settings().max_examples // 2))
@example(
    ((0.0, 0.0), Round(diameter_mm=1), 0.0),
    ((7.0, 1.0), Round(diameter_mm=1), 0.0),
    [
        ((0.0, 0.0), Round(diameter_mm=1), 0.0),
        ((0.0, 0.0), Rect(width_mm=1, depth_mm=1), 0.0),
        ((7.0, 1.0), Rect(width_mm=1, depth_mm=1), 30.0),
    ],
    [],
)  # free from one point to one point alone, where the rims touch
@example(
    ((0.0, 7.0), Round(diameter_mm=1), 0.0),
    ((8.0, 2.0), Round(diameter_mm=1), 0.0),
    [
        ((8.0, 1.0), Rect(width_mm=1, depth_mm=1), 200.0),
        ((8.0, 2.0), Rect(width_mm=1, depth_mm=1), 36.86989764584402),
    ],
    [],
)  # free along a rim
@given(bases, bases, st.lists(bases, max_size=3), st.lists(outlines, max_size=2))
def test_a_free_line_is_found_where_there_is_one(one, other, others, terrain):
    both, men = _bases([one, other]), _bases(others)
    blockers = [Opaque(pieces_of(terrain)), Standing(men)]
    verdict, start, end = free_line(both, 0, both, 1, blockers)
    things = [Polygon(outline) for outline in terrain]
    things += [
        Point(at).buffer(shape.diameter_mm / 2, quad_segs=64)
        if isinstance(shape, Round)
        else Polygon(oracle.base_outline(at, shape.width_mm, shape.depth_mm, turn))
        for at, shape, turn in others
    ]
    back = free_line(both, 1, both, 0, blockers)[0]
    assert verdict == back
    if verdict == Verdict.YES:
        if math.dist(start, end) > 1e-6:
            assert _inside(LineString([start, end]), things) < 0.05  # the discs are drawn with straight sides
            for outline in terrain:
                assert oracle.length_inside(outline, tuple(start), tuple(end)) < 2e-3
        return
    couples = np.array([(a, b) for a in _rim(one) for b in _rim(other) if math.dist(a, b) > 1e-9])
    tried = shapely.linestrings(couples)
    blocked = [shapely.length(shapely.intersection(tried, thing.buffer(-1e-6))) for thing in things]
    assert (np.max(blocked, axis=0) > 0).all()


sizes = st.sampled_from([8.0, 20.0, 25.0, 40.0])
wide_shapes = sizes.map(lambda wide: Round(diameter_mm=wide)) | st.tuples(sizes, sizes).map(
    lambda at: Rect(width_mm=at[0], depth_mm=at[1])
)
#: Round ones above all: there is least to see past these.
most_round = sizes.map(lambda wide: Round(diameter_mm=wide)) | wide_shapes
wide_bases = st.tuples(st.tuples(*[st.integers(0, 20).map(lambda at: 10.0 * at)] * 2), most_round, turns)
#: What stands beside a line: on which side, how far along, at what distance, of what shape.
beside = st.tuples(st.sampled_from([1.0, -1.0]), st.integers(0, 20), st.sampled_from([0.0, 0.01]), most_round)


def _placed_beside(start: oracle.Spot, end: oracle.Spot, one: tuple) -> tuple:
    """A base that stands beside a line, its side along it where it has any."""
    side, at, gap, shape = one
    along = np.subtract(end, start)
    left = np.array([-along[1], along[0]]) / math.hypot(*along)
    half = shape.diameter_mm / 2 if isinstance(shape, Round) else shape.width_mm / 2
    spot = start + at / 20 * along + side * (half + gap) * left
    return tuple(spot.tolist()), shape, math.degrees(math.atan2(along[0], along[1]))


@example(
    ((0.0, 0.0), Round(diameter_mm=20), 0.0),
    ((100.0, 0.0), Round(diameter_mm=8), 0.0),
    (6, 6),
    [(1.0, 5, 0.0, Round(diameter_mm=40)), (-1.0, 13, 0.0, Round(diameter_mm=20))],
)  # between two, the one on the left, the other on the right
@given(
    wide_bases,
    wide_bases,
    st.tuples(st.integers(0, 20), st.integers(0, 20)),
    st.lists(beside, min_size=1, max_size=6),
)
def test_a_line_that_is_kept_free_is_found_whatever_stands_beside_it(one, other, rims, beside):
    start, end = _rim(one)[rims[0]], _rim(other)[rims[1]]
    assume(math.dist(start, end) > 1.0)
    both, men = _bases([one, other]), _bases([_placed_beside(start, end, each) for each in beside])
    assert free_line(both, 0, both, 1, [Standing(men)])[0] == Verdict.YES


def test_a_rim_is_seen_past_a_round_base_of_another_size():
    """From the right of the one, close by the round base in between, to the left of the other."""
    one, other, between = (
        _bases([(at, Round(diameter_mm=wide), 0)])
        for at, wide in (((160, 20), 25), ((10, 180), 20), ((140, 50), 25))
    )
    couple = (np.array([0]), np.array([0]))
    assert any_sees_any(one, other, couple, [Standing(between)]).tolist() == [Verdict.YES]


def test_round_a_corner():
    """The centres do not see each other, but the near sides do; with a second house nothing does."""
    two = _bases([((0, 0), Round(diameter_mm=20), 0), ((100, 0), Round(diameter_mm=20), 0)])
    couple = (np.array([0]), np.array([1]))
    house = [(45, -5), (55, -5), (55, 50), (45, 50)]
    assert any_sees_any(two, two, couple, [Opaque(pieces_of([house]))]).tolist() == [Verdict.YES]
    other = [(45, -50), (55, -50), (55, -6), (45, -6)]
    assert any_sees_any(two, two, couple, [Opaque(pieces_of([house, other]))]).tolist() == [Verdict.YES]
    shut = [(45, -50), (55, -50), (55, -5), (45, -5)]
    touching = any_sees_any(two, two, couple, [Opaque(pieces_of([house, shut]))]).tolist()
    assert touching == [Verdict.YES]  # along the joint of two houses nothing is crossed
    over = [(46, -50), (54, -50), (54, 0), (46, 0)]
    assert any_sees_any(two, two, couple, [Opaque(pieces_of([house, over]))]).tolist() == [Verdict.NO]


@pytest.mark.parametrize(
    ("edge", "sigma", "verdict"), [(9.0, 0.0, 2), (9.0, 1.0, 1), (0.0, 1.0, 2), (14.0, 1.0, 0)]
)
def test_what_places_do_not_settle_is_borderline(edge, sigma, verdict):
    two = _bases([((0, 0), Round(diameter_mm=20), 0), ((100, 0), Round(diameter_mm=20), 0)])
    walls = [[(45, -60), (55, -60), (55, edge), (45, edge)]]
    assert any_sees_any(two, two, (np.array([0]), np.array([1])), [Opaque(pieces_of(walls))], sigma).tolist() == [
        verdict
    ]


def test_bases_that_touch_see_each_other():
    two = _bases([((0, 0), Round(diameter_mm=20), 0), ((20, 0), Round(diameter_mm=20), 0)])
    assert any_sees_any(two, two, (np.array([0]), np.array([1])), []).tolist() == [Verdict.YES]
    assert any_sees_any(two, two, (np.zeros(0, int), np.zeros(0, int)), []).tolist() == []
