"""Walls so thin that blur mixes them with the mat all through: of their own colour only fragments are left."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.pieces import filled, parts_of
from vision.terrain.scene import Scene

__all__ = ["thin_of"]

Mask = NDArray[np.uint8]

_THIN = 7.0  # cells: what is broader shows its own colour in its midst
_LONG = 12.0  # breadths: a tag or a base is shorter
_HOLLOW = 1.3  # times its area: what encloses so much is the rim of a base, a mug or a tag's card
_LEAST_OWN = 0.25  # the share of a wall that shows its own colour


def thin_of(kind: Mask, mixed: Mask, scene: Scene) -> Mask:
    """Where (h, w) thin blocks lie, with what blur has mixed of them, of which no fragment is a piece by itself.

    ``kind`` (h, w) is the mask of all that has the colour, ``mixed`` (h, w) of all between it and the mat's.
    """
    thin = np.zeros_like(kind)
    for part in parts_of(kind | mixed, scene.px_per_mm, 1):
        area, own = cv2.countNonZero(part.mask), part.mask & part.window.of(kind)
        long = area > _LONG * part.breadth_px**2 and cv2.countNonZero(filled(part.mask)) < _HOLLOW * area
        shown = cv2.countNonZero(own) > _LEAST_OWN * area
        if part.breadth_px < _THIN and long and shown and not [*parts_of(own, scene.px_per_mm, 1)]:
            part.window.of(thin)[part.mask > 0] = 1
    return thin
