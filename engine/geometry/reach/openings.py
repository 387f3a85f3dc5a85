"""Terrain with ways through it: what is left of a piece beside bridges and doors, and ways wholly on a road."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.plane.tolerance import MM

__all__ = ["Rings", "left_beside", "rim_beside", "wholly_on"]

Array = NDArray[np.float64]
#: An outer ring and the holes in it, each (k, 2).
Rings = tuple[Array, ...]

_RIM_MM = 1.0


def left_beside(piece: Rings, openings: Sequence[Rings]) -> tuple[Rings, ...]:
    """What of a piece no opening covers: parts, each an outer ring with its holes.

    >>> square, bridge = (np.array([(0, y), (9, y), (9, 9), (0, 9)], dtype=float) for y in (0, 6))
    >>> [part[0].max(axis=0).tolist() for part in left_beside((square,), [(bridge,)])]
    [[9.0, 6.0]]
    """
    return tuple(_parts(shapely.difference(_area(piece), _union(openings))))


def rim_beside(piece: Rings, openings: Sequence[Rings]) -> tuple[Rings, ...]:
    """A piece's rim as a wall a millimetre to either side of it, open where openings cover it.

    >>> square, door = (np.array([(0, 0), (w, 0), (w, w), (0, w)], dtype=float) for w in (40, 5))
    >>> len(rim_beside((square,), [])[0]), len(rim_beside((square,), [(door,)])[0])
    (2, 1)
    """
    wall = shapely.buffer(_area(piece).boundary, _RIM_MM, cap_style="flat", join_style="mitre")
    return tuple(_parts(shapely.difference(wall, shapely.buffer(_union(openings), 2 * _RIM_MM))))


def wholly_on(start: Sequence[float], end: Sequence[float], areas: Sequence[Rings]) -> bool:
    """Whether a straight way runs on nothing but some areas, taken together.

    >>> west, east = (np.array([(x, 0), (x + 9, 0), (x + 9, 4), (x, 4)], dtype=float) for x in (0, 9))
    >>> wholly_on((1, 2), (17, 2), [(west,), (east,)]), wholly_on((1, 2), (17, 5), [(west,), (east,)])
    (True, False)
    """
    ground = shapely.buffer(_union(areas), MM)
    return bool(areas) and bool(shapely.covers(ground, shapely.LineString([start, end])))


def _area(rings: Rings) -> BaseGeometry:
    return shapely.make_valid(shapely.Polygon(rings[0], list(rings[1:])))


def _union(pieces: Iterable[Rings]) -> BaseGeometry:
    return shapely.union_all([_area(rings) for rings in pieces])


def _parts(shape: BaseGeometry) -> list[Rings]:
    """The polygons of a shape as rings without their doubled last point."""
    polygons = [
        part for part in shapely.get_parts(shape) if isinstance(part, shapely.Polygon) and not part.is_empty
    ]
    return [
        tuple(np.asarray(ring.coords, dtype=float)[:-1] for ring in (part.exterior, *part.interiors))
        for part in polygons
    ]
