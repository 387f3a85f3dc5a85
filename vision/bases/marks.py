"""Front marks: which way a base faces, told by the patch of another paint at the middle of its front edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.fit import Placed
from vision.bases.paint import Paint, features_of
from vision.light import Light

__all__ = ["Facing", "MarkPaint", "facings"]

Floats = NDArray[np.float64]

_WIDE_MM, _DEEP_MM = 4.0, 3.0  # the painted patch
_STEP_DEG = 3.0
_BEHIND_MM = (4.2, 6.0)  # depths at which a mark has ended, and a figure of its colour has not
_LEAST = 0.30  # likeness of a mark that is believed
_MARGIN = 0.14  # by which it must beat every other place on the rim


@dataclass(frozen=True, eq=False)
class MarkPaint:
    """A mark's paint told from the rim's paint, and from the ground's."""

    from_rim: Paint
    from_ground: Paint

    def likeness(self, features: NDArray[np.float32]) -> Floats:
        """0 where it is either rim or ground, 1 on the mark: the lesser of both likenesses."""
        return np.minimum(self.from_rim.likeness(features), self.from_ground.likeness(features)).astype(np.float64)


@dataclass(frozen=True)
class Facing:
    """A bearing with its sigma, or neither, and how clearly the mark was seen (its lead over the next best)."""

    bearing_deg: float | None
    sigma_deg: float | None
    lead: float


def facings(
    bases: Sequence[Placed], axis_sigma_deg: Floats, mark: MarkPaint, frame_bgr: NDArray[np.uint8], light: Light,
    camera: CameraModel,
) -> list[Facing]:
    """The facing of each base, None where no mark is clearly seen."""
    return [
        _round(base, mark, frame_bgr, light, camera)
        if base.outline.round_
        else _rectangle(base, float(sigma), mark, frame_bgr, light, camera)
        for base, sigma in zip(bases, axis_sigma_deg, strict=True)
    ]


def _round(
    base: Placed, mark: MarkPaint, frame: NDArray[np.uint8], light: Light, camera: CameraModel
) -> Facing:
    """The direction of the mark on a round rim: the peak of its profile, and the centre of that peak."""
    bearings = np.arange(0.0, 360.0, _STEP_DEG)
    scores = _scores(base, bearings, base.outline.half_width_mm, mark, frame, light, camera)
    best = int(scores.argmax())
    apart = np.abs((bearings - bearings[best] + 180) % 360 - 180)
    wide = np.rad2deg(_WIDE_MM / base.outline.half_width_mm)
    rival = float(scores[apart > 1.6 * wide].max())
    lead = float(scores[best]) - rival
    if scores[best] < _LEAST or lead < _MARGIN:
        return Facing(None, None, lead)
    near = apart <= wide
    weight = np.maximum(scores[near] - max(0.4 * scores[best], rival), 0.0)
    offset = (bearings[near] - bearings[best] + 180) % 360 - 180
    bearing = float(bearings[best] + weight @ offset / weight.sum()) % 360
    scale = float(camera.px_per_mm(np.array([[base.x_mm, base.y_mm, base.z_mm]]))[0])
    sigma = float(np.rad2deg(0.25 / scale / base.outline.half_width_mm)) / max(float(scores[best]), 0.4)
    return Facing(bearing, sigma, lead)


def _rectangle(
    base: Placed, axis_sigma_deg: float, mark: MarkPaint, frame: NDArray[np.uint8], light: Light, camera: CameraModel
) -> Facing:
    """Which of a rectangle's ends is its front."""
    bearings = base.bearing_deg + np.arange(0.0, 360.0, base.outline.turn_deg)
    scores = _scores(base, bearings, base.outline.half_depth_mm, mark, frame, light, camera)
    order = np.argsort(-scores)
    lead = float(scores[order[0]] - scores[order[1]])
    if scores[order[0]] < _LEAST or lead < _MARGIN:
        return Facing(None, None, lead)
    return Facing(float(bearings[order[0]] % 360), axis_sigma_deg, lead)


def _scores(
    base: Placed, bearings: Floats, edge_mm: float, mark: MarkPaint, frame: NDArray[np.uint8], light: Light,
    camera: CameraModel,
) -> Floats:
    """How much a mark is seen at the middle of a front edge with each bearing (N,)."""
    across = np.linspace(-0.36, 0.36, 5) * _WIDE_MM
    depths = np.array([0.17, 0.5, 0.8]) * _DEEP_MM
    behind = np.array(_BEHIND_MM)
    rows = np.concatenate([depths, behind])
    side, depth = np.meshgrid(across, rows)
    own = np.column_stack([side.ravel(), edge_mm - depth.ravel()])
    angle = np.deg2rad(bearings)[:, None]
    x = base.x_mm + own[:, 0] * np.cos(angle) + own[:, 1] * np.sin(angle)
    y = base.y_mm - own[:, 0] * np.sin(angle) + own[:, 1] * np.cos(angle)
    z = np.full(x.size, base.z_mm + base.outline.height_mm)
    places = camera.project(np.column_stack([x.ravel(), y.ravel(), z])).astype(np.float32)
    places = np.nan_to_num(places, nan=-10.0)
    seen = cv2.remap(frame, places[None, :, 0], places[None, :, 1], cv2.INTER_LINEAR)[0]
    like = mark.likeness(features_of(light.reflectance(np.asarray(seen, dtype=np.uint8), places)))
    like = like.reshape(len(bearings), len(rows), len(across))
    front = like[:, : len(depths)].mean(axis=(1, 2))
    back = np.maximum(like[:, len(depths) :].mean(axis=(1, 2)), 0.0)
    return np.asarray(front - 0.5 * back)
