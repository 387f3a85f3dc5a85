"""What can be reached in one straight line: star-shaped regions of shifts, cut out by what stands in the way.

A region is the rim of the shifts that a body can make from where it stands: in each direction as far as its
allowance, the first contact and the table's edge let it (`engine.geometry.reach.rims`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.reach.going import OPEN, Ground
from engine.geometry.reach.rims import Met, Pace, Sectors, corners_and_sides, rims, together
from engine.geometry.reach.straight import Sums
from engine.geometry.shapes.bases import Bases

__all__ = ["Asked", "Lookout", "Star", "convex_parts_of", "hull_points", "seen_from", "star", "stars", "table_room"]

Array = NDArray[np.float64]
Geometries = NDArray[np.object_]

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

    def convex_parts(self, within_mm: float = 0.35) -> list[Array]:
        """The region in convex parts (k, 2), cut from the tip to each inward corner of the rim.

        The rim is thinned to what stays within so many millimetres of it.
        """
        return convex_parts_of([self], within_mm)[0]

    def _cut_up(self, rim: Array) -> list[Array]:
        """The parts of the region with a thinned rim (k, 2)."""
        if len(rim) < 3:
            rim = self.points if self.full else self.points[1:]
        sides = np.diff(rim, axis=0)
        inward = sides[:-1, 0] * sides[1:, 1] - sides[:-1, 1] * sides[1:, 0] > 1e-6
        if self.full and not inward.any() and (self.distance_mm > 0).all():
            return [rim[:-1]]
        cuts = set((np.flatnonzero(inward) + 1).tolist())
        bearing = np.arctan2(rim[:, 0], rim[:, 1]).tolist()
        parts, first, tip = [], 0, np.zeros((1, 2))
        for last in range(1, len(rim)):
            wide = last + 1 < len(rim) and (bearing[last + 1] - bearing[first]) % (2 * np.pi) > np.pi
            if last in cuts or wide or last == len(rim) - 1:
                parts.append(np.concatenate([tip, rim[first : last + 1]]))
                first = last
        return parts


def convex_parts_of(every: Sequence[Star], within_mm: float = 0.35) -> list[list[Array]]:
    """The regions of stars in convex parts, as `Star.convex_parts` has them: for each star its rings (n, 2) in
    mm."""
    if not every:
        return []
    # Without their tips: on a straight line between its neighbours a tip would be thinned out itself.
    outlines = [np.concatenate([one.points, one.points[:1]]) if one.full else one.points[1:] for one in every]
    counts = [len(outline) for outline in outlines]
    lines = shapely.linestrings(np.concatenate(outlines), indices=np.repeat(np.arange(len(every)), counts))
    rims = shapely.simplify(lines, within_mm, preserve_topology=False)
    points, of = shapely.get_coordinates(rims, return_index=True)
    bounds = np.searchsorted(of, np.arange(len(every) + 1)).tolist()
    return [one._cut_up(points[slice(*bound)]) for one, bound in zip(every, pairwise(bounds), strict=True)]


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

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import outlines_as_blockers
    >>> from engine.geometry.reach.straight import sums_of
    >>> wall = outlines_as_blockers([[(-9, 50), (9, 50), (9, 60), (-9, 60)]], ["wall"])
    >>> from engine.records.game import Round
    >>> one = star(sums_of(bases_of([(0, 0)], [Round(diameter_mm=20)], [0]), wall), 100.0, 0.0, 10.0)
    >>> float(one.distance_mm[one.bearing_rad == 0][0])
    40.001
    """
    return stars([Asked(sums, [(reach_mm, facing_deg, half_deg)], room, ground, origin)])[0][0]


@dataclass(frozen=True, eq=False)
class Asked:
    """Several stars of the same shifts: for each how far at most, the bearing, how far either side in degrees; the
    rest as `star` has it."""

    sums: Sums
    sectors: Sequence[tuple[float, float, float]]
    room: Array | None = None
    ground: Ground = OPEN
    origin: Array | None = None

    def part(self) -> tuple[Met, Sectors]:
        """What is in the way of them, and what is asked."""
        reach, facing, half = np.array(self.sectors, dtype=float).reshape(-1, 3).T
        far, count, sums = reach * self.ground.fastest, len(self.sectors), self.sums
        origin, paces = self.origin, tuple[Pace, ...]()
        if origin is not None and len(self.ground):
            paces = tuple(Pace(self.ground, origin, left) for left in reach.tolist())
        asked = Sectors(
            far, np.radians((facing + 180.0) % 360.0 - 180.0), np.radians(np.minimum(half, 180.0)),
            np.broadcast_to(np.inf if self.room is None else self.room, (count, 4)),
            paces,
        )  # fmt: skip
        return corners_and_sides(np.zeros((count, 2)), far, sums.thin_start, sums.thin_end, sums.thin_radius), asked


def stars(every: Sequence[Asked]) -> list[list[Star]]:
    """The stars that several bodies ask for, all worked out together: no slower for each than one alone."""
    if not every:
        return []
    corners, sides, sectors = together([asked.part() for asked in every])
    found = rims(corners, sides, sectors)
    each = iter([
        Star(found.bearing_rad[mine], found.distance_mm[mine], bool(full))
        for mine, full in zip(found.of_each(len(sectors)), sectors.full, strict=True)
    ])  # fmt: skip
    return [list(islice(each, len(asked.sectors))) for asked in every]


@dataclass(frozen=True, eq=False)
class Lookout:
    """Points (s, 2) to look from, as far as what is left (s,) there; rounded segments (k, 2)-(k, 2) of ``radius``
    (k,) are in the way."""

    points: Array
    left_mm: Array
    start: Array
    end: Array
    radius: Array
    ground: Ground = OPEN

    def part(self) -> tuple[Met, Sectors]:
        """What is in the way, and what is asked."""
        far, count = self.left_mm * self.ground.fastest, len(self.points)
        couples = zip(self.points, self.left_mm.tolist(), strict=True)
        paces = tuple(Pace(self.ground, at, left) for at, left in couples) if len(self.ground) else ()
        around = Sectors(far, np.zeros(count), np.full(count, np.pi), np.full((count, 4), np.inf), paces)
        return corners_and_sides(self.points, far, self.start, self.end, self.radius), around


def seen_from(every: Sequence[Lookout]) -> list[Geometries]:
    """What is seen from each point of several lookouts, as polygons.

    >>> post = np.array([[0.0, 50.0]])
    >>> seen = seen_from([Lookout(np.zeros((1, 2)), np.array([80.0]), post, post, np.array([10.0]))])[0][0]
    >>> [seen.contains(shapely.Point(0, y)) for y in (39, 41, 70)]
    [True, False, False]
    """
    if not every:
        return []
    found = rims(*together([lookout.part() for lookout in every]))
    points = np.concatenate([lookout.points for lookout in every])
    outlines = shapely.linearrings(points[found.star] + found.points, indices=found.star)
    shapes = cast(Geometries, shapely.polygons(outlines))
    return np.split(shapes, np.cumsum([len(lookout.points) for lookout in every])[:-1])


def hull_points(bases: Bases) -> Array:
    """(k, 2) points whose hull is that of the bases; round ones by 16 points of their rim."""
    discs = bases.centre[~bases.is_rect][:, None] + bases.radius[~bases.is_rect, None, None] * _RIM
    corners = bases.corners()[bases.is_rect]
    spots = np.concatenate([discs.reshape(-1, 2), corners.reshape(-1, 2)])
    if len(spots) < 4:
        return spots
    hull: Array = shapely.get_coordinates(shapely.convex_hull(shapely.linestrings(spots)))[:-1]
    return hull if len(hull) > 2 else spots
