"""What lies in arcs, against big polygons of shapely, Minkowski differences and the angles of many rim points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.certainty import Verdict
from engine.geometry.facing.arcs import (
    Fronts,
    angles,
    arcs,
    from_centres,
    from_edges,
    from_front_middles,
    from_lines,
    zone,
)
from engine.geometry.shapes.bases import Bases, bases_of
from tests.engine.geometry.oracles_figures import Thing, bases_from, bearings, crowds, places, rim_points, things

FAR = 1e5
half_angles = st.one_of(st.sampled_from([22.5, 45.0, 60.0, 90.0, 135.0, 180.0]), st.floats(1, 179))
starts = st.sampled_from([from_centres, from_front_middles, from_edges])


def wedge(left: Any, right: Any, bearing: float, half: float) -> list[tuple[float, float]]:
    """A convex arc out to where nothing stands: the ends of the line, far points along both rays and ahead."""
    angles = [math.radians(bearing + turn) for turn in (-half, 0.0, half)]
    far = [(math.sin(a) * FAR, math.cos(a) * FAR) for a in angles]
    rim = [(x + right[0], y + right[1]) for x, y in (far[2], far[1])] + [
        (x + left[0], y + left[1]) for x, y in far[:1]
    ]
    return [tuple(left), tuple(right), *rim]


def cleared(core: shapely.Geometry, region: shapely.Geometry) -> float:
    """How far apart two convex shapes are, or below 0 how far one must be shifted to be clear of the other."""
    if not core.intersects(region):
        return float(core.distance(region))
    spots = [np.array(shapely.get_coordinates(shape)) for shape in (core, region)]
    difference = shapely.MultiPoint((spots[0][:, None] - spots[1][None]).reshape(-1, 2)).convex_hull
    return -float(difference.boundary.distance(shapely.Point(0, 0)))


def stick_out(thing: Thing, region: shapely.Geometry) -> float:
    """How far the outermost point of a base is out of a convex region; below 0 how far within it all lies."""
    spots = [shapely.Point(spot) for spot in ([thing.at] if thing.depth is None else thing.corners)]
    signed = [region.distance(p) if not region.contains(p) else -region.exterior.distance(p) for p in spots]
    return max(signed) + thing.radius


def region_of(fronts: Fronts, k: int, half: float) -> tuple[shapely.Geometry, bool]:
    """The convex arc, or else the convex rest that a wide arc leaves out."""
    left, right, bearing = fronts.left[k], fronts.right[k], fronts.bearing_deg[k]
    if half <= 90:
        return shapely.Polygon(wedge(left, right, bearing, half)), False
    cones = [shapely.Polygon(wedge(end, end, bearing + 180, 180 - half)) for end in (left, right)]
    return shapely.intersection(*cones), True


@given(crowds, things(), starts, half_angles)
def test_how_far_bases_are_in_and_out_of_arcs(crowd: Any, one: Thing, start: Any, half: float) -> None:
    fronts = start(bases_from([one]))
    found = arcs(fronts, bases_from(crowd), half)
    if half == 180:
        for verdicts in (found.centre, found.partly, found.wholly):
            assert (verdicts == Verdict.YES).all()
        return
    region, left_out = region_of(fronts, 0, half)
    for j, thing in enumerate(crowd):
        apart, spill = cleared(thing.core, region) - thing.radius, stick_out(thing, region)
        partly, wholly = (-spill, -apart) if left_out else (apart, spill)
        assert found.partly_mm[0, j] == pytest.approx(partly, abs=1e-6)
        assert found.wholly_mm[0, j] == pytest.approx(wholly, abs=1e-6)


@given(st.lists(things(sure=True), min_size=1, max_size=4), things(sure=True), starts, half_angles)
def test_verdicts_agree_with_the_angles_of_all_points_of_the_rim(
    crowd: Any, one: Thing, start: Any, half: float
) -> None:
    fronts = start(bases_from([one]))
    found = arcs(fronts, bases_from(crowd), half)
    for j, thing in enumerate(crowd):
        inside = _in_arcs(fronts, rim_points(thing, 360), half)
        if abs(found.wholly_mm[0, j]) > 0.5 and half < 180:
            assert (found.wholly[0, j] == Verdict.YES) == inside.all()
        if abs(found.partly_mm[0, j]) > 0.5 and inside.any():
            assert found.partly[0, j] == Verdict.YES
        if abs(found.off_deg[0, j] - half) > 0.01:
            assert (found.centre[0, j] == Verdict.YES) == _in_arc(fronts, np.array(thing.at), half)
        assert found.wholly[0, j] <= found.centre[0, j] <= found.partly[0, j]


def _in_arcs(fronts: Fronts, spots: Any, half: float) -> np.ndarray:
    """(k,) whether any of 201 points of the front has spots (k, 2) in its arc, or they lie straight ahead of it."""
    spots, bearing = np.reshape(spots, (-1, 2)), fronts.bearing_deg[0]
    shares = np.linspace(0, 1, 201)[:, None]
    to = spots[None] - ((1 - shares) * fronts.left[0] + shares * fronts.right[0])[:, None]
    off = np.degrees(np.arctan2(to[..., 0], to[..., 1])) - bearing
    inside = ((np.abs((off + 180) % 360 - 180) <= half + 1e-6) | (np.hypot(*np.moveaxis(to, -1, 0)) < 1e-9)).any(
        axis=0
    )
    turn = math.radians(bearing)
    across, along = (to[0] @ way for way in ([math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]))
    return inside | ((along >= 0) & (across >= 0) & (across <= math.dist(fronts.left[0], fronts.right[0])))


def _in_arc(fronts: Fronts, spot: Any, half: float) -> bool:
    return bool(_in_arcs(fronts, spot, half)[0])


@pytest.mark.parametrize("half", [30.0, 45.0, 60.0, 90.0, 120.0, 135.0])
@pytest.mark.parametrize("bearing", [0.0, 33.3, 90.0, 200.0])
def test_centres_exactly_on_the_edge_of_an_arc_are_in_it(half: float, bearing: float) -> None:
    one = bases_from([Thing((10.0, 20.0), 25.0, None, bearing)])
    for side in (-1, 1):
        turn = math.radians(bearing + side * half)
        spot = (10.0 + 500 * math.sin(turn), 20.0 + 500 * math.cos(turn))
        found = arcs(from_centres(one), bases_from([Thing(spot, 25.0, None, 0.0)]), half)
        assert (found.centre[0, 0], found.partly[0, 0], found.wholly[0, 0]) == (2, 2, 0)
        assert found.off_deg[0, 0] == pytest.approx(half, abs=1e-9)


@pytest.mark.parametrize("depth", [None, 30.0])
@pytest.mark.parametrize("half", [45.0, 90.0, 135.0])
def test_bases_that_touch_the_edge_of_an_arc(depth: float | None, half: float) -> None:
    turn = math.radians(half)
    ray, out = np.array([math.sin(turn), math.cos(turn)]), np.array([math.cos(turn), -math.sin(turn)])
    one = from_centres(bases_from([Thing((0.0, 0.0), 25.0, None, 0.0)]))
    for side, wanted in ((15.0, (0, 2, 0)), (15.5, (0, 0, 0)), (-15.0, (2, 2, 2)), (-14.5, (2, 2, 0))):
        spot = tuple(400 * ray + side * out)
        found = arcs(one, bases_from([Thing(spot, 30.0, depth, half)]), half)
        assert (found.centre[0, 0], found.partly[0, 0], found.wholly[0, 0]) == wanted


def test_a_target_round_the_apex_is_partly_in_any_arc_and_wholly_in_none_but_a_full_one() -> None:
    one = bases_from([Thing((0.0, 0.0), 25.0, None, 0.0)])
    crowd = bases_from([Thing((2.0, 1.0), 40.0, None, 0.0), Thing((2.0, 1.0), 40.0, 40.0, 30.0)])
    for half, wholly in ((10.0, 0), (90.0, 0), (179.0, 0), (180.0, 2)):
        found = arcs(from_centres(one), crowd, half)
        assert found.partly.tolist() == [[2, 2]]
        assert found.wholly.tolist() == [[wholly] * 2]


def test_a_base_in_contact_with_the_front_is_partly_in_and_wholly_in_half_the_table() -> None:
    """Front edges together: the one touches the middle of the other's front edge."""
    one = from_front_middles(bases_from([Thing((0.0, 0.0), 20.0, 40.0, 0.0)]))
    target = bases_from([Thing((0.0, 40.0), 20.0, 40.0, 180.0, 0.5)])
    assert arcs(one, target.pick([0]), 45).partly.tolist() == [[2]]
    sure = bases_from([Thing((0.0, 40.0), 20.0, 40.0, 180.0)])
    assert arcs(one, sure, 90).wholly.tolist() == [[2]]
    assert arcs(one, sure, 45).wholly.tolist() == [[0]]


@given(things(), things(), half_angles)
def test_the_sigma_of_an_angle_is_that_of_both_places_and_of_the_bearing(
    one: Thing, other: Thing, half: float
) -> None:
    found = arcs(from_centres(bases_from([one])), bases_from([other]), half)
    apart = math.dist(one.at, other.at)
    if apart > 0.01:
        place = math.degrees(math.atan(math.hypot(one.sigma, other.sigma) / apart))
        assert found.off_sigma_deg[0, 0] == pytest.approx(math.hypot(place, one.turn_sigma), abs=1e-6)


@given(things(sure=True), things(sure=True), st.floats(20, 160), starts, st.sampled_from([0, 1]))
def test_turning_a_figure_changes_the_angle_as_its_sigma_says(
    one: Thing, other: Thing, half: float, start: Any, which: int
) -> None:
    step, sigma = 1e-4, 3.0
    pair, values = [one, other], []
    for turn in (-step, 0.0, step):
        nudged = list(pair)
        thing = pair[which]
        nudged[which] = Thing(thing.at, thing.width, thing.depth, thing.bearing + turn)
        found = arcs(start(bases_from(nudged[:1])), bases_from(nudged[1:]), half)
        values.append((found.off_deg[0, 0], found.partly_mm[0, 0], found.wholly_mm[0, 0]))
    thing = pair[which]
    pair[which] = Thing(thing.at, thing.width, thing.depth, thing.bearing, 0.0, sigma)
    found = arcs(start(bases_from(pair[:1])), bases_from(pair[1:]), half)
    slopes = [(abs(c - a) / (2 * step), abs(c - 2 * b + a) / step) for a, b, c in zip(*values, strict=True)]
    if which == 0 and found.off_deg[0, 0] > 0.1 and found.off_deg[0, 0] < 179.9 and slopes[0][1] < 1e-3:
        assert found.off_sigma_deg[0, 0] == pytest.approx(slopes[0][0] * sigma, rel=1e-3, abs=1e-3)
    for (slope, bend), found_sigma, value in (
        (slopes[1], found.partly_sigma_mm[0, 0], values[1][1]),
        (slopes[2], found.wholly_sigma_mm[0, 0], values[1][2]),
    ):
        # Where the limit is near it is a corner or a tangent on a ray that decides, if not the apex on an edge.
        if (
            abs(value) < 1e-3
            and bend < 1e-3
            and other.gap(shapely.Point(one.front)) > 1
            and other.gap(one.core) > 1
        ):
            assert found_sigma == pytest.approx(slope * sigma, rel=1e-2, abs=1e-2)


@pytest.mark.parametrize(
    ("off", "turn_sigma", "wanted"), [(44.0, 0.6, 1), (46.0, 0.6, 1), (43.0, 0.6, 2), (47.0, 0.6, 0)]
)
def test_a_limit_within_two_sigma_is_borderline(off: float, turn_sigma: float, wanted: int) -> None:
    one = from_centres(bases_from([Thing((0.0, 0.0), 25.0, None, 0.0, 0.0, turn_sigma)]))
    spot = (300 * math.sin(math.radians(off)), 300 * math.cos(math.radians(off)))
    assert arcs(one, bases_from([Thing(spot, 25.0, None, 0.0)]), 45).centre.tolist() == [[wanted]]


@given(things(), st.tuples(places, places), half_angles, bearings)
def test_a_unit_has_an_arc_from_its_whole_front_line(one: Thing, ends: Any, half: float, bearing: float) -> None:
    width = math.dist(*ends)
    across = np.array([math.cos(math.radians(bearing)), -math.sin(math.radians(bearing))])
    line = from_lines([ends[0]], [np.array(ends[0]) + width * across], bearing)
    found = arcs(line, bases_from([one]), half)
    inside = _in_arc(line, np.array(one.at), half)
    on_it = shapely.LineString([line.left[0], line.right[0]]).distance(shapely.Point(one.at)) < 0.01
    if abs(found.off_deg[0, 0] - half) > 0.5 and not on_it:
        assert (found.off_deg[0, 0] <= half) == inside


@given(crowds, crowds, starts)
def test_angles_alone_are_those_of_the_arcs(crowd: Any, others: Any, start: Any) -> None:
    fronts, targets = start(bases_from(crowd)), bases_from(others)
    found, whole = angles(fronts, targets), arcs(fronts, targets, 45)
    assert (found.off_deg == whole.off_deg).all()
    assert (found.within(45.0) == whole.centre).all()


def test_half_angles_may_differ_from_front_to_front() -> None:
    two = from_centres(bases_from([Thing((0.0, 0.0), 25.0, None, 0.0)] * 2))
    target = bases_from([Thing((100.0, 100.0), 25.0, None, 0.0)])
    assert arcs(two, target, [30.0, 45.0]).centre.tolist() == [[0], [2]]


@pytest.mark.parametrize("half", [45.0, 90.0, 135.0, 180.0])
def test_the_arc_that_is_drawn_holds_what_lies_in_it(half: float) -> None:
    one = from_edges(bases_from([Thing((0.0, 0.0), 60.0, 20.0, 30.0)]))
    (drawn,) = zone(one, 0, half, 300.0)
    area = shapely.Polygon(drawn.outline_mm)  # type: ignore[union-attr]
    assert area.is_valid
    for spot in rim_points(Thing((0.0, 0.0), 400.0, None, 0.0), 90):
        if area.exterior.distance(shapely.Point(spot)) > 0.2:
            assert area.contains(shapely.Point(spot)) == _in_arc(one, spot, half)


def test_no_figures_and_figures_of_no_size_are_no_trouble() -> None:
    none: Bases = bases_of([], [], [])
    one = bases_from([Thing((0.0, 0.0), 20.0, None, 0.0)])
    for first, second in ((none, none), (none, one), (one, none)):
        found = arcs(from_centres(first), second, 45)
        assert found.partly.shape == found.partly_mm.shape == (len(first), len(second))
    same = arcs(from_centres(one), bases_from([Thing((0.0, 0.0), 1e-6, None, 0.0)]), 45)
    assert same.partly.tolist() == same.centre.tolist() == [[2]]
