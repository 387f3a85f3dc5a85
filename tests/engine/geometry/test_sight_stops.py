"""Where a line of sight is stopped, by what, and what shows it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.drawing import Area, Line, Spot
from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import (
    Crests,
    Limit,
    Opaque,
    Standing,
    Veil,
    all_lines,
    look,
    sight_drawing,
    stops_of,
)
from engine.geometry.sight.bodies import inroads
from engine.records.game import Rect, Round
from tests.engine.geometry import oracles_sight as oracle
from tests.engine.geometry.oracles_sight import outlines, spots, turns

shapes = st.integers(1, 5).map(lambda wide: Round(diameter_mm=wide)) | st.tuples(
    st.integers(1, 4), st.integers(1, 4)
).map(lambda at: Rect(width_mm=at[0], depth_mm=at[1]))


@given(spots, spots, st.lists(outlines, max_size=3), st.lists(st.tuples(spots, shapes, turns), max_size=3),
       st.sampled_from([0.0, 0.5]))  # fmt: skip
def test_up_to_the_stop_a_line_is_free_and_there_it_is_not(start, end, terrain, others, margin):
    bases = bases_of([one[0] for one in others], [one[1] for one in others], [one[2] for one in others])
    blockers = [Opaque(pieces_of(terrain)), Standing(bases, margin)]
    lines = all_lines([start], [end])
    found = stops_of(lines, blockers)
    assert (look(lines, blockers).verdict[0] == 0) == (len(found.share) > 0)
    assert (np.diff(found.share) >= 0).all()
    for by, part, share in zip(found.by, found.part, found.share, strict=True):
        at = np.array(start) + share * (np.array(end) - np.array(start))
        if by == 0:
            assert oracle.length_inside(terrain[part], start, tuple(at)) == pytest.approx(0, abs=1e-6)
        else:
            depth, _ = inroads(blockers[1].bodies, np.array([part]), np.array([start]), at[None])
            starts_in, _ = inroads(blockers[1].bodies, np.array([part]), np.array([start]), np.array([start]))
            assert depth[0] == pytest.approx(max(starts_in[0], 0.0), abs=1e-6)


def test_everything_in_the_way_in_order():
    wood = Veil(pieces_of([[(10, -5), (20, -5), (20, 5), (10, 5)]]), through_mm=4)
    crest = Crests((np.array([[30.0, -5.0], [30.0, 5.0]]),))
    men = Standing(bases_of([(50, 0)], [Round(diameter_mm=10)], [0]))
    house = Opaque(pieces_of([[(80, -5), (90, -5), (90, 5), (80, 5)]]))
    found = stops_of(all_lines([[0, 0]], [[100, 0]]), [house, men, crest, wood, Limit(60)])
    assert found.by.tolist() == [3, 2, 1, 4, 0]
    assert found.share == pytest.approx([0.1, 0.3, 0.45, 0.6, 0.8])


@pytest.mark.parametrize(("start", "end", "share"), [(0, 15, 2 / 3), (15, 40, 0.2), (11, 19, 0.5)])
def test_a_wood_stops_sight_at_its_edge_or_where_it_grows_too_deep(start, end, share):
    wood = Veil(pieces_of([[(10, -5), (20, -5), (20, 5), (10, 5)]]), into_mm=2, out_mm=2, inside_mm=4)
    assert stops_of(all_lines([[start, 0]], [[end, 0]]), [wood]).share == pytest.approx([share])


def test_a_drawing_shows_the_open_and_the_stopped_stretch_and_what_stops_it():
    men = Standing(bases_of([(50, 0), (50, 30)], [Round(diameter_mm=10), Rect(width_mm=10, depth_mm=10)], [0, 0]))
    lines = all_lines([[0, 0]], [[100, 0], [100, 60], [0, 90]])
    clear, stopped, hit, blocker = sight_drawing(lines, 0, [men])
    assert (clear, stopped) == (
        Line(part="clear", points_mm=((0, 0), (45, 0))),
        Line(part="stopped", points_mm=((45, 0), (100, 0))),
    )
    assert (hit, blocker) == (Spot(part="hit", at_mm=(45, 0)), Spot(part="blocker", at_mm=(50, 0), radius_mm=5))
    assert isinstance(sight_drawing(lines, 1, [men])[3], Area)
    assert [shape.part for shape in sight_drawing(lines, 2, [men])] == ["clear"]
    near = sight_drawing(all_lines([[0, 5.5]], [[100, 5.5]], 1.0, 1.0), 0, [men])
    assert [shape.part for shape in near] == ["clear", "doubt", "doubt", "blocker"]
