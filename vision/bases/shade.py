"""How much of the light reaches each part of the table: less in the shadows of figures, hills and hands.

Paint in a shadow looks like another, darker paint. How deep the shadow is, the mat beside it tells: what has the
mat's hue and is darker than the mat is usually mat in shadow.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.paint import FADING
from vision.light import Light, linear_of_srgb

__all__ = ["Shade", "shade_of"]

Singles = NDArray[np.float32]
Image = NDArray[np.uint8]

_CURVE = linear_of_srgb(np.arange(256)).astype(np.float32)
_HUE = 0.06  # how far the mat's hue strays, one sigma
_ABOUT_MM = 6.0  # so far about a place the mat tells how it is lit, one sigma
_DEEPEST = 0.3  # no shadow is deeper: other lamps, the ceiling
_DIM = 0.7  # flock may be so much darker than the mat in the same light
_FULL = 0.02  # share of the surroundings that are taken to be fully lit: where no mat is seen, there is no shadow


@dataclass(frozen=True, eq=False)
class Shade:
    """The share of the light that reaches each pixel of a picture, on a picture ``by`` times smaller: (H, W)."""

    lit: Singles
    by: float

    def at(self, pixels: Singles) -> Singles:
        """The share (...) of the light at pixels (..., 2) of the whole picture; 1 outside it."""
        at = (pixels.reshape(-1, 2) + np.float32(0.5)) * np.float32(1 / self.by) - np.float32(0.5)
        rows, columns = self.lit.shape
        with np.errstate(invalid="ignore"):
            column = np.clip(np.nan_to_num(at[:, 0] + np.float32(0.5)), 0, columns - 1).astype(np.intp)
            row = np.clip(np.nan_to_num(at[:, 1] + np.float32(0.5)), 0, rows - 1).astype(np.intp)
        return np.asarray(self.lit[row, column].reshape(pixels.shape[:-1]), dtype=np.float32)


def shade_of(small: Image, by: int, px_per_mm: float, light: Light, ground: Singles) -> Shade:
    """The shadows in a picture shrunk ``by``, ``px_per_mm`` before that; ``ground`` (3,): the mat's features."""
    linear = _CURVE[small] * light.gains(small.shape[:2])
    total = linear.sum(axis=2)
    scale = 1 / (total + np.float32(FADING))
    fades = total * scale
    bright = np.square(2 * ground[2])  # of a lit mat
    full = np.float32((bright + FADING) / bright)
    off = np.square((linear[..., 2] - linear[..., 1]) * scale - ground[0] * full * fades)
    off += np.square((linear[..., 0] - linear[..., 1]) * scale - ground[1] * full * fades)
    weight = np.exp(off * np.float32(-0.5 / _HUE**2))
    share = np.minimum(total / np.float32(bright), np.float32(1))
    sigma = max(0.8, _ABOUT_MM * px_per_mm / by)
    mat = cv2.GaussianBlur(weight, (0, 0), sigma)
    dark = cv2.GaussianBlur(weight * share, (0, 0), sigma)
    lit = (dark + np.float32(_FULL)) / (mat + np.float32(_FULL))
    return Shade(np.clip(lit / np.float32(_DIM), np.float32(_DEEPEST), np.float32(1)), by)
