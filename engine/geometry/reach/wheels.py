"""Rigid bodies that turn about a point: how far until one of their bases meets something.

A corner of a rectangle or the centre of a disc runs along a circle, and a corner of a blocker runs along a circle
as the rectangle sees it; so contacts are where circles meet lines and circles: closed form. Between two such angles
nothing changes, and one look in the middle tells whether the bodies overlap there. Turns are radians; what touches,
overlaps at the start or holds a base is treated as in straight moves (`engine.geometry.reach.straight`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.straight import box_distance, core_distances, each_to_segment, local, scale_to_meet
from engine.geometry.tolerance import MM

__all__ = ["Stop", "orbit_events", "shifted", "turn_until_contact", "turned"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True)
class Stop:
    """What ends a turn: after how many radians, which base meets which shape."""

    turn_rad: float
    base: int
    shape: int


def turned(bases: Bases, pivot: Array, turn_rad: float) -> Bases:
    """The bases turned clockwise about a point (2,); a negative turn goes the other way.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> line = bases_of([(10, 0)], [Round(diameter_mm=5)], [0])
    >>> turned(line, np.zeros(2), np.pi / 2).centre.round(6).tolist()
    [[0.0, -10.0]]
    """
    centre = _about(bases.centre, np.asarray(pivot, dtype=float), turn_rad)
    return replace(bases, centre=centre, bearing_rad=bases.bearing_rad + turn_rad)


def shifted(bases: Bases, shift: Array) -> Bases:
    """The bases moved by a vector (2,)."""
    return replace(bases, centre=bases.centre + shift)


def _about(points: Array, pivot: Array, turn_rad: float) -> Array:
    sin, cos = np.sin(turn_rad), np.cos(turn_rad)
    to = points - pivot
    after: Array = pivot + np.stack(
        [to[..., 0] * cos + to[..., 1] * sin, to[..., 1] * cos - to[..., 0] * sin], axis=-1
    )
    return after


def turn_until_contact(
    bases: Bases, blockers: Blockers, pivot: Array, most_rad: float, clockwise: bool = True
) -> Stop | None:
    """What stops a turn about a point (2,) within ``most_rad`` (at most a full circle), or None.

    >>> from engine.geometry.bases import bases_of
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
    reach = float(np.hypot(*(bases.centre - pivot).T).max(initial=0.0) + _size(bases).max(initial=0.0))
    near = blockers.near(np.asarray(pivot, dtype=float)[None], reach)
    if not len(near) or not len(bases):
        return None
    pivot, sense = np.asarray(pivot, dtype=float), 1.0 if clockwise else -1.0
    held, core = near.holding(bases.centre)[:, near.shape], core_distances(bases, near)
    discs = np.flatnonzero(~bases.is_rect)
    found = [_first(_disc_pairs(bases, near, held, core, discs), pivot, most_rad, sense)]
    for index in np.flatnonzero(bases.is_rect).tolist():
        found.append(_first(_rect_pairs(bases, near, held, core, index), pivot, most_rad, sense))
    turn, base, segment = min(found)
    return Stop(turn, base, int(near.shape[segment])) if np.isfinite(turn) else None


def _size(bases: Bases) -> Array:
    size: Array = bases.radius + np.hypot(bases.half[:, 0], bases.half[:, 1])
    return size


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Bases and segments to look at together: ``base`` and ``segment`` (k,) are their numbers; ``centre`` (k, 2),
    ``half`` (k, 2), ``bearing`` (one for all) of the bases; ``start``, ``end`` (k, 2), ``rounding`` (k,)."""

    base: Index
    segment: Index
    centre: Array
    half: Array
    bearing: float
    start: Array
    end: Array
    rounding: Array


def _disc_pairs(bases: Bases, near: Blockers, held: Mask, core: Array, discs: Index) -> _Pairs:
    rounding = np.minimum(near.rounding + bases.radius[discs, None], core[discs])
    i, j = np.nonzero(~held[discs] & (rounding > 0))
    base = discs[i]
    return _Pairs(
        base, j, bases.centre[base], np.zeros((len(j), 2)), 0.0, near.start[j], near.end[j], rounding[i, j]
    )


def _rect_pairs(bases: Bases, near: Blockers, held: Mask, core: Array, index: int) -> _Pairs:
    one = bases.pick([index])
    scale = np.minimum(scale_to_meet(one.half[0], local(one, near.start), local(one, near.end)), 1.0)
    scale = np.where(core[index] > 0, 1.0, scale)
    j = np.flatnonzero(~held[index] & (scale > 0))
    return _Pairs(
        np.full(len(j), index), j, np.repeat(one.centre, len(j), axis=0), one.half * scale[j, None],
        float(one.bearing_rad[0]), near.start[j], near.end[j], np.minimum(near.rounding, core[index])[j],
    )  # fmt: skip


def _first(pairs: _Pairs, pivot: Array, most: float, sense: float) -> tuple[float, int, int]:
    """The least turn after which a pair overlaps, and the pair; infinite where none does."""
    count = len(pairs.base)
    if not count:
        return np.inf, -1, -1
    angles = np.minimum(_events(pairs, pivot, sense), most)
    angles = np.sort(np.concatenate([np.zeros((count, 1)), angles, np.full((count, 1), most)], axis=1), axis=1)
    depth = _depths(pairs, pivot, sense * (angles[:, :-1] + angles[:, 1:]) / 2)
    crossed = (depth > MM) & (np.diff(angles, axis=1) > 0)
    first = np.where(crossed.any(axis=1), angles[np.arange(count), crossed.argmax(axis=1)], np.inf)
    best = int(first.argmin())
    return float(first[best]), int(pairs.base[best]), int(pairs.segment[best])


def _events(pairs: _Pairs, pivot: Array, sense: float) -> Array:
    """(k, e) the turns at which each pair begins or ends to touch; infinite where there are none."""
    start, end = pairs.start - pivot, pairs.end - pivot
    if not pairs.half.any():
        return orbit_events(pairs.centre - pivot, start, end, pairs.rounding, sense)
    sin, cos = np.sin(pairs.bearing), np.cos(pairs.bearing)
    signed = _CORNERS * pairs.half[:, None]
    corners = signed[..., :1] * np.array([cos, -sin]) + signed[..., 1:] * np.array([sin, cos])
    corners += (pairs.centre - pivot)[:, None]
    found = [orbit_events(corners[:, n], start, end, pairs.rounding, sense) for n in range(4)]
    for spot in (start, end):
        found += [
            orbit_events(spot, corners[:, n], corners[:, (n + 1) % 4], pairs.rounding, -sense) for n in range(4)
        ]
    return np.concatenate(found, axis=1)


def orbit_events(spot: Array, start: Array, end: Array, rounding: Array, sense: float) -> Array:
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


def _turn_to(spot: Array, point: Array, sense: float) -> Array:
    """(k,) how far points must turn about the origin, clockwise for a positive sense, to the bearing of others."""
    turn = np.arctan2(point[:, 0], point[:, 1]) - np.arctan2(spot[:, 0], spot[:, 1])
    return (sense * turn) % (2 * np.pi)


def _depths(pairs: _Pairs, pivot: Array, turns: Array) -> Array:
    """(k, e) how deep each pair overlaps after each turn; below 0 the distance between them.

    The segments are turned back and not the base forward, which is the same.
    """
    shape = turns.shape
    centre = np.repeat(pairs.centre, shape[1], axis=0)
    start, end = (_turned_back(point, pivot, turns).reshape(-1, 2) - centre for point in (pairs.start, pairs.end))
    rounding = np.repeat(pairs.rounding, shape[1])
    if not pairs.half.any():
        return (rounding - each_to_segment(np.zeros((1, 2)), start, end)).reshape(shape)
    start, end = (_about(point, np.zeros(2), -pairs.bearing) for point in (start, end))
    half = np.repeat(pairs.half, shape[1], axis=0)
    apart = box_distance(half, start, end)
    inner = (1.0 - scale_to_meet(half, start, end)) * half.min(axis=-1)
    return np.where(apart > 0, rounding - apart, rounding + inner).reshape(shape)


def _turned_back(points: Array, pivot: Array, turns: Array) -> Array:
    sin, cos, to = np.sin(turns), np.cos(turns), (points - pivot)[:, None]
    back: Array = pivot + np.stack(
        [to[..., 0] * cos - to[..., 1] * sin, to[..., 1] * cos + to[..., 0] * sin], axis=-1
    )
    return back
