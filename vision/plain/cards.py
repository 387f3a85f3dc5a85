"""Printed tags that are too small in the picture to be read: white paper of a tag's size, with black in its middle.

What is printed on it is no base's, and its corners are no figures.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.records import Table, Tags
from vision.plain.scene import Scene

__all__ = ["cards"]

Mask = NDArray[np.bool_]

_PAPER_LEVELS = 22.0  # paper is so much brighter than the table, in every colour
_LEAST, _MOST = 1.1, 1.9  # sizes of a tag, which is its black square, that its paper has, cut roughly
_SQUARE, _SOLID = 1.35, 0.75  # how much longer than broad it may seem, and how much of its box it must fill
_BLACK = 0.08  # of it, at least …
_MIDST = 0.25  # … and so near its middle, in its own breadths
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
        if _is_card(outline, own, paper[y : y + height, x : x + width], table.tags.size_mm * _px_per_mm(scene, at)):
            mask[y : y + height, x : x + width] |= own
    reach = 2 * max(1, round(_EDGE_MM * scene.px_per_mm)) + 1
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))) > 0)


def _px_per_mm(scene: Scene, at: NDArray[np.float64]) -> float:
    """How fine the picture is about a pixel (1, 2)."""
    place = scene.camera.to_plane(at, 0.0)
    fine = float(scene.camera.px_per_mm(np.append(place, [[0.0]], axis=1))[0])
    return fine if np.isfinite(fine) else scene.px_per_mm


def _is_card(outline: NDArray[np.int32], own: NDArray[np.uint8], paper: Mask, tag_px: float) -> bool:
    """Whether an outline and what it encloses (h, w) is a tag's square of paper, black in its midst."""
    _, sides, _ = cv2.minAreaRect(outline)
    narrow, long = sorted(side + 1 for side in sides)
    if not (_LEAST * tag_px < narrow and long < _MOST * tag_px and long < _SQUARE * narrow):
        return False
    black = (own > 0) & ~paper
    if own.sum() < _SOLID * narrow * long or black.sum() < _BLACK * own.sum():
        return False
    off = np.mean(np.nonzero(black), axis=1) - np.mean(np.nonzero(own), axis=1)
    return bool(np.hypot(*off) < _MIDST * narrow)
