"""Formed lines and blocks, told by the figures on them.

One figure stands in the middle of each base: they lie on a grid whose steps are the bases' breadth and depth,
however little the seams between the bases show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.plane import Ground
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned
from vision.plain.block import USUAL_GAP_MM, Block, block_of

__all__ = ["drilled"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]

_GAP_MM = 1.3  # bases of a formation stand no farther apart
_SQUEEZED_MM = 0.3  # or are made so much smaller
_SEEN_MM = 3.0  # two figures are seen so exactly apart
_ASTRAY_MM = 4.0  # what is farther from where the grid has it is no part of it
_MAN_MM = 1.3  # a figure stands so far from the middle of its base, one sigma each way
_GAP_SIGMA_MM = 0.1
_EVEN_MM = 2.2  # figures of a formation lie so near its grid, in the mean
_LEAST = 3  # of them make a formation
_FARTHEST = 14  # files to each side of one figure
_FULL, _HALF = 0.75, 0.5  # of a formation's places that show a figure, and of each outer rank's
_LINKS = [(k * i, k * j) for k in (1, 2) for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))]  # past one unseen


@dataclass(frozen=True, eq=False)
class _Grid:
    """Figures on a grid: which (N,), their files and ranks (N, 2), and the grid: origin, step (mm) and bearing."""

    which: Ints
    cells: Ints
    origin: Floats
    steps: Floats
    bearing_deg: float
    off_mm: float


def drilled(feet: Floats, outlines: Sequence[Outline], ground: Ground) -> list[Block]:
    """The lines and blocks of bases that figures (N, 2) may stand in, those of the most figures
    first."""
    told: list[Block] = []
    for outline in outlines:
        for grid in _grids(feet, outline):
            told += _blocks(grid, outline, ground)
    return sorted(told, key=lambda block: -block.figures)


def _grids(feet: Floats, outline: Outline) -> list[_Grid]:
    """The grids of an outline's breadth and depth that figures lie on."""
    size = 2 * np.array([outline.half_width_mm, outline.half_depth_mm])
    away = feet[None] - feet[:, None]
    apart = np.hypot(away[..., 0], away[..., 1])
    kept: list[_Grid] = []
    taken: set[tuple[int, int]] = set()
    told: set[int] = set()  # what neighbours tell is not asked of those two steps apart
    for axis in (0,) if size[0] == size[1] else (0, 1):
        pairs = [(*pair, 1) for pair in np.argwhere(_stepped(apart, size[axis], 1)).tolist()]
        pairs += [(*pair, 2) for pair in np.argwhere(np.triu(_stepped(apart, size[axis], 2))).tolist()]
        for first, second, over in pairs:
            if (first, second) in taken or (over > 1 and {first, second} <= told):
                continue
            x, y = away[first, second]
            bearing = float(np.rad2deg(np.arctan2(x, y))) - (90.0 if axis == 0 else 0.0)
            grid = _grown(feet, first, size + USUAL_GAP_MM, size, bearing, over)
            if grid is None or len(grid.which) < _LEAST:
                continue
            members = grid.which.tolist()
            taken |= {(a, b) for a in members for b in members}
            told |= set(members)
            kept.append(grid)
    return kept


def _stepped(apart: Floats, size: float, over: int) -> Mask:
    """Which figures so far apart (N, N) may stand so many bases of a size apart."""
    return np.abs(apart - over * (size + _GAP_MM / 2)) < over * _GAP_MM / 2 + _SEEN_MM


def _grown(feet: Floats, first: int, steps: Floats, size: Floats, bearing_deg: float, begin: int) -> _Grid | None:
    """The grid that begins at one figure and so many steps about it, grown as far as figures lie on it.

    Two that stand two steps apart tell its way twice as exactly as neighbours do, each beside its base's middle.
    """
    origin = feet[first].copy()
    which = np.zeros(0, np.intp)
    cells = np.zeros((0, 2), np.intp)
    off = 0.0
    for reach in range(begin, _FARTHEST + 1):
        own = turned(feet - origin, -bearing_deg) / steps
        nearest = np.rint(own).astype(np.intp)
        astray = np.hypot(*((own - nearest) * steps).T)
        some = np.flatnonzero((astray < _ASTRAY_MM) & (np.abs(nearest) <= reach).all(axis=1))
        some = some[np.argsort(astray[some], kind="stable")]
        _, once = np.unique(nearest[some], axis=0, return_index=True)
        some = some[once]
        linked = _linked(nearest[some])
        which, cells = some[linked], nearest[some[linked]]
        if len(which) < 2:
            return None
        origin, steps, bearing_deg, off = _fitted(feet[which], cells, steps, size, bearing_deg)
        if reach > 2 and np.abs(cells).max() < reach - 1:
            break
    if off > _EVEN_MM:
        return None
    return _Grid(which, cells, origin, steps, bearing_deg, off)


def _linked(cells: Ints) -> Ints:
    """Which of cells (N, 2) hang together with the cell 0, 0."""
    numbers = {(int(a), int(b)): k for k, (a, b) in enumerate(cells)}
    reached, left = set(), [(0, 0)] if (0, 0) in numbers else []
    while left:
        a, b = left.pop()
        if (a, b) in reached:
            continue
        reached.add((a, b))
        left += [(a + i, b + j) for i, j in _LINKS if (a + i, b + j) in numbers]
    return np.array(sorted(numbers[c] for c in reached), dtype=np.intp)


def _fitted(
    at: Floats, cells: Ints, steps: Floats, size: Floats, bearing_deg: float
) -> tuple[Floats, Floats, float, float]:
    """The origin, steps and bearing with which cells (N, 2) of a grid lie nearest to places (N, 2), and how far off
    these are."""
    for _ in range(2):
        own = turned(at - at.mean(axis=0), -bearing_deg)
        far = cells - cells.mean(axis=0)
        for axis in range(2):
            if np.square(far[:, axis]).sum() > 0:
                step = (own[:, axis] * far[:, axis]).sum() / np.square(far[:, axis]).sum()
                steps = steps.copy()
                steps[axis] = np.clip(step, size[axis] - _SQUEEZED_MM, size[axis] + _GAP_MM)
        model = far * steps
        turn = np.arctan2((model[:, 0] * own[:, 1] - model[:, 1] * own[:, 0]).sum(), (model * own).sum())
        bearing_deg = bearing_deg - float(np.rad2deg(turn))
    origin = at.mean(axis=0) - turned((cells.mean(axis=0) * steps)[None], bearing_deg)[0]
    left = at - origin - turned(cells * steps, bearing_deg)
    return origin, steps, bearing_deg, float(np.sqrt(np.square(left).sum() / max(len(at) - 1, 1)))


def _blocks(grid: _Grid, outline: Outline, ground: Ground) -> list[Block]:
    """The full blocks of a grid's figures: all of it, or without ranks and files that are hardly filled."""
    low = grid.cells.min(axis=0)
    full = np.zeros(tuple(grid.cells.max(axis=0) - low + 1), dtype=bool)
    full[tuple((grid.cells - low).T)] = True
    while full.size and full.mean() < 1:
        sides = [full[0].mean(), full[-1].mean(), full[:, 0].mean(), full[:, -1].mean()]
        k = int(np.argmin(sides))
        if full.mean() >= _FULL and sides[k] >= _HALF:
            break
        full = (full[1:], full[:-1], full[:, 1:], full[:, :-1])[k]
        low = low + np.array([k == 0, k == 2])
    if full.sum() < _LEAST:
        return []
    middle = grid.origin + turned(((low + (np.array(full.shape) - 1) / 2) * grid.steps)[None], grid.bearing_deg)[0]
    x, y = (float(v) for v in middle)
    about = Placed(outline, x, y, float(ground.height_at(middle[None])[0]), grid.bearing_deg % 180.0)
    count = full.shape[0], full.shape[1]
    return [block_of(outline, count, USUAL_GAP_MM, about, int(full.sum()), _gap_of(grid, outline))]


def _gap_of(grid: _Grid, outline: Outline) -> tuple[float, float]:
    """The gap between the bases of a grid that the figures on it tell, in mm, and its sigma."""
    far = np.square(grid.cells - grid.cells.mean(axis=0)).sum(axis=0)
    gaps = grid.steps - 2 * np.array([outline.half_width_mm, outline.half_depth_mm])
    gap = float((far * gaps).sum() / far.sum())
    return gap, float(np.hypot(_MAN_MM / np.sqrt(far.sum()), _GAP_SIGMA_MM))
