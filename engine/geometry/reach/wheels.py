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
from engine.geometry.reach.straight import box_distance, core_distances, local, scale_to_meet, to_segments
from engine.geometry.tolerance import MM

__all__ = ["Stop", "shifted", "turn_until_contact", "turned"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]

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
    held, core = near.holding(bases.centre)[:, near.shape], core_distances(bases, near)
    best: Stop | None = None
    for index in range(len(bases)):
        one = bases.pick([index])
        found = _one_turn(one, near, core[index], held[index], np.asarray(pivot, dtype=float), most_rad, clockwise)
        if found is not None and (best is None or found[0] < best.turn_rad):
            best = Stop(found[0], index, int(near.shape[found[1]]))
    return best


def _size(bases: Bases) -> Array:
    size: Array = bases.radius + np.hypot(bases.half[:, 0], bases.half[:, 1])
    return size


def _one_turn(
    one: Bases, near: Blockers, core: Array, held: NDArray[np.bool_], pivot: Array, most: float, clockwise: bool
) -> tuple[float, int] | None:
    rounding = np.minimum(near.rounding + one.radius[0], core)
    scale = np.ones(len(near))
    if one.is_rect[0]:
        scale = np.minimum(scale_to_meet(one.half[0], local(one, near.start), local(one, near.end)), 1.0)
        scale = np.where(core > 0, 1.0, scale)
    j = np.flatnonzero(~held & ((rounding > 0) | (one.is_rect[0] & (scale > 0))))
    if not len(j):
        return None
    part = near.pick(j)
    angles = _events(one, part, rounding[j], scale[j], pivot, 1.0 if clockwise else -1.0)
    angles = np.where(angles <= most, angles, most)
    angles = np.sort(np.concatenate([np.zeros((len(j), 1)), angles, np.full((len(j), 1), most)], axis=1), axis=1)
    middles = (angles[:, :-1] + angles[:, 1:]) / 2
    depth = _depths(one, part, rounding[j], scale[j], pivot, middles * (1.0 if clockwise else -1.0))
    crossed = (depth > MM) & (np.diff(angles, axis=1) > 0)
    first = np.where(crossed.any(axis=1), angles[np.arange(len(j)), crossed.argmax(axis=1)], np.inf)
    best = int(first.argmin())
    return None if not np.isfinite(first[best]) else (float(first[best]), int(j[best]))


def _events(one: Bases, near: Blockers, rounding: Array, scale: Array, pivot: Array, sense: float) -> Array:
    """(k, e) the turns at which a base and each segment begin or end to touch; infinite where there are none."""
    start, end = near.start - pivot, near.end - pivot
    if not one.is_rect[0]:
        spot = np.broadcast_to(one.centre[0] - pivot, start.shape)
        return _orbit_events(spot, start, end, rounding, sense)
    half = one.half * scale[:, None]
    sin, cos = np.sin(one.bearing_rad[0]), np.cos(one.bearing_rad[0])
    signed = _CORNERS * half[:, None]
    corners = (
        one.centre[0] - pivot + signed[..., :1] * np.array([cos, -sin]) + signed[..., 1:] * np.array([sin, cos])
    )
    found = [_orbit_events(corners[:, n], start, end, rounding, sense) for n in range(4)]
    for spot in (start, end):
        found += [_orbit_events(spot, corners[:, n], corners[:, (n + 1) % 4], rounding, -sense) for n in range(4)]
    return np.concatenate(found, axis=1)


def _orbit_events(spot: Array, start: Array, end: Array, rounding: Array, sense: float) -> Array:
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


def _depths(one: Bases, near: Blockers, rounding: Array, scale: Array, pivot: Array, turns: Array) -> Array:
    """(k, e) how deep a base overlaps each segment after each turn; below 0 the distance between them.

    The segments are turned back and not the base forward, which is the same.
    """
    shape = turns.shape
    back = [_turned_back(point, pivot, turns).reshape(-1, 2) for point in (near.start, near.end)]
    rounding = np.broadcast_to(rounding[:, None], shape).ravel()
    if not one.is_rect[0]:
        depth = rounding - _point_to_each(one.centre[0], *back)
        return depth.reshape(shape)
    start, end = (local(one, point) for point in back)
    half = one.half * np.broadcast_to(scale[:, None], shape).reshape(-1, 1)
    apart = box_distance(half, start, end)
    inner = (1.0 - scale_to_meet(half, start, end)) * half.min(axis=-1)
    return np.where(apart > 0, rounding - apart, rounding + inner).reshape(shape)


def _turned_back(points: Array, pivot: Array, turns: Array) -> Array:
    sin, cos, to = np.sin(turns), np.cos(turns), (points - pivot)[:, None]
    back: Array = pivot + np.stack(
        [to[..., 0] * cos - to[..., 1] * sin, to[..., 1] * cos + to[..., 0] * sin], axis=-1
    )
    return back


def _point_to_each(point: Array, start: Array, end: Array) -> Array:
    distance: Array = to_segments(np.zeros((1, 2)), start - point, end - point)[0]
    return distance
