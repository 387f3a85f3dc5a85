"""What the card of a printed tag looks like that may be too small in the picture to be read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["is_card"]

_LEAST, _MOST = 1.1, 1.9  # sizes of a tag, which is its black square, that its paper has, cut roughly
_SQUARE, _SOLID = 1.35, 0.75  # how much longer than broad it may seem, and how much of its box it must fill
_BLACK = 0.08  # of it, at least …
_MIDST = 0.25  # … and so near its middle, in its own breadths


def is_card(outline: NDArray[np.int32], own: NDArray[np.uint8], paper: NDArray[np.bool_], tag_px: float) -> bool:
    """Whether an outline (N, 2) and what it encloses (h, w) is a tag's square of paper, black in its midst.

    ``paper`` (h, w) is where paper is seen, ``tag_px`` how large the black square of a tag is in the picture.
    """
    _, sides, _ = cv2.minAreaRect(outline)
    narrow, long = sorted(side + 1 for side in sides)
    if not (_LEAST * tag_px < narrow and long < _MOST * tag_px and long < _SQUARE * narrow):
        return False
    black = (own > 0) & ~paper
    if own.sum() < _SOLID * narrow * long or black.sum() < _BLACK * own.sum():
        return False
    off = np.mean(np.nonzero(black), axis=1) - np.mean(np.nonzero(own), axis=1)
    return bool(np.hypot(*off) < _MIDST * narrow)
