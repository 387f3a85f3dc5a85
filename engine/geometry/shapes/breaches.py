"""What is left of a wall with a gap in it: outlines cut square through where they were hit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from engine.geometry.plane.lines import nearest_on_segments, turned

__all__ = ["breached"]

Array = NDArray[np.float64]

#: Nothing smaller than this, in square mm, is left standing.
_LEAST_MM2 = 1.0


def breached(outline: Array, at: ArrayLike, width_mm: float, holes: Sequence[Array] = ()) -> tuple[Array, ...]:
    """The parts of an outline (k, 2) that stand beside a gap so wide, about the point of its rim nearest to ``at``.

    ``holes`` (k, 2) are what a wall runs round; a part that still does is given as two that touch.

    The gap runs along the edge that is hit, of two that meet in a corner the one that is hit more squarely, and a
    width deep to either side of it.

    >>> wall = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 5.0], [0.0, 5.0]])
    >>> [sorted({round(float(x), 6) for x in part[:, 0]}) for part in breached(wall, (50, -3), 20.0)]
    [[0.0, 40.0], [60.0, 100.0]]
    """
    spot = np.asarray(at, dtype=float).reshape(1, 2)
    rings = (outline, *holes)
    start, end = np.concatenate(rings), np.concatenate([turned(ring) for ring in rings])
    near = nearest_on_segments(spot, start, end)[0]
    edge = _edge_hit(spot[0], near, start, end)
    along = end[edge] - start[edge]
    length = float(np.hypot(*along))
    along = along / length if length > 0 else np.array([1.0, 0.0])
    across = np.array([along[1], -along[0]])
    half, deep, middle = width_mm / 2 * along, width_mm * across, near[edge]
    gap = shapely.Polygon([middle - half - deep, middle + half - deep, middle + half + deep, middle - half + deep])
    left = shapely.Polygon(outline, list(holes)).buffer(0).difference(gap)
    parts = [part for one in shapely.get_parts(left) for part in _without_holes(one)]
    parts = [part for part in parts if shapely.area(part) >= _LEAST_MM2]
    return tuple(shapely.get_coordinates(part.exterior)[:-1] for part in parts)


def _without_holes(part: shapely.Polygon) -> list[shapely.Polygon]:
    """A polygon, cut in two through each of its holes."""
    if not part.interiors:
        return [part]
    across = shapely.Polygon(part.interiors[0]).centroid.x
    low_x, low_y, high_x, high_y = part.bounds
    halves = (shapely.box(low_x, low_y, across, high_y), shapely.box(across, low_y, high_x, high_y))
    cut = [one for half in halves for one in shapely.get_parts(part.intersection(half))]
    return [one for piece in cut if isinstance(piece, shapely.Polygon) for one in _without_holes(piece)]


def _edge_hit(spot: Array, near: Array, start: Array, end: Array) -> int:
    """The number of the edge nearest to a point (2,), of equals that whose line is farthest from it."""
    apart = np.hypot(*(near - spot).T)
    along, to = end - start, spot - start
    length = np.hypot(along[:, 0], along[:, 1])
    off = np.abs(along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0]) / np.where(length > 0, length, 1.0)
    return int(np.where(apart <= apart.min() + 1e-6, off, -1.0).argmax())
