"""The light on the table, told from what is known to be white: the paper of the printed markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.prints.markers import FoundMarker

__all__ = ["Light", "estimate_light", "hex_of_linear", "linear_of_hex", "linear_of_srgb", "srgb_of_linear"]

Floats = NDArray[np.float64]

PAPER = 0.85  # how much of the light office paper gives back
_MARGIN = 0.06  # the white border is looked at this far outside the black square, in sides of it
_LEAST_SIDE_PX = 30.0  # the margin of a smaller print is mixed with its surroundings
_CLIPPED = 250.0  # a white brighter than this may have been any brightness


def linear_of_srgb(values: ArrayLike) -> Floats:
    """Picture values 0-255 as linear light 0-1 (the sRGB curve)."""
    share = np.asarray(values, dtype=np.float64) / 255.0
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def linear_of_hex(colour: str) -> Floats:
    """A colour such as ``#9e2b25`` as linear blue, green, red (3,), 0-1."""
    return linear_of_srgb([int(colour[at : at + 2], 16) for at in (5, 3, 1)])


def hex_of_linear(light_bgr: ArrayLike) -> str:
    """A colour such as ``#9e2b25`` of linear blue, green, red (3,), 0-1.

    >>> hex_of_linear(linear_of_hex("#9e2b25"))
    '#9e2b25'
    """
    blue, green, red = np.rint(srgb_of_linear(light_bgr)).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def srgb_of_linear(light: ArrayLike) -> Floats:
    """Linear light, held to 0-1, as picture values 0-255 (the sRGB curve)."""
    linear = np.clip(np.asarray(light, dtype=np.float64), 0.0, 1.0)
    return 255.0 * np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


_CURVE = linear_of_srgb(np.arange(256)).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Light:
    """How a white sheet would look over the picture: its linear blue, green, red as a smooth function of place.

    ``slopes`` (3 terms, 3 channels) are those of the logarithm, in 1, x and y counted from the picture's middle in
    units of its width.
    """

    slopes: Floats
    size_px: tuple[int, int]

    def white_at(self, points_px: ArrayLike) -> Floats:
        """The linear blue, green, red (N, 3) of a perfect white at pixels (N, 2)."""
        return np.exp(_terms(np.asarray(points_px, dtype=np.float64), self.size_px) @ self.slopes)

    def reflectance(self, values_bgr: NDArray[np.uint8], points_px: ArrayLike) -> NDArray[np.float32]:
        """Pixels (N, 3), seen at (N, 2), as linear shares of white: what the surface itself is like."""
        width, height = self.size_px
        middle, across, down = self.slopes.astype(np.float32)
        points = np.asarray(points_px, dtype=np.float32)
        x = (points[:, :1] - np.float32(width / 2)) * np.float32(1 / width)  # single precision: whole pictures come
        y = (points[:, 1:] - np.float32(height / 2)) * np.float32(1 / width)
        stops = np.clip(middle + x * across + y * down, -30, 30)  # far off the picture it may be any number
        return np.asarray(_CURVE[values_bgr] * np.exp(-stops), dtype=np.float32)

    def reflectance_about(self, values_bgr: NDArray[np.uint8], middles_px: ArrayLike) -> NDArray[np.float32]:
        """Pixels (N, S, 3) of small patches about (N, 2), as linear shares of white."""
        gains = (1 / self.white_at(middles_px)).astype(np.float32)
        return np.asarray(_CURVE[values_bgr] * gains[:, None], dtype=np.float32)

    def gains(self, shape: tuple[int, int], rows: slice, columns: slice) -> NDArray[np.float32]:
        """What makes linear light a share of white (R, C, 3), at some rows and columns of the picture shrunk to
        a shape (H, W)."""
        width, height = self.size_px
        across = ((np.arange(shape[1])[columns] + 0.5) / shape[1] - 0.5)[:, None] * self.slopes[1]
        down = ((np.arange(shape[0])[rows] + 0.5) / shape[0] - 0.5)[:, None] * (height / width) * self.slopes[2]
        over, under = np.exp(-across).astype(np.float32), np.exp(-down - self.slopes[0]).astype(np.float32)
        return np.asarray(over[None] * under[:, None], dtype=np.float32)

    def expected_bgr(self, colour: str, points_px: ArrayLike) -> Floats:
        """How a paint (N, 3), 0-255, would look at pixels (N, 2), well lit."""
        return srgb_of_linear(linear_of_hex(colour) * self.white_at(points_px))

    def levelled(self, image_bgr: NDArray[np.uint8], points_px: NDArray[np.float32]) -> NDArray[np.uint8]:
        """A picture (H, W, 3) whose pixels were seen at (H, W, 2), as an even white light would show it.

        Right to a few grey levels only, and cheap.
        """
        height, width = image_bgr.shape[:2]
        rows, columns = np.linspace(0, height - 1, 17).astype(int), np.linspace(0, width - 1, 17).astype(int)
        white = self.white_at(np.nan_to_num(points_px[np.ix_(rows, columns)].reshape(-1, 2)))
        gains = (1.0 / np.clip(white, 1e-3, 1e3)) ** (1 / 2.2)
        full = cv2.resize(
            gains.reshape(17, 17, 3).astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR
        )
        return np.asarray(cv2.multiply(image_bgr, full, dtype=cv2.CV_8U), dtype=np.uint8)


def estimate_light(frame_bgr: NDArray[np.uint8], found: Sequence[FoundMarker]) -> Light:
    """The light in a picture (H, W, 3) from its markers; without any, an even, untinted light that the picture's
    brightest hundredth gives."""
    height, width = frame_bgr.shape[:2]
    places, whites = [], []
    for marker in found:
        if marker.side_px >= _LEAST_SIDE_PX:
            white = _paper(frame_bgr, marker)
            if white is not None:
                places.append(marker.centre_px)
                whites.append(white)
    if not whites:
        white = np.full(3, np.percentile(frame_bgr[::4, ::4].max(axis=2), 99.5))
        places, whites = [np.array([width / 2, height / 2])], [white]
    usable = np.array([w.max() < _CLIPPED for w in whites])
    if usable.sum() < min(3, len(whites)):
        usable[:] = True
    logs = np.log(np.maximum(linear_of_srgb(np.array(whites)), 1e-3) / PAPER)
    return Light(_smooth(_terms(np.array(places), (width, height)), logs, usable), (width, height))


def _terms(points_px: Floats, size_px: tuple[int, int]) -> Floats:
    """The terms (N, 3) in which the logarithm of the light is linear."""
    width, height = size_px
    x = (points_px[:, 0] - width / 2) / width
    y = (points_px[:, 1] - height / 2) / width
    return np.column_stack([np.ones_like(x), x, y])


def _smooth(terms: Floats, logs: Floats, usable: NDArray[np.bool_]) -> Floats:
    """Least squares with a pull towards even light, so that few markers do not make up a slope; a covered or
    shadowed marker is outvoted."""
    pull = np.diag([0.0, 0.05, 0.05])
    weights = usable.astype(np.float64)
    slopes = np.zeros((terms.shape[1], 3))
    for _ in range(6):
        weighted = terms * weights[:, None]
        slopes = np.asarray(np.linalg.solve(weighted.T @ terms + pull + 1e-9 * np.eye(3), weighted.T @ logs))
        off = np.abs(logs - terms @ slopes).max(axis=1)
        weights = usable / (1.0 + (off / 0.15) ** 2)
    return np.asarray(slopes)


def _paper(frame_bgr: NDArray[np.uint8], marker: FoundMarker) -> Floats | None:
    """The white (3,) of a marker's border: the median of places all round it; None out of the picture."""
    corners = marker.corners_px
    following = np.roll(corners, -1, axis=0)
    along = np.linspace(0.15, 0.85, 8)[:, None, None]
    edges = corners + along * (following - corners)
    outward = (corners + following) / 2 - marker.centre_px
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    places = np.rint(edges + outward * marker.side_px * _MARGIN).astype(np.intp).reshape(-1, 2)
    height, width = frame_bgr.shape[:2]
    inside = (places >= 0).all(axis=1) & (places[:, 0] < width) & (places[:, 1] < height)
    if inside.sum() < 8:
        return None
    return np.asarray(np.median(frame_bgr[places[inside, 1], places[inside, 0]], axis=0), dtype=np.float64)
