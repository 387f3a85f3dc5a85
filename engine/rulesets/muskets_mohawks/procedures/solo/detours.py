"""The way round what bars the straight one: over the corners of what lies there (lengths in mm, table frame)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.moves import Vector

__all__ = ["corners_round"]


def corners_round(
    outlines: Sequence[NDArray[np.float64]], start: Vector, goal: Vector, half_mm: float
) -> tuple[Vector, ...]:
    """The corners over which a body may go from ``start`` round outlines (k, 2) to ``goal``, the shortest first.

    They are those of what spans all outlines, so far out that a body whose figures stand up to ``half_mm`` from its
    middle keeps clear.

    >>> import numpy as np
    >>> house = np.array([(-10.0, 0.0), (30.0, 0.0), (30.0, 10.0), (-10.0, 10.0)])
    >>> [(round(x), round(y)) for x, y in corners_round([house], (0, -20), (0, 30), 5.0)][:2]
    [(-15, -5), (-15, 15)]
    """
    around = shapely.MultiPoint([tuple(corner) for outline in outlines for corner in outline]).convex_hull
    ring = shapely.get_coordinates(around.buffer(half_mm, join_style="mitre").exterior)[:-1]
    corners = [(float(x), float(y)) for x, y in ring]
    return tuple(
        sorted(corners, key=lambda corner: (round(math.dist(start, corner) + math.dist(corner, goal), 6), corner))
    )
