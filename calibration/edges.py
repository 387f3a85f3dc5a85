"""Corners of dark squares to a few hundredths of a pixel: a blurred step is fitted along each whole edge.

OpenCV's own refinements follow the brightest gradient, which in a picture lies too far inside a dark square: a
camera writes brightness through a curve, so that a blurred edge looks as if the white had spread into the black.
Here the curve is undone first, and every pixel along an edge helps to place it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

__all__ = ["Refined", "refine_squares"]

Points = NDArray[np.float64]

#: Pictures are written with about this exponent (sRGB's curve), which is undone before edges are measured.
_GAMMA = 2.2
_TO_LIGHT = ((np.arange(256) / 255.0) ** _GAMMA).astype(np.float32)

_ALONG = np.linspace(0.12, 0.88, 13)  # where an edge is crossed, as a share of its length: not at the corners
_ACROSS = np.linspace(-1.0, 1.0, 15)  # where each crossing is sampled, as a share of its reach
_LEAST_REACH_PX, _MOST_REACH_PX, _REACH_CELLS = 1.3, 3.5, 0.8
_PASSES, _STEPS = 2, 8
_FARTHEST_PX = 2.0  # no edge is sought farther than this from where it was first seen
_SIGMA_PX = (0.05, 0.5)  # no corner is better than the first, whatever the fit says
_HALF_SQRT = np.sqrt(0.5)


@dataclass(frozen=True)
class Refined:
    """Corners (M, 4, 2) in pixels, their noise ``sigma_px`` (M,) per axis, and which are sure: ``good`` (M,)."""

    corners_px: Points
    sigma_px: Points
    good: NDArray[np.bool_]


def refine_squares(grey: NDArray[np.uint8], corners_px: Points, cells: int) -> Refined:
    """Refines the outer corners (M, 4, 2) of dark squares of ``cells`` by ``cells`` cells on white.

    ``corners_px`` runs clockwise as seen in the picture, to about a pixel. Where no step is found near an edge, the
    corners come back as they were, and not ``good``.
    """
    count = len(corners_px)
    rough = np.asarray(corners_px, dtype=np.float64).reshape(count, 4, 2)
    if not count:
        return Refined(rough, np.zeros(0), np.zeros(0, dtype=bool))
    corners = rough
    fit = _Fit(np.zeros((0, 5)), np.zeros(0))
    for _ in range(_PASSES):
        corners, fit = _one_pass(grey, corners, cells)
    moved = np.linalg.norm(corners - rough, axis=2).max(axis=1)
    contrast = fit.parameters[:, 1].reshape(count, 4)
    side = np.linalg.norm(rough - np.roll(rough, -1, axis=1), axis=2).mean(axis=1)
    close = moved < np.maximum(2.5, 0.12 * side)
    good = close & (contrast.min(axis=1) > 0.25 * contrast.max(axis=1)) & np.isfinite(corners).all(axis=(1, 2))
    sigma = np.sqrt((fit.place_sigma.reshape(count, 4) ** 2).mean(axis=1))
    return Refined(
        np.where(good[:, None, None], corners, rough), np.where(good, np.clip(sigma, *_SIGMA_PX), 0.6), good
    )


@dataclass(frozen=True)
class _Fit:
    """Per edge: (mid, half contrast, offset, tilt, blur), and the sigma in pixels of where its ends lie."""

    parameters: Points
    place_sigma: Points


def _one_pass(grey: NDArray[np.uint8], corners: Points, cells: int) -> tuple[Points, _Fit]:
    """Fits all edges once and intersects neighbours."""
    count = len(corners)
    start, stop = corners, np.roll(corners, -1, axis=1)
    length = np.maximum(np.linalg.norm(stop - start, axis=2), 1e-6)
    along = (stop - start) / length[..., None]
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    reach = np.clip(_REACH_CELLS * length.mean(axis=1) / cells, _LEAST_REACH_PX, _MOST_REACH_PX)
    across = np.broadcast_to((reach[:, None] * _ACROSS)[:, None, None, :], (count, 4, len(_ALONG), len(_ACROSS)))
    places = (
        start[:, :, None, None, :]
        + (_ALONG[None, None, :] * length[..., None])[..., None, None] * along[:, :, None, None, :]
        + across[..., None] * outward[:, :, None, None, :]
    )
    light = _sample(grey, places.reshape(count * 4, -1, 2))
    position = np.broadcast_to((2 * _ALONG - 1)[None, None, :, None], across.shape)
    fit = _fit_steps(light, across.reshape(count * 4, -1), position.reshape(count * 4, -1))
    offset = fit.parameters[:, 2].reshape(count, 4, 1)
    tilt = fit.parameters[:, 3].reshape(count, 4, 1)
    lines = np.cross(
        _homogeneous(start + (offset - tilt) * outward), _homogeneous(stop + (offset + tilt) * outward)
    )
    meet = np.cross(np.roll(lines, 1, axis=1), lines)
    with np.errstate(divide="ignore", invalid="ignore"):
        return meet[..., :2] / meet[..., 2:], fit


def _sample(grey: NDArray[np.uint8], places: Points) -> Points:
    """The light at places (E, K, 2), between pixels linearly, as (E, K) from 0 to 1."""
    low = np.floor(places.min(axis=(0, 1))).astype(int) - 2
    high = np.ceil(places.max(axis=(0, 1))).astype(int) + 3
    height, width = grey.shape
    x0, y0 = np.clip(low, 0, (width - 1, height - 1))
    x1, y1 = np.clip(high, (x0 + 1, y0 + 1), (width, height))
    light = cv2.LUT(grey[y0:y1, x0:x1], _TO_LIGHT)
    local = (places - (x0, y0)).astype(np.float32)
    found = cv2.remap(light, local[..., 0], local[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, dtype=np.float64)


def _fit_steps(light: Points, across: Points, position: Points) -> _Fit:
    """Fits light = mid + half * erf((across - offset - tilt * position) / blur) to all edges at once, robustly."""
    low, high = np.percentile(light, [10, 90], axis=1)
    edges = len(light)
    p = np.stack(
        [
            (low + high) / 2,
            np.maximum((high - low) / 2, 1e-3),
            np.zeros(edges),
            np.zeros(edges),
            np.full(edges, 0.9),
        ],
        axis=1,
    )
    limit = np.array([1.0, 1.0, 0.5, 0.5, 0.3])
    normal = np.zeros((edges, 5, 5))
    weight = np.ones_like(light)
    residual = light
    for _ in range(_STEPS):
        mid, half, offset, tilt, blur = (p[:, i : i + 1] for i in range(5))
        z = (across - offset - tilt * position) / blur
        step = erf(z * _HALF_SQRT)
        slope = half * np.sqrt(2 / np.pi) * np.exp(-0.5 * z * z) / blur
        residual = light - mid - half * step
        weight = 1 / (1 + (residual / (0.15 * np.abs(half) + 1e-6)) ** 2)
        jacobian = np.stack([np.ones_like(step), step, -slope, -slope * position, -slope * z], axis=-1)
        weighted = jacobian * weight[..., None]
        normal = jacobian.transpose(0, 2, 1) @ weighted + 1e-9 * np.eye(5)
        change = np.linalg.solve(normal, (weighted * residual[..., None]).sum(axis=1)[..., None])[..., 0]
        p = p + np.clip(change, -limit, limit)
        p[:, 2:4] = np.clip(p[:, 2:4], -_FARTHEST_PX, _FARTHEST_PX)
        p[:, 4] = np.clip(p[:, 4], 0.25, 2.5)
    scale = np.sqrt((weight * residual**2).sum(axis=1) / np.maximum(weight.sum(axis=1) - 5, 1))
    variance = np.linalg.inv(normal)[:, 2, 2] + np.linalg.inv(normal)[:, 3, 3]
    return _Fit(p, scale * np.sqrt(np.maximum(variance, 0)))


def _homogeneous(points: Points) -> Points:
    return np.concatenate([points, np.ones_like(points[..., :1])], axis=-1)
