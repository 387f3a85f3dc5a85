"""The `CameraModel`: pixel ↔ point of the table at a given height, distortion included, with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.optics import camera_matrix, pixels_of_rays, rays_of_pixels
from calibration.records import Intrinsics

__all__ = ["CameraModel", "HeldOut"]

Points = NDArray[np.float64]

_NEAREST_MM = 1.0  # points nearer to the camera than this have no picture


@dataclass(frozen=True)
class HeldOut:
    """How far a marker is seen from where the other markers put it, on its plane, and the sigma per axis."""

    id: int
    off_mm: float
    sigma_mm: float


@dataclass(frozen=True, eq=False)
class CameraModel:
    """A camera over the table.

    ``rvec`` (3,) in radians and ``tvec_mm`` (3,) turn table into camera coordinates as OpenCV does;
    ``pose_covariance`` (6, 6) is theirs, in that order. ``warnings`` are for the user, one sentence each;
    ``held_out`` is how well the other markers foretell each one, where there are four or more.
    """

    intrinsics: Intrinsics
    rvec: Points
    tvec_mm: Points
    pose_covariance: Points
    reprojection_rms_px: float
    markers_used: tuple[int, ...]
    warnings: tuple[str, ...] = ()
    held_out: tuple[HeldOut, ...] = ()
    _rotation: Points = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, shape in (("rvec", (3,)), ("tvec_mm", (3,)), ("pose_covariance", (6, 6))):
            value = np.array(getattr(self, name), dtype=np.float64)
            if value.shape != shape:
                raise ValueError(f"{name}: expected shape {shape}, got {value.shape}")
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        rotation = np.array(cv2.Rodrigues(self.rvec)[0], dtype=np.float64)
        rotation.setflags(write=False)
        object.__setattr__(self, "_rotation", rotation)

    @property
    def rotation(self) -> Points:
        """The (3, 3) rotation from table to camera axes."""
        return self._rotation

    @property
    def position_mm(self) -> Points:
        """The camera's centre (3,) in the table frame."""
        return -self._rotation.T @ self.tvec_mm

    def project(self, points_mm: ArrayLike) -> Points:
        """The pixels (N, 2) in which table points (N, 3) are seen; NaN for points behind the camera."""
        seen = _rows(points_mm, 3) @ self._rotation.T + self.tvec_mm
        depth = np.where(seen[:, 2] > _NEAREST_MM, seen[:, 2], np.nan)
        return pixels_of_rays(seen[:, :2] / depth[:, None], self.intrinsics)

    def to_plane(self, points_px: ArrayLike, z_mm: ArrayLike = 0.0) -> Points:
        """The table points (N, 2) in mm, at height ``z_mm`` (one, or one a pixel), that pixels (N, 2) show.

        NaN where a pixel looks past the plane.
        """
        rays = rays_of_pixels(_rows(points_px, 2), self.intrinsics)
        ahead = np.column_stack([rays, np.ones(len(rays))]) @ self._rotation
        centre = self.position_mm
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (np.asarray(z_mm, dtype=np.float64) - centre[2]) / ahead[:, 2]
        reach = np.where(np.isfinite(reach) & (reach > _NEAREST_MM), reach, np.nan)
        return centre[:2] + ahead[:, :2] * reach[:, None]

    def plane_covariance(self, points_px: ArrayLike, z_mm: ArrayLike = 0.0, sigma_px: float = 0.1) -> Points:
        """The covariances (N, 2, 2) in mm² of what `to_plane` answers.

        They join the noise of the pixels themselves, ``sigma_px`` per axis, and the uncertainty of the pose.
        """
        pixels = _rows(points_px, 2)
        plane = self.to_plane(pixels, z_mm)
        height = np.broadcast_to(np.asarray(z_mm, dtype=np.float64), (len(plane),))
        by_place, by_pose = self._slopes(np.column_stack([plane, height]))
        noise = sigma_px**2 * np.eye(2) + by_pose @ self.pose_covariance @ by_pose.transpose(0, 2, 1)
        inverse = _inverse(by_place[:, :, :2])
        return inverse @ noise @ inverse.transpose(0, 2, 1)

    def px_per_mm(self, points_mm: ArrayLike) -> Points:
        """How many pixels (N,) a horizontal millimetre covers at table points (N, 3): the mean over directions."""
        by_place, _ = self._slopes(_rows(points_mm, 3))
        plane = by_place[:, :, :2]
        return np.sqrt(np.abs(plane[:, 0, 0] * plane[:, 1, 1] - plane[:, 0, 1] * plane[:, 1, 0]))

    def _slopes(self, points_mm: Points) -> tuple[Points, Points]:
        """How pixels change with table points (N, 2, 3), and with the pose (N, 2, 6)."""
        if not len(points_mm):
            return np.zeros((0, 2, 3)), np.zeros((0, 2, 6))
        safe = np.where(np.isfinite(points_mm), points_mm, 0.0)
        lens = self.intrinsics
        _, slopes = cv2.projectPoints(
            safe[:, None, :], self.rvec, self.tvec_mm, camera_matrix(lens), np.array(lens.dist)
        )
        by_pose = np.asarray(slopes, dtype=np.float64)[:, :6].reshape(-1, 2, 6)
        by_pose[~np.isfinite(points_mm).all(axis=1)] = np.nan
        return by_pose[:, :, 3:] @ self._rotation, by_pose


def _rows(values: ArrayLike, width: int) -> Points:
    """Values as (N, width) doubles. Raises ValueError for another shape."""
    array = np.asarray(values, dtype=np.float64)
    if array.size == 0:
        return np.zeros((0, width))
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"expected shape (N, {width}), got {array.shape}")
    return array


def _inverse(matrices: Points) -> Points:
    """The inverses of (N, 2, 2) matrices; NaN for singular ones."""
    a, b, c, d = matrices[:, 0, 0], matrices[:, 0, 1], matrices[:, 1, 0], matrices[:, 1, 1]
    determinant = a * d - b * c
    determinant = np.where(np.abs(determinant) > 1e-15, determinant, np.nan)
    return np.stack([np.stack([d, -b], -1), np.stack([-c, a], -1)], -2) / determinant[:, None, None]
