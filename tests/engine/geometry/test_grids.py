"""Squares and hexes over the table: what a player would count with a finger, checked against slow obvious ways."""

from __future__ import annotations

import itertools
from collections import deque
from fractions import Fraction

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.grids import HexGrid, SquareGrid, stand, walk
from engine.geometry.grids.facings import arc_of, facing_at, in_arc, side_zone, vertex_bearings_deg
from engine.geometry.plane.directions import bearing_of, off
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Rect, Round

cells = st.tuples(st.integers(-6, 12), st.integers(-6, 12))
points = st.tuples(st.floats(-700, 1500), st.floats(-700, 1500))
turns = st.sampled_from([0.0, 17.0, 90.0, -30.0])
hex_grids = st.builds(
    HexGrid,
    st.sampled_from([100.0, 37.5]),
    origin_mm=st.sampled_from([(0.0, 0.0), (12.0, -40.0)]),
    turn_deg=turns,
    top=st.sampled_from(["flat", "pointed"]),
)
square_grids = st.builds(
    SquareGrid,
    st.sampled_from([152.4, 100.0]),
    origin_mm=st.sampled_from([(0.0, 0.0), (12.0, -40.0)]),
    turn_deg=turns,
)
grids = st.one_of(hex_grids, square_grids)


@given(grids, cells)
def test_the_middle_of_a_cell_is_in_that_cell(grid, cell):
    assert tuple(grid.cells_at(grid.centres(cell)).tolist()) == cell


@given(grids, points)
def test_a_point_is_in_the_cell_whose_middle_is_nearest(grid, point):
    cell = grid.cells_at(point)
    around = [tuple(cell.tolist()), *grid.neighbours(cell.tolist(), bounded=False)]
    away = [float(np.hypot(*(grid.centres(c) - point))) for c in around]
    assert away[0] <= min(away) + 0.002


@given(grids, cells)
def test_a_cell_is_drawn_round_its_middle_and_beside_its_neighbours(grid, cell):
    outline = shapely.Polygon(grid.outlines(cell))
    assert outline.contains(shapely.Point(grid.centres(cell)))
    for other in grid.neighbours(cell, bounded=False):
        assert outline.distance(shapely.Polygon(grid.outlines(other))) < 1e-6
        assert outline.intersection(shapely.Polygon(grid.outlines(other))).area < 1e-6


@given(hex_grids, cells)
def test_the_neighbours_are_those_beyond_the_sides(grid, cell):
    beyond = [tuple(grid.neighbour(cell, side).tolist()) for side in range(6)]
    assert grid.neighbours(cell, bounded=False) == beyond
    small = type(grid)(grid.size_mm, 5, 4, top=grid.top)
    assert small.neighbours(cell) == [c for c in beyond if bool(small.contains(c))]
    assert small.holds(cell) == bool(small.contains(cell))


def steps_by_search(grid, start, end, **options):
    seen, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        if here == end:
            return seen[here]
        for other in grid.neighbours(here, bounded=False, **options):
            if other not in seen:
                seen[other] = seen[here] + 1
                queue.append(other)
    raise AssertionError("never reached")


@given(hex_grids, cells, st.tuples(st.integers(-5, 5), st.integers(-5, 5)))
def test_hexes_are_as_far_apart_as_the_fewest_steps(grid, start, away):
    end = (start[0] + away[0], start[1] + away[1])
    assert int(grid.distances(start, end)) == steps_by_search(grid, start, end)


@given(
    square_grids, cells, st.tuples(st.integers(-4, 4), st.integers(-4, 4)), st.sampled_from(["one", "orthogonal"])
)
def test_squares_are_as_far_apart_as_the_fewest_steps(grid, start, away, diagonals):
    end = (start[0] + away[0], start[1] + away[1])
    assert int(grid.distances(start, end, diagonals)) == steps_by_search(grid, start, end, diagonals=diagonals)


@given(grids, cells, cells)
def test_a_ruler_from_cell_to_cell_takes_the_fewest_steps(grid, start, end):
    way = grid.path(start, end)
    assert way[0] == start
    assert way[-1] == end
    assert len(way) == int(grid.distances(start, end)) + 1
    assert all(b in grid.neighbours(a, bounded=False) for a, b in itertools.pairwise(way))


@given(square_grids, cells, cells)
def test_without_diagonals_a_ruler_takes_only_straight_steps(grid, start, end):
    way = grid.path(start, end, "orthogonal")
    assert len(way) == abs(end[0] - start[0]) + abs(end[1] - start[1]) + 1
    assert all(b in grid.neighbours(a, "orthogonal", bounded=False) for a, b in itertools.pairwise(way))


@given(square_grids, cells, cells)
def test_a_line_between_squares_goes_through_those_whose_inside_it_meets(grid, start, end):
    line = shapely.LineString([grid.centres(start), grid.centres(end)])
    low, high = np.minimum(start, end), np.maximum(start, end)
    met = {
        (c, r)
        for c in range(low[0], high[0] + 1)
        for r in range(low[1], high[1] + 1)
        if shapely.Polygon(grid.outlines((c, r))).intersection(line).length > 0.01 or start == end
    }
    along = grid.cells_along(grid.centres(start), grid.centres(end))
    assert set(along) == met
    assert len(along) == len(met)
    assert along[0] == start
    assert along[-1] == end


@given(square_grids, points, points)
def test_a_line_goes_through_the_same_squares_from_either_end(grid, start, end):
    assert set(grid.cells_along(start, end)) == set(grid.cells_along(end, start))


@pytest.mark.parametrize(
    ("start", "end", "through"),
    [
        ((50, 50), (250, 250), [(0, 0), (1, 1), (2, 2)]),
        ((0, 100), (300, 100), []),
        ((100, 0), (100, 300), []),
        ((50, 50), (50, 50), [(0, 0)]),
        ((100, 50), (100, 50), []),
        ((50, 50), (150, 50), [(0, 0), (1, 0)]),
        ((50, 50), (100, 50), [(0, 0)]),
    ],
)
def test_grazed_corners_and_edges_do_not_count(start, end, through):
    assert SquareGrid(100.0).cells_along(start, end) == through


def samples_in_fractions(grid, start, end):
    """The same in exact fractions: of all hexes near a sample those whose middle is nearest."""
    first, last = grid.cubes(start).tolist(), grid.cubes(end).tolist()
    count = max(abs(a - b) for a, b in zip(first, last, strict=True))
    found = []
    for i in range(1, count):
        at = [Fraction(a) + Fraction(b - a, count) * i for a, b in zip(first, last, strict=True)]
        near = {}
        for q in range(int(at[0]) - 2, int(at[0]) + 3):
            for s in range(int(at[1]) - 2, int(at[1]) + 3):
                cube = (q, s, -q - s)
                near[cube] = sum((a - b) ** 2 for a, b in zip(at, cube, strict=True))
        least = min(near.values())
        found.append(tuple(sorted(tuple(grid.cells_of(c).tolist()) for c, away in near.items() if away == least)))
    return found


@given(hex_grids, cells, cells)
def test_the_hexes_on_a_line_are_exact_and_the_same_from_either_end(grid, start, end):
    samples = grid.samples(start, end)
    assert samples == samples_in_fractions(grid, start, end)
    assert grid.samples(end, start) == samples[::-1]


@pytest.mark.parametrize(
    ("cell", "side", "other"),
    [
        ((2, 3), "N", (2, 4)), ((2, 3), "NE", (3, 3)), ((2, 3), "SE", (3, 2)),
        ((2, 3), "S", (2, 2)), ((2, 3), "SW", (1, 2)), ((2, 3), "NW", (1, 3)),
        ((3, 3), "NE", (4, 4)), ((3, 3), "SE", (4, 3)), ((3, 3), "SW", (2, 3)), ((3, 3), "NW", (2, 4)),
    ],
)  # fmt: skip
def test_the_neighbours_of_flat_topped_hexes_have_the_names_of_the_compass(cell, side, other):
    grid = HexGrid(100.0)
    number = grid.directions.index(side)
    assert tuple(grid.neighbour(cell, number).tolist()) == other
    assert grid.side_between(cell, other) == number
    assert grid.side_between(other, cell) == (number + 3) % 6


@given(hex_grids, cells, st.integers(0, 5))
def test_a_side_looks_towards_its_neighbour(grid, cell, side):
    way = grid.centres(grid.neighbour(cell, side)) - grid.centres(cell)
    assert float(np.hypot(*way)) == pytest.approx(grid.size_mm)
    assert float(off(bearing_of(way), grid.side_bearings_deg[side])) < 1e-6


@given(hex_grids, cells, st.integers(0, 5))
def test_corners_are_drawn_on_the_vertex_bearings(grid, cell, vertex):
    way = grid.outlines(cell)[vertex] - grid.centres(cell)
    assert float(off(bearing_of(way), vertex_bearings_deg(grid)[vertex])) < 1e-6


@given(hex_grids, cells, st.integers(0, 5), st.tuples(st.integers(-5, 5), st.integers(-5, 5)))
def test_arcs_are_what_their_bearings_say(grid, cell, vertex, away):
    other = (cell[0] + away[0], cell[1] + away[1])
    way = grid.centres(other) - grid.centres(cell)
    apart = float(off(bearing_of(way), vertex_bearings_deg(grid)[vertex]))
    here = other == cell
    assert (int(in_arc(grid, cell, vertex, other, "cone")) == 2) == (not here and apart < 30 + 1e-6)
    assert (int(in_arc(grid, cell, vertex, other, "wedge")) == 2) == (not here and apart < 60 + 1e-6)
    in_reach = other in {tuple(c) for c in arc_of(grid, cell, vertex, 12).tolist()}
    assert in_reach == (not here and apart < 30 + 1e-6)


def test_an_arc_holds_one_hex_more_at_each_distance():
    grid = HexGrid(100.0)
    arc = arc_of(grid, (5, 5), 2, 4)
    assert [int((grid.distances((5, 5), arc) == n).sum()) for n in range(1, 5)] == [2, 3, 4, 5]


def test_an_unknown_arc_is_refused_by_name():
    with pytest.raises(ValueError, match="expected an arc of cone, wedge, got 'slice'"):
        in_arc(HexGrid(100.0), (0, 0), 0, (1, 1), "slice")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bearing", "sigma", "vertex", "settled"),
    [(30, 0, 0, 2), (59.9, 0, 0, 2), (60, 0, 1, 2), (330, 0, 5, 2), (0, 0, 0, 2), (61, 1, 1, 1), (90, 5, 1, 2)],
)
def test_a_base_faces_the_nearest_vertex_and_doubt_is_said(bearing, sigma, vertex, settled):
    facing = facing_at(HexGrid(100.0), bearing, sigma)
    assert (facing.vertex, facing.settled) == (vertex, settled)
    assert [side_zone(vertex, side) for side in facing.frontal] == ["front", "front"]


@given(grids, points, st.floats(0, 360), st.sampled_from([Round(diameter_mm=30), Rect(width_mm=60, depth_mm=20)]))
def test_a_base_straddles_the_cells_that_it_lies_over(grid, point, bearing, shape):
    base = bases_of([point], [shape], [bearing])
    there = stand(grid, base, 0.5)
    area = shapely.Polygon(base.corners()[0]) if isinstance(shape, Rect) else shapely.Point(point).buffer(15, 256)
    for cell in set(there.straddled[0]) | set(grid.neighbours(there.cell[0].tolist(), bounded=False)):
        over = shapely.Polygon(grid.outlines(cell)).intersection(area)
        reach = 0.0 if over.is_empty else over.area
        if cell in there.straddled[0]:
            assert reach > 0 or tuple(there.cell[0].tolist()) == cell or area.distance(over) < 0.01
        else:
            assert reach < 0.1
    assert there.settled[0] == (1 if there.to_edge_mm[0] <= 1.0 else 2)


def test_a_base_near_an_edge_is_in_doubt_and_the_other_square_is_named():
    there = stand(SquareGrid(152.4), bases_of([(152.0, 76.2)], [Round(diameter_mm=40)], [0]), 0.5)
    assert there.cell.tolist() == [[0, 0]]
    assert there.next_cell.tolist() == [[1, 0]]
    assert there.settled.tolist() == [1]
    assert there.to_edge_mm[0] == pytest.approx(0.4)


def test_exactly_on_an_edge_a_base_is_in_the_square_farther_right_or_farther_off():
    assert SquareGrid(152.4).cells_at([[152.4, 10.0], [10.0, 152.4], [304.8, 304.8]]).tolist() == [
        [1, 0],
        [0, 1],
        [2, 2],
    ]


def test_no_bases_stand_nowhere():
    there = stand(SquareGrid(100.0), bases_of([], [], []))
    assert there.cell.shape == (0, 2)
    assert there.straddled == ()


@given(st.integers(0, 2**32 - 1))
def test_walks_cost_the_least(seed):
    rng = np.random.default_rng(seed)
    prices = rng.integers(1, 5, size=(5, 5)).astype(float)
    prices[rng.random((5, 5)) < 0.2] = np.inf
    grid = SquareGrid(100.0, 5, 5)
    reached = walk(
        (0, 0), lambda cell, _: [(c, float(prices[c])) for c in grid.neighbours(cell, "orthogonal")], 12.0
    )
    best = np.full((5, 5), np.inf)
    best[0, 0] = 0.0
    for _ in range(25):  # Bellman and Ford
        for cell in np.ndindex(5, 5):
            for other in grid.neighbours(cell, "orthogonal"):
                best[other] = min(best[other], best[cell] + prices[other])
    assert reached.cost == {(int(c), int(r)): best[c, r] for c, r in np.ndindex(5, 5) if best[c, r] <= 12.0}
    for cell in reached.cost:
        way = reached.path(cell)
        assert sum(prices[c] for c in way[1:]) == reached.cost[cell]


def test_a_step_at_less_than_nothing_is_refused():
    with pytest.raises(ValueError, match="expected steps that cost 0 or more"):
        walk(0, lambda n, spent: [(n + 1, -1.0)], 3.0)


def test_fractions_of_a_cell_are_no_cells():
    with pytest.raises(ValueError, match="whole columns and rows"):
        HexGrid(100.0).centres([0.5, 1])
