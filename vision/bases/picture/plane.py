"""The frame laid flat: every point of a coarse grid over the table, looked up where a base's rim would be seen.

The grid lies on the ground plus the height of the rims, so that hills are no exception and parallax is gone; its
cells are as large for every camera, so that a finer picture costs no more.
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

__all__ = ["CELL_MM", "Flat", "Ground", "lay_flat", "shrunk"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Image = NDArray[np.uint8]

CELL_MM = 2.0
_MARGIN_MM = 30.0  # a base may stand over the table's edge
_KNOT = 16  # the lens is followed exactly at every so many cells, linearly between


class Ground(Protocol):
    """Whatever knows how high the ground is; it does not change."""

    def __hash__(self) -> int: ...

    def height_at(self, points_mm: ArrayLike, /) -> Floats:
        """The height (N,) in mm of the ground at table points (N, 2)."""
        ...

    @property
    def outlines_mm(self) -> tuple[Floats, ...]:
        """The outlines (M, 2) of what lies on the mat and may look otherwise, later ones on top."""
        ...

    def hides(self, points_mm: ArrayLike, eye_mm: ArrayLike, /) -> NDArray[np.bool_]:
        """Which points (N, 3) above the table an eye (3,) does not see past higher ground."""
        ...


@dataclass(frozen=True, eq=False)
class Flat:
    """The frame on a grid: cell (row, column) shows the table point origin + (column, row) * cell, in mm.

    ``image`` (H, W, 3) is the frame there, ``pixels`` (H, W, 2) where in it they are, ``seen`` (H, W)
    which cells the camera sees.
    """

    image: Image
    pixels: Singles
    seen: NDArray[np.bool_]
    origin_mm: tuple[float, float]
    cell_mm: float = CELL_MM

    def point_of(self, columns: ArrayLike, rows: ArrayLike) -> Floats:
        """Table points (N, 2) of cells."""
        cells = np.stack([np.asarray(columns, dtype=np.float64), np.asarray(rows, dtype=np.float64)], axis=-1)
        return np.asarray(np.array(self.origin_mm) + cells * self.cell_mm)


def shrunk(frame: Image, px_per_mm: float) -> tuple[Image, int]:
    """A frame of about a pixel a cell or finer, and by how much it was shrunk (an integer)."""
    by = max(1, int(px_per_mm * CELL_MM))
    if by == 1:
        return frame, 1
    height, width = frame.shape[0] // by * by, frame.shape[1] // by * by
    size = (width // by, height // by)
    return np.asarray(cv2.resize(frame[:height, :width], size, interpolation=cv2.INTER_AREA), dtype=np.uint8), by


def lay_flat(
    small: Image,
    by: int,
    camera: CameraModel,
    table: TableSize,
    ground: Ground,
    rim_mm: float,
    box: tuple[int, int, int, int] | None = None,
) -> Flat:
    """A frame, shrunk ``by``, on the plane of rims ``rim_mm`` above the ground.

    ``box`` (top, bottom, left, right; whole knots) are the cells wanted, if not all.
    """
    height, width = grid_of(table)
    pixels = _lookup(camera, ground, rim_mm, (height, width))
    top, bottom, left, right = box or (0, height, 0, width)
    pixels = pixels[top:bottom, left:right]
    at = (pixels + np.float32(0.5)) * np.float32(1 / by) - np.float32(0.5) if by > 1 else pixels
    image = np.asarray(cv2.remap(small, at, None, cv2.INTER_LINEAR), dtype=np.uint8)  # type: ignore[call-overload]
    rows, columns = small.shape[:2]
    with np.errstate(invalid="ignore"):
        inside = (at >= 0) & (at <= np.array([columns - 1, rows - 1], dtype=np.float32))
    seen = inside[..., 0] & inside[..., 1]
    return Flat(image, pixels, seen, (left * CELL_MM - _MARGIN_MM, top * CELL_MM - _MARGIN_MM))


def grid_of(table: TableSize) -> tuple[int, int]:
    """The rows and columns of the grid over a table."""
    return (
        int(np.ceil((table.depth_mm + 2 * _MARGIN_MM) / CELL_MM / _KNOT)) * _KNOT + 1,
        int(np.ceil((table.width_mm + 2 * _MARGIN_MM) / CELL_MM / _KNOT)) * _KNOT + 1,
    )


def box_of(points_mm: Floats, table: TableSize, room_mm: float) -> tuple[int, int, int, int] | None:
    """The cells (top, bottom, left, right) that hold table points (N, 2), with room about them; None if none do."""
    rows, columns = grid_of(table)
    low = (np.nanmin(points_mm, axis=0) - room_mm + _MARGIN_MM) / CELL_MM
    high = (np.nanmax(points_mm, axis=0) + room_mm + _MARGIN_MM) / CELL_MM
    left, top = (max(0, int(v)) for v in low)
    right, bottom = min(columns, int(high[0]) + 2), min(rows, int(high[1]) + 2)
    return (top, bottom, left, right) if right > left and bottom > top else None


@lru_cache(maxsize=4)
def _lookup(camera: CameraModel, ground: Ground, rim_mm: float, shape: tuple[int, int]) -> Singles:
    """The pixels (H, W, 2) at which the grid's cells are seen; kept, for a camera hangs still for many frames."""
    height, width = shape
    cell = CELL_MM
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


def _level(camera: CameraModel, knots_x: Floats, knots_y: Floats, z_mm: float, shape: tuple[int, int]) -> Singles:
    """The pixels (H, W, 2) of the grid on one level."""
    grid_x, grid_y = np.meshgrid(knots_x, knots_y)
    points = np.column_stack([grid_x.ravel(), grid_y.ravel(), np.full(grid_x.size, z_mm)])
    knots = camera.project(points).reshape(*grid_x.shape, 2).astype(np.float32)
    height, width = shape
    # by hand, for cv2.remap knows fractions of a 32nd only: too coarse between knots so far apart
    at_x, at_y = np.arange(width, dtype=np.float32) / _KNOT, np.arange(height, dtype=np.float32) / _KNOT
    return _spread(knots, at_x.astype(np.float32), at_y.astype(np.float32))


def _spread(knots: Singles, at_x: Singles, at_y: Singles) -> Singles:
    """Linear interpolation of a grid of knots (R, C, 2) at fractional columns and rows."""
    left = np.minimum(at_x.astype(np.intp), knots.shape[1] - 2)
    share = (at_x - left)[None, :, None]
    wide = knots[:, left] * (1 - share) + knots[:, left + 1] * share
    top = np.minimum(at_y.astype(np.intp), knots.shape[0] - 2)
    share = (at_y - top)[:, None, None]
    return np.asarray(wide[top] * (1 - share) + wide[top + 1] * share, dtype=np.float32)
