"""What shows a fact says what the fact says: the shapes that are drawn against the numbers that they stand for."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import cover, distances, showing, sight
from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Area, Line, Spot, arc_points
from engine.geometry.facing import aspects
from engine.geometry.formations import contacts, ranks
from engine.geometry.grids import HexGrid, SquareGrid
from engine.geometry.grids import showing as cells
from engine.geometry.grids.facings import side_zone
from engine.geometry.grids.standing import stand
from engine.geometry.shapes.bases import Bases, bases_of, points
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight.ground import dead_ground_mm, show_dead_ground
from engine.geometry.sight.mutual import free_line, show_free_line
from engine.geometry.sight.records import Opaque, Standing
from engine.geometry.sight.visible import show_visible, visible
from engine.records.game import Rect, Round

FOOT, ELEMENT = Round(diameter_mm=20), Rect(width_mm=60, depth_mm=40)
PLACES = st.tuples(st.integers(-150, 150), st.integers(-150, 150))
TURNS = st.integers(0, 359)
SHAPES = st.sampled_from([FOOT, ELEMENT])


def one(place: tuple[float, float], shape: Round | Rect = FOOT, turn: float = 0.0, sigma: float = 0.0) -> Bases:
    return bases_of([place], [shape], [turn], sigma)


def outline(base: Bases) -> shapely.Geometry:
    if base.is_rect[0]:
        return shapely.Polygon(base.corners()[0])
    return shapely.Point(base.centre[0]).buffer(float(base.radius[0]), quad_segs=64)


@given(PLACES, SHAPES, TURNS, PLACES, SHAPES, TURNS, st.integers(1, 400))
def test_a_limit_is_shown_as_long_as_it_is(here, shape, turn, there, other, turned, limit):
    first, second = one(here, shape, turn), one(there, other, turned)
    (shown,) = showing.show_limit(first, second, [(0, 0)], limit)
    start, end = np.array(shown.points_mm)
    length = float(np.hypot(*(end - start)))
    assert length == pytest.approx(distances.edges(first, second).value_mm[0, 0], abs=1e-6)
    assert shown.part == ("clear" if length <= limit + 0.001 else "stopped")
    assert f"of {limit:.1f}" in shown.text


def test_a_limit_within_two_sigma_is_shown_in_doubt():
    first, second = one((0, 0), sigma=1.0), one((0, 121), sigma=1.0)
    assert [part.part for part in showing.show_limit(first, second, [(0, 0)], 100.0)] == ["doubt"]
    assert [part.part for part in showing.show_limit(first, second, [(0, 0)], 97.0)] == ["stopped"]
    circles = showing.show_doubt(first)
    assert [(part.part, part.radius_mm) for part in circles] == [("doubt", 2.0)]
    assert showing.show_doubt(one((0, 0))) == ()


@given(st.lists(st.tuples(PLACES, SHAPES, TURNS, st.integers(0, 2)), max_size=5))
def test_bases_are_marked_by_what_is_known_of_them(army):
    bases = bases_of([a[0] for a in army], [a[1] for a in army], [a[2] for a in army])
    verdicts = [a[3] for a in army]
    shown = showing.show_bases(bases, verdicts, "clear", [str(k) for k in range(len(army))])
    assert [part.text for part in shown] == [str(k) for k, verdict in enumerate(verdicts) if verdict]
    assert [part.part for part in shown] == ["clear" if v == 2 else "doubt" for v in verdicts if v]
    for part in shown:
        base = bases.pick([int(part.text)])
        if isinstance(part, Spot):
            assert (part.at_mm, part.radius_mm) == (tuple(base.centre[0]), base.radius[0])
        else:
            assert isinstance(part, Area)
            assert shapely.Polygon(part.outline_mm).equals(outline(base))


@given(st.lists(PLACES, min_size=1, max_size=8), TURNS)
def test_every_figure_stands_in_the_rank_that_is_drawn_through_it(places, turn):
    bases, of = bases_of(places, [FOOT] * len(places), [turn] * len(places)), [0] * len(places)
    rows = ranks.rows_across(bases, of, np.array([float(turn)]), 15.0)
    shown = showing.show_rows(bases, rows, of, 0)
    sizes = rows.sizes(of)[0][: rows.count[0]]
    assert [part.text for part in shown] == [f"rank {k + 1}: {size}" for k, size in enumerate(sizes)]
    drawn = [set(part.points_mm) for part in shown]
    assert all(tuple(centre) in drawn[row] for centre, row in zip(bases.centre.tolist(), rows.row, strict=True))


@given(st.lists(st.integers(5, 80), min_size=1, max_size=6))
def test_gaps_are_drawn_from_edge_to_edge(steps):
    places = [(float(sum(steps[:k])) + 20 * k, 0.0) for k in range(len(steps) + 1)]
    bases, of = bases_of(places, [FOOT] * len(places), [0.0] * len(places)), [0] * len(places)
    rows = ranks.rows_across(bases, of, np.zeros(1), 5.0)
    shown = showing.show_gaps(bases, ranks.neighbour_gaps(bases, of, np.zeros(1), rows))
    lengths = [np.hypot(*np.subtract(*part.points_mm)) for part in shown]
    assert lengths == pytest.approx([float(step) for step in steps])
    assert [part.text for part in shown] == [f"{step / 20:.1f}" for step in steps]


@pytest.mark.parametrize(
    ("charger", "word"),
    [((0, 30), "front"), ((40, 0), "right"), ((0, -30), "rear"), ((-40, 0), "left")],
)
def test_the_edge_that_is_touched_is_drawn(charger, word):
    body, foe = one((0, 0), ELEMENT), one(charger)
    (shown,) = showing.show_contact_edges(body, contacts.contact_edges(body, foe, 1.0))
    assert (shown.part, shown.text) == ("hit", word)
    assert shapely.LineString(shown.points_mm).distance(shapely.Point(charger)) == pytest.approx(10.0)
    assert showing.show_contact_edges(body, contacts.contact_edges(body, one((200, 0)), 1.0)) == ()


@given(PLACES, PLACES, SHAPES, TURNS)
def test_the_area_to_a_whole_base_is_the_hull_of_both(eye, place, shape, turn):
    target = one(place, shape, turn)
    lines = sight.all_lines([eye], target.centre)
    (shown,) = showing.show_swept(lines, 0, target)
    hull = shapely.union(shapely.Point(eye), outline(target)).convex_hull
    assert shapely.Polygon(shown.outline_mm).symmetric_difference(hull).area <= 0.01 + 0.1 * hull.length


def test_a_move_is_drawn_from_where_one_was_to_where_one_is():
    before, after = points(np.array([[0.0, 0.0], [9.0, 0.0]])), points(np.array([[30.0, 40.0], [39.0, 40.0]]))
    shown = showing.show_move(before, after)
    assert [part.text for part in shown] == ["50.0 mm", ""]
    assert [part.points_mm[-1] for part in shown] == [(30.0, 40.0), (39.0, 40.0)]


@given(PLACES, st.lists(st.tuples(PLACES, TURNS), max_size=3))
def test_what_is_drawn_as_seen_and_as_hidden_fills_the_view_of_a_base(eye, others):
    target = one((0, 0), ELEMENT, 30.0)
    if target.to_points(np.array([eye], dtype=float))[0, 0] <= 1.0:
        eye = (150, 150)
    blockers = [Standing(bases_of([o[0] for o in others], [FOOT] * len(others), [0] * len(others)))]
    lines = sight.all_lines([eye], target.centre)
    shown = show_visible(lines, 0, target, blockers)
    share = float(visible(lines, target, blockers).share[0])
    seen = sum(_angle(part) for part in shown if part.part == "clear")
    whole = sum(_angle(part) for part in shown)
    assert seen / whole == pytest.approx(share, abs=1e-5)
    assert (share > 1e-6) == any(part.text.endswith("seen") for part in shown if part.part == "clear")


def _angle(part: Area) -> float:
    """Under what angle an area is seen from its first point."""
    eye, *rim = np.array(part.outline_mm)
    first, last = rim[0] - eye, rim[-1] - eye
    return float(abs(np.arctan2(first[0] * last[1] - first[1] * last[0], first @ last)))


@given(PLACES, PLACES, st.lists(PLACES, max_size=3))
def test_the_freest_line_is_drawn_as_open_only_if_it_is(here, there, houses):
    first, second = one(here), one(there, ELEMENT, 20.0)
    blockers = [Opaque(pieces_of([[(x, y), (x + 40, y), (x + 40, y + 30), (x, y + 30)] for x, y in houses]))]
    (shown,) = show_free_line(first, 0, second, 0, blockers)
    verdict, start, end = free_line(first, 0, second, 0, blockers)
    assert shown.part == ("clear" if verdict == Verdict.YES else "stopped")
    assert shown.points_mm == ((start[0], start[1]), (end[0], end[1]))


@given(st.integers(1, 120), st.integers(0, 40))
def test_dead_ground_is_drawn_as_long_as_it_is(eye, seen):
    block = pieces_of([[(40, -10), (50, -10), (50, 10), (40, 10)]], [30.0])
    lines = sight.all_lines([[0, 0]], [[400, 0]])
    mm = float(dead_ground_mm(lines, block, [float(eye)], float(seen))[0, 0])
    view, *hidden = show_dead_ground(lines, block, [float(eye)], 0, float(seen))
    assert view.points_mm == ((0.0, 0.0), (400.0, 0.0))
    assert len(hidden) == (mm > 0)
    for part in hidden:
        assert part.points_mm[0][0] == pytest.approx(50.0)
        assert part.points_mm[1][0] == pytest.approx(min(50.0 + mm, 400.0))


@given(st.lists(PLACES, max_size=3))
def test_what_stands_between_is_drawn_where_the_line_leaves_it_or_ends_in_it(walls):
    pieces = pieces_of([[(x, y), (x + 9, y), (x + 9, y + 60), (x, y + 60)] for x, y in walls])
    lines = sight.all_lines([[-150, 0]], [[150, 20]])
    found = cover.between(lines, pieces)
    shown = cover.show_between(lines, 0, pieces, found)
    spots = [part for part in shown if isinstance(part, Spot)]
    crossed = np.flatnonzero(found.crosses[0] == Verdict.YES)
    assert len(spots) == len(crossed)
    for part, number in zip(spots, crossed, strict=True):
        assert part.text == f"{found.to_target_mm[0, number]:.0f} mm off the target"
        at_its_end = part.at_mm == pytest.approx((150, 20)) and pieces.contains([part.at_mm])[0, number]
        assert at_its_end or float(pieces.to_outline([part.at_mm])[0, number]) == pytest.approx(0.0, abs=1e-6)


@given(st.lists(st.integers(0, 2), max_size=9), st.sampled_from([0.25, 0.5, 0.75]), st.booleans())
def test_a_share_of_a_unit_is_settled_where_every_outcome_agrees(figures, share, strictly):
    def holds(outcome: list[int]) -> bool:
        count, limit = sum(outcome), share * len(outcome)
        return bool(outcome) and (count > limit if strictly else count >= limit)

    least, most = holds([f == 2 for f in figures]), holds([f >= 1 for f in figures])
    want = Verdict.YES if least else Verdict.BORDERLINE if most else Verdict.NO
    assert cover.unit_share(figures, share, strictly=strictly) == want


@pytest.mark.parametrize("grid", [SquareGrid(50.0), HexGrid(50.0), HexGrid(50.0, top="pointed")])
def test_a_ruler_covers_the_cells_that_it_counts(grid):
    shown = cells.show_ruler(grid, (1, 1), (5, 3), "cells")
    assert shown[-1].text == f"{int(grid.distances((1, 1), (5, 3)))} cells"
    assert len(shown) == int(grid.distances((1, 1), (5, 3))) + 1
    assert isinstance(shown[-1], Line)
    assert shown[-1].points_mm[-1] == pytest.approx(tuple(grid.centres((5, 3))))


@pytest.mark.parametrize("vertex", range(6))
@pytest.mark.parametrize("top", ["flat", "pointed"])
def test_the_sides_of_a_hex_are_named_for_its_facing(top, vertex):
    grid = HexGrid(60.0, top=top)
    *sides, ahead = cells.show_facing(grid, (2, 2), vertex)
    assert [part.text for part in sides] == [side_zone(vertex, side) for side in range(6)]
    middle = grid.centres((2, 2))
    for side, part in enumerate(sides):
        neighbour = grid.centres(grid.neighbour((2, 2), side))
        assert np.mean(part.points_mm, axis=0) == pytest.approx((middle + neighbour) / 2)
    assert ahead.points_mm[0] == pytest.approx(tuple(middle))


def test_both_cells_are_drawn_where_it_may_be_either():
    grid = SquareGrid(50.0)
    bases = bases_of([(25, 25), (99.5, 25)], [FOOT] * 2, [0, 0], 1.0)
    shown = cells.show_standing(grid, stand(grid, bases, bases.sigma_mm))
    assert [part.part for part in shown] == ["hit", "doubt", "doubt"]
    corners = {min(part.outline_mm) for part in shown if isinstance(part, Area)}
    assert corners == {(0.0, 0.0), (50.0, 0.0), (100.0, 0.0)}


@given(st.floats(0.5, 500), st.integers(0, 359), st.integers(-360, 360))
def test_an_arc_is_drawn_within_a_tenth_of_a_millimetre(radius, start, turn):
    arc = arc_points((3, -4), radius, start, start + turn)
    middles = (arc[1:] + arc[:-1]) / 2
    assert np.hypot(*(arc - (3, -4)).T) == pytest.approx(radius)
    assert (radius - np.hypot(*(middles - (3, -4)).T) <= 0.1 + 1e-9).all()


@pytest.mark.parametrize(("front", "rear"), [(45.0, 45.0), (90.0, 45.0), (60.0, 30.0)])
def test_points_of_a_quarter_lie_in_the_area_that_is_drawn(front, rear):
    body = one((0, 0), ELEMENT, 25.0)
    spots = np.stack(np.meshgrid(np.arange(-150, 151, 15.5), np.arange(-150, 151, 15.5)), axis=-1).reshape(-1, 2)
    found = aspects.quarters(spots, body, front, rear).aspect[:, 0]
    ahead, behind = (shapely.Polygon(part.outline_mm) for part in aspects.show_quarters(body, 0, front, rear, 900))
    assert np.array_equal(found == aspects.Aspect.FRONT, shapely.contains_xy(ahead, *spots.T))
    assert np.array_equal(found == aspects.Aspect.REAR, shapely.contains_xy(behind, *spots.T))
