"""Where a rigid body may end a straight move: not on what it may pass but not stand on."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.plane.distinct import numbered
from engine.geometry.reach.blockers import Blockers, discs, enclosed_by, polygonal
from engine.geometry.reach.going import Ground
from engine.geometry.reach.overlaps import Couples, couples_at_end, overlapping
from engine.geometry.reach.straight import Sums, sums_of
from engine.geometry.shapes.bases import Bases

__all__ = ["ended_on", "off_closed_ground", "where_it_may_end"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
Geometries = NDArray[np.object_]

#: Of how many pieces a quarter of a disc's rim is drawn.
_QUAD_SEGS = 3


def ended_on(bases: Bases, there: Bases, standing: Blockers) -> Mask:
    """(s,) on which shapes bases would stand at the end of a move, in them or over their rims.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import bases_as_blockers
    >>> from engine.records.game import Rect
    >>> square = Rect(width_mm=20, depth_mm=20)
    >>> mover, friend, *ends = (bases_of([(0, y)], [square], [0]) for y in (0, 60, 40, 49, 60))
    >>> [ended_on(mover, end, bases_as_blockers(friend, ["friend"])).tolist() for end in ends]
    [[False], [True], [True]]
    """
    couples = couples_at_end(bases, standing)
    found: Mask = np.asarray(standing.holding(there.centre).any(axis=0), dtype=bool)
    found[standing.shape[couples.segment[overlapping(there, standing, couples)]]] = True
    return found


def where_it_may_end(shifts: BaseGeometry, bases: Bases, standing: Blockers) -> BaseGeometry:
    """The shifts of an area, or along a line, after which no base overlaps what may not be ended on.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import bases_as_blockers
    >>> from engine.records.game import Round
    >>> mover, friend = (bases_of([at], [Round(diameter_mm=20)], [0]) for at in ((0, 0), (0, 50)))
    >>> free = where_it_may_end(shapely.box(-5, 0, 5, 90), mover, bases_as_blockers(friend, ["friend"]))
    >>> [free.contains(shapely.Point(0, y)) for y in (29, 31, 69, 71)]
    [True, False, False, True]
    """
    if shifts.is_empty or not len(standing):
        return shifts
    couples = couples_at_end(bases, standing)
    sums = sums_of(bases, standing, couples)
    disc = (sums.thin_start == sums.thin_end).all(axis=1) & ~bases.is_rect[sums.base[sums.pair]]
    margin = sums.thin_radius[:, None]
    low, high = np.array(shifts.bounds[:2]), np.array(shifts.bounds[2:])
    least: Array = np.minimum(sums.thin_start, sums.thin_end) - margin
    most: Array = np.maximum(sums.thin_start, sums.thin_end) + margin
    single = disc & ((least <= high) & (most >= low)).all(axis=1)
    closed = discs(sums.thin_start[single], sums.thin_radius[single], _QUAD_SEGS, shifts)
    if not disc.all():
        whole = _whole(bases, standing, couples)
        key = _keys(sums, whole)
        near = ~disc & _near(key, least, most, low, high)
        closed.append(shapely.union_all([*_hulls(sums, near, key), *_cores(bases, standing, ~whole)]))
    area = shapely.get_dimensions(shifts) == 2
    for shape in closed:
        shifts = shapely.difference(shifts, shape)
    return polygonal(shifts) if area else shifts


def _keys(sums: Sums, whole: Mask) -> Index:
    """(k,) what rounded segments belong together: those of a pair, or of a base and a ``whole`` (n, s) shape."""
    number = np.arange(len(sums.base))
    together = len(number) + sums.base * whole.shape[1] + sums.shape
    return np.where(whole[sums.base, sums.shape], together, number)[sums.pair]


def _near(key: Index, least: Array, most: Array, low: Array, high: Array) -> Mask:
    """(k,) what comes near a box (2,)-(2,) together with all of its key (k,), whose own boxes are (k, 2)-(k, 2)."""
    first, last = (np.full((int(key.max(initial=-1)) + 1, 2), end) for end in (np.inf, -np.inf))
    np.minimum.at(first, key, least)
    np.maximum.at(last, key, most)
    near: Mask = np.asarray(((first <= high) & (last >= low)).all(axis=1), dtype=bool)
    return near[key]


def off_closed_ground(places: BaseGeometry, ground: Ground) -> BaseGeometry:
    """The places of a reference point without the pieces of terrain in which its move may not end."""
    for number in ground.closed:
        mine = ground.piece == number
        shape = enclosed_by(ground.start[mine], ground.end[mine])
        if shape is not None:
            places = shapely.difference(places, shape)
    return places


def _whole(bases: Bases, standing: Blockers, couples: Couples) -> Mask:
    """(n, s) for which bases one hull may be drawn for all sides of which shapes, and what they enclose: of those
    that bulge everywhere."""
    found = np.zeros((len(bases), len(standing.names)), dtype=bool)
    outlines = _outlines(standing)
    if outlines.any():
        shapes = standing.enclosed[outlines]
        bulges = shapely.area(shapely.convex_hull(shapes)) <= shapely.area(shapes) * (1 + 1e-9)
        found[couples.base, standing.shape[couples.segment]] = True
        found[:, outlines] &= bulges
        found[:, ~outlines] = False
    return found


def _outlines(standing: Blockers) -> Mask:
    """(s,) which shapes enclose ground."""
    return np.array([shape is not None for shape in standing.enclosed.tolist()], dtype=bool)


def _hulls(sums: Sums, which: Mask, key: Index) -> Geometries:
    """Other forbidden shifts: of each key (k,) the hull of the rounded segments."""
    lines = shapely.linestrings(np.stack([sums.thin_start[which], sums.thin_end[which]], axis=1))
    around: Geometries = np.asarray(lines, dtype=object)
    radius, key = sums.thin_radius[which], key[which]
    thick = radius > 0
    around[thick] = shapely.buffer(around[thick], radius[thick], quad_segs=_QUAD_SEGS)
    order = np.argsort(key, kind="stable")
    parts = shapely.geometrycollections(around[order], indices=numbered(key[order]))
    return np.asarray(shapely.convex_hull(parts), dtype=object)


def _cores(bases: Bases, standing: Blockers, which: Mask) -> Geometries:
    """The shifts at which the centres of bases lie in shapes, for those of ``which`` (n, s) that have an inside."""
    base, shape = np.nonzero(which & _outlines(standing))
    shapes = standing.enclosed[shape]
    moved = np.repeat(bases.centre[base], shapely.get_num_coordinates(shapes), axis=0)
    return np.asarray(shapely.transform(shapes, lambda points: points - moved), dtype=object)
