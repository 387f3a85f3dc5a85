"""Where bases without paint may stand: what has changed in a base's shape and size, with an outline about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.picture.plane import Ground
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.plain.picture.changed import Changes
from vision.plain.proposing.filling import filled
from vision.plain.proposing.outlined import outline_steps, turns_of

__all__ = ["propose"]

Floats = NDArray[np.float64]

_LEAST_STEP = 0.9  # sigmas: how clear an outline must be
_SAME_MM, _SAME_DEG = 2.6, 8.0  # rivals nearer than this are one
_TURNED = 6.0  # and so many times as many for those that can be turned
_RIVALS = 60.0  # places that are tried for each base for which there is room
_PER_BASE = 6  # rivals for about one place


def propose(
    seen: Changes, outlines: Sequence[Outline], camera: CameraModel, ground: Ground
) -> list[tuple[float, Placed]]:
    """All that may be bases of these outlines, with how clear each's outline is, best first; rivals included."""
    kept: list[tuple[float, Placed]] = []
    for outline in outlines:
        spots = _spots(seen, outline, camera, ground)
        some = spots.taken(_most(seen, outline, spots))
        kept += some.taken(_apart(seen, outline, some)).placed(seen, outline)
    return sorted(kept, key=lambda pair: -pair[0])


@dataclass(frozen=True, eq=False)
class _Spots:
    """Places of one outline, clearest first: coarse cells (N,), which of the outline's turns (N,), the ground's
    height (N,) in mm and how clear the outline is (N,)."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    turns: NDArray[np.intp]
    heights: Floats
    clear: Floats

    def taken(self, which: NDArray[np.intp]) -> _Spots:
        """Some of them."""
        return _Spots(
            self.rows[which], self.columns[which], self.turns[which], self.heights[which], self.clear[which]
        )

    def placed(self, seen: Changes, outline: Outline) -> list[tuple[float, Placed]]:
        """They as bases, each with how clear it is."""
        bearings = turns_of(outline)[self.turns].tolist()
        told = zip(
            self.clear.tolist(),
            seen.centres_mm(self.rows, self.columns).tolist(),
            self.heights.tolist(),
            bearings,
            strict=True,
        )
        return [(clear, Placed(outline, x, y, z, bearing)) for clear, (x, y), z, bearing in told]


def _spots(seen: Changes, outline: Outline, camera: CameraModel, ground: Ground) -> _Spots:
    """Places where an outline, turned somehow, is filled with change and has an edge."""
    found = []
    turns = turns_of(outline)
    for number, (rows, columns) in enumerate(filled(seen, outline, turns)):
        none = np.zeros(len(rows))
        here = _Spots(rows, columns, np.full(len(rows), number, np.intp), none, none)
        if len(rows):
            centres = seen.centres_mm(rows, columns)
            heights = ground.height_at(centres)
            clear = outline_steps(seen, outline, float(turns[number]), centres, heights, camera)
            here = replace(here, heights=heights, clear=clear).taken(np.flatnonzero(clear > _LEAST_STEP))
        found.append(here)
    names = ("rows", "columns", "turns", "heights", "clear")
    every = _Spots(*(np.concatenate([getattr(one, name) for one in found]) for name in names))
    return every.taken(np.argsort(-every.clear, kind="stable"))


def _most(seen: Changes, outline: Outline, spots: _Spots) -> NDArray[np.intp]:
    """Which of places (N,) are tried: on each connected piece of what has changed so many of the clearest as there
    is room for bases."""
    pieces = seen.coarse_pieces[spots.rows, spots.columns]
    many = _RIVALS * (1.0 if outline.round_ else _TURNED)
    room = np.floor(many * (1.0 + seen.areas_mm2 / outline.area_mm2)).astype(int)
    order = np.argsort(pieces, kind="stable")
    before = np.arange(len(order)) - np.searchsorted(pieces[order], pieces[order])
    return np.sort(order[before < room[pieces[order]]])


def _apart(seen: Changes, outline: Outline, spots: _Spots) -> NDArray[np.intp]:
    """Which of places (N,), clearest first, are neither nearly the same as a clearer one nor one of too many.

    Kept on the grid that they lie on: how many clearer ones are about each cell, and which cells and turns are
    taken.
    """
    step = seen.step * seen.cell_mm
    reach = min(outline.half_width_mm, outline.half_depth_mm) * 0.7
    wide, turns = int(reach / step) + 1, turns_of(outline)
    same = int(_SAME_MM / step + 1e-6)
    y, x = np.mgrid[-wide : wide + 1, -wide : wide + 1] * step
    about = (np.hypot(x, y) < reach).astype(np.int16)
    apart = np.abs(outline.askew_deg(turns[:, None] - turns))
    alike = [np.flatnonzero(row <= _SAME_DEG) for row in apart]
    high, across = (n + 2 * wide + 2 * same + 1 for n in (spots.rows.max(initial=0), spots.columns.max(initial=0)))
    better, taken = np.zeros((high, across), np.int16), np.zeros((len(turns), high, across), np.bool_)
    rows, columns = spots.rows + wide + same, spots.columns + wide + same
    kept = []
    for k, (row, column, turn) in enumerate(
        zip(rows.tolist(), columns.tolist(), spots.turns.tolist(), strict=True)
    ):
        if better[row, column] >= _PER_BASE or taken[turn, row, column]:
            continue
        kept.append(k)
        better[row - wide : row + wide + 1, column - wide : column + wide + 1] += about
        taken[alike[turn], row - same : row + same + 1, column - same : column + same + 1] = True
    return np.asarray(kept, dtype=np.intp)
