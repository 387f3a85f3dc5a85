"""The plane regions under arcs: a line and all ahead of it between two rays off its ends, or what such leave out.

A region with rays at 90 degrees or less to its bearing is convex. One with wider rays is kept as what it leaves
out, which is convex too: a cone that opens backwards. So both are measured alike, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.shapes.bases import Bases

__all__ = ["Wedges"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Wedges:
    """``n`` convex regions, each in a frame of its own: from ``origin`` (n, 2), the left end of the line that it
    starts from, u runs ``right`` and v ``ahead`` (n, 2). ``width`` (n,) is the line's length, ``sin`` and ``cos``
    (n,) those of the half-angle, ``turned_out`` (n,) where the region is what an arc leaves out."""

    origin: Array
    right: Array
    ahead: Array
    width: Array
    sin: Array
    cos: Array
    turned_out: Mask

    @classmethod
    def of(cls, left: Array, right: Array, bearing_deg: Array, half_angle_deg: Array) -> Wedges:
        """The regions of lines from ``left`` (n, 2) to ``right`` (n, 2), bearings and half-angles (n,)."""
        wide = half_angle_deg > 90
        half = np.radians(np.clip(np.where(wide, 180.0 - half_angle_deg, half_angle_deg), 0.0, 90.0))
        turn = np.radians(bearing_deg) + np.where(wide, np.pi, 0.0)
        ahead = np.stack([np.sin(turn), np.cos(turn)], axis=-1)
        width = np.hypot(*(right - left).T)
        # The cone that all points of a line leave out begins behind it, where the rays off its ends meet.
        apex = (left + right) / 2 + (width / 2 / np.tan(np.maximum(half, 1e-9)))[:, None] * ahead
        return cls(
            np.where(wide[:, None], apex, left), np.stack([np.cos(turn), -np.sin(turn)], axis=-1), ahead,
            np.where(wide, 0.0, width), np.sin(half), np.cos(half), wide,
        )  # fmt: skip

    def local(self, spots: Array) -> tuple[Array, Array]:
        """(n, k) u and v of points (k, 2)."""
        u, v = (way @ spots.T - (way * self.origin).sum(axis=-1)[:, None] for way in (self.right, self.ahead))
        return u, v

    def signed(self, u: Array, v: Array) -> Array:
        """Distances of points (n, ...) from the regions, below 0 inside."""
        size = (slice(None), *([None] * (u.ndim - 1)))
        half, sin, cos = self.width[size] / 2, self.sin[size], self.cos[size]
        aside = np.abs(u - half) - half  # the two halves are alike: beyond the nearer end
        plane = aside * cos - v * sin
        beside = aside * sin + v * cos > 0  # nearest to a ray, and not to its end or the line
        deepest = np.maximum(plane, -v)
        outside = np.where(beside, plane, np.hypot(np.maximum(aside, 0.0), v))
        signed: Array = np.where(deepest > 0, outside, deepest)
        return signed

    def along_ray(self, u: Array, v: Array, right: Mask) -> Array:
        """(n, m) how far points (n, m) lie along the direction of the right ray, or else the left."""
        along: Array = np.where(right, u, -u) * self.sin[:, None] + v * self.cos[:, None]
        return along

    def from_rects(self, rects: Bases, least: Array) -> Array:
        """(n, m) distances of the regions from rectangles; where they overlap, below 0, how far one must be shifted
        to be clear. ``least`` (n, m) is the least of `signed` at their corners.
        """
        apart = np.maximum(least, 0.0)
        for share in (0.0, 1.0) if self.width.any() else (0.0,):
            end = self.origin + (share * self.width)[:, None] * self.right
            apart = np.minimum(apart, np.maximum(rects.to_points(end).T, 0.0))
        deepest = self._separation(rects)
        distance: Array = np.where(deepest > 0, apart, deepest)
        return distance

    def _separation(self, rects: Bases) -> Array:
        """(n, m) how far regions and rectangles are apart along the best of their edges' normals; else below 0."""
        u, v = self.local(rects.centre)
        sin, cos, width = self.sin[:, None], self.cos[:, None], self.width[:, None]
        # Each rectangle's own axes, and its half sizes, as the regions have them.
        (right_u, ahead_u), (right_v, ahead_v) = (
            (way @ rects.right.T, way @ rects.ahead.T) for way in (self.right, self.ahead)
        )
        wide, deep = rects.half[:, 0], rects.half[:, 1]
        best = -v - wide * np.abs(right_v) - deep * np.abs(ahead_v)
        for sign, base in (
            (1.0, 0.0),
            (-1.0, width),
        ):  # the normals of the right ray, from its end, and of the left
            turned = (np.abs(sign * way_u * cos - way_v * sin) for way_u, way_v in
                      ((right_u, right_v), (ahead_u, ahead_v)))  # fmt: skip
            reach = wide * next(turned) + deep * next(turned)
            best = np.maximum(best, sign * (u - width + base) * cos - v * sin - reach)
        for way_u, way_v, half in ((right_u, right_v, wide), (ahead_u, ahead_v, deep)):
            centre = u * way_u + v * way_v
            for sign in (1.0, -1.0):
                # Only along ways that no ray follows does a region end: at one end of its line.
                bounded = np.abs(way_u) * sin + sign * way_v * cos <= 0
                edge = np.maximum(0.0, sign * way_u * width)
                best = np.where(bounded, np.maximum(best, sign * centre - half - edge), best)
        return best
