"""Places in reach in one straight line, against walking there step by step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point

from engine.geometry.reach import Going, either_region, ground_of, spokes_region
from engine.geometry.reach.going import walk
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Round

START = np.array([200.0, 200.0])
SIZE = Round(diameter_mm=20)
GROUND = ground_of(
    [[(150, 260), (320, 260), (320, 330), (150, 330)], [(100, 120), (300, 120), (300, 126), (100, 126)],
     [(270, 180), (290, 180), (290, 240), (270, 240)]],
    [Going(factor=0.5), Going(crossing_mm=40.0), Going(barred=True)],
)  # fmt: skip


@given(st.floats(0, 400), st.floats(0, 400))
def test_a_place_is_in_reach_where_the_straight_walk_there_can_be_paid(x: float, y: float) -> None:
    region = spokes_region(bases_of([(200, 200)], [SIZE], [0]), 150.0, GROUND, (380.0, 400.0))
    left, _, _ = walk(GROUND, np.array([START, [x, y]]), 150.0)
    spot = Point(x, y)
    if region.places.boundary.distance(spot) > 1.0:
        assert region.places.contains(spot) == (left[-1] >= 0 and x <= 380.0)


def test_several_figures_reach_what_any_of_them_reaches() -> None:
    both = spokes_region(bases_of([(100, 100), (300, 100)], [SIZE] * 2, [0, 0]), 50.0)
    assert both.places.area == pytest.approx(2 * np.pi * 50.0**2, rel=0.01)
    assert len(both.rings_mm) == 2


def test_nobody_reaches_nothing() -> None:
    assert spokes_region(bases_of([], [], []), 50.0).outline_mm == ()


def test_one_way_or_another_reaches_what_either_does() -> None:
    one = bases_of([(200, 200)], [SIZE], [0])
    hedge = ground_of([[(0, 240), (400, 240), (400, 260), (0, 260)]], [Going(barred=True)])
    runs = spokes_region(one, 150.0, hedge)
    both = either_region(runs, spokes_region(one, 80.0))
    assert [both.places.contains(Point(200, y)) for y in (55, 270, 290)] == [True, True, False]
    assert both.places.area < runs.places.area + spokes_region(one, 80.0).places.area
