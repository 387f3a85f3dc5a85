"""Whether the table lies still: cheap comparison of frames, so that only a changed, settled table is measured."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["Change", "Stillness"]

Image = NDArray[np.uint8]

#: Frames are compared at this width: fine enough to see a base nudged, coarse enough to average the noise away.
_WIDTH_PX = 320
#: Levels by which a coarse pixel must differ, beyond what the whole picture brightened or darkened.
_LEVELS = 9.0
#: Fewer changed coarse pixels than this are noise.
_PIXELS = 4


class Change(Struct, frozen=True, kw_only=True):
    """What differs: since the frame before, and since the frame that was kept (None: none was)."""

    since_last: bool
    since_kept: bool


class Stillness:
    """Compares each frame with the one before and with one that is kept."""

    def __init__(self) -> None:
        self._last: NDArray[np.float32] | None = None
        self._kept: NDArray[np.float32] | None = None

    def update(self, image: Image) -> Change:
        """Takes the next frame in, (height, width, 3) BGR."""
        coarse = _coarse(image)
        last, self._last = self._last, coarse
        return Change(
            since_last=last is None or _differs(last, coarse),
            since_kept=self._kept is None or _differs(self._kept, coarse),
        )

    def keep(self) -> None:
        """Keeps the newest frame to compare with."""
        self._kept = self._last

    def forget(self) -> None:
        """Keeps none: the next frame counts as changed."""
        self._kept = None


def _coarse(image: Image) -> NDArray[np.float32]:
    height = max(1, round(image.shape[0] * _WIDTH_PX / image.shape[1]))
    return cv2.resize(image, (_WIDTH_PX, height), interpolation=cv2.INTER_AREA).astype(np.float32)


def _differs(before: NDArray[np.float32], after: NDArray[np.float32]) -> bool:
    if before.shape != after.shape:
        return True
    difference = after - before  # by colour: a red base on a green mat may be no darker and no brighter than it
    difference -= np.median(difference, axis=(0, 1))
    return int(np.count_nonzero(np.abs(difference).max(axis=2) > _LEVELS)) >= _PIXELS
