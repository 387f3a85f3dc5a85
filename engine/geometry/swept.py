"""Swept views: the area between a point and a whole base, their convex hull, and what stands in it.

A base can be seen whole from a point only where nothing stands in that area. It is the triangle from the point to
the two tangent points of the base, and the base itself. Lengths in mm; arrays over couples (t,) of line and part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts
from engine.geometry.plane.lines import turned_all
from engine.geometry.shapes.bases import Bases, paired_gaps
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.near import lines_by_body, lines_by_piece
from engine.geometry.sight.records import Lines, bodies_of

__all__ = ["Met", "bases_in", "pieces_in"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: Bases are taken so much smaller that what only touches the area does not stand in it.
_HAIR_MM = 0.002
#: So much more is taken to be near, so that rounding leaves nothing out.
_SLACK_MM = 0.01
#: How often a way aside is made shorter to find where an area begins to be clear.
_STEPS = 2


@dataclass(frozen=True, eq=False)
class Met:
    """What stands in swept areas: couples of a ``line`` (t,) and a ``part`` (t,) that it meets or may meet, the
    ``verdict`` (t,) on that, never no, and whether it ``meets`` (t,) were all places as measured."""

    line: Index
    part: Index
    verdict: Verdicts
    meets: Mask

    @property
    def as_measured(self) -> Met:
        """The same were all places known exactly."""
        of = self.meets
        return Met(self.line[of], self.part[of], np.full(int(of.sum()), Verdict.YES, dtype=np.int8), of[of])


def bases_in(lines: Lines, targets: Bases, others: Bases) -> Met:
    """Which bases stand in the areas swept from where lines start to the bases numbered ``lines.target``.

    Touching is not standing in. Whoever is at an end of a line must be taken out by the caller.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> from engine.records.game import Round
    >>> disc = Round(diameter_mm=20)
    >>> target, others = bases_of([(0, 100)], [disc], [0]), bases_of([(14, 50), (16, 50)], [disc] * 2, [0, 0])
    >>> bases_in(all_lines([[0, 0]], target.centre), target, others).part.tolist()
    [0]
    """
    line, part = lines_by_body(bodies_of(others), lines, _reach(lines, targets, others.sigma_mm))
    wedges, sizes = _Wedges.of(lines, targets), others.circumradius
    near = wedges.near(line, others.centre[part], sizes[part], others.sigma_mm[part])
    line, part = line[near], part[near]
    inner = np.where(others.is_rect, others.half.min(axis=1), others.radius)
    sure = wedges.through(line, others.centre[part], inner[part], others.sigma_mm[part])
    sure &= ~targets.is_rect[lines.target[line]]
    open_ = np.flatnonzero(~sure)
    other = others.pick(part[open_])

    def gaps(area: _Area, which: Index) -> Array:
        return _base_gaps(other.pick(which), area)

    meets, verdict = sure.copy(), np.where(sure, Verdict.YES, Verdict.NO).astype(np.int8)
    area = _Area.of(lines.pick(line[open_]), targets)
    meets[open_], verdict[open_] = _judged(area, other.sigma_mm, gaps)
    return _met(line, part, meets, verdict)


def clear_of_bases(lines: Lines, targets: Bases, others: Bases, most_mm: float | Array) -> Array:
    """(t,) how far in mm the area swept along each of lines (t) is clear of each of other bases (t).

    Below 0 it is how far aside the area would have to lie to be clear; -inf where that is more than ``most_mm``,
    one number or of each (t,).

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> from engine.records.game import Round
    >>> disc = Round(diameter_mm=20)
    >>> target, other = bases_of([(0, 400)], [disc], [0]), bases_of([(18, 390)], [disc], [0])
    >>> clear_of_bases(all_lines([[0, 0]], target.centre), target, other, 5.0).round(1).tolist()
    [-1.8]
    """
    return _clear(_Area.of(lines, targets), partial(_base_gaps, others), most_mm)


def clear_of_piece(lines: Lines, targets: Bases, pieces: Pieces, number: int, most_mm: float) -> Array:
    """(t,) how far in mm the areas swept along lines (t) are clear of a piece of terrain, as `clear_of_bases`."""
    return _clear(_Area.of(lines, targets), partial(_piece_gaps, pieces, number), most_mm)


def _clear(area: _Area, gaps: Callable[[_Area], Array], most_mm: float | Array) -> Array:
    """As `clear_of_bases`. No gap grows faster than the area is moved: one may step back by the whole of it."""
    gap = gaps(area)
    aside = np.full(gap.shape, np.inf)
    for side in (-1.0, 1.0):
        far = np.full(gap.shape, most_mm)
        left = gaps(area.aside(side * far))
        free = left > 0
        for _ in range(_STEPS):
            far = far - np.maximum(left, 0.0)
            left = gaps(area.aside(side * far))
        aside = np.minimum(aside, np.where(free, far, np.inf))
    return np.where(gap > 0, gap, -aside)


def _base_gaps(other: Bases, area: _Area) -> Array:
    """(t,) how far areas are from bases (t); 0 or less where these reach into them."""
    by_sight = _to_points(area.triangle, other.centre) - other.radius
    rect = np.flatnonzero(other.is_rect)
    if len(rect):
        corners = other.pick(rect).corners()
        edged = _to_edges(area.triangle[rect], corners, turned_all(corners))
        holds = np.all(np.abs(other.local(area.eye[:, None])[:, 0]) < other.half, axis=1)
        by_sight[rect] = np.where(holds[rect], 0.0, edged)
    # Where the base itself is farther off than the way to it, that it is far off adds nothing.
    apart = np.hypot(area.base.centre[:, 0] - other.centre[:, 0], area.base.centre[:, 1] - other.centre[:, 1])
    near = np.flatnonzero(
        (apart - area.base.circumradius - other.circumradius <= by_sight + _SLACK_MM) & (by_sight > 0)
    )
    by_sight[near] = np.minimum(by_sight[near], paired_gaps(area.base.pick(near), other.pick(near)))
    return by_sight


def pieces_in(lines: Lines, targets: Bases, pieces: Pieces, sigma_mm: float = 0.0) -> Met:
    """Which pieces of terrain reach into the areas swept from where lines start to bases; touching is not enough.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> from engine.records.game import Round
    >>> target = bases_of([(0, 100)], [Round(diameter_mm=20)], [0])
    >>> walls = pieces_of([[(4, 40), (30, 40), (30, 60), (4, 60)], [(10, 40), (30, 40), (30, 60), (10, 60)]])
    >>> pieces_in(all_lines([[0, 0]], target.centre), target, walls).part.tolist()
    [0]
    """
    found = [(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, bool), np.zeros(0, np.int8))]
    wedges = _Wedges.of(lines, targets)

    def gaps(number: int, area: _Area, which: Index) -> Array:
        return _piece_gaps(pieces, number, area)

    for number, boxed in lines_by_piece(pieces, lines, _reach(lines, targets, np.array([sigma_mm]))):
        near = boxed[wedges.near_piece(boxed, pieces.edges(number)[0], sigma_mm)]
        area = _Area.of(lines.pick(near), targets)
        each = np.full(len(near), number)
        meets, verdict = _judged(area, np.full(len(near), sigma_mm), partial(gaps, number))
        found.append((near, each, meets, verdict))
    return _met(*(np.concatenate(column) for column in zip(*found, strict=True)))


@dataclass(frozen=True, eq=False)
class _Wedges:
    """The wedges (q,) that hold swept areas: from the ``eye`` (q, 2) along ``unit`` (q, 2), so wide to either side
    as the ``sine`` and ``cosine`` (q,) tell, no farther than ``far_mm`` (q,); a cosine of 0 where the eye is within
    the base and there is none. They tell at little cost what cannot come near."""

    eye: Array
    unit: Array
    sine: Array
    cosine: Array
    length_mm: Array
    far_mm: Array
    sigma_mm: Array

    @classmethod
    def of(cls, lines: Lines, targets: Bases) -> _Wedges:
        """Those of lines to the bases that they name."""
        way, radius = targets.centre[lines.target] - lines.start, targets.circumradius[lines.target]
        length = np.hypot(way[:, 0], way[:, 1])
        away = length > radius
        safe = np.where(away, length, 1.0)
        sine = np.where(away, radius / safe, 1.0)
        cosine = np.sqrt(np.maximum(1.0 - sine * sine, 0.0))
        sigma = np.maximum(lines.sigma_start, lines.sigma_end)
        return cls(lines.start, way / safe[:, None], sine, cosine, length, length + radius, sigma)

    def near(self, line: Index, spot: Array, radius: Array, sigma_mm: Array) -> Mask:
        """(t,) whether discs (t) may come as near to the wedges of lines (t) as two sigma."""
        to, unit = spot - self.eye[line], self.unit[line]
        ahead = to[:, 0] * unit[:, 0] + to[:, 1] * unit[:, 1]
        aside = np.abs(to[:, 0] * unit[:, 1] - to[:, 1] * unit[:, 0])
        most = radius + SIGMAS * np.hypot(self.sigma_mm[line], sigma_mm) + _SLACK_MM
        cosine = self.cosine[line]
        near: Mask = (aside * cosine - ahead * self.sine[line] <= most) | (cosine <= 0)
        return near

    def through(self, line: Index, spot: Array, radius: Array, sigma_mm: Array) -> Mask:
        """(t,) whether discs (t) lie across the middles of the wedges of lines (t), though these were shifted by
        two sigma to either side."""
        to, unit = spot - self.eye[line], self.unit[line]
        ahead = to[:, 0] * unit[:, 0] + to[:, 1] * unit[:, 1]
        aside = np.abs(to[:, 0] * unit[:, 1] - to[:, 1] * unit[:, 0])
        most = radius - SIGMAS * np.hypot(self.sigma_mm[line], sigma_mm) - _SLACK_MM
        within = (ahead >= 0) & (ahead <= self.length_mm[line]) & (self.cosine[line] > 0)
        through: Mask = (aside < most) & within
        return through

    def near_piece(self, line: Index, corners: Array, sigma_mm: float) -> Mask:
        """(t,) whether a piece with corners (k, 2) may come as near to the wedges of lines (t) as two sigma: none
        of their sides parts the two."""
        x, y = (corners[None, :, axis] - self.eye[line, axis, None] for axis in (0, 1))
        along, across = self.unit[line, 0, None], self.unit[line, 1, None]
        ahead, aside = x * along + y * across, x * across - y * along
        sine, cosine = self.sine[line, None], self.cosine[line, None]
        most = (SIGMAS * np.hypot(self.sigma_mm[line], sigma_mm) + _SLACK_MM)[:, None]
        off, into = aside * cosine, ahead * sine + most
        parted = (off > into).all(axis=1) | (-off > into).all(axis=1) | (ahead < -most).all(axis=1)
        parted |= (ahead > self.far_mm[line, None] + most).all(axis=1)
        near: Mask = ~parted | (cosine[:, 0] <= 0)
        return near


@dataclass(frozen=True, eq=False)
class _Area:
    """Swept areas: the ``eye`` (t, 2), the ``base`` (t) a hair smaller than it is, the ``triangle`` (t, 3, 2) from
    the eye to the tangent points, of no size where the eye is within the base."""

    eye: Array
    base: Bases
    triangle: Array
    across: Array
    sigma_mm: Array

    @classmethod
    def of(cls, lines: Lines, targets: Bases) -> _Area:
        """The areas of lines to the bases that they name."""
        whole = targets.pick(lines.target)
        half = np.where(whole.is_rect[:, None], np.maximum(whole.half - _HAIR_MM, 0.0), 0.0)
        radius = np.where(whole.is_rect, 0.0, np.maximum(whole.radius - _HAIR_MM, 0.0))
        base = Bases(whole.centre, radius, half, whole.bearing_rad)
        way = base.centre - lines.start
        length = np.hypot(way[:, 0], way[:, 1])
        unit = way / np.where(length > 0, length, 1.0)[:, None]
        across = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
        rims, rect = _tangent_points(base, lines.start, unit, across, length), np.flatnonzero(base.is_rect)
        if len(rect):
            rims[rect] = _outer_corners(base.pick(rect), lines.start[rect], unit[rect], across[rect])
        triangle = np.concatenate([lines.start[:, None], rims], axis=1)
        sigma = np.maximum(lines.sigma_start, lines.sigma_end)
        return cls(lines.start, base, triangle, across, sigma)

    def pick(self, which: Index) -> _Area:
        """Some of them."""
        return _Area(
            self.eye[which], self.base.pick(which), self.triangle[which], self.across[which], self.sigma_mm[which]
        )

    def aside(self, shift_mm: Array) -> _Area:
        """The areas shifted (t,) across their lines."""
        shift = shift_mm[:, None] * self.across
        base = self.base.moved_to(self.base.centre + shift)
        return _Area(self.eye + shift, base, self.triangle + shift[:, None], self.across, self.sigma_mm)


def _tangent_points(base: Bases, eye: Array, unit: Array, across: Array, length: Array) -> Array:
    """(t, 2, 2) where tangents from the eye touch discs; the eye itself where it is within."""
    reach = np.sqrt(np.maximum(length**2 - base.radius**2, 0.0))
    safe = np.where(length > 0, length, 1.0)
    ahead, aside = (reach * reach / safe)[:, None] * unit, (reach * base.radius / safe)[:, None] * across
    return np.stack([eye + ahead - aside, eye + ahead + aside], axis=1)


def _outer_corners(base: Bases, eye: Array, unit: Array, across: Array) -> Array:
    """(t, 2, 2) the corners of rectangles that are outermost as the eye sees them; the eye where it is within."""
    corners = base.corners()
    to = corners - eye[:, None]
    turn = np.arctan2((to * across[:, None]).sum(axis=-1), (to * unit[:, None]).sum(axis=-1))
    rows = np.arange(len(eye))
    rims = np.stack([corners[rows, turn.argmin(axis=1)], corners[rows, turn.argmax(axis=1)]], axis=1)
    within = np.all(np.abs(base.local(eye[:, None])[:, 0]) <= base.half, axis=1)
    return np.where(np.asarray(within)[:, None, None], eye[:, None], rims)


def _piece_gaps(pieces: Pieces, number: int, area: _Area) -> Array:
    """(t,) how far areas are from a piece; 0 where it reaches into them or holds them."""
    starts, ends = (np.broadcast_to(one, (len(area.eye), *one.shape)) for one in pieces.edges(number))
    body = _points_to_edges(area.base.centre[:, None], starts, ends).min(axis=(1, 2)) - area.base.radius
    rect = np.flatnonzero(area.base.is_rect)
    if len(rect):
        body[rect] = _to_edges(area.base.pick(rect).corners(), starts[rect], ends[rect])
    gap = np.minimum(_to_edges(area.triangle, starts, ends), np.maximum(body, 0.0))
    held = pieces.pick([number]).strictly_in(np.concatenate([area.eye, area.base.centre]))[:, 0]
    count = len(area.eye)
    return np.where(held[:count] | held[count:], 0.0, gap)


def _judged(area: _Area, sigma_mm: Array, gaps: Callable[[_Area, Index], Array]) -> tuple[Mask, Verdicts]:
    """(t,), (t,) what is met as measured, and how surely: the area may as well lie two sigma to either side."""
    gap = gaps(area, np.arange(len(sigma_mm)))
    meets: Mask = gap <= 0
    spread = SIGMAS * np.hypot(area.sigma_mm, sigma_mm)
    unsure = ~meets & (gap <= spread)
    doubtful = np.flatnonzero(meets & (spread > 0))
    if len(doubtful):
        some, aside = area.pick(doubtful), spread[doubtful]
        both = (gaps(some.aside(aside), doubtful) <= 0) & (gaps(some.aside(-aside), doubtful) <= 0)
        unsure[doubtful] = ~both
    return meets, np.where(unsure, Verdict.BORDERLINE, np.where(meets, Verdict.YES, Verdict.NO)).astype(np.int8)


def _met(line: Index, part: Index, meets: Mask, verdict: Verdicts) -> Met:
    """Those couples that meet or may meet."""
    some = np.flatnonzero(verdict > Verdict.NO)
    return Met(line[some], part[some], verdict[some], meets[some])


def _reach(lines: Lines, targets: Bases, sigma_mm: Array) -> float:
    """How far from a line what stands in its area may be."""
    most = float(lines.sigma_mm.max(initial=0.0)) + float(sigma_mm.max(initial=0.0))
    return float(targets.circumradius.max(initial=0.0)) + 2 * SIGMAS * most


def _to_points(outline: Array, spots: Array) -> Array:
    """(t,) distances of points (t, 2) from convex outlines (t, c, 2), 0 within."""
    apart = _points_to_edges(spots[:, None], outline, turned_all(outline))[:, 0].min(axis=1)
    return np.where(_within(outline, spots[:, None])[:, 0], 0.0, apart)


def _to_edges(outline: Array, starts: Array, ends: Array) -> Array:
    """(t,) distances of convex outlines (t, c, 2) from the nearest of segments (t, k, 2); 0 where one enters."""
    after = turned_all(outline)
    apart = np.minimum(
        _points_to_edges(outline, starts, ends).min(axis=(1, 2)),
        _points_to_edges(starts, outline, after).min(axis=(1, 2)),
    )
    a, b = outline[:, :, None], after[:, :, None]
    c, d = starts[:, None], ends[:, None]
    cross = (_side(a, b, c) * _side(a, b, d) < 0) & (_side(c, d, a) * _side(c, d, b) < 0)
    into = cross.any(axis=(1, 2)) | _within(outline, starts).any(axis=1)
    return np.where(into, 0.0, apart)


def _points_to_edges(spots: Array, starts: Array, ends: Array) -> Array:
    """(t, n, k) the distances of points (t, n, 2) from segments (t, k, 2)."""
    along = ends - starts
    x, y = along[:, None, :, 0], along[:, None, :, 1]
    to_x, to_y = spots[:, :, None, 0] - starts[:, None, :, 0], spots[:, :, None, 1] - starts[:, None, :, 1]
    squared = x**2 + y**2
    share = np.clip((to_x * x + to_y * y) / np.where(squared > 0, squared, 1.0), 0.0, 1.0)
    distance: Array = np.hypot(to_x - share * x, to_y - share * y)
    return distance


def _within(outline: Array, spots: Array) -> Mask:
    """(t, n) whether points (t, n, 2) lie inside convex outlines (t, c, 2), the rim left out."""
    side = _side(outline[:, None], turned_all(outline)[:, None], spots[:, :, None])
    inside: Mask = np.asarray(np.all(side > 0, axis=-1) | np.all(side < 0, axis=-1))
    return inside


def _side(start: Array, end: Array, point: Array) -> Array:
    along_x, along_y = end[..., 0] - start[..., 0], end[..., 1] - start[..., 1]
    side: Array = along_x * (point[..., 1] - start[..., 1]) - along_y * (point[..., 0] - start[..., 0])
    return side
