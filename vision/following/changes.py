"""Where the picture of a table differs from what it was, pixel by pixel: has this very base been touched?"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.following.relit import Relight, relight

__all__ = ["Difference"]

Image = NDArray[np.uint8]

_LEAST = 12.0  # of 255: less is noise
_FEW = 3  # differing pixels of nine: fewer are chance
_NOISES = 6.0  # and in multiples of the picture's own


class Difference:
    """Where two frames (H, W, 3) of one size differ by more than noise and than the light has changed.

    Less than ``least`` levels of 255 is noise in any picture. ``gain`` (3,) is how the light has changed.
    """

    def __init__(self, before: Image, after: Image, least: float = _LEAST) -> None:
        then, now = _smooth(before), _smooth(after)
        most = cv2.absdiff(now, _in_light(then, relight(then, now))).max(axis=2)
        self._mask: NDArray[np.bool_] = most > max(least, _NOISES * float(np.median(most)))

    def mask(self) -> NDArray[np.bool_]:
        """Which pixels (H, W) differ; not those that do so alone or with hardly a neighbour."""
        few = cv2.blur(self._mask.astype(np.float32), (3, 3), borderType=cv2.BORDER_CONSTANT) * 9 < _FEW - 0.5
        return np.asarray(self._mask & ~few, dtype=np.bool_)

    def share(self, outline_px: NDArray[np.float64]) -> float:
        """The share 0-1 of the pixels within a convex outline (N, 2) that differ; 0 if none is in sight."""
        if not np.isfinite(outline_px).all():
            return 0.0
        low = np.maximum(np.floor(outline_px.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(outline_px.max(axis=0)).astype(int) + 1, self._mask.shape[::-1])
        if (high <= low).any():
            return 0.0
        inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillConvexPoly(inside, np.rint(outline_px - low).astype(np.int32), 1)
        here = inside > 0
        return float(self._mask[low[1] : high[1], low[0] : high[0]][here].mean()) if here.any() else 0.0


def _smooth(image: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), dtype=np.uint8)


def _in_light(then: Image, light: Relight) -> Image:
    """The earlier picture as it would be in the later one's light."""
    return then if light.amount < 0.02 else np.asarray(np.rint(light.applied(then)), dtype=np.uint8)
