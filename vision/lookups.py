"""Pictures looked up between their pixels, at however many places."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["looked_up"]

_WIDEST = 1 << 14  # cv2.remap takes no rows of more than 32,766 places


def looked_up(
    picture: NDArray[Any],
    pixels: NDArray[np.float32],
    way: int = cv2.INTER_LINEAR,
    border: int = cv2.BORDER_CONSTANT,
) -> NDArray[Any]:
    """What a picture (H, W) or (H, W, C) shows at pixels (..., 2), column first: (...) or (..., C), of its type.

    ``way`` and ``border`` are OpenCV's INTER and BORDER; black is beyond the picture unless told otherwise. Source:
    cv2.remap.
    """
    shape, own = pixels.shape[:-1], picture.shape[2:]
    count = int(np.prod(shape))
    if not count:
        return np.zeros((*shape, *own), picture.dtype)
    wide = min(count, _WIDEST)
    flat = pixels.reshape(-1, 2)
    if missing := -count % wide:
        flat = np.concatenate([flat, np.zeros((missing, 2), np.float32)])
    seen = cv2.remap(picture, flat.reshape(-1, wide, 2), None, way, borderMode=border)  # type: ignore[call-overload]
    return np.asarray(seen).reshape(-1, *own)[:count].reshape(*shape, *own)
