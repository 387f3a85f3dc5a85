"""Where what has changed fills an outline.

Places are looked for only on pieces of change that are large enough, first on cells twice as large, and then there
alone: rows of bases are tried at a hundred bearings, and hardly any piece is as large as they are.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.shapes import Outline
from vision.plain.picture.changed import Changes

__all__ = ["filled", "large_enough"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]
Box = tuple[slice, slice]  # rows and columns

_FILLED = 0.72  # share of a base's outline that must have changed
_ROUGHLY = 0.12  # so much less filled may a base seem on cells twice as large
_LEAST_OF_SIZE = 0.7


def large_enough(seen: Changes, outline: Outline) -> Mask:
    """Which connected pieces (by number) of what has changed an outline may stand on."""
    return np.asarray(seen.areas_mm2 >= _LEAST_OF_SIZE * outline.area_mm2, dtype=np.bool_)


def filled(seen: Changes, outline: Outline, turns_deg: Floats) -> list[tuple[Ints, Ints]]:
    """For each turn the rows and columns (N,), of coarse cells, at which an outline is filled with change."""
    enough = large_enough(seen, outline)[seen.coarse_pieces]
    boxes = _boxes(cv2.dilate(_halved(enough).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)
    if not boxes:
        return [(np.zeros(0, np.intp), np.zeros(0, np.intp))] * len(turns_deg)
    cell_mm = seen.step * seen.cell_mm
    fine, rough = _Padded(seen.coarse, outline, cell_mm), _Padded(seen.coarser, outline, 2 * cell_mm)
    return [_filled_at(fine, rough, float(turn), enough, boxes) for turn in turns_deg]


class _Padded:
    """Shares of cells that have changed, with room about them for the template of an outline."""

    def __init__(self, shares: Singles, outline: Outline, cell_mm: float) -> None:
        self._outline, self._cell_mm = outline, cell_mm
        self._half = half = _half_of(outline, cell_mm)
        self._room = cv2.copyMakeBorder(shares, half, half, half, half, cv2.BORDER_CONSTANT, value=0.0)

    def template(self, turn_deg: float) -> Singles:
        """The outline filled, turned so."""
        return _template(self._outline, turn_deg, self._cell_mm)

    def within(self, template: Singles, box: Box) -> Singles:
        """Which share of the template has changed at each cell of a box."""
        half, (rows, columns) = self._half, box
        part = self._room[rows.start : rows.stop + 2 * half, columns.start : columns.stop + 2 * half]
        shares = cv2.filter2D(part, cv2.CV_32F, template, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(shares[half:-half, half:-half], dtype=np.float32)


def _filled_at(fine: _Padded, rough: _Padded, turn_deg: float, enough: Mask, boxes: list[Box]) -> tuple[Ints, Ints]:
    rows, columns = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    fine_template, rough_template = fine.template(turn_deg), rough.template(turn_deg)
    for box in boxes:
        likely = (rough.within(rough_template, box) > _FILLED - _ROUGHLY).astype(np.uint8)
        if not likely.any():
            continue
        near = cv2.dilate(likely, np.ones((3, 3), np.uint8)) > 0
        for part in _boxes(near & _halved(enough[_doubled(box)])):
            here = _doubled(_within(box, part))
            row, column = np.nonzero((fine.within(fine_template, here) > _FILLED) & enough[here])
            rows.append(row + here[0].start)
            columns.append(column + here[1].start)
    return np.concatenate(rows), np.concatenate(columns)


def _boxes(mask: Mask) -> list[Box]:
    """The boxes about the connected parts of a mask."""
    stats: NDArray[np.int32] = np.asarray(
        cv2.connectedComponentsWithStats(mask.astype(np.uint8))[2], dtype=np.int32
    )
    return [(slice(y, y + high), slice(x, x + wide)) for x, y, wide, high, _ in stats[1:].tolist()]


def _halved(mask: Mask) -> Mask:
    """A mask on cells twice as large: where any of the four is set."""
    height, width = mask.shape
    even = np.pad(mask, ((0, height % 2), (0, width % 2)))
    return np.asarray(even.reshape(even.shape[0] // 2, 2, -1, 2).any(axis=(1, 3)), dtype=np.bool_)


def _doubled(box: Box) -> Box:
    """A box of cells twice as large, in those half as large."""
    rows, columns = box
    return slice(2 * rows.start, 2 * rows.stop), slice(2 * columns.start, 2 * columns.stop)


def _within(box: Box, part: Box) -> Box:
    """A part of a box, as a box of the whole."""
    (row, column), (rows, columns) = (one.start for one in box), part
    return slice(row + rows.start, row + rows.stop), slice(column + columns.start, column + columns.stop)


def _half_of(outline: Outline, cell_mm: float) -> int:
    """How many cells a template reaches from its middle."""
    return int(np.ceil(outline.reach_mm / cell_mm)) + 1


def _template(outline: Outline, bearing_deg: float, cell_mm: float) -> NDArray[np.float32]:
    """The outline filled, summing to 1."""
    half = _half_of(outline, cell_mm)
    x, y = np.meshgrid(np.arange(-half, half + 1) * cell_mm, np.arange(-half, half + 1) * cell_mm)
    sine, cosine = np.sin(np.deg2rad(bearing_deg)), np.cos(np.deg2rad(bearing_deg))
    away = outline.distance(x * cosine - y * sine, x * sine + y * cosine)
    full = np.clip(0.5 - away / cell_mm, 0, 1)
    return np.asarray(full / full.sum(), dtype=np.float32)
