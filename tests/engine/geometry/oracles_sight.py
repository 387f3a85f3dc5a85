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


class Disc:
    """A round thing, as rays meet it."""

    def __init__(self, centre: Spot, radius: float) -> None:
        self.centre, self.radius = centre, radius

    def met(self, eye: Spot, angle: float) -> float:
        x, y = self.centre[0] - eye[0], self.centre[1] - eye[1]
        ahead, across = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
        if abs(across) >= self.radius:
            return math.inf
        half = math.sqrt(self.radius**2 - across**2)
        return max(ahead - half, 0.0) if ahead + half > 0 else math.inf

    def marks(self, eye: Spot) -> list[float]:
        apart, towards = math.dist(eye, self.centre), _angle(eye, self.centre)
        if apart <= self.radius:
            return []
        half = math.asin(self.radius / apart)
        return [towards - half, towards + half]

    def rim(self) -> shapely.Geometry:
        return Point(self.centre).buffer(self.radius, quad_segs=4000).exterior


class Block:
    """A thing with straight sides, as rays meet it."""

    def __init__(self, outline: Sequence[Spot]) -> None:
        self.outline = list(outline)

    def met(self, eye: Spot, angle: float) -> float:
        if Polygon(self.outline).contains(Point(eye)):
            return 0.0
        ray = LineString([eye, (eye[0] + 1e4 * math.cos(angle), eye[1] + 1e4 * math.sin(angle))])
        apart = [Point(eye).distance(part) for part in shapely.get_parts(ray.intersection(self.rim()))]
        return min((one for one in apart if one > 1e-7), default=math.inf)

    def marks(self, eye: Spot) -> list[float]:
        return [_angle(eye, corner) for corner in self.outline]

    def rim(self) -> shapely.Geometry:
        return LineString([*self.outline, self.outline[0]])


def _angle(eye: Spot, spot: Spot) -> float:
    return math.atan2(spot[1] - eye[1], spot[0] - eye[0])


def seen_share(eye: Spot, base: Disc | Block, things: Sequence[Disc | Block], crossings: Sequence[Spot]) -> float:
    """The share of a base's directions in which nothing is met before it.

    Directions are cut wherever anything begins or ends, at corners, and at ``crossings`` of outlines; each part is
    tried in its middle.
    """
    centre = base.centre if isinstance(base, Disc) else tuple(np.mean(base.outline, axis=0))
    ahead = _angle(eye, centre)
    own = [_turn(mark - ahead) for mark in base.marks(eye)]
    low, high = min(own), max(own)
    marks = set(own)
    for mark in [*(m for thing in things for m in thing.marks(eye)), *(_angle(eye, spot) for spot in crossings)]:
        if low < _turn(mark - ahead) < high:
            marks.add(_turn(mark - ahead))
    seen, cut = 0.0, sorted(marks)
    for one, other in itertools.pairwise(cut):
        angle = ahead + (one + other) / 2
        to_base = base.met(eye, angle)
        if all(thing.met(eye, angle) >= to_base - 1e-9 for thing in things):
            seen += other - one
    return seen / (high - low)


def _turn(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi


def rims_meet(one: Disc | Block, other: Disc | Block) -> list[Spot]:
    """Where two outlines cross: by algebra, as far as discs have a part in it."""
    if isinstance(one, Block) and isinstance(other, Block):
        parts = shapely.get_parts(one.rim().intersection(other.rim()))
        return [tuple(xy) for part in parts for xy in part.coords]
    if isinstance(one, Block):
        return rims_meet(other, one)
    if isinstance(other, Disc):
        return _two_circles(one, other)
    found = []
    for start, end in sides(other.outline):
        a = complex(*end) - complex(*start)
        b = complex(*start) - complex(*one.centre)
        roots = np.roots([abs(a) ** 2, 2 * (a * b.conjugate()).real, abs(b) ** 2 - one.radius**2])
        for root in roots:
            # A double root, where the line is tangent, is right to the square root of the arithmetic only; a cut
            # too many does no harm.
            if abs(root.imag) < 1e-6 and -1e-6 <= root.real <= 1 + 1e-6:
                at = complex(*start) + root.real * a
                found.append((at.real, at.imag))
    return found


def _two_circles(one: Disc, other: Disc) -> list[Spot]:
    apart = math.dist(one.centre, other.centre)
    if apart == 0 or apart > one.radius + other.radius or apart < abs(one.radius - other.radius):
        return []
    along = (apart**2 + one.radius**2 - other.radius**2) / (2 * apart)
    across = math.sqrt(max(one.radius**2 - along**2, 0.0))
    unit = (complex(*other.centre) - complex(*one.centre)) / apart
    spots_ = [complex(*one.centre) + unit * complex(along, sign * across) for sign in (1, -1)]
    return [(spot.real, spot.imag) for spot in spots_]


def crossings(outline: Sequence[Spot], start: Spot, end: Spot) -> list[Point]:
    """Where a line meets the sides of a polygon: the ends of each stretch in common."""
    if start == end:
        return []
    line = LineString([start, end])
    return [
        Point(xy)
        for edge in sides(outline)
        for part in shapely.get_parts(LineString(edge).intersection(line))
        for xy in part.coords
    ]
