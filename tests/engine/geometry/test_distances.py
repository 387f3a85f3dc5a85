"""How far bases and units are from each other, against shapely's distances taken pair by pair."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.certainty import Verdict
from engine.geometry.distances import (
    Distances,
    between_units,
    centres,
    edges,
    front_middles_to_edges,
    shortest_lines,
    show,
    show_units,
)
from engine.geometry.shapes.bases import (
    bases_of,
    blocks,
    concat,
    each_to_segment,
    from_rect,
    gaps,
    paired_gaps,
    to_segments,
)
from engine.geometry.shapes.units import by_units
from tests.engine.geometry.oracles_figures import Thing, bases_from, crowds, gap_between, places, things


@given(crowds, crowds)
def test_gaps_are_those_that_shapely_measures_and_the_same_both_ways(crowd: Any, others: Any) -> None:
    wanted = [[gap_between(one, other) for other in others] for one in crowd]
    found = gaps(bases_from(crowd), bases_from(others))
    assert found == pytest.approx(np.array(wanted), abs=1e-6)
    assert (found == gaps(bases_from(others), bases_from(crowd)).T).all()


@given(things(), things())
def test_a_signed_gap_says_how_far_a_base_must_be_shifted_to_be_clear(one: Thing, other: Thing) -> None:
    found = gaps(bases_from([one]), bases_from([other]), signed=True)[0, 0]
    assert paired_gaps(bases_from([one]), bases_from([other]), signed=True)[0] == pytest.approx(found, abs=1e-9)
    if one.core.intersects(other.core):
        cores = [np.array(shapely.get_coordinates(thing.core)) for thing in (one, other)]
        difference = shapely.MultiPoint((cores[0][:, None] - cores[1][None]).reshape(-1, 2)).convex_hull
        wanted = -difference.boundary.distance(shapely.Point(0, 0)) if difference.area else 0.0
    else:
        wanted = one.core.distance(other.core)
    assert found == pytest.approx(wanted - one.radius - other.radius, abs=1e-6)


@given(crowds)
def test_paired_gaps_are_those_of_the_table(crowd: Any) -> None:
    bases = bases_from(crowd)
    back = bases.pick(list(range(len(crowd)))[::-1])
    assert paired_gaps(bases, back) == pytest.approx(np.diag(gaps(bases, back)), abs=1e-9)


@given(crowds, st.lists(st.tuples(places, places), min_size=1, max_size=4))
def test_distances_to_segments_with_and_without_length(crowd: Any, segments: Any) -> None:
    starts, ends = (np.array([segment[end] for segment in segments]) for end in (0, 1))
    found = to_segments(bases_from(crowd), starts, ends)
    for i, thing in enumerate(crowd):
        for j, (start, end) in enumerate(segments):
            shape = shapely.Point(start) if start == end else shapely.LineString([start, end])
            assert found[i, j] == pytest.approx(thing.gap(shape), abs=1e-6)


@given(st.lists(st.tuples(things(), places, places), min_size=1, max_size=5))
def test_the_distance_of_each_base_from_its_own_segment_is_that_of_the_table(couples: Any) -> None:
    bases = bases_from([thing for thing, _, _ in couples])
    starts, ends = (np.array([couple[end] for couple in couples]) for end in (1, 2))
    assert each_to_segment(bases, starts, ends) == pytest.approx(
        np.diag(to_segments(bases, starts, ends)), abs=1e-9
    )


@given(things(), crowds)
def test_distances_from_an_outline_are_below_or_at_0_exactly_where_it_meets_the_base(
    one: Thing, crowd: Any
) -> None:
    outline = np.array(Thing(one.at, one.width, one.depth or 30.0, one.bearing).corners)
    area = shapely.Polygon(outline)
    for other, found in zip(crowd, from_rect(outline, bases_from(crowd)), strict=True):
        wanted = other.core.distance(area) - other.radius
        assert max(found, 0.0) == pytest.approx(max(wanted, 0.0), abs=1e-6)


@given(crowds, places, st.floats(0, 6.28))
def test_supports_bounds_and_signed_distances_are_those_of_the_outline(crowd: Any, spot: Any, turn: float) -> None:
    bases, way = bases_from(crowd), np.array([math.sin(turn), math.cos(turn)])
    for i, thing in enumerate(crowd):
        core = shapely.get_coordinates(thing.core)
        assert bases.support(way)[i] == pytest.approx((core @ way).max() + thing.radius, abs=1e-6)
        low, high = core.min(axis=0) - thing.radius, core.max(axis=0) + thing.radius
        assert bases.bounds()[i] == pytest.approx([*low, *high], abs=1e-6)
        assert bases.area[i] == pytest.approx(thing.core.area + math.pi * thing.radius**2, abs=1e-6)
        signed = bases.to_points(np.array([spot]))[i, 0]
        rim = thing.core.exterior if thing.depth is not None else thing.core
        inside = thing.depth is not None and thing.core.contains(shapely.Point(spot))
        depth = rim.distance(shapely.Point(spot))
        assert signed == pytest.approx((-depth if inside else depth) - thing.radius, abs=1e-6)


@given(crowds)
def test_front_edges_and_their_middles(crowd: Any) -> None:
    bases = bases_from(crowd)
    for i, thing in enumerate(crowd):
        assert bases.front_middle[i] == pytest.approx(thing.front, abs=1e-6)
        ends = thing.corners[3], thing.corners[2]
        wanted = (thing.front, thing.front) if thing.depth is None else ends
        assert bases.front_edges()[i] == pytest.approx(np.array(wanted), abs=1e-6)


@given(crowds, places, st.floats(-360, 360))
def test_bases_are_shifted_and_turned_about_their_centres(crowd: Any, spot: Any, turn: float) -> None:
    bases = bases_from(crowd)
    moved = bases.moved_to(bases.centre + np.array(spot)).turned_by(turn)
    for i, thing in enumerate(crowd):
        at = (thing.at[0] + spot[0], thing.at[1] + spot[1])
        wanted = Thing(at, thing.width, thing.depth, thing.bearing + turn)
        assert moved.front_middle[i] == pytest.approx(wanted.front, abs=1e-6)
        assert (moved.width[i], moved.depth[i]) == pytest.approx((thing.width, thing.depth or thing.width))
        assert (moved.sigma_mm[i], moved.bearing_sigma_deg[i]) == (thing.sigma, thing.turn_sigma)


@given(crowds, crowds)
def test_the_shortest_line_runs_from_base_to_base_and_is_as_long_as_the_gap(crowd: Any, others: Any) -> None:
    count = min(len(crowd), len(others))
    first, second = bases_from(crowd[:count]), bases_from(others[:count])
    starts, ends = shortest_lines(first, second)
    for k in range(count):
        gap = gap_between(crowd[k], others[k])
        assert math.dist(starts[k], ends[k]) == pytest.approx(gap, abs=1e-6)
        for thing, end in ((crowd[k], starts[k]), (others[k], ends[k])):
            assert thing.core.distance(shapely.Point(end)) <= thing.radius + 1e-6


@given(st.integers(0, 89), st.floats(1, 9))
def test_rectangles_laid_crosswise_meet_at_a_point_of_both(turn: int, thin: float) -> None:
    one, other = Thing((5.0, 5.0), 100.0, thin, float(turn)), Thing((5.0, 5.0), 100.0, thin, turn + 90.0)
    starts, ends = shortest_lines(bases_from([one]), bases_from([other]))
    assert starts[0].tolist() == ends[0].tolist()
    assert max(thing.core.distance(shapely.Point(starts[0])) for thing in (one, other)) <= 1e-6


@given(crowds, crowds)
def test_centres_and_front_edge_middles(crowd: Any, others: Any) -> None:
    first, second = bases_from(crowd), bases_from(others)
    middle, front = centres(first, second), front_middles_to_edges(first, second)
    for i, one in enumerate(crowd):
        for j, other in enumerate(others):
            assert middle.value_mm[i, j] == pytest.approx(math.dist(one.at, other.at), abs=1e-6)
            assert front.value_mm[i, j] == pytest.approx(other.gap(shapely.Point(one.front)), abs=1e-6)


@given(crowds, crowds)
def test_the_sigma_of_a_distance_is_the_root_of_both_squares(crowd: Any, others: Any) -> None:
    first, second = bases_from(crowd), bases_from(others)
    wanted = np.array([[math.hypot(one.sigma, other.sigma) for other in others] for one in crowd])
    for found in (edges(first, second), centres(first, second)):
        assert found.sigma_mm == pytest.approx(wanted, abs=1e-9)
    assert (front_middles_to_edges(first, second).sigma_mm >= wanted - 1e-9).all()


def _nudged(thing: Thing, turn: float) -> Thing:
    return Thing(thing.at, thing.width, thing.depth, thing.bearing + turn)


@given(things(sure=True), things(sure=True), st.sampled_from([0, 1]))
def test_bearings_add_what_turning_a_base_changes(one: Thing, other: Thing, which: int) -> None:
    step, sigma = 1e-4, 2.0
    pair, turned = [one, other], []
    for way in (-step, step):
        nudged = list(pair)
        nudged[which] = _nudged(pair[which], way)
        turned.append(gap_between(*nudged))
    slopes = [abs(turned[1] - turned[0]) / (2 * step), abs(gap_between(*pair) - turned[0]) / step]
    pair[which] = Thing(pair[which].at, pair[which].width, pair[which].depth, pair[which].bearing, 0.0, sigma)
    found = edges(bases_from(pair[:1]), bases_from(pair[1:]), turns=True)
    if gap_between(one, other) > 1 and abs(slopes[0] - slopes[1]) < 1e-3:  # no other corner becomes the nearest
        assert found.sigma_mm[0, 0] == pytest.approx(slopes[0] * sigma, abs=1e-2)


@given(things(sure=True), things(sure=True))
def test_a_front_edge_swings_with_its_bearing(one: Thing, other: Thing) -> None:
    step, sigma = 1e-4, 2.0
    near, far = (other.gap(shapely.Point(_nudged(one, way).front)) for way in (-step, step))
    loose = Thing(one.at, one.width, one.depth, one.bearing, 0.0, sigma)
    found = front_middles_to_edges(bases_from([loose]), bases_from([other]))
    if found.value_mm[0, 0] > 1:
        assert found.sigma_mm[0, 0] == pytest.approx(abs(far - near) / (2 * step) * sigma, abs=1e-2)


@given(crowds, crowds, st.data())
def test_units_are_as_far_apart_as_their_nearest_figures(crowd: Any, others: Any, data: Any) -> None:
    units = [data.draw(st.lists(st.integers(-1, 2), min_size=len(c), max_size=len(c))) for c in (crowd, others)]
    table = edges(bases_from(crowd), bases_from(others))
    found = between_units(table, *units, (3, 3))
    for u in range(3):
        for v in range(3):
            pairs = [
                (round(table.value_mm[i, j], 6), i, j)
                for i in range(len(crowd)) for j in range(len(others))
                if units[0][i] == u and units[1][j] == v
            ]  # fmt: skip
            if not pairs:
                assert found.value_mm[u, v] == math.inf
                assert (found.row[u, v], found.column[u, v]) == (-1, -1)
                continue
            _, i, j = min(pairs)
            assert (found.row[u, v], found.column[u, v]) == (i, j)
            assert found.value_mm[u, v] == table.value_mm[i, j]
            assert found.sigma_mm[u, v] == table.sigma_mm[i, j]


def test_a_limit_counts_as_within_and_is_borderline_only_where_positions_are_doubtful() -> None:
    table = Distances(np.array([[457.2, 457.3, 458.0]]), np.array([[0.0, 0.0, 0.5]]))
    assert table.within(457.2).tolist() == [[Verdict.YES, Verdict.NO, Verdict.BORDERLINE]]
    assert table.beyond(457.2).tolist() == [[Verdict.YES, Verdict.YES, Verdict.BORDERLINE]]


@given(crowds)
def test_the_line_that_is_drawn_says_the_distance(crowd: Any) -> None:
    bases = bases_from(crowd)
    (drawn,) = show(bases, bases, [(0, len(crowd) - 1)])
    assert drawn.text == f"{math.dist(*drawn.points_mm):.1f} mm"  # type: ignore[union-attr]
    nearest = between_units(edges(bases, bases), [0] * len(crowd), [1] * len(crowd), (1, 2))
    assert show_units(bases, bases, nearest, 0, 0) == ()
    assert len(show_units(bases, bases, nearest, 0, 1)) == 1


def test_no_figures_have_no_distances() -> None:
    none, one = bases_of([], [], []), bases_from([Thing((0.0, 0.0), 20.0, 20.0, 0.0)])
    for first, second in ((none, none), (none, one), (one, none)):
        shape = (len(first), len(second))
        for table in (
            edges(first, second, turns=True),
            centres(first, second),
            front_middles_to_edges(first, second),
        ):
            assert table.value_mm.shape == table.sigma_mm.shape == shape
            assert between_units(table, [0] * shape[0], [0] * shape[1], (1, 1)).value_mm.tolist() == [[math.inf]]
    assert [ends.shape for ends in shortest_lines(none, none)] == [(0, 2), (0, 2)]
    assert len(concat([none, one, none])) == 1
    assert to_segments(none, np.zeros((2, 2)), np.zeros((2, 2))).shape == (0, 2)
    assert list(blocks(0, 5)) == []


def test_the_greatest_verdict_of_two_units_is_that_any_figure_reaches() -> None:
    verdicts = np.array([[0, 1], [2, 0]], dtype=np.int8)
    assert by_units(verdicts, [0, 1], [0, 0], (2, 1), False, 0).tolist() == [[1], [2]]


def test_large_tables_are_worked_through_in_blocks() -> None:
    spots = [(float(x), 0.0) for x in range(0, 9000, 30)]
    bases = bases_from([Thing(spot, 20.0, 20.0, 0.0) for spot in spots])
    wanted = np.maximum(np.abs(np.subtract.outer(bases.centre[:, 0], bases.centre[:, 0])) - 20.0, 0.0)
    assert gaps(bases, bases) == pytest.approx(wanted, abs=1e-9)
