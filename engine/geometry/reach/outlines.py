"""Areas told as rings of points, for records, pages and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

__all__ = ["PointMm", "Ring", "rings", "rings_of"]

PointMm = tuple[float, float]
Ring = tuple[PointMm, ...]

#: How much a polygon handed out may leave the exact one, where that saves points.
_SIMPLER_MM = 0.1
#: Polygons smaller than this are not told, in square millimetres.
_LEAST_MM2 = 1e-3


def rings(shape: BaseGeometry, start: PointMm) -> tuple[tuple[Ring, tuple[Ring, ...]], ...]:
    """A geometry's polygons, the nearest to ``start`` first: outlines counter-clockwise, holes clockwise, in
    hundredths of a millimetre, no point repeated.

    >>> rings(shapely.box(0, 0, 2, 1), (0.0, 0.0))
    ((((2.0, 0.0), (2.0, 1.0), (0.0, 1.0), (0.0, 0.0)), ()),)
    """
    return rings_of([shape], [start])[0]


def rings_of(
    shapes: Sequence[BaseGeometry], starts: Sequence[PointMm]
) -> list[tuple[tuple[Ring, tuple[Ring, ...]], ...]]:
    """The same of several geometries, worked out together.

    >>> [len(one) for one in rings_of([shapely.box(0, 0, 2, 1), shapely.Polygon()], [(0.0, 0.0)] * 2)]
    [1, 0]
    """
    parts, owner = shapely.get_parts(np.array([*shapes, None], dtype=object)[:-1], return_index=True)
    size = shapely.area(parts)
    kept = (shapely.get_type_id(parts) == 3) & (size > _LEAST_MM2)
    parts, owner, size = parts[kept], owner[kept], size[kept]
    simpler = shapely.simplify(parts, _SIMPLER_MM, preserve_topology=False)
    good = shapely.is_valid(simpler) & (shapely.get_type_id(simpler) == 3) & ~shapely.is_empty(simpler)
    parts = np.where(good, simpler, parts)
    at = np.asarray(shapely.points(np.array(starts, dtype=float).reshape(-1, 2)), dtype=object)
    order = np.lexsort((-shapely.area(parts), shapely.distance(parts, at[owner]), owner))
    lines, polygon = shapely.get_rings(shapely.orient_polygons(parts[order]), return_index=True)
    points, line = shapely.get_coordinates(lines, return_index=True)
    bounds = np.searchsorted(line, np.arange(len(lines) + 1)).tolist()
    across, along = (points.round(2) + 0.0).T.tolist()
    every = list(zip(across, along, strict=True))
    told = [tuple(every[first : last - 1]) for first, last in pairwise(bounds)]  # but the last, which is the first
    firsts = np.searchsorted(polygon, np.arange(len(parts) + 1)).tolist()
    polygons = [(told[first], tuple(told[first + 1 : last])) for first, last in pairwise(firsts)]
    whose = np.searchsorted(owner[order], np.arange(len(shapes) + 1)).tolist()
    return [tuple(polygons[first:last]) for first, last in pairwise(whose)]
