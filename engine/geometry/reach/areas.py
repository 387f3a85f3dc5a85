"""Areas as shapely has them, many at once: one call for all of them, in which no other thread has to wait."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.reach.blockers import polygonal, valid

__all__ = ["NO_SHAPES", "Geometries", "on_table", "on_tables", "thinned", "unions", "without_lines"]

Index = NDArray[np.intp]
Geometries = NDArray[np.object_]
Table = tuple[float, float]

NO_SHAPES: Geometries = np.zeros(0, dtype=object)


def unions(parts: Geometries, owner: Index, count: int) -> Geometries:
    """(count,) the union of the parts (p,) of each owner (p,), which rise; one part stays as it is.

    >>> boxes = shapely.box([0.0, 1.0, 5.0], 0.0, [2.0, 3.0, 6.0], 1.0)
    >>> shapely.area(unions(boxes, np.array([0, 0, 2]), 3)).tolist()
    [3.0, 0.0, 1.0]
    """
    counts = np.bincount(owner, minlength=count)
    begins = np.cumsum(counts) - counts
    found = np.full(count, shapely.Polygon(), dtype=object)
    one = np.flatnonzero(counts == 1)
    found[one] = parts[begins[one]]
    several = np.flatnonzero(counts > 1)
    if len(several):
        rows = np.full((len(several), int(counts.max())), None, dtype=object)
        place = np.arange(rows.shape[1])
        filled = place < counts[several, None]
        rows[filled] = parts[(begins[several, None] + place)[filled]]
        found[several] = shapely.union_all(rows, axis=1)
    return found


def on_table(shape: BaseGeometry, table_mm: Table | None) -> BaseGeometry:
    """The part of a shape that lies on the table."""
    whole: BaseGeometry = on_tables(np.array([shape], dtype=object), [table_mm])[0]
    return whole


def on_tables(shapes: Geometries, tables_mm: Sequence[Table | None]) -> Geometries:
    """The parts of shapes (n,) that lie on the table of each, width and depth."""
    ends = np.array([(np.inf, np.inf) if one is None else one for one in tables_mm], dtype=float).reshape(-1, 2)
    bounds = shapely.bounds(shapes)
    off = np.isfinite(ends).all(axis=1) & ((bounds[:, :2] < 0).any(axis=1) | (bounds[:, 2:] > ends).any(axis=1))
    if off.any():
        shapes = shapes.copy()
        shapes[off] = shapely.intersection(shapes[off], shapely.box(0.0, 0.0, ends[off, 0], ends[off, 1]))
    return without_lines(shapes)


def without_lines(shapes: Geometries) -> Geometries:
    """Only the polygons of geometries, without the lines and points that cutting leaves where things only touch."""
    mixed = np.flatnonzero(~np.isin(shapely.get_type_id(shapes), (3, 6)))
    if len(mixed):
        shapes = shapes.copy()
        for number in mixed.tolist():
            shapes[number] = polygonal(shapes[number])
    return shapes


def thinned(shapes: Geometries, off_mm: float, *, put_right: bool = True) -> Geometries:
    """Polygons with fewer points, at most so far off; where rings cross they are put right, or keep more."""
    found = shapely.simplify(shapes, off_mm, preserve_topology=False)
    crossed = np.flatnonzero(~shapely.is_valid(found) | shapely.is_empty(found))
    if len(crossed):
        found[crossed] = valid(found[crossed]) if put_right else shapely.simplify(shapes[crossed], off_mm)
    return found
