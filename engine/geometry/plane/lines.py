"""Segments and points in plan, many at a time: distances and crossings. Lengths in millimetres."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: By how much of their length segments that are cut are taken to be longer at either end.
_JOIN = 1e-9


def turned(corners: Array) -> Array:
    """(k, 2) the corners with the first one put last: the ends of the sides that begin at the corners.

    >>> turned(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])).tolist()
    [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]
    """
    return np.concatenate([corners[1:], corners[:1]])


def nearest_on_segments(points: Array, starts: Array, ends: Array) -> Array:
    """(n, k, 2) the points on segments (k, 2)-(k, 2) nearest to points (n, 2)."""
    along = ends - starts
    squared = (along**2).sum(axis=-1)
    share = ((points[:, None, :] - starts[None]) * along[None]).sum(axis=-1) / np.where(squared > 0, squared, 1.0)
    nearest: Array = starts[None] + np.clip(share, 0.0, 1.0)[..., None] * along[None]
    return nearest


def points_to_segments(points: Array, starts: Array, ends: Array) -> Array:
    """(n, k) the distances from points (n, 2) to segments (k, 2)-(k, 2), which may have no length.

    >>> start, end = np.array([[0.0, 0.0]]), np.array([[5.0, 0.0]])
    >>> points_to_segments(np.array([[0.0, 3.0], [9.0, 0.0]]), start, end).tolist()
    [[3.0], [4.0]]
    """
    return each_to_segment(points[:, None], starts, ends)


def each_to_segment(points: Array, starts: Array, ends: Array) -> Array:
    """(...) the distances from points (..., 2) to a segment (..., 2)-(..., 2) each, which may have no length.

    >>> each_to_segment(np.array([[0.0, 3.0]]), np.array([[0.0, 0.0]]), np.array([[5.0, 0.0]])).tolist()
    [3.0]
    """
    along, to = ends - starts, points - starts
    squared = _dot(along, along)
    share = np.clip(_dot(to, along) / np.where(squared > 0, squared, 1.0), 0.0, 1.0)
    away = to - share[..., None] * along
    apart: Array = np.hypot(away[..., 0], away[..., 1])
    return apart


def _dot(one: Array, other: Array) -> Array:
    product: Array = one[..., 0] * other[..., 0] + one[..., 1] * other[..., 1]
    return product


def segments_cross(starts: Array, ends: Array, others: Array, other_ends: Array) -> Mask:
    """(n, k) whether segments (n, 2)-(n, 2) meet segments (k, 2)-(k, 2); touching counts.

    >>> cross = segments_cross(np.array([[0.0, -1.0]]), np.array([[0.0, 1.0]]),
    ...                        np.array([[-1.0, 0.0], [0.5, 0.0]]), np.array([[0.0, 0.0], [2.0, 0.0]]))
    >>> cross.tolist()
    [[True, False]]
    """
    a, b = starts[:, None, :], ends[:, None, :]
    c, d = others[None], other_ends[None]
    first, second = _side(a, b, c), _side(a, b, d)
    third, fourth = _side(c, d, a), _side(c, d, b)
    proper = (first * second <= 0) & (third * fourth <= 0)
    boxes = (np.minimum(a, b) <= np.maximum(c, d)).all(axis=-1) & (np.minimum(c, d) <= np.maximum(a, b)).all(
        axis=-1
    )
    crossing: Mask = proper & boxes
    return crossing


def _side(start: Array, end: Array, point: Array) -> Array:
    along, to = end - start, point - start
    side: Array = along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
    return side


def in_convex(points: Array, outline: Array) -> Mask:
    """(n,) whether points (n, 2) lie in a convex outline (k, 2) given in either direction; its rim counts.

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> in_convex(np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]), square).tolist()
    [True, True, False]
    """
    sides = _side(outline[None], turned(outline)[None], points[:, None, :])
    inside: Mask = np.all(sides >= 0, axis=1) | np.all(sides <= 0, axis=1)
    return inside


def turned_all(outlines: Array) -> Array:
    """(..., k, 2) outlines with the first corner of each put last.

    >>> turned_all(np.array([[[0.0, 0.0], [1.0, 0.0]]])).tolist()
    [[[1.0, 0.0], [0.0, 0.0]]]
    """
    return np.concatenate([outlines[..., 1:, :], outlines[..., :1, :]], axis=-2)


def crossing_points(starts: Array, ends: Array, others: Array, other_ends: Array) -> Array:
    """(c, 2) the points where segments (n, 2)-(n, 2) cross segments (k, 2)-(k, 2); parallels have none.

    Ends reach a billionth of their segment farther, so that nothing slips through where two segments join.

    >>> crossing_points(np.array([[0.0, -1.0]]), np.array([[0.0, 1.0]]),
    ...                 np.array([[-1.0, 0.5]]), np.array([[1.0, 0.5]])).tolist()
    [[0.0, 0.5]]
    """
    met, share = _crossed(starts[:, None], ends[:, None], others[None], other_ends[None])
    along = (ends - starts)[:, None]
    points: Array = (starts[:, None] + np.clip(share, 0.0, 1.0)[..., None] * along)[met]
    return points


def each_crosses(starts: Array, ends: Array, outlines: Array) -> Mask:
    """(n,) whether segments (n, 2)-(n, 2) cross one closed outline (n, k, 2) each, as `crossing_points` has it.

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> each_crosses(np.array([[1.0, -1.0], [1.0, 0.5]]), np.ones((2, 2)), np.stack([square, square])).tolist()
    [True, False]
    """
    met, _ = _crossed(starts[:, None], ends[:, None], outlines, turned_all(outlines))
    return np.asarray(met.any(axis=1), dtype=bool)


def _crossed(starts: Array, ends: Array, others: Array, other_ends: Array) -> tuple[Mask, Array]:
    """Whether segments cross others, and at what share of their length."""
    along, side = ends - starts, other_ends - others
    to = others - starts
    cross = along[..., 0] * side[..., 1] - along[..., 1] * side[..., 0]
    slanted = np.abs(cross) > 1e-12
    safe = np.where(slanted, cross, 1.0)
    share = (to[..., 0] * side[..., 1] - to[..., 1] * side[..., 0]) / safe
    other = (to[..., 0] * along[..., 1] - to[..., 1] * along[..., 0]) / safe
    met: Mask = slanted & (np.abs(share - 0.5) <= 0.5 + _JOIN) & (np.abs(other - 0.5) <= 0.5 + _JOIN)
    return met, share


def perimeter(outline: Array) -> float:
    """The length of a closed outline (k, 2), in mm.

    >>> perimeter(np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]]))
    12.0
    """
    return float(np.hypot(*(turned(outline) - outline).T).sum())


def area_of(outline: Array) -> float:
    """The area of a simple outline (k, 2), in square mm; below 0 where it runs clockwise.

    >>> area_of(np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]]))
    8.0
    """
    near, far = outline - outline[0], turned(outline) - outline[0]
    return float((near[:, 0] * far[:, 1] - near[:, 1] * far[:, 0]).sum() / 2)


def area_centre(outline: Array) -> Array:
    """(2,) the centre of area of a simple outline (k, 2); of one without area the mean of its corners.

    >>> area_centre(np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]])).tolist()
    [2.0, 1.0]
    """
    middle = outline.mean(axis=0)
    near, far = outline - middle, turned(outline) - middle
    twice = near[:, 0] * far[:, 1] - near[:, 1] * far[:, 0]
    whole = twice.sum()
    if abs(whole) < 1e-12:
        return np.asarray(middle)
    return np.asarray(middle + ((near + far) * twice[:, None]).sum(axis=0) / (3 * whole))


def signed_area(ring: Array) -> float:
    """The area of a ring (n, 2) in square mm; below 0 where it runs clockwise.

    >>> signed_area(np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 0.0]]))
    -2.0
    """
    centred = ring - ring[0]
    ahead = np.roll(centred, -1, axis=0)
    return float(centred[:, 0] @ ahead[:, 1] - centred[:, 1] @ ahead[:, 0]) / 2
