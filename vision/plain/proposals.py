"""Where bases without paint may stand: what has changed in a base's shape and size, with an outline about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import Table
from vision.bases.pixels import Placed
from vision.bases.plane import Ground
from vision.bases.shapes import Outline, turned
from vision.plain.backdrop import Picture
from vision.plain.scene import Scene

__all__ = ["Changes", "changes", "propose"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_MARGIN_MM = 30.0  # a base may stand over the table's edge
_CHANGED = 2.4  # smoothed square of the difference, in that of the noise, from which a place has changed
_FILLED = 0.72  # share of a base's outline that must have changed
_BEYOND_CELLS = 4.0
_BEYOND_MM = 3.5  # the surroundings of a base are looked at so far outside it …
_FOOT_MM = 4.0  # … and by so much farther, for its own foot's shadow may reach that far
_INSET_MM = 0.8  # a top's outermost pixels are mixed with what is beside it
_STEP_MM = 2.5  # how densely places are tried
_KNOT, _SPARSE = 8, 3  # the lens is followed at every so many cells, the ground's height at so many
_ROUGHLY = 0.12  # so much less filled may a base seem on cells twice as large
_REACH_MM = 1.6  # how far an outline may be missed by a turn between two that are tried
_LEAST_STEP = 0.9  # sigmas: how clear an outline must be
_SAME_MM, _SAME_DEG = 2.6, 8.0  # rivals nearer than this are one
_SECTORS = 10
_TURNED = 6.0  # and so many times as many for those that can be turned
_RIVALS = 60.0  # places that are tried for each base for which there is room
_LEAST_OF_SIZE = 0.7
_PER_BASE = 6  # rivals for about one place


@dataclass(frozen=True, eq=False)
class Changes:
    """The frame laid flat at the height of tops: cell (row, column) is origin + (column, row) * cell.

    ``off`` (H, W, 3) is its difference from the backdrop in sigmas, ``changed`` (H, W) where that is no noise,
    ``pieces`` (H, W) the number of the connected piece of it.
    """

    off: Picture
    changed: NDArray[np.float32]
    pieces: NDArray[np.int32]
    cell_mm: float

    def at(self, points_mm: Floats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Cell coordinates (columns, rows) of table points (..., 2)."""
        cells = ((points_mm + _MARGIN_MM) / self.cell_mm).astype(np.float32)
        return cells[..., 0], cells[..., 1]

    @cached_property
    def step(self) -> int:
        """How many cells each way make up a coarse one."""
        return max(1, round(_STEP_MM / self.cell_mm))

    @cached_property
    def coarse(self) -> NDArray[np.float32]:
        """What share of each coarse cell has changed."""
        height, width = (n // self.step for n in self.changed.shape)
        whole = self.changed[: height * self.step, : width * self.step]
        return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)

    @cached_property
    def coarser(self) -> NDArray[np.float32]:
        """The same of cells twice as large."""
        height, width = self.coarse.shape
        even = cv2.copyMakeBorder(self.coarse, 0, height % 2, 0, width % 2, cv2.BORDER_CONSTANT, value=0.0)
        size = (even.shape[1] // 2, even.shape[0] // 2)
        return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), dtype=np.float32)

    def filled(self, placed: Sequence[Placed]) -> Floats:
        """The share (N,) of each base's top that has changed."""
        shares = np.zeros(len(placed))
        for outline in dict.fromkeys(p.outline for p in placed):
            which = [k for k, p in enumerate(placed) if p.outline == outline]
            own = _inside(outline, max(1.5, self.cell_mm))
            bearing = np.array([placed[k].bearing_deg for k in which])[:, None]
            centre = np.array([[placed[k].x_mm, placed[k].y_mm] for k in which])[:, None]
            columns, rows = self.at(turned(np.broadcast_to(own, (len(which), *own.shape)), bearing) + centre)
            shares[which] = cv2.remap(self.changed, columns, rows, cv2.INTER_LINEAR).mean(axis=1)
        return shares

    def open(self, placed: Sequence[Placed], beside: Sequence[Placed], camera: CameraModel) -> Floats:
        """The share (N,) of each base's surroundings that is as it was, or where one of the others stands.

        A base has an end; what has been put down and is larger has none where bases are thought to stand on it.
        """
        shares = np.ones(len(placed))
        beyond = max(_BEYOND_MM, _BEYOND_CELLS * self.cell_mm)
        eye = camera.position_mm
        for k, base in enumerate(placed):
            ring, normal = base.outline.ring(0.0, base.outline.perimeter_mm / 32)
            ring, normal = turned(ring, base.bearing_deg), turned(normal, base.bearing_deg)
            drop = base.outline.height_mm / (eye[2] - base.z_mm - base.outline.height_mm)
            lean = np.maximum(normal @ ((eye[:2] - [base.x_mm, base.y_mm]) * drop), 0.0)
            points = ring + (lean + beyond)[:, None] * normal + [base.x_mm, base.y_mm]
            free = np.zeros(len(points), np.bool_)
            for farther in (0.0, _FOOT_MM):
                columns, rows = self.at((points + farther * normal)[None])
                free |= cv2.remap(self.changed, columns, rows, cv2.INTER_LINEAR)[0] < 0.5
            for other in (*placed, *beside):
                reach = base.outline.reach_mm + other.outline.reach_mm + 8.0
                if other is not base and np.hypot(other.x_mm - base.x_mm, other.y_mm - base.y_mm) < reach:
                    own = turned(points - [other.x_mm, other.y_mm], -other.bearing_deg)
                    free |= other.outline.distance(own[:, 0], own[:, 1]) < beyond
            shares[k] = free.mean()
        return shares


def _inside(outline: Outline, step_mm: float) -> Floats:
    """Points (P, 2) of the own frame that lie well within an outline."""
    across = np.arange(-outline.half_width_mm, outline.half_width_mm + step_mm, step_mm)
    down = np.arange(-outline.half_depth_mm, outline.half_depth_mm + step_mm, step_mm)
    u, v = (g.ravel() for g in np.meshgrid(across, down))
    return np.column_stack([u, v])[outline.distance(u, v) < -_INSET_MM]


def changes(scene: Scene, table: Table, ground: Ground, hidden: Mask, height_mm: float) -> Changes:
    """What has changed, on the plane ``height_mm`` above the ground; nothing where ``hidden`` (H, W) of the
    frame."""
    off = (scene.frame - scene.backdrop.then) / scene.backdrop.noise
    off[hidden | ~scene.backdrop.known] = 0.0
    energy = cv2.GaussianBlur((off**2).mean(axis=2), (0, 0), 1.0)
    usual = float(np.median(energy[scene.backdrop.known])) if scene.backdrop.known.any() else 1.0
    changed = (energy > _CHANGED * max(usual, 1.0)).astype(np.float32)
    cell = float(np.clip(0.9 / scene.px_per_mm, 0.5, 1.3))
    size = table.table
    columns = np.arange(-_MARGIN_MM, size.width_mm + _MARGIN_MM, cell)
    rows = np.arange(-_MARGIN_MM, size.depth_mm + _MARGIN_MM, cell)
    at = _lookup(scene.camera, ground, columns, rows, height_mm)
    smooth = cv2.GaussianBlur(off, (0, 0), 0.7)
    flat = cv2.remap(smooth, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    mask = cv2.remap(changed, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    joined = cv2.morphologyEx((mask > 0.5).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    pieces = cv2.connectedComponents(joined)[1]
    return Changes(
        np.asarray(flat, dtype=np.float32), np.asarray(mask, dtype=np.float32), np.asarray(pieces, np.int32), cell
    )


def _lookup(camera: CameraModel, ground: Ground, columns: Floats, rows: Floats, height_mm: float) -> Picture:
    """The pixels (R, C, 2) at which table points, so far above their ground, are seen."""
    knots_x, knots_y = columns[::_KNOT], rows[::_KNOT]
    coarse = np.stack(np.meshgrid(knots_x, knots_y), axis=-1)
    left, share_x = _between(len(columns), len(knots_x))
    top, share_y = _between(len(rows), len(knots_y))

    def level(ground_mm: float) -> Picture:
        points = np.column_stack([coarse.reshape(-1, 2), np.full(coarse.size // 2, ground_mm + height_mm)])
        knots = camera.project(points).reshape(*coarse.shape).astype(np.float32)
        wide = knots[:, left] * (1 - share_x[None, :, None]) + knots[:, left + 1] * share_x[None, :, None]
        both = wide[top] * (1 - share_y[:, None, None]) + wide[top + 1] * share_y[:, None, None]
        return np.asarray(both, dtype=np.float32)

    sparse = np.stack(np.meshgrid(columns[::_SPARSE], rows[::_SPARSE]), axis=-1)
    heights = ground.height_at(sparse.reshape(-1, 2)).reshape(sparse.shape[:2])
    levels = np.unique(heights).tolist()
    at = level(levels[0])
    if len(levels) > 1:
        nearest = np.ix_(
            np.minimum((np.arange(len(rows)) + _SPARSE // 2) // _SPARSE, sparse.shape[0] - 1),
            np.minimum((np.arange(len(columns)) + _SPARSE // 2) // _SPARSE, sparse.shape[1] - 1),
        )
        here = heights[nearest]
        step = cv2.morphologyEx(heights, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))[nearest] > 0
        row, column = np.nonzero(step)  # about the edges of hills it is told cell by cell
        here[row, column] = ground.height_at(np.column_stack([columns[column], rows[row]]))
        for height in levels[1:]:
            own = here == height
            at[own] = level(height)[own]
    return np.asarray(at, dtype=np.float32)


def _between(cells: int, knots: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The knot before each cell (N,), and what share of the way to the next one the cell lies."""
    at = np.arange(cells) / _KNOT
    before = np.minimum(at.astype(np.intp), knots - 2)
    return before, (at - before).astype(np.float32)


def propose(
    seen: Changes, outlines: Sequence[Outline], camera: CameraModel, ground: Ground
) -> list[tuple[float, Placed]]:
    """All that may be bases of these outlines, with how clear each's outline is, best first; rivals included."""
    found: list[tuple[float, Placed]] = []
    for outline in outlines:
        for turn in _turns(outline):
            found += _of_turn(seen, outline, float(turn), camera, ground)
    found.sort(key=lambda pair: -pair[0])
    kept: list[tuple[float, Placed]] = []
    for outline in outlines:
        mine = [pair for pair in found if pair[1].outline == outline]
        many = _most(seen, outline, [p for _, p in mine], range(len(mine)), _RIVALS)
        kept += [mine[many[k]] for k in _apart([mine[k][1] for k in many])]
    return sorted(kept, key=lambda pair: -pair[0])


def _of_turn(
    seen: Changes, outline: Outline, turn_deg: float, camera: CameraModel, ground: Ground
) -> list[tuple[float, Placed]]:
    """Places where an outline, turned so, is filled with change and has an edge."""
    step = seen.step
    rows, columns = _filled_at(seen, outline, turn_deg)
    if not len(rows):
        return []
    centres = (np.column_stack([columns, rows]) * step + (step - 1) / 2) * seen.cell_mm - _MARGIN_MM
    heights = ground.height_at(centres)
    clear = _edge(seen, outline, turn_deg, np.asarray(centres, dtype=np.float64), heights, camera)
    picks = np.flatnonzero(clear > _LEAST_STEP)
    return [
        (
            float(clear[k]),
            Placed(outline, float(centres[k, 0]), float(centres[k, 1]), float(heights[k]), turn_deg),
        )
        for k in picks
    ]


def _filled_at(seen: Changes, outline: Outline, turn_deg: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and columns (N,), of coarse cells, at which an outline, turned so, is filled with change."""
    cell_mm = seen.step * seen.cell_mm
    likely = cv2.filter2D(
        seen.coarser, cv2.CV_32F, _template(outline, turn_deg, 2 * cell_mm), borderType=cv2.BORDER_CONSTANT
    )
    near = cv2.dilate((likely > _FILLED - _ROUGHLY).astype(np.uint8), np.ones((3, 3), np.uint8))
    kernel = _template(outline, turn_deg, cell_mm)
    half = len(kernel) // 2
    room = cv2.copyMakeBorder(seen.coarse, half, half, half, half, cv2.BORDER_CONSTANT, value=0.0)
    rows, columns = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    stats: NDArray[np.int32] = np.asarray(cv2.connectedComponentsWithStats(near)[2], dtype=np.int32)
    for left, top, wide, high, _ in (2 * stats[1:]).tolist():
        part = room[top : top + high + 2 * half, left : left + wide + 2 * half]
        filled = cv2.filter2D(part, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT)[half:-half, half:-half]
        row, column = np.nonzero(filled > _FILLED)
        rows.append(row + top)
        columns.append(column + left)
    return np.concatenate(rows), np.concatenate(columns)


def _edge(
    seen: Changes, outline: Outline, turn_deg: float, centres: Floats, heights: Floats, camera: CameraModel
) -> Floats:
    """How much (N,) the difference from the backdrop changes across the outline, in the mean over it, in sigmas."""
    ring, normal = outline.ring(0.0, max(2.0, outline.perimeter_mm / 48))
    ring, normal = turned(ring, turn_deg), turned(normal, turn_deg)
    eye = camera.position_mm
    drop = outline.height_mm / (eye[2] - heights - outline.height_mm)
    side = (eye[:2] - centres) * drop[:, None]
    lean = np.maximum(side @ normal.T, 0.0)[..., None]  # the visible side's breadth
    points = centres[:, None] + ring
    inner = _looked_up(seen, points - 1.6 * normal)
    outer = _looked_up(seen, points + (lean + 1.9) * normal)
    line = _looked_up(seen, points + 0.5 * lean * normal)
    step, ridge = outer - inner, line - 0.5 * (inner + outer)
    clear = np.maximum(_consistent(step), 1.5 * _consistent(ridge))
    return np.asarray(np.clip(clear, 0, 4).mean(axis=1), dtype=np.float64)


def _consistent(off: Picture) -> Picture:
    """How large (N, sectors) differences (N, points, 3) are in the mean over sectors of the outline."""
    sectors = np.array_split(np.arange(off.shape[1]), _SECTORS)
    lengths = [np.linalg.norm(off[:, s].mean(axis=1), axis=-1) for s in sectors]
    return np.asarray(np.stack(lengths, axis=1) / 1.7, dtype=np.float32)


def _looked_up(seen: Changes, points: Floats) -> Picture:
    columns, rows = seen.at(points)
    parts = [
        cv2.remap(seen.off, columns[k : k + 20000], rows[k : k + 20000], cv2.INTER_LINEAR)
        for k in range(0, len(columns), 20000)
    ]
    return np.asarray(np.concatenate(parts), dtype=np.float32)


def _most(
    seen: Changes, outline: Outline, placed: Sequence[Placed], numbers: Sequence[int], rivals: float
) -> list[int]:
    """Of places, best first, so many on each connected piece of what has changed as there is room for bases."""
    if not placed:
        return []
    columns, rows = seen.at(np.array([[p.x_mm, p.y_mm] for p in placed]))
    height, width = seen.pieces.shape
    at = np.clip(np.rint(rows), 0, height - 1).astype(int), np.clip(np.rint(columns), 0, width - 1).astype(int)
    pieces = seen.pieces[at]
    area = np.bincount(seen.pieces.ravel()) * seen.cell_mm**2
    area[0] = 0.0
    size = 4 * outline.half_width_mm * outline.half_depth_mm * (np.pi / 4 if outline.round_ else 1.0)
    left = np.floor(rivals * (1.0 if outline.round_ else _TURNED) * (1.0 + area / size)).astype(int)
    left[area < _LEAST_OF_SIZE * size] = 0
    kept = []
    for number, piece in zip(numbers, pieces.tolist(), strict=True):
        if left[piece] > 0:
            left[piece] -= 1
            kept.append(number)
    return kept


def _apart(placed: Sequence[Placed]) -> list[int]:
    """Which of bases of one outline, best first, are neither nearly the same as a better one nor one of too
    many."""
    if not placed:
        return []
    turn = placed[0].outline.turn_deg
    place = np.array([[p.x_mm, p.y_mm] for p in placed])
    bearing = np.array([p.bearing_deg for p in placed])
    left = np.ones(len(placed), dtype=np.bool_)
    better = np.zeros(len(placed), dtype=np.intp)
    reach = min(placed[0].outline.half_width_mm, placed[0].outline.half_depth_mm) * 0.7
    kept: list[int] = []
    for k in range(len(placed)):
        if not left[k]:
            continue
        kept.append(k)
        better += np.hypot(*(place - place[k]).T) < reach
        left &= better < _PER_BASE
        turned_by = np.abs((bearing - bearing[k] + turn / 2) % turn - turn / 2)
        left &= (np.abs(place - place[k]).max(axis=1) > _SAME_MM) | (turned_by > _SAME_DEG)
    return kept


def _turns(outline: Outline) -> Floats:
    """The bearings at which an outline must be tried so that it is not missed."""
    if outline.round_:
        return np.zeros(1)
    step = np.rad2deg(2 * _REACH_MM / max(outline.half_depth_mm, outline.half_width_mm))
    return np.asarray(np.arange(0.0, outline.turn_deg, outline.turn_deg / np.ceil(outline.turn_deg / step)))


def _template(outline: Outline, bearing_deg: float, cell_mm: float) -> NDArray[np.float32]:
    """The outline filled, summing to 1."""
    half = int(np.ceil(outline.reach_mm / cell_mm)) + 1
    x, y = np.meshgrid(np.arange(-half, half + 1) * cell_mm, np.arange(-half, half + 1) * cell_mm)
    sine, cosine = np.sin(np.deg2rad(bearing_deg)), np.cos(np.deg2rad(bearing_deg))
    away = outline.distance(x * cosine - y * sine, x * sine + y * cosine)
    full = np.clip(0.5 - away / cell_mm, 0, 1)
    return np.asarray(full / full.sum(), dtype=np.float32)
