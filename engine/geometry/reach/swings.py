"""Wheels of which the rest is used straight on: how far a body gets after each turn, for several wheels at once.

A body that has turned goes ahead as far as its allowance, the first contact and the table's edge let it. That is
looked at every two and a half degrees; where it changes fast between two such turns, four times as closely, and
once more. Of all these only so many are told as are needed to draw the ground between them straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.directions import unit_vector
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.overlaps import Couples, corners_about
from engine.geometry.reach.rays import paired_rays
from engine.geometry.reach.straight import hexagons, thinner
from engine.geometry.reach.wheels import Turn, about

__all__ = ["Swinging", "slices_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: At which turns one looks first, and of how many of them one is always told.
_STEP_RAD, _EVEN = np.radians(2.5), 3
#: By how much the way ahead may change from one turn to the next before one looks in between; into how many such a
#: gap is cut, and how often.
_FAST_MM, _FINER, _ROUNDS = 2.0, 4, 2
#: How far what is told may leave what was looked at.
_OFF_MM = 0.3
#: What lies between the turns of one wheel and those of the next, so that all can be sorted as one row.
_APART_RAD = 16.0


@dataclass(frozen=True, eq=False)
class Swinging:
    """A body that wheels and goes on: its bases, how they face, what may stop which of them (`couples`), and the
    table (width, depth) that holds every centre, if any."""

    bases: Bases
    facing_deg: float
    blockers: Blockers
    couples: Couples
    table_mm: tuple[float, float] | None = None

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


def slices_of(body: Swinging, turns: Sequence[Turn], left_mm: float, arm_mm: float) -> list[tuple[Array, Array]]:
    """For each wheel turns (s,) in radians, rising from none to the most, and how far (s,) one gets after each.

    The allowance ``left_mm`` pays first for the turn, by the arc at ``arm_mm`` from the pivot.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.geometry.reach.blockers import NOTHING
    >>> from engine.geometry.reach.overlaps import couples_of
    >>> from engine.records.game import Round
    >>> pair = bases_of([(0, 0), (50, 0)], [Round(diameter_mm=20)] * 2, [0, 0])
    >>> body = Swinging(pair, 0.0, NOTHING, couples_of(pair, NOTHING))
    >>> turn, ahead = slices_of(body, [Turn(np.zeros(2), 0.2, False)], 100.0, 50.0)[0]
    >>> turn.round(3).tolist(), ahead.round(3).tolist()
    ([0.0, 0.2], [100.0, 90.0])
    """
    gaps = [max(1, int(np.ceil(turn.most_rad / _STEP_RAD / _EVEN))) * _EVEN for turn in turns]
    turn = np.concatenate(
        [np.linspace(0.0, one.most_rad, count + 1) for one, count in zip(turns, gaps, strict=True)]
    )
    even = np.concatenate([np.arange(count + 1) % _EVEN == 0 for count in gaps])
    of = np.repeat(np.arange(len(turns)), [count + 1 for count in gaps])

    def rest(turn: Array) -> Array:
        return np.maximum(left_mm - turn * arm_mm, 0.0)

    def gone(turn: Array, of: Index) -> Array:
        pivots, senses = np.array([one.pivot for one in turns]), np.array([one.sense for one in turns])
        return _ways(body, pivots[of], senses[of] * turn, rest(turn))

    way = gone(turn, of)
    for _ in range(_ROUNDS):
        fast = np.flatnonzero((np.abs(np.diff(rest(turn) - way)) > _FAST_MM) & (np.diff(of) == 0))
        if not len(fast):
            break
        shares = np.arange(1, _FINER) / _FINER
        more = (turn[fast, None] + shares * np.diff(turn)[fast, None]).ravel()
        of_more = np.repeat(of[fast], _FINER - 1)
        turn, of = np.concatenate([turn, more]), np.concatenate([of, of_more])
        order = np.argsort(of * _APART_RAD + turn, kind="stable")
        way = np.concatenate([way, gone(more, of_more)])[order]
        even = np.concatenate([even, np.zeros(len(more), dtype=bool)])[order]
        turn, of = turn[order], of[order]
    return [_thinned(turn[of == n], way[of == n], even[of == n], left_mm) for n in range(len(turns))]


def _thinned(turn: Array, way: Array, even: NDArray[np.bool_], far: float) -> tuple[Array, Array]:
    """The even turns, and between them those without which the ways would be drawn wrongly, at ``far`` from the
    pivot."""
    if turn[-1] <= 0:
        return turn[[0, -1]], way[[0, -1]]
    part = np.cumsum(even) - 1
    begins = np.flatnonzero(even)[1:-1]  # both the end of one part and the beginning of the next
    row = np.sort(np.concatenate([np.arange(len(turn)), begins]))
    number = np.sort(np.concatenate([np.minimum(part, part[-1] - 1), part[begins] - 1]))
    scale = max(far, 1.0)
    lines = shapely.linestrings(np.column_stack([turn[row] * scale, way[row]]), indices=number)
    kept = shapely.get_coordinates(shapely.simplify(lines, _OFF_MM, preserve_topology=False))
    fresh = np.append(True, np.diff(kept[:, 0]) > 0)
    return kept[fresh, 0] / scale, kept[fresh, 1]


def _ways(body: Swinging, pivot: Array, turn: Array, far: Array) -> Array:
    """(m,) how far the body gets ahead after turns (m,), clockwise, about points (m, 2), within (m,)."""
    bearing = np.radians(body.facing_deg) + turn
    ahead = np.stack([np.sin(bearing), np.cos(bearing)], axis=-1)
    way = far.copy()
    if len(body.couples):
        place, base, segment = _near(body, pivot, ahead, far)
        met = _met(body, ahead[place], body.places(pivot, turn)[place, base], turn[place], base, segment)
        np.minimum.at(way, place, met)
    if body.table_mm is not None:
        centres = body.places(pivot, turn)
        room = np.concatenate([centres.min(axis=1), np.array(body.table_mm) - centres.max(axis=1)], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            across = np.where(ahead > 0, np.maximum(room[:, 2:], 0.0), np.maximum(room[:, :2], 0.0)) / np.abs(ahead)
        way = np.minimum(way, np.where(ahead == 0, np.inf, across).min(axis=1))
    return way


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


def _met(body: Swinging, ahead: Array, centre: Array, turn: Array, base: Index, segment: Index) -> Array:
    """(p,) how far bases (p,) at their places (p, 2) after turns (p,) get ahead until they meet segments (p,)."""
    couple = body.number[base, segment]
    half, rounding = thinner(body.couples.half[couple], body.couples.rounding[couple])
    start, end = (points[segment] - centre for points in (body.blockers.start, body.blockers.end))
    rect = body.bases.is_rect[base]
    if not rect.any():
        return paired_rays(ahead, start, end, rounding)
    met = np.empty(len(base))
    disc, other = np.flatnonzero(~rect), np.flatnonzero(rect)
    met[disc] = paired_rays(ahead[disc], start[disc], end[disc], rounding[disc])
    corners = about(corners_about(body.bases, base[other], half[other]), np.zeros(2), turn[other, None])
    sides = hexagons(start[other], end[other], corners)
    rays = paired_rays(np.tile(ahead[other], (12, 1)), *sides, np.tile(rounding[other], 12))
    met[other] = rays.reshape(12, -1).min(axis=0)
    return met
