"""The slow, plain way of moving bodies: outlines as shapely objects, stepped along and looked at each time."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence

import numpy as np
import shapely
from shapely.affinity import rotate, translate

from engine.geometry.reach.blockers import Blockers
from engine.geometry.shapes.bases import Bases, bases_of
from engine.records.game import Base, Round

Point = tuple[float, float]
#: A base: where, which shape, which way.
Spec = tuple[Point, Base, float]


def together(specs: Sequence[Spec]) -> Bases:
    """The bases as the fast code has them."""
    return bases_of([s[0] for s in specs], [s[1] for s in specs], [s[2] for s in specs])


def core(spec: Spec) -> tuple[shapely.Geometry, float]:
    """A base as a point with a radius, or a polygon with none."""
    (x, y), shape, bearing = spec
    if isinstance(shape, Round):
        return shapely.Point(x, y), shape.diameter_mm / 2
    wide, deep = shape.width_mm / 2, shape.depth_mm / 2
    return rotate(shapely.box(x - wide, y - deep, x + wide, y + deep), -bearing, origin=(x, y)), 0.0


def pieces(blockers: Blockers) -> list[tuple[shapely.Geometry, float]]:
    """Each blocking segment as a line or a point, with its rounding."""
    return [
        (shapely.Point(a) if np.array_equal(a, b) else shapely.LineString([a, b]), float(r))
        for a, b, r in zip(blockers.start, blockers.end, blockers.rounding, strict=True)
    ]


def shift_to_contact(
    specs: Sequence[Spec], blockers: Blockers, direction: np.ndarray, most: float, slack_mm: float = 1e-3
) -> float:
    """How far the bases may go: the first root of each convex gap function, by ternary search and bisection.

    What is met by less than ``slack_mm`` only slides along.
    """
    return min(
        (
            _first_shift(geometry, piece, radius + rounding, direction, most, slack_mm)
            for geometry, radius in map(core, specs)
            for piece, rounding in pieces(blockers)
        ),
        default=math.inf,
    )


def _first_shift(
    geometry: shapely.Geometry,
    piece: shapely.Geometry,
    room: float,
    direction: np.ndarray,
    most: float,
    slack_mm: float,
) -> float:
    def gap(t: float, shape: shapely.Geometry = geometry) -> float:
        return float(translate(shape, t * direction[0], t * direction[1]).distance(piece)) - room

    low, high = 0.0, most
    for _ in range(120):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, other) if gap(one) <= gap(other) else (one, high)
    nearest = (low + high) / 2
    clear = room > 0 and gap(nearest) >= -slack_mm
    if clear or (room == 0 and gap(nearest) > 1e-9):
        return math.inf
    if room == 0:  # what only slides along a side is not stopped
        thin = geometry.buffer(-slack_mm, join_style="mitre")
        if min(gap(t, thin) for t in np.linspace(*_spell(gap, nearest, most), 41)) > 1e-9:
            return math.inf
    return bisected(gap, 0.0, nearest)


def _spell(gap: Callable[[float], float], met: float, most: float) -> tuple[float, float]:
    """From where to where a gap that is closed at ``met`` is closed."""
    return bisected(gap, 0.0, met), bisected(gap, most, met)


def bisected(gap: Callable[[float], float], clear: float, met: float) -> float:
    """Where a gap that is open at ``clear`` and closed at ``met`` closes."""
    if gap(clear) <= 1e-12:
        return clear
    for _ in range(80):
        middle = (clear + met) / 2
        clear, met = (middle, met) if gap(middle) > 1e-12 else (clear, middle)
    return (clear + met) / 2


def turned_gap(specs: Sequence[Spec], blockers: Blockers, pivot: Point, turn_rad: float) -> float:
    """The least gap after a clockwise turn about a point (a disc's overlap below 0, others' 0)."""
    best = math.inf
    for geometry, radius in map(core, specs):
        after = rotate(geometry, -turn_rad, origin=pivot, use_radians=True)
        for piece, rounding in pieces(blockers):
            best = min(best, float(after.distance(piece)) - radius - rounding)
    return best


def way_among_polygons(start: Point, goal: Point, closed: shapely.Geometry) -> float:
    """The length of the shortest way between two points that keeps out of polygons, over all their corners."""
    inner = shapely.buffer(closed, -1e-7)
    corners = shapely.get_coordinates(closed)
    spots = np.concatenate([[start, goal], corners])
    one, other = np.triu_indices(len(spots), 1)
    lines = shapely.linestrings(np.stack([spots[one], spots[other]], axis=1))
    free = ~shapely.intersects(lines, inner)
    neighbours: dict[int, list[tuple[float, int]]] = {n: [] for n in range(len(spots))}
    for a, b in zip(one[free].tolist(), other[free].tolist(), strict=True):
        length = math.dist(spots[a], spots[b])
        neighbours[a].append((length, b))
        neighbours[b].append((length, a))
    best, queue = {0: 0.0}, [(0.0, 0)]
    while queue:
        cost, at = heapq.heappop(queue)
        if at == 1:
            return cost
        for length, after in neighbours[at]:
            if cost + length < best.get(after, math.inf):
                best[after] = cost + length
                heapq.heappush(queue, (cost + length, after))
    return math.inf


def solids(blockers: Blockers) -> list[shapely.Geometry]:
    """Each blocker with all that its outline encloses."""
    found = []
    for number in sorted(set(blockers.shape.tolist())):
        mine = blockers.shape == number
        ring = blockers.start[mine]
        inner = shapely.Polygon(ring) if len(ring) > 2 else shapely.Point(ring[0])
        rounding = float(blockers.rounding[mine][0])
        found.append(inner.buffer(rounding, quad_segs=64) if rounding else inner)
    return found


def stands_on(specs: Sequence[Spec], blockers: Blockers, wider_mm: float) -> bool:
    """Whether any base, so much wider all round, lies on what a blocker encloses."""
    return any(
        geometry.distance(solid) < radius + wider_mm
        if radius
        else geometry.buffer(wider_mm, join_style="mitre").intersection(solid).area > 0
        for geometry, radius in map(core, specs)
        for solid in solids(blockers)
    )
