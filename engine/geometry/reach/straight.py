"""Rigid bodies that shift without turning: what they meet first in a direction, and where.

For every base and every segment in the way, the shifts at which they overlap are a convex set: the segment
thickened by the base (a Minkowski sum), bounded by a few rounded segments. A straight move is a ray from the
origin among these sets, so the first contact has a closed form.

A body may touch and slide along what blocks it. Only an overlap deeper than 0.001 mm counts as crossing; what
overlaps at the start is treated as `engine.geometry.reach.overlaps` says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.lines import points_to_segments
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.overlaps import Couples, corners_about, couples_of, thinner
from engine.geometry.reach.rays import rays_to
from engine.geometry.shapes.bases import Bases

__all__ = ["Contact", "Sums", "contacts", "first_contact", "hexagons", "sums_of"]

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
        gap = points_to_segments(np.zeros((1, 2)), self.start, self.end)[0] - self.radius
        met = gap <= reach_mm + MM
        if ahead is not None:
            met &= np.maximum(self.start @ ahead, self.end @ ahead) + self.radius > 0
        return self if met.all() else self._pick(met)

    def _pick(self, which: Mask) -> Sums:
        return Sums(
            self.start[which], self.end[which], self.radius[which], self.thin_start[which], self.thin_end[which],
            self.thin_radius[which], self.pair[which], self.base, self.shape,
        )  # fmt: skip


def sums_of(bases: Bases, blockers: Blockers, couples: Couples | None = None) -> Sums:
    """The forbidden shifts of a rigid body of bases among blockers; ``couples`` are theirs, where known.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import outlines_as_blockers
    >>> from engine.records.game import Round
    >>> wall = outlines_as_blockers([[(0, 50), (9, 50), (9, 60), (0, 60)]], ["wall"])
    >>> len(sums_of(bases_of([(0, 0)], [Round(diameter_mm=20)], [0]), wall))
    4
    """
    couples = couples_of(bases, blockers) if couples is None else couples
    parts = [_disc_sums(bases, blockers, couples)]
    if bases.is_rect.any():
        parts.append(_rect_sums(bases, blockers, couples))
    start, end, radius, thin_start, thin_end, thin_radius, pair = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    of = blockers.shape[couples.segment]
    return Sums(start, end, radius, thin_start, thin_end, thin_radius, pair.astype(np.intp), couples.base, of)


def _disc_sums(bases: Bases, blockers: Blockers, couples: Couples) -> list[Array]:
    pair = np.flatnonzero(~bases.is_rect[couples.base])
    centre, segment = bases.centre[couples.base[pair]], couples.segment[pair]
    start, end, full = blockers.start[segment] - centre, blockers.end[segment] - centre, couples.rounding[pair]
    return [start, end, full, start, end, np.maximum(full - MM, 0.0), pair]


def _rect_sums(bases: Bases, blockers: Blockers, couples: Couples) -> list[Array]:
    pair = np.flatnonzero(bases.is_rect[couples.base])
    base, segment = couples.base[pair], couples.segment[pair]
    half, rounding = couples.half[pair], couples.rounding[pair]
    thin_half, thin_rounding = thinner(half, rounding)
    to_start, to_end = (points[segment] - bases.centre[base] for points in (blockers.start, blockers.end))
    full, thin = (hexagons(to_start, to_end, corners_about(bases, base, size)) for size in (half, thin_half))
    return [*full, np.tile(rounding, 12), *thin, np.tile(thin_rounding, 12), np.tile(pair, 12)]


def hexagons(start: Array, end: Array, offset: Array) -> tuple[Array, Array]:
    """The rims of segments (k, 2)-(k, 2) thickened by parallelograms of corners (k, 4, 2), and some lines inside:
    (12 k, 2) both, each twelfth of all k."""
    after = np.roll(offset, -1, axis=1)
    firsts = [start[:, None] + offset, end[:, None] + offset, start[:, None] + offset]
    lasts = [start[:, None] + after, end[:, None] + after, end[:, None] + offset]
    return tuple(np.concatenate(part, axis=1).swapaxes(0, 1).reshape(-1, 2) for part in (firsts, lasts))  # type: ignore[return-value]


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

    >>> from engine.geometry.shapes.bases import bases_of
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
