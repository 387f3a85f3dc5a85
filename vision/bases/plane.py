"""The frame laid flat: every point of a grid over the table, looked up where its base's rim would be seen.

The grid lies on the ground plus the height of the bases' rims, so that hills are no exception and parallax is gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera import CameraModel
from calibration.records import TableSize

__all__ = ["Flat", "Ground", "lay_flat"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_MARGIN_MM = 30.0  # a base may stand over the table's edge
_KNOT = 16  # the lens is followed exactly at every so many cells, linearly between
_FINEST_MM, _COARSEST_MM = 1.25, 1.6


class Ground(Protocol):
    """Whatever knows how high the ground is; it does not change."""

    def __hash__(self) -> int: ...

    def height_at(self, points_mm: ArrayLike, /) -> Floats:
        """The height (N,) in mm of the ground at table points (N, 2)."""
        ...


@dataclass(frozen=True, eq=False)
class Flat:
    """The frame on a grid: cell (row, column) shows the table point origin + (column, row) * cell, in mm.

    ``image`` (H, W, 3) is the frame there, ``pixels`` (H, W, 2) where in it they are, ``seen`` (H, W)
    which cells the camera sees.
    """

    image: Image
    pixels: NDArray[np.float32]
    seen: NDArray[np.bool_]
    origin_mm: tuple[float, float]
    cell_mm: float

    def point_of(self, columns: ArrayLike, rows: ArrayLike) -> Floats:
        """Table points (N, 2) of cells."""
        cells = np.stack([np.asarray(columns, dtype=np.float64), np.asarray(rows, dtype=np.float64)], axis=-1)
        return np.asarray(np.array(self.origin_mm) + cells * self.cell_mm)


def lay_flat(frame_bgr: Image, camera: CameraModel, table: TableSize, ground: Ground, rim_mm: float) -> Flat:
    """The frame on the plane of rims ``rim_mm`` above the ground, at about a cell a pixel."""
    middle = np.array([[table.width_mm / 2, table.depth_mm / 2, rim_mm]])
    scale = float(camera.px_per_mm(middle)[0])
    cell = float(np.clip(0.9 / scale, _FINEST_MM, _COARSEST_MM))
    width = int(np.ceil((table.width_mm + 2 * _MARGIN_MM) / cell / _KNOT)) * _KNOT + 1
    height = int(np.ceil((table.depth_mm + 2 * _MARGIN_MM) / cell / _KNOT)) * _KNOT + 1
    pixels = _lookup(camera, ground, rim_mm, cell, (height, width))
    shrink = max(1, round(scale * cell))
    frame, at = frame_bgr, pixels
    if shrink > 1:
        frame = np.asarray(cv2.resize(frame_bgr, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA))
        at = (pixels + np.float32(0.5)) / np.float32(shrink) - np.float32(0.5)
    image = np.asarray(cv2.remap(frame, at[..., 0], at[..., 1], cv2.INTER_LINEAR), dtype=np.uint8)
    size = np.array([frame_bgr.shape[1] - 1, frame_bgr.shape[0] - 1])
    with np.errstate(invalid="ignore"):
        inside = (pixels >= 0) & (pixels <= size)
    seen = inside[..., 0] & inside[..., 1]
    return Flat(image, pixels, seen, (-_MARGIN_MM, -_MARGIN_MM), cell)


@lru_cache(maxsize=2)
def _lookup(
    camera: CameraModel, ground: Ground, rim_mm: float, cell: float, shape: tuple[int, int]
) -> NDArray[np.float32]:
    """The pixels (H, W, 2) at which the grid's cells are seen; kept, for a camera hangs still for many frames."""
    height, width = shape
    knots_x = np.asarray(np.arange(0, width, _KNOT) * cell - _MARGIN_MM, dtype=np.float64)
    knots_y = np.asarray(np.arange(0, height, _KNOT) * cell - _MARGIN_MM, dtype=np.float64)
    coarse = np.stack(np.meshgrid(np.arange(0, width, 4), np.arange(0, height, 4)), axis=-1).reshape(-1, 2)
    heights = ground.height_at(coarse * cell - _MARGIN_MM).reshape(len(range(0, height, 4)), -1)
    levels = np.unique(heights)
    pixels = _level(camera, knots_x, knots_y, float(levels[0]) + rim_mm, shape)
    if len(levels) > 1:
        full = cv2.resize(heights.astype(np.float32), None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
        full = full[2 : height + 2, 2 : width + 2] if full.shape[0] >= height + 2 else full[:height, :width]
        full = cv2.copyMakeBorder(full, 0, height - full.shape[0], 0, width - full.shape[1], cv2.BORDER_REPLICATE)
        for level in levels[1:]:
            here = full == np.float32(level)
            if not here.any():
                continue
            rows, columns = _span(here.any(axis=1)), _span(here.any(axis=0))
            part = here[rows, columns]
            knots = knots_x[_knots(columns)], knots_y[_knots(rows)]
            pixels[rows, columns][part] = _level(camera, *knots, float(level) + rim_mm, part.shape)[part]
    pixels.setflags(write=False)
    return pixels


def _span(wanted: NDArray[np.bool_]) -> slice:
    """The cells from the first wanted to the last, from a knot to a knot."""
    at = np.flatnonzero(wanted)
    return slice(int(at[0]) // _KNOT * _KNOT, -(-(int(at[-1]) + 1) // _KNOT) * _KNOT + 1)


def _knots(cells: slice) -> slice:
    """The knots of a span of cells."""
    return slice(cells.start // _KNOT, (cells.stop - 1) // _KNOT + 1)


def _level(
    camera: CameraModel, knots_x: Floats, knots_y: Floats, z_mm: float, shape: tuple[int, int]
) -> NDArray[np.float32]:
    """The pixels (H, W, 2) of the grid on one level."""
    grid_x, grid_y = np.meshgrid(knots_x, knots_y)
    points = np.column_stack([grid_x.ravel(), grid_y.ravel(), np.full(grid_x.size, z_mm)])
    knots = camera.project(points).reshape(*grid_x.shape, 2).astype(np.float32)
    height, width = shape
    # by hand, for cv2.remap knows fractions of a 32nd only: too coarse between knots so far apart
    at_x, at_y = np.arange(width, dtype=np.float32) / _KNOT, np.arange(height, dtype=np.float32) / _KNOT
    return _spread(knots, at_x.astype(np.float32), at_y.astype(np.float32))


def _spread(
    knots: NDArray[np.float32], at_x: NDArray[np.float32], at_y: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Linear interpolation of a grid of knots (R, C, 2) at fractional columns and rows."""
    left = np.minimum(at_x.astype(np.intp), knots.shape[1] - 2)
    share = (at_x - left)[None, :, None]
    wide = knots[:, left] * (1 - share) + knots[:, left + 1] * share
    top = np.minimum(at_y.astype(np.intp), knots.shape[0] - 2)
    share = (at_y - top)[:, None, None]
    return np.asarray(wide[top] * (1 - share) + wide[top + 1] * share, dtype=np.float32)
