"""The plane regions under arcs: a line and all ahead of it between two rays off its ends, or what such leave out.

A region with rays at 90 degrees or less to its bearing is convex. One with wider rays is kept as what it leaves
out, which is convex too: a cone that opens backwards. So both are measured alike, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases

__all__ = ["Wedges"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Wedges:
    """``n`` convex regions: ``ends`` (n, 2, 2) the left and right end of the line that they start from, ``rays``
    (n, 2, 2) unit vectors along their left and right edge, ``normals`` (n, 3, 2) of left edge, right edge and line,
    pointing out. ``turned_out`` (n,) where the region is what an arc leaves out."""

    ends: Array
    rays: Array
    normals: Array
    turned_out: Mask

    @classmethod
    def of(cls, left: Array, right: Array, bearing_deg: Array, half_angle_deg: Array) -> Wedges:
        """The regions of lines from ``left`` (n, 2) to ``right`` (n, 2), bearings and half-angles (n,)."""
        wide = half_angle_deg > 90
        half = np.radians(np.clip(np.where(wide, 180.0 - half_angle_deg, half_angle_deg), 0.0, 90.0))
        turn = np.radians(bearing_deg) + np.where(wide, np.pi, 0.0)
        # Seen from behind, the cone that all points of the line leave out begins where their rays meet.
        width = np.hypot(*(right - left).T)
        ahead = np.stack([np.sin(turn), np.cos(turn)], axis=-1)
        back = width / 2 / np.tan(np.maximum(half, 1e-9))
        apex = (left + right) / 2 + back[:, None] * ahead
        ends = np.where(wide[:, None, None], apex[:, None, :], np.stack([left, right], axis=1))
        angles = np.stack([turn - half, turn + half], axis=-1)
        rays = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
        outward = np.stack([angles[:, 0] - np.pi / 2, angles[:, 1] + np.pi / 2, turn + np.pi], axis=-1)
        return cls(ends, rays, np.stack([np.sin(outward), np.cos(outward)], axis=-1), wide)

    def signed(self, spots: Array) -> tuple[Array, Array]:
        """(n, k) distances of points (k, 2) from the regions, below 0 inside; and the nearer ray, 0 or 1."""
        left, right = (spots[None] - self.ends[:, end, None] for end in (0, 1))
        planes = [
            np.einsum("nkj,nj->nk", to, self.normals[:, which]) for to, which in ((left, 0), (right, 1), (left, 2))
        ]
        deepest = np.maximum(np.maximum(planes[0], planes[1]), planes[2])
        squared = [self._to_ray(left, 0), self._to_ray(right, 1), self._to_line(left)]
        outside = np.sqrt(np.minimum(np.minimum(squared[0], squared[1]), squared[2]))
        return np.where(deepest > 0, outside, deepest), np.where(planes[0] >= planes[1], 0.0, 1.0)

    def _to_ray(self, to: Array, which: int) -> Array:
        """Squared distances from the left or the right ray."""
        ray = self.rays[:, which]
        along = np.maximum(np.einsum("nkj,nj->nk", to, ray), 0.0)
        off = to - along[..., None] * ray[:, None]
        squared: Array = (off**2).sum(axis=-1)
        return squared

    def _to_line(self, to: Array) -> Array:
        """Squared distances from the line that the regions start from, of points relative to its left end."""
        line = self.ends[:, 1] - self.ends[:, 0]
        length = (line**2).sum(axis=-1)
        share = np.einsum("nkj,nj->nk", to, line) / np.where(length > 0, length, 1.0)[:, None]
        off = to - np.clip(share, 0.0, 1.0)[..., None] * line[:, None]
        squared: Array = (off**2).sum(axis=-1)
        return squared

    def from_bases(self, bases: Bases, least: Array) -> Array:
        """(n, m) distances of the regions from rectangles and from the centres of discs; where they overlap,
        below 0, how far a base must be shifted to be clear. ``least`` (n, m): the least of `signed` at its corners.
        """
        apart = np.maximum(least, 0.0)
        for end in (0, 1):
            apart = np.minimum(apart, np.maximum(_core_distance(bases, self.ends[:, end]), 0.0))
        deepest = self._separation(bases)
        distance: Array = np.where(deepest > 0, apart, deepest)
        return distance

    def _separation(self, bases: Bases) -> Array:
        """(n, m) how far regions and rectangles are apart along the best of their edges' normals; else below 0."""
        ways = -self.normals.reshape(-1, 2)
        reach = bases.support(ways) - bases.radius[:, None]  # (m, 3 n): how far in each base reaches
        starts = (self.normals * self.ends[:, [0, 1, 0]]).sum(axis=-1)
        deepest = (-reach.T.reshape(len(self.ends), 3, -1) - starts[..., None]).max(axis=1)
        for axis, half in ((bases.right, bases.half[:, 0]), (bases.ahead, bases.half[:, 1])):
            for sign in (1.0, -1.0):
                way = sign * axis
                bounded = (self.rays @ way.T <= 0).all(axis=1)
                edge = (self.ends @ way.T).max(axis=1)
                base = (bases.centre * way).sum(axis=-1) - half
                deepest = np.where(bounded, np.maximum(deepest, base - edge), deepest)
        return deepest


def _core_distance(bases: Bases, spots: Array) -> Array:
    """(n, m) distances of points (n, 2) from rectangles and from the centres of discs."""
    return (bases.to_points(spots) + bases.radius[:, None]).T
