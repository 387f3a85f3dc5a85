"""From where on a way a point is seen, against looking from points of the way one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import all_lines, look
from engine.geometry.sight.passing import seen_along, seen_along_sigma, show_seen_along
from engine.geometry.sight.records import Opaque, Standing
from engine.records.game import Rect, Round

SPOTS = st.tuples(st.integers(-8, 8), st.integers(-8, 8))
HOUSES = st.lists(st.tuples(SPOTS, st.integers(1, 4), st.integers(1, 4)), max_size=3)
FIGURES = st.lists(
    st.tuples(SPOTS, st.sampled_from([Round(diameter_mm=2), Rect(width_mm=3, depth_mm=1)])), max_size=3
)


def blockers_of(houses, figures):
    outlines = [[(x, y), (x + w, y), (x + w, y + d), (x, y + d)] for (x, y), w, d in houses]
    standing = bases_of([f[0] for f in figures], [f[1] for f in figures], [30.0] * len(figures))
    return [Opaque(pieces_of(outlines)), Standing(standing)]


def apart(spot, blockers):
    """Whether a point stands clear of all that blocks."""
    houses, figures = blockers
    clear = not houses.pieces.contains([spot], 0.01).any()
    return clear and bool((figures.bases.to_points(np.array([spot], float)) > 0.01).all())


@given(SPOTS, SPOTS, SPOTS, HOUSES, FIGURES)
def test_it_is_seen_from_just_those_stretches(spot, start, end, houses, figures):
    blockers = blockers_of(houses, figures)
    assume(apart(spot, blockers))
    found = seen_along(spot, start, end, blockers)
    first, last = np.array(start, float), np.array(end, float)
    length = float(np.hypot(*(last - first)))
    assert (np.diff(found.ravel()) >= 0).all()
    for share in np.linspace(0.003, 0.997, 41):
        if found.size and np.abs(found - share).min() * max(length, 1.0) < 0.01:
            continue
        here = first + share * (last - first)
        if np.hypot(*(here - spot)) < 0.02:
            continue
        seen = look(all_lines([here], [spot]), blockers).verdict[0] == 2
        around = look(
            all_lines(here + np.array([[0.004, 0.0], [-0.004, 0.0], [0.0, 0.004], [0.0, -0.004]]), [spot]), blockers
        )
        if (around.verdict == 2).all() != (around.verdict == 2).any():
            continue  # on the edge of a shadow, where touching decides
        assert bool(((found[:, 0] <= share) & (share <= found[:, 1])).any()) == seen


@given(SPOTS, SPOTS, SPOTS, HOUSES, FIGURES)
def test_the_way_back_is_seen_as_the_way_there(spot, start, end, houses, figures):
    blockers = blockers_of(houses, figures)
    assume(apart(spot, blockers))
    there, back = seen_along(spot, start, end, blockers), seen_along(spot, end, start, blockers)
    assert (1 - there[::-1, ::-1]).ravel() == pytest.approx(back.ravel(), abs=1e-6)


@given(SPOTS, SPOTS, SPOTS, HOUSES, FIGURES)
def test_the_sigmas_of_the_ends_are_no_less_than_what_small_errors_of_the_point_do(
    spot, start, end, houses, figures
):
    blockers = blockers_of(houses, figures)
    way, to = np.subtract(end, start), np.subtract(start, spot)
    assume(apart(spot, blockers) and way[0] * to[1] != way[1] * to[0])
    found, sigma = seen_along(spot, start, end, blockers), seen_along_sigma(spot, start, end, blockers, 0.5)
    assert sigma.shape == found.shape
    assert (sigma[(found < 1e-9) | (found > 1 - 1e-9)] == 0).all()
    step, slopes = 1e-5, []
    for axis in ((step, 0.0), (0.0, step)):
        one, other = (seen_along(np.add(spot, np.multiply(axis, sign)), start, end, blockers) for sign in (1, -1))
        assume(one.shape == other.shape == found.shape)
        assume(np.abs(one + other - 2 * found).max(initial=0.0) < 1e-3 * step)  # no ray meets two corners
        slopes.append((one - other) / (2 * step))
    within = (found > 1e-3) & (found < 1 - 1e-3)
    error = 0.5 * np.hypot(*slopes)
    assert (sigma[within] >= error[within] - 1e-3).all()


def test_with_nothing_in_the_way_all_of_it_is_seen():
    assert seen_along((0, 0), (5, 5), (9, 1), []).tolist() == [[0.0, 1.0]]
    assert seen_along((0, 0), (5, 5), (5, 5), []).tolist() == [[0.0, 1.0]]


def test_what_is_drawn_is_the_way_and_where_it_is_seen():
    house = Opaque(pieces_of([[(-10, 40), (10, 40), (10, 50), (-10, 50)]]))
    shown = show_seen_along((0, 0), (-100, 100), (100, 100), [house])
    assert [part.part for part in shown] == ["stopped", *["clear"] * 6]
    assert shown[1].points_mm[1] == pytest.approx((-25.0, 100.0))
