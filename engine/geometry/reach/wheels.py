"""Rigid bodies that turn about a point: how far until one of their bases meets something.

A corner of a rectangle or the centre of a disc runs along a circle, and a corner of a blocker runs along a circle
as the rectangle sees it; so contacts are where circles meet lines and circles: closed form. Between two such angles
nothing changes, and one look in the middle tells whether the bodies overlap there. Turns are radians; what touches,
overlaps at the start or holds a base is treated as `engine.geometry.reach.overlaps` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.lines import each_to_segment, points_to_segments
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.overlaps import (
    Couples,
    box_distance,
    corners_about,
    couples_of,
    scale_to_meet,
)
from engine.geometry.shapes.bases import Bases

__all__ = [
    "Stop",
    "Turn",
    "Turning",
    "about",
    "orbit_events",
    "shifted",
    "stops_of_turns",
    "turn_until_contact",
    "turned",
]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Stop:
    """What ends a turn: after how many radians, which base meets which shape."""

    turn_rad: float
    base: int
    shape: int


def turned(bases: Bases, pivot: Array, turn_rad: float) -> Bases:
    """The bases turned clockwise about a point (2,); a negative turn goes the other way.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> line = bases_of([(10, 0)], [Round(diameter_mm=5)], [0])
    >>> turned(line, np.zeros(2), np.pi / 2).centre.round(6).tolist()
    [[0.0, -10.0]]
    """
    centre = about(bases.centre, np.asarray(pivot, dtype=float), turn_rad)
    return replace(bases, centre=centre, bearing_rad=bases.bearing_rad + turn_rad)


def shifted(bases: Bases, shift: Array) -> Bases:
    """The bases moved by a vector (2,)."""
    return replace(bases, centre=bases.centre + shift)


def about(points: Array, pivot: Array, turn_rad: Array | float) -> Array:
    """Points (..., 2) turned clockwise about points that broadcast against them, by (...) or one angle."""
    sin, cos = np.sin(turn_rad), np.cos(turn_rad)
    to = points - pivot
    across, along = to[..., 0], to[..., 1]
    after = np.empty(np.broadcast_shapes(to.shape, (*np.shape(turn_rad), 1)))
    after[..., 0] = across * cos + along * sin
    after[..., 1] = along * cos - across * sin
    after += pivot
    return after


def turn_until_contact(
    bases: Bases, blockers: Blockers, pivot: Array, most_rad: float, clockwise: bool = True
) -> Stop | None:
    """What stops a turn about a point (2,) within ``most_rad`` (at most a full circle), or None.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import outlines_as_blockers
    >>> from engine.records.game import Round
    >>> tip = bases_of([(0, 100)], [Round(diameter_mm=20)], [0])
    >>> wall = outlines_as_blockers([[(10, -50), (200, -50), (200, 60), (10, 60)]], ["wall"])
    >>> stop = turn_until_contact(tip, wall, np.zeros(2), np.pi)
    >>> bool(np.isclose(np.cos(stop.turn_rad) * 100, 70))
    True
    >>> turn_until_contact(tip, wall, np.zeros(2), np.pi, clockwise=False) is None
    True
    """
    if not len(blockers) or not len(bases):
        return None
    turn = Turn(np.asarray(pivot, dtype=float), most_rad, clockwise)
    return stops_of_turns([Turning(bases, blockers, [turn])])[0][0]


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn about a point (2,), at most so far (a full circle at most), to one side."""

    pivot: Array
    most_rad: float
    clockwise: bool = True

    @property
    def sense(self) -> float:
        """1 for a clockwise turn, -1 for the other way."""
        return 1.0 if self.clockwise else -1.0


@dataclass(frozen=True, eq=False)
class Turning:
    """A body and the turns that it might make, each by itself; ``couples`` are those of bases and blockers, where
    known."""

    bases: Bases
    blockers: Blockers
    turns: Sequence[Turn]
    couples: Couples | None = None


def stops_of_turns(every: Sequence[Turning]) -> list[list[Stop | None]]:
    """What stops each turn of several bodies, as `turn_until_contact` tells it; all are worked out together."""
    if not every:
        return []
    looked = [_looked_at(one) for one in every]
    parts = [pairs for _, _, pairs in looked if len(pairs.most)]
    first = _first(_joined(parts)) if parts else np.zeros(0)
    ends = np.cumsum([len(pairs.most) for _, _, pairs in looked])[:-1]
    return [
        _stops(one, couples, chosen, mine)
        for one, (couples, chosen, _), mine in zip(every, looked, np.split(first, ends), strict=True)
    ]


def _looked_at(body: Turning) -> tuple[Couples, list[Index], _Pairs]:
    """A body's couples, which of them each of its turns may bring together, and these as pairs."""
    near = [_swept_near(body.bases, body.blockers, turn) for turn in body.turns]
    couples = body.couples
    if couples is None:
        couples = couples_of(body.bases, body.blockers, np.logical_or.reduce(near))
    chosen = [np.flatnonzero(one[couples.base, couples.segment]) for one in near]
    return couples, chosen, _pairs(body.bases, body.blockers, couples, body.turns, chosen)


def _stops(body: Turning, couples: Couples, chosen: Sequence[Index], first: Array) -> list[Stop | None]:
    """The stop of each turn, from the least turns after which each turn's chosen couples overlap."""
    found: list[Stop | None] = []
    for which, mine in zip(chosen, np.split(first, np.cumsum([len(one) for one in chosen])[:-1]), strict=True):
        best = int(mine.argmin()) if len(mine) else -1
        if best < 0 or not np.isfinite(mine[best]):
            found.append(None)
        else:
            pair = which[best]
            shape = int(body.blockers.shape[couples.segment[pair]])
            found.append(Stop(float(mine[best]), int(couples.base[pair]), shape))
    return found


def _swept_near(bases: Bases, blockers: Blockers, turn: Turn) -> Mask:
    """(n, k) which bases may come to which segments: those within a circle about all that a base sweeps, and of
    the distance from the pivot at which it does."""
    to, size = bases.centre - turn.pivot, bases.circumradius[:, None] + blockers.rounding + MM
    orbit, half = np.hypot(to[:, 0], to[:, 1]), min(turn.most_rad / 2, np.pi / 2)
    middle = turn.pivot + np.cos(half) * about(to, np.zeros(2), turn.sense * half)
    if turn.most_rad > np.pi:
        middle = np.broadcast_to(turn.pivot, to.shape)
    near = points_to_segments(middle, blockers.start, blockers.end) <= (np.sin(half) * orbit)[:, None] + size
    ends = [np.hypot(*(point - turn.pivot).T) for point in (blockers.start, blockers.end)]
    reached: Mask = near & (np.maximum(*ends) >= orbit[:, None] - size)
    return reached


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Bases and segments to look at together: ``centre`` (k, 2), ``half`` (k, 2), ``corners`` (k, 4, 2) from the
    centre, of the bases; ``start``, ``end`` (k, 2), ``rounding`` (k,); all from the pivot about which the base
    turns, by ``most`` (k,), clockwise where ``sense`` (k,) is 1."""

    centre: Array
    half: Array
    corners: Array
    start: Array
    end: Array
    rounding: Array
    most: Array
    sense: Array

    def pick(self, which: Index) -> _Pairs:
        """Some of the pairs."""
        return _Pairs(*(getattr(self, part.name)[which] for part in fields(self)))


def _joined(parts: Sequence[_Pairs]) -> _Pairs:
    """Pairs of several bodies as one row."""
    return _Pairs(*(np.concatenate([getattr(one, part.name) for one in parts]) for part in fields(_Pairs)))


def _pairs(
    bases: Bases, blockers: Blockers, couples: Couples, turns: Sequence[Turn], chosen: Sequence[Index]
) -> _Pairs:
    pair, counts = np.concatenate(chosen), [len(which) for which in chosen]
    pivot = np.repeat([turn.pivot for turn in turns], counts, axis=0)
    base, segment, half = couples.base[pair], couples.segment[pair], couples.half[pair]
    return _Pairs(
        bases.centre[base] - pivot, half, corners_about(bases, base, half),
        blockers.start[segment] - pivot, blockers.end[segment] - pivot, couples.rounding[pair],
        np.repeat([turn.most_rad for turn in turns], counts), np.repeat([turn.sense for turn in turns], counts),
    )  # fmt: skip


def _first(pairs: _Pairs) -> Array:
    """(k,) the least turn after which each pair overlaps; infinite where it never does."""
    first, rect = np.full(len(pairs.most), np.inf), pairs.half.any(axis=1)
    for which, events_of, depths_of in (
        (np.flatnonzero(~rect), _disc_events, _disc_depths), (np.flatnonzero(rect), _rect_events, _rect_depths),
    ):  # fmt: skip
        if not len(which):
            continue
        some = pairs.pick(which)
        most = some.most[:, None]
        angles = np.concatenate([np.zeros_like(most), np.minimum(events_of(some), most), most], axis=1)
        angles.sort(axis=1)
        row, place = np.nonzero(np.diff(angles, axis=1) > 0)
        middle = (angles[row, place] + angles[row, place + 1]) / 2
        crossed = depths_of(some.pick(row), middle) > MM
        np.minimum.at(first, which[row[crossed]], angles[row, place][crossed])
    return first


def _disc_events(pairs: _Pairs) -> Array:
    """(k, e) the turns at which each pair begins or ends to touch; infinite where there are none."""
    return orbit_events(pairs.centre, pairs.start, pairs.end, pairs.rounding, pairs.sense)


def _rect_events(pairs: _Pairs) -> Array:
    corners = pairs.centre[:, None] + pairs.corners
    found = []
    for n in range(4):
        here, after = corners[:, n], corners[:, (n + 1) % 4]
        found.append(orbit_events(here, pairs.start, pairs.end, pairs.rounding, pairs.sense))
        found += [
            orbit_events(spot, here, after, pairs.rounding, -pairs.sense) for spot in (pairs.start, pairs.end)
        ]
    return np.concatenate(found, axis=1)


def _disc_depths(pairs: _Pairs, turn: Array) -> Array:
    """(k,) how deep each pair overlaps after its turn; below 0 the distance between them.

    The segments are turned back and not the base forward, which is the same.
    """
    start, end = (about(point, np.zeros(2), -pairs.sense * turn) for point in (pairs.start, pairs.end))
    return pairs.rounding - each_to_segment(pairs.centre, start, end)


def _rect_depths(pairs: _Pairs, turn: Array) -> Array:
    right = (pairs.corners[:, 1] - pairs.corners[:, 0]) / (2 * pairs.half[:, :1])
    ends = []
    for point in (pairs.start, pairs.end):
        to = about(point, np.zeros(2), -pairs.sense * turn) - pairs.centre
        ends.append(np.stack([to[:, 0] * right[:, 0] + to[:, 1] * right[:, 1],
                              to[:, 1] * right[:, 0] - to[:, 0] * right[:, 1]], axis=-1))  # fmt: skip
    scale = scale_to_meet(pairs.half, ends[0], ends[1])
    apart = box_distance(pairs.half, ends[0], ends[1], scale)
    inner = (1.0 - scale) * pairs.half.min(axis=-1)
    return np.where(apart > 0, pairs.rounding - apart, pairs.rounding + inner)


def orbit_events(spot: Array, start: Array, end: Array, rounding: Array, sense: Array | float) -> Array:
    """(k, 8) the turns after which points (k, 2) on circles about the origin meet rounded segments' rims."""
    along = end - start
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.where(length > 0, length, 1.0)[:, None]
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=-1)
    radius, offset = np.hypot(spot[:, 0], spot[:, 1]), (start * normal).sum(axis=-1)
    found = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for side in (-1.0, 1.0):
            away = offset + side * rounding
            half = np.sqrt(radius**2 - away**2)
            for sign in (-1.0, 1.0):
                point = away[:, None] * normal + (sign * half)[:, None] * unit
                foot = ((point - start) * unit).sum(axis=-1)
                on = (foot >= -MM) & (foot <= length + MM) & (length > 0)
                found.append(np.where(on, _turn_to(spot, point, sense), np.inf))
        for centre in (start, end):
            distance = np.hypot(centre[:, 0], centre[:, 1])
            cosine = (radius**2 + distance**2 - rounding**2) / (2 * radius * distance)
            spread, towards = np.arccos(cosine), np.arctan2(centre[:, 0], centre[:, 1])
            for sign in (-1.0, 1.0):
                bearing = towards + sign * spread
                point = np.stack([np.sin(bearing), np.cos(bearing)], axis=-1)
                found.append(np.where(np.abs(cosine) <= 1, _turn_to(spot, point, sense), np.inf))
    events = np.stack(found, axis=1)
    return np.where(np.isfinite(events), events, np.inf)


def _turn_to(spot: Array, point: Array, sense: Array | float) -> Array:
    """(k,) how far points must turn about the origin, clockwise for a positive sense, to the bearing of others."""
    turn = np.arctan2(point[:, 0], point[:, 1]) - np.arctan2(spot[:, 0], spot[:, 1])
    return (sense * turn) % (2 * np.pi)
