"""Moving figures as the rules order it: shifted as a body, turned, stopped at the edge, brought to a gap.

All of it is in plan and in table millimetres; a gap is the shortest distance between two outlines of bases (0 where
they touch or overlap). Directions are unit vectors (dx, dy); bearings as everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.events import Place
from engine.geometry.cover import base_gaps
from engine.geometry.distances import shortest_lines
from engine.geometry.plane import directions
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import bases_as_blockers, first_contact, shifted
from engine.geometry.shapes.bases import Bases, bases_of, gaps
from engine.geometry.shapes.pieces import pieces_of
from engine.records.game import Figure, Round, TableArea

__all__ = [
    "Gap", "advance_to_gap", "away", "bases_to_area", "bearing_to", "centroid", "end_figures",
    "entry_shift", "gap_between", "gap_of_each", "mean_bearing", "meets", "moved", "nearest_first", "places",
    "places_turned", "rear_row", "retreat_to_gap", "room_to_edge", "towards", "turn_between", "way_between",
    "way_into",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Farther than across any table, in millimetres.
_FAR_MM = 1e5


class Gap(Struct, frozen=True, kw_only=True):
    """The shortest line between two groups of figures: its length, its direction, and the figures at its ends."""

    distance_mm: float
    direction: Vector
    start: Figure
    end: Figure


def centroid(figures: Sequence[Figure]) -> Vector:
    """The mean of the figures' positions. Raises ValueError where there are none."""
    if not figures:
        raise ValueError("expected at least one figure")
    number = len(figures)
    return sum(f.x_mm for f in figures) / number, sum(f.y_mm for f in figures) / number


def mean_bearing(figures: Sequence[Figure]) -> float | None:
    """The mean direction that the figures face, or None where none is known or they cancel out."""
    return directions.mean_bearing(figure.bearing_deg for figure in figures if figure.bearing_deg is not None)


def bearing_to(start: Vector, end: Vector) -> float:
    """The bearing of the direction from one point to another.

    >>> bearing_to((0.0, 0.0), (10.0, 0.0))
    90.0
    """
    return math.degrees(math.atan2(end[0] - start[0], end[1] - start[1])) % 360.0


def away(start: Vector, cause: Vector, facing_deg: float | None) -> Vector:
    """The direction straight away from ``cause``; backwards where the two points are one.

    >>> away((0.0, 5.0), (0.0, 0.0), None)
    (0.0, 1.0)
    """
    dx, dy = start[0] - cause[0], start[1] - cause[1]
    length = math.hypot(dx, dy)
    if length > MM:
        return dx / length, dy / length
    back = math.radians((facing_deg or 0.0) + 180.0)
    return math.sin(back), math.cos(back)


def towards(bearing_deg: float) -> Vector:
    """The direction along a bearing.

    >>> [round(part, 6) for part in towards(90.0)]
    [1.0, 0.0]
    """
    along = directions.unit_vector(bearing_deg)
    return float(along[0]), float(along[1])


def way_between(start: Vector, end: Vector) -> tuple[Vector, float] | None:
    """The direction from one point to another and how far it is; None where the two are one."""
    length = math.dist(start, end)
    return None if length < MM else (((end[0] - start[0]) / length, (end[1] - start[1]) / length), length)


def way_into(start: Vector, outline: Array) -> tuple[Vector, float] | None:
    """The shortest way from a point to an outline (k, 2): direction and length; None from inside or on it."""
    area = pieces_of([outline])
    if area.contains([start])[0, 0]:
        return None
    x, y = area.nearest_on_rim(0, [start])[0]
    return way_between(start, (float(x), float(y)))


def moved(figures: Sequence[Figure], direction: Vector, distance_mm: float) -> tuple[Figure, ...]:
    """The figures, each shifted by the same distance in the same direction."""
    dx, dy = direction[0] * distance_mm, direction[1] * distance_mm
    return tuple(replace(f, x_mm=f.x_mm + dx, y_mm=f.y_mm + dy) for f in figures)


def places(figures: Sequence[Figure], facing_deg: float | None = None) -> tuple[Place, ...]:
    """Where the figures now stand, as an event says it; with ``facing_deg`` they all face that way."""
    return tuple(
        Place(
            figure=f.id, x_mm=f.x_mm, y_mm=f.y_mm, z_mm=f.z_mm, sigma_mm=f.sigma_mm,
            bearing_sigma_deg=f.bearing_sigma_deg, bearing_deg=f.bearing_deg if facing_deg is None else facing_deg,
        )
        for f in figures
    )  # fmt: skip


def gap_between(figures: Sequence[Figure], others: Sequence[Figure]) -> Gap | None:
    """The shortest line from ``figures`` to ``others``, the first pair of equals; None where either is empty."""
    if not figures or not others:
        return None
    first, second = _bases(figures), _bases(others)
    between = gaps(first, second)
    row, column = np.unravel_index(int(np.argmin(np.round(between, 6))), between.shape)
    return _gaps(figures, others, between, np.array([row]), np.array([column]), (first, second))[0]


def gap_of_each(figures: Sequence[Figure], others: Sequence[Figure]) -> tuple[Gap, ...]:
    """The shortest line from each of ``figures`` to the nearest of ``others``, of which there are some."""
    if not figures:
        return ()
    first, second = _bases(figures), _bases(others)
    between = gaps(first, second)
    nearest = np.argmin(np.round(between, 6), axis=1)
    return _gaps(figures, others, between, np.arange(len(figures)), nearest, (first, second))


def _gaps(
    figures: Sequence[Figure], others: Sequence[Figure], between: Array, row: Index, column: Index,
    bases: tuple[Bases, Bases],
) -> tuple[Gap, ...]:  # fmt: skip
    """The shortest lines of pairs of figures, by their rows and columns in the table of gaps."""
    starts, ends = shortest_lines(bases[0].pick(row), bases[1].pick(column))
    found = []
    for one, other, start, end in zip(row.tolist(), column.tolist(), starts.tolist(), ends.tolist(), strict=True):
        here, there = figures[one], others[other]
        way = way_between((start[0], start[1]), (end[0], end[1]))
        direction = way[0] if way is not None else away((there.x_mm, there.y_mm), (here.x_mm, here.y_mm), None)
        found.append(Gap(distance_mm=float(between[one, other]), direction=direction, start=here, end=there))
    return tuple(found)


def advance_to_gap(
    figures: Sequence[Figure], others: Sequence[Figure], direction: Vector, gap_mm: float, most_mm: float = math.inf
) -> float:
    """How far the figures go in ``direction`` until the gap to ``others`` is ``gap_mm``: at most ``most_mm``.

    0 where it is that small already; ``most_mm`` where it never becomes smaller.
    """
    if not figures or not others:
        return most_mm
    mover, still = _bases(figures), _bases(others)
    if float(gaps(mover, still).min()) <= gap_mm + MM:
        return 0.0
    blockers = bases_as_blockers(still, [other.id for other in others], gap_mm)
    met = first_contact(mover, blockers, np.array(direction))
    return most_mm if met is None else min(met.distance_mm, most_mm)


def retreat_to_gap(figures: Sequence[Figure], others: Sequence[Figure], direction: Vector, gap_mm: float) -> float:
    """How far in mm the figures go in ``direction`` until the gap to all ``others`` is ``gap_mm`` or more: to the
    first such place, be there more of them beyond; 0 if it is."""
    mover, still = _bases(figures), _bases(others)

    def apart(distance: float) -> Array:
        return gaps(_shifted(mover, direction, distance), still)

    gone = 0.0
    # Each pair is too near along one stretch of the way: once past it, it stays past.
    while gone < _FAR_MM and (close := apart(gone) < gap_mm).any():
        near, step = gone, gap_mm
        while (apart(near + step)[close] < gap_mm).any() and near + step < _FAR_MM:
            step *= 2.0
        gone = near + step
        for _ in range(60):
            middle = (near + gone) / 2.0
            near, gone = (middle, gone) if (apart(middle)[close] < gap_mm).any() else (near, middle)
    return gone


def room_to_edge(figures: Sequence[Figure], direction: Vector, table: TableArea) -> float:
    """How far the figures can go in ``direction`` until a base's centre comes to the table's edge; 0 over it.

    A figure is on the table as long as its centre is: so a base stands that overhangs, and so terrain counts it.
    """
    room = math.inf
    for figure in figures:
        for speed, ahead in (
            (direction[0], table.width_mm - figure.x_mm), (-direction[0], figure.x_mm),
            (direction[1], table.depth_mm - figure.y_mm), (-direction[1], figure.y_mm),
        ):  # fmt: skip
            if speed > 1e-9:
                room = min(room, max(0.0, ahead) / speed)
    return room


def nearest_first(figures: Sequence[Figure], others: Sequence[Figure]) -> tuple[Figure, ...]:
    """The figures in order of their distance, base to base, from the nearest of ``others``; equals as listed."""
    if not figures or not others:
        return tuple(figures)
    distances = gaps(_bases(figures), _bases(others)).min(axis=1)
    order = sorted(range(len(figures)), key=lambda i: (round(float(distances[i]) / MM), i))
    return tuple(figures[i] for i in order)


def end_figures(figures: Sequence[Figure]) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """The figures at the left and at the right end of a unit's front (several where it has ranks)."""
    if not figures:
        return (), ()
    facing = math.radians(mean_bearing(figures) or 0.0)
    side = [f.x_mm * math.cos(facing) - f.y_mm * math.sin(facing) for f in figures]
    half = max(_half_width(f) for f in figures)
    left = tuple(f for f, x in zip(figures, side, strict=True) if x <= min(side) + half)
    right = tuple(f for f, x in zip(figures, side, strict=True) if x >= max(side) - half)
    return left, right


def entry_shift(figures: Sequence[Figure], direction: Vector, outline: Array, most_mm: float) -> float | None:
    """The shortest shift in ``direction`` that puts most of the centres into an outline (k, 2), or None."""
    area = shapely.Polygon(outline)
    spans: list[tuple[float, float]] = []
    for figure in figures:
        ray = shapely.LineString(
            [
                (figure.x_mm, figure.y_mm),
                (figure.x_mm + direction[0] * most_mm, figure.y_mm + direction[1] * most_mm),
            ]
        )
        for part in shapely.get_parts(shapely.intersection(ray, area)):
            along = [
                float((x - figure.x_mm) * direction[0] + (y - figure.y_mm) * direction[1])
                for x, y in shapely.get_coordinates(part)
            ]
            if along:
                spans.append((min(along), max(along)))
    for start in sorted(first for first, _ in spans):
        inside = sum(first <= start + MM and start + MM <= last + MM for first, last in spans)
        if 2 * inside > len(figures):
            return min(start + MM, most_mm)
    return None


def rear_row(figures: Sequence[Figure], number: int, behind_mm: float) -> tuple[Vector, ...]:
    """``number`` places in a row, ``behind_mm`` clear of the hindmost base, side by side behind the middle."""
    facing = math.radians(mean_bearing(figures) or 0.0)
    ahead, right = (math.sin(facing), math.cos(facing)), (math.cos(facing), -math.sin(facing))
    middle = centroid(figures)
    depth, width = max(_half_depth(f) for f in figures), 2.0 * max(_half_width(f) for f in figures)
    hindmost = min((f.x_mm - middle[0]) * ahead[0] + (f.y_mm - middle[1]) * ahead[1] for f in figures)
    back = hindmost - 2.0 * depth - behind_mm
    return tuple(
        (
            middle[0] + ahead[0] * back + right[0] * width * (place - (number - 1) / 2.0),
            middle[1] + ahead[1] * back + right[1] * width * (place - (number - 1) / 2.0),
        )
        for place in range(number)
    )


def _half_depth(figure: Figure) -> float:
    base = figure.base
    return base.diameter_mm / 2.0 if isinstance(base, Round) else base.depth_mm / 2.0


def _half_width(figure: Figure) -> float:
    base = figure.base
    return base.diameter_mm / 2.0 if isinstance(base, Round) else base.width_mm / 2.0


def _bases(figures: Sequence[Figure]) -> Bases:
    return bases_of(
        [(f.x_mm, f.y_mm) for f in figures], [f.base for f in figures], [f.bearing_deg for f in figures]
    )


def _shifted(bases: Bases, direction: Vector, distance_mm: float) -> Bases:
    return shifted(bases, np.array(direction) * distance_mm)


def bases_to_area(figures: Sequence[Figure], outline: Array) -> tuple[float, ...]:
    """The distance of each base from the area in an outline (k, 2); 0 where it touches or lies in it."""
    return tuple(base_gaps(_bases(figures), pieces_of([outline]))[:, 0].tolist())


def meets(outline: Array, start: Vector, end: Vector) -> bool:
    """Whether the straight line between two points meets the area in an outline (k, 2)."""
    return bool(shapely.intersects(shapely.LineString([start, end]), shapely.Polygon(outline)))


def may_meet(bounds: tuple[float, float, float, float], start: Vector, end: Vector) -> bool:
    """Whether the rectangle about the line between two points meets one (left, bottom, right, top), rims counting.

    Sooner asked than `meets`, of which it is necessary.

    >>> [may_meet((0.0, 0.0, x, 9.0), (10.0, -5.0), (20.0, 5.0)) for x in (10.0, 9.0)]
    [True, False]
    """
    left, bottom, right, top = bounds
    across = min(start[0], end[0]) <= right and max(start[0], end[0]) >= left
    return across and min(start[1], end[1]) <= top and max(start[1], end[1]) >= bottom


def places_turned(figures: Sequence[Figure], turn_deg: float) -> tuple[Place, ...]:
    """The figures where they stand, each turned clockwise by ``turn_deg``."""
    return places(
        tuple(
            f if f.bearing_deg is None else replace(f, bearing_deg=(f.bearing_deg + turn_deg) % 360.0)
            for f in figures
        )
    )


def turn_between(bearing_deg: float, other_deg: float) -> float:
    """How far two bearings lie apart, 0 to 180 degrees.

    >>> turn_between(350.0, 10.0)
    20.0
    """
    return float(directions.off(np.array(bearing_deg), np.array(other_deg)))
