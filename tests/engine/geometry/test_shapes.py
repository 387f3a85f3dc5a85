"""Geometry against a slower, plainer way of working out the same thing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.affinity import rotate
from shapely.geometry.base import BaseGeometry

from engine.geometry.facing.aspects import front_and_rear, stand
from engine.geometry.plane.directions import bearing_of, mean_bearing, off, unit_vector
from engine.geometry.plane.lines import segments_cross
from engine.geometry.plane.tolerance import round_up
from engine.geometry.shapes.bases import Bases, bases_of, extent, gaps, to_segments
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight.crossing import lengths_without
from engine.records.game import Base, Rect, Round

PLACE = st.floats(0, 500).map(lambda value: round(value, 2))
POINT = st.tuples(PLACE, PLACE)
BEARING = st.floats(0, 359.9).map(lambda value: round(value, 1))
SIZE = st.floats(5, 80).map(lambda value: round(value, 1))
SHAPE = st.one_of(
    st.builds(lambda size: Round(diameter_mm=size), SIZE),
    st.builds(lambda width, depth: Rect(width_mm=width, depth_mm=depth), SIZE, SIZE),
)
BASE = st.tuples(POINT, SHAPE, BEARING)


def outline(centre: tuple[float, float], shape: Base, bearing: float) -> BaseGeometry:
    """The base as shapely draws it; a disc as a polygon of very many sides."""
    x, y = centre
    if isinstance(shape, Round):
        return shapely.Point(x, y).buffer(shape.diameter_mm / 2, quad_segs=512)
    wide, deep = shape.width_mm / 2, shape.depth_mm / 2
    return rotate(shapely.box(x - wide, y - deep, x + wide, y + deep), -bearing, origin=(x, y))


def together(*bases: tuple[Any, ...]) -> Bases:
    centres, shapes, bearings = zip(*bases, strict=True)
    return bases_of(centres, shapes, bearings)


@given(BASE, BASE)
def test_gaps_are_what_shapely_measures_between_the_outlines(one: Any, other: Any) -> None:
    wanted = outline(*one).distance(outline(*other))
    assert gaps(together(one), together(other))[0, 0] == pytest.approx(wanted, abs=1e-3)


@given(st.lists(BASE, min_size=1, max_size=4), st.lists(BASE, min_size=1, max_size=4))
def test_gaps_are_the_same_both_ways_and_many_at_a_time(first: Any, second: Any) -> None:
    there, back = gaps(together(*first), together(*second)), gaps(together(*second), together(*first))
    assert there == pytest.approx(back.T, abs=1e-9)
    assert there[0, 0] == pytest.approx(gaps(together(first[0]), together(second[0]))[0, 0], abs=1e-9)


@given(BASE, POINT, POINT)
def test_distances_to_segments(base: Any, start: Any, end: Any) -> None:
    wanted = outline(*base).distance(shapely.LineString([start, end]))
    assert to_segments(together(base), np.array([start]), np.array([end]))[0, 0] == pytest.approx(wanted, abs=1e-3)


@given(BASE, BEARING)
def test_extent_along_a_direction_is_that_of_the_outline(base: Any, bearing: float) -> None:
    along = np.array(outline(*base).exterior.coords) @ unit_vector(bearing)  # type: ignore[attr-defined]
    back, front = extent(together(base), unit_vector(bearing))
    assert (back[0], front[0]) == (pytest.approx(along.min(), abs=0.02), pytest.approx(along.max(), abs=0.02))


STAR = st.lists(st.floats(20, 200), min_size=3, max_size=9).map(
    lambda radii: [
        (250 + r * math.sin(2 * math.pi * n / len(radii)), 250 + r * math.cos(2 * math.pi * n / len(radii)))
        for n, r in enumerate(radii)
    ]
)


@given(STAR, STAR, POINT, POINT)
def test_lengths_without_openings_are_those_of_the_difference(
    corners: Any, opening: Any, start: Any, end: Any
) -> None:
    wanted = shapely.LineString([start, end]).intersection(shapely.Polygon(corners))
    found = lengths_without(pieces_of([corners]), 0, pieces_of([opening]), np.array([start]), np.array([end]))[0]
    assert found == pytest.approx(wanted.difference(shapely.Polygon(opening)).length, abs=1e-3)


@given(STAR, st.lists(POINT, min_size=1, max_size=8))
def test_the_nearest_point_of_a_rim_is_as_far_as_the_rim(corners: Any, spots: Any) -> None:
    nearest = pieces_of([corners]).nearest_on_rim(0, spots)
    for index, spot in enumerate(spots):
        rim = shapely.Polygon(corners).exterior.distance(shapely.Point(spot))
        assert math.dist(nearest[index], spot) == pytest.approx(rim, abs=1e-6)


@given(POINT, POINT, POINT, POINT)
def test_crossing_segments(a: Any, b: Any, c: Any, d: Any) -> None:
    one, other = shapely.LineString([a, b]), shapely.LineString([c, d])
    found = segments_cross(np.array([a]), np.array([b]), np.array([c]), np.array([d]))[0, 0]
    if one.distance(other) > 1e-6:
        assert not found
    elif one.length > 1 and other.length > 1 and shapely.intersection(one, other).length == 0:
        near_ends = [one.distance(shapely.Point(end)) for end in (c, d)]
        near_ends += [other.distance(shapely.Point(end)) for end in (a, b)]
        assert found or min(near_ends) < 1e-6


@given(POINT, POINT)
def test_bearings_lead_from_one_point_to_the_other(start: Any, end: Any) -> None:
    distance = math.dist(start, end)
    if distance > 0.01:
        bearing = float(bearing_of(np.subtract(end, start)))
        assert np.array(start) + distance * unit_vector(bearing) == pytest.approx(np.array(end), abs=1e-6)


@given(BEARING, BEARING)
def test_angles_between_bearings_do_not_depend_on_the_turn(one: float, other: float) -> None:
    apart = float(off(np.array(one), np.array(other)))
    cosine = float(unit_vector(one) @ unit_vector(other))
    assert math.cos(math.radians(apart)) == pytest.approx(cosine, abs=1e-9)
    assert float(off(np.array(one + 360), np.array(other))) == pytest.approx(apart, abs=1e-9)


@given(st.lists(st.floats(-40, 40), min_size=1, max_size=6), BEARING)
def test_the_mean_of_near_bearings_lies_among_them_wherever_north_is(turns: Any, north: float) -> None:
    mean = mean_bearing([(north + turn) % 360 for turn in turns])
    assert mean is not None
    swung = float((mean - north + 180) % 360 - 180)
    assert min(turns) - 1e-6 <= swung <= max(turns) + 1e-6


@given(st.lists(BASE, min_size=1, max_size=5), BEARING, POINT)
def test_front_flank_and_rear_divide_the_table_in_three_strips(body: Any, bearing: float, point: Any) -> None:
    bases = together(*body)
    front, rear = front_and_rear(bases, bearing)
    along = float(np.array(point) @ unit_vector(bearing))
    (where,) = stand(np.array([point]), bases, bearing)
    if abs(along - front) > 0.01 and abs(along - rear) > 0.01:
        assert where == ("front" if along > front else "rear" if along < rear else "flank")


def test_no_bases_and_no_size_are_no_trouble() -> None:
    nothing = bases_of([], [], [])
    assert gaps(nothing, nothing).shape == (0, 0)
    point = together(((10.0, 10.0), Round(diameter_mm=1e-9), None))
    assert to_segments(point, np.array([[10.0, 10.0]]), np.array([[10.0, 10.0]]))[0, 0] == 0.0


@given(st.integers(0, 40), st.floats(-0.0004, 0.0004))
def test_rounding_up_forgives_the_arithmetic(whole: int, slip: float) -> None:
    assert round_up(whole + slip) == whole
    assert round_up(whole + 0.01) == whole + 1
