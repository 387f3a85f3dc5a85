"""How far rays from the origin run until they meet discs, strips, and segments that are rounded by both.

Rays are given as the two parts of their unit vectors, in arrays that broadcast against what they are to meet. They
run on for ever, and the answer is infinite, where they meet nothing. A ray that begins on a rim meets it at 0 if it
goes in; one along a strip of no width meets its near end; discs of no radius and strips of no length meet nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Discs", "Strips", "paired_rays", "rays_to"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Discs:
    """Discs: where their centres are (k,), how much farther from the origin these lie than their rims, squared
    (below 0: it is in the disc), and their radii (k,)."""

    x: Array
    y: Array
    beyond: Array
    radius: Array

    @classmethod
    def of(cls, centre: Array, radius: Array) -> Discs:
        """Discs about points (k, 2)."""
        x, y = centre[:, 0], centre[:, 1]
        return cls(x, y, x * x + y * y - radius * radius, radius)

    def pick(self, which: Index) -> Discs:
        """Some of them, by number."""
        return Discs(self.x[which], self.y[which], self.beyond[which], self.radius[which])

    def met(self, across: Array, along: Array) -> Array:
        """How far rays run until they meet them.

        >>> disc = Discs.of(np.array([[0.0, 9.0]]), np.array([2.0]))
        >>> disc.met(np.array([0.0, 1.0]), np.array([1.0, 0.0])).tolist()
        [7.0, inf]
        """
        closing = across * self.x + along * self.y
        under = closing * closing - self.beyond
        way = np.maximum(closing - np.sqrt(np.maximum(under, 0.0)), 0.0)
        return np.where((under >= 0) & (self.radius > 0) & ((closing > 0) | (self.beyond <= 0)), way, np.inf)


@dataclass(frozen=True, eq=False)
class Strips:
    """Segments widened to either side: their unit vectors (k,), where the origin lies along them and to their left,
    their lengths and half widths."""

    x: Array
    y: Array
    along: Array
    left: Array
    length: Array
    half: Array

    @classmethod
    def of(cls, start: Array, end: Array, half: Array) -> Strips:
        """Strips about segments (k, 2)-(k, 2)."""
        x, y = (end - start).T
        length = np.hypot(x, y)
        safe = np.where(length > 0, length, 1.0)
        x, y = x / safe, y / safe
        return cls(x, y, -start[:, 0] * x - start[:, 1] * y, start[:, 0] * y - start[:, 1] * x, length, half)

    def pick(self, which: Index) -> Strips:
        """Some of them, by number."""
        return Strips(
            self.x[which], self.y[which], self.along[which], self.left[which], self.length[which], self.half[which]
        )

    def met(self, across: Array, along: Array) -> Array:
        """How far rays run until they meet them.

        >>> bar = Strips.of(np.array([[-5.0, 9.0]]), np.array([[5.0, 9.0]]), np.array([2.0]))
        >>> bar.met(np.array([0.0, 0.6]), np.array([1.0, 0.8])).tolist()
        [7.0, inf]
        """
        enter, leave = np.zeros(1), np.full(1, np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            for at, speed, low, high in (
                (self.along, across * self.x + along * self.y, np.zeros(1), self.length),
                (self.left, along * self.x - across * self.y, -self.half, self.half),
            ):
                one, other = (low - at) / speed, (high - at) / speed
                still = speed == 0
                if still.any():
                    inside = (at >= low) & (at <= high)
                    one = np.where(still, np.where(inside, -np.inf, np.inf), one)
                    other = np.where(still, np.inf, other)
                enter = np.maximum(enter, np.minimum(one, other))
                leave = np.minimum(leave, np.maximum(one, other))
        return np.where((enter <= leave) & (self.length > 0), enter, np.inf)


def rays_to(directions: Array, start: Array, end: Array, radius: Array) -> Array:
    """(m, k) how far rays along unit vectors (m, 2) run until they meet rounded segments (k, 2)-(k, 2).

    >>> meet = rays_to(np.array([[0.0, 1.0]]), np.array([[-5.0, 9.0]]), np.array([[5.0, 9.0]]), np.array([2.0]))
    >>> meet.tolist()
    [[7.0]]
    """
    across, along = directions[:, :1], directions[:, 1:]
    met = Discs.of(start, radius).met(across, along)
    long = np.flatnonzero((start != end).any(axis=1))
    if len(long):
        start, end, radius = start[long], end[long], radius[long]
        there = Discs.of(end, radius).met(across, along)
        between = Strips.of(start, end, radius).met(across, along)
        met[:, long] = np.minimum(met[:, long], np.minimum(there, between))
    return met


def paired_rays(directions: Array, start: Array, end: Array, radius: Array) -> Array:
    """(k,) the same for one ray (k, 2) to each rounded segment."""
    across, along = directions[:, 0], directions[:, 1]
    met = Discs.of(start, radius).met(across, along)
    long = np.flatnonzero((start != end).any(axis=1))
    if len(long):
        start, end, radius, across, along = start[long], end[long], radius[long], across[long], along[long]
        there = Discs.of(end, radius).met(across, along)
        between = Strips.of(start, end, radius).met(across, along)
        met[long] = np.minimum(met[long], np.minimum(there, between))
    return met
