"""What a lens and a sensor make of the light that an ideal lens collects."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.records import Intrinsics
from vision.frames.records import Image
from vision.simulated.virtual import Effects

__all__ = ["IdealLens", "Light", "bent", "developed", "ideal_for", "white_of"]

Light = NDArray[np.float32]

_FINER = 2  # the bent picture is looked up so many times enlarged
_MARGIN = 0.01
_WHITE = 0.85  # of what a sensor takes, where the white of paper lies
_SHOULDER = 0.25  # by how much highlights are squeezed
_PRECISELY = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 50, 1e-9)


@dataclass(frozen=True)
class IdealLens:
    """A lens without distortion: its picture's size, focal length and the pixel on its axis."""

    width_px: int
    height_px: int
    focal_px: float
    cx: float
    cy: float


def ideal_for(lens: Intrinsics, finer: float) -> IdealLens:
    """The ideal lens that sees all that a real one does, so many times as finely."""
    x, y = np.meshgrid(np.linspace(-1, lens.width_px, 60), np.linspace(-1, lens.height_px, 60))
    rays = _rays(lens, np.column_stack([x.ravel(), y.ravel()]))
    low, high = rays.min(axis=0) - _MARGIN, rays.max(axis=0) + _MARGIN
    focal = lens.fx * finer
    width, height = (int(v) for v in np.ceil((high - low) * focal))
    return IdealLens(width, height, focal, float(-low[0] * focal), float(-low[1] * focal))


def bent(light: Light, ideal: IdealLens, lens: Intrinsics) -> Light:
    """The light (H, W, 3) that falls on a sensor behind a real lens, from that behind an ideal one."""
    width, height = lens.width_px, lens.height_px
    x, y = np.meshgrid(*((np.arange(n * _FINER) + 0.5) / _FINER - 0.5 for n in (width, height)))
    rays = _rays(lens, np.column_stack([x.ravel(), y.ravel()])) * ideal.focal_px + (ideal.cx, ideal.cy)
    at = rays.reshape(height * _FINER, width * _FINER, 2).astype(np.float32)
    fine = cv2.remap(light, at, None, cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)


def white_of(light: Light) -> float:
    """How much light the white of paper sends into a picture."""
    return float(np.percentile(light, 99.7))


def developed(light: Light, effects: Effects, white: float, rng: np.random.Generator) -> Image:
    """The picture (H, W, 3) that a sensor makes of light of which ``white`` is what paper sends back."""
    height, width = light.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    turn = np.radians(effects.lamp_deg)
    shade = (1 - 2 * effects.vignetting * (x**2 + y**2)) * (
        1 - effects.lamp * np.clip(0.5 - x * np.sin(turn) + y * np.cos(turn), 0, 1)
    )
    seen = light * (shade[..., None] * np.array(effects.cast) * effects.exposure * _WHITE / white)
    seen = cv2.GaussianBlur(seen, (0, 0), max(0.3, effects.blur_px * 0.8))
    seen = seen * (1 + _SHOULDER) / (1 + _SHOULDER * seen)
    levels = 255 * np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * np.maximum(seen, 1e-8) ** (1 / 2.4) - 0.055)
    if effects.sharpen:
        levels += effects.sharpen * (levels - cv2.GaussianBlur(levels, (0, 0), 1.2))
    levels += rng.normal(0, effects.noise, levels.shape) * np.sqrt(0.5 + levels.clip(0, 255) / 510)
    return np.asarray(levels.clip(0, 255).round(), dtype=np.uint8)


def _rays(lens: Intrinsics, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the rays of pixels (N, 2) meet the plane one before the lens."""
    matrix = np.array([[lens.fx, 0, lens.cx], [0, lens.fy, lens.cy], [0, 0, 1]])
    found = cv2.undistortPoints(pixels.reshape(-1, 1, 2), matrix, np.array(lens.dist), None, None, None, _PRECISELY)
    return np.asarray(found, dtype=np.float64).reshape(-1, 2)
