"""Heights, dead ground and gaps too narrow to see through."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely import LineString, Polygon

from engine.geometry.certainty import Verdict
from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import (
    Relief,
    Standing,
    all_lines,
    dead_ground_mm,
    dead_ground_sigma_mm,
    eye_heights,
    ground_heights,
    look,
    narrow_gaps,
)
from engine.records.game import Round
from tests.engine.geometry import oracles_sight as oracle
from tests.engine.geometry.oracles_sight import outlines, spots

YES, NO, BORDERLINE = Verdict.YES, Verdict.NO, Verdict.BORDERLINE


@given(spots, spots, outlines, st.integers(0, 8), st.integers(0, 8), st.integers(1, 8))
def test_a_line_of_sight_over_a_block(start, end, outline, eye, seen, top):
    """Wherever the line runs over the block, its height is tried: at both ends of each stretch, being straight."""
    blocks = pieces_of([outline], [float(top)])
    verdict = look(
        all_lines([start], [end]), [Relief(blocks, np.array([float(eye)]), np.array([float(seen)]))]
    ).verdict
    held = False
    if oracle.length_inside(outline, start, end) > 1e-6:
        run = LineString([start, end])
        cuts = sorted(
            {0.0, 1.0, *(run.project(part, normalized=True) for part in oracle.crossings(outline, start, end))}
        )
        for one, other in itertools.pairwise(cuts):
            ends = [run.interpolate(share, normalized=True).coords[0] for share in (one, other)]
            if oracle.length_inside(outline, *ends) > 1e-7:
                held |= min(eye + share * (seen - eye) for share in (one, other)) < top - 1e-3
    assert verdict.tolist() == [NO if held else YES]


def test_eyes_stand_on_the_ground_under_them():
    hills = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)]], [25])
    assert eye_heights(hills, [[5, 5], [20, 5]], [28.0, 45.0]).tolist() == [53.0, 45.0]
    assert ground_heights(pieces_of([]), [[0, 0]]).tolist() == [0.0]
    assert ground_heights(hills, []).tolist() == []


@given(spots, spots, outlines, st.integers(1, 9), st.integers(1, 9))
def test_dead_ground_ends_where_sight_comes_down_again(start, end, outline, eye, top):
    blocks = pieces_of([outline], [float(top)])
    lines = all_lines([start], [end])
    dead = dead_ground_mm(lines, blocks, [float(eye)])[0, 0]
    inside = oracle.length_inside(outline, start, end)
    if inside < 1e-7:
        assert dead == 0
    elif eye <= top:
        assert dead == math.inf
    else:
        last = LineString([start, end]).length
        leaves = Polygon(outline).intersection(LineString([start, end]))
        far = max(math.dist(start, xy) for part in _parts(leaves) for xy in part.coords)
        assert dead <= far * top / (eye - top) + 1e-9 <= last * top / (eye - top) + 2e-9


@given(spots, spots, outlines, st.integers(3, 9), st.integers(1, 2))
def test_the_sigma_of_dead_ground_is_what_small_errors_of_both_ends_do_to_it(start, end, outline, eye, top):
    assume(start != end)
    blocks = pieces_of([outline], [float(top)])

    def dead(at: np.ndarray) -> float:
        return float(dead_ground_mm(all_lines([at[:2]], [at[2:]]), blocks, [float(eye)])[0, 0])

    here, step = np.array([*start, *end], float), 1e-6
    there, back = (np.array([dead(here + way) for way in sign * step * np.eye(4)]) for sign in (1, -1))
    assume(np.abs(there + back - 2 * dead(here)).max() < 1e-3 * step)  # neither a corner nor an edge is just met
    fine = (there - back) / (2 * step)
    want = np.hypot(0.2 * np.hypot(*fine[:2]), 0.3 * np.hypot(*fine[2:]))
    lines = all_lines([start], [end], 0.2, 0.3)
    assert dead_ground_sigma_mm(lines, blocks, [float(eye)])[0, 0] == pytest.approx(want, rel=1e-3, abs=1e-3)
    assert dead_ground_sigma_mm(lines, blocks, [0.5]).tolist() == [[0.0]]


def _parts(shape):
    import shapely

    return shapely.get_parts(shape)


def test_one_sees_through_a_gap_that_is_wide_enough():
    three = bases_of([(50, -20), (50, 0), (50, 40)], [Round(diameter_mm=16)] * 3, [0, 0, 0])
    shut, one, other, doubt = narrow_gaps(three, 10.0)
    lines = all_lines([[0, -10], [0, 20]], [[100, -10], [100, 20]])
    assert (one.tolist(), other.tolist(), doubt.tolist()) == ([0], [1], [False])
    assert look(lines, [Standing(three), shut]).verdict.reshape(2, 2).diagonal().tolist() == [NO, YES]
    assert look(lines, [Standing(three)]).verdict.reshape(2, 2).diagonal().tolist() == [YES, YES]
    assert narrow_gaps(three, 4.0)[1].tolist() == []  # just wide enough
    assert narrow_gaps(three, 4.0, 0.1)[3].tolist() == [True]


@pytest.mark.parametrize("count", [0, 1])
def test_no_gaps_without_bases(count):
    some = bases_of([(0, 0)] * count, [Round(diameter_mm=16)] * count, [0] * count)
    assert narrow_gaps(some, 10.0)[0].paths == ()
