"""Walls with gaps in them: what stands is what stood, but for a square cut through it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.geometry.shapes.breaches import breached

Array = NDArray[np.float64]

turns = st.floats(0.0, 2 * math.pi)
places = st.floats(0.0, 1.0)


def wall(length: float, thick: float, turn: float) -> Array:
    """A wall from the origin along a direction."""
    along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    return np.array([0 * along, length * along, length * along + thick * across, thick * across])


def hit(length: float, turn: float, place: float) -> Array:
    """A point just before a wall's first long side."""
    along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    spot: Array = place * length * along - 2.0 * across
    return spot


@example(100.0, 2.0, 5.713697074997906, 0.0, 10.0)
@given(st.floats(100.0, 400.0), st.floats(2.0, 20.0), turns, places, st.floats(10.0, 80.0))
def test_a_thin_wall_loses_its_thickness_times_the_width_of_the_gap(
    length: float, thick: float, turn: float, place: float, width: float
) -> None:
    parts = breached(wall(length, thick, turn), hit(length, turn, place), width)
    half, at = width / 2, place * length
    lost = (min(at + half, length) - max(at - half, 0.0)) * min(thick, width)
    left = sum(shapely.area(shapely.Polygon(part)) for part in parts)
    assert left == pytest.approx(length * thick - lost, abs=2.0 + 1e-6 * length)


@given(turns, places)
def test_what_is_left_lay_in_the_wall_and_out_of_the_gap(turn: float, place: float) -> None:
    outline = wall(300.0, 6.0, turn)
    spot = hit(300.0, turn, place)
    whole = shapely.Polygon(outline)
    for part in breached(outline, spot, 50.0):
        standing = shapely.Polygon(part)
        assert shapely.area(standing.difference(whole.buffer(1e-6))) == pytest.approx(0.0, abs=1e-3)
        assert standing.distance(shapely.Point(spot)) > 24.9


def test_of_a_short_wall_nothing_is_left() -> None:
    assert breached(wall(40.0, 5.0, 0.0), (20.0, -1.0), 76.2) == ()


def test_a_breach_in_the_wall_round_a_yard_opens_it() -> None:
    outside, yard = np.array(shapely.box(0, 0, 400, 400).exterior.coords)[:-1], shapely.box(10, 10, 390, 390)
    hole = np.array(yard.exterior.coords)[:-1]
    (left,) = breached(outside, (200.0, -5.0), 76.2, [hole])
    standing = shapely.Polygon(left)
    assert shapely.area(standing) == pytest.approx(400**2 - 380**2 - 76.2 * 10)
    assert not standing.intersects(yard.buffer(-1e-6))


def test_of_a_thick_wall_round_a_yard_that_is_not_breached_through_all_but_the_gap_stands() -> None:
    outside, yard = np.array(shapely.box(0, 0, 400, 400).exterior.coords)[:-1], shapely.box(150, 150, 250, 250)
    parts = breached(outside, (200.0, -5.0), 50.0, [np.array(yard.exterior.coords)[:-1]])
    standing = shapely.union_all([shapely.Polygon(part) for part in parts])
    assert sum(shapely.Polygon(part).area for part in parts) == pytest.approx(400**2 - 100**2 - 50.0 * 50.0)
    assert standing.intersection(yard).area == pytest.approx(0.0)
