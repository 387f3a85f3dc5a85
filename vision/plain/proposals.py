"""Where bases without paint may stand: what has changed in a base's shape and size, with an outline about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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

__all__ = ["Changes", "changes", "outline_steps", "propose", "turns_of"]

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
_SECTORS, _PER_SECTOR = 10, 3
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
    def areas_mm2(self) -> Floats:
        """How large each connected piece is; the unchanged table, number 0, counts as nothing."""
        area = np.bincount(self.pieces.ravel()) * self.cell_mm**2
        area[0] = 0.0
        return np.asarray(area, dtype=np.float64)

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
        told = zip(self.clear.tolist(), _centres(seen, self).tolist(), self.heights.tolist(), bearings, strict=True)
        return [(clear, Placed(outline, x, y, z, bearing)) for clear, (x, y), z, bearing in told]


def _centres(seen: Changes, spots: _Spots) -> Floats:
    """Where the middles of coarse cells lie on the table (N, 2), mm."""
    cells = np.column_stack([spots.columns, spots.rows]) * seen.step + (seen.step - 1) / 2
    return np.asarray(cells * seen.cell_mm - _MARGIN_MM, dtype=np.float64)


def _spots(seen: Changes, outline: Outline, camera: CameraModel, ground: Ground) -> _Spots:
    """Places where an outline, turned somehow, is filled with change and has an edge."""
    found = []
    for number, turn in enumerate(turns_of(outline).tolist()):
        rows, columns = _filled_at(seen, outline, turn)
        none = np.zeros(len(rows))
        here = _Spots(rows, columns, np.full(len(rows), number, np.intp), none, none)
        if len(rows):
            centres = _centres(seen, here)
            heights = ground.height_at(centres)
            clear = outline_steps(seen, outline, turn, centres, heights, camera)
            here = replace(here, heights=heights, clear=clear).taken(np.flatnonzero(clear > _LEAST_STEP))
        found.append(here)
    names = ("rows", "columns", "turns", "heights", "clear")
    every = _Spots(*(np.concatenate([getattr(one, name) for one in found]) for name in names))
    return every.taken(np.argsort(-every.clear, kind="stable"))


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


def outline_steps(
    seen: Changes, outline: Outline, turn_deg: float, centres: Floats, heights: Floats, camera: CameraModel
) -> Floats:
    """How much (N,) the difference from the backdrop changes across the outline, in the mean over it, in sigmas."""
    ring, normal = outline.ring(0.0, outline.perimeter_mm / (_SECTORS * _PER_SECTOR))
    ring, normal = turned(ring, turn_deg), turned(normal, turn_deg)
    eye = camera.position_mm
    drop = outline.height_mm / (eye[2] - heights - outline.height_mm)
    side = ((eye[:2] - centres) * drop[:, None]).astype(np.float32)
    along = normal.astype(np.float32)
    lean = np.maximum(side @ along.T, np.float32(0))[..., None]  # the visible side's breadth
    here = centres.astype(np.float32)[:, None]
    inner = _looked_up(seen, here + (ring - 1.6 * normal).astype(np.float32))
    outer = _looked_up(seen, here + (ring + 1.9 * normal).astype(np.float32) + lean * along)
    line = _looked_up(seen, here + ring.astype(np.float32) + (np.float32(0.5) * lean) * along)
    line -= np.float32(0.5) * (inner + outer)
    outer -= inner
    clear = np.maximum(_consistent(outer), np.float32(1.5) * _consistent(line))
    return np.asarray(np.clip(clear, 0, 4).mean(axis=1), dtype=np.float64)


def _consistent(off: Picture) -> Picture:
    """How large (N, sectors) differences (N, points, 3) are in the mean over sectors of the outline."""
    points = off.shape[1]
    first = np.arange(_SECTORS) * points // _SECTORS
    many = np.diff(first, append=points).astype(np.float32)
    mean = np.add.reduceat(off, first, axis=1) / many[:, None]
    return np.asarray(np.sqrt(np.einsum("nsc,nsc->ns", mean, mean)) / np.float32(1.7), dtype=np.float32)


def _looked_up(seen: Changes, points: Picture) -> Picture:
    cells = (points + np.float32(_MARGIN_MM)) * np.float32(1 / seen.cell_mm)
    parts = [
        cv2.remap(seen.off, cells[k : k + 20000], None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
        for k in range(0, len(cells), 20000)
    ]
    return np.asarray(np.concatenate(parts), dtype=np.float32)


def _most(seen: Changes, outline: Outline, spots: _Spots) -> NDArray[np.intp]:
    """Which of places (N,) are tried: on each connected piece of what has changed so many of the clearest as there
    is room for bases."""
    columns, rows = seen.at(_centres(seen, spots))
    height, width = seen.pieces.shape
    at = np.clip(np.rint(rows), 0, height - 1).astype(int), np.clip(np.rint(columns), 0, width - 1).astype(int)
    pieces = seen.pieces[at]
    area = seen.areas_mm2
    size = 4 * outline.half_width_mm * outline.half_depth_mm * (np.pi / 4 if outline.round_ else 1.0)
    room = np.floor(_RIVALS * (1.0 if outline.round_ else _TURNED) * (1.0 + area / size)).astype(int)
    room[area < _LEAST_OF_SIZE * size] = 0
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
    apart = np.abs((turns[:, None] - turns + outline.turn_deg / 2) % outline.turn_deg - outline.turn_deg / 2)
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


def turns_of(outline: Outline) -> Floats:
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
