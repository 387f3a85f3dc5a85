"""The cards of unit tags, white as some walls are: read or too small to be read, they are no terrain."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.records import Tags
from vision.terrain.pieces import Part, filled
from vision.terrain.scene import Scene

__all__ = ["is_card"]

Mask = NDArray[np.uint8]

_CARD = 1.5  # a tag's card, as a share of its black square
_OFF = 0.25  # of its side: so far a card may seem larger or smaller
_SQUARE = 0.75  # the share of its upright box that a square fills when all that is seen of it are cells
_MOST_WHITE = 0.9  # of a card: what is printed on it is black, though cells show much of it mixed with white


def is_card(part: Part, scene: Scene) -> bool:
    """Whether a part of a mask is the white of a tag's card around its print."""
    if not isinstance(scene.table.tags, Tags):
        return False
    whole = filled(part.mask)
    outlines, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    _, sides, _ = cv2.minAreaRect(max(outlines, key=len))
    side = _CARD * scene.table.tags.size_mm * scene.px_per_mm
    cells, all_white = cv2.countNonZero(whole), cv2.countNonZero(part.mask)
    as_large = all(abs(one + 1.0 - side) < _OFF * side + 1.0 for one in sides)
    return as_large and cells > _SQUARE * sides[0] * sides[1] and all_white < _MOST_WHITE * cells
