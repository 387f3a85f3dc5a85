"""How near moving bases come, against swept hulls; what is left beside openings, against points one by one."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st
from shapely.affinity import translate

from engine.geometry.facing.aspects import Aspect, quarters
from engine.geometry.moving.approach import front_zone, nearest_approach
from engine.geometry.reach.openings import left_beside, rim_beside, wholly_on
from engine.geometry.shapes.bases import Bases
from engine.records.game import Base, Rect, Round
from tests.engine.geometry.oracles_reach import Spec, core, together

SHAPES: list[Base] = [Round(diameter_mm=25), Rect(width_mm=25, depth_mm=50), Rect(width_mm=40, depth_mm=20)]

place = st.tuples(st.floats(0, 300), st.floats(0, 300))
figure = st.tuples(place, st.sampled_from(SHAPES), st.floats(0, 360))
way = st.tuples(st.floats(-300, 300), st.floats(-300, 300))


def swept_gap(mover: Spec, shift: tuple[float, float], other: Spec, share: tuple[float, float]) -> float:
    """The gap between what a base covers between two shares of a way and another base."""
    shape, radius = core(mover)
    there, more = core(other)
    ends = [translate(shape, share[i] * shift[0], share[i] * shift[1]) for i in (0, 1)]
    return max(float(shapely.union(*ends).convex_hull.distance(there)) - radius - more, 0.0)


@example(
    [((0.0, 0.0), Rect(width_mm=40, depth_mm=20), 0.0)], (0.0, 46.0), [((0.0, 23.0), Round(diameter_mm=25), 0.0)]
)
@given(st.lists(figure, min_size=1, max_size=3), way, st.lists(figure, min_size=1, max_size=3))
def test_bases_come_as_near_as_the_hulls_of_their_ways(
    movers: list[Spec], shift: tuple[float, float], others: list[Spec]
) -> None:
    expected = min(swept_gap(one, shift, other, (0.0, 1.0)) for one in movers for other in others)
    assert nearest_approach(together(movers), shift, together(others)) == pytest.approx(expected, abs=1e-6)


@given(figure, way, figure, figure)
def test_only_the_part_of_the_way_in_the_zone_counts(
    mover: Spec, shift: tuple[float, float], other: Spec, before: Spec
) -> None:
    body = together([(before[0], Rect(width_mm=60, depth_mm=20), before[2])])
    zone = front_zone(body, 0, 45.0, 5000.0)
    inside = shapely.LineString([mover[0], np.add(mover[0], shift)]).intersection(shapely.Polygon(zone))
    found = nearest_approach(together([mover]), shift, together([other]), zone)
    length = float(np.hypot(*shift))
    if inside.is_empty:
        assert found == np.inf or shapely.Polygon(zone).distance(shapely.Point(mover[0])) < length + 1e-3
    elif inside.length > 1e-3:
        shares = sorted(float(np.hypot(*np.subtract(at, mover[0]))) / length for at in inside.coords)
        expected = swept_gap(mover, shift, other, (shares[0], shares[-1]))
        assert found == pytest.approx(expected, abs=1e-3)


@given(figure, place)
def test_the_zone_is_the_front_quarter(before: Spec, spot: tuple[float, float]) -> None:
    body: Bases = together([(before[0], Rect(width_mm=60, depth_mm=20), before[2])])
    for centre in (False, True):
        zone = shapely.Polygon(front_zone(body, 0, 45.0, 5000.0, from_centre=centre))
        if zone.exterior.distance(shapely.Point(spot)) > 1e-2:
            front = quarters([spot], body, from_centre=centre).aspect[0, 0] == Aspect.FRONT
            assert zone.contains(shapely.Point(spot)) == front


def test_nobody_to_come_near_is_infinitely_far() -> None:
    one = together([((0.0, 0.0), SHAPES[0], 0.0)])
    assert nearest_approach(one, (10.0, 0.0), together([])) == np.inf
    assert nearest_approach(together([]), (10.0, 0.0), one) == np.inf


def square(x: float, y: float, wide: float, deep: float) -> tuple[np.ndarray, ...]:
    return (np.array([(x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)], dtype=float),)


size = st.floats(5, 80)
box = st.builds(square, st.floats(0, 100), st.floats(0, 100), size, size)


def holds(parts: tuple[tuple[np.ndarray, ...], ...], spot: shapely.Point) -> bool:
    return any(shapely.Polygon(one[0], list(one[1:])).contains(spot) for one in parts)


@given(box, st.lists(box, max_size=3), place)
def test_what_is_left_beside_openings_is_what_none_covers(
    piece: tuple[np.ndarray, ...], openings: list[tuple[np.ndarray, ...]], at: tuple[float, float]
) -> None:
    spot = shapely.Point(at)
    rims = [shapely.Polygon(one[0]).exterior for one in (piece, *openings)]
    if min(rim.distance(spot) for rim in rims) > 1e-6:
        inside = shapely.Polygon(piece[0]).contains(spot)
        opened = any(shapely.Polygon(one[0]).contains(spot) for one in openings)
        assert holds(left_beside(piece, openings), spot) == (inside and not opened)


@given(box, box, st.floats(0, 1))
def test_a_rim_is_shut_but_where_an_opening_is(
    piece: tuple[np.ndarray, ...], door: tuple[np.ndarray, ...], share: float
) -> None:
    rim = shapely.Polygon(piece[0]).exterior
    spot = rim.interpolate(share, normalized=True)
    gap = shapely.Polygon(door[0]).distance(spot)
    if gap > 3.0 or gap == 0.0:
        assert holds(rim_beside(piece, [door]), spot) == (gap > 0)


@given(st.lists(box, min_size=1, max_size=3), place, place)
def test_a_way_is_wholly_on_areas_that_cover_every_point_of_it(
    areas: list[tuple[np.ndarray, ...]], start: tuple[float, float], end: tuple[float, float]
) -> None:
    spots = [shapely.Point(np.add(start, np.subtract(end, start) * share)) for share in np.linspace(0, 1, 41)]
    shapes = [shapely.Polygon(one[0]) for one in areas]
    apart = [min(shape.distance(spot) for shape in shapes) for spot in spots]
    if wholly_on(start, end, areas):
        assert max(apart) < 0.01
    else:
        ways = shapely.LineString([start, end]).difference(shapely.union_all(shapes))
        assert ways.length > 0 or max(apart) > 0
