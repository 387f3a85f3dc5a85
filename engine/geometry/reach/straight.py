"""Rigid bodies that shift without turning: what they meet first in a direction, and where.

For every base and every segment in the way, the shifts at which they overlap are a convex set: the segment
thickened by the base (a Minkowski sum), bounded by a few rounded segments. A straight move is a ray from the
origin among these sets, so the first contact has a closed form.

A body may touch and slide along what blocks it. Only an overlap deeper than 0.001 mm counts as crossing. Where a
base overlaps a blocker at the start (measured figures do, by fractions of a millimetre), it may not go deeper: it
is held as if it were just so small as to touch. A shape that holds a base's centre does not hold that base back.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.reach.blockers import Blockers
from engine.geometry.tolerance import MM

__all__ = [
    "Contact", "Sums", "box_distance", "contacts", "core_distances", "each_to_segment", "first_contact", "local",
    "paired_rays", "rays_to", "scale_to_meet", "sums_of", "to_discs", "to_segments", "to_strips",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sums:
    """Sets of forbidden shifts: segments (k, 2)-(k, 2) rounded by ``radius`` (k,) and, for the decision whether one
    is crossed, the same 0.001 mm thinner; ``pair`` (k,) tells to which pair each belongs.

    ``base`` and ``shape`` (p,) say which base and which blocker a pair is of.
    """

    start: Array
    end: Array
    radius: Array
    thin_start: Array
    thin_end: Array
    thin_radius: Array
    pair: Index
    base: Index
    shape: Index

    def __len__(self) -> int:
        return len(self.radius)

    def within(self, reach_mm: float, ahead: Array | None = None) -> Sums:
        """Those that come within a distance of the origin, and not wholly behind it as one looks along a unit
        vector ``ahead`` (2,); all pairs stay."""
        gap = to_segments(np.zeros((1, 2)), self.start, self.end)[0] - self.radius
        met = gap <= reach_mm + MM
        if ahead is not None:
            met &= np.maximum(self.start @ ahead, self.end @ ahead) + self.radius > 0
        return self if met.all() else self._pick(met)

    def _pick(self, which: Mask) -> Sums:
        return Sums(
            self.start[which], self.end[which], self.radius[which], self.thin_start[which], self.thin_end[which],
            self.thin_radius[which], self.pair[which], self.base, self.shape,
        )  # fmt: skip


_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def each_to_segment(points: Array, start: Array, end: Array) -> Array:
    """(k,) the distance of each point (k, 2) from its own segment."""
    along, to = end - start, points - start
    squared = (along**2).sum(axis=-1)
    share = np.clip((to * along).sum(axis=-1) / np.where(squared > 0, squared, 1.0), 0.0, 1.0)
    away = to - share[..., None] * along
    distance: Array = np.hypot(away[..., 0], away[..., 1])
    return distance


def to_segments(points: Array, start: Array, end: Array) -> Array:
    """(n, k) the distances from points (n, 2) to segments (k, 2)-(k, 2), which may have no length."""
    along = end - start
    squared = (along**2).sum(axis=-1)
    to = points[:, None] - start[None]
    share = np.clip((to * along).sum(axis=-1) / np.where(squared > 0, squared, 1.0), 0.0, 1.0)
    away = to - share[..., None] * along
    distance: Array = np.hypot(away[..., 0], away[..., 1])
    return distance


def core_distances(bases: Bases, blockers: Blockers) -> Array:
    """(n, k) from each round base's centre or each rectangle to each segment; 0 where they meet."""
    distance = to_segments(bases.centre, blockers.start, blockers.end)
    for index in np.flatnonzero(bases.is_rect).tolist():
        one = bases.pick([index])
        start, end = local(one, blockers.start), local(one, blockers.end)
        distance[index] = box_distance(one.half[0], start, end)
    return distance


def local(base: Bases, points: Array) -> Array:
    """Points (k, 2) as a single base sees them: x to its right, y ahead."""
    to, angle = points - base.centre[0], base.bearing_rad[0]
    sin, cos = np.sin(angle), np.cos(angle)
    return np.stack([to[:, 0] * cos - to[:, 1] * sin, to[:, 0] * sin + to[:, 1] * cos], axis=-1)


def box_distance(half: Array, start: Array, end: Array) -> Array:
    """(k,) the distances from segments to the box of half sizes (2,) or (k, 2) round the origin; 0 on meeting."""
    half = np.broadcast_to(half, start.shape)
    from_corners = np.full(len(start), np.inf)
    for sign in _CORNERS:
        corner = sign * half
        np.minimum(from_corners, each_to_segment(corner, start, end), out=from_corners)
    ends = [np.hypot(*np.maximum(np.abs(point) - half, 0.0).T) for point in (start, end)]
    distance = np.minimum(from_corners, np.minimum(ends[0], ends[1]))
    return np.where(scale_to_meet(half, start, end) <= 1.0, 0.0, distance)


def scale_to_meet(half: Array, start: Array, end: Array) -> Array:
    """(k,) by how much the box must be scaled to touch each segment: below 1 where they overlap."""
    a, along = start / half, (end - start) / half
    shares = [np.zeros(len(a)), np.ones(len(a))]
    for top, bottom in (
        (a[:, 0], along[:, 0]), (a[:, 1], along[:, 1]),
        (a[:, 0] - a[:, 1], along[:, 0] - along[:, 1]), (a[:, 0] + a[:, 1], along[:, 0] + along[:, 1]),
    ):  # fmt: skip
        safe = np.where(bottom == 0, 1.0, bottom)
        shares.append(np.clip(np.where(bottom == 0, 0.0, -top / safe), 0.0, 1.0))
    spots = a[None] + np.array(shares)[..., None] * along[None]
    scale: Array = np.abs(spots).max(axis=-1).min(axis=0)
    return scale


def sums_of(bases: Bases, blockers: Blockers) -> Sums:
    """The forbidden shifts of a rigid body of bases among blockers.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.geometry.reach.blockers import outlines_as_blockers
    >>> from engine.records.game import Round
    >>> wall = outlines_as_blockers([[(0, 50), (9, 50), (9, 60), (0, 60)]], ["wall"])
    >>> len(sums_of(bases_of([(0, 0)], [Round(diameter_mm=20)], [0]), wall))
    4
    """
    held = blockers.holding(bases.centre)[:, blockers.shape] if len(blockers) else np.zeros((len(bases), 0), bool)
    near = core_distances(bases, blockers)
    parts = [_disc_sums(bases, blockers, held, near)]
    parts += [_rect_sums(bases, blockers, held, near, int(i)) for i in np.flatnonzero(bases.is_rect)]
    start, end, radius, thin_start, thin_end, thin_radius, key = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    keys, pair = np.unique(key.astype(np.intp), return_inverse=True)
    width = max(len(blockers), 1)
    of = blockers.shape[keys % width]
    return Sums(start, end, radius, thin_start, thin_end, thin_radius, pair, keys // width, of)


def _disc_sums(bases: Bases, blockers: Blockers, held: Mask, near: Array) -> list[Array]:
    radius = np.minimum(bases.radius[:, None] + blockers.rounding[None], near)
    kept = ~held & ~bases.is_rect[:, None] & (radius > 0)
    i, j = np.nonzero(kept)
    start, end = blockers.start[j] - bases.centre[i], blockers.end[j] - bases.centre[i]
    full = radius[i, j]
    return [start, end, full, start, end, np.maximum(full - MM, 0.0), i * len(blockers) + j]


def _rect_sums(bases: Bases, blockers: Blockers, held: Mask, near: Array, i: int) -> list[Array]:
    one, rounding = bases.pick([i]), np.minimum(blockers.rounding, near[i])
    scale = scale_to_meet(one.half[0], local(one, blockers.start), local(one, blockers.end))
    scale = np.where(near[i] > 0, 1.0, np.minimum(scale, 1.0))
    j = np.flatnonzero(~held[i] & (scale > 0))
    half = one.half * scale[j, None]
    thin_half = np.maximum(half - np.where(rounding[j] > 0, 0.0, MM)[:, None], 0.0)
    to_start, to_end = blockers.start[j] - one.centre[0], blockers.end[j] - one.centre[0]
    full = _hexagon(to_start, to_end, _offsets(one, half))
    thin = _hexagon(to_start, to_end, _offsets(one, thin_half))
    radius = np.tile(rounding[j], 12)
    return [*full, radius, *thin, np.maximum(radius - MM, 0.0), np.tile(i * len(blockers) + j, 12)]


def _offsets(base: Bases, half: Array) -> Array:
    """(k, 4, 2) the corners of rectangles of half sizes (k, 2) that lie as a single base does, from its centre."""
    sin, cos = np.sin(base.bearing_rad[0]), np.cos(base.bearing_rad[0])
    signed = _CORNERS * half[:, None]
    offsets: Array = signed[..., :1] * np.array([cos, -sin]) + signed[..., 1:] * np.array([sin, cos])
    return offsets


def _hexagon(start: Array, end: Array, offset: Array) -> tuple[Array, Array]:
    """The rim of segments (k, 2)-(k, 2) thickened by parallelograms of corners (k, 4, 2), and some lines inside."""
    after = np.roll(offset, -1, axis=1)
    firsts = [start[:, None] + offset, end[:, None] + offset, start[:, None] + offset]
    lasts = [start[:, None] + after, end[:, None] + after, end[:, None] + offset]
    return tuple(np.concatenate(part, axis=1).swapaxes(0, 1).reshape(-1, 2) for part in (firsts, lasts))  # type: ignore[return-value]


def rays_to(directions: Array, start: Array, end: Array, radius: Array) -> Array:
    """(m, k) how far rays along unit vectors (m, 2) run from the origin until they meet rounded segments (k, 2).

    Infinite where they do not. Origins on the rim meet it at 0 if they go in; a line along a segment of no rounding
    meets its near end.

    >>> meet = rays_to(np.array([[0.0, 1.0]]), np.array([[-5.0, 9.0]]), np.array([[5.0, 9.0]]), np.array([2.0]))
    >>> meet.tolist()
    [[7.0]]
    """
    return _rays(directions[:, None], start, end, radius)


def paired_rays(directions: Array, start: Array, end: Array, radius: Array) -> Array:
    """(k,) the same for one ray (k, 2) to each rounded segment."""
    return _rays(directions, start, end, radius)


def _rays(directions: Array, start: Array, end: Array, radius: Array) -> Array:
    met = to_discs(directions, start, radius)
    if (start != end).any():
        np.minimum(met, to_discs(directions, end, radius), out=met)
        np.minimum(met, to_strips(directions, start, end, radius), out=met)
    return met


def _dot(directions: Array, vectors: Array) -> Array:
    product: Array = directions[..., 0] * vectors[:, 0] + directions[..., 1] * vectors[:, 1]
    return product


def to_strips(directions: Array, start: Array, end: Array, half: Array) -> Array:
    """How far rays (..., 2) run from the origin until they meet strips: segments (k, 2), ``half`` (k,) as wide.

    Infinite where they do not, and where a segment has no length.
    """
    along = end - start
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.where(length > 0, length, 1.0)[:, None]
    unit[length == 0] = (1.0, 0.0)
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=-1)
    enter, leave = np.zeros(1), np.full(1, np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        for axis, low, high in ((unit, np.zeros_like(length), length), (normal, -half, half)):
            at, speed = -_dot(start, axis), _dot(directions, axis)
            one, other = (low - at) / speed, (high - at) / speed
            still, inside = speed == 0, (at >= low) & (at <= high)
            one = np.where(still, np.where(inside, -np.inf, np.inf), one)
            other = np.where(still, np.inf, other)
            enter = np.maximum(enter, np.minimum(one, other))
            leave = np.minimum(leave, np.maximum(one, other))
    return np.where((enter <= leave) & (length > 0), enter, np.inf)


def to_discs(directions: Array, centre: Array, radius: Array) -> Array:
    """How far rays (..., 2) run from the origin until they meet discs (k, 2); infinite where they do not, and for
    discs of no radius."""
    closing = _dot(directions, centre)
    square = _dot(centre, centre)
    under = closing**2 - (square - radius**2)
    met = np.maximum(closing - np.sqrt(np.maximum(under, 0.0)), 0.0)
    return np.where((under >= 0) & (radius > 0) & ((closing > 0) | (square <= radius**2)), met, np.inf)


@dataclass(frozen=True)
class Contact:
    """The first contact of a moving body: after how many mm, which of its bases, which blocker."""

    distance_mm: float
    base: int
    shape: int


def contacts(sums: Sums, directions: Array) -> tuple[Array, Index]:
    """How far a body may go along unit vectors (m, 2), and the pair (m,) that stops it (-1: none, infinite)."""
    if not len(sums):
        return np.full(len(directions), np.inf), np.full(len(directions), -1, dtype=np.intp)
    thin = rays_to(directions, sums.thin_start, sums.thin_end, sums.thin_radius)
    crossed = np.full((len(directions), len(sums.base)), np.inf)
    full = crossed.copy()
    exact = rays_to(directions, sums.start, sums.end, sums.radius)
    order = np.argsort(sums.pair, kind="stable")
    firsts = np.flatnonzero(np.diff(sums.pair[order], prepend=-1))
    present = sums.pair[order][firsts]
    crossed[:, present] = np.minimum.reduceat(thin[:, order], firsts, axis=1)
    full[:, present] = np.minimum.reduceat(exact[:, order], firsts, axis=1)
    stop = np.where(np.isfinite(crossed), np.minimum(full, crossed), np.inf)
    pair = stop.argmin(axis=1)
    distance = stop[np.arange(len(directions)), pair]
    return distance, np.where(np.isfinite(distance), pair, -1)


def first_contact(bases: Bases, blockers: Blockers, direction: Array) -> Contact | None:
    """What a body meets first along a unit vector (2,), or None.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.geometry.reach.blockers import bases_as_blockers
    >>> from engine.records.game import Round
    >>> mover, post = (bases_of([spot], [Round(diameter_mm=20)], [0]) for spot in ((0, 0), (12, 100)))
    >>> found = first_contact(mover, bases_as_blockers(post, ["post"]), np.array([0.0, 1.0]))
    >>> found.distance_mm
    84.0
    >>> first_contact(mover, bases_as_blockers(post, ["post"]), np.array([0.0, -1.0])) is None
    True
    """
    sums = sums_of(bases, blockers)
    distance, pair = contacts(sums, np.asarray(direction, dtype=float)[None])
    if pair[0] < 0:
        return None
    return Contact(float(distance[0]), int(sums.base[pair[0]]), int(sums.shape[pair[0]]))
