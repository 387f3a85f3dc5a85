"""Painted bases where nothing has changed since the table was empty: print, and edges of terrain, that look like
rims."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.kinds import Kinds
from vision.bases.shapes import turned
from vision.plain.picture.changed import differing
from vision.plain.pictures import Pictures
from vision.records import BaseSeen

__all__ = ["put_down_since"]

_DOUBTED = 0.99  # what is surer stood there when the picture of the empty table was taken, which is said
_LEAST = 0.12  # of what is seen of a base, top and rim
_SPACING_MM = 3.0


def put_down_since(pictures: Pictures, painted: Sequence[BaseSeen]) -> list[BaseSeen]:
    """The painted bases without those in doubt in whose place the empty table is still seen."""
    if all(base.confidence >= _DOUBTED for base in painted):
        return list(painted)
    kinds, backdrop = Kinds(pictures.table), pictures.backdrop
    changed = (differing(pictures.frame_bgr.astype(np.float32), backdrop)[1] > 0) | ~backdrop.known

    def stands(base: BaseSeen) -> bool:
        if base.confidence >= _DOUBTED:
            return True
        placed = kinds.placed(base)
        rim = turned(placed.outline.ring(0.0, _SPACING_MM)[0], placed.bearing_deg) + np.array(
            [base.x_mm, base.y_mm]
        )
        top = np.full((len(rim), 1), placed.z_mm + placed.outline.height_mm)
        seen = pictures.camera.project(np.hstack([rim, top]))
        if not np.isfinite(seen).all():
            return True
        return _share(changed, seen) >= _LEAST

    return [base for base in painted if stands(base)]


def _share(changed: NDArray[np.bool_], outline_px: NDArray[np.float64]) -> float:
    """Of how much of what lies within an outline (N, 2) of the picture it holds; 1 where that is beside it."""
    mask = np.zeros(changed.shape, np.uint8)
    cv2.fillPoly(mask, [np.rint(outline_px * 16).astype(np.int32)], 1, cv2.LINE_8, shift=4)
    within = changed[mask > 0]
    return float(within.mean()) if len(within) else 1.0
