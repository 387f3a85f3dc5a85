"""Shortest ways round obstacles where every millimetre costs the same: exact tangents and arcs.

Obstacles are rounded segments: those that a disc's centre must keep out of, or the forbidden shifts of a rigid body
(`engine.geometry.reach.straight.Sums`). A shortest way is made of straight lines that touch the round ends, and of
arcs along them; all such tangents that are clear, and the arcs between them, make a graph, and the shortest way in
it is the shortest of all. Touching is allowed; 0.001 mm of overlap is forgiven, as everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.plane.directions import Vector
from engine.geometry.plane.distinct import distinct, distinct_rows
from engine.geometry.plane.lines import points_to_segments
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach.wheels import orbit_events

__all__ = ["Net", "Obstacles", "Stretch", "clear", "corners_round", "net_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: Where the graph's nodes stand on arcs besides tangents, so that regions drawn from them leave no gaps.
_ARC_STEP_RAD = np.radians(30.0)


@dataclass(frozen=True, eq=False)
class Obstacles:
    """Rounded segments (k, 2)-(k, 2) with ``radius`` (k,) that a point must keep out of; ``bounds`` (2, 2), lowest
    and highest x and y, that it must stay within, or None."""

    start: Array
    end: Array
    radius: Array
    bounds: Array | None = None

    def __len__(self) -> int:
        return len(self.radius)

    def eased(self, points: Array) -> Obstacles:
        """The same, thinned where one of points (n, 2) lies in it, so that these just touch it."""
        if not len(self) or not len(points):
            return self
        nearest = points_to_segments(points, self.start, self.end).min(axis=0)
        radius = np.minimum(self.radius, nearest)
        kept = (nearest > MM) | (self.radius <= MM)
        return Obstacles(self.start[kept], self.end[kept], radius[kept], self.bounds)

    def kept_out(self, points: Array) -> Mask:
        """(n,) whether points (n, 2) lie in no obstacle, but for 0.001 mm, and within the bounds."""
        apart = (points_to_segments(points, self.start, self.end) >= self.radius - MM).all(axis=1)
        free: Mask = np.asarray(apart & self.on_table(points), dtype=bool)
        return free

    def on_table(self, points: Array) -> Mask:
        """(n,) whether points (n, 2) lie within the bounds."""
        if self.bounds is None:
            return np.ones(len(points), dtype=bool)
        within: Mask = np.asarray(
            ((points >= self.bounds[0] - MM) & (points <= self.bounds[1] + MM)).all(axis=1), dtype=bool
        )
        return within


@dataclass(frozen=True)
class Stretch:
    """A straight line, or an arc about ``centre`` of ``turn_rad`` (positive clockwise)."""

    start: tuple[float, float]
    end: tuple[float, float]
    length_mm: float
    centre: tuple[float, float] | None = None
    turn_rad: float = 0.0


def clear(obstacles: Obstacles, starts: Array, ends: Array) -> Mask:
    """(m,) whether lines (m, 2)-(m, 2) keep out of all obstacles; touching is allowed.

    >>> post = Obstacles(np.array([[0.0, 50.0]]), np.array([[0.0, 50.0]]), np.array([10.0]))
    >>> clear(post, np.array([[0.0, 0.0], [10.0, 0.0]]), np.array([[0.0, 90.0], [10.0, 90.0]])).tolist()
    [False, True]
    """
    if not len(obstacles) or not len(starts):
        return np.ones(len(starts), dtype=bool)
    gap = _between(starts, ends, obstacles.start, obstacles.end)
    apart = (gap >= np.maximum(obstacles.radius - MM, 0.0)).all(axis=1)
    free: Mask = np.asarray(apart & _uncrossed(obstacles, starts, ends), dtype=bool)
    return free


def _uncrossed(obstacles: Obstacles, starts: Array, ends: Array) -> Mask:
    """(m,) whether lines cross no segment of no rounding; touching its ends or running along it is no crossing."""
    bare = obstacles.radius <= MM
    if not bare.any():
        return np.ones(len(starts), dtype=bool)
    crossed = _proper(starts, ends, obstacles.start[bare], obstacles.end[bare])
    free: Mask = np.asarray(~crossed.any(axis=1), dtype=bool)
    return free


def _proper(starts: Array, ends: Array, others: Array, other_ends: Array) -> Mask:
    a, b, c, d = starts[:, None], ends[:, None], others[None], other_ends[None]
    long = np.hypot(*(b - a).transpose(2, 0, 1)) + 1e-12
    wide = np.hypot(*(d - c).transpose(2, 0, 1)) + 1e-12
    first, second = _cross(b - a, c - a) / long, _cross(b - a, d - a) / long
    third, fourth = _cross(d - c, a - c) / wide, _cross(d - c, b - c) / wide
    slack = 1e-9
    apart = (first > slack) & (second < -slack) | (first < -slack) & (second > slack)
    beyond = (third > slack) & (fourth < -slack) | (third < -slack) & (fourth > slack)
    crossed: Mask = apart & beyond
    return crossed


def _cross(one: Array, other: Array) -> Array:
    product: Array = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return product


def _between(starts: Array, ends: Array, others: Array, other_ends: Array) -> Array:
    """(m, k) the distances between segments."""
    gap = np.minimum(points_to_segments(starts, others, other_ends), points_to_segments(ends, others, other_ends))
    back = np.minimum(points_to_segments(others, starts, ends), points_to_segments(other_ends, starts, ends)).T
    return np.where(_proper(starts, ends, others, other_ends), 0.0, np.minimum(gap, back))


@dataclass(frozen=True, eq=False)
class Net:
    """Points (n, 2) and the shortest ways to them from the sources, which come first, then the goals.

    ``distance_mm`` (n,) is infinite where there is no way; ``before`` (n,) the point before each on its way, or -1.
    ``circle`` (n,) is the round end of an obstacle that a point stands on (-1: none), ``ccw`` (n,) whether one goes
    about it counter-clockwise there; ``centres`` and ``radii`` are those of the circles.
    """

    points: Array
    distance_mm: Array
    before: Index
    circle: Index
    ccw: Mask
    centres: Array = field(repr=False)
    radii: Array = field(repr=False)
    sources: int = 0

    def way(self, goal: int = 0) -> tuple[Stretch, ...]:
        """The way to a goal, stretch by stretch; () where there is none, or none is needed."""
        at, found = self.sources + goal, []
        if not np.isfinite(self.distance_mm[at]):
            return ()
        while self.before[at] >= 0:
            earlier = int(self.before[at])
            found.append(self._stretch(earlier, at))
            at = earlier
        return _merged([stretch for stretch in reversed(found) if stretch.length_mm > MM / 100])

    def _stretch(self, start: int, end: int) -> Stretch:
        one, other = (tuple(float(v) for v in self.points[n]) for n in (start, end))
        length = float(self.distance_mm[end] - self.distance_mm[start])
        circle = int(self.circle[end])
        if circle < 0 or circle != self.circle[start] or self.radii[circle] <= 0:
            return Stretch(one, other, length)  # type: ignore[arg-type]
        turn = length / float(self.radii[circle]) * (-1.0 if self.ccw[end] else 1.0)
        x, y = (float(v) for v in self.centres[circle])
        return Stretch(one, other, length, (x, y), turn)  # type: ignore[arg-type]


def _merged(stretches: list[Stretch]) -> tuple[Stretch, ...]:
    """Arcs that go on about the same centre as one."""
    found: list[Stretch] = []
    for stretch in stretches:
        if found and stretch.centre is not None and found[-1].centre == stretch.centre:
            last = found.pop()
            length, turn = last.length_mm + stretch.length_mm, last.turn_rad + stretch.turn_rad
            found.append(Stretch(last.start, stretch.end, length, stretch.centre, turn))
        else:
            found.append(stretch)
    return tuple(found)


def net_of(sources: Array, goals: Array, obstacles: Obstacles, reach_mm: float = np.inf, arcs: bool = False) -> Net:
    """The shortest ways from the nearest of sources (s, 2) to goals (g, 2) and to every point of tangency.

    ``reach_mm`` leaves out what is farther; ``arcs`` adds points along arcs.

    >>> post = Obstacles(np.array([[0.0, 50.0]]), np.array([[0.0, 50.0]]), np.array([30.0]))
    >>> net = net_of(np.array([[0.0, 0.0]]), np.array([[0.0, 100.0]]), post)
    >>> bool(np.isclose(net.distance_mm[1], 2 * 40 + 30 * (np.pi - 2 * np.arccos(30 / 50))))
    True
    """
    sources, goals = np.asarray(sources, dtype=float).reshape(-1, 2), np.asarray(goals, dtype=float).reshape(-1, 2)
    obstacles = obstacles.eased(np.concatenate([sources, goals]))
    ends = np.concatenate([sources, goals])
    corners = _corners(obstacles, sources, reach_mm)
    centres = np.concatenate([ends, corners[:, :2]])
    radii = np.concatenate([np.zeros(len(ends)), corners[:, 2]])
    tangents = _tangents(centres, radii, (len(sources), len(ends)), obstacles, reach_mm)
    return _graph(ends, len(sources), centres, radii, tangents, obstacles, arcs)


def corners_round(outlines: Sequence[Array], start: Vector, goal: Vector, half_mm: float) -> tuple[Vector, ...]:
    """The corners over which a body may go from ``start`` round outlines (k, 2) to ``goal``, the shortest first.

    They are those of what spans all outlines, so far out that a body whose figures stand up to ``half_mm`` from its
    middle keeps clear.

    >>> import numpy as np
    >>> house = np.array([(-10.0, 0.0), (30.0, 0.0), (30.0, 10.0), (-10.0, 10.0)])
    >>> [(round(x), round(y)) for x, y in corners_round([house], (0, -20), (0, 30), 5.0)][:2]
    [(-15, -5), (-15, 15)]
    """
    around = shapely.MultiPoint([tuple(corner) for outline in outlines for corner in outline]).convex_hull
    ring = shapely.get_coordinates(around.buffer(half_mm, join_style="mitre").exterior)[:-1]
    corners = [(float(x), float(y)) for x, y in ring]
    return tuple(
        sorted(corners, key=lambda corner: (round(math.dist(start, corner) + math.dist(corner, goal), 6), corner))
    )


def _corners(obstacles: Obstacles, sources: Array, reach_mm: float) -> Array:
    """(c, 3) the round ends to go about: centres and radii, each once."""
    if not len(obstacles):
        return np.zeros((0, 3))
    ends = np.concatenate([obstacles.start, obstacles.end])
    every = np.column_stack([ends, np.tile(obstacles.radius, 2)])
    near = np.hypot(*(ends[:, None] - sources[None]).transpose(2, 0, 1)).min(axis=1) - every[:, 2] <= reach_mm
    return distinct_rows(every[near].round(9))


@dataclass(frozen=True, eq=False)
class _Tangents:
    """Lines from circle to circle: their numbers, whether the circles lie to the left, and the touching points."""

    circles: Index  # (2, t)
    left: Mask  # (2, t)
    spots: Array  # (2, t, 2)


def _tangents(
    centres: Array, radii: Array, counts: tuple[int, int], obstacles: Obstacles, reach_mm: float
) -> _Tangents:
    """All clear ones; the first circles are the sources, which need none to one another, then the other ends."""
    sources, ends = counts
    first, second = np.triu_indices(len(centres), 1)
    concerned = second >= sources
    first, second = first[concerned], second[concerned]
    parts = []
    for a in (1.0, -1.0):
        for b in (1.0, -1.0):
            kept = np.flatnonzero(((a > 0) | (first >= ends)) & ((b > 0) | (second >= ends)))
            parts.append((first[kept], second[kept], np.full(len(kept), a), np.full(len(kept), b)))
    ones, others, a_senses, b_senses = (np.concatenate(column) for column in zip(*parts, strict=True))
    one, other, a_sense, b_sense, start, end = _lines(centres, radii, ones, others, a_senses, b_senses, reach_mm)
    free = clear(obstacles, start, end) & obstacles.on_table(start) & obstacles.on_table(end)
    return _Tangents(
        np.stack([one, other])[:, free], np.stack([a_sense, b_sense])[:, free] > 0, np.stack([start, end])[:, free]
    )


def _lines(
    centres: Array, radii: Array, one: Index, other: Index, a: Array, b: Array, reach_mm: float
) -> tuple[Index, Index, Array, Array, Array, Array]:
    to = centres[other] - centres[one]
    distance = np.hypot(to[:, 0], to[:, 1])
    ends = (radii[one] == 0) & (radii[other] == 0)  # a source may be a goal
    kept = (ends | (distance > 1e-9)) & (np.abs(b * radii[other] - a * radii[one]) <= distance)
    one, other, to, distance, a, b = one[kept], other[kept], to[kept], distance[kept], a[kept], b[kept]
    safe = np.where(distance > 0, distance, 1.0)
    ahead = to / safe[:, None]
    lean = (b * radii[other] - a * radii[one]) / safe
    rise = np.sqrt(np.maximum(1.0 - lean**2, 0.0))
    normal = lean[:, None] * ahead + rise[:, None] * np.stack([-ahead[:, 1], ahead[:, 0]], axis=-1)
    start = centres[one] - (a * radii[one])[:, None] * normal
    end = centres[other] - (b * radii[other])[:, None] * normal
    near = distance * rise <= reach_mm
    return one[near], other[near], a[near], b[near], start[near], end[near]


@dataclass(frozen=True, eq=False)
class _Stands:
    """Where one may stand on circles: ``circle`` (n,) and ``bearing`` (n,) in radians, by circle and rising;
    ``after`` (n,) the next on the same circle and ``gap`` (n,) how far round it is; ``place`` (2, t) which of them
    the ends of tangents are (-1: not on a circle)."""

    circle: Index
    bearing: Array
    after: Index
    gap: Array
    place: Index


def _stands(
    centres: Array, radii: Array, ends: int, tangents: _Tangents, obstacles: Obstacles, arcs: bool
) -> _Stands:
    on = tangents.circles >= ends
    to = tangents.spots[on] - centres[tangents.circles[on]]
    circle, bearing = [tangents.circles[on]], [np.arctan2(to[:, 0], to[:, 1])]
    used = distinct(circle[0])
    used = used[radii[used] > 0]
    for which, breaks in (_breaks(used, centres, radii, obstacles), _steps(used if arcs else used[:0])):
        circle.append(which)
        bearing.append(breaks)
    every, angle = np.concatenate(circle), np.concatenate(bearing) % (2 * np.pi)
    order = np.lexsort((angle, every))
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    every, angle = every[order], angle[order]
    after = np.arange(1, len(order) + 1)
    last = np.flatnonzero(np.diff(every, append=-1))
    after[last] = np.append(0, last[:-1] + 1)[: len(last)]
    gap = angle[after] - angle
    gap[last] += 2 * np.pi
    place = np.full(tangents.circles.shape, -1, dtype=np.intp)
    place[on] = rank[: len(to)]
    return _Stands(every, angle, after, gap, place)


def _graph(
    ends: Array, sources: int, centres: Array, radii: Array, tangents: _Tangents, obstacles: Obstacles, arcs: bool
) -> Net:
    """Nodes and edges, walked from the sources.

    The nodes are the ends, then the stands on circles twice: for going about them clockwise and the other way.
    """
    stands = _stands(centres, radii, len(ends), tangents, obstacles, arcs)
    count, here, after = len(stands.circle), np.arange(len(stands.circle)), stands.after
    rim, middle = (
        centres[stands.circle] + radii[stands.circle, None] * np.stack([np.sin(angle), np.cos(angle)], axis=-1)
        for angle in (stands.bearing, stands.bearing + stands.gap / 2)
    )
    free = obstacles.kept_out(middle)
    arc = (radii[stands.circle] * stands.gap)[free]
    clockwise, other_way = len(ends) + here, len(ends) + count + here
    begin, finish = [clockwise[free], len(ends) + count + after[free]], [len(ends) + after[free], other_way[free]]
    node = np.where(stands.place < 0, tangents.circles, len(ends) + stands.place)
    back_on = np.where(stands.place < 0, tangents.circles, len(ends) + count + stands.place)
    there, back = np.where(tangents.left, back_on, node), np.where(tangents.left, node, back_on)
    length = np.hypot(*(tangents.spots[1] - tangents.spots[0]).T)
    cost = np.concatenate([arc, arc, length, length]) + 1e-12  # a leg of no length is a leg all the same
    edges = np.concatenate([*begin, there[0], back[1]]), np.concatenate([*finish, there[1], back[0]])
    distance, before = _least(*edges, cost, len(ends) + 2 * count, sources)
    circle = np.concatenate([np.full(len(ends), -1), stands.circle, stands.circle])
    ccw = np.arange(len(circle)) >= len(ends) + count
    return Net(np.concatenate([ends, rim, rim]), distance, before, circle, ccw, centres, radii, sources)


def _least(begin: Index, finish: Index, cost: Array, count: int, sources: int) -> tuple[Array, Index]:
    """(count,) the least cost of nodes from any of the first ``sources``, and which node each is reached from.

    All edges are relaxed together until nothing improves (Bellman and Ford): ways have few legs, and a graph
    library would take longer to load than this takes for a whole army.
    """
    distance = np.where(np.arange(count) < sources, 0.0, np.inf)
    while True:
        through = distance[begin] + cost
        better = distance.copy()
        np.minimum.at(better, finish, through)
        if np.array_equal(better, distance):
            break
        distance = better
    before = np.full(count, -1, dtype=np.intp)
    tight = np.flatnonzero(np.isfinite(through) & (through == distance[finish]))[::-1]
    before[finish[tight]] = begin[tight]
    before[:sources] = -1
    return distance, before


def _steps(circles: Index) -> tuple[Index, Array]:
    """Bearings all round circles, for pictures."""
    steps = np.arange(0.0, 2 * np.pi, _ARC_STEP_RAD)
    return np.repeat(circles, len(steps)), np.tile(steps, len(circles))


def _breaks(circles: Index, centres: Array, radii: Array, obstacles: Obstacles) -> tuple[Index, Array]:
    """The bearings at which circles meet the rims of obstacles and the bounds, and of which circle each is."""
    start, end, rounding = obstacles.start, obstacles.end, obstacles.radius
    if obstacles.bounds is not None:
        (left, low), (right, high) = obstacles.bounds
        corners = np.array([[left, low], [right, low], [right, high], [left, high]])
        start, end = np.concatenate([start, corners]), np.concatenate([end, np.roll(corners, -1, axis=0)])
        rounding = np.append(rounding, np.zeros(4))
    near = points_to_segments(centres[circles], start, end) <= radii[circles, None] + rounding
    number, segment = np.nonzero(near)
    circle = circles[number]
    north = np.stack([np.zeros(len(circle)), radii[circle]], axis=-1)
    events = orbit_events(
        north, start[segment] - centres[circle], end[segment] - centres[circle], rounding[segment], 1.0
    )
    row, column = np.nonzero(np.isfinite(events))
    return circle[row], events[row, column]
