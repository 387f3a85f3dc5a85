"""The outline of a piece: straight edges fitted to where its colour ends, and the corners in which they meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.edges import Profiler
from vision.terrain.tops import steps_across, top_end

__all__ = ["Outline", "corners_of", "evenly", "fitted", "rounded", "traced"]

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

_SPACING = 1.0  # profiles along an outline, in units
_FIRST = (4.0, 2.5)  # how far edges are looked for at first, and from where on either side is pure, in units
_THEN = (2.5, 1.5)
_FIRST_TOLERANCE = 1.0
_LAST_TOLERANCE = 0.4
_CORNER = 1.3  # the picture rounds corners: nearer to one, in units, an edge tells nothing
_ROUNDS = 3
_FIRM = 0.5  # residuals beyond this many units count less and less
_LEAST_PROFILES = 4
_SHARP = np.sin(np.radians(10.0))
_FARTHEST = 4.0
_MEDIAN = 5
_RESTORED_AT = 1  # the round after which hidden corners are put back
_SURE_EDGE = 6.0  # units: shorter edges do not say where a hidden corner is
_MOST_RESTORED = 0.3  # of an outline's length
_FARTHEST_BACK = 0.12  # of an outline's length: how far from what hides it a corner may be
_TOP_LEFT = 2.0  # units: what must be left of a top beside a side of it
_LEAST_SIDE = 1.8  # units: narrower sides are not told from the edge's own blur
_SEEN_SIDE, _BROAD_SIDE = 0.3, 4.0  # units: of sides between, the top and the side are told together
_TOP_READ = 3.0  # units of a top beside its end
_STRIP = 14.0  # units: walls and fences are narrower
_LONG = 2.0  # breadths: so long is an edge of a strip's side
_MOST_AT_END = 4
_BACK = -0.97  # cosine between a strip's sides at its end
_MOST_GROUND = 0.4  # the share of ground in sight above which nothing hides a corner
_WITHIN = np.array([(1 - s) * np.array([1 - t, 0, t]) + s * np.array([0, 1, 0])
                    for s in (0.15, 0.35, 0.55, 0.75) for t in (0.1, 0.3, 0.5, 0.7, 0.9)])  # fmt: skip
_NEIGHBOURS = 9
_MOSTLY = 0.3


@dataclass(frozen=True, eq=False)
class Outline:
    """A polygon (N, 2) in frame px, the share of its length that is hidden, and the edge's stray (px) elsewhere.

    The stray is the standard deviation of where single profiles put the edge.
    """

    corners: Floats
    hidden: float
    stray_px: float


def traced(contour: Floats, breadth_px: float, profiler: Profiler) -> Floats:
    """A rough contour (N, 2) in frame px as a dense closed trace (M, 2) that lies on the edge.

    Where no edge can be told, the trace bridges from one side to the other along the contour.
    """
    unit = profiler.unit_px
    places = evenly(_smooth(contour, 2), _SPACING * unit)
    outward = _normals(places)
    crossing = profiler.across(places, outward, breadth_px, *_FIRST)
    shift = _bridged(crossing.shift_px, crossing.told)
    return places + outward * shift[:, None]


def rounded(contour: Floats, breadth_px: float, profiler: Profiler) -> Floats:
    """A contour (N, 2) in frame px as a dense closed trace (M, 2), where its cells tell it better than single
    profiles across it do; ``breadth_px`` says nothing then."""
    return evenly(_smooth(contour, 2), _SPACING * profiler.unit_px)


def fitted(
    trace: Floats, breadth_px: float, profiler: Profiler, lifted: Callable[[Floats], Floats] | None = None
) -> Outline | None:
    """The polygon of a closed trace (N, 2): a straight line through each edge as the frame shows it.

    For a block ``lifted`` says where its top is seen over places (N, 2) that show its foot: a side that is in the
    light of the top is told from it where the colour steps there.
    """
    unit = profiler.unit_px
    rough = corners_of(trace, _FIRST_TOLERANCE * unit)
    if len(rough) < 3:
        return None
    corners = trace[rough]
    for turn in range(_ROUNDS):
        edges = _settled(corners, breadth_px, profiler)
        corners = _restored(edges, profiler) if turn == _RESTORED_AT else edges.corners
        if lifted is not None and turn == _RESTORED_AT:
            corners = _without_sides(corners, breadth_px, profiler, lifted)
        corners = _simplified(_squared(corners, breadth_px, unit), _LAST_TOLERANCE * unit)
        if len(corners) < 3:
            return None
    if lifted is not None:
        corners = _on_top(corners, profiler, lifted)
    return Outline(corners, edges.hidden, edges.stray_px)


@dataclass(frozen=True, eq=False)
class _Edges:
    """The edges of a polygon (N, 2), each from its own corner to the next, as the frame shows them.

    Which of them were seen at all (N,), and the colours (N, 3) beyond; the hidden share of the whole, the stray.
    """

    corners: Floats
    seen: NDArray[np.bool_]
    beyond: NDArray[np.float32]
    hidden: float
    stray_px: float


def _settled(corners: Floats, breadth_px: float, profiler: Profiler) -> _Edges:
    """The edges of a polygon (N, 2) moved to where the frame shows them best."""
    unit = profiler.unit_px
    ahead = np.roll(corners, -1, axis=0) - corners
    length = np.maximum(np.linalg.norm(ahead, axis=1), 1e-9)
    along = ahead / length[:, None]
    outward = _turn(corners) * np.column_stack([along[:, 1], -along[:, 0]])
    margin = np.minimum(_CORNER * unit, 0.3 * length)
    counts = np.maximum((length - 2 * margin) / (_SPACING * unit), 1).astype(int) + 1
    edge = np.repeat(np.arange(len(corners)), counts)
    place = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts)
    s = margin[edge] + place * ((length - 2 * margin) / (counts - 1))[edge]
    points = corners[edge] + along[edge] * s[:, None]
    crossing = profiler.across(points, outward[edge], breadth_px, *_THEN)
    at = s - 0.5 * length[edge]
    level, slope, stray = _lines(edge, at, crossing.shift_px, crossing.told, len(corners), length, unit)
    seen = np.isfinite(level)
    level = np.nan_to_num(_followed(level))
    middle = corners + ahead / 2 + outward * level[:, None]
    direction = along + outward * slope[:, None]
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    settled = _crossings(middle, direction, corners, unit)
    weight = np.maximum(np.bincount(edge, crossing.told, len(corners)), 1.0)
    beyond = [np.bincount(edge, crossing.told * crossing.beyond[:, c], len(corners)) / weight for c in range(3)]
    return _Edges(settled, seen, np.column_stack(beyond).astype(np.float32), _hidden(crossing.told), stray)


def _restored(edges: _Edges, profiler: Profiler) -> Floats:
    """Corners (N, 2) with those put back that something hides: where the seen edges on either side of it meet.

    They are put back only where what lies between shows something else than the ground beyond those edges.
    """
    corners, count = edges.corners, len(edges.corners)
    length = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    sure = edges.seen & (length > _SURE_EDGE * profiler.unit_px)
    kept = np.ones(count, dtype=np.bool_)
    result = corners.copy()
    for first in np.flatnonzero(sure & ~np.roll(sure, -1)):
        last = next((first + k for k in range(2, count) if sure[(first + k) % count]), first)
        chain = np.arange(first + 1, last + 1) % count
        if last == first or length[chain[:-1]].sum() > _MOST_RESTORED * length.sum():
            continue
        meeting = _ahead(corners[first], corners[chain[0]], corners[chain[-1]], corners[(last + 1) % count])
        if (
            meeting is None
            or np.linalg.norm(corners[chain] - meeting, axis=1).max() > _FARTHEST_BACK * length.sum()
        ):
            continue
        inner = _WITHIN @ np.array([corners[chain[0]], meeting, corners[chain[-1]]])
        if profiler.shows(inner, edges.beyond[[first, last % count]]) > _MOST_GROUND:
            continue
        kept[chain[1:]] = False
        result[chain[0]] = meeting
    return result[kept]


def _squared(corners: Floats, breadth_px: float, unit: float) -> Floats:
    """Corners (N, 2) with the ends of strips square: an end is too short for its edge to tell its direction."""
    count = len(corners)
    ahead = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(ahead, axis=1)
    long = length > max(_LONG * breadth_px, _SURE_EDGE * unit)
    if breadth_px > _STRIP * unit or np.count_nonzero(long) < 2:
        return corners
    along = ahead / np.maximum(length, 1e-9)[:, None]
    result = [corners[:0]]
    edge = int(np.flatnonzero(long)[0])
    stop = edge + count
    while edge < stop:
        after = next(k for k in range(edge + 1, edge + count + 1) if long[k % count])
        chain = corners[np.arange(edge + 1, after + 1) % count]
        u, v = along[edge % count], along[after % count]
        if 1 < len(chain) <= _MOST_AT_END and float(u @ v) < _BACK:
            axis = (u - v) / np.linalg.norm(u - v)
            reach = (chain - chain[0]) @ axis
            end = float(reach.mean() if len(chain) == 2 else reach.max())
            chain = np.array([chain[0] + u * (end / (u @ axis)), chain[-1] + v * ((end - reach[-1]) / (v @ axis))])
        result.append(chain)
        edge = after
    return np.concatenate(result)


def _without_sides(
    corners: Floats, breadth_px: float, profiler: Profiler, lifted: Callable[[Floats], Floats]
) -> Floats:
    """Corners (N, 2) with each edge that is a block's foot moved up to its top, if the top's colour ends there."""
    unit = profiler.unit_px

    def level(edge: int, sides: _Sides) -> float:
        depth = float(sides.depth[edge])
        if depth < _LEAST_SIDE * unit or depth + _TOP_LEFT * unit > min(breadth_px, sides.breadth_at(edge)):
            return 0.0
        count = max(int(sides.length[edge] / unit) - 4, 3)
        return -depth if profiler.steps_within(*sides.places(edge, count), depth) else 0.0

    return _moved(corners, profiler, lifted, level)


def _on_top(corners: Floats, profiler: Profiler, lifted: Callable[[Floats], Floats]) -> Floats:
    """Corners (N, 2) with each edge beside which a narrow side is seen moved to where the top ends."""
    unit = profiler.unit_px

    def level(edge: int, sides: _Sides) -> float:
        depth = float(sides.depth[edge])
        if not _SEEN_SIDE * unit < depth < _BROAD_SIDE * unit:
            return 0.0
        inner = min(depth + _TOP_READ * unit, sides.breadth_at(edge) - _CORNER * unit)
        steps = steps_across(inner, depth)
        places, outward = sides.places(edge, max(int(sides.length[edge] / unit) - 4, 3))
        return top_end(np.median(profiler.read(places, outward, steps), axis=0), steps, depth)

    return _moved(corners, profiler, lifted, level)


@dataclass(frozen=True, eq=False)
class _Sides:
    """The edges of a polygon (N, 2), ``length`` px (N,) ``ahead`` (N, 2), and how broad the side of a block is seen
    beside each: ``depth`` px (N,), negative where it is hidden by the top."""

    corners: Floats
    ahead: Floats
    length: Floats
    outward: Floats
    depth: Floats

    def places(self, edge: int, count: int) -> tuple[Floats, Floats]:
        """Places (count, 2) along an edge but for its ends, and the normals (count, 2) outward there."""
        places = self.corners[edge] + self.ahead[edge] * np.linspace(0.15, 0.85, count)[:, None]
        return places, np.broadcast_to(self.outward[edge], places.shape)

    def breadth_at(self, edge: int) -> float:
        """How far, in px, the polygon reaches inward of the middle of an edge."""
        start, inward = self.corners[edge] + self.ahead[edge] / 2, -self.outward[edge]
        gap = self.corners - start
        turn = inward[0] * self.ahead[:, 1] - inward[1] * self.ahead[:, 0]
        turn = np.where(np.abs(turn) < 1e-9, 1e-9, turn)
        reach = (gap[:, 0] * self.ahead[:, 1] - gap[:, 1] * self.ahead[:, 0]) / turn
        share = (gap[:, 0] * inward[1] - gap[:, 1] * inward[0]) / turn
        met = (reach > 1e-6) & (share >= 0) & (share <= 1) & (np.arange(len(gap)) != edge)
        return float(reach[met].min(initial=np.inf))


def _moved(
    corners: Floats, profiler: Profiler, lifted: Callable[[Floats], Floats], level: Callable[[int, _Sides], float]
) -> Floats:
    """Corners (N, 2) with each edge that is long enough to be sure of moved outward by its ``level`` in px."""
    unit = profiler.unit_px
    ahead = np.roll(corners, -1, axis=0) - corners
    length = np.maximum(np.linalg.norm(ahead, axis=1), 1e-9)
    along = ahead / length[:, None]
    outward = _turn(corners) * np.column_stack([along[:, 1], -along[:, 0]])
    middle = corners + ahead / 2
    depth = np.einsum("nc,nc->n", middle - lifted(middle), outward)
    sides = _Sides(corners, ahead, length, outward, depth)
    levels = np.array([level(n, sides) if length[n] > _SURE_EDGE * unit else 0.0 for n in range(len(corners))])
    if not levels.any():
        return corners
    by = outward * levels[:, None]
    return _crossings(middle + by, along, corners + by + np.roll(by, 1, axis=0), unit)


def _ahead(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats | None:
    """Where the line from ``a`` past ``b`` meets that from ``d`` past ``c``; None unless it does so beyond both."""
    u, v, gap = b - a, c - d, c - b
    across = u[0] * v[1] - u[1] * v[0]
    if abs(across) < np.sin(np.radians(15.0)) * np.hypot(*u) * np.hypot(*v):
        return None
    on_u = (gap[0] * v[1] - gap[1] * v[0]) / across
    on_v = (gap[0] * u[1] - gap[1] * u[0]) / across
    return np.asarray(b + u * on_u) if on_u > 0 and on_v > 0 else None


def _hidden(told: NDArray[np.bool_]) -> float:
    """The share of an outline's profiles that do not tell, nor do most of their neighbours: lone ones are noise."""
    side = min(_NEIGHBOURS // 2, len(told) - 1)
    wide = np.concatenate([told[len(told) - side :], told, told[:side]]).astype(np.float64)
    near = np.convolve(wide, np.full(2 * side + 1, 1.0 / (2 * side + 1)), mode="valid")
    return float((near < _MOSTLY).mean())


def _lines(
    edge: Indices, at: Floats, shift: Floats, told: NDArray[np.bool_], count: int, length: Floats, unit: float
) -> tuple[Floats, Floats, float]:
    """For each edge the line ``level + slope * at`` through its shifts, and the stray; NaN where none tells."""
    weight = told.astype(np.float64)
    level, slope = np.full(count, np.nan), np.zeros(count)
    rest = shift
    for _ in range(4):
        w, wx, wy, wxx, wxy = (
            np.bincount(edge, v, count)
            for v in (weight, weight * at, weight * shift, weight * at * at, weight * at * shift)
        )
        enough = np.bincount(edge, told, count) >= np.minimum(
            _LEAST_PROFILES, 0.5 * np.bincount(edge, minlength=count)
        )
        enough &= w > 1e-6
        safe = np.maximum(w, 1e-9)
        spread = wxx - wx * wx / safe
        tilt = (wxy - wx * wy / safe) / (spread + 0.02 * safe * np.maximum(length, 4 * unit) ** 2 / 12)
        level = np.where(enough, (wy - tilt * wx) / safe, np.nan)
        slope = np.where(enough, tilt, 0.0)
        rest = np.where(told & enough[edge], shift - np.nan_to_num(level)[edge] - slope[edge] * at, 0.0)
        weight = told / (1.0 + (rest / (_FIRM * unit)) ** 2)
    sure = told & np.isfinite(level)[edge]
    return level, slope, float(np.sqrt(np.mean(rest[sure] ** 2))) if sure.any() else 0.0


def _followed(level: Floats) -> Floats:
    """Levels of edges; those untold follow the mean of their told neighbours by half, being bridged anyway."""
    before, after = np.roll(level, 1), np.roll(level, -1)
    near = np.where(np.isnan(before), after, np.where(np.isnan(after), before, (before + after) / 2))
    return np.asarray(np.where(np.isnan(level), 0.5 * near, level))


def _crossings(middle: Floats, direction: Floats, rough: Floats, unit: float) -> Floats:
    """Where each edge's line meets the one before it; halfway between both where they hardly turn."""
    p, u = np.roll(middle, 1, axis=0), np.roll(direction, 1, axis=0)
    q, v = middle, direction
    across = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    gap = q - p
    reach = (gap[:, 0] * v[:, 1] - gap[:, 1] * v[:, 0]) / np.where(np.abs(across) < 1e-9, 1e-9, across)
    meeting = p + u * reach[:, None]
    on_p = p + u * np.einsum("nc,nc->n", rough - p, u)[:, None]
    on_q = q + v * np.einsum("nc,nc->n", rough - q, v)[:, None]
    sharp = (np.abs(across) > _SHARP) & (np.linalg.norm(meeting - rough, axis=1) < _FARTHEST * unit)
    return np.where(sharp[:, None], meeting, (on_p + on_q) / 2)


def corners_of(trace: Floats, tolerance_px: float) -> Indices:
    """Which points of a closed trace (N, 2) are the corners of a polygon within ``tolerance_px`` of it."""
    scaled = np.rint(trace * 64).astype(np.int32)
    simple = cv2.approxPolyDP(scaled[:, None], tolerance_px * 64, True)[:, 0]
    where = {(x, y): i for i, (x, y) in enumerate(scaled.tolist())}
    return np.array(sorted(where[x, y] for x, y in simple.tolist()), dtype=np.int64)


def _simplified(corners: Floats, tolerance_px: float) -> Floats:
    simple = cv2.approxPolyDP(corners.astype(np.float32)[:, None], tolerance_px, True)[:, 0]
    return np.asarray(simple, dtype=np.float64)


def evenly(closed: Floats, spacing_px: float) -> Floats:
    """Points (M, 2) about so far apart on a closed line (N, 2)."""
    ring = np.concatenate([closed, closed[:1]])
    far = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(ring, axis=0), axis=1))])
    count = max(int(far[-1] / spacing_px), 8)
    at = np.arange(count) * far[-1] / count
    return np.column_stack([np.interp(at, far, ring[:, axis]) for axis in (0, 1)])


def _smooth(closed: Floats, times: int) -> Floats:
    for _ in range(times):
        closed = (np.roll(closed, 1, axis=0) + 2 * closed + np.roll(closed, -1, axis=0)) / 4
    return closed


def _normals(places: Floats) -> Floats:
    ahead = _smooth(np.roll(places, -1, axis=0) - np.roll(places, 1, axis=0), 2)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    return _turn(places) * np.column_stack([ahead[:, 1], -ahead[:, 0]])


def _turn(closed: Floats) -> float:
    """1 where a closed line runs so that its right hand (in px, y down) is outward, else -1."""
    x, y = closed[:, 0], closed[:, 1]
    return float(np.sign(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) or 1.0)


def _bridged(shift: Floats, told: NDArray[np.bool_]) -> Floats:
    """Shifts along a closed line, the untold between their told neighbours, and lone strays evened out."""
    if not told.any():
        return np.zeros(len(shift))
    at = np.flatnonzero(told)
    whole = np.interp(np.arange(len(shift)), at, shift[at], period=len(shift))
    side = _MEDIAN // 2
    wide = np.concatenate([whole[-side:], whole, whole[:side]])
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(wide, _MEDIAN), axis=1))
