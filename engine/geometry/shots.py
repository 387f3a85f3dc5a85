"""The way of a shot through a polygon: where it first meets the outline, how deep a point lies behind the wall."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely
from shapely.geometry.base import BaseGeometry

__all__ = ["Vector", "depth_along", "first_meeting", "polygon_centre"]

Vector = tuple[float, float]


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
