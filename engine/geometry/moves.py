"""Moving figures as the rules order it: shifted as a body, turned, stopped at the edge, brought to a gap.

All of it is in plan and in table millimetres; a base is its outline, and a gap is the shortest distance between two
outlines (0 where they touch or overlap). Directions are unit vectors (dx, dy); bearings as everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.events import Place
from engine.records.game import Figure, Rect, Round, TableArea

__all__ = [
    "Gap", "advance_to_gap", "away", "bearing_to", "centroid", "end_figures", "entry_shift", "gap_between",
    "mean_bearing", "moved", "nearest_first", "places", "rear_row", "retreat_to_gap", "room_to_edge",
]  # fmt: skip

Vector = tuple[float, float]

#: Lengths closer than this are equal (the formats' allowance for arithmetic).
EQUAL_MM = 0.001


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
    known = [math.radians(f.bearing_deg) for f in figures if f.bearing_deg is not None]
    east, north = sum(map(math.sin, known)), sum(map(math.cos, known))
    if math.hypot(east, north) < 1e-9:
        return None
    return math.degrees(math.atan2(east, north)) % 360.0


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
    if length > EQUAL_MM:
        return dx / length, dy / length
    back = math.radians((facing_deg or 0.0) + 180.0)
    return math.sin(back), math.cos(back)


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
    distances = _distances(figures, others)
    row, column = (int(i) for i in np.unravel_index(int(np.argmin(np.round(distances, 6))), distances.shape))
    start, end = figures[row], others[column]
    line = shapely.get_coordinates(shapely.shortest_line(_core(start), _core(end)))
    first, last = (line[0], line[-1]) if len(line) > 1 else (np.zeros(2), np.zeros(2))
    dx, dy = float(last[0] - first[0]), float(last[1] - first[1])
    length = math.hypot(dx, dy)
    if length < EQUAL_MM:
        direction = away((end.x_mm, end.y_mm), (start.x_mm, start.y_mm), None)
    else:
        direction = (dx / length, dy / length)
    return Gap(distance_mm=max(0.0, float(distances[row, column])), direction=direction, start=start, end=end)


def advance_to_gap(
    figures: Sequence[Figure], others: Sequence[Figure], direction: Vector, gap_mm: float, most_mm: float = math.inf
) -> float:
    """How far the figures go in ``direction`` until the gap to ``others`` is ``gap_mm``: at most ``most_mm``.

    0 where it is that small already; ``most_mm`` where it never becomes so.
    """
    if not figures or not others:
        return most_mm
    gone = 0.0
    for _ in range(500):
        now = float(_distances(moved(figures, direction, gone), others).min()) - gap_mm
        if now <= 1e-7:
            return gone
        gone += now
        if gone >= most_mm or gone > 1e5:
            return most_mm
    return gone


def retreat_to_gap(figures: Sequence[Figure], others: Sequence[Figure], direction: Vector, gap_mm: float) -> float:
    """How far the figures go in ``direction`` (away from ``others``) until the gap is ``gap_mm``; 0 if it is."""
    near, far = 0.0, gap_mm
    if float(_distances(figures, others).min()) >= gap_mm:
        return 0.0
    while float(_distances(moved(figures, direction, far), others).min()) < gap_mm and far < 1e5:
        far *= 2.0
    for _ in range(60):
        middle = (near + far) / 2.0
        if float(_distances(moved(figures, direction, middle), others).min()) < gap_mm:
            near = middle
        else:
            far = middle
    return far


def room_to_edge(figures: Sequence[Figure], direction: Vector, table: TableArea) -> float:
    """How far the figures can go in ``direction`` before a base meets the edge of the table; 0 at or over it."""
    room = math.inf
    for figure in figures:
        left, bottom, right, top = _reach(figure)
        for speed, ahead in (
            (direction[0], table.width_mm - right), (-direction[0], left),
            (direction[1], table.depth_mm - top), (-direction[1], bottom),
        ):  # fmt: skip
            if speed > 1e-9:
                room = min(room, max(0.0, ahead) / speed)
    return room


def nearest_first(figures: Sequence[Figure], others: Sequence[Figure]) -> tuple[Figure, ...]:
    """The figures in order of their distance, base to base, from the nearest of ``others``; equals as listed."""
    if not figures or not others:
        return tuple(figures)
    distances = _distances(figures, others).min(axis=1)
    order = sorted(range(len(figures)), key=lambda i: (round(float(distances[i]) / EQUAL_MM), i))
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


def entry_shift(figures: Sequence[Figure], direction: Vector, area: BaseGeometry, most_mm: float) -> float | None:
    """The shortest shift in ``direction`` that puts more than half of the centres into ``area``, or None."""
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
        inside = sum(first <= start + EQUAL_MM and start + EQUAL_MM <= last + EQUAL_MM for first, last in spans)
        if 2 * inside > len(figures):
            return min(start + EQUAL_MM, most_mm)
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


def _reach(figure: Figure) -> tuple[float, float, float, float]:
    left, bottom, right, top = shapely.bounds(_core(figure))
    radius = _radius(figure)
    return float(left) - radius, float(bottom) - radius, float(right) + radius, float(top) + radius


def _radius(figure: Figure) -> float:
    return figure.base.diameter_mm / 2.0 if isinstance(figure.base, Round) else 0.0


def _core(figure: Figure) -> BaseGeometry:
    """A point for a round base (its rim is a radius away), the outline for a rectangle."""
    if isinstance(figure.base, Round):
        return shapely.Point(figure.x_mm, figure.y_mm)
    return _rectangle(figure.base, figure.x_mm, figure.y_mm, figure.bearing_deg or 0.0)


@cache
def _unit_corners() -> NDArray[np.float64]:
    return np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def _rectangle(base: Rect, x_mm: float, y_mm: float, bearing_deg: float) -> BaseGeometry:
    angle = math.radians(bearing_deg)
    local = _unit_corners() * (base.width_mm, base.depth_mm)
    turn = np.array([(math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))])
    return shapely.Polygon(local @ turn + (x_mm, y_mm))


def _distances(figures: Sequence[Figure], others: Sequence[Figure]) -> NDArray[np.float64]:
    """Gaps between all pairs, shape (figures, others); negative where round bases overlap."""
    first, second = np.array([_core(f) for f in figures]), np.array([_core(f) for f in others])
    radii = np.add.outer([_radius(f) for f in figures], [_radius(f) for f in others])
    return np.asarray(shapely.distance(first[:, None], second[None, :]) - radii, dtype=np.float64)


def bases_to_area(figures: Sequence[Figure], area: BaseGeometry) -> tuple[float, ...]:
    """The distance of each base from an area in the plane; 0 where it touches or lies in it."""
    return tuple(max(0.0, float(shapely.distance(_core(f), area)) - _radius(f)) for f in figures)


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
    return abs((bearing_deg - other_deg + 180.0) % 360.0 - 180.0)


def polygon_centre(outline: Sequence[Vector]) -> Vector:
    """The centre of area of a polygon."""
    point = shapely.Polygon(outline).centroid
    return float(point.x), float(point.y)


def first_meeting(
    start: Vector, direction: Vector, reach_mm: float, outline: Sequence[Vector], half_width_mm: float
) -> Vector | None:
    """Where a strip from ``start``, so wide to either side, first meets a polygon, on its middle line; or None."""
    end = (start[0] + direction[0] * reach_mm, start[1] + direction[1] * reach_mm)
    strip: BaseGeometry = shapely.LineString([start, end])
    if half_width_mm > 0:
        strip = strip.buffer(half_width_mm, cap_style="flat")
    met = shapely.intersection(strip, shapely.Polygon(outline))
    if shapely.is_empty(met):
        return None
    along = min(
        float((x - start[0]) * direction[0] + (y - start[1]) * direction[1])
        for x, y in shapely.get_coordinates(met)
    )
    return start[0] + direction[0] * along, start[1] + direction[1] * along


def depth_along(point: Vector, direction: Vector, outline: Sequence[Vector]) -> float:
    """How deep a point lies behind the wall that a shot in ``direction`` comes through; infinite outside."""
    area = shapely.Polygon(outline)
    if not shapely.covers(area, shapely.Point(point)):
        return math.inf
    left, bottom, right, top = area.bounds
    far = (right - left) + (top - bottom)
    back = shapely.LineString([point, (point[0] - direction[0] * far, point[1] - direction[1] * far)])
    spots = shapely.get_coordinates(shapely.intersection(back, area.exterior))
    return min((math.dist(point, (float(x), float(y))) for x, y in spots), default=0.0)
