"""The ground that a unit can get to with its allowance, as polygons with their holes.

`region` gives two of them: where the reference point can come to stand, and the footprint, all the ground that the
body's hull can cover. Rulebooks hand in their manoeuvres and numbers; there are none here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple, cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.drawing import Area, area
from engine.geometry.reach.areas import NO_SHAPES, Geometries, on_tables, unions
from engine.geometry.reach.blockers import valid
from engine.geometry.reach.cutting import cut
from engine.geometry.reach.endings import off_closed_ground, where_it_may_end
from engine.geometry.reach.movers import (
    Body,
    Manoeuvre,
    Mover,
    Setting,
    Straight,
    Wheel,
    body_of,
    farthest_mm,
    left_for,
    wheel_ends,
)
from engine.geometry.reach.outlines import PointMm, Ring, rings_of
from engine.geometry.reach.stars import Asked, Star, stars, table_room
from engine.geometry.reach.straight import sums_of
from engine.geometry.reach.swings import Swing, Swinging, slices_of
from engine.geometry.reach.wheel_endings import places_of_wheel
from engine.geometry.reach.wheels import Turn, Turning, about, stops_of_turns
from engine.geometry.shapes.bases import Bases
from engine.geometry.side_by_side import in_halves

__all__ = [
    "Manoeuvre", "Mover", "Passable", "Region", "Setting", "Straight", "Wheel", "drawn", "farthest_mm", "prepared",
    "region", "regions_of", "told", "wheel_ends",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: So many bodies are worth a second thread: fewer are drawn as soon without it, in less of the processors' time.
_FOR_TWO = 8
#: How much the shifts may be simplified before a hull is laid at each.
_COARSE_MM = 0.5


#: Ground that is drawn when it is asked for.
Drawing = Callable[[], BaseGeometry]


class Passable(NamedTuple):
    """Ground that figures may pass, ending there or not, and the marks of all that it follows from."""

    marks: tuple[object, ...]
    ground: BaseGeometry


@dataclass(frozen=True, eq=False)
class Region:
    """Where a unit can get to: ``places`` of its reference point (drawn when they are asked for), and the
    ``footprint`` of its bases; ``start`` is where the reference point is. What loose figures may pass is told in
    ``passable``: it serves to work the region out again."""

    placed: Drawing
    footprint: BaseGeometry
    start: PointMm = field(default=(0.0, 0.0))
    passable: Sequence[Passable] = ()

    @cached_property
    def places(self) -> BaseGeometry:
        """Where the reference point can come to stand."""
        return self.placed()

    @cached_property
    def rings_mm(self) -> tuple[tuple[Ring, tuple[Ring, ...]], ...]:
        """The footprint as polygons, the one with the start first: each its outline and its holes."""
        return rings_of([self.footprint], [self.start])[0]

    @property
    def outline_mm(self) -> Ring:
        """The outline of the polygon that the start lies in (else the nearest), without its holes; () if none."""
        return self.rings_mm[0][0] if self.rings_mm else ()

    def drawing(self) -> tuple[Area, ...]:
        """The footprint, to be drawn."""
        return tuple(area("reach", outline, holes) for outline, holes in self.rings_mm)


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

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> found = region(one, 0.0, [Straight(half_deg=45.0), Straight(turn_deg=180.0)], 100.0)
    >>> [round(bound, 1) for bound in found.footprint.bounds]
    [-80.7, -110.0, 80.7, 110.0]
    """
    return regions_of([Mover(bases, facing_deg, manoeuvres, allowance_mm, setting or Setting(), reference)])[0]


def regions_of(movers: Sequence[Mover]) -> list[Region]:
    """The regions of several bodies, each as `region` gives it to the last bit; together they take less time.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> found = regions_of([Mover(one, facing, [Straight()], 100.0) for facing in (0.0, 90.0)])
    >>> [[round(bound) for bound in each.footprint.bounds] for each in found]
    [[-10, -10, 10, 110], [-10, -10, 110, 10]]
    """
    return drawn(prepared(movers))


@dataclass(frozen=True, eq=False)
class Prepared:
    """Bodies about to move of which all is known but the drawing; None for those without a base."""

    tasks: Sequence[_Task | None]


def prepared(movers: Sequence[Mover]) -> Prepared:
    """The first half of `regions_of`, which mostly numpy does."""
    some = [mover for mover in movers if len(mover.bases)]
    bodies = [body_of(mover) for mover in some]
    straight = [[one for one in mover.manoeuvres if isinstance(one, Straight)] for mover in some]
    asked = [_asked(*each) for each in zip(some, bodies, straight, strict=True)]
    tasks = zip(bodies, straight, stars(asked), _wheels(some, bodies), strict=True)
    return Prepared([next(tasks) if len(mover.bases) else None for mover in movers])


def drawn(bodies: Prepared) -> list[Region]:
    """The other half, which mostly shapely does: so two threads share it where there are many."""
    found = iter(in_halves(_drawn, [task for task in bodies.tasks if task is not None], _FOR_TWO))
    return [Region(shapely.Polygon, shapely.Polygon()) if task is None else next(found) for task in bodies.tasks]


def told(regions: Sequence[Region]) -> None:
    """Works the rings of several regions out together, which takes less time."""
    fresh = [one for one in regions if "rings_mm" not in one.__dict__]
    every = rings_of([one.footprint for one in fresh], [one.start for one in fresh])
    for one, rings in zip(fresh, every, strict=True):
        one.__dict__["rings_mm"] = rings


def _drawn(tasks: Sequence[_Task]) -> list[Region]:
    """The regions of bodies whose stars and wheels are known."""
    bodies = [body for body, *_ in tasks]
    ahead, swung = _Shapes(), _Shapes()
    for number, (body, straight, found, wheels) in enumerate(tasks):
        _note_straight(ahead, number, body, straight, found)
        for wheel in wheels:
            wheel.note(swung, number, body)
    footprint = unions(*ahead.covered(), len(tasks))
    covered, owner = swung.covered()
    if len(covered):
        shapely.prepare(footprint)
        rest = np.flatnonzero(~shapely.covers(footprint[owner], covered))
        owner, whole = owner[rest], np.arange(len(tasks))
        order = np.argsort(np.concatenate([whole, owner]), kind="stable")
        footprint = unions(
            np.concatenate([footprint, covered[rest]])[order], np.concatenate([whole, owner])[order], len(tasks)
        )
    footprint = on_tables(footprint, [body.setting.table_mm for body in bodies])
    solids = [(*body.setting.passing.solids, *body.setting.standing.solids) for body in bodies]
    footprint = cut(footprint, solids, 4, np.zeros(len(tasks)).tolist())
    return [
        Region(partial(_placed, [ahead, swung], number, body), shape, (float(body.at[0]), float(body.at[1])))
        for number, (shape, body) in enumerate(zip(footprint, bodies, strict=True))
    ]


@dataclass(eq=False)
class _Shapes:
    """Places of reference points and ground that hulls cover, by the number of their body: drawings, and points
    (k, 2) of which the convex hull is meant."""

    standing: list[tuple[int, Drawing]] = field(default_factory=list)
    hulls: list[tuple[int, Array]] = field(default_factory=list)

    def covered(self) -> tuple[Geometries, Index]:
        """The ground that is covered, and whose it is."""
        return _hulls([points for _, points in self.hulls]), np.array([n for n, _ in self.hulls], dtype=np.intp)


def _placed(shapes: Sequence[_Shapes], number: int, body: Body) -> BaseGeometry:
    """The places of one body."""
    places = shapely.union_all([draw() for one in shapes for of, draw in one.standing if of == number])
    return off_closed_ground(places, body.setting.ground)


def _asked(mover: Mover, body: Body, manoeuvres: Sequence[Straight]) -> Asked:
    """The stars of a body's straight moves."""
    return Asked(
        sums_of(body.bases, body.setting.passing, body.couples),
        [(left_for(one, mover.allowance_mm), body.facing_deg + one.turn_deg, one.half_deg) for one in manoeuvres],
        None if body.setting.table_mm is None else table_room(body.bases, body.setting.table_mm),
        body.setting.ground, body.at,
    )  # fmt: skip


def _note_straight(
    shapes: _Shapes, number: int, body: Body, manoeuvres: Sequence[Straight], found: Sequence[Star]
) -> None:
    """Notes the places by straight moves whose stars were found, and the ground that the hull covers on them."""
    shifts: list[Array] = []
    for manoeuvre, one in zip(manoeuvres, found, strict=True):
        if manoeuvre.half_deg <= 0:
            shifts.append(one.points)
            shapes.standing.append((number, partial(_line, body, one.points)))
        elif not len(body.setting.standing):
            shifts += one.convex_parts()
            shapes.standing.append((number, partial(shapely.Polygon, body.at + one.points)))
        else:
            free = where_it_may_end(valid(shapely.Polygon(one.points)), body.bases, body.setting.standing)
            coarse = valid(free.simplify(_COARSE_MM, preserve_topology=False))
            triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(coarse))
            shifts += [shapely.get_coordinates(part)[:-1] for part in triangles]
            shapes.standing.append((number, partial(shapely.transform, free, partial(np.add, body.at))))
    shapes.hulls += [(number, _sum(part, body.hull)) for part in shifts]


def _line(body: Body, points: Array) -> BaseGeometry:
    """The places of a body along a line of shifts (k, 2)."""
    free = where_it_may_end(_hull(points), body.bases, body.setting.standing)
    return shapely.transform(free, partial(np.add, body.at))


def _hulls(points: Sequence[Array] | Array) -> Geometries:
    """The convex hulls of sets of points (k, 2) each."""
    if not len(points):
        return NO_SHAPES
    number = np.repeat(np.arange(len(points)), [len(part) for part in points])
    return cast(Geometries, shapely.convex_hull(shapely.linestrings(np.concatenate(points), indices=number)))


def _hull(points: Array) -> BaseGeometry:
    """The convex hull of points (k, 2)."""
    return cast(BaseGeometry, _hulls([points])[0])


def _sum(shifts: Array, hull: Array) -> Array:
    """The points of a hull (h, 2) at every one of shifts (k, 2)."""
    return (shifts[:, None] + hull[None]).reshape(-1, 2)


def _swing(mover: Mover, body: Body, wheel: Wheel) -> Swing | None:
    """The wheel about either end of a body's front, as far as nothing stops it; None of one figure."""
    left, bases = left_for(wheel, mover.allowance_mm), body.bases
    ends = [bases.centre[end] for end in wheel_ends(bases, body.facing_deg)]
    arm = float(np.hypot(*(ends[0] - ends[1])))
    if arm <= 0:
        return None
    most = min(np.radians(wheel.most_deg), left / arm)
    near = body.setting
    swinging = Swinging(
        bases, body.facing_deg, near.passing, body.couples, near.table_mm, near.ground, body.at
    )  # fmt: skip
    return Swing(swinging, [Turn(ends[0], most, clockwise=False), Turn(ends[1], most)], left, arm)


def _stopped(swings: Sequence[Swing]) -> list[Swing]:
    """The wheels, each only until something stops it."""
    every = [Turning(one.body.bases, one.body.blockers, one.turns, one.body.couples) for one in swings]
    return [
        replace(swing, turns=[
            turn if stop is None else replace(turn, most_rad=stop.turn_rad)
            for turn, stop in zip(swing.turns, stops, strict=True)
        ])
        for swing, stops in zip(swings, stops_of_turns(every), strict=True)
    ]  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Wheeled:
    """A wheel that a body may make about either end, and how far it gets after which turns."""

    wheel: Wheel
    turns: Sequence[Turn]
    slices: Sequence[tuple[Array, Array]]

    def note(self, shapes: _Shapes, number: int, body: Body) -> None:
        """Notes the places of a body by it, and the ground that the hull covers on it."""
        for turn, (angles, ways) in zip(self.turns, self.slices, strict=True):
            ways = ways if self.wheel.straight_on else np.zeros(len(ways))
            bearing = np.radians(body.facing_deg) + turn.sense * angles
            ahead = ways[:, None] * np.stack([np.sin(bearing), np.cos(bearing)], axis=-1)
            points = np.concatenate([body.at[None], body.hull])
            swung = about(points[None], turn.pivot, turn.sense * angles[:, None])
            ends_of_way = np.concatenate([swung[:, None], (swung + ahead[:, None])[:, None]], axis=1)
            slices = np.concatenate([ends_of_way[:-1], ends_of_way[1:]], axis=1)
            if len(body.setting.standing):
                shapes.standing.append((number, partial(places_of_wheel, body, turn, angles, ways)))
            else:
                shapes.standing += [(number, partial(_hull, one[:, 0])) for one in slices]
            shapes.hulls += [(number, one[:, 1:].reshape(-1, 2)) for one in slices]


#: A body, its straight moves, their stars, and its wheels.
_Task = tuple[Body, Sequence[Straight], Sequence[Star], Sequence[_Wheeled]]


def _wheels(movers: Sequence[Mover], bodies: Sequence[Body]) -> list[list[_Wheeled]]:
    """What the wheels of several bodies come to, worked out together."""
    asked = [
        (number, wheel, swing)
        for number, (mover, body) in enumerate(zip(movers, bodies, strict=True))
        for wheel in mover.manoeuvres
        if isinstance(wheel, Wheel) and (swing := _swing(mover, body, wheel)) is not None
    ]
    found: list[list[_Wheeled]] = [[] for _ in movers]
    swings = _stopped([swing for _, _, swing in asked])
    for (number, wheel, _), swing, slices in zip(asked, swings, slices_of(swings), strict=True):
        found[number].append(_Wheeled(wheel, swing.turns, slices))
    return found
