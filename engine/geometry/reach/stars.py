"""What can be reached in one straight line: star-shaped regions of shifts, cut out by what stands in the way.

A region is the rim of the shifts that a body can make from where it stands: in each direction as far as its
allowance, the first contact and the table's edge let it. The rim's points are exact; between two of them it is
drawn straight. Points stand wherever a blocker begins or ends to hide what is behind it, and every three degrees on
arcs, so that the drawing stays within 0.1 mm of an arc of 250 mm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.reach.going import OPEN, Ground, left_along
from engine.geometry.reach.straight import Sums, paired_rays

__all__ = ["Star", "hull_points", "star", "table_room"]

Array = NDArray[np.float64]

_STEP_RAD = np.radians(3.0)
_SLIVER_RAD = 1e-7
_FINER = 6
_RIM = np.stack([np.sin(np.arange(16) * np.pi / 8), np.cos(np.arange(16) * np.pi / 8)], axis=-1)


@dataclass(frozen=True, eq=False)
class Star:
    """The rim of a star-shaped region of shifts: bearings (k,) in radians, rising, and distances (k,) in mm.

    ``full`` tells whether it goes all round; otherwise it is a sector with its tip at no shift.
    """

    bearing_rad: Array
    distance_mm: Array
    full: bool

    @property
    def points(self) -> Array:
        """(k, 2) the outline of the region of shifts, clockwise, the tip of a sector among them."""
        rim = self.distance_mm[:, None] * np.stack([np.sin(self.bearing_rad), np.cos(self.bearing_rad)], axis=-1)
        return rim if self.full else np.concatenate([np.zeros((1, 2)), rim])

    def convex_parts(self, within_mm: float = 0.2) -> list[Array]:
        """The region in convex parts (k, 2), cut from the tip to each inward corner of the rim.

        The rim is thinned to what stays within so many millimetres of it.
        """
        # Without its tip: on a straight line between its neighbours it would be thinned out itself.
        outline = shapely.linearrings(self.points) if self.full else shapely.linestrings(self.points[1:])
        rim = shapely.get_coordinates(shapely.simplify(outline, within_mm, preserve_topology=False))
        if len(rim) < 3:
            rim = self.points if self.full else self.points[1:]
        sides = np.diff(rim, axis=0)
        inward = sides[:-1, 0] * sides[1:, 1] - sides[:-1, 1] * sides[1:, 0] > 1e-6
        if self.full and not inward.any() and (self.distance_mm > 0).all():
            return [rim[:-1]]
        cuts = set((np.flatnonzero(inward) + 1).tolist())
        bearing = np.arctan2(rim[:, 0], rim[:, 1])
        parts, first = [], 0
        for last in range(1, len(rim)):
            wide = last + 1 < len(rim) and (bearing[last + 1] - bearing[first]) % (2 * np.pi) > np.pi
            if last in cuts or wide or last == len(rim) - 1:
                parts.append(np.concatenate([np.zeros((1, 2)), rim[first : last + 1]]))
                first = last
        return parts


def table_room(bases: Bases, table_mm: tuple[float, float]) -> Array:
    """(4,) how far bases can shift to the left, near, right and far until a centre comes to the table's edge."""
    low, high = bases.centre.min(axis=0), bases.centre.max(axis=0)
    room: Array = np.maximum(np.concatenate([low, np.array(table_mm) - high]), 0.0)
    return room


def star(
    sums: Sums,
    reach_mm: float,
    facing_deg: float = 0.0,
    half_deg: float = 180.0,
    room: Array | None = None,
    ground: Ground = OPEN,
    origin: Array | None = None,
) -> Star:
    """The shifts in one straight line up to ``half_deg`` either side of a bearing, 180 for all round.

    ``room`` (4,) is that of `table_room`; ``ground`` is counted along the way of the point ``origin`` (2,), and
    ``reach_mm`` is then the allowance.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.geometry.reach.blockers import outlines_as_blockers
    >>> from engine.geometry.reach.straight import sums_of
    >>> wall = outlines_as_blockers([[(-9, 50), (9, 50), (9, 60), (-9, 60)]], ["wall"])
    >>> from engine.records.game import Round
    >>> one = star(sums_of(bases_of([(0, 0)], [Round(diameter_mm=20)], [0]), wall), 100.0, 0.0, 10.0)
    >>> float(one.distance_mm[one.bearing_rad == 0][0])
    40.001
    """
    far = reach_mm * ground.fastest
    middle = float(np.radians((facing_deg + 180.0) % 360.0 - 180.0))
    half = np.radians(min(half_deg, 180.0))
    near = sums.within(far, np.array([np.sin(middle), np.cos(middle)]) if half_deg <= 90.0 else None)
    full = half_deg >= 180.0
    bearings = _first_bearings(near, far, middle, half, room)
    if len(ground) and origin is not None:
        bearings = np.append(bearings, _bearings_of_corners(ground, origin))
    bearings = _ordered(bearings, middle, half, full)

    def look(angles: Array) -> tuple[Array, Array]:
        return _distances(near, angles, far, room, ground if len(ground) else None, origin, reach_mm)

    distance, kind = look(bearings)
    after = np.roll(kind, -1) if full else np.append(kind[1:], kind[-1])
    gap = np.diff(np.append(bearings, bearings[0] + 2 * np.pi)) if full else np.append(np.diff(bearings), 0.0)
    coarse = np.flatnonzero(((kind != after) | (kind >= 0)) & (gap > 4 * _SLIVER_RAD))
    if len(coarse):
        shares = np.arange(1, _FINER) / _FINER
        extra = (bearings[coarse, None] + shares * gap[coarse, None]).ravel()
        more, _ = look(extra)
        order = np.argsort(np.concatenate([bearings, extra]), kind="stable")
        bearings = np.concatenate([bearings, extra])[order]
        distance = np.concatenate([distance, more])[order]
    return Star(bearings, distance, full)


def _ordered(bearings: Array, middle: float, half: float, full: bool) -> Array:
    """The bearings within the sector, rising from its left end."""
    turn = (bearings - middle + np.pi) % (2 * np.pi) - np.pi
    turn = turn if full else np.append(turn[np.abs(turn) <= half], [-half, half])
    return np.unique(turn) + middle


def _first_bearings(near: Sums, far: float, middle: float, half: float, room: Array | None) -> Array:
    steps = max(2, int(np.ceil(2 * half / _STEP_RAD)) + 1)
    parts = [np.linspace(middle - half, middle + half, steps), np.array([middle])]
    for centre in (near.thin_start, near.thin_end):
        distance = np.hypot(centre[:, 0], centre[:, 1])
        met = distance - near.thin_radius <= far
        towards = np.arctan2(centre[met, 0], centre[met, 1])
        ratio = near.thin_radius[met] / np.maximum(distance[met], 1e-12)
        spread = np.arcsin(np.minimum(ratio, 1.0))
        for side in (-1.0, 1.0):
            parts += [towards + side * (spread - _SLIVER_RAD), towards + side * (spread + _SLIVER_RAD)]
    if room is not None and room.min() < far:
        left, low, right, high = room
        corners = np.array([[-left, -low], [-left, high], [right, -low], [right, high]])
        parts.append(np.arctan2(corners[:, 0], corners[:, 1]))
        for index, (x, y) in enumerate(((-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0))):
            if room[index] < far:
                swing = np.arccos(room[index] / far)
                parts.append(np.arctan2(x, y) + np.array([-swing, swing]))
    return np.concatenate(parts)


def _bearings_of_corners(ground: Ground, origin: Array) -> Array:
    to = ground.start - origin
    towards = np.arctan2(to[:, 0], to[:, 1])
    return np.concatenate([towards - _SLIVER_RAD, towards + _SLIVER_RAD])


def _distances(
    near: Sums, bearings: Array, far: float, room: Array | None, ground: Ground | None, origin: Array | None,
    budget: float,
) -> tuple[Array, Array]:  # fmt: skip
    """How far in each direction, and what ends it there: the number of a rounded segment, -1 the allowance."""
    directions = np.stack([np.sin(bearings), np.cos(bearings)], axis=-1)
    distance, kind = np.full(len(bearings), far), np.full(len(bearings), -1.0)
    if len(near):
        nearest, first = _first_met(near, bearings, directions)
        kind = np.where(nearest < distance, first, kind)
        distance = np.minimum(distance, nearest)
    if room is not None and room.min() < far:
        with np.errstate(divide="ignore", invalid="ignore"):
            across = np.where(
                directions > 0, room[2:] / directions, np.where(directions < 0, room[:2] / -directions, np.inf)
            )
        distance = np.minimum(distance, across.min(axis=1))
    if ground is not None and origin is not None:
        gone = left_along(ground, origin, directions, budget)
        kind = np.where(gone < distance - 1e-9, len(near) + np.round(gone % 1, 3), kind)
        distance = np.minimum(distance, gone)
    return distance, kind


def _first_met(near: Sums, bearings: Array, directions: Array) -> tuple[Array, Array]:
    """How far rays at rising bearings run, and the rounded segment that each meets first.

    Only the rays within the angle under which a segment is seen are looked at.
    """
    low, high = _seen_between(near)
    distance, first = np.full(len(bearings), np.inf), np.full(len(bearings), -1.0)
    for whole in (-2 * np.pi, 0.0, 2 * np.pi):
        begin = np.searchsorted(bearings, low + whole, side="left")
        count = np.searchsorted(bearings, high + whole, side="right") - begin
        total = int(count.sum())
        if not total:
            continue
        which = np.repeat(np.arange(len(near)), count)
        ray = np.arange(total) + np.repeat(begin - np.cumsum(count) + count, count)
        met = paired_rays(directions[ray], near.thin_start[which], near.thin_end[which], near.thin_radius[which])
        np.minimum.at(distance, ray, met)
        nearest = np.isfinite(met) & (met == distance[ray])
        first[ray[nearest]] = which[nearest]
    return distance, first


def _seen_between(near: Sums) -> tuple[Array, Array]:
    """The bearings (k,), in radians, between which each rounded segment is seen from the origin."""
    towards, spread = [], []
    for centre in (near.thin_start, near.thin_end):
        away = np.maximum(np.hypot(centre[:, 0], centre[:, 1]), 1e-12)
        towards.append(np.arctan2(centre[:, 0], centre[:, 1]))
        spread.append(np.arcsin(np.minimum(near.thin_radius / away, 1.0)) + 4 * _SLIVER_RAD)
    swing = (towards[1] - towards[0] + np.pi) % (2 * np.pi) - np.pi
    low = np.minimum(-spread[0], swing - spread[1]) + towards[0]
    high = np.maximum(spread[0], swing + spread[1]) + towards[0]
    return low, high


def hull_points(bases: Bases) -> Array:
    """(k, 2) points whose hull is that of the bases; round ones by 16 points of their rim."""
    discs = bases.centre[~bases.is_rect][:, None] + bases.radius[~bases.is_rect, None, None] * _RIM
    corners = bases.corners()[bases.is_rect]
    spots = np.concatenate([discs.reshape(-1, 2), corners.reshape(-1, 2)])
    if len(spots) < 4:
        return spots
    hull: Array = shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(spots)))[:-1]
    return hull if len(hull) > 2 else spots
