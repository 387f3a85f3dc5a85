"""Which colours lie side by side across a strip: the ground, a side that is seen, the top, and the ground again.

All of them are blurred, luminance less than hue, for cameras keep hues at half the picture's size; and beside the
strip the ground may be darker by a shadow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

__all__ = ["GROUND", "Seen", "unexplained", "whitener"]

Floats = NDArray[np.float64]

GROUND = 4.0  # units of ground beside a foot that are looked at
_BANDS = (0.0, 1.0, 2.0)  # units beside a foot: between two of them a shadow is equally dark
_FLOOR = 0.02  # of even colours: how much they stray, as a share of the top's
_LUMA_CHROMA = np.array([[0.114, 0.587, 0.299], [0.886, -0.587, -0.299], [-0.114, -0.587, 0.701]])
_SIDE, _SIDES = 0.55, 0.15  # what a side has of its top's colour, and how far that varies
_SHADOW, _SLOPE = 0.4, 0.05  # how dark a shadow commonly is; how much the ground changes over what is looked at
_WEIGHT = 1.5 * _FLOOR
_COLOURS = 6  # top, side, ground to the left and to the right, and how that changes outward
_NEVER = 1e6
_SOLVABLE = 1e-6


@dataclass(frozen=True, eq=False)
class Seen:
    """Colours (B, M, 3) across some places at offsets (M,) in px to the right, whitened.

    ``depth`` (B,) is how broad a side is seen at the right, or, negative, at the left; ``ground`` (B, 2, 3) the
    colour of the ground farther out, left and right.
    """

    colours: Floats
    steps_px: Floats
    depth_px: Floats
    ground: Floats
    unit_px: float


def whitener(stray: Floats, profiles: float) -> Floats:
    """The matrix (3, 3) that takes BGR colours to luminance and two hues of equal noise.

    ``stray`` (N, 3) is how single profiles stray on the ground, of which ``profiles`` are averaged.
    """
    basis = _LUMA_CHROMA.T
    spread = stray.T @ stray / max(len(stray), 1) / max(profiles, 1.0)
    spread = basis.T @ spread @ basis + _FLOOR**2 * np.eye(3)
    spread[0, 1:] = spread[1:, 0] = 0.0
    values, vectors = np.linalg.eigh(spread)
    luma = int(np.argmax(np.abs(vectors[0])))
    order = [luma, *(n for n in range(3) if n != luma)]
    return np.asarray(basis @ (vectors / np.sqrt(values))[:, order], dtype=np.float64)


def unexplained(seen: Seen, middle: Floats, breadth: Floats, blur: Floats) -> Floats:
    """What no colours of the layers explain (T, B, N), for each of some hypotheses and each place.

    A hypothesis says where the strip's ``middle`` lies and its ``breadth`` (T, B) in px, and the ``blur`` (T, 2) of
    luminance and hue in px. How unlikely the best colours are is part of it.
    """
    luma, bands_luma = _layers(seen, middle, breadth, blur[:, 0])
    hue, bands_hue = _layers(seen, middle, breadth, blur[:, 1])
    shades = bands_luma.shape[-1]
    size = 3 * _COLOURS + shades
    design = np.zeros((*luma.shape[:3], 3, size))
    sides = np.arange(shades) % 2
    for c, (parts, bands) in enumerate(((luma, bands_luma), (hue, bands_hue), (hue, bands_hue))):
        design[..., c, c * _COLOURS : (c + 1) * _COLOURS] = parts
        design[..., c, 3 * _COLOURS :] = -bands * seen.ground[None, :, None, sides, c]
    design = design.reshape(-1, design.shape[2] * 3, size)
    shown = np.broadcast_to(seen.colours, (len(blur), *seen.colours.shape)).reshape(len(design), -1, 1)
    across = design.transpose(0, 2, 1)
    prior = _likely()
    normal, towards = across @ design + prior.T @ prior + _SOLVABLE * np.eye(size), across @ shown
    found = np.linalg.solve(normal, towards)[..., 0]
    lit = found[:, 3 * _COLOURS :] < 0  # nothing casts light beside it
    which = np.flatnonzero(lit.any(axis=1))
    if len(which):
        shade = np.arange(3 * _COLOURS, size)
        normal[which[:, None], shade, shade] += _NEVER * lit[which]
        found[which] = np.linalg.solve(normal[which], towards[which])[..., 0]
    rest = (shown - design @ found[..., None])[..., 0]
    return np.concatenate([rest, found @ prior.T], axis=1).reshape(len(blur), len(seen.colours), -1)


def _layers(seen: Seen, middle: Floats, breadth: Floats, blur: Floats) -> tuple[Floats, Floats]:
    """How much (T, B, M, 6) of each colour every place shows, and (T, B, M, S) of each band of shadow."""
    unit = seen.unit_px
    x = seen.steps_px - middle[..., None]
    half = breadth[..., None] / 2

    def beyond(edge: Floats) -> Floats:
        return np.asarray(ndtr((x - edge) / blur[:, None, None]))

    left, right = -half - np.maximum(-seen.depth_px, 0.0)[:, None], half + np.maximum(seen.depth_px, 0.0)[:, None]
    top_left, top_right, foot_left, foot_right = (beyond(edge) for edge in (-half, half, left, right))
    ground_left, ground_right = 1.0 - foot_left, foot_right
    reach = GROUND * unit
    parts = [
        top_left - top_right, (foot_left - top_left) + (top_right - foot_right), ground_left, ground_right,
        ground_left * np.minimum(x - left, 0.0) / reach, ground_right * np.maximum(x - right, 0.0) / reach,
    ]  # fmt: skip
    lefts = [1.0 - foot_left, *(1.0 - beyond(left - far * unit) for far in _BANDS[1:])]
    rights = [foot_right, *(beyond(right + far * unit) for far in _BANDS[1:])]
    bands = [near - far for n in range(len(_BANDS) - 1) for near, far in (lefts[n : n + 2], rights[n : n + 2])]
    return np.stack(parts, axis=-1), np.stack(bands, axis=-1)


def _likely() -> Floats:
    """Rows (N, 22) of what is usually small: a side that has not its share of the top, slopes, and shadows."""
    shades = 2 * (len(_BANDS) - 1)
    one = np.zeros((3, _COLOURS))
    one[0, :2] = -_SIDE * _WEIGHT / _SIDES, _WEIGHT / _SIDES
    one[1, 4] = one[2, 5] = _WEIGHT / _SLOPE
    rows = np.zeros((9 + shades, 3 * _COLOURS + shades))
    for c in range(3):
        rows[3 * c : 3 * c + 3, c * _COLOURS : (c + 1) * _COLOURS] = one
    rows[9:, 3 * _COLOURS :] = np.eye(shades) / _SHADOW
    return rows
