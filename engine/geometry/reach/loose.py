"""Figures that move each by itself, any way and round what blocks: the ground that a loose body can cover.

Exact for equal cost: the regions seen from every tangent of the shortest ways, each with what is left of the
allowance, together. A rectangular base counts as the largest disc in it, for a figure may turn as it goes.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.bases import Bases
from engine.geometry.distinct import distinct, first_of_rows
from engine.geometry.reach.blockers import Blockers, valid
from engine.geometry.reach.detours import Net, Obstacles, net_of
from engine.geometry.reach.regions import Region, Setting, on_table
from engine.geometry.reach.stars import seen_from

__all__ = ["loose_region", "obstacles_for"]

Array = NDArray[np.float64]
Geometries = NDArray[np.object_]

#: Points as close together as that are looked from once: so near the region is drawn behind corners.
_NEAR_MM = 2.0
#: How much what is seen from one point is simplified before all of it is put together.
_THIN_MM = 0.2
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
    if not len(bases):
        return Region(np.zeros(0, dtype=object), shapely.Polygon())
    near = (setting or Setting()).near(bases, allowance_mm)
    radius = np.where(bases.is_rect, bases.half.min(axis=1), bases.radius)
    places, covered = [], []
    for size in distinct(radius).tolist():
        some = _places(bases.centre[radius == size], float(size), allowance_mm, near)
        places.append(some)
        covered.append(shapely.buffer(some, size, quad_segs=6))
    at = bases.centre.mean(axis=0)
    footprint = on_table(shapely.union_all(covered), near.table_mm)
    return Region(np.array(places, dtype=object), footprint, (float(at[0]), float(at[1])))


def _places(centres: Array, radius: float, allowance: float, setting: Setting) -> BaseGeometry:
    obstacles = obstacles_for(radius, setting.passing, centres, setting.table_mm)
    if len(obstacles):
        shape = shapely.union_all(_seen(centres, obstacles, allowance))
    else:
        shape = shapely.union_all(shapely.polygons(centres[:, None] + allowance * _CIRCLE))
    return setting.standing.cut_from(on_table(shape, setting.table_mm), 4, radius)


def _seen(centres: Array, obstacles: Obstacles, allowance: float) -> Geometries:
    """What is seen from the sources and from every point that a way touches, each as far as is left."""
    net = net_of(centres, np.zeros((0, 2)), obstacles, allowance, arcs=True)
    eased = obstacles.eased(centres)
    shapes = seen_from(
        *_stations(net, allowance), eased.start, eased.end, np.maximum(eased.radius - _TOUCHED_MM, 0.0)
    )
    shapes = shapely.simplify(shapes, _THIN_MM, preserve_topology=False)
    crossed = ~shapely.is_valid(shapes)
    shapes[crossed] = valid(shapes[crossed])
    return shapes


def _stations(net: Net, allowance: float) -> tuple[Array, Array]:
    """The points (s, 2) to look from, one of those close together, and what is left (s,) there."""
    left = allowance - net.distance_mm
    useful = np.flatnonzero(left > 0.5)
    useful = useful[np.argsort(-left[useful], kind="stable")]
    chosen = useful[np.sort(first_of_rows((net.points[useful] / _NEAR_MM).round()))]
    return net.points[chosen], left[chosen]
