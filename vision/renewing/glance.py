"""A frame reduced to cells of a few pixels: enough to tell where it has changed, at next to no cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Glance", "glance_at"]

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

_MOST_CELLS = 640  # across the picture: a base has some six of them
_LEAST_LEVELS = 4.5  # of 255 by which cells must differ, all about: less is noise …
_NOISES = 4.5  # … and in multiples of what is usual in this picture
_CLEAR_LEVELS = 14.0  # more than this is never noise: a camera that is bumped makes everything differ
_QUIET_LEVELS = 2.0  # where cells usually differ by less, the light is the same
_OWN_SHARE = 0.6  # a cell has changed itself when it differs by so much of that
_LIT = 0.15  # light that has changed by this share makes everything differ
_EVEN = 0.015  # and light that has changed by less than this nothing


@dataclass(frozen=True, eq=False)
class Glance:
    """The mean blue, green, red (R, C, 3) of cells of ``cell_px`` pixels each way, of a picture of a ``shape``."""

    cells: Image
    cell_px: int
    shape: tuple[int, int]

    def changed_to(self, now: Glance) -> Mask | None:
        """Which cells (R, C) of a later glance differ by more than noise, and than all the light together.

        None where they cannot be compared: the size is another, or the light has changed much. A base that is
        nudged by half a pixel changes its rim's cells; a marker that is moved by a third changes its own.
        """
        if self.shape != now.shape:
            return None
        differs, usual = self._differing(self.cells, now.cells)
        if usual < _QUIET_LEVELS and not differs.any():
            return differs
        gain = self._gain(now)
        if np.abs(gain - 1.0).max() > _LIT:
            return None
        if np.abs(gain - 1.0).max() < _EVEN:
            return differs
        return self._differing(self._in_light(gain), now.cells)[0]

    def renewed(self, now: Glance, where: Mask) -> Glance:
        """This glance with some cells (R, C) as they are in a later one, in this one's light."""
        cells = self.cells.copy()
        fresh = now.cells[where] / self._gain(now)
        cells[where] = np.clip(np.rint(fresh), 0, 255).astype(np.uint8)
        return replace(self, cells=cells)

    def pixels(self, mask: Mask) -> Mask:
        """A mask of cells (R, C) as one of the picture's pixels (H, W)."""
        large = cv2.resize(mask.view(np.uint8), self.shape[::-1], interpolation=cv2.INTER_NEAREST)
        return np.asarray(large.view(np.bool_))

    def _differing(self, before: Image, after: Image) -> tuple[Mask, float]:
        """Which cells differ, and do not do so alone: the mean square over a base's breadth tells. And by how many
        levels cells usually do."""
        blue, green, red = cv2.split(cv2.absdiff(before, after))
        most = cv2.max(cv2.max(blue, green), red).astype(np.float32)
        size = (5, 5) if self.cell_px >= 4 else (7, 7)
        about = np.asarray(cv2.blur(most * most, size))
        usual = float(np.median(about[::4, ::4]))
        limit = min(max(_LEAST_LEVELS**2, _NOISES**2 * usual), _CLEAR_LEVELS**2)
        return np.asarray((about > limit) & (most > _OWN_SHARE * limit**0.5)), usual**0.5

    def _gain(self, now: Glance) -> NDArray[np.float64]:
        """By how much (3,) the later picture's blue, green and red are brighter."""
        step = max(1, self.cells.shape[0] // 60)
        then, later = (g.cells[::step, ::step].astype(np.float64) + 1.0 for g in (self, now))
        return np.asarray(np.median(later / then, axis=(0, 1)), dtype=np.float64)

    def _in_light(self, gain: NDArray[np.float64]) -> Image:
        return np.clip(np.rint(self.cells * gain), 0, 255).astype(np.uint8)


def glance_at(frame_bgr: Image) -> Glance:
    """A frame (H, W, 3) at a glance."""
    cells, cell_px = frame_bgr, 1
    while cells.shape[1] > _MOST_CELLS:
        half = (max(cells.shape[1] // 2, 1), max(cells.shape[0] // 2, 1))
        cells = np.asarray(cv2.resize(cells, half, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
        cell_px *= 2
    return Glance(cells if cell_px > 1 else frame_bgr.copy(), cell_px, (frame_bgr.shape[0], frame_bgr.shape[1]))
