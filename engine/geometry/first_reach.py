"""The ground that a body of bases can cover in one move, as a polygon in table millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from shapely import MultiPoint, Polygon, box, get_coordinates, is_ccw, union_all
from shapely.affinity import rotate
from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import Bases
from engine.geometry.directions import unit_vector

Array = NDArray[np.float64]
PointMm = tuple[float, float]

_ROUND = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
_RIM = np.stack([np.sin(_ROUND), np.cos(_ROUND)], axis=1)


def footprint(bases: Bases) -> BaseGeometry:
    """The convex hull of bases."""
    rims = bases.centre[:, None] + bases.radius[:, None, None] * _RIM
    spots = np.concatenate([rims.reshape(-1, 2), bases.corners().reshape(-1, 2)])
    return MultiPoint(spots).convex_hull


def all_round(bases: Bases, distance_mm: float) -> BaseGeometry:
    """Every direction, up to a distance.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> area = all_round(bases_of([(0, 0)], [Round(diameter_mm=20)], [None]), 90)
    >>> [round(bound) for bound in area.bounds]
    [-100, -100, 100, 100]
    """
    return footprint(bases).buffer(distance_mm)


def ahead(bases: Bases, bearing_deg: float, distance_mm: float, arc_deg: float) -> BaseGeometry:
    """Straight lines up to ``arc_deg`` (at most 90) either side of a bearing.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> area = ahead(bases_of([(0, 0)], [Round(diameter_mm=20)], [0]), 0, 90, 45)
    >>> [round(bound) for bound in area.bounds]
    [-74, -10, 74, 100]
    """
    turns = np.linspace(-arc_deg, arc_deg, 19)
    shifts = [np.zeros(2)] + [distance_mm * unit_vector(bearing_deg + turn) for turn in turns]
    return _swept(footprint(bases), shifts)


def straight(bases: Bases, bearing_deg: float, distance_mm: float) -> BaseGeometry:
    """One straight line along a bearing; a negative distance goes back."""
    return _swept(footprint(bases), [np.zeros(2), distance_mm * unit_vector(bearing_deg)])


def wheel(bases: Bases, bearing_deg: float, distance_mm: float, most_deg: float = 90.0) -> BaseGeometry:
    """Wheels forward about either end figure, the outer figure's arc measured, what is left over straight on."""
    across = unit_vector(bearing_deg + 90.0)
    places = bases.centre @ across
    ends = int(places.argmin()), int(places.argmax())
    width = float(np.hypot(*(bases.centre[ends[1]] - bases.centre[ends[0]])))
    if ends[0] == ends[1] or width <= 0:
        return footprint(bases)
    most = min(most_deg, float(np.degrees(distance_mm / width)))
    areas, start = [], footprint(bases)
    for turn in np.linspace(0.0, most, 7):
        left = distance_mm - float(np.radians(turn)) * width
        for pivot, sign in ((ends[0], -1.0), (ends[1], 1.0)):
            turned = rotate(start, -sign * turn, origin=tuple(bases.centre[pivot]))
            areas.append(_swept(turned, [np.zeros(2), left * unit_vector(bearing_deg + sign * turn)]))
    return union_all(areas)


def _swept(area: BaseGeometry, shifts: Sequence[Array]) -> BaseGeometry:
    rim = get_coordinates(area)
    return MultiPoint(np.concatenate([rim + shift for shift in shifts])).convex_hull


def within(
    area: BaseGeometry,
    start: BaseGeometry,
    table_mm: tuple[float, float],
    barred: Iterable[Array],
    openings: Iterable[Array] = (),
) -> tuple[PointMm, ...]:
    """The part of an area on the table that hangs together with ``start`` when barred polygons are taken out.

    ``openings`` are polygons (k, 2) that lead through the barred ones. One outline, counter-clockwise, without the
    first point repeated; holes are left out. Empty where nothing is left.
    """
    kept = area.intersection(box(0.0, 0.0, *table_mm))
    closed = union_all([Polygon(outline).buffer(0) for outline in barred])
    kept = kept.difference(closed.difference(union_all([Polygon(outline).buffer(0) for outline in openings])))
    parts = [part for part in getattr(kept, "geoms", [kept]) if isinstance(part, Polygon) and not part.is_empty]
    if not parts:
        return ()
    best = max(parts, key=lambda part: (part.intersection(start).area, -part.distance(start)))
    outline = Polygon(best.exterior).simplify(0.2).boundary
    points = list(outline.coords)[:-1]
    return tuple((round(x, 2), round(y, 2)) for x, y in (points if is_ccw(outline) else reversed(points)))
