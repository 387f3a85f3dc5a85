"""Wheels of which the rest is used straight on: how far a body gets after each turn, for several wheels at once.

A body that has turned goes ahead as far as its allowance, the first contact and the table's edge let it. That is
looked at every two and a half degrees; where it changes fast between two such turns, four times as closely, and
once more. Of all these only so many are told as are needed to draw the ground between them straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import islice, pairwise

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.plane.directions import unit_vector
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.going import OPEN, Ground, walked
from engine.geometry.reach.overlaps import Couples, corners_about, thinner
from engine.geometry.reach.rays import paired_rays
from engine.geometry.reach.straight import hexagons
from engine.geometry.reach.wheels import Turn, about
from engine.geometry.shapes.bases import Bases

__all__ = ["Swing", "Swinging", "slices_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: At which turns one looks first, and of how many of them one is always told.
_STEP_RAD, _EVEN = np.radians(2.5), 3
#: By how much the way ahead may change from one turn to the next before one looks in between; into how many such a
#: gap is cut, and how often.
_FAST_MM, _FINER, _ROUNDS = 2.0, 4, 2
#: How far what is told may leave what was looked at.
_OFF_MM = 0.3


@dataclass(frozen=True, eq=False)
class Swinging:
    """A body that wheels and goes on: its bases, how they face, what may stop which of them (`couples`), the table
    (width, depth) that holds every centre, if any, and ground that costs, along the way ahead of the point ``at``
    (2,)."""

    bases: Bases
    facing_deg: float
    blockers: Blockers
    couples: Couples
    table_mm: tuple[float, float] | None = None
    ground: Ground = OPEN
    at: Array = field(default_factory=lambda: np.zeros(2))

    @cached_property
    def number(self) -> Index:
        """(n, k) the number of the couple of a base and a segment, or -1."""
        number = np.full((len(self.bases), len(self.blockers)), -1, dtype=np.intp)
        number[self.couples.base, self.couples.segment] = np.arange(len(self.couples))
        return number

    @cached_property
    def size(self) -> Array:
        """(k,) how far each segment reaches from its middle."""
        along = self.blockers.end - self.blockers.start
        size: Array = np.hypot(along[:, 0], along[:, 1]) / 2 + self.blockers.rounding
        return size

    def places(self, pivot: Array, turn_rad: Array) -> Array:
        """(m, n, 2) where the centres are after turns (m,), clockwise, about points (m, 2)."""
        return about(self.bases.centre[None], pivot[:, None], turn_rad[:, None])


@dataclass(frozen=True, eq=False)
class Swing:
    """The wheels that a body might make, each by itself. The allowance ``left_mm`` pays first for the turn, by the
    arc at ``arm_mm`` from the pivot."""

    body: Swinging
    turns: Sequence[Turn]
    left_mm: float
    arm_mm: float


@dataclass(frozen=True, eq=False)
class _Wheels:
    """All wheels of several bodies (w,): whose they are, their pivots (w, 2) and senses, and what pays for them."""

    bodies: Sequence[Swinging]
    body: Index
    pivot: Array
    sense: Array
    left_mm: Array
    arm_mm: Array

    @classmethod
    def of(cls, every: Sequence[Swing]) -> _Wheels:
        """The wheels of several bodies in a row."""
        turns = [turn for swing in every for turn in swing.turns]
        counts = [len(swing.turns) for swing in every]
        return cls(
            [swing.body for swing in every], np.repeat(np.arange(len(every)), counts),
            np.array([turn.pivot for turn in turns]).reshape(-1, 2), np.array([turn.sense for turn in turns]),
            np.repeat([swing.left_mm for swing in every], counts),
            np.repeat([swing.arm_mm for swing in every], counts),
        )  # fmt: skip

    def rest(self, turn: Array, of: Index) -> Array:
        """(m,) what is left after turns (m,) of wheels (m,)."""
        left: Array = np.maximum(self.left_mm[of] - turn * self.arm_mm[of], 0.0)
        return left

    def gone(self, turn: Array, of: Index) -> Array:
        """(m,) how far one gets ahead after turns (m,) of wheels (m,), which come body by body."""
        return _ways(self.bodies, self.body[of], self.pivot[of], self.sense[of] * turn, self.rest(turn, of))


def slices_of(every: Sequence[Swing]) -> list[list[tuple[Array, Array]]]:
    """For each wheel of several bodies turns (s,) in radians, rising from none to the most, and how far (s,) one
    gets after each; all are worked out together.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import NOTHING
    >>> from engine.geometry.reach.overlaps import couples_of
    >>> from engine.records.game import Round
    >>> pair = bases_of([(0, 0), (50, 0)], [Round(diameter_mm=20)] * 2, [0, 0])
    >>> body = Swinging(pair, 0.0, NOTHING, couples_of(pair, NOTHING))
    >>> turn, ahead = slices_of([Swing(body, [Turn(np.zeros(2), 0.2, False)], 100.0, 50.0)])[0][0]
    >>> turn.round(3).tolist(), ahead.round(3).tolist()
    ([0.0, 0.1, 0.2], [100.0, 95.0, 90.0])
    """
    turns = [turn for swing in every for turn in swing.turns]
    if not turns:
        return [[] for _ in every]
    wheels = _Wheels.of(every)
    gaps = [max(1, int(np.ceil(turn.most_rad / _STEP_RAD / _EVEN))) * _EVEN for turn in turns]
    turn = np.concatenate(
        [np.linspace(0.0, one.most_rad, count + 1) for one, count in zip(turns, gaps, strict=True)]
    )
    even = np.concatenate([np.arange(count + 1) % _EVEN == 0 for count in gaps])
    of = np.repeat(np.arange(len(turns)), [count + 1 for count in gaps])
    way = wheels.gone(turn, of)
    for _ in range(_ROUNDS):
        changes = np.abs(np.diff(wheels.rest(turn, of) - way)) > _FAST_MM
        fast = np.flatnonzero(changes & (np.diff(of) == 0))
        if not len(fast):
            break
        shares = np.arange(1, _FINER) / _FINER
        more = (turn[fast, None] + shares * np.diff(turn)[fast, None]).ravel()
        of_more = np.repeat(of[fast], _FINER - 1)
        turn, of = np.concatenate([turn, more]), np.concatenate([of, of_more])
        order = np.lexsort((turn, of))
        way = np.concatenate([way, wheels.gone(more, of_more)])[order]
        even = np.concatenate([even, np.zeros(len(more), dtype=bool)])[order]
        turn, of = turn[order], of[order]
    found = iter(_thinned(turn, way, even, of, wheels.left_mm))
    return [list(islice(found, len(swing.turns))) for swing in every]


def _thinned(turn: Array, way: Array, even: NDArray[np.bool_], of: Index, far: Array) -> list[tuple[Array, Array]]:
    """For each wheel, to which turns (m,) belong that come wheel by wheel, the even turns, and between them those
    without which the ways would be drawn wrongly, at ``far`` from the pivot; the first and the last are even."""
    bounds = np.searchsorted(of, np.arange(len(far) + 1))
    scale, number = np.maximum(far, 1.0), np.cumsum(even) - 1 - of  # of the part that begins at or before each turn
    first, last = np.zeros(len(turn), dtype=bool), np.zeros(len(turn), dtype=bool)
    first[bounds[:-1]], last[bounds[1:] - 1] = True, True
    begins, ends = (
        np.flatnonzero(~last),
        np.flatnonzero(even & ~first),
    )  # an even turn ends one part, begins another
    row = np.concatenate([begins, ends])
    part = np.concatenate([number[begins], number[ends] - 1])
    order = np.lexsort((row, part))
    row, part = row[order], part[order]
    lines = shapely.linestrings(np.column_stack([turn[row] * scale[of[row]], way[row]]), indices=part)
    kept, line = shapely.get_coordinates(
        shapely.simplify(lines, _OFF_MM, preserve_topology=False), return_index=True
    )
    whose = of[row[np.searchsorted(part, line)]]
    fresh = np.append(True, (np.diff(kept[:, 0]) > 0) | (np.diff(whose) > 0))
    kept, whose = kept[fresh], whose[fresh]
    cuts = np.searchsorted(whose, np.arange(len(far) + 1)).tolist()
    at = bounds.tolist()
    return [
        (kept[begin:end, 0] / scale[wheel], kept[begin:end, 1])
        if turn[at[wheel + 1] - 1] > 0
        else (turn[[at[wheel], at[wheel + 1] - 1]], way[[at[wheel], at[wheel + 1] - 1]])
        for wheel, (begin, end) in enumerate(pairwise(cuts))
    ]


def _ways(bodies: Sequence[Swinging], of: Index, pivot: Array, turn: Array, far: Array) -> Array:
    """(m,) how far bodies (m,), which come one after the other, get ahead after turns (m,), clockwise, about points
    (m, 2), with what is left (m,) then."""
    bearing = np.radians([body.facing_deg for body in bodies])[of] + turn
    ahead = np.stack([np.sin(bearing), np.cos(bearing)], axis=-1)
    meetings: list[_Meetings] = []
    way: Array = far * np.array([body.ground.fastest for body in bodies])[of]
    bounds = np.searchsorted(of, np.arange(len(bodies) + 1)).tolist()
    for body, (first, last) in zip(bodies, pairwise(bounds), strict=True):
        mine = slice(first, last)
        centres = body.places(pivot[mine], turn[mine])
        if len(body.couples) and first < last:
            near = _near(body, pivot[mine], ahead[mine], way[mine])
            meetings.append(_Meetings.of(body, centres, turn[mine], near, first))
        if body.table_mm is not None:
            way[mine] = np.minimum(way[mine], _room(centres, ahead[mine], body.table_mm))
        if len(body.ground):
            spots = about(body.at[None], pivot[mine], turn[mine])
            ends = spots + way[mine, None] * ahead[mine]
            way[mine] *= walked(body.ground, spots, ends, far[mine]).share
    if meetings:
        every = _Meetings(
            *(np.concatenate([getattr(one, part.name) for one in meetings]) for part in fields(_Meetings))
        )
        np.minimum.at(way, every.place, every.met(ahead[every.place]))
    return way


def _room(centres: Array, ahead: Array, table_mm: tuple[float, float]) -> Array:
    """(m,) how far bodies of centres (m, n, 2) get along unit vectors (m, 2) until one is at the table's edge."""
    room = np.concatenate([centres.min(axis=1), np.array(table_mm) - centres.max(axis=1)], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        across = np.where(ahead > 0, np.maximum(room[:, 2:], 0.0), np.maximum(room[:, :2], 0.0)) / np.abs(ahead)
    within: Array = np.where(ahead == 0, np.inf, across).min(axis=1)
    return within


def _near(body: Swinging, pivot: Array, ahead: Array, far: Array) -> tuple[Index, Index, Index]:
    """Which bases may meet which segments after which of the turns: those about whose way a segment lies.

    First segments are held against the box of the whole body's way, then what is left against that of each base.
    """
    right = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)
    to = body.bases.centre[None] - pivot[:, None]
    own = unit_vector(body.facing_deg)
    aside, along = to @ np.array([own[1], -own[0]]), to @ own
    margin, size = body.bases.circumradius, body.size
    middle = (body.blockers.start + body.blockers.end) / 2
    off = right @ middle.T - (right * pivot).sum(axis=1)[:, None]
    on = ahead @ middle.T - (ahead * pivot).sum(axis=1)[:, None]
    near = (off + size >= (aside - margin).min(axis=1)[:, None]) & (
        off - size <= (aside + margin).max(axis=1)[:, None]
    )
    near &= on + size >= (along - margin).min(axis=1)[:, None]
    near &= on - size <= ((along + margin).max(axis=1) + far)[:, None]
    place, segment = np.nonzero(near)
    wide = size[segment, None] + margin
    beyond = on[place, segment][:, None] - along[place]
    met = np.abs(off[place, segment][:, None] - aside[place]) <= wide
    met &= (beyond >= -wide) & (beyond <= far[place, None] + wide)
    row, base = np.nonzero(met)
    place, segment = place[row], segment[row]
    paired = body.number[base, segment] >= 0
    return place[paired], base[paired], segment[paired]


@dataclass(frozen=True, eq=False)
class _Meetings:
    """Bases that may meet segments on their way ahead (p,): after which turn, by how much the base is turned then,
    the segment from its centre (p, 2)-(p, 2), what it is rounded by, and a rectangle's corners (p, 4, 2) before the
    turn (a disc's: nothing but its centre)."""

    place: Index
    turn: Array
    start: Array
    end: Array
    rounding: Array
    corners: Array

    @classmethod
    def of(
        cls, body: Swinging, centres: Array, turn: Array, near: tuple[Index, Index, Index], first: int
    ) -> _Meetings:
        """Those of one body at its places (m, n, 2), the first of which has a number among all."""
        place, base, segment = near
        couple, centre = body.number[base, segment], centres[place, base]
        half, rounding = thinner(body.couples.half[couple], body.couples.rounding[couple])
        return cls(
            place + first, turn[place], body.blockers.start[segment] - centre, body.blockers.end[segment] - centre,
            rounding, corners_about(body.bases, base, np.where(body.bases.is_rect[base, None], half, 0.0)),
        )  # fmt: skip

    def met(self, ahead: Array) -> Array:
        """(p,) how far bases get along unit vectors (p, 2) until they meet the segments."""
        rect = np.asarray(self.corners.reshape(-1, 8).any(axis=1), dtype=bool)
        if not rect.any():
            return paired_rays(ahead, self.start, self.end, self.rounding)
        met = np.empty(len(rect))
        disc, other = np.flatnonzero(~rect), np.flatnonzero(rect)
        met[disc] = paired_rays(ahead[disc], self.start[disc], self.end[disc], self.rounding[disc])
        corners = about(self.corners[other], np.zeros(2), self.turn[other, None])
        sides = hexagons(self.start[other], self.end[other], corners)
        rays = paired_rays(np.tile(ahead[other], (12, 1)), *sides, np.tile(self.rounding[other], 12))
        met[other] = rays.reshape(12, -1).min(axis=0)
        return met
