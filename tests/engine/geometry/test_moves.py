"""Moving bodies of figures, against a brute-force oracle: outlines as many points."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.geometry.moving.moves import (
    advance_to_gap,
    away,
    bases_to_area,
    bearing_to,
    centroid,
    end_figures,
    entry_shift,
    gap_between,
    gap_of_each,
    meets,
    moved,
    nearest_first,
    places,
    places_turned,
    rear_row,
    retreat_to_gap,
    room_to_edge,
    turn_between,
    way_between,
    way_into,
)
from engine.geometry.plane.directions import Vector
from engine.geometry.templates import Lane, depth_along, first_meeting
from engine.records.game import Base, Figure, Rect, Round, TableArea
from tests.long_runs import examples

TABLE = TableArea(width_mm=1800.0, depth_mm=1200.0)
coordinates = st.floats(100, 1100)
bases = st.builds(Round, diameter_mm=st.floats(5, 60)) | st.builds(
    Rect, width_mm=st.floats(5, 60), depth_mm=st.floats(5, 90)
)
bearings = st.floats(0, 359.9)


@st.composite
def bodies(draw: st.DrawFn, name: str) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            id=f"{name}{i}",
            x_mm=draw(coordinates),
            y_mm=draw(coordinates),
            base=draw(bases),
            bearing_deg=draw(bearings),
        )
        for i in range(draw(st.integers(1, 4)))
    )


def figure(name: str, x: float, y: float, base: Base | None = None, bearing: float | None = 0.0) -> Figure:
    return Figure(id=name, x_mm=x, y_mm=y, base=base or Round(diameter_mm=25.0), bearing_deg=bearing)


def outline(one: Figure) -> shapely.Geometry:
    """The base as a polygon; a circle as one of 720 corners."""
    if isinstance(one.base, Round):
        return shapely.Point(one.x_mm, one.y_mm).buffer(one.base.diameter_mm / 2, quad_segs=180)
    half_w, half_d, angle = one.base.width_mm / 2, one.base.depth_mm / 2, math.radians(one.bearing_deg or 0)
    right, ahead = (math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))
    corners = ((-half_w, -half_d), (half_w, -half_d), (half_w, half_d), (-half_w, half_d))
    return shapely.Polygon(
        [(one.x_mm + x * right[0] + y * ahead[0], one.y_mm + x * right[1] + y * ahead[1]) for x, y in corners]
    )


def brute_gap(some: tuple[Figure, ...], others: tuple[Figure, ...]) -> float:
    return min(float(shapely.distance(outline(a), outline(b))) for a in some for b in others)


@given(bodies("a"), bodies("b"))
def test_the_gap_is_the_shortest_distance_between_outlines(
    some: tuple[Figure, ...], others: tuple[Figure, ...]
) -> None:
    gap = gap_between(some, others)
    assert gap is not None
    assert gap.distance_mm == pytest.approx(brute_gap(some, others), abs=0.01)
    assert math.hypot(*gap.direction) == pytest.approx(1.0)


@given(bodies("a"), bodies("b"), st.floats(0, 150))
def test_going_along_the_shortest_line_ends_at_the_gap_that_was_asked_for(
    some: tuple[Figure, ...], others: tuple[Figure, ...], wanted: float
) -> None:
    gap = gap_between(some, others)
    assert gap is not None
    assume(gap.distance_mm > wanted + 1)
    gone = advance_to_gap(some, others, gap.direction, wanted)
    assert brute_gap(moved(some, gap.direction, gone), others) == pytest.approx(wanted, abs=0.02)
    assert gone <= gap.distance_mm - wanted + 1e-6


@given(bodies("a"), bodies("b"))
def test_whoever_is_left_of_a_body_closes_by_the_shortest_line_of_the_one_in_front(
    some: tuple[Figure, ...], others: tuple[Figure, ...]
) -> None:
    lines = gap_of_each(some, others)
    assert [line.start for line in lines] == list(some)
    for first in range(len(some)):
        left = some[first:]
        gap, front = gap_between(left, others), min(lines[first:], key=lambda line: round(line.distance_mm, 6))
        assert gap is not None
        assert (front.start, front.end) == (gap.start, gap.end)
        assert (front.distance_mm, *front.direction) == pytest.approx((gap.distance_mm, *gap.direction), abs=1e-6)
        if front.distance_mm > 1.0:
            gone = advance_to_gap(left, others, front.direction, 0.0)
            assert gone == pytest.approx(front.distance_mm, abs=1e-6)


@given(bodies("a"), bodies("b"), st.floats(200, 500))
def test_going_away_ends_at_the_gap_that_was_asked_for(
    some: tuple[Figure, ...], others: tuple[Figure, ...], wanted: float
) -> None:
    direction = away(centroid(some), centroid(others), None)
    gone = retreat_to_gap(some, others, direction, wanted)
    if brute_gap(some, others) >= wanted + 0.01:
        assert gone == 0.0
    else:
        assert brute_gap(moved(some, direction, gone), others) >= wanted - 0.02
    for share in np.linspace(0.0, 0.995, 9):
        assert brute_gap(moved(some, direction, share * gone), others) <= wanted + 0.02 or gone == 0.0


@pytest.mark.parametrize(("right", "gone"), [(200.0, 5.0), (80.0, 5.0), (71.0, 5.0), (54.9, 104.9), (50.0, 100.0)])
def test_whoever_goes_back_stops_at_the_first_place_that_is_far_enough_from_all(right: float, gone: float) -> None:
    """Not past the next of them, unless there is no place in between."""
    others = [figure("left", -45, 0, Round(diameter_mm=20)), figure("right", right, 0, Round(diameter_mm=20))]
    one = [figure("one", 0, 0, Round(diameter_mm=20))]
    assert retreat_to_gap(one, others, (1.0, 0.0), 30.0) == pytest.approx(gone, abs=1e-6)


@given(bodies("a"), bearings)
def test_figures_stop_where_the_first_centre_meets_the_edge(some: tuple[Figure, ...], bearing: float) -> None:
    direction = (math.sin(math.radians(bearing)), math.cos(math.radians(bearing)))
    table = shapely.box(0, 0, TABLE.width_mm, TABLE.depth_mm)
    room = room_to_edge(some, direction, TABLE)
    there, beyond = moved(some, direction, room), moved(some, direction, room + 1.0)
    assert all(shapely.covers(table.buffer(0.001), shapely.Point(one.x_mm, one.y_mm)) for one in there)
    assert not all(shapely.covers(table, shapely.Point(one.x_mm, one.y_mm)) for one in beyond)


def test_a_line_that_is_never_met_is_gone_along_to_its_end() -> None:
    assert advance_to_gap([figure("a", 0, 0)], [figure("b", 100, 0)], (0.0, 1.0), 0.0, 300.0) == 300.0
    assert advance_to_gap([figure("a", 0, 0)], [], (0.0, 1.0), 0.0, 300.0) == 300.0
    assert gap_between([figure("a", 0, 0)], []) is None


def test_touching_bases_have_a_direction_all_the_same() -> None:
    gap = gap_between([figure("a", 0, 0)], [figure("b", 25, 0)])
    assert gap is not None
    assert (gap.distance_mm, gap.direction) == (0.0, (1.0, 0.0))


def test_away_from_the_very_spot_is_backwards() -> None:
    assert away((5.0, 5.0), (5.0, 5.0), 90.0) == (pytest.approx(-1.0), pytest.approx(0.0))


def test_nearest_figures_come_first_and_equals_as_listed() -> None:
    some = [figure("far", 0, 300), figure("left", -50, 200), figure("right", 50, 200)]
    assert [one.id for one in nearest_first(some, [figure("x", 0, 0)])] == ["left", "right", "far"]
    assert [one.id for one in nearest_first(some, [])] == ["far", "left", "right"]


@pytest.mark.parametrize(("bearing", "left", "right"), [(0.0, "a", "c"), (180.0, "c", "a")])
def test_the_ends_of_a_line_are_seen_as_it_faces(bearing: float, left: str, right: str) -> None:
    row = [figure(name, x, 0, bearing=bearing) for name, x in (("a", 0), ("b", 25), ("c", 50))]
    ends = end_figures(row)
    assert [[one.id for one in end] for end in ends] == [[left], [right]]


@given(bearings)
@settings(max_examples=examples(20))
def test_a_row_behind_is_clear_of_the_hindmost_base(bearing: float) -> None:
    row = [figure(str(i), 500 + 30 * i, 500, bearing=bearing) for i in range(3)]
    behind = rear_row(row, 2, 76.2)
    ahead = (math.sin(math.radians(bearing)), math.cos(math.radians(bearing)))
    hindmost = min(one.x_mm * ahead[0] + one.y_mm * ahead[1] for one in row) - 12.5
    for x, y in behind:
        assert x * ahead[0] + y * ahead[1] + 12.5 == pytest.approx(hindmost - 76.2)


def test_the_shortest_shift_that_puts_most_of_a_unit_into_an_area() -> None:
    area = np.array([(0.0, 100.0), (200.0, 100.0), (200.0, 150.0), (0.0, 150.0)])
    row = [figure("a", 20, 0), figure("b", 60, 20), figure("c", 100, 40), figure("d", 900, 0)]
    # Three of four are in it once the first has gone 100 mm.
    assert entry_shift(row, (0.0, 1.0), area, 203.2) == pytest.approx(100.001)
    assert entry_shift(row, (0.0, 1.0), area, 99.0) is None
    assert entry_shift(row, (0.0, -1.0), area, 203.2) is None


def test_places_keep_what_is_known_of_a_figure() -> None:
    one = figure("a", 1, 2, bearing=None)
    assert places([one])[0].bearing_deg is None
    assert places([one], 90.0)[0].bearing_deg == 90.0
    assert places_turned([figure("b", 0, 0, bearing=350.0)], 20.0)[0].bearing_deg == pytest.approx(10.0)


def test_bearings() -> None:
    assert bearing_to((0, 0), (-1, 0)) == 270.0
    assert turn_between(350, 10) == pytest.approx(20.0)


def test_how_far_bases_are_from_an_area() -> None:
    wall = np.array([(0.0, 100.0), (500.0, 100.0), (500.0, 110.0), (0.0, 110.0)])
    some = [figure("a", 50, 60), figure("b", 50, 90), figure("c", 50, 50, Rect(width_mm=20, depth_mm=40))]
    assert bases_to_area(some, wall) == pytest.approx((27.5, 0.0, 30.0))
    assert meets(wall, (50.0, 0.0), (50.0, 200.0))
    assert not meets(wall, (50.0, 0.0), (50.0, 99.0))


def test_the_way_into_an_area() -> None:
    area = np.array([(0.0, 100.0), (200.0, 100.0), (200.0, 150.0), (0.0, 150.0)])
    assert way_into((50.0, 40.0), area) == (pytest.approx((0.0, 1.0)), pytest.approx(60.0))
    assert way_into((50.0, 120.0), area) is None
    assert way_between((1.0, 1.0), (1.0, 1.0)) is None


HOUSE: list[Vector] = [(850.0, 500.0), (950.0, 500.0), (950.0, 600.0), (850.0, 600.0)]


def test_where_a_shot_meets_a_wall_and_how_deep_a_point_lies_behind_it() -> None:
    house = np.array(HOUSE, dtype=float)
    for x, reach, wide, along in ((900, 1000, 0, 300), (900, 200, 0, math.inf), (800, 1000, 0, math.inf),
                                  (810, 1000, 50, 300)):  # fmt: skip
        shot = Lane(start=(x, 200), bearing_deg=0.0, length_mm=reach, half_width_mm=wide)
        assert first_meeting(shot, house) == pytest.approx(along)
    assert depth_along((900, 540), 0.0, house) == pytest.approx(40)
    assert depth_along((900, 440), 0.0, house) == math.inf
