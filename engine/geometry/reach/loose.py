"""Figures that move each by itself, any way and round what blocks: the ground that a loose body can cover.

Exact for equal cost: the regions seen from every tangent of the shortest ways, each with what is left of the
allowance, together. A rectangular base counts as the largest disc in it, for a figure may turn as it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import Bases
from engine.geometry.distinct import distinct, first_of_rows
from engine.geometry.reach.blockers import Blockers, valid
from engine.geometry.reach.detours import Net, Obstacles, net_of
from engine.geometry.reach.regions import Region, Setting, on_table
from engine.geometry.reach.stars import Lookout, seen_from
from engine.geometry.side_by_side import side_by_side

__all__ = ["LooseMover", "loose_region", "loose_regions_of", "obstacles_for"]

Array = NDArray[np.float64]
Geometries = NDArray[np.object_]

_NONE: Geometries = np.zeros(0, dtype=object)

#: Points as close together as that are looked from once: so near the region is drawn behind corners.
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

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> found = loose_region(bases_of([(0, 0)], [Round(diameter_mm=20)], [0]), 90.0)
    >>> [round(bound) for bound in found.footprint.bounds]
    [-100, -100, 100, 100]
    """
    return loose_regions_of([LooseMover(bases, allowance_mm, setting or Setting())])[0]


@dataclass(frozen=True, eq=False)
class LooseMover:
    """Figures about to move each by itself, as `loose_region` has them."""

    bases: Bases
    allowance_mm: float
    setting: Setting = field(default_factory=Setting)


def loose_regions_of(movers: Sequence[LooseMover]) -> list[Region]:
    """The regions of several bodies, each as `loose_region` gives it to the last bit; together they take less time.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> found = loose_regions_of([LooseMover(one, far) for far in (40.0, 90.0)])
    >>> [round(each.footprint.bounds[3]) for each in found]
    [50, 100]
    """
    bodies = [_of_sizes(mover) for mover in movers]
    lookouts = [body.lookout() for several in bodies for body in several if len(body.obstacles)]
    seen = iter(seen_from(lookouts))
    tasks = [
        (mover, [(body, next(seen) if len(body.obstacles) else _NONE) for body in several])
        for mover, several in zip(movers, bodies, strict=True)
    ]
    return side_by_side(lambda task: _drawn(*task), tasks)


@dataclass(frozen=True, eq=False)
class _Body:
    """The figures of one size of a loose body: their centres (n, 2), what they have to mind and to keep out of."""

    centres: Array
    radius_mm: float
    allowance_mm: float
    setting: Setting
    obstacles: Obstacles

    def lookout(self) -> Lookout:
        """The sources and every point that a way touches, each to be looked from as far as is left."""
        net = net_of(self.centres, np.zeros((0, 2)), self.obstacles, self.allowance_mm, arcs=True)
        eased = self.obstacles.eased(self.centres)
        thin = np.maximum(eased.radius - _TOUCHED_MM, 0.0)
        return Lookout(*_stations(net, self.allowance_mm), eased.start, eased.end, thin)

    def places(self, seen: Geometries) -> BaseGeometry:
        """Where the figures may come to stand, from what was seen past the obstacles."""
        shapes: Any
        if len(self.obstacles):
            shapes = shapely.simplify(seen, _THIN_MM, preserve_topology=False)
            crossed = ~shapely.is_valid(shapes)
            shapes[crossed] = valid(shapes[crossed])
        else:
            shapes = shapely.polygons(self.centres[:, None] + self.allowance_mm * _CIRCLE)
        shape = on_table(shapely.union_all(shapes), self.setting.table_mm)
        return self.setting.standing.cut_from(shape, 4, self.radius_mm)


def _of_sizes(mover: LooseMover) -> list[_Body]:
    bases, near = mover.bases, mover.setting.near(mover.bases, mover.allowance_mm)
    radius = np.where(bases.is_rect, bases.half.min(axis=1), bases.radius)
    found = []
    for size in distinct(radius).tolist():
        centres = bases.centre[radius == size]
        obstacles = obstacles_for(float(size), near.passing, centres, near.table_mm)
        found.append(_Body(centres, float(size), mover.allowance_mm, near, obstacles))
    return found


def _drawn(mover: LooseMover, bodies: Sequence[tuple[_Body, Geometries]]) -> Region:
    """The region of one loose body, from what its figures of each size see."""
    if not bodies:
        return Region(np.zeros(0, dtype=object), shapely.Polygon())
    places = [body.places(seen) for body, seen in bodies]
    thin = shapely.simplify(places, _THINNER_MM)
    covered = shapely.buffer(thin, [body.radius_mm for body, _ in bodies], quad_segs=6)
    at = mover.bases.centre.mean(axis=0)
    footprint = on_table(shapely.union_all(covered), mover.setting.table_mm)
    return Region(np.array(places, dtype=object), footprint, (float(at[0]), float(at[1])))


def _stations(net: Net, allowance: float) -> tuple[Array, Array]:
    """The points (s, 2) to look from, one of those close together, and what is left (s,) there."""
    left = allowance - net.distance_mm
    useful = np.flatnonzero(left > 0.5)
    useful = useful[np.argsort(-left[useful], kind="stable")]
    chosen = useful[np.sort(first_of_rows((net.points[useful] / _NEAR_MM).round()))]
    return net.points[chosen], left[chosen]
