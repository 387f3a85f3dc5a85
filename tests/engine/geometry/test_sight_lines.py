"""Lines of sight past terrain and bases, held against shapely in loops and against plain algebra."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, MultiPoint, Point, Polygon

from engine.geometry.certainty import Verdict
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import Crests, Limit, Opaque, Relief, Standing, Veil, all_lines, crossing, look
from engine.geometry.sight.bodies import inroads
from engine.geometry.sight.clearance import clearance_of, from_path, within_reach
from engine.geometry.sight.crossing import along_pieces, lengths_in, lengths_of_couples, spans_in, stretches_in
from engine.geometry.sight.records import bodies_of
from engine.records.game import Rect, Round
from tests.engine.geometry import oracles_sight as oracle
from tests.engine.geometry.oracles_sight import outlines, spots, turns

YES, NO, BORDERLINE = Verdict.YES, Verdict.NO, Verdict.BORDERLINE
HOUSE = pieces_of([[(40, -10), (60, -10), (60, 10), (40, 10)]], names=["house"])
ends = st.lists(st.tuples(spots, spots), min_size=1, max_size=12)


def _arrays(pairs: list[tuple[oracle.Spot, oracle.Spot]]) -> tuple[np.ndarray, np.ndarray]:
    start, end = zip(*pairs, strict=True)
    return np.array(start), np.array(end)


@given(outlines, ends)
def test_the_length_of_a_line_inside_a_piece(outline, pairs):
    start, end = _arrays(pairs)
    pieces = pieces_of([outline])
    want = [oracle.length_inside(outline, *pair) for pair in pairs]
    assert lengths_in(pieces, 0, start, end) == pytest.approx(want, abs=1e-6)
    cut = stretches_in(pieces, 0, start, end)
    stretched = (np.diff(cut.share, axis=1) * cut.inside).sum(axis=1) * np.hypot(*(end - start).T)
    assert stretched == pytest.approx(want, abs=1e-6)
    assert along_pieces(pieces, end, start)[:, 0] == pytest.approx(want, abs=1e-6)


@given(outlines, ends)
def test_a_line_enters_first_and_leaves_last_where_it_is_cut(outline, pairs):
    start, end = _arrays(pairs)
    first, last = spans_in(pieces_of([outline]), 0, start, end)
    for one, other, pair in zip(first, last, pairs, strict=True):
        inside = oracle.length_inside(outline, *pair)
        assert (inside > 1e-7) == (not math.isnan(one))
        if inside > 1e-7:
            whole = math.dist(*pair)
            at = [
                tuple(np.array(pair[0]) + share * (np.array(pair[1]) - np.array(pair[0]))) for share in (one, other)
            ]
            assert 0 <= one < other <= 1
            assert oracle.length_inside(outline, pair[0], at[0]) == pytest.approx(0, abs=1e-6)
            assert oracle.length_inside(outline, at[1], pair[1]) == pytest.approx(0, abs=1e-6)
            assert inside <= (other - one) * whole + 1e-6


@given(outlines, ends)
def test_opaque_terrain_takes_away_what_runs_through_it_and_the_same_for_both_ends(outline, pairs):
    start, end = _arrays(pairs)
    house = Opaque(pieces_of([outline]))
    seen = look(all_lines(start, end), [house])
    table = seen.verdict.reshape(len(start), len(end))
    want = [[oracle.length_inside(outline, tuple(a), tuple(b)) > 1e-3 for b in end] for a in start]
    assert ((table == NO) == np.array(want)).all()
    back = look(all_lines(end, start), [house]).verdict.reshape(len(end), len(start))
    assert (table == back.T).all()
    assert ((seen.by == 0) == (seen.verdict == NO)).all()


@given(spots, st.integers(1, 5), st.integers(-1, 2), ends)
def test_how_deep_a_line_runs_in_a_disc(centre, diameter, margin, pairs):
    start, end = _arrays(pairs)
    body = bodies_of(bases_of([centre], [Round(diameter_mm=diameter)], [0]), margin / 2)
    depth, share = inroads(body, np.zeros(len(start), dtype=int), start, end)
    radius = max(diameter / 2 + margin / 2, 0.0)
    assert depth == pytest.approx([radius - oracle.distance_to_line(centre, *pair) for pair in pairs], abs=1e-9)
    assert ((share >= 0) & (share <= 1)).all()


@given(spots, st.integers(1, 4), st.integers(1, 6), turns, st.sampled_from([0.0, 0.5, 2.0]), ends)
def test_how_deep_a_line_runs_in_a_rectangle(centre, width, depth, turn, margin, pairs):
    start, end = _arrays(pairs)
    base = bases_of([centre], [Rect(width_mm=width, depth_mm=depth)], [turn])
    deep, _ = inroads(bodies_of(base, margin), np.zeros(len(start), dtype=int), start, end)
    corners = oracle.base_outline(centre, width, depth, turn)
    for found, pair in zip(deep, pairs, strict=True):
        line = LineString(pair) if pair[0] != pair[1] else Point(pair[0])
        apart = Polygon(corners).distance(line)
        if apart > 1e-9:
            assert found == pytest.approx(margin - apart, abs=1e-9)
        else:
            assert found >= margin - 1e-9
            free = _shift_to_free(corners, pair)
            assert found - margin == pytest.approx(free, abs=1e-6)


def _shift_to_free(corners: list[oracle.Spot], pair: tuple[oracle.Spot, oracle.Spot]) -> float:
    """The least shift that frees a line from a convex outline: to the rim of all places where it would touch."""
    sums = [(x - a, y - b) for x, y in corners for a, b in pair]
    hull = Polygon(corners) if len(set(sums)) < 3 else _hull(sums)
    return hull.exterior.distance(Point(0, 0)) if hull.contains(Point(0, 0)) else 0.0


def _hull(points: list[oracle.Spot]) -> Polygon:
    return MultiPoint(points).convex_hull


def test_the_two_ends_of_a_line_do_not_block_it_and_tangents_pass():
    bases = bases_of([(0, 0), (50, 0), (100, 0), (100, 25)], [Round(diameter_mm=25)] * 4, [0] * 4)
    number = np.arange(4)
    seen = look(all_lines(bases.centre, bases.centre), [Standing(bases, 0.0, 0.0, number, number)])
    table = seen.verdict.reshape(4, 4)
    assert table[0, 2] == NO
    assert seen.part.reshape(4, 4)[0, 2] == 1
    assert table[0, 1] == YES
    assert (table == table.T).all()
    grown = look(all_lines([[0, 15]], [[100, 15]]), [Standing(bases.pick([1]), 2.5)]).verdict
    assert grown.tolist() == [YES]  # exactly as near as the margin: a tangent


def test_friends_and_comrades_are_spared():
    bases = bases_of([(50, 0)], [Round(diameter_mm=25)], [0])
    lines = all_lines([[0, 0], [0, 1]], [[100, 0], [100, 1]])
    friend = Standing(bases, spare_from=np.array([[True], [False]]))
    assert look(lines, [friend]).verdict.tolist() == [YES, YES, NO, NO]
    comrade = Standing(bases, spare_to=np.array([[True], [False]]))
    assert look(lines, [comrade]).verdict.tolist() == [YES, NO, YES, NO]


@pytest.mark.parametrize(
    ("y", "sigma", "verdict"), [(9.0, 0.0, NO), (10.0, 0.0, YES), (9.0, 1.0, BORDERLINE), (11.5, 1.0, BORDERLINE),
                                (7.0, 1.0, NO), (13.0, 1.0, YES)],
)  # fmt: skip
def test_what_passes_a_corner_within_two_sigma_is_borderline(y, sigma, verdict):
    lines = all_lines([[0, y]], [[100, y]], sigma, sigma)
    assert look(lines, [Opaque(HOUSE)]).verdict.tolist() == [verdict]


SIGMA_MM = 0.2
SOLID = st.sampled_from(
    [
        Opaque,
        lambda pieces: Veil(pieces, through_mm=0.0),
        lambda pieces: Veil(pieces, through_mm=2.0),
        lambda pieces: Relief(pieces, np.array([2.0]), np.array([2.0])),
        lambda pieces: Relief(pieces, np.array([0.0]), np.array([9.0])),
    ]
)
along = st.tuples(st.integers(-9, -1), st.integers(0, 8), st.integers(9, 17)).map(
    lambda at: ((at[0], at[1]), at[2])
)
boxes = st.tuples(spots, st.integers(1, 8), st.integers(1, 8)).map(
    lambda at: [
        at[0],
        (at[0][0] + at[1], at[0][1]),
        (at[0][0] + at[1], at[0][1] + at[2]),
        (at[0][0], at[0][1] + at[2]),
    ]
)


@given(SOLID, boxes, along, st.integers(-10, 10), st.integers(-19, 19), turns)
def test_what_is_settled_stays_so_for_a_line_less_than_two_sigma_beside(blocker, box, way, off, shift, turn):
    (x, y), x_end = way
    height = y + off * 0.05
    solid = blocker(pieces_of([_turned_by(box, turn)], [4.0]))

    def seen(beside: float, sigma: float) -> int:
        start, end = _turned_by([(x, height + beside), (x_end, height + beside)], turn)
        return int(look(all_lines([start], [end], sigma, sigma), [solid]).verdict[0])

    found, after = seen(0.0, SIGMA_MM), seen(shift / 10 * SIGMA_MM, 0.0)
    assert found in (after, BORDERLINE)
    inside = box[0][1] + 0.5 < height < box[2][1] - 0.5
    outside = not box[0][1] - 0.5 <= height <= box[2][1] + 0.5
    if (inside and not isinstance(solid, Relief) and box[1][0] - box[0][0] != 2) or outside:
        assert found == seen(0.0, 0.0) != BORDERLINE  # and nothing is in doubt without need


@pytest.mark.parametrize(
    ("y", "verdict"), [(-3.0, YES), (-0.5, BORDERLINE), (0.5, BORDERLINE), (1.5, BORDERLINE), (3.0, NO)]
)
def test_the_side_of_a_wood_or_hill_within_two_sigma_leaves_it_open(y, verdict):
    ground = pieces_of([[(0, 0), (100, 0), (100, 50), (0, 50)]], [40])
    low = np.zeros(1)
    for solid in (
        Opaque(ground),
        Veil(ground, through_mm=0),
        Veil(ground, through_mm=50),
        Relief(ground, low, low),
    ):
        assert look(all_lines([[-50, y]], [[150, y]], 1.0, 1.0), [solid]).verdict.tolist() == [verdict]


def _turned_by(points: list[oracle.Spot], turn: float) -> list[oracle.Spot]:
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    return [(x * cosine - y * sine, x * sine + y * cosine) for x, y in points]


def test_a_wood_is_seen_into_but_not_through():
    wood = pieces_of([[(100, -200), (300, -200), (300, 200), (100, 200)]])
    veil = Veil(wood, into_mm=25.4, out_mm=25.4, inside_mm=100, through_mm=25.4, depth="nearest")
    inside = [[120, 0], [150, 0], [215, 0]]
    lines = all_lines([[0, 0], [120, 0], [150, 0]], [*inside, [400, 0]])
    verdict = look(lines, [veil]).verdict.reshape(3, 4)
    assert verdict.tolist() == [
        [YES, NO, NO, NO],  # from outside: 20 mm in is seen, 50 not, and nothing behind
        [YES, YES, YES, NO],  # from the edge: inside up to 100 mm
        [YES, YES, YES, NO],  # from deep inside: only within the wood
    ]


def test_depth_along_the_line_differs_by_direction_where_the_limits_do():
    wood = pieces_of([[(100, -200), (300, -200), (300, 200), (100, 200)]])
    veil = Veil(wood, into_mm=150, out_mm=50, inside_mm=300, through_mm=0)
    spots_ = [[0, 0], [200, 0]]
    assert look(all_lines(spots_, spots_), [veil]).verdict.tolist() == [YES, YES, NO, YES]


@given(st.lists(spots, min_size=2, max_size=5, unique=True), ends)
def test_a_crest_hides_one_side_from_the_other(path, pairs):
    start, end = _arrays(pairs)
    crosses, way = from_path(np.array(path), start, end)
    back, back_way = from_path(np.array(path[::-1]), end, start)
    assert (crosses == back).all()
    assert way == pytest.approx(back_way, abs=1e-9)
    for one, pair in zip(crosses, pairs, strict=True):
        if pair[0] == pair[1]:
            assert not one
            continue
        proper = LineString(path).crosses(LineString(pair)) and LineString(path).is_simple
        if one:
            assert LineString(path).intersects(LineString(pair))
        if not proper and LineString(path).is_simple and not LineString(path).intersects(LineString(pair)):
            assert not one


def test_touching_a_crest_is_not_crossing_it():
    crest = [np.array([[50.0, -50.0], [50.0, 0.0], [50.0, 50.0]])]
    lines = all_lines([[0, 0]], [[100, 0], [50, 0], [49, 0], [100, 100], [100, 90]])
    assert look(lines, [Crests(tuple(crest))]).verdict.tolist() == [NO, YES, YES, YES, NO]


def test_a_block_hides_what_the_line_of_sight_passes_below_its_top():
    block = pieces_of([[(40, -10), (60, -10), (60, 10), (40, 10)]], [30])
    lines = all_lines([[0, 0]], [[100, 0], [70, 0], [100, 0]])
    eyes = np.array([60.0])
    seen = np.array([0.0, 0.0, 25.0])
    # From 60 down to 0 over 100 the line stands at 24 over the far rim; to 70 at 8.6; down to 25 at 39.
    assert look(lines, [Relief(block, eyes, seen)]).verdict.tolist() == [NO, NO, YES]
    assert look(lines, [Relief(block, eyes, seen, spare_to=np.array([[True], [False], [False]]))]).verdict[0] == YES


def test_night_and_fog():
    lines = all_lines([[0, 0]], [[304.8, 0], [305, 0]], 0.0, 0.0)
    assert look(lines, [Limit(304.8)]).verdict.tolist() == [YES, NO]
    assert look(lines, [Limit(304.8, sigma_mm=1.0)]).verdict.tolist() == [BORDERLINE, BORDERLINE]
    assert look(lines, [Limit(np.array([[300.0, 400.0]]))]).verdict.tolist() == [NO, YES]


@given(outlines, ends)
def test_the_clearance_of_a_line_is_its_distance_where_it_passes(outline, pairs):
    start, end = _arrays(pairs)
    way = clearance_of(pieces_of([outline]), 0, start, end)
    for found, pair in zip(way, pairs, strict=True):
        line = LineString(pair) if pair[0] != pair[1] else Point(pair[0])
        if oracle.length_inside(outline, *pair) > 1e-9:
            assert found < 0
            _check_shift(outline, pair, -found)
        elif not Polygon(outline).contains(line):
            assert found == pytest.approx(Polygon(outline).distance(line), abs=1e-9)


@given(st.lists(outlines, min_size=1, max_size=3), ends, st.sampled_from([0.25, 0.5, 1.0, 3.0]))
def test_what_lies_within_reach_of_lines_is_told_at_once(some, pairs, reach):
    start, end = _arrays(pairs)
    pieces = pieces_of(some)
    line, part = np.divmod(np.arange(len(pairs) * len(some)), len(some))
    crossing = lengths_of_couples(pieces, part, start[line], end[line]) > MM
    found = within_reach(pieces, part, start[line], end[line], crossing, np.full(len(line), reach))
    for one in range(len(some)):
        way = np.abs(clearance_of(pieces, one, start, end))
        sure = np.abs(way - reach) > 1e-9
        assert (found[part == one] == (way <= reach))[sure].all()


def _check_shift(outline: list[oracle.Spot], pair: tuple[oracle.Spot, oracle.Spot], depth: float) -> None:
    """Shifted by less the line still meets the piece, on either side."""
    along = np.array(pair[1]) - np.array(pair[0])
    side = np.array([-along[1], along[0]]) / np.hypot(*along)
    for share in (-0.99, -0.5, 0.5, 0.99):
        moved = LineString(np.array(pair) + share * depth * side)
        assert Polygon(outline).intersects(moved)


def test_nothing_to_look_at_and_nothing_in_the_way():
    assert look(all_lines([], []), [Opaque(HOUSE)]).verdict.tolist() == []
    assert look(all_lines([[0, 0]], [[1, 1]]), []).verdict.tolist() == [YES]
    empty = bases_of([], [], [])
    none = [Opaque(pieces_of([])), Standing(empty), Crests(()), Veil(pieces_of([])), Limit(np.inf)]
    assert look(all_lines([[0, 0]], [[1, 1], [0, 0]]), none).verdict.tolist() == [YES, YES]


@given(st.lists(outlines, min_size=1, max_size=3), ends, st.data())
def test_few_lines_are_taken_over_all_pieces_at_once_as_piece_by_piece(terrain, pairs, data):
    start, end = _arrays(pairs)
    pieces = pieces_of(terrain)
    part = np.array([data.draw(st.integers(0, len(terrain) - 1)) for _ in pairs])
    want = [oracle.length_inside(terrain[number], *pair) for number, pair in zip(part, pairs, strict=True)]
    assert lengths_of_couples(pieces, part, start, end) == pytest.approx(want, abs=1e-6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crossing, "_FEW", -1)
        assert lengths_of_couples(pieces, part, start, end) == pytest.approx(want, abs=1e-6)
