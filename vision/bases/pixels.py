"""The pixels about each base's rim, and where on the plane of that rim they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.shapes import Outline

__all__ = ["Pixels", "Placed", "gather"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_BAND_OUT_MM, _BAND_IN_MM = 4.0, 3.5  # pixels this far outside the outline and inside the ring take part


@dataclass(frozen=True)
class Placed:
    """The ground point under its centre, the ground's height, its bearing up to its turn."""

    outline: Outline
    x_mm: float
    y_mm: float
    z_mm: float
    bearing_deg: float


@dataclass(frozen=True, eq=False)
class Pixels:
    """Pixels about rims: which base (N,), where on its rim's plane (N, 2) mm, where in the frame (N, 2)."""

    base: Ints
    xy_mm: Floats
    px: Ints
    starts: Ints


def gather(
    placed: Sequence[Placed], camera: CameraModel, shape: tuple[int, int], rim_mm: float, stride: int = 1
) -> Pixels:
    """The pixels about the rims of bases, in a frame of ``shape`` (rows, columns); every ``stride``-th of a row and
    column."""
    which, points, pixels = [], [], []
    height, width = shape
    for number, (base, (corners, terms)) in enumerate(zip(placed, _local_maps(placed, camera), strict=True)):
        if not np.isfinite(corners).all():
            continue
        left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
        right, bottom = np.minimum(np.ceil(corners.max(axis=0)), [width - 1, height - 1]).astype(int)
        if right <= left or bottom <= top:
            continue
        across, down = np.meshgrid(np.arange(left, right + 1, stride), np.arange(top, bottom + 1, stride))
        px = np.column_stack([across.ravel(), down.ravel()])
        middle = corners.mean(axis=0)
        offset = _terms(px - middle) @ terms
        u, v = _own(offset, np.deg2rad(base.bearing_deg))
        away = base.outline.distance(u, v)
        near = (away < _BAND_OUT_MM) & (away > -rim_mm - _BAND_IN_MM)
        which.append(np.full(int(near.sum()), number, dtype=np.intp))
        points.append(offset[near] + [base.x_mm, base.y_mm])
        pixels.append(px[near])
    if not which:
        return Pixels(np.zeros(0, np.intp), np.zeros((0, 2)), np.zeros((0, 2), np.intp), np.zeros(0, np.intp))
    base_of = np.concatenate(which)
    starts = np.searchsorted(base_of, np.arange(len(placed)))
    return Pixels(base_of, np.concatenate(points), np.concatenate(pixels), starts)


_GRID = np.stack(np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1, 1, 5)), axis=-1).reshape(-1, 2)


def _terms(offset_px: Floats) -> Floats:
    """The terms (..., 10) of a cubic in offsets (..., 2)."""
    x, y = offset_px[..., 0], offset_px[..., 1]
    one = np.ones_like(x, dtype=np.float64)
    return np.stack([one, x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=-1)


def _local_maps(placed: Sequence[Placed], camera: CameraModel) -> list[tuple[Floats, Floats]]:
    """For each base the pixels (25, 2) of a grid over it, and the cubic (10, 2) that turns offsets from their mean
    into millimetres from its centre: exact to a thousandth, and far cheaper than the lens pixel by pixel."""
    if not placed:
        return []
    reach = np.array([p.outline.reach_mm + _BAND_OUT_MM + 1.0 for p in placed])
    grid = _GRID * reach[:, None, None]
    centre = np.array([[p.x_mm, p.y_mm] for p in placed])[:, None]
    tops = np.array([p.z_mm + p.outline.height_mm for p in placed])
    points = np.concatenate([grid + centre, np.broadcast_to(tops[:, None, None], (*grid.shape[:2], 1))], axis=-1)
    seen = camera.project(points.reshape(-1, 3)).reshape(len(placed), -1, 2)
    safe = np.nan_to_num(seen)
    terms = _terms(safe - safe.mean(axis=1, keepdims=True))
    scale = np.maximum(np.abs(terms).max(axis=1, keepdims=True), 1e-12)
    scaled = terms / scale
    normal = scaled.transpose(0, 2, 1) @ scaled + 1e-10 * np.eye(10)
    solved = np.linalg.solve(normal, scaled.transpose(0, 2, 1) @ grid) / scale.transpose(0, 2, 1)
    return [(seen[k], solved[k]) for k in range(len(placed))]


def _own(offset: Floats, angle: Floats | float) -> tuple[Floats, Floats]:
    """Offsets (N, 2) from the centre as right and forward of the base's own frame."""
    sine, cosine = np.sin(angle), np.cos(angle)
    return offset[:, 0] * cosine - offset[:, 1] * sine, offset[:, 0] * sine + offset[:, 1] * cosine
