"""From a mask to the outline of a piece: sub-pixel, simple, with as few corners as it needs."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["outline_of"]

Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_UP = 4


def outline_of(belongs: Floats32, tolerance_px: float) -> Floats | None:
    """The outline (N, 2) in px of the largest part where ``belongs`` (h, w), 0 to 1, is over one half."""
    height, width = belongs.shape
    fine = cv2.resize(belongs, (width * _UP, height * _UP), interpolation=cv2.INTER_LINEAR)
    inside = cv2.copyMakeBorder((fine > 0.5).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    outlines, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    largest = max(outlines, key=cv2.contourArea)
    simple = cv2.approxPolyDP(largest, tolerance_px * _UP, True)[:, 0].astype(np.float64)
    if len(simple) < 3:
        return None
    return (simple - 1.0 + 0.5) / _UP - 0.5
