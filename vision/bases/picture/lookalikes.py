"""Where terrain of an army's own colour lies: there its edges, shadows and leaves may be taken for rims.

Nowhere else on the table is more asked of a rim for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.bases.picture.plane import Flat

__all__ = ["Lookalikes", "lookalikes"]

Cells = NDArray[np.uint8]
Singles = NDArray[np.float32]

_COARSE = 2  # cells of the laid frame
_PAINTED = 0.2  # a cell that may be paint
_WIDE_MM = 28.0  # paint as wide all over is terrain: no figures, however close, leave no gap between them
_BESIDE_MM = 8.0  # from the edge of a base
_MOSTLY = 0.4  # of a piece lies under bases that were found: those of its own block that were not hide the rest


@dataclass(frozen=True, eq=False)
class Lookalikes:
    """How far (H, W), in mm, each coarse cell of a laid frame is from paint so wide that it is none."""

    away_mm: Singles
    origin_mm: tuple[float, float]
    cell_mm: float

    def beside(self, points_mm: ArrayLike, reach_mm: ArrayLike) -> NDArray[np.bool_]:
        """Whether bases at table points (N, 2) that reach so far (N,) stand on such, or right beside it."""
        return np.asarray(self._away(points_mm) < np.asarray(reach_mm) + _BESIDE_MM, dtype=np.bool_)

    def on(self, points_mm: ArrayLike) -> NDArray[np.bool_]:
        """Which table points (N, 2) lie on such."""
        return np.asarray(self._away(points_mm) <= 0, dtype=np.bool_)

    def but_under(self, points_mm: ArrayLike, reach_mm: ArrayLike) -> Lookalikes:
        """The same without those pieces that lie for the most part under bases at table points (N, 2) that reach so
        far (N,)."""
        wide = (self.away_mm <= 0).astype(np.uint8)
        under = np.zeros(wide.shape, np.uint8)
        at = (np.asarray(points_mm, dtype=np.float64).reshape(-1, 2) - np.array(self.origin_mm)) / self.cell_mm
        for (x, y), reach in zip(np.rint(at - 0.5).astype(int), np.asarray(reach_mm) / self.cell_mm, strict=True):
            cv2.circle(under, (int(x), int(y)), round(float(reach)), 1, cv2.FILLED)
        count, pieces = cv2.connectedComponents(wide)
        area, hidden = (np.bincount(pieces[mask > 0], minlength=count) for mask in (wide, wide & under))
        gone = hidden > _MOSTLY * np.maximum(area, 1)
        return replace(self, away_mm=_away_from(wide & ~gone[pieces], self.cell_mm)) if gone.any() else self

    def _away(self, points_mm: ArrayLike) -> Singles:
        at = (np.asarray(points_mm, dtype=np.float64).reshape(-1, 2) - np.array(self.origin_mm)) / self.cell_mm
        height, width = self.away_mm.shape
        cells = np.rint(at - 0.5).astype(np.intp)
        rows, columns = np.clip(cells[:, 1], 0, height - 1), np.clip(cells[:, 0], 0, width - 1)
        return np.asarray(self.away_mm[rows, columns], dtype=np.float32)


def lookalikes(flat: Flat, likeness: Singles) -> Lookalikes:
    """Where in a laid frame, so much like a paint (H, W), it is painted all over."""
    height, width = likeness.shape
    size = (max(1, width // _COARSE), max(1, height // _COARSE))
    cell = flat.cell_mm * width / size[0]
    painted = (cv2.resize(likeness, size, interpolation=cv2.INTER_AREA) > _PAINTED).astype(np.uint8)
    block = np.ones((round(_WIDE_MM / cell),) * 2, np.uint8)
    wide = cv2.morphologyEx(painted, cv2.MORPH_OPEN, block)
    return Lookalikes(_away_from(np.asarray(wide, dtype=np.uint8), cell), flat.origin_mm, cell)


def _away_from(wide: Cells, cell_mm: float) -> Singles:
    """How far (H, W), in mm, each cell is from those that are set; one cell that is far from all where none is."""
    if not wide.any():
        return np.full((1, 1), np.inf, np.float32)
    return np.asarray(cv2.distanceTransform(1 - wide, cv2.DIST_L2, 3) * np.float32(cell_mm), dtype=np.float32)
