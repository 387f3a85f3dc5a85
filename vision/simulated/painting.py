"""Painting shapes into a picture with exact edges: each tile is painted enlarged and averaged down.

Pixel centres are at integers, as in all of Vedette.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.records import Image

__all__ = ["Box", "Shape", "bounds_of", "coverage", "join_boxes", "meet", "padded", "paint", "tiles_of"]

Points = NDArray[np.float64]
Box = tuple[int, int, int, int]  # left, top, right, bottom in px; the last two are outside
Bgr = tuple[int, int, int]
_Prepared = tuple[Points, bool]  # a polygon, and whether it is convex

_FINER = 4  # painted so many times enlarged
_SHIFT = 4  # fractional bits of OpenCV's polygon corners
_FINEST = 8  # the same for outlines of terrain, which need not be convex
_BEYOND_SOFT, _BEYOND_HARD = 0.66, 0.45  # so many pixels beyond a polygon OpenCV's edges reach
_BENT = 0.02  # OpenCV paints what is as little hollow as a lens makes it as if it were convex
_SHARPEST = -0.8  # the cosine of the sharpest turn whose corner is still moved in exactly


@dataclass(frozen=True, eq=False)
class Shape:
    """Polygons (N, 2) in px, painted one after another, each in its colour; ``box`` holds them all."""

    polygons: Sequence[Points]
    colours: Sequence[Bgr]
    box: Box

    @cached_property
    def quick(self) -> list[_Prepared]:
        """The polygons as they are painted with hard edges."""
        return [_prepared(polygon, _BEYOND_HARD / _FINER) for polygon in self.polygons]

    @cached_property
    def exact(self) -> list[_Prepared]:
        """The polygons as they are painted with soft edges."""
        return [_prepared(polygon, _BEYOND_SOFT / _FINER) for polygon in self.polygons]


def bounds_of(points_px: Points, margin_px: int = 1) -> Box:
    """The box around pixels (N, 2)."""
    low = np.floor(points_px.min(axis=0)).astype(int) - margin_px
    high = np.ceil(points_px.max(axis=0)).astype(int) + margin_px + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def paint(picture: Image, box: Box, shapes: Iterable[Shape], *, exact: bool = False) -> None:
    """Paints the parts of shapes that lie in a box, in pixels, of a picture (H, W, 3), the first one first.

    Edges lie within some 0.03 px of where they belong; ``exact`` ones within 0.01, at three times the cost.
    """
    left, top, right, bottom = box
    shapes = list(shapes)
    if not shapes or left >= right or top >= bottom:
        return
    part = picture[top:bottom, left:right]
    fine = cv2.resize(part, None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_NEAREST)
    for shape in shapes:
        polygons = shape.exact if exact else shape.quick
        for (polygon, convex), colour in zip(polygons, shape.colours, strict=True):
            _fill(fine, _fixed(polygon, left, top, _FINER), convex, colour, exact)
    picture[top:bottom, left:right] = cv2.resize(fine, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_AREA)


def coverage(polygons: Sequence[Points], box: Box) -> NDArray[np.float32]:
    """The share (H, W), 0-1, of each pixel of a box that polygons (N, 2) cover together."""
    left, top, right, bottom = box
    fine = np.zeros(((bottom - top) * _FINEST, (right - left) * _FINEST), np.uint8)
    for outline in polygons:
        polygon, convex = _prepared(outline, _BEYOND_SOFT / _FINEST)
        _fill(fine, _fixed(polygon, left, top, _FINEST), convex, (255,), True)
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


def _fill(
    fine: cv2.typing.MatLike, corners: NDArray[np.int32], convex: bool, colour: tuple[int, ...], soft: bool
) -> None:
    kind = cv2.LINE_AA if soft else cv2.LINE_8
    if convex:  # its corners are not rounded to whole pixels
        cv2.fillConvexPoly(fine, corners, colour, lineType=kind, shift=_SHIFT)
    else:
        cv2.fillPoly(fine, [corners], colour, lineType=kind, shift=_SHIFT)


def _fixed(polygon: Points, left: int, top: int, finer: int) -> NDArray[np.int32]:
    """Pixels as fixed-point corners in the enlarged tile."""
    fine = (polygon - (left - 0.5, top - 0.5)) * finer - 0.5
    return np.asarray(np.rint(fine * (1 << _SHIFT)), dtype=np.int32)


def _prepared(polygon: Points, beyond_px: float) -> _Prepared:
    """A polygon (N, 2) whose edges lie so far inside as OpenCV paints beyond them, and whether it is convex."""
    # as complex numbers, for a figure has hundreds of small polygons: each costs its calls and not its corners
    corner = np.ascontiguousarray(polygon).view(np.complex128)[:, 0]
    after, before = _around(len(corner))
    ahead = corner[after] - corner
    length = np.abs(ahead)
    if not length.all():
        return polygon, False
    ahead /= length
    behind = ahead[before]
    turn = behind.conj() * ahead
    side = 1.0 if turn.imag.sum() > 0 else -1.0
    inward = (side * beyond_px * 1j) * (ahead + behind) / (1 + np.maximum(turn.real, _SHARPEST))
    moved = np.ascontiguousarray(corner + inward).view(np.float64).reshape(-1, 2)
    return moved, bool((side * turn.imag).min() >= -_BENT)


@cache
def _around(corners: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each corner of a polygon which one comes next, and which came before."""
    each = np.arange(corners)
    return (each + 1) % corners, (each - 1) % corners
