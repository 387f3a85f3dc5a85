"""Slow and obvious ways to find who sees whom: shapely objects in loops, and plain algebra."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon

Spot = tuple[float, float]
Array = NDArray[np.float64]

#: Whole numbers in a small field, so that things touch and lie in line as a matter of course.
spots = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda at: (float(at[0]), float(at[1])))
outlines = st.lists(spots, min_size=3, max_size=8, unique=True).filter(
    lambda corners: shapely.is_valid(Polygon(corners)) and Polygon(corners).area > 0
)
turns = st.sampled_from([0.0, 30.0, 45.0, 90.0, math.degrees(math.atan2(3, 4)), 200.0])


def length_inside(outline: Sequence[Spot], start: Spot, end: Spot) -> float:
    """How much of a line runs in a polygon and not along its rim."""
    if start == end:
        return 0.0
    polygon, line = Polygon(outline), LineString([start, end])
    cuts = {0.0, 1.0}
    for edge, edge_end in sides(outline):
        for at in shapely.get_parts(LineString([edge, edge_end]).intersection(line)):
            cuts |= {line.project(Point(xy), normalized=True) for xy in at.coords}
    total, cut = 0.0, sorted(cuts)
    for one, other in itertools.pairwise(cut):
        middle = line.interpolate((one + other) / 2, normalized=True)
        if polygon.contains(middle) and polygon.exterior.distance(middle) > 1e-9:
            total += (other - one) * line.length
    return total


def sides(outline: Sequence[Spot]) -> Iterator[tuple[Spot, Spot]]:
    yield from zip(outline, [*outline[1:], outline[0]], strict=True)


def base_outline(centre: Spot, width: float, depth: float, bearing_deg: float) -> list[Spot]:
    """The corners of a rectangle."""
    turn = math.radians(bearing_deg)
    return [
        (
            centre[0] + x * math.cos(turn) + y * math.sin(turn),
            centre[1] - x * math.sin(turn) + y * math.cos(turn),
        )
        for x, y in (
            (-width / 2, -depth / 2),
            (width / 2, -depth / 2),
            (width / 2, depth / 2),
            (-width / 2, depth / 2),
        )
    ]


def distance_to_line(point: Spot, start: Spot, end: Spot) -> float:
    """From a point to a line that may have no length."""
    return float(shapely.distance(Point(point), shapely.linestrings([start, end])))
