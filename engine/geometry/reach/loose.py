"""Figures that move each by itself, any way and round what blocks: the ground that a loose body can cover.

Exact for equal cost: the regions seen from every tangent of the shortest ways, each with what is left of the
allowance, together. A rectangular base counts as the largest disc in it, for a figure may turn as it goes.

Most of the work is finding where figures get past what bars them. What they only may not end on is cut out of that
afterwards: where nothing else has changed, the ground known from before serves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.plane.distinct import distinct, first_of_rows
from engine.geometry.reach.areas import NO_SHAPES, Geometries, on_tables, thinned, unions
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.cutting import cut
from engine.geometry.reach.detours import Net, Obstacles, net_of
from engine.geometry.reach.regions import Passable, Region, Setting
from engine.geometry.reach.stars import Lookout, seen_from
from engine.geometry.shapes.bases import Bases
from engine.geometry.side_by_side import in_halves

__all__ = [
    "LooseMover",
    "LooseTask",
    "loose_drawn",
    "loose_prepared",
    "loose_region",
    "loose_regions_of",
    "obstacles_for",
]

Array = NDArray[np.float64]

#: Points as close together as that, about one corner to one side, are looked from once.
_NEAR_MM = 2.0
#: How much what is seen from one point is simplified before all of it is put together.
_THIN_MM = 0.2
#: How much the places are simplified before bases are laid at them.
_THINNER_MM = 0.1
#: By how much obstacles are thinner where one looks past them, so that tangents of theirs are free.
_TOUCHED_MM = 0.002
_CIRCLE = np.stack([np.sin(np.arange(96) * np.pi / 48), np.cos(np.arange(96) * np.pi / 48)], axis=-1)


def obstacles_for(
    radius_mm: float, blockers: Blockers, points: Array, table_mm: tuple[float, float] | None
) -> Obstacles:
    """What the centre of a disc must keep out of; a shape that holds one of points (n, 2) does not count."""
    held = np.asarray(blockers.holding(points).any(axis=0), dtype=bool)
    bounds = None if table_mm is None else np.array([[0.0, 0.0], table_mm])
    kept = blockers.pick(~held[blockers.shape])
    return Obstacles(kept.start, kept.end, kept.rounding + radius_mm, bounds)


def loose_region(bases: Bases, allowance_mm: float, setting: Setting | None = None) -> Region:
    """Where the figures of a loose body get to, each up to the allowance by its own shortest way.

    Ground that slows is not counted here (`engine.geometry.reach.graded`).

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> found = loose_region(bases_of([(0, 0)], [Round(diameter_mm=20)], [0]), 90.0)
    >>> [round(bound) for bound in found.footprint.bounds]
    [-100, -100, 100, 100]
    """
    return loose_regions_of([LooseMover(bases, allowance_mm, setting or Setting())])[0]


@dataclass(frozen=True, eq=False)
class LooseMover:
    """Figures about to move each by itself, as `loose_region` has them; ``known`` is ground of earlier regions."""

    bases: Bases
    allowance_mm: float
    setting: Setting = field(default_factory=Setting)
    known: Sequence[Passable] = ()


def loose_regions_of(movers: Sequence[LooseMover]) -> list[Region]:
    """The regions of several bodies, each as `loose_region` gives it to the last bit; together they take less time.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> found = loose_regions_of([LooseMover(one, far) for far in (40.0, 90.0)])
    >>> [round(each.footprint.bounds[3]) for each in found]
    [50, 100]
    """
    return loose_drawn(loose_prepared(movers))


def loose_prepared(movers: Sequence[LooseMover]) -> list[LooseTask]:
    """The first half of `loose_regions_of`, which mostly numpy does."""
    bodies = [_of_sizes(mover) if len(mover.bases) else [] for mover in movers]
    lookouts = [body.lookout() for several in bodies for body in several if body.looks]
    seen = iter(seen_from(lookouts))
    return [
        LooseTask(mover, several, [next(seen) if body.looks else NO_SHAPES for body in several])
        for mover, several in zip(movers, bodies, strict=True)
    ]


def loose_drawn(tasks: Sequence[LooseTask], threads: int = 2) -> list[Region]:
    """The other half, which mostly shapely does: so two threads share it."""
    some = [task for task in tasks if task.bodies]
    found = iter(in_halves(_drawn, some) if threads > 1 or not some else _drawn(some))
    return [next(found) if task.bodies else Region(shapely.Polygon, shapely.Polygon()) for task in tasks]


@dataclass(frozen=True, eq=False)
class _Body:
    """The figures of one size of a loose body: their centres (n, 2), what they have to mind and to keep out of."""

    centres: Array
    radius_mm: float
    allowance_mm: float
    setting: Setting
    obstacles: Obstacles
    known: BaseGeometry | None = None

    @property
    def looks(self) -> bool:
        """Whether it is to be found out what its figures see past what is in their way."""
        return self.known is None and len(self.obstacles) > 0

    @property
    def marks(self) -> tuple[object, ...]:
        """All that the ground follows from that its figures may pass."""
        own = self.obstacles
        arrays = (self.centres, own.start, own.end, own.radius)
        return (*(array.tobytes() for array in arrays), self.allowance_mm, self.setting.table_mm)

    def around(self) -> Geometries:
        """Where each figure gets to with nothing in its way."""
        return cast(Geometries, shapely.polygons(self.centres[:, None] + self.allowance_mm * _CIRCLE))

    def lookout(self) -> Lookout:
        """The sources and every point that a way touches, each to be looked from as far as is left."""
        net = net_of(self.centres, np.zeros((0, 2)), self.obstacles, self.allowance_mm, arcs=True)
        eased = self.obstacles.eased(self.centres)
        thin = np.maximum(eased.radius - _TOUCHED_MM, 0.0)
        return Lookout(*_stations(net, self.allowance_mm), eased.start, eased.end, thin)


def _of_sizes(mover: LooseMover) -> list[_Body]:
    bases, near = mover.bases, mover.setting.near(mover.bases, mover.allowance_mm)
    radius = np.where(bases.is_rect, bases.half.min(axis=1), bases.radius)
    found = []
    for size in distinct(radius).tolist():
        centres = bases.centre[radius == size]
        obstacles = obstacles_for(float(size), near.passing, centres, near.table_mm)
        body = _Body(centres, float(size), mover.allowance_mm, near, obstacles)
        known = next((one.ground for one in mover.known if one.marks == body.marks), None)
        found.append(body if known is None else replace(body, known=known))
    return found


@dataclass(frozen=True, eq=False)
class LooseTask:
    """A loose body about to move, its figures of each size, and what these see past what is in their way."""

    mover: LooseMover
    bodies: Sequence[_Body]
    seen: Sequence[Geometries]


def _drawn(tasks: Sequence[LooseTask]) -> list[Region]:
    """The regions of loose bodies from what their figures see."""
    bodies = [body for task in tasks for body in task.bodies]
    owner = np.repeat(np.arange(len(tasks)), [len(task.bodies) for task in tasks])
    passable = _passable(bodies, [seen for task in tasks for seen in task.seen])
    places = cut(
        passable, [body.setting.standing.solids for body in bodies], 4, [body.radius_mm for body in bodies]
    )
    size = [body.radius_mm for body in bodies]
    covered = shapely.buffer(thinned(places, _THINNER_MM, put_right=False), size, quad_segs=6)
    tables = [task.mover.setting.table_mm for task in tasks]
    footprint = on_tables(unions(covered, owner, len(tasks)), tables)
    middles = [task.mover.bases.centre.mean(axis=0).tolist() for task in tasks]
    kept = [Passable(body.marks, ground) for body, ground in zip(bodies, passable.tolist(), strict=True)]
    return [
        Region(
            partial(shapely.union_all, places[owner == number]),
            shape,
            (x, y),
            [kept[body] for body in np.flatnonzero(owner == number)],
        )
        for number, (shape, (x, y)) in enumerate(zip(footprint, middles, strict=True))
    ]


def _passable(bodies: Sequence[_Body], seen: Sequence[Geometries]) -> Geometries:
    """The ground that the centres of bodies' figures may pass: known, or from what was seen past the obstacles."""
    found = np.array([body.known for body in bodies] + [None], dtype=object)[:-1]
    anew = [number for number, body in enumerate(bodies) if body.known is None]
    if anew:
        found[anew] = _looked_at([bodies[number] for number in anew], [seen[number] for number in anew])
    return found


def _looked_at(bodies: Sequence[_Body], seen: Sequence[Geometries]) -> Geometries:
    shapes = [some if len(body.obstacles) else body.around() for body, some in zip(bodies, seen, strict=True)]
    counts = [len(some) for some in shapes]
    every = np.concatenate([NO_SHAPES, *shapes])
    looked = np.repeat([len(body.obstacles) > 0 for body in bodies], counts)
    every[looked] = thinned(every[looked], _THIN_MM)
    whole = unions(every, np.repeat(np.arange(len(bodies)), counts), len(bodies))
    return on_tables(whole, [body.setting.table_mm for body in bodies])


def _stations(net: Net, allowance: float) -> tuple[Array, Array]:
    """The points (s, 2) to look from, and what is left (s,) there.

    Of those close together one serves that go about one corner to one side: the last on that way, for it sees all
    that lies ahead of the others.
    """
    left = allowance - net.distance_mm
    useful = np.flatnonzero(left > 0.5)
    cell = (net.points[useful] / _NEAR_MM).round()
    arm = cell * _NEAR_MM - net.centres[net.circle[useful]]
    sense = np.where(net.ccw[useful], -1.0, 1.0)
    onward = sense * (net.points[useful, 0] * arm[:, 1] - net.points[useful, 1] * arm[:, 0])
    order = np.argsort(-onward, kind="stable")
    way = np.column_stack([cell, net.circle[useful], sense])[order]
    chosen = useful[order][np.sort(first_of_rows(way))]
    return net.points[chosen], left[chosen]
