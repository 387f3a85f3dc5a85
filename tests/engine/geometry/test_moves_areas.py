"""Moves into areas and past them, against steps of half a millimetre and whole-number algebra."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.moving.moves import bases_to_area, entry_shift, meets, towards, way_into
from engine.records.game import Figure, Rect, Round

SPOTS = st.tuples(st.integers(-60, 60), st.integers(-60, 60))
AREAS = st.one_of(
    st.tuples(SPOTS, st.integers(2, 40), st.integers(2, 40)).map(
        lambda box: [(box[0][0] + x * box[1], box[0][1] + y * box[2]) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    ),
    st.tuples(SPOTS, st.integers(3, 20)).map(
        lambda bend: [
            (bend[0][0] + x * bend[1], bend[0][1] + y * bend[1])
            for x, y in ((0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3))
        ]
    ),
)


def figures(places: list[tuple[int, int]]) -> tuple[Figure, ...]:
    return tuple(Figure(id=str(k), x_mm=x, y_mm=y, base=Round(diameter_mm=20)) for k, (x, y) in enumerate(places))


@given(st.lists(SPOTS, min_size=1, max_size=5), AREAS, st.integers(0, 359), st.integers(1, 150))
def test_the_shortest_shift_that_puts_most_into_an_area(places, outline, bearing, most):
    direction, area = towards(float(bearing)), shapely.Polygon(outline)
    rim = area.exterior
    found = entry_shift(figures(places), direction, np.array(outline, dtype=float), float(most))

    def well_inside(shift: float) -> int:
        spots = [shapely.Point(x + shift * direction[0], y + shift * direction[1]) for x, y in places]
        return sum(area.contains(spot) and rim.distance(spot) > 0.01 for spot in spots)

    before = float(most) if found is None else found - 0.02
    assert all(2 * well_inside(shift) <= len(places) for shift in np.arange(0.0, before, 0.5))
    if found is not None:
        assert 0 <= found <= most
        there = [shapely.Point(x + found * direction[0], y + found * direction[1]) for x, y in places]
        assert 2 * sum(area.distance(spot) <= 0.01 for spot in there) > len(places)


@given(SPOTS, st.sampled_from([Round(diameter_mm=20), Rect(width_mm=30, depth_mm=14)]), st.integers(0, 359), AREAS)
def test_how_far_a_base_is_from_an_area(place, base, bearing, outline):
    one = Figure(id="a", x_mm=place[0], y_mm=place[1], base=base, bearing_deg=float(bearing))
    (found,) = bases_to_area([one], np.array(outline, dtype=float))
    assert found == pytest.approx(_brute_distance(place, base, bearing, outline), abs=1e-6)


def _brute_distance(place, base, bearing, outline) -> float:
    """Corner by side and side by corner; a disc by its centre."""
    if isinstance(base, Round):
        inside = _even_odd(place, outline)
        gap = 0.0 if inside else min(_to_side(place, *side) for side in _sides(outline))
        return max(0.0, gap - base.diameter_mm / 2)
    turn, half = math.radians(bearing), (base.width_mm / 2, base.depth_mm / 2)
    corners = [
        (
            place[0] + x * half[0] * math.cos(turn) + y * half[1] * math.sin(turn),
            place[1] - x * half[0] * math.sin(turn) + y * half[1] * math.cos(turn),
        )
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    if any(_even_odd(corner, outline) for corner in corners) or any(
        _even_odd(corner, corners) for corner in outline
    ):
        return 0.0
    pairs = list(itertools.product(_sides(corners), _sides(outline)))
    if any(_cross(*one, *other) for one, other in pairs):
        return 0.0
    ends = [_to_side(end, *other) for one, other in pairs for end in one]
    return min([*ends, *(_to_side(end, *one) for one, other in pairs for end in other)])


def _sides(outline):
    return list(zip(outline, [*outline[1:], outline[0]], strict=True))


def _to_side(spot, start, end) -> float:
    way = (end[0] - start[0], end[1] - start[1])
    to = (spot[0] - start[0], spot[1] - start[1])
    share = min(max((to[0] * way[0] + to[1] * way[1]) / (way[0] ** 2 + way[1] ** 2), 0.0), 1.0)
    return math.hypot(to[0] - share * way[0], to[1] - share * way[1])


def _even_odd(spot, outline) -> bool:
    x, y = spot
    crossed = 0
    for (x1, y1), (x2, y2) in _sides(outline):
        if (y1 > y) != (y2 > y):
            crossed += x < x1 + (y - y1) * (x2 - x1) / (y2 - y1)
    return crossed % 2 == 1


def _side_of(one, other, spot) -> float:
    return (other[0] - one[0]) * (spot[1] - one[1]) - (other[1] - one[1]) * (spot[0] - one[0])


def _cross(one, end, other, other_end) -> bool:
    """Whether two segments cross, each having the other's ends on both sides."""
    return (
        _side_of(one, end, other) * _side_of(one, end, other_end) < 0
        and _side_of(other, other_end, one) * _side_of(other, other_end, end) < 0
    )


@given(SPOTS, SPOTS, AREAS)
def test_whether_a_straight_way_meets_an_area(start, end, outline):
    touches = any(_to_side(corner, start, end) == 0 for corner in outline) if start != end else False
    touches |= any(_to_side(spot, *side) == 0 for spot in (start, end) for side in _sides(outline))
    inside = _even_odd(start, outline) or _even_odd(end, outline)
    crosses = any(_cross(start, end, *side) for side in _sides(outline))
    assert meets(np.array(outline, dtype=float), start, end) == (touches or inside or crosses)


@given(SPOTS, AREAS)
def test_the_shortest_way_into_an_area_ends_on_its_rim(start, outline):
    assume(min(_to_side(start, *side) for side in _sides(outline)) > 0.01)
    found = way_into((float(start[0]), float(start[1])), np.array(outline, dtype=float))
    assert (found is None) == _even_odd(start, outline)
    if found is not None:
        (x, y), length = found
        there = (start[0] + length * x, start[1] + length * y)
        assert length == pytest.approx(min(_to_side(start, *side) for side in _sides(outline)), abs=1e-6)
        assert min(_to_side(there, *side) for side in _sides(outline)) == pytest.approx(0.0, abs=1e-6)
