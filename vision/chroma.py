"""Colour as sharp as brightness: cameras and JPEG keep it at half the resolution, and rims are two pixels wide.

What the brightness shows more finely is put into the colour where, all about, the one follows the other. Elsewhere
colour stays as it is. This is how a coarse colour picture is sharpened by a fine grey one (pansharpening: detail
injection with local regression).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["chroma_blur_px", "with_sharp_chroma"]

Image = NDArray[np.uint8]
Singles = NDArray[np.float32]
Mask = NDArray[np.bool_]

_BLURS_PX = (0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)  # that are tried, one sigma
_LEAST_PX = 0.4  # a colour that is blurred less is as sharp as the brightness
_WINDOW_PX = 7  # about which the one is held against the other
_NOISE = np.float32(9.0), np.float32(2.0)  # variance of brightness and of colour, grey levels squared: noise alone
_ROOM_PX = 8  # about a part of a picture, for its windows
_TILE_PX, _TILES = 96, 16  # of the picture's most colourful parts tell how far it is blurred


def with_sharp_chroma(frame_bgr: Image, blur_px: float, within: Mask | None = None) -> Image:
    """A picture (H, W, 3) whose colour is blurred so far (one sigma) beside its brightness, without that; at least
    about where ``within`` (H, W) is set, if that is given."""
    if blur_px < _LEAST_PX or (within is not None and not within.any()):
        return frame_bgr
    if within is None:
        return _sharpened(frame_bgr, blur_px)
    left, top, wide, high = cv2.boundingRect(within.astype(np.uint8))
    part = (
        slice(max(0, top - _ROOM_PX), top + high + _ROOM_PX),
        slice(max(0, left - _ROOM_PX), left + wide + _ROOM_PX),
    )
    sharp = frame_bgr.copy()
    sharp[part] = _sharpened(frame_bgr[part], blur_px)
    return sharp


def chroma_blur_px(frame_bgr: Image) -> float:
    """How far a picture's (H, W, 3) colour is blurred beside its brightness, one sigma.

    By so much its brightness must be blurred to be most like it. 0 for a picture without colour.
    """
    tiles = [cv2.cvtColor(tile, cv2.COLOR_BGR2YCrCb).astype(np.float32) for tile in _colourful(frame_bgr)]
    left = np.array([sum(_unexplained(tile, blur) for tile in tiles) for blur in _BLURS_PX])
    best = int(left.argmin())
    if not 0 < best < len(left) - 1:
        return _BLURS_PX[best]
    near = slice(best - 1, best + 2)
    bend, slope, _ = np.polyfit(_BLURS_PX[near], left[near], 2)
    return float(-slope / (2 * bend)) if bend > 0 else _BLURS_PX[best]


def _sharpened(picture_bgr: Image, blur_px: float) -> Image:
    """A picture (H, W, 3) with its brightness's detail in its colour, worked out at half the size: finer colour has
    nothing to tell."""
    ycc = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2YCrCb)
    fine = ycc[..., 0].astype(np.float32)
    coarse = np.asarray(cv2.GaussianBlur(fine, (0, 0), blur_px), dtype=np.float32)
    fine -= coarse
    size = (fine.shape[1], fine.shape[0])
    about = _About(_halved(coarse), _WINDOW_PX // 2)
    for channel in (1, 2):
        colour = ycc[..., channel].astype(np.float32)
        slope, variance, left = about.told(_halved(colour))
        slope *= 1 - left / variance  # where the brightness tells little, its noise is none of the colour
        colour += cv2.resize(slope, size, interpolation=cv2.INTER_LINEAR) * fine
        ycc[..., channel] = np.clip(colour + np.float32(0.5), 0, 255)
    return np.asarray(cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), dtype=np.uint8)


def _halved(values: Singles) -> Singles:
    size = max(1, values.shape[1] // 2), max(1, values.shape[0] // 2)
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


class _About:
    """A brightness (H, W) as it is about each place, to hold colours against."""

    def __init__(self, bright: Singles, window_px: int) -> None:
        self._bright, self._window = bright, (window_px, window_px)
        self._mean = self._of(bright)
        self._variance = self._of(bright * bright) - self._mean * self._mean + _NOISE[0]

    def told(self, colour: Singles) -> tuple[Singles, Singles, Singles]:
        """How much a colour (H, W) changes with the brightness, its variance, and what of that is left untold."""
        mean = self._of(colour)
        common = self._of(colour * self._bright) - mean * self._mean
        variance = self._of(colour * colour) - mean * mean + _NOISE[1]
        slope = np.asarray(common / self._variance, dtype=np.float32)
        return slope, variance, np.asarray(np.maximum(variance - common * slope, 0), dtype=np.float32)

    def _of(self, values: Singles) -> Singles:
        return np.asarray(cv2.boxFilter(values, -1, self._window), dtype=np.float32)


def _unexplained(tile: Singles, blur_px: float) -> float:
    """How much of the colour in a tile (T, T, 3) its brightness, blurred so far, does not tell."""
    bright = cv2.GaussianBlur(tile[..., 0], (0, 0), blur_px) if blur_px else tile[..., 0]
    about = _About(np.asarray(bright, dtype=np.float32), _WINDOW_PX)
    return sum(float(about.told(tile[..., channel])[2].mean()) for channel in (1, 2))


def _colourful(frame_bgr: Image) -> list[Image]:
    """The tiles of a picture (H, W, 3) in which its colour changes most."""
    rows, columns = (max(1, size // _TILE_PX) for size in frame_bgr.shape[:2])
    whole = frame_bgr[: rows * _TILE_PX, : columns * _TILE_PX]
    colours = cv2.cvtColor(whole[::2, ::2], cv2.COLOR_BGR2YCrCb)[..., 1:].astype(np.float32)
    mean, square = (
        cv2.resize(values, (columns, rows), interpolation=cv2.INTER_AREA) for values in (colours, colours**2)
    )
    order = np.argsort(-(square - mean**2).sum(axis=-1), axis=None)[:_TILES]
    tops, lefts = np.unravel_index(order, (rows, columns))
    return [
        whole[top : top + _TILE_PX, left : left + _TILE_PX]
        for top, left in zip((tops * _TILE_PX).tolist(), (lefts * _TILE_PX).tolist(), strict=True)
    ]
