"""The outlines of bases, many at a time: where they reach, what they hold, how far they are from each other.

Lengths are table millimetres; a rectangle's width lies across its bearing and its depth along it. Nothing here
loops over bases; large tables are worked through in blocks, so that memory stays small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.plane import lines, rectangles
from engine.records.game import Base, Round

__all__ = [
    "Bases", "bases_of", "blocks", "concat", "each_to_segment", "extent", "from_rect", "gaps", "paired_gaps",
    "points", "to_segments",
]  # fmt: skip

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
#: How many pairs are worked out together: their arrays then stay within a processor's cache.
_PAIRS = 1 << 16


@dataclass(frozen=True, eq=False)
class Bases:
    """``n`` bases: ``centre`` (n, 2), ``radius`` (n,) of round ones (0 for rectangles), ``half`` (n, 2) half width
    and half depth of rectangles (0 for round ones), ``bearing_rad`` (n,).

    ``sigma_mm`` (n,) is the standard deviation of each centre per axis and ``bearing_sigma_deg`` (n,) that of each
    bearing; 0 where they are left out.
    """

    centre: Array
    radius: Array
    half: Array
    bearing_rad: Array
    sigma_mm: Array = None  # type: ignore[assignment]  # zeros, once made
    bearing_sigma_deg: Array = None  # type: ignore[assignment]  # zeros, once made

    def __post_init__(self) -> None:
        for name in ("sigma_mm", "bearing_sigma_deg"):
            given, shape = getattr(self, name), (len(self.radius),)
            if given is None:
                object.__setattr__(self, name, np.zeros(shape))
            elif np.shape(given) != shape:
                object.__setattr__(self, name, np.broadcast_to(np.asarray(given, dtype=float), shape))

    def __len__(self) -> int:
        return len(self.radius)

    @cached_property
    def is_rect(self) -> Mask:
        """(n,) whether each base is a rectangle."""
        rect: Mask = np.any(self.half > 0, axis=1)
        return rect

    @property
    def width(self) -> Array:
        """(n,) the width across the front, or the diameter."""
        width: Array = np.where(self.is_rect, 2 * self.half[:, 0], 2 * self.radius)
        return width

    @property
    def depth(self) -> Array:
        """(n,) the depth from front to back, or the diameter."""
        depth: Array = np.where(self.is_rect, 2 * self.half[:, 1], 2 * self.radius)
        return depth

    @property
    def area(self) -> Array:
        """(n,) the areas in square mm."""
        area: Array = np.pi * self.radius**2 + 4 * self.half[:, 0] * self.half[:, 1]
        return area

    @cached_property
    def circumradius(self) -> Array:
        """(n,) how far the outline reaches from the centre at most."""
        far: Array = self.radius + np.hypot(self.half[:, 0], self.half[:, 1])
        return far

    @cached_property
    def ahead(self) -> Array:
        """(n, 2) unit vectors along the bearings."""
        return np.stack([np.sin(self.bearing_rad), np.cos(self.bearing_rad)], axis=-1)

    @cached_property
    def right(self) -> Array:
        """(n, 2) unit vectors to the right of the bearings."""
        return np.stack([np.cos(self.bearing_rad), -np.sin(self.bearing_rad)], axis=-1)

    @property
    def bearing_deg(self) -> Array:
        """(n,) the bearings in degrees."""
        return np.degrees(self.bearing_rad)

    @property
    def front_middle(self) -> Array:
        """(n, 2) the middle of the front edge; of a round base the point of its rim on its bearing."""
        middle: Array = self.centre + (self.half[:, 1:] + self.radius[:, None]) * self.ahead
        return middle

    def front_edges(self) -> Array:
        """(n, 2, 2) the left and the right end of the front edge; of a round base twice its front middle."""
        side = self.half[:, :1] * self.right
        return np.stack([self.front_middle - side, self.front_middle + side], axis=1)

    def pick(self, index: Sequence[int] | NDArray[np.intp] | Mask) -> Bases:
        """Some of the bases, by index or mask."""
        which = np.asarray(index, dtype=bool if np.asarray(index).dtype == bool else np.intp)
        return Bases(
            self.centre[which], self.radius[which], self.half[which], self.bearing_rad[which],
            self.sigma_mm[which], self.bearing_sigma_deg[which],
        )  # fmt: skip

    def moved_to(self, centre: Array) -> Bases:
        """The same bases with their centres at (n, 2)."""
        return Bases(centre, self.radius, self.half, self.bearing_rad, self.sigma_mm, self.bearing_sigma_deg)

    def turned_by(self, turn_deg: ArrayLike) -> Bases:
        """The same bases, each turned clockwise about its centre by degrees: one number, or (n,)."""
        bearing = self.bearing_rad + np.radians(np.asarray(turn_deg, dtype=float))
        return Bases(self.centre, self.radius, self.half, bearing, self.sigma_mm, self.bearing_sigma_deg)

    def corners(self) -> Array:
        """(n, 4, 2) the corners of rectangles, in order round the outline; of round ones four times the centre.

        They are the left rear, right rear, right front and left front corner, as the base faces.
        """
        local = _CORNERS * self.half[:, None, :]
        corners: Array = (
            self.centre[:, None, :]
            + local[..., :1] * self.right[:, None, :]
            + local[..., 1:] * self.ahead[:, None, :]
        )
        return corners

    def local(self, spots: Array) -> Array:
        """(n, k, 2) points (k, 2), or (n, k, 2), as each base has them: to its right, and ahead of its centre."""
        ways = (self.right, self.ahead)
        if spots.ndim == 2:
            parts = [way @ spots.T - (way * self.centre).sum(axis=-1)[:, None] for way in ways]
        else:
            to = spots - self.centre[:, None]
            parts = [to[..., 0] * way[:, :1] + to[..., 1] * way[:, 1:] for way in ways]
        return np.stack(parts, axis=-1)

    def to_points(self, spots: Array) -> Array:
        """(n, k) signed distances of points (k, 2) from the outlines: below 0 inside.

        >>> discs = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=20)] * 2, [0, 0])
        >>> discs.to_points(np.array([[0.0, 0.0], [0.0, 15.0]])).round(6).tolist()
        [[-10.0, 5.0], [90.0, 91.118742]]
        """
        cores = rectangles.points_out_of(_parts(self.local(spots)), (self.half[:, :1], self.half[:, 1:]))
        signed: Array = cores - self.radius[:, None]
        return signed

    def support(self, direction: Array) -> Array:
        """How far from the origin the bases reach along a unit vector (2,): (n,); along several (k, 2): (n, k)."""
        middle = self.centre @ direction.T
        across, along = np.abs(self.right @ direction.T), np.abs(self.ahead @ direction.T)
        size = (slice(None), *([None] * (direction.ndim - 1)))
        far: Array = middle + self.radius[size] + self.half[:, 0][size] * across + self.half[:, 1][size] * along
        return far

    def bounds(self) -> Array:
        """(n, 4) least x, least y, greatest x, greatest y of each base."""
        ways = np.array([[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
        bounds: Array = self.support(ways) * [-1.0, -1.0, 1.0, 1.0]
        return bounds


def bases_of(
    centres: Sequence[tuple[float, float]],
    shapes: Sequence[Base],
    bearings: Sequence[float | None],
    sigma_mm: ArrayLike = 0.0,
    bearing_sigma_deg: ArrayLike = 0.0,
) -> Bases:
    """The bases of figures; a bearing that is not known counts as 0.

    >>> from engine.records.game import Rect
    >>> one = bases_of([(0, 0)], [Rect(width_mm=20, depth_mm=40)], [90])
    >>> one.corners().round(6).tolist()
    [[[-20.0, 10.0], [-20.0, -10.0], [20.0, -10.0], [20.0, 10.0]]]
    """
    radius = [shape.diameter_mm / 2 if isinstance(shape, Round) else 0.0 for shape in shapes]
    half = [
        (0.0, 0.0) if isinstance(shape, Round) else (shape.width_mm / 2, shape.depth_mm / 2) for shape in shapes
    ]
    return Bases(
        np.array(centres, dtype=float).reshape(-1, 2),
        np.array(radius, dtype=float),
        np.array(half, dtype=float).reshape(-1, 2),
        np.radians(np.array([bearing or 0.0 for bearing in bearings], dtype=float)),
        np.asarray(sigma_mm, dtype=float),
        np.asarray(bearing_sigma_deg, dtype=float),
    )


def points(centres: Array, bearing_deg: ArrayLike = 0.0, sigma_mm: ArrayLike = 0.0) -> Bases:
    """Bases of no size at points (n, 2), all bearing 0 unless said otherwise."""
    centre = np.asarray(centres, dtype=float).reshape(-1, 2)
    count = len(centre)
    bearing = np.broadcast_to(np.radians(np.asarray(bearing_deg, dtype=float)), (count,))
    return Bases(centre, np.zeros(count), np.zeros((count, 2)), bearing, np.asarray(sigma_mm, dtype=float))


def concat(parts: Sequence[Bases]) -> Bases:
    """The bases of all parts, one part after the other; no parts give no bases.

    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> len(concat([one, one])), len(concat([]))
    (2, 0)
    """
    if not parts:
        return bases_of([], [], [])
    names = ("centre", "radius", "half", "bearing_rad", "sigma_mm", "bearing_sigma_deg")
    return Bases(*[np.concatenate([getattr(part, name) for part in parts]) for name in names])


def blocks(rows: int, columns: int, pairs: int = _PAIRS) -> Iterator[slice]:
    """The rows of a table in slices of no more than about so many pairs.

    >>> list(blocks(5, 10, pairs=20))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, pairs // max(columns, 1))
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


def gaps(first: Bases, second: Bases, *, signed: bool = False) -> Array:
    """(n, m) the shortest distances between the outlines in plan; 0 where they touch or overlap.

    With ``signed`` it is below 0 where they overlap: how far one would have to be shifted to be clear.

    >>> discs = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=25)] * 2, [0, 0])
    >>> gaps(discs, discs).tolist()
    [[0.0, 75.0], [75.0, 0.0]]
    """
    found = np.empty((len(first), len(second)))
    for rows in blocks(*found.shape):
        part = first.pick(np.arange(rows.start, rows.stop))
        found[rows] = _gaps(part, second)
    return found if signed else np.maximum(found, 0.0, out=found)


def _gaps(first: Bases, second: Bases) -> Array:
    """As signed `gaps`, all at once: discs and rectangles sorted out, so that discs cost no more than discs."""
    discs, others = ~first.is_rect, ~second.is_rect
    if discs.all() and others.all():
        return _disc_gaps(first, second)
    found = np.empty((len(first), len(second)))
    for mine, theirs, work in (
        (discs, others, _disc_gaps), (first.is_rect, second.is_rect, _rect_gaps),
        (first.is_rect, others, _rect_disc_gaps),
    ):  # fmt: skip
        if mine.any() and theirs.any():
            found[np.ix_(mine, theirs)] = work(first.pick(mine), second.pick(theirs))
    if discs.any() and second.is_rect.any():
        found[np.ix_(discs, second.is_rect)] = _rect_disc_gaps(second.pick(second.is_rect), first.pick(discs)).T
    return found


def _disc_gaps(first: Bases, second: Bases) -> Array:
    between = np.hypot(*(np.subtract.outer(first.centre[:, axis], second.centre[:, axis]) for axis in (0, 1)))
    gap: Array = between - (first.radius[:, None] + second.radius[None, :])
    return gap


def _rect_disc_gaps(rects: Bases, discs: Bases) -> Array:
    spots = _parts(rects.local(discs.centre))
    gap: Array = rectangles.points_out_of(spots, (rects.half[:, :1], rects.half[:, 1:])) - discs.radius
    return gap


def _rect_gaps(first: Bases, second: Bases) -> Array:
    there, back = _parts(first.local(second.centre)), _parts(second.local(first.centre))
    turn = second.bearing_rad[None, :] - first.bearing_rad[:, None]
    return rectangles.apart(
        there, (back[0].T, back[1].T), (first.half[:, :1], first.half[:, 1:]),
        (second.half[None, :, 0], second.half[None, :, 1]), (np.cos(turn), np.sin(turn)),
    )  # fmt: skip


def _parts(vectors: Array) -> tuple[Array, Array]:
    return vectors[..., 0], vectors[..., 1]


def paired_gaps(first: Bases, second: Bases, *, signed: bool = False) -> Array:
    """(n,) the gaps between the bases of equal index, of two lists of one length; as `gaps` but for the pairing.

    >>> discs = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=25)] * 2, [0, 0])
    >>> paired_gaps(discs, discs.pick([1, 0])).tolist()
    [75.0, 75.0]
    """
    there = _parts(first.local(second.centre[:, None])[:, 0])
    back = _parts(second.local(first.centre[:, None])[:, 0])
    turn = second.bearing_rad - first.bearing_rad
    cores = rectangles.apart(there, back, _parts(first.half), _parts(second.half), (np.cos(turn), np.sin(turn)))
    gap: Array = cores - (first.radius + second.radius)
    return gap if signed else np.maximum(gap, 0.0)


def from_rect(corners: Array, others: Bases) -> Array:
    """(n,) distances from a convex outline (k, 2) to other bases; 0 or less where they overlap."""
    ends = lines.turned(corners)
    near = to_segments(others, corners, ends).min(axis=1)
    inside = lines.in_convex(others.centre, corners) | (others.to_points(corners[:1])[:, 0] < 0)
    distance: Array = np.where(inside, -others.radius, near)
    return distance


def to_segments(bases: Bases, starts: Array, ends: Array) -> Array:
    """(n, k) the distances from bases to segments (k, 2)-(k, 2); 0 where one runs through the base.

    >>> disc = bases_of([(0, 10)], [Round(diameter_mm=4)], [0])
    >>> to_segments(disc, np.array([[-5.0, 0.0]]), np.array([[5.0, 0.0]])).tolist()
    [[8.0]]
    """
    found = np.empty((len(bases), len(starts)))
    for rows in blocks(*found.shape):
        part = bases.pick(np.arange(rows.start, rows.stop))
        half = (part.half[:, :1], part.half[:, 1:])
        if part.is_rect.any():
            cores = rectangles.segments_from(_parts(part.local(starts)), _parts(part.local(ends)), half)
        else:
            cores = lines.points_to_segments(part.centre, starts, ends)
        found[rows] = np.maximum(cores - part.radius[:, None], 0.0)
    return found


def each_to_segment(bases: Bases, starts: Array, ends: Array) -> Array:
    """(n,) the distance from each base to its own segment (n, 2)-(n, 2); 0 where it runs through the base.

    >>> discs = bases_of([(0, 10), (0, 20)], [Round(diameter_mm=4)] * 2, [0, 0])
    >>> each_to_segment(discs, np.array([[-5.0, 0.0], [0.0, 0.0]]), np.array([[5.0, 0.0], [0.0, 20.0]])).tolist()
    [8.0, 0.0]
    """
    if bases.is_rect.any():
        begin, end = (_parts(bases.local(spots[:, None])) for spots in (starts, ends))
        cores = rectangles.segments_from(begin, end, (bases.half[:, :1], bases.half[:, 1:]))[:, 0]
    else:
        cores = lines.each_to_segment(bases.centre, starts, ends)
    apart: Array = np.maximum(cores - bases.radius, 0.0)
    return apart


def extent(bases: Bases, direction: Array) -> tuple[Array, Array]:
    """How far back and how far forward each base reaches along a unit vector (2,): two arrays (n,), measured
    from the table's origin.

    >>> back, front = extent(bases_of([(0, 10)], [Round(diameter_mm=4)], [0]), np.array([0.0, 1.0]))
    >>> back.tolist(), front.tolist()
    ([8.0], [12.0])
    """
    return -bases.support(-direction), bases.support(direction)
