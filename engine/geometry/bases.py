"""The outlines of bases, many at a time: gaps between them, how far they reach in a direction, what they touch.

Lengths are table millimetres; a rectangle's width lies across its bearing and its depth along it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry import lines
from engine.records.game import Base, Round

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Bases:
    """``n`` bases: ``centre`` (n, 2), ``radius`` (n,) of round ones (0 for rectangles), ``half`` (n, 2) half width
    and half depth of rectangles (0 for round ones), ``bearing_rad`` (n,)."""

    centre: Array
    radius: Array
    half: Array
    bearing_rad: Array

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

    def pick(self, index: Sequence[int] | NDArray[np.intp] | Mask) -> Bases:
        """Some of the bases, by index or mask."""
        which = np.asarray(index, dtype=bool if np.asarray(index).dtype == bool else np.intp)
        return Bases(self.centre[which], self.radius[which], self.half[which], self.bearing_rad[which])

    def corners(self) -> Array:
        """(n, 4, 2) the corners of rectangles, in order round the outline; of round ones four times the centre."""
        across = np.stack([np.cos(self.bearing_rad), -np.sin(self.bearing_rad)], axis=-1)
        along = np.stack([np.sin(self.bearing_rad), np.cos(self.bearing_rad)], axis=-1)
        local = _CORNERS * self.half[:, None, :]
        corners: Array = (
            self.centre[:, None, :] + local[..., :1] * across[:, None, :] + local[..., 1:] * along[:, None, :]
        )
        return corners


def bases_of(
    centres: Sequence[tuple[float, float]], shapes: Sequence[Base], bearings: Sequence[float | None]
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
    )


def points(centres: Array) -> Bases:
    """Bases of no size at points (n, 2)."""
    count = len(centres)
    return Bases(np.asarray(centres, dtype=float), np.zeros(count), np.zeros((count, 2)), np.zeros(count))


def gaps(first: Bases, second: Bases) -> Array:
    """(n, m) the shortest distances between the outlines in plan; 0 where they touch or overlap.

    >>> discs = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=25)] * 2, [0, 0])
    >>> gaps(discs, discs).tolist()
    [[0.0, 75.0], [75.0, 0.0]]
    """
    between: Array = np.hypot(
        first.centre[:, None, 0] - second.centre[None, :, 0], first.centre[:, None, 1] - second.centre[None, :, 1]
    )
    between = between - first.radius[:, None] - second.radius[None, :]
    for index in np.flatnonzero(first.is_rect).tolist():
        between[index] = from_rect(first.pick([index]).corners()[0], second)
    for index in np.flatnonzero(second.is_rect).tolist():
        rows = ~first.is_rect
        between[rows, index] = from_rect(second.pick([index]).corners()[0], first.pick(rows))
    gap: Array = np.maximum(between, 0.0)
    return gap


def from_rect(corners: Array, others: Bases) -> Array:
    """(n,) distances from a convex outline (k, 2) to other bases; 0 or less where they overlap."""
    ends = lines.turned(corners)
    centre_out = lines.points_to_segments(others.centre, corners, ends).min(axis=1)
    inside = lines.in_convex(others.centre, corners)
    distance: Array = np.where(inside, 0.0, centre_out) - others.radius
    for index in np.flatnonzero(others.is_rect).tolist():
        outline = others.pick([index]).corners()[0]
        distance[index] = _between_outlines(corners, outline)
    return distance


def _between_outlines(one: Array, other: Array) -> float:
    one_end, other_end = lines.turned(one), lines.turned(other)
    if lines.in_convex(other[:1], one)[0] or lines.in_convex(one[:1], other)[0]:
        return 0.0
    if lines.segments_cross(one, one_end, other, other_end).any():
        return 0.0
    near = lines.points_to_segments(one, other, other_end).min()
    return float(min(near, lines.points_to_segments(other, one, one_end).min()))


def to_segments(bases: Bases, starts: Array, ends: Array) -> Array:
    """(n, k) the distances from bases to segments (k, 2)-(k, 2); 0 where one runs through the base.

    >>> disc = bases_of([(0, 10)], [Round(diameter_mm=4)], [0])
    >>> to_segments(disc, np.array([[-5.0, 0.0]]), np.array([[5.0, 0.0]])).tolist()
    [[8.0]]
    """
    distance: Array = lines.points_to_segments(bases.centre, starts, ends) - bases.radius[:, None]
    for index in np.flatnonzero(bases.is_rect).tolist():
        corners = bases.pick([index]).corners()[0]
        distance[index] = lines.segments_to_convex(starts, ends, corners)
    clipped: Array = np.maximum(distance, 0.0)
    return clipped


def shortest_line(one: Bases, other: Bases) -> tuple[Array, Array]:
    """The ends (2,), (2,) of the shortest line between the outlines of two single bases; their centres where they
    overlap.

    >>> both = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=20)] * 2, [0, 0])
    >>> [end.tolist() for end in shortest_line(both.pick([0]), both.pick([1]))]
    [[10.0, 0.0], [90.0, 0.0]]
    """
    if gaps(one, other)[0, 0] <= 0:
        return one.centre[0], other.centre[0]
    first, second = one.corners()[0], other.corners()[0]  # of round bases the centre, four times
    ahead = lines.nearest_on_segments(first, second, lines.turned(second)).reshape(-1, 2)
    back = lines.nearest_on_segments(second, first, lines.turned(first)).reshape(-1, 2)
    starts = np.concatenate([np.repeat(first, 4, axis=0), back])
    ends = np.concatenate([ahead, np.repeat(second, 4, axis=0)])
    nearest = int(np.hypot(*(ends - starts).T).argmin())
    start, end = starts[nearest], ends[nearest]
    along = (end - start) / np.hypot(*(end - start))
    return start + one.radius[0] * along, end - other.radius[0] * along


def extent(bases: Bases, direction: Array) -> tuple[Array, Array]:
    """How far back and how far forward each base reaches along a unit vector (2,): two arrays (n,), measured
    from the table's origin.

    >>> back, front = extent(bases_of([(0, 10)], [Round(diameter_mm=4)], [0]), np.array([0.0, 1.0]))
    >>> back.tolist(), front.tolist()
    ([8.0], [12.0])
    """
    middle = bases.centre @ direction
    across = np.abs(np.cos(bases.bearing_rad) * direction[0] - np.sin(bases.bearing_rad) * direction[1])
    along = np.abs(np.sin(bases.bearing_rad) * direction[0] + np.cos(bases.bearing_rad) * direction[1])
    reach = bases.radius + bases.half[:, 0] * across + bases.half[:, 1] * along
    return middle - reach, middle + reach
