"""A ring of paint of a known size at every turn, and what may not be painted beside it, as templates: how well each
fits at every cell of a tile is told by Fourier transforms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import scipy.fft
from numpy.typing import NDArray

from vision.bases.shapes import Outline

__all__ = ["Templates", "templates_for"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

_HOLLOW_MM, _HOLLOW_WEIGHT = (1.2, 3.8), 0.6  # how far inside the ring there may be no paint …
_ROUND_MM, _ROUND_WEIGHT = (1.2, 3.0), 0.5  # … or how far outside the outline
_REACH_MM = 0.9  # how far the ring may be missed by a turn between two templates; a fit in a block turns little
_TILES = (48, 64, 96, 128)  # cells a side


@dataclass(frozen=True, eq=False)
class Templates:
    """The templates of one outline at each of its bearings ``turns_deg`` (N,): the ring with a hollow, and the one
    with nothing round it. They reach ``half`` cells from their centres.

    Both are symmetric, so their ``spectra`` (N, size, size) are real, kept as one's real and imaginary parts: one
    transform correlates a tile with both.
    """

    turns_deg: Floats
    spectra: NDArray[np.complex64]
    half: int

    @property
    def size(self) -> int:
        """The cells along a side of the tiles that these are for."""
        return len(self.spectra[0])

    def scores(self, tile: Singles) -> tuple[Singles, Singles]:
        """A tile's (size, size) correlation with both of each pair (N, size, size, 2), and at each cell the best of
        all (size, size). Within ``half`` cells of the border they wrap round it."""
        spectrum = cv2.dft(tile, flags=cv2.DFT_COMPLEX_OUTPUT).view(np.complex64)[..., 0]
        scores: Singles = np.empty((*self.spectra.shape, 2), np.float32)
        best: Singles = np.full((*tile.shape, 2), -np.inf, np.float32)
        for pair, of in zip(scores, self.spectra, strict=True):
            np.multiply(spectrum, of, out=pair.view(np.complex64)[..., 0])
            cv2.dft(pair, pair, cv2.DFT_INVERSE | cv2.DFT_SCALE)
            np.maximum(best, pair, out=best)
        return scores, np.maximum(best[..., 0], best[..., 1])


def templates_for(longest: int, outline: Outline, cell_mm: float, rim_mm: float) -> Templates:
    """An outline's templates at the bearings at which it must be tried so that its ring is not missed, for the
    smallest tile that holds a box so long with `half` beside it, or else for one that is not all border."""
    wide = 2 * _half(outline, cell_mm) + 1
    room = next((size for size in _TILES if size >= max(longest + wide // 2, wide)), None)
    return _templates(outline, cell_mm, rim_mm, room or max(_TILES[-1], 2 ** int(np.ceil(np.log2(2.25 * wide)))))


@lru_cache(maxsize=32)  # where somebody points, twenty sizes are tried; a table lists fewer
def _templates(outline: Outline, cell_mm: float, rim_mm: float, size: int) -> Templates:
    turns, pairs = _pairs(outline, cell_mm, rim_mm)
    wide = pairs.shape[1]
    half = wide // 2
    centred = np.roll(np.pad(pairs, ((0, 0), (0, size - wide), (0, size - wide))), (-half, -half), axis=(1, 2))
    return Templates(turns, np.asarray(scipy.fft.fft2(centred), dtype=np.complex64), half)


@lru_cache(maxsize=32)
def _pairs(outline: Outline, cell_mm: float, rim_mm: float) -> tuple[Floats, NDArray[np.complex64]]:
    """The bearings (N,), and both templates at each as the real and the imaginary part of one (N, M, M)."""
    if outline.round_:
        turns = np.zeros(1)
    else:
        step = np.rad2deg(2 * _REACH_MM / max(outline.half_depth_mm, outline.half_width_mm))
        turns = np.arange(0.0, outline.turn_deg, outline.turn_deg / np.ceil(outline.turn_deg / step))
    half = _half(outline, cell_mm)
    pairs = np.empty((len(turns), 2 * half + 1, 2 * half + 1), np.complex64)
    for turn, pair in zip(turns.tolist(), pairs, strict=True):
        ring, inside, round_ = _bands(outline, turn, half, cell_mm, rim_mm)
        pair[:] = ring - _HOLLOW_WEIGHT * inside + 1j * (ring - _ROUND_WEIGHT * round_)
    return turns, pairs


def _half(outline: Outline, cell_mm: float) -> int:
    """How many cells the templates of an outline reach from their centres."""
    return int(np.ceil((outline.reach_mm + _ROUND_MM[1]) / cell_mm)) + 1


def _bands(outline: Outline, bearing_deg: float, half: int, cell_mm: float, rim_mm: float) -> list[Floats]:
    """The ring, what is in its hollow and what is round it, each summing to 1."""
    x, y = np.meshgrid(np.arange(-half, half + 1) * cell_mm, np.arange(-half, half + 1) * cell_mm)
    sine, cosine = np.sin(np.deg2rad(bearing_deg)), np.cos(np.deg2rad(bearing_deg))
    away = outline.distance(x * cosine - y * sine, x * sine + y * cosine)

    def band(from_mm: float, to_mm: float) -> Floats:
        inner, outer = (away - from_mm) / cell_mm, (away - to_mm) / cell_mm
        share = np.clip(inner + 0.5, 0, 1) * np.clip(0.5 - outer, 0, 1)
        return np.asarray(share / share.sum(), dtype=np.float64)

    return [band(-rim_mm, 0.3), band(-rim_mm - _HOLLOW_MM[1], -rim_mm - _HOLLOW_MM[0]), band(*_ROUND_MM)]
