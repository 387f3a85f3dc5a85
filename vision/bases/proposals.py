"""Where bases may stand: a ring of paint of the known size, at every place and turn, with no paint beside it.

On one side of it at least: within there may be a figure in the army's colours, without the next base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.shapes import Outline

__all__ = ["Proposed", "propose"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

_HOLLOW_MM, _HOLLOW_WEIGHT = (1.2, 3.8), 0.6  # how far inside the ring there may be no paint …
_ROUND_MM, _ROUND_WEIGHT = (1.2, 3.0), 0.5  # … or how far outside the outline
_FAINT = 0.1  # less paint than this is the mat's own mottle
_THICK_MM = 16.0  # paint wider than this is a river or a roof, and no rim, nor two or four that touch
_PAINTED = 0.2  # a cell that may be paint
_REACH_MM = 0.9  # how far the ring may be missed by a turn between two templates; a fit in a block turns little
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
    likeness: Singles, usable: NDArray[np.bool_], outlines: Sequence[Outline], cell_mm: float, rim_mm: float
) -> list[Proposed]:
    """All that may be bases of one army in its likeness map (H, W), by outline; rivals for one place included.

    ``rim_mm`` is the painted ring's width, as far as it is known.
    """
    paint = (likeness - np.float32(_FAINT)) * np.float32(1 / (1 - _FAINT))
    thin = _thin(paint * usable, cell_mm)
    regions = _regions(thin, max(o.reach_mm for o in outlines), cell_mm)
    found = []
    for outline in outlines:
        parts = [_in_region(thin, box, outline, cell_mm, rim_mm) for box in regions]
        told = np.concatenate(parts, axis=1) if parts else np.zeros((4, 0))
        found.append(Proposed(outline, told[0], told[1], told[2], told[3]))
    return found


def _thin(likeness: Singles, cell_mm: float) -> Singles:
    """The likeness (0-1) without what is painted all over."""
    size = max(3, round(_THICK_MM / cell_mm)) | 1
    bytes_ = cv2.convertScaleAbs(np.maximum(likeness, 0), alpha=255.0)
    block = np.ones((size, size), np.uint8)
    thick = cv2.dilate(cv2.erode(bytes_, block), block)
    return np.asarray((bytes_ - thick).astype(np.float32) / np.float32(255), dtype=np.float32)


def _regions(thin: Singles, reach_mm: float, cell_mm: float) -> list[tuple[int, int, int, int]]:
    """Boxes (top, bottom, left, right) round all that may be paint, with room for a whole base about it."""
    mask = (thin > _PAINTED).astype(np.uint8)
    size = max(3, round(6.0 / cell_mm)) | 1
    joined = cv2.dilate(mask, np.ones((size, size), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    room = round(reach_mm / cell_mm) + 2
    height, width = thin.shape
    boxes = []
    for left, top, wide, high, area in stats[1:].tolist():
        if area * cell_mm**2 > _SPECK_MM2 and max(wide, high) * cell_mm > _SPECK_MM:
            boxes.append(
                (
                    max(0, top - room),
                    min(height, top + high + room),
                    max(0, left - room),
                    min(width, left + wide + room),
                )
            )
    return boxes


def _in_region(
    thin: Singles, box: tuple[int, int, int, int], outline: Outline, cell_mm: float, rim_mm: float
) -> Floats:
    """The peaks of one outline in one region: columns, rows, bearings and scores (4, N)."""
    top, bottom, left, right = box
    part = thin[top:bottom, left:right]
    turns, templates = _templates(outline, cell_mm, rim_mm)
    scores: Singles = np.stack(
        [
            np.asarray(cv2.filter2D(part, cv2.CV_32F, template, borderType=cv2.BORDER_CONSTANT), dtype=np.float32)
            for template in templates
        ]
    )
    best = scores.max(axis=0) if len(scores) > 1 else scores[0]
    size = max(3, round(min(outline.half_width_mm, outline.half_depth_mm) * 0.6 / cell_mm)) | 1
    peak = (best >= cv2.dilate(best, np.ones((size, size), np.uint8))) & (best > LEAST_SCORE)
    rows, columns = np.nonzero(peak)
    which = scores[:, rows, columns].argmax(axis=0)
    return np.stack(
        [
            columns + _summit(scores, which, rows, columns, 0, 1) + left,
            rows + _summit(scores, which, rows, columns, 1, 0) + top,
            turns[which],
            best[rows, columns],
        ]
    )


def _summit(
    scores: Singles,
    which: NDArray[np.intp],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    down: int,
    across: int,
) -> Floats:
    """How far (N,), at most half a cell, the tops of parabolas through peaks and their neighbours are from them."""
    height, width = scores.shape[1:]
    before = scores[which, np.maximum(rows - down, 0), np.maximum(columns - across, 0)].astype(np.float64)
    here = scores[which, rows, columns].astype(np.float64)
    after = scores[which, np.minimum(rows + down, height - 1), np.minimum(columns + across, width - 1)]
    bend = before - 2 * here + after
    return np.where(bend < 0, np.clip(0.5 * (before - after) / np.minimum(bend, -1e-9), -0.5, 0.5), 0.0)


@lru_cache(maxsize=32)
def _templates(outline: Outline, cell_mm: float, rim_mm: float) -> tuple[Floats, list[Singles]]:
    """The bearings at which an outline must be tried so that its ring is not missed, and its templates: at each the
    one with a hollow, and the one with nothing round it."""
    if outline.round_:
        turns = np.zeros(1)
    else:
        step = np.rad2deg(2 * _REACH_MM / max(outline.half_depth_mm, outline.half_width_mm))
        turns = np.arange(0.0, outline.turn_deg, outline.turn_deg / np.ceil(outline.turn_deg / step))
    templates = [_template(outline, float(turn), cell_mm, rim_mm) for turn in turns]
    return np.repeat(turns, 2), [template for both in templates for template in both]


def _template(outline: Outline, bearing_deg: float, cell_mm: float, rim_mm: float) -> tuple[Singles, Singles]:
    """The ring, summing to 1, less the hollow, and less what is round it; symmetric about the centre."""
    half = int(np.ceil((outline.reach_mm + _ROUND_MM[1]) / cell_mm)) + 1
    x, y = np.meshgrid(np.arange(-half, half + 1) * cell_mm, np.arange(-half, half + 1) * cell_mm)
    sine, cosine = np.sin(np.deg2rad(bearing_deg)), np.cos(np.deg2rad(bearing_deg))
    away = outline.distance(x * cosine - y * sine, x * sine + y * cosine)

    def band(from_mm: float, to_mm: float) -> Floats:
        inner, outer = (away - from_mm) / cell_mm, (away - to_mm) / cell_mm
        share = np.clip(inner + 0.5, 0, 1) * np.clip(0.5 - outer, 0, 1)
        return np.asarray(share / share.sum(), dtype=np.float64)

    ring = band(-rim_mm, 0.3)
    hollow = ring - _HOLLOW_WEIGHT * band(-rim_mm - _HOLLOW_MM[1], -rim_mm - _HOLLOW_MM[0])
    alone = ring - _ROUND_WEIGHT * band(*_ROUND_MM)
    return hollow.astype(np.float32), alone.astype(np.float32)
