"""How even terrain is: felt, card and foam are evener than a mat, and its blotches as uneven as it is."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.contrast import step_of
from vision.terrain.pieces import Part, filled
from vision.terrain.scene import Scene, dilated, eroded

__all__ = ["is_blotch", "is_faint", "stray_within"]

Mask = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

_SIDE = 5  # cells: over so many, each way, unevenness is told
_EDGE = 3.0  # cells beside an edge show both sides of it
_LEAST_EDGE = 1.0  # … where there is nothing farther within
_AROUND_MM = 12.0
_FAINT = 0.09  # in cube roots of light: a larger step is no blotch's, however uneven what has it
_AS_UNEVEN = 0.75  # of what is around it
_STRIP = 6.0  # cells: what is no broader is all edge


def stray_within(roots: Floats32, cells: NDArray[np.bool_]) -> float:
    """How much colours (h, w, 3) stray from those near by at cells (h, w): the median, 0 where there are none."""
    mean = cv2.blur(roots, (_SIDE, _SIDE))
    spread = cv2.blur(roots * roots, (_SIDE, _SIDE)) - mean * mean
    stray = np.sqrt(np.maximum(spread.sum(axis=2), 0.0))
    return float(np.median(stray[cells])) if cells.any() else 0.0


def is_faint(part: Part, kind: Mask, scene: Scene) -> bool:
    """Whether a part hardly differs from what is around it; ``kind`` (h, w) is the mask of all of its colour."""
    return step_of(part, part.window.of(kind), scene)[0] < _FAINT


def is_blotch(part: Part, kind: Mask, scene: Scene) -> bool:
    """Whether a part is a blotch of the mat: faint, and as uneven as what is around it.

    ``kind`` (h, w) is the mask of all that has its colour.
    """
    alike = part.window.of(kind)
    if part.breadth_px < _STRIP or not is_faint(part, kind, scene):
        return False
    roots = scene.roots_of(part.window.of(scene.codes)).astype(np.float32)
    whole = filled(part.mask)
    own = part.mask & alike
    within = eroded(own, _EDGE) > 0
    if not within.any():
        within = eroded(own, _LEAST_EDGE) > 0
    around = (dilated(whole, _EDGE + _AROUND_MM * scene.px_per_mm) > 0) & (dilated(whole, _EDGE) == 0)
    if not within.any() or not around.any():
        return False
    return stray_within(roots, within) > _AS_UNEVEN * stray_within(roots, around)
