"""OpenCV's pinhole lens with its five distortion coefficients, both ways: a ray to a pixel and a pixel to its ray.

A ray is written as (x, y) at depth 1 in the camera frame: x right, y down, z ahead. Pixel centres are at integers.
"""

from __future__ import annotations

import numpy as np
from msgspec import structs
from numpy.typing import ArrayLike, NDArray

from calibration.errors import UnusableFile
from calibration.records import Intrinsics

__all__ = ["camera_matrix", "distort", "lens_for", "pixels_of_rays", "rays_of_pixels", "reach_of_lens"]

Points = NDArray[np.float64]

_STEPS = 30
_CLOSE = 1e-12


def camera_matrix(lens: Intrinsics) -> Points:
    """The (3, 3) matrix of a lens."""
    return np.array([[lens.fx, 0.0, lens.cx], [0.0, lens.fy, lens.cy], [0.0, 0.0, 1.0]])


def lens_for(lens: Intrinsics, size_px: tuple[int, int]) -> Intrinsics:
    """The lens for pictures of another size (width, height) of the same shape, as a camera's smaller modes give.

    Raises UnusableFile where the shapes differ: such a picture was cut, and no one knows where.
    """
    width, height = size_px
    if (width, height) == (lens.width_px, lens.height_px):
        return lens
    x, y = width / lens.width_px, height / lens.height_px
    if abs(x / y - 1) > 0.005:
        raise UnusableFile(
            f"the lens file is for pictures of {lens.width_px} x {lens.height_px}, this one has {width} x {height}:"
            " calibrate the camera at this size"
        )
    return structs.replace(
        lens,
        width_px=width,
        height_px=height,
        fx=lens.fx * x,
        fy=lens.fy * y,
        cx=(lens.cx + 0.5) * x - 0.5,
        cy=(lens.cy + 0.5) * y - 0.5,
    )


def pixels_of_rays(rays: ArrayLike, lens: Intrinsics) -> Points:
    """The pixels (N, 2) in which rays (N, 2) arrive."""
    x, y = np.asarray(rays, dtype=np.float64).reshape(-1, 2).T
    k1, k2, p1, p2, k3 = lens.dist
    xy, r2 = 2 * x * y, x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    pixels = np.empty((len(x), 2))
    pixels[:, 0] = lens.fx * (x * radial + p1 * xy + p2 * (r2 + 2 * x * x)) + lens.cx
    pixels[:, 1] = lens.fy * (y * radial + p1 * (r2 + 2 * y * y) + p2 * xy) + lens.cy
    return pixels


def rays_of_pixels(points_px: ArrayLike, lens: Intrinsics) -> Points:
    """The rays (N, 2) that arrive in pixels (N, 2); NaN for a pixel that no ray reaches through this lens.

    Newton's method: the fixed-point iteration that OpenCV uses creeps, or fails, for strong distortion.
    """
    pixels = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
    bent = (pixels - (lens.cx, lens.cy)) / (lens.fx, lens.fy)
    if not any(lens.dist):
        return bent
    within = reach_of_lens(lens)
    rays = _held(bent, within)
    miss = np.full(len(rays), np.inf)
    for _ in range(_STEPS):
        reached, jacobian = distort(rays, lens)
        error = reached - bent
        miss = np.abs(error).max(axis=1, initial=0.0)
        if np.all(miss < _CLOSE):
            break
        determinant = np.linalg.det(jacobian)
        jacobian[np.abs(determinant) < 1e-9] = np.eye(2)
        rays = _held(rays - np.linalg.solve(jacobian, error[..., None])[..., 0], within)
    rays[~(miss < 1e-9)] = np.nan
    return rays


def distort(rays: Points, lens: Intrinsics) -> tuple[Points, Points]:
    """Rays (N, 2) bent by the lens, and the Jacobian (N, 2, 2) of that."""
    k1, k2, p1, p2, k3 = lens.dist
    x, y = rays[:, 0], rays[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))  # of `radial`, by r2, twice: d(radial)/dx = slope * x
    bent = np.stack(
        [
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
        ],
        axis=-1,
    )
    cross = x * y * slope + 2 * p1 * x + 2 * p2 * y
    jacobian = np.stack(
        [
            np.stack([radial + x * x * slope + 2 * p1 * y + 6 * p2 * x, cross], axis=-1),
            np.stack([cross, radial + y * y * slope + 6 * p1 * y + 2 * p2 * x], axis=-1),
        ],
        axis=-2,
    )
    return bent, jacobian


def reach_of_lens(lens: Intrinsics) -> float:
    """The largest ray (distance from the axis at depth 1) up to which the radial distortion keeps its order.

    Beyond it the polynomial folds back and two rays share a pixel; infinite where it never does.
    """
    k1, k2, _, _, k3 = (k if abs(k) > 1e-12 else 0.0 for k in lens.dist)
    roots = np.roots([7 * k3, 5 * k2, 3 * k1, 1.0]) if any((k1, k2, k3)) else np.array([])
    real = [float(root.real) for root in roots if abs(root.imag) < 1e-9 and root.real > 0]
    return float(np.sqrt(min(real))) if real else float("inf")


def _held(rays: Points, within: float) -> Points:
    """Rays pulled back to where the lens is one to one."""
    if not np.isfinite(within):
        return rays
    length = np.linalg.norm(rays, axis=1, keepdims=True)
    return np.where(length > within, rays * (within / np.maximum(length, 1e-300)), rays)
