"""The ground that a unit can get to with its allowance, as polygons with their holes.

`region` gives two of them: where the reference point can come to stand, and the footprint, all the ground that the
body's hull can cover. Rulebooks hand in their manoeuvres and numbers; there are none here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import cast

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import Bases
from engine.geometry.directions import unit_vector
from engine.geometry.drawing import Area, area
from engine.geometry.reach.blockers import NOTHING, Blockers, polygonal, valid
from engine.geometry.reach.going import OPEN, Ground
from engine.geometry.reach.stars import Star, hull_points, star, table_room
from engine.geometry.reach.straight import paired_rays, sums_of
from engine.geometry.reach.wheels import turn_until_contact, turned

__all__ = ["Manoeuvre", "Region", "Setting", "Straight", "Wheel", "region", "wheel_ends"]

Array = NDArray[np.float64]
PointMm = tuple[float, float]
Ring = tuple[PointMm, ...]
Geometries = NDArray[np.object_]

_WHEEL_STEP_RAD = np.radians(10.0)
#: How much a polygon handed out may leave the exact one, where that saves points.
_SIMPLER_MM = 0.1
#: How much the shifts may be simplified before a hull is laid at each.
_COARSE_MM = 0.5


class Straight(Struct, frozen=True, kw_only=True):
    """A straight line: up to ``half_deg`` either side of the bearing ``turn_deg`` off the facing.

    ``factor`` is the share of the normal speed, ``cost_mm`` a price paid first (for turning about, say).
    """

    turn_deg: float = 0.0
    half_deg: float = 0.0
    factor: float = 1.0
    cost_mm: float = 0.0


class Wheel(Struct, frozen=True, kw_only=True):
    """A wheel about the end figure of either flank, the outer end's arc measured, the rest straight on.

    ``most_deg`` bounds the turn; ``straight_on`` tells whether what is left may be used straight ahead.
    """

    most_deg: float = 90.0
    straight_on: bool = True
    factor: float = 1.0
    cost_mm: float = 0.0


Manoeuvre = Straight | Wheel


@dataclass(frozen=True, eq=False)
class Setting:
    """What a move has to mind: ``passing`` may not be crossed, ``standing`` may not be ended on (both may be
    touched), ``table_mm`` (width, depth) holds every centre, ``ground`` sets the price."""

    passing: Blockers = NOTHING
    standing: Blockers = NOTHING
    table_mm: tuple[float, float] | None = None
    ground: Ground = OPEN

    def near(self, bases: Bases, reach_mm: float) -> Setting:
        """The same with only what comes near."""
        margin = reach_mm + float(bases.circumradius.max(initial=0.0))
        return Setting(
            self.passing.near(bases.centre, margin), self.standing.near(bases.centre, margin), self.table_mm,
            self.ground.near(bases.centre, margin),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Region:
    """Where a unit can get to: ``places`` of its reference point (in parts that may overlap until they are asked
    for), and the ``footprint`` of its bases; ``start`` is where the reference point is."""

    parts: Geometries
    footprint: BaseGeometry
    start: PointMm = field(default=(0.0, 0.0))

    @cached_property
    def places(self) -> BaseGeometry:
        """Where the reference point can come to stand."""
        return shapely.union_all(self.parts)

    @cached_property
    def rings_mm(self) -> tuple[tuple[Ring, tuple[Ring, ...]], ...]:
        """The footprint as polygons, the one with the start first: each its outline and its holes."""
        return rings(self.footprint, self.start)

    @property
    def outline_mm(self) -> Ring:
        """The outline of the polygon that the start lies in (else the nearest), without its holes; () if none."""
        return self.rings_mm[0][0] if self.rings_mm else ()

    def drawing(self) -> tuple[Area, ...]:
        """The footprint, to be drawn."""
        return tuple(area("reach", outline, holes) for outline, holes in self.rings_mm)


def rings(shape: BaseGeometry, start: PointMm) -> tuple[tuple[Ring, tuple[Ring, ...]], ...]:
    """A geometry's polygons, the nearest to ``start`` first: outlines counter-clockwise, holes clockwise, in
    hundredths of a millimetre, no point repeated.

    >>> rings(shapely.box(0, 0, 2, 1), (0.0, 0.0))
    ((((2.0, 0.0), (2.0, 1.0), (0.0, 1.0), (0.0, 0.0)), ()),)
    """
    parts = [part for part in shapely.get_parts(shape) if shapely.get_type_id(part) == 3 and part.area > 1e-3]
    parts = [part for part in shapely.simplify(np.array(parts, dtype=object), _SIMPLER_MM) if not part.is_empty]
    parts.sort(key=lambda part: (part.distance(shapely.Point(start)), -part.area))
    oriented = shapely.orient_polygons(np.array(parts, dtype=object))
    return tuple((_ring(part.exterior), tuple(_ring(hole) for hole in part.interiors)) for part in oriented)


def _ring(line: shapely.LinearRing) -> Ring:
    points = shapely.get_coordinates(line)[:-1].round(2) + 0.0
    return tuple((x, y) for x, y in points.tolist())


def region(
    bases: Bases,
    facing_deg: float,
    manoeuvres: Sequence[Manoeuvre],
    allowance_mm: float,
    setting: Setting | None = None,
    reference: Array | None = None,
) -> Region:
    """Where a rigid body gets to by any one of the manoeuvres.

    ``reference`` (2,) is the point whose way is measured on ground that slows, and whose places are told; the mean
    of the centres where it is left out.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> found = region(one, 0.0, [Straight(half_deg=45.0), Straight(turn_deg=180.0)], 100.0)
    >>> [round(bound, 1) for bound in found.footprint.bounds]
    [-80.7, -110.0, 80.7, 110.0]
    """
    if not len(bases):
        return Region(np.zeros(0, dtype=object), shapely.Polygon())
    at = bases.centre.mean(axis=0) if reference is None else np.asarray(reference, dtype=float)
    near = (setting or Setting()).near(bases, allowance_mm * (setting.ground.fastest if setting else 1.0))
    hull = hull_points(bases)
    places: list[Geometries] = []
    covered: list[Array] = []
    for manoeuvre in manoeuvres:
        left = max(0.0, allowance_mm - manoeuvre.cost_mm) * manoeuvre.factor
        if isinstance(manoeuvre, Straight):
            some, ground = _straight(bases, facing_deg, manoeuvre, left, near, at, hull)
        else:
            some, ground = _wheel(bases, facing_deg, manoeuvre, left, near, at, hull)
        places.append(some)
        covered += ground
    footprint = on_table(shapely.union_all(_hulls(covered)), near.table_mm)
    closed = [blockers.area(4) for blockers in (near.passing, near.standing) if len(blockers)]
    for one in closed:
        footprint = polygonal(footprint.difference(one))
    return Region(np.concatenate(places), footprint, (float(at[0]), float(at[1])))


def on_table(shape: BaseGeometry, table_mm: tuple[float, float] | None) -> BaseGeometry:
    """The part of a shape that lies on the table."""
    return polygonal(shape if table_mm is None else shape.intersection(shapely.box(0.0, 0.0, *table_mm)))


def _straight(
    bases: Bases, facing_deg: float, manoeuvre: Straight, left: float, setting: Setting, at: Array, hull: Array
) -> tuple[Geometries, list[Array]]:
    bearing = facing_deg + manoeuvre.turn_deg
    room = None if setting.table_mm is None else table_room(bases, setting.table_mm)
    one = star(sums_of(bases, setting.passing), left, bearing, manoeuvre.half_deg, room, setting.ground, at)
    if manoeuvre.half_deg <= 0:
        shifts = np.stack([np.zeros(2), one.distance_mm[0] * unit_vector(bearing)])
        return _hulls([at + shifts]), [_sum(shifts, hull)]
    if not len(setting.standing):
        return np.array([shapely.Polygon(at + one.points)]), [_sum(part, hull) for part in one.convex_parts()]
    free = _without(valid(shapely.Polygon(one.points)), bases, setting.standing)
    parts = shapely.get_parts(
        shapely.constrained_delaunay_triangles(valid(free.simplify(_COARSE_MM, preserve_topology=False)))
    )
    covered = [_sum(shapely.get_coordinates(part)[:-1], hull) for part in parts]
    return np.array([shapely.transform(free, lambda points: points + at)]), covered


def _without(shifts: BaseGeometry, bases: Bases, standing: Blockers) -> BaseGeometry:
    """The shifts after which no base overlaps what may not be ended on."""
    sums = sums_of(bases, standing)
    lines = shapely.linestrings(np.stack([sums.thin_start, sums.thin_end], axis=1))
    around = shapely.buffer(lines, sums.thin_radius, quad_segs=3)
    order = np.argsort(sums.pair, kind="stable")
    number = np.searchsorted(np.unique(sums.pair), sums.pair[order])
    closed = shapely.convex_hull(shapely.multipolygons(around[order], indices=number))
    return polygonal(shifts.difference(shapely.union_all(closed)))


def _hulls(points: Sequence[Array]) -> Geometries:
    """The convex hulls of sets of points (k, 2) each."""
    if not points:
        return np.zeros(0, dtype=object)
    number = np.repeat(np.arange(len(points)), [len(part) for part in points])
    return cast(Geometries, shapely.convex_hull(shapely.multipoints(np.concatenate(points), indices=number)))


def _sum(shifts: Array, hull: Array) -> Array:
    """The points of a hull (h, 2) at every one of shifts (k, 2)."""
    return (shifts[:, None] + hull[None]).reshape(-1, 2)


def wheel_ends(bases: Bases, facing_deg: float) -> tuple[int, int]:
    """Which bases stand at the left and the right end of a front, by their centres; equals: the foremost.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> wheel_ends(bases_of([(0, 0), (50, 0), (25, 0)], [Round(diameter_mm=20)] * 3, [0] * 3), 0.0)
    (0, 1)
    """
    across = bases.centre @ unit_vector(facing_deg + 90.0)
    along = bases.centre @ unit_vector(facing_deg)
    order = np.lexsort((-along, across.round(3)))
    back = np.lexsort((-along, -across.round(3)))
    return int(order[0]), int(back[0])


def _wheel(
    bases: Bases, facing_deg: float, manoeuvre: Wheel, left: float, setting: Setting, at: Array, hull: Array
) -> tuple[Geometries, list[Array]]:
    ends = wheel_ends(bases, facing_deg)
    radius = float(np.hypot(*(bases.centre[ends[0]] - bases.centre[ends[1]])))
    places: list[Array] = []
    covered: list[Array] = []
    if radius <= 0:
        return _hulls([]), covered
    for pivot, sense in ((bases.centre[ends[0]], -1.0), (bases.centre[ends[1]], 1.0)):
        most = min(np.radians(manoeuvre.most_deg), left / radius)
        stop = turn_until_contact(bases, setting.passing, pivot, most, clockwise=sense > 0)
        most = most if stop is None else stop.turn_rad
        turns = np.linspace(0.0, most, max(2, int(np.ceil(most / _WHEEL_STEP_RAD)) + 1))
        rest = left - turns * radius if manoeuvre.straight_on else np.zeros(len(turns))
        shapes, spots = _slices(bases, pivot, sense, turns, rest, facing_deg, setting, hull, at)
        for one, other in pairwise(shapes):
            covered.append(np.concatenate([one, other]))
        for one, other in pairwise(spots):
            places.append(np.concatenate([one, other]))
    return _hulls(places), covered


def _slices(
    bases: Bases, pivot: Array, sense: float, turns: Array, rest: Array, facing_deg: float, setting: Setting,
    hull: Array, at: Array,
) -> tuple[list[Array], list[Array]]:  # fmt: skip
    """After each turn: the hull's and the reference point's places, there and as far as they get straight on."""
    directions = np.stack([unit_vector(facing_deg + np.degrees(sense * turn)) for turn in turns])
    gone = np.minimum(rest, _room_after(bases, pivot, sense * turns, directions, setting))
    shapes: list[Array] = []
    spots: list[Array] = []
    for turn, direction, distance in zip(turns, directions, gone, strict=True):
        for points, found in ((hull, shapes), (at[None], spots)):
            swung = _swung(points, pivot, sense * turn)
            found.append(np.concatenate([swung, swung + distance * direction]))
    return shapes, spots


def _swung(points: Array, pivot: Array, turn_rad: float) -> Array:
    sin, cos, to = np.sin(turn_rad), np.cos(turn_rad), points - pivot
    swung: Array = pivot + np.stack([to[:, 0] * cos + to[:, 1] * sin, to[:, 1] * cos - to[:, 0] * sin], axis=-1)
    return swung


def _room_after(bases: Bases, pivot: Array, turns: Array, directions: Array, setting: Setting) -> Array:
    """(s,) how far the body turned by each of turns (s,) gets along unit vectors (s, 2)."""
    room = np.full(len(turns), np.inf)
    if not len(setting.passing) and setting.table_mm is None:
        return room
    after = [turned(bases, pivot, float(turn)) for turn in turns]
    every = Bases(
        np.concatenate([one.centre for one in after]), np.tile(bases.radius, len(turns)),
        np.tile(bases.half, (len(turns), 1)), np.concatenate([one.bearing_rad for one in after]),
    )  # fmt: skip
    if len(setting.passing):
        sums = sums_of(every, setting.passing)
        slice_of = sums.base[sums.pair] // len(bases)
        met = paired_rays(directions[slice_of], sums.thin_start, sums.thin_end, sums.thin_radius)
        np.minimum.at(room, slice_of, met)
    if setting.table_mm is not None:
        rooms = np.stack([table_room(one, setting.table_mm) for one in after])
        with np.errstate(divide="ignore", invalid="ignore"):
            high, low = rooms[:, 2:] / directions, -rooms[:, :2] / directions
        across = np.where(directions > 0, high, np.where(directions < 0, low, np.inf))
        room = np.minimum(room, across.min(axis=1))
    return room


def spread(one: Star, hull: Array) -> BaseGeometry:
    """The ground that a hull (h, 2) covers at the shifts of a star."""
    return shapely.union_all(_hulls([_sum(part, hull) for part in one.convex_parts()]))
