"""The height of the ground: 0 on the playing surface, and the top of whatever patch of terrain lies there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera import CameraModel
from calibration.records import Table
from vision.records import TerrainSeen

__all__ = ["FLAT", "Ground", "Patch", "ground_of"]

Points = NDArray[np.float64]

_LOGISTIC = 0.8  # of a depth in sigma: tanh of it runs as the normal distribution does
_NEGLIGIBLE_MM = 0.01
_AT_ONCE = 1 << 13  # so many corners for so many points are quicker together than edge by edge
_STANDING_ROOM_MM = 15.0  # nothing stands on a wall's top, or on any other strip narrower than this


@dataclass(frozen=True, eq=False)
class Patch:
    """A level piece of ground: its outline (N, 2) in table mm, how well that is known, and its height.

    ``slope_mm`` is how much farther its foot reaches than its top; between both the ground falls evenly. It is 0
    where only the top is known.
    """

    outline_mm: Points
    height_mm: float
    slope_mm: float = 0.0
    sigma_mm: float = 0.0

    def heights(self, points: Points) -> Points:
        """Its height (N,) over the playing surface at points (N, 2); 0 beyond its foot."""
        within = inside(self.outline_mm, points)
        if self.slope_mm <= 0:
            return np.where(within, self.height_mm, 0.0)
        beyond = np.where(within, 0.0, _distances(self.outline_mm, points))
        return self.height_mm * np.clip(1.0 - np.nan_to_num(beyond, nan=np.inf) / self.slope_mm, 0.0, 1.0)


@dataclass(frozen=True)
class Ground:
    """The playing surface and the patches on it. Immutable, and safe to share between threads."""

    patches: tuple[Patch, ...] = ()

    @property
    def outlines_mm(self) -> tuple[Points, ...]:
        """The outlines (M, 2) of the patches."""
        return tuple(patch.outline_mm for patch in self.patches)

    def height_at(self, points_mm: ArrayLike) -> Points:
        """The ground's height (N,) in mm under table points (N, 2): the highest patch there, 0 off all."""
        points = _rows(points_mm)
        height = np.zeros(len(points))
        for patch in self.patches:
            height = np.maximum(height, patch.heights(points))
        return height

    def sigma_at(self, points_mm: ArrayLike, reach_mm: float = 0.0) -> Points:
        """How uncertain (N,) the height in mm is at table points (N, 2), one standard deviation.

        It is 0 away from the rims of patches. Near one it is not known on which side a point lies, the less the
        worse the outline is known (its sigma); a base of radius ``reach_mm`` may besides straddle the rim and lie
        tilted, or on either level. A base that was placed at ``height_at`` of its centre has, beside its own sigma,
        one of ``sigma_at(centre, radius) * t``, where t is the tangent of the camera's view there: the
        horizontal distance from below the camera over the camera's height. Half the step between both levels is
        the most it can be.
        """
        points = _rows(points_mm)
        sigma = np.zeros(len(points))
        for index, patch in enumerate(self.patches):
            blur = float(np.hypot(patch.sigma_mm, reach_mm / 2.0))
            if blur <= 0 or not len(points):
                continue
            within = inside(patch.outline_mm, points)
            depth = np.where(within, 1.0, -1.0) * _distances(patch.outline_mm, points)
            share = 0.5 * (1.0 + np.tanh(_LOGISTIC * np.nan_to_num(depth, nan=-np.inf) / blur))
            others = Ground(self.patches[:index] + self.patches[index + 1 :]).height_at(points)
            step = np.maximum(patch.height_mm - others, 0.0) / (1.0 + patch.slope_mm / max(blur, 1e-9))
            sigma = np.maximum(sigma, step * np.sqrt(share * (1.0 - share)))
        return np.where(sigma > _NEGLIGIBLE_MM, sigma, 0.0)

    def height_seen(self, camera: CameraModel, points_px: ArrayLike, above_mm: float = 0.0) -> Points:
        """The height (N,) in mm of the ground under what pixels (N, 2) show.

        ``above_mm`` is how far that lies over its ground (a base's rim, say). Of two grounds that fit, the higher
        hides the lower and is the answer.
        """
        pixels = _rows(points_px)
        height = np.zeros(len(pixels))
        for patch in self.patches:
            places = camera.to_plane(pixels, patch.height_mm + above_mm)
            higher = inside(patch.outline_mm, places) & (patch.height_mm > height)
            height[higher] = patch.height_mm
        return height

    def hides(self, points_mm: ArrayLike, eye_mm: ArrayLike) -> NDArray[np.bool_]:
        """Which points (N, 3) above the table an eye (3,) does not see, for a higher patch stands before them.

        >>> hill = Ground((Patch(np.array([(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)]), 50.0),))
        >>> hill.hides([(50, 110, 0), (50, 170, 0), (50, -10, 0)], (50, -1000, 1000)).tolist()
        [True, False, False]
        """
        points, eye = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3), np.asarray(eye_mm, dtype=np.float64)
        hidden = np.zeros(len(points), dtype=np.bool_)
        for patch in self.patches:
            rises = patch.height_mm - points[:, 2:]
            at = points[:, :2] + (eye[:2] - points[:, :2]) * rises / (eye[2] - points[:, 2:])
            hidden |= (rises[:, 0] > 0) & inside(patch.outline_mm, at)
        return hidden


FLAT = Ground()


def ground_of(terrain: Iterable[TerrainSeen], table: Table) -> Ground:
    """The ground that pieces of terrain make; strips too narrow to stand on (walls) are left out."""
    heights = {kind.kind: kind.height_mm for kind in table.terrain_kinds}
    patches = [
        Patch(np.array(piece.polygon_mm, dtype=np.float64), heights.get(piece.kind, 0.0), sigma_mm=piece.sigma_mm)
        for piece in terrain
    ]
    return Ground(tuple(p for p in patches if p.height_mm > 0 and _has_room(p.outline_mm)))


def inside(outline: Points, points: Points) -> NDArray[np.bool_]:
    """Which points (N, 2) lie within a simple polygon (M, 2), by the even-odd rule; NaN lies outside."""
    x, y = points[:, 0], points[:, 1]
    if len(points) * len(outline) <= _AT_ONCE:
        ax, ay, bx, by = (values[:, None] for values in (*outline.T, *np.roll(outline, -1, axis=0).T))
        across, along = (x - ax) * (by - ay), (y - ay) * (bx - ax)
        crossed = ((y < ay) != (y < by)) & ((across < along) == (by > ay)) & (across != along)
        return np.asarray(np.logical_xor.reduce(crossed, axis=0) & np.isfinite(x) & np.isfinite(y))
    within = np.zeros(len(points), dtype=np.bool_)
    for (ax, ay), (bx, by) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if ay == by:
            continue
        crosses = (y < ay) != (y < by)
        across, along = (x - ax) * (by - ay), (y - ay) * (bx - ax)
        within ^= crosses & ((across < along) if by > ay else (across > along))
    return within & np.isfinite(points).all(axis=1)


def _distances(outline: Points, points: Points) -> Points:
    """How far points (N, 2) lie from the rim of a polygon (M, 2), inside or out; NaN for those without place."""
    nearest = np.full(len(points), np.inf)
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        along = b - a
        share = np.clip((points - a) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
        nearest = np.minimum(nearest, np.linalg.norm(points - a - share[:, None] * along, axis=1))
    return np.where(np.isfinite(points).all(axis=1), nearest, np.nan)


def _has_room(outline: Points) -> bool:
    """Whether a polygon is broad enough to stand on: twice its area over its perimeter is a strip's width."""
    ahead = np.roll(outline, -1, axis=0)
    area = 0.5 * abs(float(np.sum(outline[:, 0] * ahead[:, 1] - outline[:, 1] * ahead[:, 0])))
    around = float(np.linalg.norm(ahead - outline, axis=1).sum())
    return around > 0 and 2.0 * area / around >= _STANDING_ROOM_MM


def _rows(values: ArrayLike) -> Points:
    points = np.asarray(values, dtype=np.float64)
    if points.size == 0:
        return np.zeros((0, 2))
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"expected shape (N, 2), got {points.shape}")
    return points
