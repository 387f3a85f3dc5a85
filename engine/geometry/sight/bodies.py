"""How deep straight lines run in bases, line against base, many such couples at a time. Lengths in millimetres."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.geometry.sight.records import Bodies

__all__ = ["inroads"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]


def inroads(bodies: Bodies, which: Index, start: Array, end: Array) -> tuple[Array, Array]:
    """How deep lines (t, 2)-(t, 2) run in the bodies numbered ``which`` (t,): (t,), and where along them (t,).

    The depth is the shortest way by which the line would have to be shifted to run free, below 0 what lies between.
    The second array tells at which share of the line's length it comes nearest to the body's centre.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.sight.records import bodies_of
    >>> from engine.records.game import Round
    >>> disc = bodies_of(bases_of([(0, 10)], [Round(diameter_mm=20)], [0]))
    >>> start, end = np.array([[-50.0, 3.0], [-50.0, 0.0]]), np.array([[50.0, 3.0], [50.0, 0.0]])
    >>> inroads(disc, np.array([0, 0]), start, end)[0].tolist()
    [3.0, 0.0]
    """
    turned = (end[:, 0] < start[:, 0]) | ((end[:, 0] == start[:, 0]) & (end[:, 1] < start[:, 1]))
    low, high = np.where(turned[:, None], end, start), np.where(turned[:, None], start, end)
    along, to = high - low, bodies.centre[which] - low
    squared = along[:, 0] ** 2 + along[:, 1] ** 2
    share = (to[:, 0] * along[:, 0] + to[:, 1] * along[:, 1]) / np.where(squared > 0, squared, 1.0)
    share = np.where(
        squared > 0, np.minimum(np.maximum(share, 0.0), 1.0), 0.5
    )  # a line of no length has no first end
    depth = bodies.round_mm[which] - np.hypot(to[:, 0] - share * along[:, 0], to[:, 1] - share * along[:, 1])
    rect = np.flatnonzero(bodies.is_rect[which])
    if len(rect):
        depth[rect] = _in_rects(bodies, which[rect], low[rect], high[rect])
    return depth, np.where(turned, 1 - share, share)


def _in_rects(bodies: Bodies, which: Index, low: Array, high: Array) -> Array:
    half, centre = bodies.half[which], bodies.centre[which]
    sine, cosine = np.sin(bodies.bearing_rad[which]), np.cos(bodies.bearing_rad[which])
    a, b = (_turned(points - centre, sine, cosine) for points in (low, high))
    overlap = np.minimum(half - np.minimum(a, b), np.maximum(a, b) + half).min(axis=1)
    along = b - a
    length = np.hypot(along[:, 0], along[:, 1])
    safe = np.where(length > 0, length, 1.0)
    across = np.abs(along[:, 0] * a[:, 1] - along[:, 1] * a[:, 0]) / safe
    extent = (half[:, 0] * np.abs(along[:, 1]) + half[:, 1] * np.abs(along[:, 0])) / safe
    overlap = np.where(length > 0, np.minimum(overlap, extent - across), overlap)
    outside = np.flatnonzero(overlap <= 0)
    overlap[outside] = -_apart(half[outside], a[outside], b[outside])
    depth: Array = np.add(overlap, bodies.round_mm[which])
    return depth


def _turned(points: Array, sine: Array, cosine: Array) -> Array:
    """Points (t, 2) as seen by rectangles: across their fronts, along their bearings."""
    return np.stack(
        [points[:, 0] * cosine - points[:, 1] * sine, points[:, 0] * sine + points[:, 1] * cosine], axis=1
    )


def _apart(half: Array, a: Array, b: Array) -> Array:
    """(t,) the distances of lines from rectangles about the origin that they do not run into."""
    past, past_end = (np.maximum(np.abs(end) - half, 0.0) for end in (a, b))
    nearest: Array = np.minimum(np.hypot(past[:, 0], past[:, 1]), np.hypot(past_end[:, 0], past_end[:, 1]))
    along = b - a
    squared = (along**2).sum(axis=1)
    safe = np.where(squared > 0, squared, 1.0)
    for corner in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
        to = half * np.array(corner) - a
        share = np.clip((to * along).sum(axis=1) / safe, 0.0, 1.0)
        nearest = np.minimum(nearest, np.hypot(*(to - share[:, None] * along).T))
    return nearest
