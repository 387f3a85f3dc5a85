"""A mug's side and rim are no wall: they stand about what is in it, which is dark and round."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.pieces import Part
from vision.terrain.scene import Scene, dilated

__all__ = ["is_mug"]

_DARKER = 0.35  # logarithm of the root: what is in a mug is darker than its side by more
_LEAST_MM, _MOST_MM = 55.0, 120.0  # across: wells are smaller, ponds larger
_ROUND = 0.78  # of the circle about it: so much is dark
_RIM_MM = 12.0  # so thick is a mug, blur, gloss and all
_ABOUT = 0.27  # of the way round: a wall that only touches a round thing is seen along less
_REACH, _MOSTLY = 2.5, 0.9  # radii of what is in it: so near lies most of a mug, but not of a wall beside it
_SECTORS = 36
_MOST_SIDE = 2.5  # times what is in it: sides and rim are no larger


def is_mug(part: Part, scene: Scene) -> bool:
    """Whether a part is the side or the rim of a mug, or of another round thing that is dark within."""
    roots = scene.roots_of(part.window.of(scene.codes))
    light = np.log(np.maximum(roots.mean(axis=2), 1e-3))
    own, mm = part.mask > 0, scene.px_per_mm
    dark = (light < float(np.median(light[own])) - _DARKER).astype(np.uint8)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=4)
    broad = stats[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1]
    round_ = (broad.min(axis=1) > _LEAST_MM * mm) & (broad.max(axis=1) < _MOST_MM * mm)
    round_ &= _MOST_SIDE * stats[:, cv2.CC_STAT_AREA] > np.count_nonzero(own)
    return any(_stands_about(own, (marks == n).astype(np.uint8), mm) for n in range(1, count) if round_[n])


def _stands_about(own: NDArray[np.bool_], disc: NDArray[np.uint8], px_per_mm: float) -> bool:
    """Whether a part (h, w) is seen close by, for a good part of the way round a disc (h, w), if it is one."""
    outlines, _ = cv2.findContours(disc, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    middle, radius = cv2.minEnclosingCircle(outlines[0])
    if cv2.countNonZero(disc) < _ROUND * np.pi * radius**2:
        return False
    y, x = np.nonzero(own)
    if np.mean(np.hypot(x - middle[0], y - middle[1]) < _REACH * radius) < _MOSTLY:
        return False
    y, x = np.nonzero(own & (dilated(disc, _RIM_MM * px_per_mm) > 0))
    turn = np.arctan2(y - middle[1], x - middle[0]) / (2 * np.pi)
    return len(np.unique((turn * _SECTORS).astype(int))) > _ABOUT * _SECTORS
