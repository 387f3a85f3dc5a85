"""Rectangles against points, segments and each other, in plain arrays that broadcast; the arithmetic under `bases`.

A rectangle is its half sizes, in a frame of its own: u to its right, v ahead, the origin at its centre.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["apart", "overlap_depth", "points_from", "points_out_of", "segments_from"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
#: The two parts of a vector, each an array of the broadcast shape.
Vector = tuple[Array, Array]

_SIGNS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


def points_out_of(point: Vector, half: Vector) -> Array:
    """Signed distances of points from rectangles: below 0 inside.

    >>> points_out_of((np.array([13.0, 0.0]), np.array([24.0, 1.0])), (np.array(10.0), np.array(20.0))).tolist()
    [5.0, -10.0]
    """
    beyond = np.maximum(np.abs(point[0]) - half[0], np.abs(point[1]) - half[1])
    signed: Array = np.where(beyond > 0, np.sqrt(points_from(point, half)), beyond)
    return signed


def points_from(point: Vector, half: Vector) -> Array:
    """Squared distances of points from rectangles; 0 inside and on the rim.

    >>> points_from((np.array([13.0, 0.0]), np.array([24.0, 1.0])), (np.array(10.0), np.array(20.0))).tolist()
    [25.0, 0.0]
    """
    across, along = np.maximum(np.abs(point[0]) - half[0], 0.0), np.maximum(np.abs(point[1]) - half[1], 0.0)
    squared: Array = across * across + along * along
    return squared


def overlap_depth(first: Vector, second: Vector, half: Vector, other: Vector, turn: Vector) -> Array:
    """How far apart, in mm, two rectangles are along the best of their four sides' directions; 0 or less: they
    meet.

    ``first`` is the centre of the second rectangle in the frame of the first, ``second`` the other way about;
    ``turn`` the cosine and sine of how far the second is turned clockwise from the first.
    """
    cos, sin = np.abs(turn[0]), np.abs(turn[1])
    best = np.abs(first[0]) - half[0] - (cos * other[0] + sin * other[1])
    best = np.maximum(best, np.abs(first[1]) - half[1] - (sin * other[0] + cos * other[1]))
    best = np.maximum(best, np.abs(second[0]) - other[0] - (cos * half[0] + sin * half[1]))
    deepest: Array = np.maximum(best, np.abs(second[1]) - other[1] - (sin * half[0] + cos * half[1]))
    return deepest


def apart(first: Vector, second: Vector, half: Vector, other: Vector, turn: Vector) -> Array:
    """The shortest distances between rectangles; where they overlap, below 0, how far to shift one to be clear.

    Of two rectangles apart, the nearest points are a corner of one and a point of the other. Arguments as
    `overlap_depth`.

    >>> one = (np.array(10.0), np.array(20.0))
    >>> float(apart((np.array(35.0), np.array(0.0)), (np.array(0.0), np.array(35.0)), one, one,
    ...             (np.array(0.0), np.array(1.0))))
    5.0
    """
    cos, sin = turn
    squared: Array = np.array(np.inf)
    for side, end in _SIGNS:
        across, along = side * other[0], end * other[1]
        corner = points_from(
            (first[0] + (across * cos + along * sin), first[1] + (along * cos - across * sin)), half
        )
        squared = np.minimum(squared, corner)
        across, along = side * half[0], end * half[1]
        corner = points_from(
            (second[0] + (across * cos - along * sin), second[1] + (along * cos + across * sin)), other
        )
        squared = np.minimum(squared, corner)
    depth = overlap_depth(first, second, half, other, turn)
    distance: Array = np.where(depth <= 0, depth, np.sqrt(squared))
    return distance


def segments_from(start: Vector, end: Vector, half: Vector) -> Array:
    """Distances of segments from rectangles; 0 where they meet. A segment may have no length.

    >>> ends = (np.array([-50.0]), np.array([25.0])), (np.array([50.0]), np.array([25.0]))
    >>> segments_from(*ends, (np.array(10.0), np.array(20.0))).tolist()
    [5.0]
    """
    along = (end[0] - start[0], end[1] - start[1])
    squared = np.minimum(points_from(start, half), points_from(end, half))
    length = along[0] * along[0] + along[1] * along[1]
    safe = np.where(length > 0, length, 1.0)
    for side, far in _SIGNS:
        to = (side * half[0] - start[0], far * half[1] - start[1])
        share = np.clip((to[0] * along[0] + to[1] * along[1]) / safe, 0.0, 1.0)
        off = (to[0] - share * along[0], to[1] - share * along[1])
        squared = np.minimum(squared, off[0] * off[0] + off[1] * off[1])
    distance: Array = np.where(_meets(start, end, along, half), 0.0, np.sqrt(squared))
    return distance


def _meets(start: Vector, end: Vector, along: Vector, half: Vector) -> Mask:
    """Whether segments meet rectangles: no side of theirs, nor the segment's own line, keeps them apart."""
    boxes = (np.minimum(start[0], end[0]) <= half[0]) & (np.maximum(start[0], end[0]) >= -half[0])
    boxes &= (np.minimum(start[1], end[1]) <= half[1]) & (np.maximum(start[1], end[1]) >= -half[1])
    off = np.abs(start[0] * along[1] - start[1] * along[0])
    meets: Mask = boxes & (off <= half[0] * np.abs(along[1]) + half[1] * np.abs(along[0]))
    return meets
