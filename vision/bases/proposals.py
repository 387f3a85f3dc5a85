"""Where bases may stand: a ring of paint of the known size round what is not paint, at every place and turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.shapes import Outline

__all__ = ["Proposal", "propose"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

_HOLLOW_MM = (1.2, 3.8)  # how far inside the ring there must be no paint
_HOLLOW_WEIGHT = 0.6
_THICK_MM = 16.0  # paint wider than this is a river or a roof, and no rim, nor two or four that touch
_PAINTED = 0.2  # a cell that may be paint
_REACH_MM = 1.3  # how far the ring may be missed by a turn between two templates
LEAST_SCORE = 0.10  # ring less hollow


@dataclass(frozen=True)
class Proposal:
    """A base that may be there: cell coordinates of its centre, its bearing up to its turn, its score."""

    outline: Outline
    column: float
    row: float
    bearing_deg: float
    score: float


def propose(
    likeness: Singles, usable: NDArray[np.bool_], outlines: Sequence[Outline], cell_mm: float, rim_mm: float
) -> list[Proposal]:
    """All that may be bases of one army in its likeness map (H, W), best first; rivals for one place included.

    ``rim_mm`` is the painted ring's width, as far as it is known.
    """
    thin = _thin(np.where(usable, np.clip(likeness, 0, 1), 0).astype(np.float32), cell_mm)
    found: list[Proposal] = []
    for top, bottom, left, right in _regions(thin, max(o.reach_mm for o in outlines), cell_mm):
        part = thin[top:bottom, left:right]
        for outline in outlines:
            found += [
                Proposal(outline, p.column + left, p.row + top, p.bearing_deg, p.score)
                for p in _in_region(part, outline, cell_mm, rim_mm)
            ]
    return sorted(found, key=lambda p: -p.score)


def _thin(likeness: Singles, cell_mm: float) -> Singles:
    """The likeness without what is painted all over."""
    size = max(3, round(_THICK_MM / cell_mm)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(likeness - cv2.morphologyEx(likeness, cv2.MORPH_OPEN, disc), dtype=np.float32)


def _regions(thin: Singles, reach_mm: float, cell_mm: float) -> list[tuple[int, int, int, int]]:
    """Boxes (top, bottom, left, right) round all that may be paint, with room for a whole base about it."""
    mask = (thin > _PAINTED).astype(np.uint8)
    size = max(3, round(6.0 / cell_mm)) | 1
    joined = cv2.dilate(mask, np.ones((size, size), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    room = round(reach_mm / cell_mm) + 3
    height, width = thin.shape
    boxes = []
    for left, top, wide, high, area in stats[1:]:
        if area * cell_mm**2 > 120.0 and max(wide, high) * cell_mm > 12.0:
            boxes.append(
                (
                    max(0, top - room),
                    min(height, top + high + room),
                    max(0, left - room),
                    min(width, left + wide + room),
                )
            )
    return boxes


def _in_region(part: Singles, outline: Outline, cell_mm: float, rim_mm: float) -> list[Proposal]:
    """The peaks of one outline in one region."""
    turns = _turns(outline)
    scores = np.stack(
        [
            cv2.filter2D(
                part, cv2.CV_32F, _template(outline, turn, cell_mm, rim_mm), borderType=cv2.BORDER_CONSTANT
            )
            for turn in turns
        ]
    )
    best = scores.max(axis=0)
    size = max(3, round(min(outline.half_width_mm, outline.half_depth_mm) * 0.6 / cell_mm)) | 1
    peak = (best >= cv2.dilate(best, np.ones((size, size), np.uint8))) & (best > LEAST_SCORE)
    rows, columns = np.nonzero(peak)
    which = scores[:, rows, columns].argmax(axis=0)
    return [
        Proposal(outline, float(c) + dc, float(r) + dr, float(turns[k]), float(best[r, c]))
        for r, c, k in zip(rows, columns, which, strict=True)
        for dr, dc in [(_summit(scores[k, :, c], int(r)), _summit(scores[k, r], int(c)))]
    ]


def _summit(line: NDArray[Any], at: int) -> float:
    """How far (at most half a cell) the top of a parabola through a peak and its neighbours is from the peak."""
    if not 0 < at < len(line) - 1:
        return 0.0
    before, here, after = float(line[at - 1]), float(line[at]), float(line[at + 1])
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))


def _turns(outline: Outline) -> Floats:
    """The bearings at which an outline must be tried so that its ring is not missed."""
    if outline.round_:
        return np.zeros(1)
    step = np.rad2deg(2 * _REACH_MM / max(outline.half_depth_mm, outline.half_width_mm))
    return np.asarray(np.arange(0.0, outline.turn_deg, outline.turn_deg / np.ceil(outline.turn_deg / step)))


def _template(outline: Outline, bearing_deg: float, cell_mm: float, rim_mm: float) -> Singles:
    """The ring, summing to 1, less the hollow; symmetric about its centre."""
    half = int(np.ceil(outline.reach_mm / cell_mm)) + 1
    x, y = np.meshgrid(np.arange(-half, half + 1) * cell_mm, np.arange(-half, half + 1) * cell_mm)
    sine, cosine = np.sin(np.deg2rad(bearing_deg)), np.cos(np.deg2rad(bearing_deg))
    away = outline.distance(x * cosine - y * sine, x * sine + y * cosine)
    soft = cell_mm
    ring = np.clip((away + rim_mm) / soft + 0.5, 0, 1) * np.clip(0.5 - (away - 0.3) / soft, 0, 1)
    hollow = np.clip((away + rim_mm + _HOLLOW_MM[1]) / soft + 0.5, 0, 1) * np.clip(
        0.5 - (away + rim_mm + _HOLLOW_MM[0]) / soft, 0, 1
    )
    return np.asarray(ring / ring.sum() - _HOLLOW_WEIGHT * hollow / hollow.sum(), dtype=np.float32)
