"""Bearings: degrees clockwise seen from above, 0 towards +y, 90 towards +x."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: A point or a shift in plan, in millimetres: to the right, away from the near edge.
Vector = tuple[float, float]


def unit_vector(bearing_deg: float) -> Array:
    """The vector (2,) of length 1 along a bearing.

    >>> unit_vector(90).round(6).tolist()
    [1.0, 0.0]
    """
    angle = np.radians(bearing_deg)
    return np.array([np.sin(angle), np.cos(angle)])


def bearing_of(vectors: Array) -> Array:
    """The bearings (...,) of vectors (..., 2), in degrees from 0 to below 360; 0 for a vector of no length.

    >>> bearing_of(np.array([[0.0, -2.0], [-1.0, 0.0]])).tolist()
    [180.0, 270.0]
    """
    bearings: Array = np.degrees(np.arctan2(vectors[..., 0], vectors[..., 1])) % 360.0
    return bearings


def off(bearings_deg: Array, others_deg: Array) -> Array:
    """How far bearings lie apart, 0 to 180 degrees; shapes broadcast.

    >>> off(np.array([350.0, 90.0]), np.array([10.0, 270.0])).tolist()
    [20.0, 180.0]
    """
    apart: Array = np.abs((bearings_deg - others_deg + 180.0) % 360.0 - 180.0)
    return apart


def mean_bearing(bearings_deg: Iterable[float]) -> float | None:
    """The mean direction of bearings in degrees; None where there are none or they cancel out.

    >>> round(mean_bearing([350.0, 10.0, 0.0]), 6) % 360
    0.0
    >>> mean_bearing([0.0, 180.0]) is None, mean_bearing([]) is None
    (True, True)
    """
    angles = np.radians(np.array(list(bearings_deg), dtype=float))
    if not len(angles):
        return None
    total = np.array([np.sin(angles).sum(), np.cos(angles).sum()])
    if np.hypot(*total) < 1e-9:
        return None
    return float(bearing_of(total))


def angle_sigma(sigma_mm: Array, distance_mm: Array) -> Array:
    """The sigma in degrees of the direction to a point so far away whose place has an error across the way.

    >>> angle_sigma(np.array([1.0, 0.0]), np.array([1.0, 0.0])).round(6).tolist()
    [45.0, 0.0]
    """
    sigma: Array = np.degrees(np.arctan2(sigma_mm, np.maximum(distance_mm, 0.001)))
    return sigma
