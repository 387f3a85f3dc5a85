"""Printed tags that are too small in the picture to be read: white paper of a tag's size, with black in its middle.

What is printed on it is no base's, and its corners are no figures.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.records import Table, Tags
from vision.cards import is_card
from vision.plain.picture.scene import Scene

__all__ = ["cards"]

Mask = NDArray[np.bool_]

_PAPER_LEVELS = 22.0  # paper is so much brighter than the table, in every colour
_EDGE_MM = 2.5


def cards(scene: Scene, table: Table, hidden: Mask) -> Mask:
    """The pixels (H, W) of a scene that show the paper of a table's tags, but for those that are ``hidden`` (H, W),
    for they have been read."""
    if not isinstance(table.tags, Tags):
        return np.zeros(scene.frame.shape[:2], np.bool_)
    paper = ((scene.frame - scene.backdrop.then).min(axis=2) > _PAPER_LEVELS) & scene.backdrop.known & ~hidden
    mask = np.zeros(paper.shape, np.uint8)
    for outline in cv2.findContours(paper.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        x, y, width, height = cv2.boundingRect(outline)
        at = np.array([[x + (width - 1) / 2, y + (height - 1) / 2]])
        own = np.zeros((height, width), np.uint8)
        cv2.drawContours(own, [outline], -1, 1, cv2.FILLED, offset=(-x, -y))
        if is_card(outline, own, paper[y : y + height, x : x + width], table.tags.size_mm * _px_per_mm(scene, at)):
            mask[y : y + height, x : x + width] |= own
    reach = 2 * max(1, round(_EDGE_MM * scene.px_per_mm)) + 1
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))) > 0)


def _px_per_mm(scene: Scene, at: NDArray[np.float64]) -> float:
    """How fine the picture is about a pixel (1, 2)."""
    place = scene.camera.to_plane(at, 0.0)
    fine = float(scene.camera.px_per_mm(np.append(place, [[0.0]], axis=1))[0])
    return fine if np.isfinite(fine) else scene.px_per_mm
