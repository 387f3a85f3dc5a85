"""Painting shapes into a picture with exact edges: each tile is painted enlarged and averaged down.

Pixel centres are at integers, as in all of Vedette.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.records import Image

__all__ = ["Box", "Shape", "bounds_of", "coverage", "join_boxes", "meet", "padded", "paint", "tiles_of"]

Points = NDArray[np.float64]
Box = tuple[int, int, int, int]  # left, top, right, bottom in px; the last two are outside
Bgr = tuple[int, int, int]

_FINER = 4  # painted so many times enlarged
_SHIFT = 4  # fractional bits of OpenCV's polygon corners


@dataclass(frozen=True, eq=False)
class Shape:
    """Polygons (N, 2) in px, painted one after another, each in its colour; ``box`` holds them all."""

    polygons: Sequence[Points]
    colours: Sequence[Bgr]
    box: Box


def bounds_of(points_px: Points, margin_px: int = 1) -> Box:
    """The box around pixels (N, 2)."""
    low = np.floor(points_px.min(axis=0)).astype(int) - margin_px
    high = np.ceil(points_px.max(axis=0)).astype(int) + margin_px + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def paint(picture: Image, box: Box, shapes: Iterable[Shape]) -> None:
    """Paints the parts of shapes that lie in a box of the picture, the first one first."""
    left, top, right, bottom = box
    shapes = list(shapes)
    if not shapes:
        return
    part = picture[top:bottom, left:right]
    fine = cv2.resize(part, None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_NEAREST)
    for shape in shapes:
        for polygon, colour in zip(shape.polygons, shape.colours, strict=True):
            cv2.fillPoly(fine, [_fixed(polygon, left, top)], colour, shift=_SHIFT)
    picture[top:bottom, left:right] = cv2.resize(fine, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_AREA)


def coverage(polygons: Sequence[Points], box: Box) -> NDArray[np.float32]:
    """The share (H, W), 0-1, of each pixel of a box that polygons (N, 2) cover together."""
    left, top, right, bottom = box
    fine = np.zeros(((bottom - top) * _FINER, (right - left) * _FINER), np.uint8)
    for polygon in polygons:
        cv2.fillPoly(fine, [_fixed(polygon, left, top)], 255, shift=_SHIFT)
    small = cv2.resize(fine, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255.0


def meet(a: Box, b: Box) -> bool:
    """Whether two boxes have a pixel in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def join_boxes(boxes: Sequence[Box]) -> Box:
    """The box around some boxes."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def padded(box: Box, by: int) -> Box:
    """A box so many pixels larger on every side."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def tiles_of(size_px: tuple[int, int], side_px: int) -> list[Box]:
    """A picture of (width, height) as boxes of at most so many pixels a side."""
    width, height = size_px
    return [
        (x, y, min(width, x + side_px), min(height, y + side_px))
        for y in range(0, height, side_px)
        for x in range(0, width, side_px)
    ]


def _fixed(polygon: Points, left: int, top: int) -> NDArray[np.int32]:
    """Pixels as fixed-point corners in the enlarged tile, half a fine pixel in: OpenCV paints borders too."""
    fine = (polygon - (left - 0.5, top - 0.5)) * _FINER - 0.5
    away = fine - fine.sum(axis=0) / len(fine)
    far = np.sqrt(away[:, 0] ** 2 + away[:, 1] ** 2)
    inward = away * (0.5 / np.maximum(far, 1.0))[:, None]
    return np.asarray((fine - inward) * (1 << _SHIFT) + 0.5, dtype=np.int32)
