"""Figures taken together as units: where a unit's middle is, which way it faces, the rectangle that holds it.

Units are numbers from 0, one for each figure; a figure with a number below 0 belongs to none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.plane.distinct import runs
from engine.geometry.shapes.bases import Bases
from engine.geometry.shapes.bases import points as point_bases

__all__ = ["by_units", "footprints", "greatest", "groups", "mean_bearings", "middles", "of_each", "reaches"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]


def groups(units: ArrayLike) -> tuple[Index, Index, Index]:
    """The figures sorted by unit, where each unit begins among them, and the units that there are.

    >>> [part.tolist() for part in groups([2, 0, -1, 2])]
    [[1, 0, 3], [0, 1], [0, 2]]
    """
    of = np.asarray(units, dtype=np.intp)
    order = np.argsort(of, kind="stable")
    order = order[of[order] >= 0]
    starts = runs(of[order])
    return order, starts, of[order][starts]


def by_units(
    table: NDArray[Any], rows: ArrayLike, columns: ArrayLike, shape: tuple[int, int], least: bool, empty: Any
) -> NDArray[Any]:
    """(u, v) the least, or else the greatest, entries of a table (n, m) for each pair of units.

    ``rows`` (n,) and ``columns`` (m,) are the units of the figures; ``shape`` (u, v) how many units there are;
    ``empty`` stands where a unit has no figure.

    >>> by_units(np.array([[5, 3, 4], [2, 6, 1]]), [0, 0], [1, 1, 0], (1, 2), True, 99).tolist()
    [[1, 2]]
    """
    found = np.full(shape, empty, dtype=table.dtype)
    (row_order, row_starts, row_units), (order, starts, units) = groups(rows), groups(columns)
    if not len(row_units) or not len(units):
        return found
    work = np.minimum if least else np.maximum
    lined = work.reduceat(table[:, order], starts, axis=1)
    found[np.ix_(row_units, units)] = work.reduceat(lined[row_order], row_starts, axis=0)
    return found


def greatest(values: Array, units: ArrayLike, count: int) -> tuple[Array, Index]:
    """(u,) the greatest value of each unit's figures (n,), and (u,) whose it is, the first of equals.

    A unit without figures has -inf and -1.

    >>> [part.tolist() for part in greatest(np.array([1.0, 4.0, 4.0]), [0, 0, 0], 2)]
    [[4.0, -inf], [1, -1]]
    """
    most, whose = np.full(count, -np.inf), np.full(count, -1, dtype=np.intp)
    order, starts, present = groups(units)
    if len(present):
        most[present] = np.maximum.reduceat(values[order], starts)
        of = np.asarray(units, dtype=np.intp)[order]
        rank = np.where(values[order] >= most[of], order, len(values))
        whose[present] = np.minimum.reduceat(rank, starts)
    return most, whose


def mean_bearings(
    bearing_deg: Array, units: ArrayLike, count: int, sigma_deg: ArrayLike = 0.0
) -> tuple[Array, Array]:
    """(u,) the mean direction of each unit's bearings (n,), 0 to below 360, and (u,) its sigma.

    A bearing that is not known is nan and does not count; nan where none is known or they cancel out.

    >>> mean_bearings(np.array([350.0, 10.0, np.nan, 0.0, 180.0]), [0, 0, 0, 1, 1], 2)[0].round(6) % 360
    array([ 0., nan])
    """
    known = ~np.isnan(bearing_deg) & (np.asarray(units) >= 0)
    of, turn = np.asarray(units, dtype=np.intp)[known], np.radians(bearing_deg[known])
    across = np.bincount(of, np.sin(turn), minlength=count)
    along = np.bincount(of, np.cos(turn), minlength=count)
    squares = np.broadcast_to(np.asarray(sigma_deg, dtype=float), bearing_deg.shape)[known] ** 2
    length = np.hypot(across, along)
    settled = length > 1e-9
    mean = np.where(settled, np.degrees(np.arctan2(across, along)) % 360.0, np.nan)
    sigma = np.sqrt(np.bincount(of, squares, minlength=count)) / np.where(settled, length, 1.0)
    return mean, np.where(settled, sigma, np.nan)


def middles(bases: Bases, units: ArrayLike, count: int) -> Bases:
    """The units as points at the mean of their figures' centres, facing as their figures do on average.

    A unit without figures is at nan; one whose bearing is not settled bears 0.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> two = bases_of([(0, 0), (10, 20)], [Round(diameter_mm=20)] * 2, [80, 100])
    >>> middle = middles(two, [0, 0], 1)
    >>> middle.centre.tolist(), middle.bearing_deg.round(6).tolist()
    ([[5.0, 10.0]], [90.0])
    """
    of = np.asarray(units, dtype=np.intp)
    own = of >= 0
    number = np.bincount(of[own], minlength=count)
    many = np.where(number > 0, number, np.nan)
    spots = [np.bincount(of[own], bases.centre[own, axis], minlength=count) / many for axis in (0, 1)]
    sigma = np.sqrt(np.bincount(of[own], bases.sigma_mm[own] ** 2, minlength=count)) / many
    bearing, bearing_sigma = mean_bearings(bases.bearing_deg, units, count, bases.bearing_sigma_deg)
    points = point_bases(np.stack(spots, axis=-1), np.nan_to_num(bearing), sigma)
    return Bases(points.centre, points.radius, points.half, points.bearing_rad, sigma, np.nan_to_num(bearing_sigma))


def footprints(
    bases: Bases, units: ArrayLike, count: int, bearing_deg: ArrayLike, bearing_sigma_deg: ArrayLike = 0.0
) -> Bases:
    """The smallest rectangles along bearings (u,) that hold the outlines of each unit's figures.

    Their sigma is the greatest of the figures'. A unit without figures has a rectangle of no size at nan.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> row = bases_of([(0, 0), (25, 0)], [Round(diameter_mm=20)] * 2, [0, 0])
    >>> footprints(row, [0, 0], 1, 0.0).corners().round(6).tolist()
    [[[-10.0, -10.0], [35.0, -10.0], [35.0, 10.0], [-10.0, 10.0]]]
    """
    of = np.asarray(units, dtype=np.intp)
    turn = np.radians(np.broadcast_to(np.asarray(bearing_deg, dtype=float), (count,)))
    right = np.stack([np.cos(turn), -np.sin(turn)], axis=-1)
    ahead = np.stack([np.sin(turn), np.cos(turn)], axis=-1)
    middle, half = np.zeros((count, 2)), np.zeros((count, 2))
    for axis, way in enumerate((right, ahead)):
        ends = (greatest(reaches(bases, sign * of_each(way, of)), of, count)[0] for sign in (1.0, -1.0))
        far, back = (np.where(np.isfinite(end), end, np.nan) for end in ends)
        middle += ((far - back) / 2)[:, None] * way
        half[:, axis] = np.nan_to_num((far + back) / 2)
    sigma = np.maximum(greatest(np.asarray(bases.sigma_mm), of, count)[0], 0.0)
    turn_sigma = np.broadcast_to(np.asarray(bearing_sigma_deg, dtype=float), (count,))
    return Bases(middle, np.zeros(count), half, turn, sigma, turn_sigma)


def of_each(vectors: Array, units: Index) -> Array:
    """(n, 2) each figure's unit's vector, of (u, 2); 0 for a figure of no unit."""
    return np.concatenate([vectors, np.zeros((1, 2))])[units]


def reaches(bases: Bases, ways: Array) -> Array:
    """(n,) how far from the origin each base reaches along a unit vector of its own, (n, 2)."""
    across = np.abs((bases.right * ways).sum(axis=-1))
    along = np.abs((bases.ahead * ways).sum(axis=-1))
    size = bases.radius + bases.half[:, 0] * across + bases.half[:, 1] * along
    far: Array = (bases.centre * ways).sum(axis=-1) + size
    return far
