"""Where points get to in one straight line each, over ground of differing price."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.reach.going import OPEN, Ground
from engine.geometry.reach.regions import Region, on_table
from engine.geometry.reach.stars import star
from engine.geometry.reach.straight import Sums

__all__ = ["spokes_region"]

Array = NDArray[np.float64]

_POINTS, _LENGTHS, _NUMBERS = np.zeros((0, 2)), np.zeros(0), np.zeros(0, dtype=np.intp)
_NOTHING = Sums(_POINTS, _POINTS, _LENGTHS, _POINTS, _POINTS, _LENGTHS, _NUMBERS, _NUMBERS, _NUMBERS)


def spokes_region(
    starts: Array, allowance_mm: float, ground: Ground = OPEN, table_mm: tuple[float, float] | None = None
) -> Region:
    """The places that any of points (n, 2) gets to in a straight line within an allowance.

    >>> found = spokes_region(np.array([[0.0, 0.0]]), 90.0, table_mm=(60.0, 200.0))
    >>> [round(bound) for bound in found.footprint.bounds]
    [0, 0, 60, 90]
    """
    if not len(starts):
        return Region(np.zeros(0, dtype=object), shapely.Polygon())
    shapes = []
    for start in starts:
        near = ground.near(start[None], allowance_mm * ground.fastest)
        rim = star(_NOTHING, allowance_mm, ground=near, origin=start)
        shapes.append(shapely.make_valid(shapely.Polygon(start + rim.points)))
    shape = on_table(shapely.union_all(shapes), table_mm)
    at = starts.mean(axis=0)
    return Region(np.array([shape], dtype=object), shape, (float(at[0]), float(at[1])))
