"""Cones, lanes and blasts, against shapely outlines, and bisection for where a template first meets a base."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Area
from engine.geometry.shapes.bases import bases_of
from engine.geometry.templates import (
    Cone,
    Lane,
    blast,
    cone,
    depth_along,
    first_meeting,
    lane,
    show_blast,
    show_cone,
    show_lane,
)
from tests.engine.geometry.oracles_figures import Thing, bases_from, bearings, crowds, places, rim_points

FAR = 1e5
halves = st.one_of(st.sampled_from([15.0, 45.0, 60.0, 90.0, 135.0, 180.0]), st.floats(1, 179))
lengths = st.one_of(st.sampled_from([100.0, 457.2]), st.floats(1, 600))
widths = st.one_of(st.sampled_from([0.0, 25.4, 50.8]), st.floats(0.1, 100))


def sure(crowd: list[Thing]) -> list[Thing]:
    return [Thing(t.at, t.width, t.depth, t.bearing) for t in crowd]


def point_on(start: Any, bearing: float, length: float) -> tuple[float, float]:
    turn = math.radians(bearing)
    return start[0] + length * math.sin(turn), start[1] + length * math.cos(turn)


def halves_of(apex: Any, bearing: float, half: float) -> list[shapely.Geometry]:
    """An endless cone as convex pieces of at most 60 degrees each."""
    steps = max(1, math.ceil(2 * half / 60))
    turns = np.linspace(bearing - half, bearing + half, steps + 1)
    return [
        shapely.Polygon(
            [apex, point_on(apex, a, FAR), point_on(apex, (a + b) / 2, 2 * FAR), point_on(apex, b, FAR)]
        )
        for a, b in itertools.pairwise(turns)
    ]


def to_cone(spot: Any, apex: Any, bearing: float, half: float, length: float) -> float:
    """The distance of a point from a cone with a round end, from first principles."""
    to = np.subtract(spot, apex)
    away = math.hypot(*to)
    off = abs((math.degrees(math.atan2(*to)) - bearing + 180) % 360 - 180) if away else 0.0
    if off <= half:
        return max(away - length, 0.0)
    edges = [shapely.LineString([apex, point_on(apex, bearing + side * half, length)]) for side in (-1, 1)]
    return min(edge.distance(shapely.Point(spot)) for edge in edges)


@given(crowds, places, bearings, halves, lengths)
def test_cones_touch_discs_that_are_nearer_than_their_radius(
    crowd: Any, apex: Any, bearing: float, half: float, length: float
) -> None:
    discs = [Thing(t.at, t.width, None, t.bearing) for t in crowd]
    found = cone(Cone(apex=apex, bearing_deg=bearing, half_angle_deg=half, length_mm=length), bases_from(discs))
    for k, thing in enumerate(discs):
        away = to_cone(thing.at, apex, bearing, half, length) - thing.radius
        if abs(away) > 0.05:
            assert bool(found.touched[k]) == (away < 0)


@given(crowds, places, bearings, halves, lengths)
def test_where_cones_first_meet_bases(crowd: Any, apex: Any, bearing: float, half: float, length: float) -> None:
    crowd = sure(crowd)
    found = cone(Cone(apex=apex, bearing_deg=bearing, half_angle_deg=half, length_mm=length), bases_from(crowd))
    for k, thing in enumerate(crowd):
        if thing.depth is None:
            continue
        met = [shapely.intersection(thing.core, piece) for piece in halves_of(apex, bearing, half)]
        wanted = min(
            (part.distance(shapely.Point(apex)) for part in met if not part.is_empty and part.area > 1e-3),
            default=math.inf,
        )
        if wanted < math.inf:
            assert found.along_mm[k] == pytest.approx(wanted, abs=1e-6)
            if abs(wanted - length) > 0.05:
                assert bool(found.touched[k]) == (wanted < length)
        rim = rim_points(thing, 80)
        inside = all(to_cone(spot, apex, bearing, half, length) < 1e-9 for spot in rim)
        if found.whole[k]:
            assert all(to_cone(spot, apex, bearing, half, length) < 0.05 for spot in rim)
        elif half < 180:
            assert not inside or thing.core.distance(shapely.Point(apex)) < 0.05 or _near_rim(rim, apex, length)
        assert found.whole[k] <= found.centre[k] <= found.touched[k]


tangents = st.sampled_from([-5e-4, -1e-7, 0.0, 1e-7, 5e-4, 0.004])


@given(st.sampled_from([-1, 1]), st.floats(30, 200), st.floats(30, 200), tangents, st.floats(5, 20), st.booleans())
def test_a_base_beside_the_edge_of_a_cone_is_met_where_it_is_nearest_to_that(
    side: int, at: float, length: float, off: float, half: float, round_: bool
) -> None:
    """A thousandth more or less changes nothing, unless the cone ends just there."""
    assume(abs(at - length) > 1.0)
    turn = side * half
    spot = np.array(point_on((0.0, 0.0), turn, at)) + np.array(point_on((0.0, 0.0), turn + side * 90, 10.0 + off))
    corner = turn + 45.0  # a square on its corner
    thing = Thing(tuple(spot), 20.0 if round_ else 20 / math.sqrt(2), None if round_ else 20 / math.sqrt(2), corner)
    found = cone(Cone(apex=(0.0, 0.0), bearing_deg=0, half_angle_deg=half, length_mm=length), bases_from([thing]))
    deep = 2 * math.sqrt(10.0 * 2 * 5e-4)  # how far along the edge a disc runs into it at most
    if at > length:
        assert found.touched[0] == Verdict.NO or (round_ and off < 0 and at - deep < length)
    elif off <= 0:
        assert found.touched[0] == Verdict.YES
    if found.touched[0] == Verdict.YES:
        assert found.along_mm[0] == pytest.approx(at, abs=deep + 0.01)


def _near_rim(rim: Any, apex: Any, length: float) -> bool:
    """The farthest point of a base is hardly within the cone's length."""
    return bool(abs(np.hypot(*(rim - np.array(apex)).T).max() - length) < 0.05)


@pytest.mark.parametrize(
    ("x", "y", "hits"),
    [
        (0.0, 105.0, (2, 0, 0)),
        (0.0, 105.01, (0, 0, 0)),
        (0.0, 95.0, (2, 2, 2)),
        (0.0, 95.01, (2, 2, 0)),
        (50.0, 50.0, (2, 2, 0)),
    ],
)
def test_bases_at_the_end_and_the_edge_of_a_cone(x: float, y: float, hits: Any) -> None:
    found = cone(
        Cone(apex=(0.0, 0.0), bearing_deg=0, half_angle_deg=45, length_mm=100),
        bases_from([Thing((x, y), 10.0, None, 0.0)]),
    )
    assert (found.touched[0], found.centre[0], found.whole[0]) == hits


@given(crowds, places, bearings, lengths, widths)
def test_lanes_touch_what_meets_their_rectangle(
    crowd: Any, start: Any, bearing: float, length: float, wide: float
) -> None:
    crowd = sure(crowd)
    template = Lane(start=start, bearing_deg=bearing, length_mm=length, half_width_mm=wide)
    found = lane(template, bases_from(crowd))
    corners = [point_on(point_on(start, bearing, far), bearing + 90, side * wide)
               for far, side in ((0, -1), (length, -1), (length, 1), (0, 1))]  # fmt: skip
    body = shapely.Polygon(corners) if wide > 0 else shapely.LineString(corners[:2])
    for k, thing in enumerate(crowd):
        gap = thing.gap(body)
        signed = gap or -1.0
        if abs(signed) > 0.01:
            assert bool(found.touched[k]) == (gap == 0)
        depth = body.boundary.distance(shapely.Point(thing.at)) if wide > 0 else 0.0
        if depth > 0.01:
            assert bool(found.centre[k]) == body.contains(shapely.Point(thing.at))
            out = max(body.distance(shapely.Point(spot)) for spot in rim_points(thing, 80))
            if out > 0.01:
                assert not found.whole[k]
            elif wide > thing.width and out == 0.0:
                assert found.whole[k] or _hardly(thing, body)
        assert found.centre_mm[k] == pytest.approx(math.dist(thing.at, start), abs=1e-6)


def _hardly(thing: Thing, body: shapely.Geometry) -> bool:
    """A base that is in but for a hair: between points of its rim it might stick out."""
    return bool(min(body.boundary.distance(shapely.Point(spot)) for spot in rim_points(thing, 80)) < 0.2)


@given(crowds, places, bearings, widths)
def test_where_lanes_first_meet_bases(crowd: Any, start: Any, bearing: float, wide: float) -> None:
    crowd = sure(crowd)
    found = lane(Lane(start=start, bearing_deg=bearing, length_mm=2000.0, half_width_mm=wide), bases_from(crowd))
    for k, thing in enumerate(crowd):
        if not found.touched[k] or found.along_mm[k] == 0:
            continue

        def touches(reach: float, thing: Thing = thing) -> bool:
            corners = [point_on(point_on(start, bearing, far), bearing + 90, side * wide)
                       for far, side in ((0, -1), (reach, -1), (reach, 1), (0, 1))]  # fmt: skip
            strip = shapely.Polygon(corners) if wide > 0 else shapely.LineString(corners[:2])
            return thing.core.distance(strip) - thing.radius <= 1e-9

        low, high = 0.0, 2000.0
        if touches(1e-3) or not touches(high):
            continue
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if touches(max(middle, 1e-3)) else (middle, high)
        middle = shapely.LineString([start, point_on(start, bearing, 2000)])
        away = thing.core.distance(middle) - thing.radius
        grazes = abs(away - wide) < 0.01 or thing.core.touches(middle)
        assert found.along_mm[k] == pytest.approx(high, abs=1.0 if grazes else 1e-5)


def test_a_lane_stops_at_a_wall_and_a_line_without_width_touches_what_it_cuts() -> None:
    crowd = bases_from([Thing((x, y), 20.0, None, 0.0) for x, y in ((10.0, 50.0), (10.01, 60.0), (0.0, 200.0))])
    line = Lane(start=(0.0, 0.0), bearing_deg=0.0, length_mm=3048.0, half_width_mm=0.0)
    assert lane(line, crowd).touched.tolist() == [2, 0, 2]
    stopped = Lane(start=(0.0, 0.0), bearing_deg=0.0, length_mm=3048.0, half_width_mm=0.0, stop_mm=150.0)
    assert lane(stopped, crowd).touched.tolist() == [2, 0, 0]
    assert lane(stopped, crowd).along_mm.tolist() == [50.0, math.inf, math.inf]


def test_hits_come_nearest_first_and_equals_as_listed() -> None:
    crowd = bases_from(
        [Thing((x, y), 20.0, None, 0.0) for x, y in ((0.0, 90.0), (5.0, 40.0), (-5.0, 40.0), (99.0, 9.0))]
    )
    found = lane(Lane(start=(0.0, 0.0), bearing_deg=0.0, length_mm=200.0, half_width_mm=20.0), crowd)
    assert found.nearest_first().tolist() == [1, 2, 0]
    assert found.nearest_first(found.centre, by_centre=True).tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("x", "sigma", "hits"),
    [(26.0, 0.5, (2, 1, 0)), (35.9, 0.5, (1, 0, 0)), (10.0, 0.5, (2, 2, 2)), (15.0, 0.5, (2, 2, 1)),
     (37.0, 0.5, (0, 0, 0))],
)  # fmt: skip
def test_the_edge_of_a_lane_is_borderline_within_two_sigma(x: float, sigma: float, hits: Any) -> None:
    found = lane(
        Lane(start=(0.0, 0.0), bearing_deg=0.0, length_mm=500.0, half_width_mm=25.4),
        bases_from([Thing((x, 250.0), 20.0, None, 0.0, sigma)]),
    )
    assert (found.touched[0], found.centre[0], found.whole[0]) == hits


def test_the_bearing_of_a_gun_counts_the_more_the_farther_the_target() -> None:
    template = Lane(start=(0.0, 0.0), bearing_deg=0.0, length_mm=3000.0, half_width_mm=25.4, bearing_sigma_deg=0.1)
    crowd = bases_from([Thing((27.0, y), 1.0, None, 0.0) for y in (100.0, 2000.0)])
    assert lane(template, crowd).centre.tolist() == [0, 1]


@given(crowds, places, st.lists(st.floats(1, 300), min_size=1, max_size=3).map(sorted))
def test_blasts_by_the_nearest_point_the_centre_and_the_farthest(crowd: Any, at: Any, radii: Any) -> None:
    crowd = sure(crowd)
    found = blast(at, radii, bases_from(crowd))
    for k, thing in enumerate(crowd):
        edge, far = thing.gap(shapely.Point(at)), math.dist(at, thing.at) + thing.radius
        if thing.depth is not None:
            far = max(math.dist(at, corner) for corner in thing.corners)
        assert found.edge_mm[k] == pytest.approx(edge, abs=1e-6)
        assert found.far_mm[k] == pytest.approx(far, abs=1e-6)
        assert found.centre_mm[k] == pytest.approx(math.dist(at, thing.at), abs=1e-6)
        rings = [r for r, radius in enumerate(radii) if edge <= radius]
        if all(abs(edge - radius) > 0.01 for radius in radii):
            assert found.ring()[k] == (rings[0] if rings else -1)
            assert (k in found.nearest_first()) == bool(rings)


def test_a_ring_of_a_blast_that_two_sigma_may_reach() -> None:
    found = blast((0.0, 0.0), [25.4, 50.8], bases_from([Thing((36.0, 0.0), 20.0, None, 0.0, 0.5)]), 0.2)
    assert found.touched[:, 0].tolist() == [1, 2]
    assert found.ring().tolist() == [1]


houses = st.lists(st.floats(20, 200), min_size=3, max_size=8).map(
    lambda radii: np.array([point_on((0.0, 0.0), 360 * n / len(radii), r) for n, r in enumerate(radii)])
)


@given(houses, places, bearings, lengths, widths)
def test_where_a_shot_first_meets_a_polygon(
    house: Any, start: Any, bearing: float, length: float, wide: float
) -> None:
    found = first_meeting(Lane(start=start, bearing_deg=bearing, length_mm=length, half_width_mm=wide), house)
    line = shapely.LineString([start, point_on(start, bearing, length)])
    strip = line.buffer(wide, cap_style="flat") if wide > 0 else line
    met = shapely.intersection(strip, shapely.Polygon(house))
    if met.is_empty:
        assert found == math.inf or shapely.distance(strip, shapely.Polygon(house)) < 1e-5
        return
    way = np.subtract(point_on((0, 0), bearing, 1.0), 0.0)
    wanted = float(((shapely.get_coordinates(met) - np.array(start)) @ way).min())
    if shapely.intersection(strip.buffer(-1e-4) if wide > 0 else strip, shapely.Polygon(house)).length > 1e-3:
        assert found == pytest.approx(wanted, abs=1e-6)


@given(st.lists(places, min_size=2, max_size=5), places, bearings, lengths)
def test_where_a_shot_first_meets_a_crest(crest: Any, start: Any, bearing: float, length: float) -> None:
    shot = Lane(start=start, bearing_deg=bearing, length_mm=length)
    found = first_meeting(shot, np.array(crest), closed=False)
    line, path = shapely.LineString([start, point_on(start, bearing, length)]), shapely.LineString(crest)
    if found < math.inf:
        assert path.distance(shapely.Point(shot.at(found))) < 1e-5
        before = shapely.LineString([start, shot.at(max(found - 0.01, 0.0))])
        assert found < 0.02 or before.distance(path) > 0 or path.length == 0
    else:
        assert line.distance(path) > 0 or path.length == 0 or line.touches(path)


@given(houses, places, bearings)
def test_how_deep_a_point_lies_behind_the_wall(house: Any, spot: Any, bearing: float) -> None:
    area, point = shapely.Polygon(house), shapely.Point(spot)
    rim = area.exterior.distance(point)
    found = depth_along(spot, bearing, house)
    if rim > 1e-5 and not area.contains(point):
        assert found == math.inf
    elif rim > 1e-5:
        back = shapely.LineString([spot, point_on(spot, bearing + 180, 1000.0)])
        assert found == pytest.approx(back.intersection(area.exterior).distance(point), abs=1e-6)
    elif rim == 0:
        assert found == 0.0


def test_what_is_drawn_is_the_template() -> None:
    (sector,) = show_cone(Cone(apex=(0.0, 0.0), bearing_deg=90, half_angle_deg=45, length_mm=100))
    (body,) = show_lane(Lane(start=(0.0, 0.0), bearing_deg=90.0, length_mm=100.0, half_width_mm=10.0))
    assert isinstance(sector, Area)
    assert isinstance(body, Area)
    assert shapely.Polygon(sector.outline_mm).area == pytest.approx(math.pi * 100**2 / 4, rel=1e-2)
    assert shapely.Polygon(body.outline_mm).bounds == pytest.approx((0, -10, 100, 10), abs=1e-6)
    assert [ring.radius_mm for ring in show_blast((0.0, 0.0), [1.0, 2.0])] == [1.0, 2.0]  # type: ignore[union-attr]


def test_templates_over_no_figures() -> None:
    none = bases_of([], [], [])
    for found in (
        cone(Cone(apex=(0.0, 0.0), bearing_deg=0, half_angle_deg=45, length_mm=100), none),
        lane(Lane(start=(0.0, 0.0), bearing_deg=0, length_mm=0.0), none),
    ):
        assert found.touched.tolist() == found.nearest_first().tolist() == []
    assert blast((0.0, 0.0), [10.0], none).ring().tolist() == []
    assert blast((0.0, 0.0), [], bases_from([Thing((0.0, 0.0), 1.0, None, 0.0)])).ring().tolist() == [-1]
