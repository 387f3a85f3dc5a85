"""How near moving bases come to standing ones on a straight way, perhaps only while they are in some zone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.facing.aspects import side_middles
from engine.geometry.plane.directions import unit_vector
from engine.geometry.plane.lines import area_of, in_convex
from engine.geometry.shapes.bases import Bases, to_segments

__all__ = ["front_zone", "nearest_approach"]

Array = NDArray[np.float64]


def front_zone(bodies: Bases, index: int, half_deg: float, reach_mm: float, *, from_centre: bool = False) -> Array:
    """(4, 2) the front quarter of a body, between rays off its front corners or its centre, out to a distance.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Rect
    >>> body = bases_of([(0, 0)], [Rect(width_mm=20, depth_mm=10)], [0])
    >>> front_zone(body, 0, 45.0, 2**0.5).round(6).tolist()
    [[-10.0, 5.0], [-11.0, 6.0], [11.0, 6.0], [10.0, 5.0]]
    """
    one = bodies.pick([index])
    bearing = float(one.bearing_deg[0])
    left_front, right_front = one.corners()[0][3], one.corners()[0][2]
    if from_centre:
        left_front = right_front = one.centre[0]
    elif not one.is_rect[0]:
        left_front = right_front = side_middles(one)[0, 0]
    rays = [reach_mm * unit_vector(bearing + turn) for turn in (-half_deg, half_deg)]
    return np.array([left_front, left_front + rays[0], right_front + rays[1], right_front])


def nearest_approach(movers: Bases, way: ArrayLike, others: Bases, zone: Array | None = None) -> float:
    """The least gap between any of some bases, all shifted along ``way`` (2,), and any of others; inf where none.

    With a convex ``zone`` (k, 2) only that part of each way counts on which the mover's centre is in it.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> mover, post = (bases_of([spot], [Round(diameter_mm=20)], [0]) for spot in ((0, 0), (50, 30)))
    >>> nearest_approach(mover, (100.0, 0.0), post)
    10.0
    """
    shift, least = np.asarray(way, dtype=float), np.inf
    if not len(others):
        return float(least)
    for number in range(len(movers)):
        one = movers.pick([number])
        begin, end = _in_zone(one.centre[0], shift, zone)
        if begin > end:
            continue
        least = min(least, _swept_gap(one, shift * begin, shift * end, others))
    return float(least)


def _in_zone(start: Array, way: Array, zone: Array | None) -> tuple[float, float]:
    """From which share of a way to which it is in a convex zone; the first greater than the second where never."""
    begin, end = 0.0, 1.0
    if zone is None:
        return begin, end
    middle = zone.mean(axis=0)
    for corner, following in zip(zone, np.roll(zone, -1, axis=0), strict=True):
        side = following - corner
        if not side.any():
            continue
        inward = np.array([-side[1], side[0]])
        inward = inward if inward @ (middle - corner) >= 0 else -inward
        above, speed = float(inward @ (start - corner)), float(inward @ way)
        if abs(speed) < 1e-12:
            if above < -1e-6:
                return 1.0, 0.0
        elif speed > 0:
            begin = max(begin, -above / speed)
        else:
            end = min(end, -above / speed)
    return begin, end


def _swept_gap(mover: Bases, first: Array, last: Array, others: Bases) -> float:
    """The least gap between others and what a base covers between two shifts."""
    if not mover.is_rect[0]:
        spot = mover.centre
        gaps = to_segments(others, spot + first, spot + last)[:, 0] - mover.radius[0]
        return max(float(gaps.min()), 0.0)
    corners = mover.corners()[0]
    here, there, after = corners + first, corners + last, np.roll(corners, -1, axis=0)
    starts = np.concatenate([here, here, there])
    ends = np.concatenate([there, after + first, after + last])
    swept = [np.array([here[n], here[n - 1], there[n - 1], there[n]]) for n in range(4)]
    wide = [one for one in swept if abs(area_of(one)) > 1e-9]  # a side that goes along itself covers nothing
    over = any(in_convex(others.centre, shape).any() for shape in (here, there, *wide))
    return 0.0 if over else float(to_segments(others, starts, ends).min())
