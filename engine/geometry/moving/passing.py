"""Bodies of figures that go straight on among others: where on their way they would stand upon them.

A body is the ground that its bases span, gaps and all (their convex hull): men who stand apart are met by who walks
between them. All of it is in plan and in table millimetres; directions are unit vectors (dx, dy). Bodies that only
touch, or brush each other by less than `BRUSH_MM`, are not in each other's way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.plane.directions import Vector
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Figure

__all__ = ["BRUSH_MM", "clear_of", "overlap", "runs_into"]

Array = NDArray[np.float64]

#: Bodies overlap where they do so by more than this.
BRUSH_MM = 1.0
#: Farther than across any table.
_FAR_MM = 1e5


def overlap(figures: Sequence[Figure], others: Sequence[Figure], direction: Vector) -> tuple[float, float] | None:
    """From where to where on their way, in mm, ``figures`` would stand upon ``others``; None where they never do.

    A body going on overlaps another while its shift lies in the Minkowski difference of the two.

    >>> from engine.records.game import Round
    >>> def man(x, y): return Figure(id=f"{x}", x_mm=x, y_mm=y, base=Round(diameter_mm=20))
    >>> [round(end) for end in overlap([man(0, 0)], [man(-30, 100), man(30, 100)], (0, 1))]
    [81, 119]
    """
    if not figures or not others:
        return None
    spread = _outline(others)[:, None] - _outline(figures)[None]
    area = shapely.MultiPoint(spread.reshape(-1, 2)).convex_hull.buffer(-BRUSH_MM)
    way = shapely.LineString(np.array([(0.0, 0.0), direction]) * _FAR_MM)
    on = shapely.intersection(way, area)
    if on.is_empty or on.length == 0.0:
        return None
    ends = shapely.line_locate_point(way, shapely.points(shapely.get_coordinates(on)))
    return float(ends.min()), float(ends.max())


def runs_into(
    figures: Sequence[Figure], others: Sequence[Figure], direction: Vector, most_mm: float
) -> float | None:
    """How far the figures go until they come upon the others, at most ``most_mm``; None where they do not."""
    found = overlap(figures, others, direction)
    return found[0] if found is not None and found[0] < most_mm else None


def clear_of(
    figures: Sequence[Figure], bodies: Sequence[Sequence[Figure]], direction: Vector, least_mm: float
) -> float:
    """The least distance from ``least_mm`` on at which the figures stand upon none of the bodies."""
    gone = least_mm
    for start, end in sorted(filter(None, (overlap(figures, body, direction) for body in bodies))):
        if start < gone < end:
            gone = end + BRUSH_MM
    return gone


def _outline(figures: Sequence[Figure]) -> Array:
    """(k, 2) the corners of the ground that the bases span; rims of round ones in 64 steps."""
    bases = bases_of(
        [(f.x_mm, f.y_mm) for f in figures], [f.base for f in figures], [f.bearing_deg for f in figures]
    )
    rims = shapely.buffer(shapely.points(bases.centre), bases.radius, quad_segs=16)
    whole = shapely.GeometryCollection([*rims[~bases.is_rect], shapely.MultiPoint(bases.corners().reshape(-1, 2))])
    corners: Array = shapely.get_coordinates(whole.convex_hull)
    return corners
