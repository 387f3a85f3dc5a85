"""Walls, roads and rivers as strips: the outlines of polylines with a width. Lengths in millimetres."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.plane.distinct import without_repeats
from engine.geometry.plane.lines import signed_area

if TYPE_CHECKING:
    from shapely import Polygon

__all__ = ["strip_outline", "strip_rings"]

Array = NDArray[np.float64]

#: A bend is mitred where the cosine of its turn is no less: up to 135 degrees, its tip 2.6 half widths away.
_MITRED = -np.sqrt(0.5)
#: What is put together leg by leg is told to that.
_GRID_MM = 1e-6


def strip_rings(path: ArrayLike, width_mm: float) -> tuple[Array, ...]:
    """The rings (k, 2) of a strip along a polyline (j, 2): its outline, then what it runs round.

    Where the polyline comes back to its first point the strip is closed there, else its ends are flat. Bends are
    mitred; those that turn by more than 135 degrees are cut off from corner to corner.

    >>> yard = strip_rings([(0, 0), (9, 0), (9, 9), (0, 9), (0, 0)], 2)
    >>> [signed_area(ring) for ring in yard]
    [121.0, -49.0]
    """
    points = without_repeats(np.asarray(path, dtype=float).reshape(-1, 2), closed=False)
    if len(points) < 3:
        return (strip_outline(points, width_mm),)
    from shapely import LinearRing, LineString

    closed = len(points) > 3 and bool((points[0] == points[-1]).all())
    if _bends_sharply(points, closed):
        strip = _leg_by_leg(points, width_mm / 2, closed)
    else:
        line = LinearRing(points) if closed else LineString(points)
        strip = line.buffer(width_mm / 2, cap_style="flat", join_style="mitre")
    outline, *within = (np.array(ring.coords[:-1], dtype=float) for ring in (strip.exterior, *strip.interiors))
    return (
        outline if signed_area(outline) > 0 else outline[::-1],
        *(ring if signed_area(ring) < 0 else ring[::-1] for ring in within),
    )


def strip_outline(path: ArrayLike, width_mm: float) -> Array:
    """The outline (k, 2) of a strip along a polyline (j, 2), with mitred bends and flat ends; what it runs round is
    part of it.

    >>> strip_outline([(0, 0), (10, 0)], 4).tolist()
    [[0.0, -2.0], [10.0, -2.0], [10.0, 2.0], [0.0, 2.0]]
    """
    points = without_repeats(np.asarray(path, dtype=float).reshape(-1, 2), closed=False)
    if len(points) < 2:
        return points
    if len(points) == 2:
        along = points[1] - points[0]
        side = np.array([-along[1], along[0]]) / np.hypot(*along) * (width_mm / 2)
        return np.array([points[0] - side, points[1] - side, points[1] + side, points[0] + side])
    return strip_rings(points, width_mm)[0]


def _bends(points: Array, closed: bool) -> tuple[Array, Array, Array]:
    """The corners (n, 2) of a polyline, and the unit vectors of the legs before and after each."""
    legs = np.diff(points, axis=0)
    ways = legs / np.hypot(*legs.T)[:, None]
    if closed:
        return points[1:], ways, np.roll(ways, -1, axis=0)
    return points[1:-1], ways[:-1], ways[1:]


def _bends_sharply(points: Array, closed: bool) -> bool:
    _, before, after = _bends(points, closed)
    return bool(((before * after).sum(axis=1) < _MITRED).any())


def _leg_by_leg(points: Array, half_mm: float, closed: bool) -> Polygon:
    """The strip put together of its legs and bends. GEOS's mitres lose parts of what doubles back."""
    from shapely import Polygon, union_all

    parts = [Polygon(strip_outline(points[n : n + 2], 2 * half_mm)) for n in range(len(points) - 1)]
    for corner, before, after in zip(*_bends(points, closed), strict=True):
        turn = before[0] * after[1] - before[1] * after[0]
        outward = -half_mm if turn > 0 else half_mm
        one, other = (corner + outward * np.array([-way[1], way[0]]) for way in (before, after))
        cosine = float(before @ after)
        tip = [corner + (one + other - 2 * corner) / (1 + cosine)] if cosine >= _MITRED else []
        parts.append(Polygon([corner, one, *tip, other]))
    whole = union_all(parts, grid_size=_GRID_MM)
    assert isinstance(whole, Polygon)  # each leg shares its end with the next
    return whole
