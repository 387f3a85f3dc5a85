"""Where printed markers and tags are seen, which are neither ground nor bases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.prints.markers import FoundMarker
from vision.bases.picture.plane import Flat

__all__ = ["cells_on_prints", "on_prints"]

Mask = NDArray[np.bool_]


def on_prints(points_px: NDArray[np.float64], found: Sequence[FoundMarker]) -> Mask:
    """Which pixels (N, 2) lie on printed markers and tags, with their white borders."""
    on = np.zeros(len(points_px), dtype=bool)
    for marker in found:
        middle = marker.centre_px
        near = np.flatnonzero(np.abs(points_px - middle).max(axis=1) < marker.side_px)
        if len(near):
            on[near] |= _inside(points_px[near], middle + (marker.corners_px - middle) * 1.36)
    return on


def cells_on_prints(flat: Flat, found: Sequence[FoundMarker]) -> Mask:
    """The cells (H, W) on which printed markers and tags are seen, with their white borders."""
    mask = np.zeros(flat.seen.shape, dtype=bool)
    coarse = flat.pixels[::4, ::4]
    for marker in found:
        middle = marker.centre_px.astype(np.float32)
        near = (np.abs(coarse[..., 0] - middle[0]) < marker.side_px) & (
            np.abs(coarse[..., 1] - middle[1]) < marker.side_px
        )
        if not near.any():
            continue
        rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
        top, bottom = max(0, int(rows[0]) * 4 - 8), int(rows[-1]) * 4 + 9
        left, right = max(0, int(columns[0]) * 4 - 8), int(columns[-1]) * 4 + 9
        part = flat.pixels[top:bottom, left:right]
        mask[top:bottom, left:right] |= _inside(part, middle + (marker.corners_px - middle) * 1.42)
    return mask


def _inside(points: NDArray[np.floating], corners: NDArray[np.float64]) -> Mask:
    """Which points (..., 2) lie within a convex polygon, its corners clockwise on the screen."""
    inside = np.ones(points.shape[:-1], dtype=bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inside &= (b[0] - a[0]) * (points[..., 1] - a[1]) - (b[1] - a[1]) * (points[..., 0] - a[0]) > 0
    return inside
