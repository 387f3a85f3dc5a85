"""Whether the table lies still and free: frames compared cheaply, so that only a changed table is measured.

A hand or arm shows as motion from frame to frame, and, while it rests, as a large change that reaches in from the
border of the picture, or of what is looked at of it.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.following.relit import relight

__all__ = ["Change", "Stillness"]

Image = NDArray[np.uint8]

#: Frames are compared at this width: fine enough to see a base nudged, coarse enough to average the noise away.
_WIDTH_PX = 320
#: Levels by which the mean of 3 x 3 coarse pixels must differ, beyond what all of it brightened or darkened …
_LEVELS = 6.0
#: … and the least in multiples of the picture's own noise.
_NOISES = 7.0
#: Fewer changed coarse pixels than this are noise.
_PIXELS = 4
#: What reaches in from the border is an arm from this share of the coarse picture on.
_ARM_SHARE = 0.001
#: White paper may be brighter than a camera can tell, but what has so little of a colour left is no paper.
_DARKENED = 0.6
#: Where more than this share differs the light may have been switched: what is left in its light has changed.
_EVERYWHERE = 0.02


class Change(Struct, frozen=True, kw_only=True):
    """What differs: since the frame before, and since the frame that was kept (None: none was).

    ``covered``: something large reaches in from the border that was not there in the frame kept.
    """

    since_last: bool
    since_kept: bool
    covered: bool


class Stillness:
    """Compares each frame with the one before and with one that is kept."""

    def __init__(self) -> None:
        self._last: NDArray[np.float32] | None = None
        self._kept: NDArray[np.float32] | None = None
        self._within: NDArray[np.bool_] | None = None
        self._cover: NDArray[np.bool_] | None = None

    def confine(self, outline: NDArray[np.float64]) -> None:
        """Looks only within an outline (N, 2), as shares of the picture: people move about round a table."""
        if self._last is None or not np.isfinite(outline).all():
            return
        height, width = self._last.shape[:2]
        within = np.zeros((height, width), np.uint8)
        corners = np.clip(outline, -10, 10) * (width, height) - 0.5
        cv2.fillPoly(within, [np.rint(corners * 16).astype(np.int32)], 1, shift=4)
        self._within = within > 0

    def update(self, image: Image) -> Change:
        """Takes the next frame in, (height, width, 3) BGR."""
        coarse = _coarse(image)
        last, self._last = self._last, coarse
        moved = last is None or bool(self._differing(last, coarse).any())
        self._cover = None
        if self._kept is None:
            return Change(since_last=moved, since_kept=True, covered=False)
        differs = self._differing(self._kept, coarse)
        if differs.any():
            cover = _reaching_in(differs, self._border(differs))
            self._cover = cover if cover.any() else None
        return Change(since_last=moved, since_kept=bool(differs.any()), covered=self._cover is not None)

    def covers(self, place: NDArray[np.float64]) -> bool:
        """Whether what reaches in over the newest frame lies over a place, (2,) as shares of the picture."""
        if self._cover is None or not np.isfinite(place).all():
            return False
        height, width = self._cover.shape
        column, row = int(np.floor(place[0] * width)), int(np.floor(place[1] * height))
        return bool(self._cover[min(max(row, 0), height - 1), min(max(column, 0), width - 1)])

    def mark(self) -> Callable[[], None]:
        """Remembers the newest frame; calling what comes back keeps that frame to compare with."""
        newest = self._last

        def keep() -> None:
            self._kept = newest

        return keep

    def keep(self) -> None:
        """Keeps the newest frame to compare with."""
        self._kept = self._last

    def forget(self) -> None:
        """Keeps none: the next frame counts as changed."""
        self._kept = None

    def changes(self) -> Callable[[NDArray[np.float64], float], bool]:
        """Whether the newest frame differs from the kept one near a place.

        The answer takes the place as a share of the picture, (2,) from its top left, and a radius as a share of its
        width; with nothing kept every place has changed.
        """
        if self._kept is None or self._last is None or self._kept.shape != self._last.shape:
            return lambda place, radius: True
        differs = self._differing(self._kept, self._last, few=1)
        height, width = differs.shape

        def changed(place: NDArray[np.float64], radius: float) -> bool:
            x, y, reach = place[0] * width, place[1] * height, max(1.0, radius * width)
            rows, columns = np.ogrid[:height, :width]
            near = (columns + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2 <= reach**2
            return bool(differs[near].any())

        return changed

    def _differing(
        self, before: NDArray[np.float32], after: NDArray[np.float32], few: int = _PIXELS
    ) -> NDArray[np.bool_]:
        """Which coarse pixels differ within what is looked at; none where fewer than ``few`` do."""
        differs = _changed(before, after)
        if self._within is not None and self._within.shape == differs.shape:
            differs &= self._within
        return differs if np.count_nonzero(differs) >= few else np.zeros_like(differs)

    def _border(self, differs: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The outermost coarse pixels of what is looked at."""
        inside = np.ones(differs.shape, np.uint8)
        if self._within is not None and self._within.shape == differs.shape:
            inside = self._within.astype(np.uint8)
        core = cv2.erode(inside, np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        return np.asarray((inside > 0) & (core == 0), dtype=np.bool_)


def _coarse(image: Image) -> NDArray[np.float32]:
    height = max(1, round(image.shape[0] * _WIDTH_PX / image.shape[1]))
    return cv2.resize(image, (_WIDTH_PX, height), interpolation=cv2.INTER_AREA).astype(np.float32)


def _changed(before: NDArray[np.float32], after: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which coarse pixels differ, but for all of the light having changed."""
    if before.shape != after.shape:
        return np.ones(after.shape[:2], dtype=np.bool_)
    difference = after - before  # by colour: a red base on a green mat may be no darker and no brighter than it
    difference -= np.median(difference[::4, ::4], axis=(0, 1))
    smooth, usual = _smoothed(difference)
    differs: NDArray[np.bool_] = smooth > max(_LEVELS, usual)
    if usual <= _LEVELS and float(differs.mean()) < _EVERYWHERE:
        return differs
    # a lamp that was switched must not hide what moves in its light from then on
    light = relight(before, after)
    lit = light.applied(before)
    smooth, usual = _smoothed(after - lit)
    darkened = (cv2.blur(after, (3, 3)) < _DARKENED * cv2.blur(lit, (3, 3))).any(axis=2)
    return np.asarray((smooth > max(_LEVELS, usual)) & (~light.blown(before) | darkened), dtype=np.bool_)


def _smoothed(difference: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
    """By how much each pixel (H, W) and those about it differ in the colour that does most, and what is noise."""
    blue, green, red = cv2.split(np.abs(cv2.blur(difference, (3, 3))))
    smooth = np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.float32)
    return smooth, _NOISES * float(np.median(smooth[::4, ::4]))


def _reaching_in(differs: NDArray[np.bool_], border: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where what differs reaches in from the border (H, W), and is large enough to be an arm."""
    closed = cv2.dilate(differs.astype(np.uint8), np.ones((3, 3), dtype=np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    at_border = np.unique(labels[border])
    large = [k for k in at_border if k > 0 and stats[k, cv2.CC_STAT_AREA] >= _ARM_SHARE * differs.size]
    return np.asarray(np.isin(labels, large), dtype=np.bool_)
