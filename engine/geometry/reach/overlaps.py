"""Bases and the segments of blockers, pair by pair: how far apart they are, and which may stop which.

A base that overlaps a blocker at the start (measured figures do, by fractions of a millimetre) may not go deeper:
it is held as if it were just so small as to touch. A shape that holds a base's centre does not hold that base back;
but it may not be ended on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.lines import each_to_segment
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach.blockers import Blockers
from engine.geometry.shapes.bases import Bases

__all__ = [
    "Couples", "box_distance", "core_distances", "corners_about", "couples_at_end", "couples_of", "overlapping",
    "scale_to_meet", "seen_by", "thinner",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Couples:
    """Bases and segments that may stop one another: ``base`` and ``segment`` (k,) are their numbers, ``half``
    (k, 2) the half sizes of a rectangle and ``rounding`` (k,) a disc's and the blocker's radius together, both so
    far as they do not overlap yet."""

    base: Index
    segment: Index
    half: Array
    rounding: Array

    def __len__(self) -> int:
        return len(self.rounding)


def couples_of(bases: Bases, blockers: Blockers, near: Mask | None = None) -> Couples:
    """All that may stop one another, by base and by segment.

    ``near`` (n, k) tells which to look at, all where it is left out.
    """
    whole = np.ones((len(bases), len(blockers)), dtype=bool) if near is None else near
    if len(blockers):
        held = blockers.holding(bases.centre)
        whole = whole & ~held[:, blockers.shape] if held.any() else whole
    base, segment = np.nonzero(whole)
    core, scale = _cores(bases, base, blockers.start[segment], blockers.end[segment])
    rounding = np.minimum(bases.radius[base] + blockers.rounding[segment], core)
    kept = np.where(bases.is_rect[base], scale, rounding) > 0
    base, segment = base[kept], segment[kept]
    return Couples(base, segment, bases.half[base] * scale[kept, None], rounding[kept])


def couples_at_end(bases: Bases, blockers: Blockers) -> Couples:
    """All that may not overlap at the end of a move from where the bases stand, by base and by segment.

    A base that overlaps a shape is as small for all its sides as it has to be for any: it may stay beside it.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import outlines_as_blockers
    >>> from engine.records.game import Round
    >>> pond = outlines_as_blockers([[(-50, -50), (50, -50), (50, 50), (-50, 50)]], ["pond"])
    >>> swimmer = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> len(couples_of(swimmer, pond)), len(couples_at_end(swimmer, pond))
    (0, 4)
    """
    base, segment = (part.ravel() for part in np.indices((len(bases), len(blockers))))
    shape = blockers.shape[segment]
    core, scale = _cores(bases, base, blockers.start[segment], blockers.end[segment])
    full = bases.radius[base] + blockers.rounding[segment]
    deep, least = np.zeros((len(bases), len(blockers.names))), np.ones((len(bases), len(blockers.names)))
    np.maximum.at(deep, (base, shape), full - core)
    np.minimum.at(least, (base, shape), scale)
    held = blockers.holding(bases.centre)
    deep[held], least[held] = 0.0, 1.0
    rounding, scale = full - deep[base, shape], least[base, shape]
    kept = np.where(bases.is_rect[base], scale, rounding) > 0
    base, segment = base[kept], segment[kept]
    return Couples(base, segment, bases.half[base] * scale[kept, None], rounding[kept])


def thinner(half: Array, rounding: Array) -> tuple[Array, Array]:
    """Half sizes (k, 2) of rectangles (0 for discs) and radii (k,), 0.001 mm thinner: what may not be crossed."""
    return np.maximum(half - np.where(rounding > 0, 0.0, MM)[:, None], 0.0), np.maximum(rounding - MM, 0.0)


def overlapping(bases: Bases, blockers: Blockers, couples: Couples) -> Mask:
    """(k,) which couples of bases and segments overlap by more than 0.001 mm, the bases being where they now are.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import bases_as_blockers
    >>> from engine.records.game import Rect
    >>> square = Rect(width_mm=20, depth_mm=20)
    >>> one, friend, there = (bases_of([(0, y)], [square], [0]) for y in (0, 60, 41))
    >>> men = bases_as_blockers(friend, ["friend"])
    >>> overlapping(there, men, couples_at_end(one, men)).tolist()
    [True, False, False, False]
    """
    start, end = blockers.start[couples.segment], blockers.end[couples.segment]
    half, rounding = thinner(couples.half, couples.rounding)
    met: Mask = each_to_segment(bases.centre[couples.base], start, end) < rounding
    rect = np.flatnonzero(bases.is_rect[couples.base])
    if len(rect):
        which, half = couples.base[rect], np.maximum(half[rect], MM / 10)
        one, other = seen_by(bases, which, start[rect]), seen_by(bases, which, end[rect])
        scale = scale_to_meet(half, one, other)
        met[rect] = (scale < 1.0) | (box_distance(half, one, other, scale) < rounding[rect])
    return met


def _cores(bases: Bases, base: Index, start: Array, end: Array) -> tuple[Array, Array]:
    """(k,) the distances of segments from round bases' centres or from rectangles, 0 where they meet; and by how
    much a rectangle is to be scaled just to touch, at most 1."""
    core, scale = each_to_segment(bases.centre[base], start, end), np.ones(len(base))
    rect = np.flatnonzero(bases.is_rect[base])
    if len(rect):
        which = base[rect]
        one, other = seen_by(bases, which, start[rect]), seen_by(bases, which, end[rect])
        half = bases.half[which]
        least = scale_to_meet(half, one, other)
        core[rect] = box_distance(half, one, other, least)
        scale[rect] = np.where(core[rect] > 0, 1.0, np.minimum(least, 1.0))
    return core, scale


def core_distances(bases: Bases, blockers: Blockers) -> Array:
    """(n, k) from each round base's centre or each rectangle to each segment; 0 where they meet."""
    shape = len(bases), len(blockers)
    base, segment = (part.ravel() for part in np.indices(shape))
    return _cores(bases, base, blockers.start[segment], blockers.end[segment])[0].reshape(shape)


def seen_by(bases: Bases, base: Index, points: Array) -> Array:
    """Points (k, 2) as bases of numbers (k,) see them: x to their right, y ahead."""
    to = points - bases.centre[base]
    return np.stack([_dot(to, bases.right[base]), _dot(to, bases.ahead[base])], axis=-1)


def corners_about(bases: Bases, base: Index, half: Array) -> Array:
    """(k, 4, 2) the corners of rectangles of half sizes (k, 2) that lie as bases of numbers (k,) do, from their
    centres; a disc's half sizes are 0, and so are its corners."""
    if not bases.is_rect.any():
        return np.zeros((len(base), 4, 2))
    signed = _CORNERS * half[:, None]
    corners: Array = signed[..., :1] * bases.right[base][:, None] + signed[..., 1:] * bases.ahead[base][:, None]
    return corners


def _dot(one: Array, other: Array) -> Array:
    product: Array = one[..., 0] * other[..., 0] + one[..., 1] * other[..., 1]
    return product


def box_distance(half: Array, start: Array, end: Array, scale: Array) -> Array:
    """(k,) the distances from segments to boxes of half sizes (k, 2) round the origin; 0 on meeting, which is where
    ``scale`` (k,), that of `scale_to_meet`, is at most 1."""
    distance = np.full(len(start), np.inf)
    for sign in _CORNERS:
        np.minimum(distance, each_to_segment(sign * half, start, end), out=distance)
    for point in (start, end):
        out = np.maximum(np.abs(point) - half, 0.0)
        np.minimum(distance, np.hypot(out[:, 0], out[:, 1]), out=distance)
    return np.where(scale <= 1.0, 0.0, distance)


def scale_to_meet(half: Array, start: Array, end: Array) -> Array:
    """(k,) by how much boxes of half sizes (k, 2) must be scaled to touch each segment: below 1: they overlap."""
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
