"""The cheapest ways over ground of differing price, round what blocks; approximate, with a bound, then refined.

Ways run between points laid along the sides of the pieces, ``spacing_mm`` apart, their corners, and points round
the obstacles' ends; the price of each straight leg between two of them is exact. So a way's cost is never less than
the least there is, and exceeds it by no more than ``spacing_mm`` times the sum of the rates (1 / factor) at its
crossings: each crossing of the best way lies within half a spacing of such a point, and shifting it there lengthens
the two legs that end in it by at most that each. That holds where the pieces are convex; round ends are passed on a
polygon about them, whose way is at most 0.9 % longer than the arc. The way that is found is then refined: its
crossings slide along the sides until the law of refraction (Snell's) holds at each, exactly for that sequence of
sides. `engine.geometry.reach.detours` is exact where all ground costs the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.plane.distinct import distinct, distinct_rows
from engine.geometry.plane.lines import points_to_segments
from engine.geometry.reach.detours import Obstacles, clear
from engine.geometry.reach.going import Ground, Walk, cuts_of, walk, walked
from engine.geometry.reach.stars import Lookout, seen_from

__all__ = ["Route", "cheapest", "graded_region", "no_price"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

_ROUND_RAD = np.radians(15.0)
_SLIVER_MM = 1e-6


@dataclass(frozen=True, eq=False)
class Route:
    """A way as a polyline (k, 2), what is left of the allowance at each of its points (k,), and its cost in mm."""

    points: Array
    left_mm: Array
    cost_mm: float


@dataclass(frozen=True, eq=False)
class _Search:
    """Points (n, 2), what is left at each (below 0: not reached), the point before each, settled in order."""

    points: Array
    left: Array
    before: Index
    settled: list[int]


def no_price(ground: Ground) -> bool:
    """Whether ground costs the same everywhere and for nothing, so that exact detours will do.

    >>> from engine.geometry.reach.going import OPEN
    >>> no_price(OPEN)
    True
    """
    return all(
        (going.factor in (None, 1.0)) and going.crossing_mm == 0 and going.keeps == 1 and not going.barred
        for going in ground.goings
    )


def cheapest(
    start: Array, goal: Array, ground: Ground, obstacles: Obstacles, allowance_mm: float, spacing_mm: float = 10.0
) -> Route | None:
    """The cheapest way of a point from (2,) to (2,), within an allowance; None where there is none.

    >>> from engine.geometry.reach.going import OPEN
    >>> nothing = Obstacles(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))
    >>> cheapest(np.zeros(2), np.array([30.0, 40.0]), OPEN, nothing, 60.0).cost_mm
    50.0
    """
    search = _search(start, goal, ground, obstacles, allowance_mm, spacing_mm)
    if search.left[1] < 0:
        return None
    chain = [1]
    while chain[-1] != 0:
        chain.append(int(search.before[chain[-1]]))
    points = search.points[chain[::-1]]
    route = _priced(points, ground, allowance_mm)
    better = _priced(_refracted(points, ground), ground, allowance_mm)
    open_way = bool(clear(obstacles, better.points[:-1], better.points[1:]).all())
    return better if open_way and better.left_mm[-1] > route.left_mm[-1] else route


def _priced(points: Array, ground: Ground, allowance_mm: float) -> Route:
    left, _, _ = walk(ground, points, allowance_mm)
    left = np.concatenate([[allowance_mm], left])
    return Route(points, left, allowance_mm - float(left[-1]))


def graded_region(
    start: Array, ground: Ground, obstacles: Obstacles, allowance_mm: float, spacing_mm: float = 20.0
) -> BaseGeometry:
    """The places that a point from (2,) gets to within an allowance; each surely, all to within the bound."""
    search = _search(start, None, ground, obstacles, allowance_mm, spacing_mm)
    eased = obstacles.eased(start[None])
    nodes = np.array(search.settled, dtype=np.intp)
    nodes = nodes[search.left[nodes] > 0.5]
    thin = np.maximum(eased.radius - 0.002, 0.0)
    lookout = Lookout(search.points[nodes], search.left[nodes], eased.start, eased.end, thin, ground)
    seen = seen_from([lookout])[0]
    return shapely.union_all(shapely.make_valid(seen))


def _search(
    start: Array, goal: Array | None, ground: Ground, obstacles: Obstacles, allowance: float, spacing: float
) -> _Search:
    """Dijkstra's search for the most that can be left, legs priced as they are looked at."""
    ends = np.stack([start, start if goal is None else goal])
    obstacles = obstacles.eased(ends[:1] if goal is None else ends)
    far = allowance * ground.fastest
    ground = ground.near(start[None], far)
    points = np.concatenate([ends, _along(ground, spacing), _round(obstacles)])
    near = np.hypot(*(points - start).T) <= far + _SLIVER_MM
    near &= obstacles.on_table(points)
    near[:2] = True, goal is not None
    points = points[near] if goal is not None else np.concatenate([points[:1], points[near][1:]])
    left, before = np.full(len(points), -1.0), np.full(len(points), -1, dtype=np.intp)
    inside = np.zeros((len(points), len(ground)), dtype=bool)
    left[0], inside[:1] = allowance, ground.inside(points[:1])
    waiting, settled = np.ones(len(points), dtype=bool), []
    while (open_left := np.where(waiting, left, -1.0)).max(initial=-1.0) >= 0:
        here = int(open_left.argmax())
        waiting[here] = False
        settled.append(here)
        if goal is not None and here == 1:
            break
        to = np.flatnonzero(waiting & (np.hypot(*(points - points[here]).T) <= left[here] * ground.fastest + 1e-6))
        to = to[clear(obstacles, np.broadcast_to(points[here], (len(to), 2)), points[to])]
        step = _step(ground, points[here], points[to], float(left[here]), inside[here])
        better = step.left_mm > left[to] + 1e-9
        left[to[better]], before[to[better]] = step.left_mm[better], here
        inside[to[better]] = step.inside[better]
    return _Search(points, left, before, settled)


def _step(ground: Ground, start: Array, ends: Array, left: float, inside: Mask) -> Walk:
    count = len(ends)
    starts = np.broadcast_to(start, (count, 2))
    been = np.broadcast_to(inside, (count, len(inside)))
    return walked(ground, starts, ends, np.full(count, left), been)


def _along(ground: Ground, spacing: float) -> Array:
    """Points along the sides of pieces that have a price, corners among them."""
    priced = np.array(
        [not no_price(Ground(ground.start, ground.end, ground.piece, (g,))) for g in ground.goings], bool
    )
    spots = [np.zeros((0, 2))]
    for side in np.flatnonzero(priced[ground.piece] if len(ground) else np.zeros(0, dtype=bool)).tolist():
        along = ground.end[side] - ground.start[side]
        parts = max(1, int(np.ceil(np.hypot(*along) / spacing)))
        spots.append(ground.start[side] + (np.arange(parts) / parts)[:, None] * along)
    return np.concatenate(spots)


def _round(obstacles: Obstacles) -> Array:
    """Points about the round ends of obstacles, far enough out for the lines between them to keep clear."""
    if not len(obstacles):
        return np.zeros((0, 2))
    bearing = np.arange(0.0, 2 * np.pi, _ROUND_RAD)
    rim = np.stack([np.sin(bearing), np.cos(bearing)], axis=-1) / np.cos(_ROUND_RAD / 2)
    ends = distinct_rows(np.concatenate([obstacles.start, obstacles.end]).round(9))
    radius = np.zeros(len(ends))
    for points in (obstacles.start, obstacles.end):
        gap = np.hypot(*(ends[:, None] - points[None]).transpose(2, 0, 1))
        radius = np.maximum(radius, np.where(gap < 1e-6, obstacles.radius[None], 0.0).max(axis=1))
    spots = (ends[:, None] + radius[:, None, None] * rim).reshape(-1, 2)
    free = (points_to_segments(spots, obstacles.start, obstacles.end) >= obstacles.radius - 1e-6).all(axis=1)
    return distinct_rows(spots[free].round(9))


def _refracted(points: Array, ground: Ground) -> Array:
    """The polyline with its crossings of sides where the speed changes moved along them to cost the least."""
    spots, sides = _crossings(points, ground)
    if not (sides >= 0).any():
        return points
    rates = 1.0 / ground.speeds((spots[:-1] + spots[1:]) / 2, np.diff(spots, axis=0))
    origin = np.where((sides >= 0)[:, None], ground.start[sides], spots)
    along = np.where((sides >= 0)[:, None], ground.end[sides] - ground.start[sides], 0.0)
    free = np.flatnonzero(sides >= 0)
    share = ((spots - origin) * along).sum(axis=1)[free] / (along[free] ** 2).sum(axis=1)

    def cost(shares: Array) -> tuple[float, Array]:
        places = origin.copy()
        places[free] += shares[:, None] * along[free]
        legs = np.diff(places, axis=0)
        lengths = np.maximum(np.hypot(legs[:, 0], legs[:, 1]), 1e-12)
        pull = rates[:, None] * legs / lengths[:, None]
        slope = np.zeros_like(places)
        slope[1:] += pull
        slope[:-1] -= pull
        return float(rates @ lengths), (slope[free] * along[free]).sum(axis=1)

    bounds = [(0.0, 1.0)] * len(free)
    from scipy.optimize import minimize  # here, for it takes a quarter of a second to load

    found = minimize(
        cost, np.clip(share, 0, 1), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"ftol": 1e-15, "gtol": 1e-11, "maxiter": 500},
    )  # fmt: skip
    spots = spots.copy()
    spots[free] = origin[free] + np.asarray(found.x)[:, None] * along[free]
    return spots


def _crossings(points: Array, ground: Ground) -> tuple[Array, Index]:
    """The polyline with a point at each crossing where the speed changes, and each point's side (-1: none)."""
    spots, sides = [points[0]], [-1]
    for start, end in pairwise(points):
        shares = distinct(cuts_of(ground, start[None], end[None])[0]) if len(ground) else np.array([0.0, 1.0])
        middles = start + ((shares[:-1] + shares[1:]) / 2)[:, None] * (end - start)
        speed = ground.speeds(middles, np.broadcast_to(end - start, middles.shape))
        for share, one, other in zip(shares[1:-1].tolist(), speed[:-1], speed[1:], strict=True):
            if one != other:
                spots.append(start + share * (end - start))
                sides.append(_side_at(ground, spots[-1]))
        spots.append(end)
        sides.append(_side_at(ground, end))
    sides[-1] = -1
    return np.array(spots), np.array(sides, dtype=np.intp)


def _side_at(ground: Ground, point: Array) -> int:
    """The side of a piece with a speed of its own that a point lies on, off its corners, or -1."""
    if not len(ground):
        return -1
    speedy = np.array([going.factor is not None for going in ground.goings])[ground.piece]
    gap = np.where(speedy, points_to_segments(point[None], ground.start, ground.end)[0], np.inf)
    side = int(gap.argmin())
    corner = min(np.hypot(*(ground.start[side] - point)), np.hypot(*(ground.end[side] - point)))
    return side if gap[side] < 1e-6 and corner > 1e-6 else -1
