"""Simple polygons in plan, asked about many points and lines at a time. Lengths in millimetres.

A polygon is its outline, an array (k, 2) of corners without the first repeated, in either direction. Nothing is
kept or prepared between calls, so that threads may share everything here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry import lines

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: A point this close to the outline, in millimetres, lies on it.
_RIM_MM = 1e-6


def outline_of(corners: Sequence[tuple[float, float]]) -> Array:
    """The corners as an array (k, 2); a repeated last corner is dropped.

    >>> outline_of([(0, 0), (2, 0), (2, 2), (0, 0)]).shape
    (3, 2)
    """
    outline = np.array(corners, dtype=float).reshape(-1, 2)
    return outline[:-1] if len(outline) > 1 and np.array_equal(outline[0], outline[-1]) else outline


def contains(outline: Array, points: Array) -> Mask:
    """(n,) whether points (n, 2) lie in the polygon; its rim counts.

    >>> square = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])
    >>> contains(square, np.array([[5.0, 5.0], [10.0, 3.0], [11.0, 3.0]])).tolist()
    [True, True, False]
    """
    inside: Mask = _strictly_in(outline, points) | (to_outline(outline, points) <= _RIM_MM)
    return inside


def _strictly_in(outline: Array, points: Array) -> Mask:
    start, end = outline[None], lines.turned(outline)[None]
    x, y = points[:, None, 0], points[:, None, 1]
    straddles = (start[..., 1] > y) != (end[..., 1] > y)
    rise = np.where(straddles, end[..., 1] - start[..., 1], 1.0)
    left = x < (end[..., 0] - start[..., 0]) * (y - start[..., 1]) / rise + start[..., 0]
    inside: Mask = (straddles & left).sum(axis=1) % 2 == 1
    return inside


def to_outline(outline: Array, points: Array) -> Array:
    """(n,) the shortest distances from points (n, 2), inside or out, to the outline.

    >>> to_outline(np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]), np.array([[5.0, 3.0]])).tolist()
    [3.0]
    """
    distance: Array = lines.points_to_segments(points, outline, lines.turned(outline)).min(axis=1)
    return distance


def nearest_on_outline(outline: Array, points: Array) -> Array:
    """(n, 2) the points of the outline nearest to points (n, 2)."""
    nearest = lines.nearest_on_segments(points, outline, lines.turned(outline))
    apart = np.hypot(points[:, None, 0] - nearest[..., 0], points[:, None, 1] - nearest[..., 1])
    chosen: Array = nearest[np.arange(len(points)), apart.argmin(axis=1)]
    return chosen


def cuts(outline: Array, starts: Array, ends: Array) -> Array:
    """(n, k + 2) where segments (n, 2)-(n, 2) meet the outline, as shares of their length in rising order.

    0 and 1 always stand among them; a side that is not met stands as 1.
    """
    side_start, side = outline[None], (lines.turned(outline) - outline)[None]
    along, to = (ends - starts)[:, None], side_start - starts[:, None]
    cross = along[..., 0] * side[..., 1] - along[..., 1] * side[..., 0]
    safe = np.where(np.abs(cross) > 1e-12, cross, 1.0)
    share = (to[..., 0] * side[..., 1] - to[..., 1] * side[..., 0]) / safe
    on_side = (to[..., 0] * along[..., 1] - to[..., 1] * along[..., 0]) / safe
    met = (np.abs(cross) > 1e-12) & (on_side >= -1e-9) & (on_side <= 1 + 1e-9) & (share > 0) & (share < 1)
    count = len(starts)
    shares = np.concatenate([np.zeros((count, 1)), np.where(met, share, 1.0), np.ones((count, 1))], axis=1)
    ordered: Array = np.sort(shares, axis=1)
    return ordered


def lengths_inside(outline: Array, starts: Array, ends: Array) -> Array:
    """(n,) how much of each segment (n, 2)-(n, 2) lies in the polygon; a stretch along its rim does not count.

    >>> square = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])
    >>> lengths_inside(square, np.array([[-5.0, 5.0]]), np.array([[50.0, 5.0]])).round(6).tolist()
    [10.0]
    """
    length = np.hypot(ends[:, 0] - starts[:, 0], ends[:, 1] - starts[:, 1])
    shares, inside = stretches(outline, starts, ends)
    total: Array = (np.diff(shares, axis=1) * inside).sum(axis=1) * length
    return total


def stretches(outline: Array, starts: Array, ends: Array) -> tuple[Array, Mask]:
    """The segments cut at the outline: shares (n, s + 1) of their length, whether each stretch (n, s) is inside."""
    shares = cuts(outline, starts, ends)
    middle = (shares[:, :-1] + shares[:, 1:]) / 2
    points = starts[:, None] + middle[..., None] * (ends - starts)[:, None]
    inside = _strictly_in(outline, points.reshape(-1, 2)).reshape(middle.shape)
    return shares, inside & (np.diff(shares, axis=1) > 0)


def length_without(outline: Array, openings: Sequence[Array], start: Array, end: Array) -> float:
    """How much of one segment (1, 2)-(1, 2) lies in the polygon and in none of the openings, in mm.

    >>> river = np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 10.0], [0.0, 10.0]])
    >>> ford = np.array([[0.0, -1.0], [9.0, -1.0], [9.0, 4.0], [0.0, 4.0]])
    >>> round(length_without(river, [ford], np.array([[5.0, -5.0]]), np.array([[5.0, 15.0]])), 6)
    6.0
    """
    shares = np.unique(np.concatenate([cuts(each, start, end)[0] for each in (outline, *openings)]))
    points = start + ((shares[:-1] + shares[1:]) / 2)[:, None] * (end - start)
    counted = _strictly_in(outline, points)
    for opening in openings:
        counted &= ~contains(opening, points)
    return float(np.diff(shares) @ counted * np.hypot(*(end - start)[0]))


def crosses_line(path: Array, starts: Array, ends: Array) -> Mask:
    """(n,) whether segments (n, 2)-(n, 2) meet a polyline (k, 2); touching counts."""
    crossing: Mask = np.any(lines.segments_cross(starts, ends, path[:-1], path[1:]), axis=1)
    return crossing
