"""Where a rigid body may end a straight move: not on what it may pass but not stand on."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.plane.distinct import numbered
from engine.geometry.reach.blockers import Blockers, discs, polygonal
from engine.geometry.reach.straight import Sums, sums_of
from engine.geometry.shapes.bases import Bases

__all__ = ["where_it_may_end"]

Mask = NDArray[np.bool_]

#: Of how many pieces a quarter of a disc's rim is drawn.
_QUAD_SEGS = 3


def where_it_may_end(shifts: BaseGeometry, bases: Bases, standing: Blockers) -> BaseGeometry:
    """The shifts of an area after which no base overlaps what may not be ended on.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import bases_as_blockers
    >>> from engine.records.game import Round
    >>> mover, friend = (bases_of([at], [Round(diameter_mm=20)], [0]) for at in ((0, 0), (0, 50)))
    >>> free = where_it_may_end(shapely.box(-5, 0, 5, 90), mover, bases_as_blockers(friend, ["friend"]))
    >>> [free.contains(shapely.Point(0, y)) for y in (29, 31, 69, 71)]
    [True, False, False, True]
    """
    if shifts.is_empty:
        return shifts
    sums = sums_of(bases, standing)
    low, high = np.array(shifts.bounds[:2]), np.array(shifts.bounds[2:])
    margin = sums.thin_radius[:, None]
    near = (np.minimum(sums.thin_start, sums.thin_end) - margin <= high).all(axis=1)
    near &= (np.maximum(sums.thin_start, sums.thin_end) + margin >= low).all(axis=1)
    disc = (sums.thin_start == sums.thin_end).all(axis=1) & ~bases.is_rect[sums.base[sums.pair]]
    rest = np.isin(sums.pair, sums.pair[near & ~disc])
    single = near & disc
    closed_by_one = discs(sums.thin_start[single], sums.thin_radius[single], _QUAD_SEGS, shifts)
    for closed in (*closed_by_one, _hulls(sums, rest)):
        shifts = shapely.difference(shifts, closed)
    return polygonal(shifts)


def _hulls(sums: Sums, which: Mask) -> BaseGeometry:
    """Other forbidden shifts, pair by pair the hull of the rounded segments, as one."""
    lines = shapely.linestrings(np.stack([sums.thin_start[which], sums.thin_end[which]], axis=1))
    around = shapely.buffer(lines, sums.thin_radius[which], quad_segs=_QUAD_SEGS)
    order = np.argsort(sums.pair[which], kind="stable")
    number = numbered(sums.pair[which][order])
    return shapely.union_all(shapely.convex_hull(shapely.multipolygons(around[order], indices=number)))
