"""Rays from the origin against discs and straight edges, ray by ray or along whole intervals of directions.

Everything is seen from an eye at the origin, angles in radians anticlockwise from the x axis; arrays are (t,) of
such couples, points (t, 2).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "circles_meet",
    "cover_of_disc",
    "cover_of_edge",
    "edge_meets_circle",
    "edges_meet",
    "to_disc",
    "to_edge",
]

Array = NDArray[np.float64]


def to_disc(angle: Array, centre: Array, radius: Array) -> Array:
    """(t, …) how far rays run before they meet discs; inf where they do not, 0 from inside. ``angle`` is (t, …)."""
    centre, radius = _beside(centre, angle), _beside(radius, angle)
    ahead = np.cos(angle) * centre[0] + np.sin(angle) * centre[1]
    across = np.sin(angle) * centre[0] - np.cos(angle) * centre[1]
    half = np.sqrt(np.maximum(radius**2 - across**2, 0.0))
    meets = (np.abs(across) < radius) & (ahead + half > 0)
    return np.where(meets, np.maximum(ahead - half, 0.0), np.inf)


def to_edge(angle: Array, start: Array, end: Array) -> Array:
    """(t, …) how far rays run before they meet edges; inf where they do not, or only lie along them."""
    (x, y), (x_end, y_end) = _beside(start, angle), _beside(end, angle)
    cosine, sine = np.cos(angle), np.sin(angle)
    side, side_end = cosine * y - sine * x, cosine * y_end - sine * x_end
    crosses = ((side <= 0) & (side_end > 0)) | ((side > 0) & (side_end <= 0))
    share = side / np.where(crosses, side - side_end, 1.0)
    ahead = cosine * (x + share * (x_end - x)) + sine * (y + share * (y_end - y))
    return np.where(crosses & (ahead > 1e-9), ahead, np.inf)


def _beside(points: Array, angle: Array) -> Array:
    """Points (t, 2) as (2, t, 1 …), lengths (t,) as (t, 1 …), to go with angles (t, …)."""
    parts = points.T if points.ndim == 2 else points
    return parts.reshape(parts.shape + (1,) * (angle.ndim - 1))


def cover_of_disc(centre: Array, radius: Array) -> tuple[Array, Array]:
    """(t,), (t,) between which directions discs are seen; -pi to pi from inside."""
    apart = np.hypot(centre[:, 0], centre[:, 1])
    outside = apart > radius
    half = np.arcsin(np.clip(radius / np.where(outside, apart, np.inf), 0.0, 1.0))
    towards = np.arctan2(centre[:, 1], centre[:, 0])
    return np.where(outside, towards - half, -np.pi), np.where(outside, towards + half, np.pi)


def cover_of_edge(start: Array, end: Array) -> tuple[Array, Array]:
    """(t,), (t,) between which directions edges are seen; the high one may go past pi."""
    one, other = np.arctan2(start[:, 1], start[:, 0]), np.arctan2(end[:, 1], end[:, 0])
    low, high = np.minimum(one, other), np.maximum(one, other)
    behind = high - low > np.pi
    return np.where(behind, high, low), np.where(behind, low + 2 * np.pi, high)


def circles_meet(centre: Array, radius: Array, other: Array, other_radius: Array) -> Array:
    """(t, 2) in which directions the rims of discs meet or touch; any others where they do not."""
    to = other - centre
    apart = np.hypot(to[:, 0], to[:, 1])
    safe = np.where(apart > 0, apart, 1.0)
    along = (apart**2 + radius**2 - other_radius**2) / (2 * safe)
    across = np.sqrt(np.maximum(radius**2 - along**2, 0.0))
    unit = to / safe[:, None]
    middle = centre + along[:, None] * unit
    left = np.stack([-unit[:, 1], unit[:, 0]], axis=1) * across[:, None]
    return _directions(middle[:, None] + np.stack([left, -left], axis=1))


def edge_meets_circle(start: Array, end: Array, centre: Array, radius: Array) -> Array:
    """(t, 2) in which directions edges meet or touch the rims of discs; any others where they do not."""
    along, to = end - start, start - centre
    squared = (along**2).sum(axis=1)
    half = (along * to).sum(axis=1)
    root = np.sqrt(np.maximum(half**2 - squared * ((to**2).sum(axis=1) - radius**2), 0.0))
    safe = np.where(squared > 0, squared, 1.0)[:, None]
    share = np.clip((-half[:, None] + np.stack([-root, root], axis=1)) / safe, 0.0, 1.0)
    return _directions(start[:, None] + share[..., None] * along[:, None])


def edges_meet(start: Array, end: Array, other: Array, other_end: Array) -> Array:
    """(t, 1) in which direction edges cross each other; any other where they do not."""
    along, across, to = end - start, other_end - other, other - start
    turn = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    safe = np.where(turn != 0, turn, 1.0)
    share = np.clip((to[:, 0] * across[:, 1] - to[:, 1] * across[:, 0]) / safe, 0.0, 1.0)
    return _directions((start + share[:, None] * along)[:, None])


def _directions(points: Array) -> Array:
    angle: Array = np.arctan2(points[..., 1], points[..., 0])
    return angle
