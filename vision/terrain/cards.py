"""What is printed and lies on the table is no terrain, though its paper is as white as a wall."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.records import Tags
from vision.cards import is_card
from vision.terrain.pieces import Part
from vision.terrain.scene import Scene

__all__ = ["is_print"]

Mask = NDArray[np.uint8]

_MOSTLY = 0.75  # of a part: a piece that a tag lies upon is larger than its card


def is_print(part: Part, scene: Scene) -> bool:
    """Whether a part is the paper of a marker or tag that was found, or the white of a tag's card that cannot be
    read."""
    if cv2.countNonZero(part.mask & part.window.of(scene.prints)) > _MOSTLY * cv2.countNonZero(part.mask):
        return True
    tags = scene.table.tags
    if not isinstance(tags, Tags):
        return False
    return is_card(part.outline, _hull(part), part.mask > 0, tags.size_mm * scene.px_per_mm)


def _hull(part: Part) -> Mask:
    """All that a part's outline stands about (h, w): blur opens the white frame of a card."""
    drawn = np.zeros_like(part.mask)
    cv2.fillConvexPoly(drawn, cv2.convexHull(part.outline), 1)
    return drawn
