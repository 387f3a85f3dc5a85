"""The play area from above with its thin lines brought out, whatever the light and the colour of the mat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.pictures import grey_of
from calibration.records import TableSize
from vision.lookups import looked_up

__all__ = ["Straight", "straighten"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Points = NDArray[np.float64]

_MOST_PX = 2600
_STEP_PX = 16
_AROUND_MM = 6.0  # a line is darker or lighter than what lies so near
_LIGHT_MM = 45.0  # shade and grain are evened out over so much
_MOST = 4.0  # deviations: what stands out more is no line


@dataclass(frozen=True, eq=False)
class Straight:
    """``lines`` (H, W): how much each place stands out from what lies round it, 0 where nothing can be seen.

    The far edge is up; a pixel is ``px_mm`` wide. ``seen`` (H, W) says where the mat is in sight and bare.
    """

    lines: Floats
    seen: NDArray[np.bool_]
    px_mm: float

    def at(self, points_mm: Points) -> Floats:
        """``lines`` at table points (..., 2), between pixels; 0 beyond the play area."""
        return self._sampled(self.lines, points_mm)

    def bare(self, points_mm: Points) -> NDArray[np.bool_]:
        """Whether the mat is in sight and bare at table points (..., 2)."""
        return self._sampled(self.seen.astype(np.float32), points_mm) > 0.99

    def _sampled(self, picture: Floats, points_mm: Points) -> Floats:
        row = picture.shape[0] - 0.5 - points_mm[..., 1] / self.px_mm
        at = np.stack([points_mm[..., 0] / self.px_mm - 0.5, row], axis=-1).astype(np.float32)
        return np.asarray(looked_up(picture, at), dtype=np.float32)


def straighten(
    frame_bgr: Image, camera: CameraModel, table: TableSize, covered_mm: Sequence[Points] = ()
) -> Straight:
    """The play area as a camera shows it, (H, W, 3) BGR, set straight; outlines (N, 2) are ``covered``."""
    px_mm = max(1 / float(camera.px_per_mm([[table.width_mm / 2, table.depth_mm / 2, 0.0]])[0]), 0.3)
    px_mm = max(px_mm, max(table.width_mm, table.depth_mm) / _MOST_PX)
    width, height = round(table.width_mm / px_mm), round(table.depth_mm / px_mm)
    px_mm = table.width_mm / width
    places = _pixels(camera, width, height, px_mm)
    grey = grey_of(frame_bgr).astype(np.float32)
    light = np.asarray(cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR), dtype=np.float32)
    lens = camera.intrinsics
    inside = np.isfinite(places).all(axis=-1) & (places >= 1).all(axis=-1)
    inside &= (places[..., 0] < lens.width_px - 2) & (places[..., 1] < lens.height_px - 2)
    hidden = np.zeros((height, width), np.uint8)
    for outline in covered_mm:
        pixels = np.column_stack([outline[:, 0] / px_mm, height - outline[:, 1] / px_mm])
        cv2.fillPoly(hidden, [np.round(pixels).astype(np.int32)], 1)
    seen = inside & (hidden == 0)
    return Straight(_standing_out(light, seen, px_mm), seen, px_mm)


def _pixels(camera: CameraModel, width: int, height: int, px_mm: float) -> Floats:
    """The pixels (H, W, 2) of the picture that show the middles of the pixels from above."""
    across, down = (np.arange(-(-length // _STEP_PX) + 1) * _STEP_PX for length in (width, height))
    x, y = np.meshgrid((across + 0.5) * px_mm, (height - down - 0.5) * px_mm)
    nodes = camera.project(np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1))
    coarse = nodes.reshape(len(down), len(across), 2).astype(np.float32)
    columns, rows = (np.arange(length, dtype=np.float32) / _STEP_PX for length in (width, height))
    px, py = np.meshgrid(columns, rows)
    return np.asarray(cv2.remap(coarse, px, py, cv2.INTER_LINEAR), dtype=np.float32)


def _standing_out(light: Floats, seen: NDArray[np.bool_], px_mm: float) -> Floats:
    """Light less the mean round it, over how much that strays: thin lines stand out alike everywhere."""
    share = seen.astype(np.float32)
    filled = np.where(seen, light, 0.0).astype(np.float32)
    away = np.where(seen, light - _mean(filled, share, _AROUND_MM / px_mm), 0.0).astype(np.float32)
    usual = np.sqrt(np.maximum(_mean(away * away, share, _LIGHT_MM / px_mm), 0.0)) + 0.3
    even = np.clip(away / usual, -_MOST, _MOST) * share
    return np.asarray(even, dtype=np.float32)


def _mean(values: Floats, share: Floats, reach_px: float) -> Floats:
    """The mean of what is seen of values within a square of so many pixels to either side."""
    side = 2 * max(1, round(reach_px)) + 1
    total, count = (cv2.blur(one, (side, side), borderType=cv2.BORDER_CONSTANT) for one in (values, share))
    return np.asarray(total / np.maximum(count, 1e-3), dtype=np.float32)
