"""How much of the light reaches each part of the table: less in the shadows of figures, hills and hands.

Paint in a shadow looks like another, darker paint. How deep the shadow is, the mat beside it tells: what has the
mat's hue and is darker than the mat is usually mat in shadow.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.paint import FADING

__all__ = ["lit_across", "shade_of"]

Singles = NDArray[np.float32]
Image = NDArray[np.uint8]

_HUE = 0.06  # how far the mat's hue strays, one sigma
_ABOUT_MM = 6.0  # so far about a place the mat tells how it is lit, one sigma
_COARSE_CELLS = 2
_DEEPEST = 0.3  # no shadow is deeper: other lamps, the ceiling
_DIM = 0.7  # flock may be so much darker than the mat in the same light
_WITHOUT_MM, _WITHIN_MM = (0.9, 4.2), (-6.0, -3.3)  # depths beside a rim that tell its light
_DARKER = 0.4  # so many of the samples there are darker than what is taken for their level
_DIM_BESIDE, _DEEPEST_BESIDE = 0.75, 0.06  # as _DIM and _DEEPEST; a figure's shadow on its own base is darker
_FULL = 0.02  # share of the surroundings that are taken to be fully lit: where no mat is seen, there is no shadow


def shade_of(
    index: NDArray[np.uint16], colours: Singles, seen: NDArray[np.bool_], cell_mm: float, ground: Singles
) -> Image:
    """The share of the light that reaches each cell (H, W) of a picture laid flat, 0-255.

    ``index`` (H, W) numbers the ``colours`` (C, 3), shares of white, of its cells, of which some are ``seen``;
    ``ground`` (3,) are the mat's features.
    """
    weight, share = _mat(colours, ground)
    told = np.stack([weight, weight * share], axis=-1)
    of_cells = np.asarray(told[index], dtype=np.float32)
    of_cells[~seen] = 0
    about = cv2.GaussianBlur(of_cells, (0, 0), max(0.8, _ABOUT_MM / cell_mm))
    found = (about[..., 1] + np.float32(_FULL)) / (about[..., 0] + np.float32(_FULL))
    lit = np.clip(found / np.float32(_DIM), np.float32(_DEEPEST), np.float32(1))
    return np.asarray(cv2.convertScaleAbs(lit, alpha=255.0), dtype=np.uint8)


def lit_across(colours: Singles, depths: Singles, ground: Singles) -> Singles:
    """The share (N, K, 1) of the light that falls on each normal of rims sampled (N, K, M, 3) at ``depths`` (M,).

    Right beside a rim lies mat or flock; as dark as the darker of both sides is, the rim may be shaded. All of a
    normal is lit alike, so that a rim still stands out from both its sides or does not. ``ground`` (3,) are the
    mat's features.
    """
    full = max(float(np.square(2 * ground[2])), 1e-3) * _DIM_BESIDE  # of a lit mat
    total: Singles = colours[..., 0] + colours[..., 1] + colours[..., 2]
    shares = []
    for low, high in (_WITHOUT_MM, _WITHIN_MM):
        band = np.sort(total[..., (depths > low) & (depths < high)], axis=-1)
        level = band[..., round(_DARKER * (band.shape[-1] - 1))]
        shares.append(np.roll(level, 1, axis=1) + level + np.roll(level, -1, axis=1))
    share = np.minimum(*shares) * np.float32(1 / (3 * full))
    return np.asarray(np.clip(share, _DEEPEST_BESIDE, 1)[..., None], dtype=np.float32)


def _mat(linear: Singles, ground: Singles) -> tuple[Singles, Singles]:
    """How likely each colour (C, 3) is mat in any light, and how bright it is as a share of it."""
    blue, green, red = linear.T
    total = blue + green + red
    bright = max(float(np.square(2 * ground[2])), 1e-3)  # of a lit mat
    full = (bright + FADING) / bright
    scale = 1 / (total + np.float32(FADING))
    fades = total * scale
    first = (red - green) * scale - fades * np.float32(ground[0] * full)
    second = (blue - green) * scale - fades * np.float32(ground[1] * full)
    weight = np.exp((first * first + second * second) * np.float32(-0.5 / _HUE**2))
    return np.asarray(weight, np.float32), np.minimum(total * np.float32(1 / bright), np.float32(1))
