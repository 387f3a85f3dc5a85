"""Ranks, files, front lines, gaps and coherence of units, against loops over their figures."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from engine.geometry.certainty import Verdict
from engine.geometry.formations.patterns import Pattern, classify, matches, shapes
from engine.geometry.formations.ranks import (
    bearing_spread,
    coherence,
    front_lines,
    neighbour_gaps,
    rows_across,
    show_front_line,
    spacing,
)
from engine.geometry.plane.directions import off
from engine.geometry.shapes.bases import bases_of
from tests.engine.geometry.oracles_figures import Thing, bases_from, bearings, gap_between, things

armies = st.lists(st.tuples(things(), st.integers(-1, 2)), max_size=9)


def along(spot: Any, bearing: float) -> float:
    turn = math.radians(bearing)
    return float(spot[0] * math.sin(turn) + spot[1] * math.cos(turn))


def split(army: Any) -> tuple[list[Thing], list[int]]:
    return [thing for thing, _ in army], [unit for _, unit in army]


@given(armies, st.floats(0, 359), st.floats(0.5, 60), st.booleans())
def test_ranks_begin_where_centres_lie_more_than_a_step_apart(
    army: Any, bearing: float, step: float, or_equal: bool
) -> None:
    crowd, units = split(army)
    found = rows_across(bases_from(crowd), units, np.full(3, bearing), step, or_equal=or_equal)
    for u in range(3):
        own = sorted((-along(t.at, bearing), k) for k, (t, unit) in enumerate(army) if unit == u)
        gaps = [b - a for (a, _), (b, _) in itertools.pairwise(own)]
        if any(abs(b - a - step) < 0.002 for (a, _), (b, _) in itertools.combinations(own, 2)):
            return
        row = 0
        for place, (_, k) in enumerate(own):
            row += place > 0 and gaps[place - 1] > step
            assert found.row[k] == row
        assert found.count[u] == (row + 1 if own else 0)
        doubt = [_may_end_behind(own[:place], own[place:], crowd, step) for place in range(1, len(own))]
        assert found.settled[u] == (Verdict.BORDERLINE if any(doubt) else Verdict.YES)
        sizes = found.sizes(units)[u]
        assert sizes.sum() == len(own)
    assert all(found.row[k] == -1 for k, unit in enumerate(units) if unit < 0)


def _may_end_behind(before: list[Any], behind: list[Any], crowd: list[Thing], step: float) -> bool:
    """Whether a row may end here or not: no two across are near enough for sure, yet some may be."""
    surely, perhaps = False, False
    for back, one in before:
        for front, other in behind:
            sigma = math.hypot(crowd[one].sigma, crowd[other].sigma)
            doubtful = sigma > 0 and abs(front - back - step) <= 2 * sigma
            near = front - back <= step
            surely |= near and not doubtful
            perhaps |= near or doubtful
    return perhaps and not surely


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_who_may_stand_farther_back_may_join_two_ranks_in_whatever_order_they_are_given(order: Any) -> None:
    crowd = [Thing((x, y), 20.0, None, 0.0, sigma) for x, y, sigma in ((0, 0, 0), (20, 0, 3), (0, -27, 0))]
    found = rows_across(bases_from([crowd[k] for k in order]), [0] * 3, np.zeros(1), 25.0)
    assert (found.count[0], found.settled[0]) == (2, Verdict.BORDERLINE)
    crowd[2] = Thing((0.0, -24.0), 20.0, None, 0.0)  # near enough to the one that is surely there
    found = rows_across(bases_from([crowd[k] for k in order]), [0] * 3, np.zeros(1), 25.0)
    assert (found.count[0], found.settled[0]) == (1, Verdict.YES)


@pytest.mark.parametrize(("or_equal", "count"), [(True, 1), (False, 2)])
def test_centres_exactly_a_step_apart_are_of_one_rank_if_the_rulebook_says_so(or_equal: bool, count: int) -> None:
    two = bases_from([Thing((0.0, 0.0), 25.0, None, 0.0), Thing((30.0, 12.5), 25.0, None, 0.0)])
    assert rows_across(two, [0, 0], np.zeros(1), 12.5, or_equal=or_equal).count.tolist() == [count]


@given(armies, bearings)
def test_the_front_line_has_the_least_squares_and_holds_the_leading_bases(army: Any, facing: float) -> None:
    crowd, units = split(army)
    found = front_lines(bases_from(crowd), units, np.full(3, facing), np.ones(len(crowd), dtype=bool))
    for u in range(3):
        own = [thing for thing, unit in army if unit == u]
        if not own:
            assert np.isnan(found.left[u]).all()
            assert show_front_line(found, u) == ()
            continue
        spots = np.array([thing.at for thing in own])
        spots = spots - spots.mean(axis=0)
        bearing = float(found.bearing_deg[u])
        assert float(off(np.array(bearing), np.array(facing))) <= 90 + 1e-6
        least = min(
            minimize_scalar(lambda b, s=spots: sum(along(spot, b) ** 2 for spot in s), bounds=(low, low + 90),
                            method="bounded").fun
            for low in (0.0, 90.0)
        )  # fmt: skip
        if np.hypot(*np.ptp(spots, axis=0)) > 1:
            assert sum(along(spot, bearing) ** 2 for spot in spots) <= least + 1e-3 * (1 + least)
        reach = {way: max(_reach(thing, bearing + way) for thing in own) for way in (0, 90, -90)}
        for end, side in ((found.left[u], -90), (found.right[u], 90)):
            assert along(end, bearing) == pytest.approx(reach[0], abs=1e-6)
            assert along(end, bearing + side) == pytest.approx(reach[side], abs=1e-6)
        assert found.width_mm[u] == pytest.approx(math.dist(found.left[u], found.right[u]), abs=1e-6)


def _reach(thing: Thing, bearing: float) -> float:
    spots = [thing.at] if thing.depth is None else thing.corners
    return max(along(spot, bearing) for spot in spots) + thing.radius


def test_one_leading_figure_gives_the_line_its_own_facing() -> None:
    one = bases_from([Thing((100.0, 100.0), 40.0, 20.0, 90.0, 0.5, 2.0)])
    found = front_lines(one, [0], np.array([90.0]), np.ones(1, dtype=bool))
    assert (found.bearing_deg[0], found.bearing_sigma_deg[0]) == (90.0, 2.0)
    assert found.left[0] == pytest.approx((110.0, 120.0), abs=1e-9)
    assert found.right[0] == pytest.approx((110.0, 80.0), abs=1e-9)


@given(
    st.integers(3, 6),
    st.integers(1, 2),
    st.floats(0, 359),
    st.lists(st.sampled_from([0.0, 0.1, 0.5]), min_size=12, max_size=12),
)
def test_the_sigma_of_a_fitted_bearing_is_what_errors_of_places_make_of_it(
    files: int, ranks: int, bearing: float, sigmas: list[float]
) -> None:
    """Each place shifted a hair each way tells how far it turns the bearing; independent errors add by squares."""
    turn, count, hair = math.radians(bearing), files * ranks, 1e-4
    block = np.array([(40.0 * k, 15.0 * row) for k in range(files) for row in range(ranks)])
    spots = block @ np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])

    def fitted(many: np.ndarray, sigmas: list[float]) -> Any:
        crowd = [
            Thing(tuple(spot), 25.0, None, bearing, sigma)
            for one in many
            for spot, sigma in zip(one, sigmas, strict=True)
        ]
        units = np.repeat(np.arange(len(many)), count)
        return front_lines(bases_from(crowd), units, np.full(len(many), bearing), np.ones(len(units), dtype=bool))

    shifts = hair * np.eye(2 * count).reshape(-1, count, 2)
    there, back = (fitted(spots + sign * shifts, [0.0] * count).bearing_deg for sign in (1, -1))
    slopes = ((there - back + 180) % 360 - 180) / (2 * hair)
    want = math.sqrt(float((np.repeat(sigmas[:count], 2) ** 2 * slopes**2).sum()))
    found = fitted(spots[None], sigmas[:count]).bearing_sigma_deg[0]
    assert found == pytest.approx(want, rel=1e-4, abs=1e-9)


@given(armies)
def test_neighbours_in_a_rank_and_the_nearest_of_a_unit(army: Any) -> None:
    crowd, units = split(army)
    bases = bases_from(crowd)
    rows = rows_across(bases, units, np.zeros(3), 15.0)
    found = neighbour_gaps(bases, units, np.zeros(3), rows)
    wanted = []
    for u in range(3):
        for row in range(int(rows.count[u])):
            own = [k for k, unit in enumerate(units) if unit == u and rows.row[k] == row]
            own.sort(key=lambda k: (crowd[k].at[0], k))
            wanted += list(itertools.pairwise(own))
    assert sorted(zip(found.left.tolist(), found.right.tolist(), strict=True)) == sorted(wanted)
    for k, (i, j) in enumerate(zip(found.left, found.right, strict=True)):
        assert found.gap_mm[k] == pytest.approx(gap_between(crowd[i], crowd[j]), abs=1e-6)
        wide = (crowd[i].width + crowd[j].width) / 2
        assert found.gap_widths[k] == pytest.approx(found.gap_mm[k] / wide, abs=1e-9)
    near = spacing(bases, units)
    for k, thing in enumerate(crowd):
        others = [(round(gap_between(thing, crowd[j]), 6), j) for j in range(len(crowd))
                  if j != k and units[j] == units[k] >= 0]  # fmt: skip
        assert near.nearest[k] == (min(others)[1] if others else -1)
        assert near.gap_mm[k] == pytest.approx(min(others)[0] if others else math.inf, abs=1e-6)


@given(armies, st.floats(0, 250))
def test_units_keep_together_where_figures_are_within_a_distance_of_another(army: Any, within: float) -> None:
    crowd, units = split([(Thing(t.at, t.width, t.depth, t.bearing), unit) for t, unit in army])
    gaps = {(i, j): gap_between(crowd[i], crowd[j]) for i in range(len(crowd)) for j in range(len(crowd)) if i != j}
    if any(abs(gap - within) < 0.01 for gap in gaps.values()):
        return
    each, every, chain = coherence(bases_from(crowd), units, 3, within)
    for u in range(3):
        own = [k for k, unit in enumerate(units) if unit == u]
        close = {k: [j for j in own if j != k and gaps[k, j] <= within] for k in own}
        alone = [k for k in own if not close[k] and len(own) > 1]
        assert [bool(each[k]) for k in own] == [k not in alone for k in own]
        assert bool(every[u]) == (not alone)
        reached = set(own[:1])
        for _ in own:
            reached |= {j for k in reached for j in close[k]}
        assert bool(chain[u]) == (reached == set(own))


def _row(count: int, step: float, ranks: int = 1, sigma: float = 0.0) -> list[Thing]:
    return [Thing((step * (k % count), -25.0 * (k // count)), 25.0, None, 0.0, sigma) for k in range(count * ranks)]


LINE = Pattern(ranks=(1, 1), touching=True, wider=True)
COLUMN = Pattern(files=(2, 4), touching=True, wider=False)
MOB = Pattern(ranks=(2, 99), touching=True, even=1)
LOOSE = Pattern(ranks=(1, 3), least_gap_widths=1.0, most_gap_widths=1.5)
BOOK = {"line": LINE, "column": COLUMN, "mob": MOB, "loose": LOOSE}


@pytest.mark.parametrize(
    ("crowd", "name", "doubts"),
    [
        (_row(8, 25.0), "line", ()),
        (_row(2, 25.0, 5), "column", ()),
        (_row(5, 25.0, 2), "mob", ()),
        (_row(5, 25.0, 3)[:-1], "mob", ()),
        (_row(5, 50.0), "loose", ()),
        (_row(5, 49.9), "", ()),
        (_row(5, 49.9, sigma=0.1), "", ("loose",)),
        (_row(5, 25.8), "line", ()),
        (_row(5, 25.8, sigma=0.2), "", ("line",)),
        (_row(5, 30.0), "", ()),
    ],
)
def test_what_a_rulebook_calls_a_line_a_column_or_a_mob(crowd: Any, name: str, doubts: Any) -> None:
    units = [0] * len(crowd)
    shape = shapes(bases_from(crowd), units, np.zeros(1), 12.5, 1.0)
    assert classify(shape, BOOK) == ((name,), (doubts,))


def test_several_units_are_told_apart_and_one_without_figures_is_nothing() -> None:
    crowd, units = _row(8, 25.0) + _row(2, 25.0, 5), [0] * 8 + [2] * 10
    crowd = [Thing((t.at[0] + 500 * u, t.at[1]), t.width, t.depth, 0.0) for t, u in zip(crowd, units, strict=True)]
    shape = shapes(bases_from(crowd), units, np.zeros(3), 12.5, 1.0)
    assert classify(shape, BOOK)[0] == ("line", "", "column")
    assert matches(shape, Pattern()).tolist() == [Verdict.YES, Verdict.NO, Verdict.YES]


def test_gaps_between_ranks_and_even_ranks() -> None:
    """Two ranks up to half an inch apart; a rear rank as strong as the front, an odd man excepted."""
    apart = [Thing((25.0 * k, y), 25.0, None, 0.0) for y in (0.0, -36.0) for k in range(4)]
    shape = shapes(bases_from(apart), [0] * 8, np.zeros(1), 12.5, 1.0)
    spread = Pattern(ranks=(1, 2), even=1, most_spacing_mm=12.7)
    assert matches(shape, spread).tolist() == [Verdict.YES]
    uneven = shapes(bases_from(apart[:5]), [0] * 5, np.zeros(1), 12.5, 1.0)
    assert uneven.uneven.tolist() == [3]
    assert matches(uneven, spread).tolist() == [Verdict.NO]


@given(st.lists(st.floats(-60, 60), min_size=1, max_size=6), st.floats(0, 359), st.floats(1, 90))
def test_figures_face_one_way_where_none_is_far_off_the_mean(turns: Any, north: float, within: float) -> None:
    given = np.array([(north + turn) % 360 for turn in turns])
    spread, verdict = bearing_spread(given, [0] * len(turns), 2, within)
    total = sum(complex(math.cos(math.radians(b)), math.sin(math.radians(b))) for b in given)
    mean = math.degrees(math.atan2(total.imag, total.real))
    wanted = max(abs((b - mean + 180) % 360 - 180) for b in given)
    assert spread.tolist() == pytest.approx([wanted, 0.0], abs=1e-6)
    if abs(wanted - within) > 0.01:
        assert bool(verdict[0]) == (wanted <= within)


def test_bearings_that_cancel_out_face_no_one_way() -> None:
    spread, verdict = bearing_spread(np.array([0.0, 180.0]), [0, 0], 1, 10.0)
    assert (spread.tolist(), verdict.tolist()) == ([180.0], [Verdict.NO])


def test_no_figures_and_no_units_are_no_trouble() -> None:
    none = bases_of([], [], [])
    rows = rows_across(none, [], np.zeros(2), 10.0)
    assert (rows.count.tolist(), rows.sizes([]).shape) == ([0, 0], (2, 0))
    assert neighbour_gaps(none, [], np.zeros(2), rows).left.tolist() == []
    assert spacing(none, []).gap_mm.tolist() == []
    assert [each.tolist() for each in coherence(none, [], 1, 1.0)] == [[], [Verdict.YES], [Verdict.YES]]
    assert classify(shapes(none, [], np.zeros(1), 10.0, 1.0), BOOK)[0] == ("",)
    assert classify(shapes(none, [], np.zeros(0), 10.0, 1.0), BOOK) == ((), ())
