"""What has changed since the table was empty, laid flat at the height of bases' tops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import Table
from vision.bases.picture.plane import Ground
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned
from vision.lookups import looked_up
from vision.plain.picture.backdrop import Backdrop, Picture
from vision.plain.picture.scene import Scene

__all__ = ["Changes", "changes", "differing"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_MARGIN_MM = 30.0  # a base may stand over the table's edge
_CHANGED = 2.4  # smoothed square of the difference, in that of the noise, from which a place has changed
_BEYOND_CELLS = 4.0
_BEYOND_MM = 3.5  # the surroundings of a base are looked at so far outside it …
_HALO = 0.15  # of a base's own difference is seen about it as blur, and in a JPEG as a halo: that is no change
_COARSELY_MM = 3.0
_FOOT_MM = 4.0  # … and by so much farther, for its own foot's shadow may reach that far
_INSET_MM = 0.8  # a top's outermost pixels are mixed with what is beside it
_STEP_MM = 2.5  # how densely places are tried
_KNOT, _SPARSE = 8, 3  # the lens is followed at every so many cells, the ground's height at so many


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

    def at(self, points_mm: Floats) -> NDArray[np.float32]:
        """Cell coordinates (..., 2), column first, of table points (..., 2)."""
        return ((points_mm + _MARGIN_MM) / self.cell_mm).astype(np.float32)

    def centres_mm(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Floats:
        """Where the middles of coarse cells (N,) lie on the table (N, 2)."""
        cells = np.column_stack([columns, rows]) * self.step + (self.step - 1) / 2
        return np.asarray(cells * self.cell_mm - _MARGIN_MM, dtype=np.float64)

    def piece_at(self, points_mm: Floats) -> NDArray[np.intp]:
        """Which connected piece of change (N,) is at table points (N, 2); 0 where nothing has changed."""
        height, width = self.pieces.shape
        column, row = np.clip(np.rint(self.at(points_mm)), 0, (width - 1, height - 1)).astype(np.intp).T
        return np.asarray(self.pieces[row, column], dtype=np.intp)

    @cached_property
    def areas_mm2(self) -> Floats:
        """How large each connected piece is, by its number; the unchanged table, number 0, counts as nothing."""
        area = np.bincount(self.pieces.ravel()) * self.cell_mm**2
        area[0] = 0.0
        return np.asarray(area, dtype=np.float64)

    @cached_property
    def step(self) -> int:
        """How many cells each way make up a coarse one."""
        return max(1, round(_STEP_MM / self.cell_mm))

    @cached_property
    def coarse(self) -> NDArray[np.float32]:
        """What share (R, C) of each coarse cell has changed."""
        height, width = (n // self.step for n in self.changed.shape)
        whole = self.changed[: height * self.step, : width * self.step]
        return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)

    @cached_property
    def coarse_pieces(self) -> NDArray[np.intp]:
        """The number (R, C) of the connected piece at the middle of each coarse cell; 0 where nothing has
        changed."""
        height, width = self.coarse.shape
        rows, columns = (g.ravel() for g in np.mgrid[:height, :width])
        return self.piece_at(self.centres_mm(rows, columns)).reshape(height, width)

    @cached_property
    def coarser(self) -> NDArray[np.float32]:
        """What share of each cell twice as large as a coarse one has changed; half as many each way."""
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
            cells = self.at(turned(np.broadcast_to(own, (len(which), *own.shape)), bearing) + centre)
            shares[which] = looked_up(self.changed, cells).mean(axis=1)
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
            middle = np.array([base.x_mm, base.y_mm])
            top = turned(_inside(base.outline, _COARSELY_MM), base.bearing_deg) + middle
            faint = _HALO * float(np.median(self._strength(top)))
            for farther in (0.0, _FOOT_MM):
                about = points + farther * normal
                free |= looked_up(self.changed, self.at(about)) < 0.5
                free |= self._strength(about) < faint
            for other in (*placed, *beside):
                reach = base.outline.reach_mm + other.outline.reach_mm + 8.0
                if other is not base and np.hypot(other.x_mm - base.x_mm, other.y_mm - base.y_mm) < reach:
                    own = turned(points - [other.x_mm, other.y_mm], -other.bearing_deg)
                    free |= other.outline.distance(own[:, 0], own[:, 1]) < beyond
            shares[k] = free.mean()
        return shares

    def _strength(self, points_mm: Floats) -> Floats:
        """How far (N,) places are off what they were, in sigmas."""
        off = looked_up(self.off, self.at(points_mm))
        return np.asarray(np.sqrt(np.square(off).mean(axis=1)), dtype=np.float64)


def _inside(outline: Outline, step_mm: float) -> Floats:
    """Points (P, 2) of the own frame that lie well within an outline."""
    across = np.arange(-outline.half_width_mm, outline.half_width_mm + step_mm, step_mm)
    down = np.arange(-outline.half_depth_mm, outline.half_depth_mm + step_mm, step_mm)
    u, v = (g.ravel() for g in np.meshgrid(across, down))
    return np.column_stack([u, v])[outline.distance(u, v) < -_INSET_MM]


def differing(frame: Picture, backdrop: Backdrop, hidden: Mask | None = None) -> tuple[Picture, Picture]:
    """How far a frame (H, W, 3) is off its backdrop, in sigmas (H, W, 3), and 1 where (H, W) that is a change; 0
    where it is ``hidden`` (H, W) or nothing is known of it."""
    off = (frame - backdrop.then) / backdrop.noise
    off[~backdrop.known if hidden is None else hidden | ~backdrop.known] = 0.0
    energy = cv2.GaussianBlur((off**2).mean(axis=2), (0, 0), 1.0)
    usual = float(np.median(energy[backdrop.known])) if backdrop.known.any() else 1.0
    return off, (energy > _CHANGED * max(usual, 1.0)).astype(np.float32)


def changes(scene: Scene, table: Table, ground: Ground, hidden: Mask, height_mm: float) -> Changes:
    """What has changed, on the plane ``height_mm`` above the ground; nothing where ``hidden`` (H, W) of the
    frame."""
    off, changed = differing(scene.frame, scene.backdrop, hidden)
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
