"""Rectangles that stand shoulder to shoulder, found each for itself.

Where hardly a seam shows between them each holds the next in its place, be it a wrong one, and all of them together
slide aside. As one body they have an outer edge, which tells where all stand; from there each finds its own place.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import turned
from vision.plain.block import USUAL_GAP_MM, block_of
from vision.plain.choosing.packing import Settled
from vision.plain.fitting.doubt import TELLING
from vision.plain.fitting.fit import fit
from vision.plain.fitting.seams import loosened
from vision.plain.fitting.spacing import Spaced, spaced
from vision.plain.picture.scene import Scene

__all__ = ["abreast", "rows_of"]

Floats = NDArray[np.float64]

_ASTRAY_MM, _OUT_MM, _TURNED_DEG = 5.0, 4.0, 6.0  # how far from the next one's side, out of the row and turned
_GAP_MM = 0.5  # between two, one sigma
_ROUNDS = 6


def abreast(scene: Scene, stands: Settled, known: Sequence[Placed]) -> Settled:
    """What stands, with the bases of rows where they fit from their row's place, if they explain more so.

    What explains nearly as much tells how far aside, too, they may be.
    """
    held, aside_mm = list(stands.held), stands.otherwise_mm.copy()
    blocks = [body for block in stands.blocks for body in block.bodies]
    for row, along_deg in rows_of(held):
        own = set(row)
        others = [*(base for k, base in enumerate(held) if k not in own), *blocks, *known]
        singly = fit(scene, [*(held[k] for k in row), *others], _ROUNDS, free=len(row))
        as_one = _as_one(scene, singly.placed, along_deg, others)
        anew = fit(scene, [*as_one.bases, *others], _ROUNDS, free=len(row))
        more = float((anew.gain - singly.gain).sum()) * held[row[0]].outline.perimeter_mm
        far_mm = np.hypot(*(_places(singly.placed) - _places(anew.placed)).T)
        less_likely = 1 / (1 + np.exp(min(abs(more) / TELLING, 50.0)))
        aside_mm[row] = np.hypot(aside_mm[row], far_mm * np.sqrt(less_likely / 2))
        if more > 0:
            loose = loosened(scene, as_one, others)
            aside_mm[row] = np.hypot(aside_mm[row], loose.sigma_mm)
            for k, base in zip(row, loose.bases, strict=True):
                held[k] = base
    return replace(stands, held=held, otherwise_mm=aside_mm)


def rows_of(placed: Sequence[Placed]) -> list[tuple[list[int], float]]:
    """Which of bases stand in rows of rectangles of one kind, right beside each other, from left to right; and the
    bearing of each row."""
    left, rows = set(range(len(placed))), list[tuple[list[int], float]]()
    for first, base in enumerate(placed):
        if first not in left or base.outline.round_:
            continue
        ways = [base.bearing_deg + turn for turn in np.arange(0.0, 180.0, base.outline.turn_deg).tolist()]
        row, along_deg = max(((_row(placed, left, first, way), way) for way in ways), key=lambda told: len(told[0]))
        if len(row) > 1:
            left -= set(row)
            own = turned(_places([placed[k] for k in row]), -along_deg)
            rows.append(([row[k] for k in np.argsort(own[:, 0])], along_deg))
    return rows


def _row(placed: Sequence[Placed], left: Collection[int], first: int, along_deg: float) -> list[int]:
    """Those of the bases that are left that stand in one row with the first, of such a bearing."""
    row, new = list[int](), [first]
    while new:
        row.append(new.pop())
        others = sorted(set(left) - {*row, *new})
        new += [k for k in others if _abreast(placed[row[-1]], placed[k], along_deg)]
    return row


def _abreast(one: Placed, other: Placed, along_deg: float) -> bool:
    """Whether a rectangle stands right beside another, side by side in a row of such a bearing."""
    outline = one.outline
    if other.outline != outline:
        return False
    turn = outline.askew_deg(other.bearing_deg - along_deg)
    u, v = turned(np.array([[other.x_mm - one.x_mm, other.y_mm - one.y_mm]]), -along_deg)[0].tolist()
    beside = abs(abs(u) - 2 * outline.half_width_mm) < _ASTRAY_MM and abs(v) < _OUT_MM
    return beside and abs(turn) < _TURNED_DEG


def _as_one(scene: Scene, row: Sequence[Placed], along_deg: float, others: Sequence[Placed]) -> Spaced:
    """The bases of a row, from left to right, where that has them when it is fitted as one body."""
    x, y = _places(row).mean(axis=0).tolist()
    about = replace(row[0], x_mm=x, y_mm=y, bearing_deg=along_deg)
    block = block_of(row[0].outline, (len(row), 1), USUAL_GAP_MM, about, 0, (USUAL_GAP_MM, _GAP_MM))
    whole = fit(scene, [block.whole, *others], _ROUNDS, free=1).placed[0]
    return spaced(scene, replace(block, whole=whole), others)


def _places(placed: Sequence[Placed]) -> Floats:
    """Where (N, 2) on the table bases stand, in mm."""
    return np.array([[base.x_mm, base.y_mm] for base in placed])
