"""Where bases may stand: a ring of paint of the known size, at every place and turn, with no paint beside it.

On one side of it at least: within there may be a figure in the army's colours, without the next base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.proposing.templates import templates_for
from vision.bases.shapes import Outline

__all__ = ["Proposed", "propose"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Mask = NDArray[np.bool_]

_FAINT = 0.1  # less paint than this is the mat's own mottle
_THICK_MM = 16.0  # paint wider than this is a river or a roof, and no rim, nor two or four that touch
_PAINTED = 0.2  # a cell that may be paint
_SPECK_MM2, _SPECK_MM = 100.0, 12.0  # less paint than this, or paint no longer than this, is no rim
LEAST_SCORE = 0.10  # ring less what is beside it


@dataclass(frozen=True, eq=False)
class Proposed:
    """Where bases of one outline may be: cell coordinates of their centres (N,), their bearings and scores (N,)."""

    outline: Outline
    columns: Floats
    rows: Floats
    bearings: Floats
    scores: Floats


def propose(
    likeness: Singles, usable: Mask, outlines: Sequence[Outline], cell_mm: float, rim_mm: float
) -> list[Proposed]:
    """All that may be bases of one army in its likeness map (H, W), by outline; rivals for one place included.

    ``rim_mm`` is the painted ring's width, as far as it is known.
    """
    paint = (likeness - np.float32(_FAINT)) * np.float32(1 / (1 - _FAINT))
    thin = _thin(paint * usable, cell_mm)
    boxes = _boxes(thin, max(o.reach_mm for o in outlines), cell_mm)
    found = []
    for outline in outlines:
        parts = [_peaks(thin[box], outline, cell_mm, rim_mm) + _corner(box) for box in boxes]
        found.append(Proposed(outline, *np.concatenate([np.zeros((4, 0)), *parts], axis=1)))
    return found


def _thin(likeness: Singles, cell_mm: float) -> Singles:
    """The likeness (0-1) without what is painted all over."""
    size = max(3, round(_THICK_MM / cell_mm)) | 1
    bytes_ = cv2.convertScaleAbs(np.maximum(likeness, 0), alpha=255.0)
    block = np.ones((size, size), np.uint8)
    thick = cv2.dilate(cv2.erode(bytes_, block), block)
    return np.asarray((bytes_ - thick).astype(np.float32) / np.float32(255), dtype=np.float32)


def _boxes(thin: Singles, reach_mm: float, cell_mm: float) -> list[tuple[slice, slice]]:
    """Boxes round all that may be paint, each with room for a whole base about it. What is in one alone is held
    neither for nor against what is proposed in another."""
    mask = (thin > _PAINTED).astype(np.uint8)
    size = max(3, round(6.0 / cell_mm)) | 1
    joined = cv2.dilate(mask, np.ones((size, size), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    room = round(reach_mm / cell_mm) + 2
    return [
        (slice(max(0, top - room), top + high + room), slice(max(0, left - room), left + wide + room))
        for left, top, wide, high, area in stats[1:].tolist()
        if area * cell_mm**2 > _SPECK_MM2 and max(wide, high) * cell_mm > _SPECK_MM
    ]


def _corner(box: tuple[slice, slice]) -> Floats:
    return np.array([[box[1].start], [box[0].start], [0.0], [0.0]])


def _peaks(part: Singles, outline: Outline, cell_mm: float, rim_mm: float) -> Floats:
    """The peaks of one outline in a box (H, W): columns, rows, bearings and scores (4, N); tile by tile."""
    height, width = part.shape
    templates = templates_for(max(part.shape), outline, cell_mm, rim_mm)
    alone = max(3, round(min(outline.half_width_mm, outline.half_depth_mm) * 0.6 / cell_mm)) | 1
    border, step = 0, templates.size  # of a tile: where its scores wrap, or peaks cannot be told; and what is left
    if templates.size < max(part.shape) + templates.half:
        border = templates.half + alone // 2 + 1
        step -= 2 * border
    padded = np.pad(part, (border, border + step))
    found = [np.zeros((4, 0))]
    for top, left in product(range(0, height, step), range(0, width, step)):
        scores, best = templates.scores(padded[top : top + templates.size, left : left + templates.size])
        best[: max(0, border - top)], best[:, : max(0, border - left)] = -1.0, -1.0
        best[height - top + border :], best[:, width - left + border :] = -1.0, -1.0
        peak = (best >= cv2.dilate(best, np.ones((alone, alone), np.uint8))) & (best > LEAST_SCORE)
        rows, columns = np.nonzero(peak[border : border + step, border : border + step])
        across, down, turn, score = _summits(scores, rows + border, columns + border)
        turns_deg = templates.turns_deg[turn.astype(int)]
        found.append(np.stack([across + left - border, down + top - border, turns_deg, score]))
    return np.concatenate(found, axis=1)


def _summits(scores: Singles, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Floats:
    """Peaks at cells (N,) of a tile's scores: columns, rows (to parts of a cell), turns, scores (4, N)."""
    here = np.moveaxis(scores[:, rows, columns], 0, 1).reshape(len(rows), 2 * len(scores))
    turn, side = np.divmod(here.argmax(axis=1), 2)

    def beyond(down: int, across: int) -> Floats:
        """How far, at most half a cell, the tops of parabolas through peaks and their neighbours are from them."""
        before, at, after = (
            scores[turn, rows + n * down, columns + n * across, side].astype(np.float64) for n in (-1, 0, 1)
        )
        bend = before - 2 * at + after
        return np.where(bend < 0, np.clip(0.5 * (before - after) / np.minimum(bend, -1e-9), -0.5, 0.5), 0.0)

    return np.stack([columns + beyond(0, 1), rows + beyond(1, 0), turn, here.max(axis=1, initial=-np.inf)])
