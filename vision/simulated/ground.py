"""The ground of a virtual table as the camera sees it: wood, mat, terrain patches and prints; painted once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import Tags
from vision.frames.records import Image
from vision.simulated.furniture import block, print_of_marker
from vision.simulated.painting import Box, Points, Shape, bounds_of, coverage, padded, paint
from vision.simulated.printed import ink_at
from vision.simulated.scene import BLOCK_MM, block_shadows, ground_of_table
from vision.simulated.solids import Solid, bgr, finely, shape_of
from vision.simulated.virtual import Effects, MatPrint, TerrainPlaced, VirtualTable

__all__ = ["paint_ground"]

Light = NDArray[np.float32]

_GRID_PX = 16
_DRY = "#7d7a48"
CARD_MM = 0.3  # how thick a printed tag is
_LARGE_MM = 14.0  # grain from this size on is painted coarsely and smoothed


def paint_ground(table: VirtualTable, camera: CameraModel, effects: Effects, rng: np.random.Generator) -> Image:
    """The picture (H, W, 3) of everything flat, and of hills and blocks with their shadows."""
    lens = camera.intrinsics
    box = (0, 0, lens.width_px, lens.height_px)
    places = _places(camera)
    grain = _Grain(places, rng) if effects.texture else None
    picture = _plain(table.wood, box) if grain is None else _wood(grain, table.wood, box)
    size = table.table.table
    beyond = table.mat_edge_mm
    mat = _border(-beyond, -beyond, size.width_mm + beyond, size.depth_mm + beyond)
    _lay(picture, camera, mat, 0.0, lambda at: _grass(grain, table.mat, at) if grain else _plain(table.mat, at))
    if table.printed is not None:
        _print_mat(picture, places, camera, mat, table.printed)
    for piece in sorted(table.terrain, key=lambda t: table.height_of(t.kind)):
        if effects.shadows and table.height_of(piece.kind) > BLOCK_MM:
            _shade(picture, camera, block_shadows(piece, table.height_of(piece.kind), effects.lamp_mm), effects)
        _lay_terrain(picture, camera, table, piece, grain)
    result = np.clip(picture, 0, 255).astype(np.uint8)
    for seen in (shape_of(one, camera) for one in _prints(table)):
        if seen is not None:
            paint(result, _within(seen.box, camera), [seen], exact=True)
    return result


def _print_mat(picture: Light, places: Light, camera: CameraModel, border: Points, mat: MatPrint) -> None:
    """Inks the lines of a printed mat over what the picture shows of it."""
    px_mm = 1 / float(camera.px_per_mm([[*border.mean(axis=0), 0.0]])[0])
    inside = np.all((places >= border.min(axis=0)) & (places <= border.max(axis=0)), axis=-1)
    ink = (ink_at(places, mat, px_mm) * inside)[..., None]
    picture += ink * (np.array(bgr(mat.colour), np.float32) - picture)


def _prints(table: VirtualTable) -> list[Solid]:
    markers, scale = table.table.markers, table.print_scale
    solids = [
        print_of_marker(markers.dictionary, m.id, markers.size_mm * scale, m.x_mm, m.y_mm, m.z_mm, m.rotation_deg)
        for m in markers.at
    ]
    if isinstance(table.table.tags, Tags):
        size = table.table.tags.size_mm * scale
        heights = ground_of_table(table).height_at([(t.x_mm, t.y_mm) for t in table.tags])
        solids += [
            print_of_marker(markers.dictionary, t.id, size, t.x_mm, t.y_mm, z + CARD_MM, t.bearing_deg)
            for t, z in zip(table.tags, heights, strict=True)
        ]
    return solids


def _shade(picture: Light, camera: CameraModel, outlines: Sequence[Points], effects: Effects) -> None:
    """Darkens what the shadows with these outlines (N, 2) on the playing surface fall on."""
    seen = [camera.project(np.column_stack([o, np.zeros(len(o))])) for o in outlines]
    if not all(np.isfinite(points).all() for points in seen):
        return
    scale = float(camera.px_per_mm([[*outlines[0].mean(axis=0), 0.0]])[0])
    soft = max(0.3, 2.0 * effects.shadow_soft_mm * scale)
    box = _within(padded(bounds_of(np.concatenate(seen)), int(3 * soft) + 1), camera)
    left, top, right, bottom = box
    if left >= right or top >= bottom:
        return
    share = cv2.GaussianBlur(coverage(seen, box), (0, 0), soft)
    picture[top:bottom, left:right] *= 1 - effects.shadow_depth * share[:, :, None]


def _lay_terrain(
    picture: Light, camera: CameraModel, table: VirtualTable, piece: TerrainPlaced, grain: _Grain | None
) -> None:
    outline, height = np.array(piece.polygon_mm), table.height_of(piece.kind)
    colour = table.colour_of(piece.kind)
    if height > BLOCK_MM:
        sides = shape_of(block(outline, height, piece.slope_mm, colour), camera)
        if sides is not None:
            left, top, right, bottom = _within(sides.box, camera)
            part = np.clip(picture[top:bottom, left:right], 0, 255).astype(np.uint8)
            here = (0, 0, right - left, bottom - top)
            paint(part, here, [Shape([p - (left, top) for p in sides.polygons], sides.colours, here)])
            picture[top:bottom, left:right] = part
    _lay(picture, camera, outline, height, lambda at: _felt(grain, colour, at) if grain else _plain(colour, at))


def _lay(
    picture: Light,
    camera: CameraModel,
    outline: Points,
    z_mm: float,
    colours: Callable[[Box], Light],
) -> None:
    """Covers what an outline (N, 2) at a height shows with the colours (H, W, 3) of its box."""
    fine = finely(outline, 25.0)
    seen = camera.project(np.column_stack([fine, np.full(len(fine), z_mm)]))
    if not np.isfinite(seen).all():
        return
    box = _within(bounds_of(seen), camera)
    left, top, right, bottom = box
    if left >= right or top >= bottom:
        return
    share = coverage([seen], box)[:, :, None]
    part = picture[top:bottom, left:right]
    part += share * (colours(box) - part)


def _border(left: float, near: float, right: float, far: float) -> Points:
    return np.array([(left, near), (right, near), (right, far), (left, far)])


def _within(box: Box, camera: CameraModel) -> Box:
    left, top, right, bottom = box
    lens = camera.intrinsics
    return max(0, left), max(0, top), min(lens.width_px, right), min(lens.height_px, bottom)


def _plain(colour: str, box: Box) -> Light:
    return np.full((box[3] - box[1], box[2] - box[0], 3), bgr(colour), np.float32)


def _places(camera: CameraModel) -> Light:
    """The place on the table plane (H, W, 2) that each pixel shows, from a grid of pixels."""
    lens = camera.intrinsics
    across, down = lens.width_px // _GRID_PX + 2, lens.height_px // _GRID_PX + 2
    x, y = np.meshgrid(np.arange(across) * _GRID_PX, np.arange(down) * _GRID_PX)
    pixels = np.column_stack([x.ravel(), y.ravel()]).astype(np.float64)
    grid = np.nan_to_num(camera.to_plane(pixels)).reshape(down, across, 2).astype(np.float32)
    columns, rows = (np.arange(n, dtype=np.float32) / _GRID_PX for n in (lens.width_px, lens.height_px))
    px, py = np.meshgrid(columns, rows)
    return np.asarray(cv2.remap(grid, px, py, cv2.INTER_LINEAR), dtype=np.float32)


class _Grain:
    """Random grain that lies still on the table: fields around 0, by the size of their clumps in mm."""

    def __init__(self, places: Light, rng: np.random.Generator) -> None:
        self._places = places
        self._rng = rng
        self._known: dict[tuple[float, float], Light] = {}

    def field(self, box: Box, across_mm: float, along_mm: float | None = None) -> Light:
        """A box (H, W) of a field of clumps so wide and so deep (the same unless told); large ones are smooth."""
        key = (across_mm, along_mm or across_mm)
        if key not in self._known:
            height, width = self._places.shape[:2]
            places = self._places if min(key) < _LARGE_MM else self._places[::4, ::4]
            dots = cv2.GaussianBlur(self._rng.standard_normal((256, 256)).astype(np.float32), (0, 0), 0.8)
            dots = dots * (0.4 / float(dots.std()))
            x, y = (np.ascontiguousarray(places[:, :, i]) / np.float32(key[i]) for i in (0, 1))
            grain = cv2.remap(dots, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
            if places is not self._places:
                grain = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
            self._known[key] = np.asarray(grain, dtype=np.float32)
        left, top, right, bottom = box
        return self._known[key][top:bottom, left:right]


def _shaded(colour: str, light: Light) -> Light:
    bands = [light * np.float32(band) for band in bgr(colour)]
    return np.asarray(cv2.merge(bands), dtype=np.float32)


def _grass(grain: _Grain, colour: str, box: Box) -> Light:
    """A static-grass mat: patches, clumps and blades, with drier places."""
    dry = np.clip(0.25 + 0.4 * grain.field(box, 90) + 0.25 * grain.field(box, 24), 0, 0.5).astype(np.float32)
    light = 1 + 0.07 * grain.field(box, 170) + 0.09 * grain.field(box, 7) + 0.15 * grain.field(box, 1.9)
    bands = [
        light * (np.float32(green) + dry * np.float32(brown - green))
        for green, brown in zip(bgr(colour), bgr(_DRY), strict=True)
    ]
    return np.asarray(cv2.merge(bands), dtype=np.float32)


def _felt(grain: _Grain, colour: str, box: Box) -> Light:
    return _shaded(colour, 1 + 0.03 * grain.field(box, 40) + 0.05 * grain.field(box, 1.9))


def _wood(grain: _Grain, colour: str, box: Box) -> Light:
    return _shaded(colour, 1 + 0.10 * grain.field(box, 14, 320) + 0.06 * grain.field(box, 4, 120))
