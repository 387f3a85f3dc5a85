"""Where bases get to in one straight line each, over ground of differing price."""

from __future__ import annotations

from functools import partial

import numpy as np
import shapely

from engine.geometry.reach.areas import on_table, on_tables
from engine.geometry.reach.endings import off_closed_ground
from engine.geometry.reach.going import OPEN, Ground
from engine.geometry.reach.regions import Region
from engine.geometry.reach.stars import Asked, stars
from engine.geometry.reach.straight import Sums
from engine.geometry.shapes.bases import Bases

__all__ = ["either_region", "spokes_region"]

_POINTS, _LENGTHS, _NUMBERS = np.zeros((0, 2)), np.zeros(0), np.zeros(0, dtype=np.intp)
_NOTHING = Sums(_POINTS, _POINTS, _LENGTHS, _POINTS, _POINTS, _LENGTHS, _NUMBERS, _NUMBERS, _NUMBERS)


def spokes_region(
    bases: Bases, allowance_mm: float, ground: Ground = OPEN, table_mm: tuple[float, float] | None = None
) -> Region:
    """Where any of the bases gets to in a straight line within an allowance, ground counted along its centre's way.

    The places are those of the centres, all on the table; the footprint is what the bases cover there.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> found = spokes_region(bases_of([(0, 0)], [Round(diameter_mm=20)], [0]), 90.0, table_mm=(60.0, 200.0))
    >>> [[round(bound) for bound in shape.bounds] for shape in (found.places, found.footprint)]
    [[0, 0, 60, 90], [0, 0, 60, 100]]
    """
    if not len(bases):
        return Region(shapely.Polygon, shapely.Polygon())
    size = np.where(bases.is_rect, bases.half.min(axis=1), bases.radius)
    asked = [
        Asked(
            _NOTHING,
            [(allowance_mm, 0.0, 180.0)],
            None,
            ground.near(start[None], allowance_mm * ground.fastest),
            start,
        )
        for start in bases.centre
    ]
    rims = [start + rim.points for start, (rim,) in zip(bases.centre, stars(asked), strict=True)]
    rings = shapely.linearrings(
        np.concatenate(rims), indices=np.repeat(np.arange(len(rims)), [len(one) for one in rims])
    )
    shapes = np.asarray(shapely.make_valid(shapely.polygons(rings)), dtype=object)
    shapes = on_tables(shapes, [table_mm] * len(shapes))
    places = np.array([off_closed_ground(shape, ground) for shape in shapes.tolist()], dtype=object)
    footprint = on_table(shapely.union_all(shapely.buffer(places, size, quad_segs=6)), table_mm)
    at = bases.centre.mean(axis=0)
    return Region(partial(shapely.union_all, places), footprint, (float(at[0]), float(at[1])))


def either_region(one: Region, other: Region) -> Region:
    """Where the same bases get to in one way or in another, as horses do that run in the open and walk elsewhere.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> base = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> both = either_region(spokes_region(base, 40.0), spokes_region(base, 25.0))
    >>> [round(bound) for bound in both.footprint.bounds]
    [-50, -50, 50, 50]
    """
    footprint = shapely.union(one.footprint, other.footprint)
    return Region(lambda: shapely.union(one.places, other.places), footprint, one.start)
