"""Pieces of terrain as pixel masks: grown from colour, filled where something stands on them, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.paints import Paint

__all__ = ["Piece", "disc", "edge_contrast", "split"]

Mask = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

_LEAST_MM2 = 450.0
_LEAST_WIDTH_MM = 4.0
_LEAST_CONTRAST = 0.022  # across its edge, in cube roots of light: less is a blotch of the mat
_SURE_CONTRAST = 2.2  # that contrast over the unevenness of the piece itself


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of one kind: its mask (h, w) with the picture's pixel at ``corner`` (x, y) at its top left."""

    paint: Paint
    mask: Mask
    corner: tuple[int, int]
    contrast: float


def disc(radius_px: float) -> Mask:
    """A round brush."""
    r = max(round(radius_px), 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)), dtype=np.uint8)


def split(mask: Mask, px_per_mm: float, margin: int) -> Iterator[tuple[Mask, tuple[int, int]]]:
    """The connected parts of a mask that are large and broad enough to be terrain, each in its own window.

    The window has ``margin`` px to spare all round, as far as the picture goes.
    """
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc(1.4 * px_per_mm))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    for label in range(1, count):
        x, y, w, h, area = (int(value) for value in stats[label])
        if area < _LEAST_MM2 * px_per_mm**2:
            continue
        x0, y0 = max(x - margin, 0), max(y - margin, 0)
        window = (labels[y0 : y + h + margin, x0 : x + w + margin] == label).astype(np.uint8)
        if _width_px(window) >= _LEAST_WIDTH_MM * px_per_mm:
            yield window, (x0, y0)


def _width_px(mask: Mask) -> float:
    """A mask's breadth as that of a strip of its area and outline."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    around = sum(cv2.arcLength(outline, True) for outline in outlines)
    return 2.0 * float(mask.sum()) / max(around, 1.0)


def edge_contrast(mask: Mask, roots: Floats32, blind: Mask) -> tuple[float, float]:
    """How a piece stands out: the colour step across its edge, and its own unevenness, in cube roots of light.

    ``roots`` (h, w, 3) is its window; what lies in ``blind`` (prints) is not looked at.
    """
    inner = cv2.erode(mask, disc(2)) & ~cv2.erode(mask, disc(5)) & 1
    if inner.sum() < 20:
        inner = cv2.erode(mask, disc(1))
    if inner.sum() < 20:
        inner = mask
    outer = cv2.dilate(mask, disc(6)) & ~cv2.dilate(mask, disc(2)) & (1 - blind)
    if outer.sum() < 20:
        return 0.0, 1.0
    heart = np.median(roots[inner > 0], axis=0)
    uneven = float(np.median(np.linalg.norm(roots[inner > 0] - heart, axis=1)))
    local = _spread(roots, inner)
    step = np.linalg.norm(roots - local, axis=2)[outer > 0]
    return float(np.percentile(step, 30)), uneven


def stands_out(mask: Mask, roots: Floats32, blind: Mask) -> float:
    """The contrast of a piece's edge; 0 where it is no better than a blotch of the mat."""
    contrast, uneven = edge_contrast(mask, roots, blind)
    return contrast if contrast > max(_LEAST_CONTRAST, _SURE_CONTRAST * uneven) else 0.0


def _spread(values: Floats32, where: Mask) -> Floats32:
    """Values (h, w, 3) averaged over nearby pixels of a mask."""
    weight = where.astype(np.float32)
    size = (41, 41)
    total = cv2.blur(weight, size) + 1e-6
    mean = cv2.blur(values * weight[:, :, None], size) / total[:, :, None]
    everywhere = values[where > 0].mean(axis=0)
    return np.asarray(np.where(total[:, :, None] > 1e-4, mean, everywhere), dtype=np.float32)
