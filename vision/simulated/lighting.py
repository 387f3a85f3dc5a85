"""What lamp, lens and sensor do to a clean picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.painting import Box
from vision.simulated.virtual import Effects
from vision.sources.records import Image

__all__ = ["Sensor"]

_SPARE_PX = 64


class Sensor:
    """Turns clean pictures into what a camera gives; the noise is drawn from ``rng``."""

    def __init__(self, size_px: tuple[int, int], effects: Effects, rng: np.random.Generator) -> None:
        self._effects = effects
        self._rng = rng
        self._gain = _gain(size_px, effects)
        width, height = size_px
        shape = (height + _SPARE_PX, width + _SPARE_PX, 3)
        self._noise = (
            np.rint(rng.standard_normal(shape, dtype=np.float32) * effects.noise).astype(np.int16)
            if effects.noise
            else None
        )

    def develop(self, clean: Image, lit: Image, box: Box) -> None:
        """Writes into ``lit`` what a box of the clean picture, and what it blurs into, looks like in this light."""
        margin = int(4 * self._effects.blur_px) + 1
        height, width = clean.shape[:2]
        left, top = max(0, box[0] - margin), max(0, box[1] - margin)
        right, bottom = min(width, box[2] + margin), min(height, box[3] + margin)
        x0, y0 = max(0, left - margin), max(0, top - margin)
        part = clean[y0 : bottom + margin, x0 : right + margin]
        if self._effects.blur_px:
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), self._effects.blur_px), dtype=np.uint8)
        part = part[top - y0 : bottom - y0, left - x0 : right - x0]
        cv2.multiply(part, self._gain[top:bottom, left:right], dst=lit[top:bottom, left:right], dtype=cv2.CV_8U)

    def expose(self, lit: Image) -> Image:
        """One frame: fresh noise, and the loss of compression."""
        frame = lit
        if self._noise is not None:
            x, y = self._rng.integers(0, _SPARE_PX, 2)
            height, width = lit.shape[:2]
            noisy = cv2.add(lit, self._noise[y : y + height, x : x + width], dtype=cv2.CV_8U)
            frame = np.asarray(noisy, dtype=np.uint8)
        if self._effects.jpeg_quality:
            _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self._effects.jpeg_quality])
            return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
        return frame.copy() if frame is lit else frame


def _gain(size_px: tuple[int, int], effects: Effects) -> NDArray[np.float32]:
    """The light (H, W, 3) that arrives from each pixel, 1 for a white well lit."""
    width, height = size_px
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
    lamp = 1 - effects.lamp * np.clip(0.5 + 0.3 * x - 0.25 * y, 0, 1)
    corners = 1 - effects.vignetting * (x**2 + y**2) / 2
    return np.asarray((lamp * corners)[:, :, None] * np.array(effects.cast, np.float32), dtype=np.float32)
