"""How much of the light reaches each part of the table: less in the shadows of figures, hills and hands.

Paint in a shadow looks like another, darker paint. How deep the shadow is, the mat beside it tells: what has the
mat's hue and is darker than the mat is usually mat in shadow.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import FADING
from vision.light import Light, linear_of_srgb

__all__ = ["Shade", "lit_across", "shade_of"]

Singles = NDArray[np.float32]
Image = NDArray[np.uint8]

_CURVE = linear_of_srgb(np.arange(256)).astype(np.float32)
_HUE = 0.06  # how far the mat's hue strays, one sigma
_ABOUT_MM = 6.0  # so far about a place the mat tells how it is lit, one sigma
_KNOT_MM = 2.0  # pixels so far apart tell the shadows
_DEEPEST = 0.3  # no shadow is deeper: other lamps, the ceiling
_DIM = 0.7  # flock may be so much darker than the mat in the same light
_WITHOUT_MM, _WITHIN_MM = 4.2, (-6.0, -3.3)  # depths beside a rim that tell its light: without up to the one, …
_OF_BLUR, _CLEAR_MM = 0.9, (0.9, 2.2)  # … from so far off as a dark rim is blurred: nearer it darkens the mat
_DARKER = 0.4  # so many of the samples there are darker than what is taken for their level
_DIM_BESIDE, _DEEPEST_BESIDE = 0.75, 0.06  # as _DIM and _DEEPEST; a figure's shadow on its own base is darker
_STRIP = 32
_FULL = 0.02  # share of the surroundings that are taken to be fully lit: where no mat is seen, there is no shadow


@dataclass(frozen=True, eq=False)
class Shade:
    """The share of the light that reaches each pixel of a picture, on a picture ``by`` times smaller: (H, W)."""

    lit: Singles
    by: int

    def at(self, pixels: Singles) -> Singles:
        """The share (...) of the light at pixels (..., 2) of the whole picture; 1 outside it."""
        at = (pixels.reshape(-1, 2) + np.float32(0.5)) * np.float32(1 / self.by) - np.float32(0.5)
        rows, columns = self.lit.shape
        with np.errstate(invalid="ignore"):
            column = np.clip(np.nan_to_num(at[:, 0] + np.float32(0.5)), 0, columns - 1).astype(np.intp)
            row = np.clip(np.nan_to_num(at[:, 1] + np.float32(0.5)), 0, rows - 1).astype(np.intp)
        return np.asarray(self.lit[row, column].reshape(pixels.shape[:-1]), dtype=np.float32)


def shade_of(
    small: Image, by: int, px_per_mm: float, light: Light, ground: Singles, box: tuple[slice, slice] | None = None
) -> Shade:
    """The shadows in a picture shrunk ``by``, ``px_per_mm`` before that; ``ground`` (3,): the mat's features.

    ``box`` (rows, columns) of the picture as it was is where they are wanted, if not everywhere.
    """
    step = max(1, round(px_per_mm / by * _KNOT_MM))
    every = small[::step, ::step]
    sigma = max(0.8, _ABOUT_MM * px_per_mm / (by * step))
    room = int(np.ceil(3 * sigma))
    rows, columns = (
        slice(max(0, span.start // (by * step) - room), span.stop // (by * step) + room)
        for span in box or (slice(0, small.shape[0] * by), slice(0, small.shape[1] * by))
    )
    part = np.ascontiguousarray(every[rows, columns])
    lit = np.ones(every.shape[:2], dtype=np.float32)
    if not part.size:
        return Shade(lit, by * step)
    weight, share = np.empty(part.shape[:2], np.float32), np.empty(part.shape[:2], np.float32)
    for top in range(0, len(part), _STRIP):  # so few rows at once stay in the processor's cache
        strip = slice(top, min(top + _STRIP, len(part)))
        there = slice(rows.start + strip.start, rows.start + strip.stop)
        linear = np.asarray(cv2.LUT(part[strip], _CURVE), dtype=np.float32)
        linear *= light.gains((every.shape[0], every.shape[1]), there, columns)
        weight[strip], share[strip] = _mat(linear, ground)
    mat = cv2.GaussianBlur(weight, (0, 0), sigma)
    dark = cv2.GaussianBlur(weight * share, (0, 0), sigma)
    found = (dark + np.float32(_FULL)) / (mat + np.float32(_FULL))
    lit[rows, columns] = np.clip(found / np.float32(_DIM), np.float32(_DEEPEST), np.float32(1))
    return Shade(lit, by * step)


def lit_across(
    colours: Singles, depths: Singles, blur_mm: float, ground: Singles, about: Singles | None = None
) -> Singles:
    """The share (N, K, 1) of the light that falls on each normal of rims sampled (N, K, M, 3) at ``depths`` (M,).

    Right beside a rim lies mat or flock; as dark as the darker of both sides is, the rim may be shaded. All of a
    normal is lit alike, so that a rim still stands out from both its sides or does not. ``blur_mm``, one sigma, is
    how far a rim darker than the mat is mixed into it, which is no shadow; 0 for one that is paler. ``ground`` (3,)
    are the mat's features; ``about`` (3,) those of what bases stand on, if that is not the mat.
    """
    total: Singles = colours[..., 0] + colours[..., 1] + colours[..., 2]
    shares = []
    without = (float(np.clip(_OF_BLUR * blur_mm, *_CLEAR_MM)), _WITHOUT_MM)
    for (low, high), beside in ((without, ground if about is None else about), (_WITHIN_MM, ground)):
        full = max(float(np.square(2 * beside[2])), 1e-3) * _DIM_BESIDE  # as bright as it is when lit
        band = np.sort(total[..., (depths > low) & (depths < high)], axis=-1)
        level = band[..., round(_DARKER * (band.shape[-1] - 1))]
        shares.append((np.roll(level, 1, axis=1) + level + np.roll(level, -1, axis=1)) * np.float32(1 / (3 * full)))
    share = np.minimum(*shares)
    return np.asarray(np.clip(share, _DEEPEST_BESIDE, 1)[..., None], dtype=np.float32)


def _mat(linear: Singles, ground: Singles) -> tuple[Singles, Singles]:
    """How likely each pixel (H, W, 3) shows mat in any light, and how bright it is as a share of it."""
    blue, green, red = (np.ascontiguousarray(linear[..., channel]) for channel in range(3))
    total = blue + green + red
    bright = max(float(np.square(2 * ground[2])), 1e-3)  # of a lit mat
    full = (bright + FADING) / bright
    scale = 1 / (total + np.float32(FADING))
    fades = total * scale
    first = (red - green) * scale - fades * np.float32(ground[0] * full)
    second = (blue - green) * scale - fades * np.float32(ground[1] * full)
    weight = cv2.exp((first * first + second * second) * np.float32(-0.5 / _HUE**2))
    return np.asarray(weight, np.float32), np.minimum(total * np.float32(1 / bright), np.float32(1))
