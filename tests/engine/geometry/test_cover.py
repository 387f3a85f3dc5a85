"""Cover: what stands between, what one stands in, what hides one; held against shapely and plain algebra."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from engine.geometry import cover
from engine.geometry.certainty import Verdict
from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.shapes.shares import area_share_sigma
from engine.geometry.shapes.strips import strip_outline
from engine.geometry.sight import all_lines
from engine.records.game import Rect, Round
from tests.engine.geometry import oracles_sight as oracle
from tests.engine.geometry.oracles_sight import outlines, spots, turns

YES, NO, BORDERLINE = Verdict.YES, Verdict.NO, Verdict.BORDERLINE


@given(spots, st.integers(1, 4), st.integers(1, 6), turns, st.lists(outlines, max_size=3))
def test_the_share_of_a_rectangle_in_terrain(centre, width, depth, turn, terrain):
    base = bases_of([centre], [Rect(width_mm=width, depth_mm=depth)], [turn])
    corners = Polygon(oracle.base_outline(centre, width, depth, turn))
    want = [corners.intersection(Polygon(outline)).area / corners.area for outline in terrain]
    assert cover.area_share(base, pieces_of(terrain)) == pytest.approx(np.array([want]), abs=1e-9)


@given(spots, st.sampled_from([Round(diameter_mm=5), Rect(width_mm=4, depth_mm=7)]), turns, outlines)
def test_the_sigma_of_a_share_is_what_small_errors_of_the_base_do_to_it(centre, shape, turn, outline):
    pieces, base = pieces_of([outline]), bases_of([centre], [shape], [turn])

    def share(name: str, way: list[float], step: float) -> float:
        moved = replace(base, **{name: getattr(base, name) + step * np.array(way)})
        return float(cover.area_share(moved, pieces)[0, 0])

    step, fine = 1e-5, []
    for name, way in (("centre", [1.0, 0.0]), ("centre", [0.0, 1.0]), ("bearing_rad", [1.0])):
        there, here, back = (share(name, way, sign * step) for sign in (1, 0, -1))
        assume(abs(there + back - 2 * here) < 1e-3 * step)  # no side lies just on the rim
        fine.append((there - back) / (2 * step))
    placed = replace(base, sigma_mm=np.array([0.1]), bearing_sigma_deg=np.array([2.0]))
    want = np.hypot(0.1 * np.hypot(*fine[:2]), np.radians(2.0) * fine[2])
    assert area_share_sigma(placed, pieces)[0, 0] == pytest.approx(want, abs=1e-3)
    assert area_share_sigma(base, pieces)[0, 0] == 0


@given(spots, st.integers(1, 9), st.lists(outlines, max_size=3))
def test_the_share_of_a_disc_in_terrain(centre, diameter, terrain):
    found = cover.area_share(bases_of([centre], [Round(diameter_mm=diameter)], [0]), pieces_of(terrain))
    for share, outline in zip(found[0], terrain, strict=True):
        assert share == pytest.approx(_disc_share(centre, diameter / 2, outline), abs=1e-9)


def _disc_share(centre: oracle.Spot, radius: float, outline: list[oracle.Spot]) -> float:
    """By chords parallel to the y axis, summed up exactly enough between all marks (Gauss-Legendre)."""
    disc, area = oracle.Disc(centre, radius), 0.0
    marks = {centre[0] - radius, centre[0] + radius, *(corner[0] for corner in outline)}
    marks |= {spot[0] for spot in oracle.rims_meet(disc, oracle.Block(outline))}
    cut = sorted(mark for mark in marks if abs(mark - centre[0]) <= radius)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    for one, other in itertools.pairwise(cut):
        # x = middle + half * sin(t): takes the roots at the ends of the disc out of the sum.
        for node, weight in zip(nodes * math.pi / 2, weights * math.pi / 2, strict=True):
            x = (one + other) / 2 + (other - one) / 2 * math.sin(node)
            area += weight * (other - one) / 2 * math.cos(node) * _chord(x, centre, radius, outline)
    return area / (math.pi * radius**2)


def _chord(x: float, centre: oracle.Spot, radius: float, outline: list[oracle.Spot]) -> float:
    half = math.sqrt(max(radius**2 - (x - centre[0]) ** 2, 0.0))
    crossed = []
    for (x1, y1), (x2, y2) in oracle.sides(outline):
        if (x1 > x) != (x2 > x):
            crossed.append(y1 + (y2 - y1) * (x - x1) / (x2 - x1))
    crossed.sort()
    pairs = zip(crossed[::2], crossed[1::2], strict=True)
    return sum(max(0.0, min(b, centre[1] + half) - max(a, centre[1] - half)) for a, b in pairs)


@given(st.lists(st.tuples(spots, st.integers(1, 5)), max_size=3), st.lists(outlines, max_size=3))
def test_how_far_terrain_is_from_bases(discs, terrain):
    bases = bases_of([at for at, _ in discs], [Round(diameter_mm=wide) for _, wide in discs], [0] * len(discs))
    want = [[max(0.0, Polygon(one).distance(Point(at)) - wide / 2) for one in terrain] for at, wide in discs]
    assert cover.base_gaps(bases, pieces_of(terrain)) == pytest.approx(
        np.array(want).reshape(len(discs), len(terrain)), abs=1e-9
    )


@given(spots, spots, st.lists(outlines, min_size=1, max_size=3))
def test_what_a_line_of_fire_crosses(start, end, terrain):
    found = cover.between(all_lines([start], [end]), pieces_of(terrain))
    for number, outline in enumerate(terrain):
        inside = oracle.length_inside(outline, start, end)
        assert (found.crosses[0, number] == YES) == (inside > 1e-3)
        assert found.to_target_mm[0, number] == pytest.approx(Polygon(outline).distance(Point(end)), abs=1e-9)
        if inside > 1e-3:
            run = LineString([start, end]).intersection(Polygon(outline))
            assert found.leaves_mm[0, number] >= run.distance(Point(end)) - 1e-6


def _shot(target_x: float = 100.0, sigma: float = 0.0):
    wall = pieces_of([strip_outline([(70, -50), (70, 50)], 4)])
    both = bases_of([(0, 0), (target_x, 0)], [Round(diameter_mm=20)] * 2, [0, 0])
    lines = all_lines(both.centre[:1], both.centre[1:], sigma, sigma)
    return cover.between(lines, wall, both.pick([0]), both.pick([1]))


@pytest.mark.parametrize(
    ("target", "sigma", "verdict"),
    [(100.0, 0.0, YES), (107.4, 0.0, YES), (107.5, 0.0, NO), (107.5, 0.1, BORDERLINE), (60.0, 0.0, NO)],
)
def test_a_wall_within_an_inch_of_the_target_covers_it(target, sigma, verdict):
    found = _shot(target, sigma)
    assert cover.covered(found, 25.4).tolist() == [[verdict]]
    assert cover.covered(found, 25.4, where_crossed=True).tolist() == [[verdict]]


def test_one_fires_over_the_wall_at_which_one_stands():
    found = _shot()
    assert found.to_shooter_mm.tolist() == [[58.0]]
    assert found.leaves_mm[0, 0] == pytest.approx(18.0)
    assert cover.covered(found, 25.4, touching_mm=58.0).tolist() == [[NO]]
    assert cover.covered(found, 25.4, touching_mm=57.0).tolist() == [[YES]]


def test_wholly_hidden_behind_a_wall_or_partly():
    wall = pieces_of([[(40, -10), (44, -10), (44, 10), (40, 10)], [(40, 0), (44, 0), (44, 60), (40, 60)]])
    target = bases_of([(60, 0)], [Round(diameter_mm=10)], [0])
    assert cover.hidden_behind(all_lines([[0, 0]], target.centre), target, wall).tolist() == [[YES, NO]]


def test_without_terrain_or_figures():
    none, nobody = pieces_of([]), bases_of([], [], [])
    one = bases_of([(0, 0)], [Round(diameter_mm=10)], [0])
    assert cover.area_share(one, none).shape == cover.base_gaps(one, none).shape == (1, 0)
    assert cover.area_share(nobody, pieces_of([[(0, 0), (1, 0), (0, 1)]])).shape == (0, 1)
    assert cover.between(all_lines([], []), none).crosses.shape == (0, 0)
    assert cover.standing_in(one, none).shape == (1, 0)
