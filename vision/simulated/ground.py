"""The ground of a virtual table as the camera sees it: wood, mat, terrain patches and prints; painted once."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import Tags
from vision.simulated.painting import Box, Points, Shape, coverage, paint
from vision.simulated.solids import Solid, bgr, block, print_of_marker, shape_of
from vision.simulated.virtual import TerrainPlaced, VirtualTable
from vision.sources.records import Image

__all__ = ["paint_ground"]

_GRID_PX = 16
_MAT_EDGE_MM = 12.0  # how far the mat reaches beyond the play area
_WOOD = "#8a6a49"


def paint_ground(table: VirtualTable, camera: CameraModel, texture: bool, rng: np.random.Generator) -> Image:
    """The picture (H, W, 3) of everything flat, and of hills and blocks."""
    lens = camera.intrinsics
    box = (0, 0, lens.width_px, lens.height_px)
    places = _places(camera)
    grain = _Grain(places, rng) if texture else None
    picture = _plain(_WOOD, box) if grain is None else _wood(grain)
    size = table.table.table
    mat = _border(-_MAT_EDGE_MM, -_MAT_EDGE_MM, size.width_mm + _MAT_EDGE_MM, size.depth_mm + _MAT_EDGE_MM)
    _lay(picture, camera, mat, 0.0, _plain(table.mat, box) if grain is None else _grass(grain, table.mat))
    for piece in sorted(table.terrain, key=lambda t: table.height_of(t.kind)):
        _lay_terrain(picture, camera, table, piece, grain)
    result = np.clip(picture, 0, 255).astype(np.uint8)
    paint(result, box, [s for s in (shape_of(p, camera) for p in _prints(table)) if s is not None])
    return result


def _prints(table: VirtualTable) -> list[Solid]:
    markers = table.table.markers
    solids = [
        print_of_marker(markers.dictionary, m.id, markers.size_mm, m.x_mm, m.y_mm, m.z_mm, m.rotation_deg)
        for m in markers.at
    ]
    if isinstance(table.table.tags, Tags):
        size = table.table.tags.size_mm
        solids += [
            print_of_marker(markers.dictionary, t.id, size, t.x_mm, t.y_mm, 0.3, t.bearing_deg) for t in table.tags
        ]
    return solids


def _lay_terrain(
    picture: NDArray[np.float32], camera: CameraModel, table: VirtualTable, piece: TerrainPlaced, grain: _Grain | None
) -> None:
    outline, height = np.array(piece.polygon_mm), table.height_of(piece.kind)
    colour = table.colour_of(piece.kind)
    if height > 4.0:
        sides = shape_of(block(outline, height, piece.slope_mm, colour), camera)
        if sides is not None:
            whole = _within(sides, camera)
            part = np.clip(picture, 0, 255).astype(np.uint8)
            paint(part, whole, [sides])
            left, top, right, bottom = whole
            picture[top:bottom, left:right] = part[top:bottom, left:right]
    box = (0, 0, picture.shape[1], picture.shape[0])
    _lay(picture, camera, outline, height, _plain(colour, box) if grain is None else _felt(grain, colour))


def _lay(
    picture: NDArray[np.float32], camera: CameraModel, outline: Points, z_mm: float, paint_of: NDArray[np.float32]
) -> None:
    """Covers what an outline (N, 2) at a height shows with a paint (H, W, 3)."""
    fine = _finely(outline)
    seen = camera.project(np.column_stack([fine, np.full(len(fine), z_mm)]))
    if not np.isfinite(seen).all():
        return
    box = (0, 0, picture.shape[1], picture.shape[0])
    share = coverage([seen], box)[:, :, None]
    picture += share * (paint_of - picture)


def _finely(outline: Points, step_mm: float = 25.0) -> Points:
    """An outline with more corners: the lens bends what is straight."""
    points = []
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        count = max(1, int(np.linalg.norm(b - a) / step_mm))
        points.append(a + (b - a) * np.linspace(0, 1, count, endpoint=False)[:, None])
    return np.concatenate(points)


def _border(left: float, near: float, right: float, far: float) -> Points:
    return np.array([(left, near), (right, near), (right, far), (left, far)])


def _within(shape: Shape, camera: CameraModel) -> Box:
    left, top, right, bottom = shape.box
    lens = camera.intrinsics
    return max(0, left), max(0, top), max(1, min(lens.width_px, right)), max(1, min(lens.height_px, bottom))


def _plain(colour: str, box: Box) -> NDArray[np.float32]:
    return np.full((box[3], box[2], 3), bgr(colour), np.float32)


def _places(camera: CameraModel) -> NDArray[np.float32]:
    """The place on the table plane (H, W, 2) that each pixel shows, from a grid of pixels."""
    lens = camera.intrinsics
    across, down = lens.width_px // _GRID_PX + 2, lens.height_px // _GRID_PX + 2
    x, y = np.meshgrid(np.arange(across) * _GRID_PX, np.arange(down) * _GRID_PX)
    pixels = np.column_stack([x.ravel(), y.ravel()]).astype(np.float64)
    grid = np.nan_to_num(camera.to_plane(pixels)).reshape(down, across, 2).astype(np.float32)
    px, py = np.meshgrid(
        np.arange(lens.width_px, dtype=np.float32) / _GRID_PX, np.arange(lens.height_px, dtype=np.float32) / _GRID_PX
    )
    return np.asarray(cv2.remap(grid, px, py, cv2.INTER_LINEAR), dtype=np.float32)


class _Grain:
    """Random grain that lies still on the table: fields in -1 … 1, by the size of their clumps in mm."""

    def __init__(self, places: NDArray[np.float32], rng: np.random.Generator) -> None:
        self._places = places
        self._rng = rng
        self._known: dict[tuple[float, float], NDArray[np.float32]] = {}

    def field(self, across_mm: float, along_mm: float | None = None) -> NDArray[np.float32]:
        """A field (H, W) of clumps so wide, and so deep (the same unless told)."""
        key = (across_mm, along_mm or across_mm)
        if key not in self._known:
            dots = cv2.GaussianBlur(self._rng.standard_normal((256, 256)).astype(np.float32), (0, 0), 0.8)
            dots /= 2.5 * float(dots.std())
            x = np.ascontiguousarray(self._places[:, :, 0] / key[0])
            y = np.ascontiguousarray(self._places[:, :, 1] / key[1])
            self._known[key] = np.asarray(
                cv2.remap(dots, x % 255, y % 255, cv2.INTER_LINEAR), dtype=np.float32
            )
        return self._known[key]


def _shaded(colour: str, light: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.array(bgr(colour), np.float32) * light[:, :, None], dtype=np.float32)


def _grass(grain: _Grain, colour: str) -> NDArray[np.float32]:
    """A static-grass mat: patches, clumps and blades, with drier places."""
    dry = np.clip(0.5 + 0.8 * grain.field(90) + 0.5 * grain.field(24), 0, 1)[:, :, None]
    light = 1 + 0.07 * grain.field(170) + 0.09 * grain.field(7) + 0.15 * grain.field(1.9)
    green = _shaded(colour, light)
    brown = _shaded("#7d7a48", light)
    return green + 0.5 * dry * (brown - green)


def _felt(grain: _Grain, colour: str) -> NDArray[np.float32]:
    return _shaded(colour, 1 + 0.03 * grain.field(40) + 0.05 * grain.field(2.3))


def _wood(grain: _Grain) -> NDArray[np.float32]:
    return _shaded(_WOOD, 1 + 0.10 * grain.field(14, 320) + 0.06 * grain.field(4, 120))
