"""Rendering a virtual table: the ground once, and afterwards only the tiles in which something has changed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.ground import Ground, Patch
from vision.simulated import solids
from vision.simulated.ground import paint_ground
from vision.simulated.lighting import Sensor
from vision.simulated.painting import Box, Shape, paint
from vision.simulated.virtual import BasePlaced, Effects, TreePlaced, VirtualTable
from vision.sources.records import Image

__all__ = ["Renderer"]

_TILE_PX = 96
_SHADOW_BLUR_PX = 2.0
_SHADOW_PAD_PX = 8
_SHADOW_DEPTH = 0.42
_LIGHT = (0.42, -0.5)  # where the shadow of a thing 1 mm high ends: away from a lamp at the far left
_TALL_MM = 28.0
_NOT_STOOD_ON = frozenset({"building", "wall"})

Points = NDArray[np.float64]
_Thing = BasePlaced | TreePlaced | tuple[float, float]


@dataclass(frozen=True, eq=False)
class _Seen:
    """A thing as the camera sees it; painted in ascending ``order``."""

    order: tuple[int, float]
    shape: Shape
    shadow: Shape | None
    box: Box


class Renderer:
    """Renders one virtual table after another through one camera; what stays the same is not painted again.

    Not safe to share between threads. ``seed`` decides grain, leaves and noise.
    """

    def __init__(self, camera: CameraModel, effects: Effects | None = None, seed: int = 1) -> None:
        self._camera = camera
        self._effects = effects or Effects()
        self._seed = seed
        lens = camera.intrinsics
        self._size = (lens.width_px, lens.height_px)
        self._sensor = Sensor(self._size, self._effects, np.random.default_rng(seed))
        self._backdrop: VirtualTable | None = None
        self._ground_picture: Image | None = None
        self._ground = Ground()
        self._things: dict[_Thing, _Seen] = {}
        self._clean = np.zeros((self._size[1], self._size[0], 3), np.uint8)
        self._lit = np.zeros_like(self._clean)

    def render(self, table: VirtualTable) -> Image:
        """A frame (H, W, 3) of a table: uint8 BGR, with noise of its own.

        Raises KeyError where the table places a kind of base or terrain that it does not know.
        """
        self.show(table)
        return self._sensor.expose(self._lit)

    def show(self, table: VirtualTable) -> None:
        """Brings the picture up to a table, without taking a frame."""
        backdrop = replace(table, bases=(), trees=(), hand_mm=None)
        fresh = backdrop != self._backdrop or self._ground_picture is None
        if fresh:
            self._begin(backdrop)
        wanted = self._wanted(table)
        gone = [seen for thing, seen in self._things.items() if thing not in wanted]
        come = {thing: self._see(thing, table) for thing in wanted if thing not in self._things}
        self._things = {t: s for t, s in self._things.items() if t in wanted}
        self._things |= {t: s for t, s in come.items() if s is not None}
        changed = [s.box for s in (*gone, *come.values()) if s is not None]
        tiles = [t for t in _tiles(self._size) if fresh or any(_meet(t, box) for box in changed)]
        for tile in tiles:
            self._repaint(tile)
        for tile in [(0, 0, *self._size)] if fresh else tiles:
            self._sensor.develop(self._clean, self._lit, tile)

    def expose(self) -> Image:
        """Another frame of the table last shown."""
        return self._sensor.expose(self._lit)

    def _begin(self, backdrop: VirtualTable) -> None:
        rng = np.random.default_rng(self._seed)
        self._ground_picture = paint_ground(backdrop, self._camera, self._effects.texture, rng)
        patches = [
            Patch(outline_mm=np.array(t.polygon_mm), height_mm=backdrop.height_of(t.kind))
            for t in backdrop.terrain
            if t.kind not in _NOT_STOOD_ON
        ]
        self._ground = Ground(tuple(patches))
        self._backdrop = backdrop
        self._things = {}

    def _wanted(self, table: VirtualTable) -> set[_Thing]:
        wanted: set[_Thing] = {*table.bases, *table.trees}
        if table.hand_mm is not None:
            wanted.add(table.hand_mm)
        return wanted

    def _see(self, thing: _Thing, table: VirtualTable) -> _Seen | None:
        if isinstance(thing, tuple):
            return self._seen(solids.arm(thing), (2, 0.0), None)
        ground_mm = float(self._ground.height_at([(thing.x_mm, thing.y_mm)])[0])
        order = (1, -float(np.hypot(*(np.array([thing.x_mm, thing.y_mm]) - self._camera.position_mm[:2]))))
        if isinstance(thing, TreePlaced):
            rng = np.random.default_rng(zlib.crc32(repr(thing).encode()) ^ self._seed)
            shadow = self._shadow(thing.x_mm, thing.y_mm, thing.radius_mm, thing.height_mm * 0.6, ground_mm)
            return self._seen(solids.tree(thing, ground_mm, rng), order, shadow)
        solid = solids.base(thing, table.base_kind(thing), table.army(thing.army), ground_mm)
        if self._effects.figures and thing.figure:
            solid += solids.figure(thing, ground_mm)
        return self._seen(solid, order, self._shadow(thing.x_mm, thing.y_mm, 6.0, _TALL_MM, ground_mm))

    def _seen(self, solid: solids.Solid, order: tuple[int, float], shadow: Shape | None) -> _Seen | None:
        shape = solids.shape_of(solid, self._camera)
        if shape is None:
            return None
        box = shape.box if shadow is None else _join(shape.box, _padded(shadow.box, _SHADOW_PAD_PX))
        return _Seen(order=order, shape=shape, shadow=shadow, box=box)

    def _shadow(self, x_mm: float, y_mm: float, radius_mm: float, tall_mm: float, ground_mm: float) -> Shape | None:
        if not self._effects.shadows:
            return None
        turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        ring = radius_mm * np.column_stack([np.cos(turn), np.sin(turn)]) + (x_mm, y_mm)
        both = np.concatenate([ring, ring + np.array(_LIGHT) * tall_mm]).astype(np.float32)
        hull = cv2.convexHull(both).reshape(-1, 2).astype(np.float64)
        return solids.shape_of([(np.column_stack([hull, np.full(len(hull), ground_mm)]), (0, 0, 0))], self._camera)

    def _repaint(self, tile: Box) -> None:
        assert self._ground_picture is not None
        left, top, right, bottom = tile
        self._clean[top:bottom, left:right] = self._ground_picture[top:bottom, left:right]
        here = sorted((s for s in self._things.values() if _meet(s.box, tile)), key=lambda s: s.order)
        if here:
            self._darken(tile, [s.shadow for s in here if s.shadow is not None])
            paint(self._clean, tile, [s.shape for s in here])

    def _darken(self, tile: Box, shadows: Iterable[Shape]) -> None:
        left, top, right, bottom = tile
        pad = _SHADOW_PAD_PX
        mask = np.zeros((bottom - top + 2 * pad, right - left + 2 * pad), np.uint8)
        for shadow in shadows:
            for polygon in shadow.polygons:
                corners = np.rint((polygon - (left - pad, top - pad)) * 16).astype(np.int32)
                cv2.fillPoly(mask, [corners], 255, shift=4)
        soft = cv2.GaussianBlur(mask, (0, 0), _SHADOW_BLUR_PX)[pad:-pad, pad:-pad]
        keep = 1 - (_SHADOW_DEPTH / 255) * soft.astype(np.float32)
        part = self._clean[top:bottom, left:right]
        part[:] = (part * keep[:, :, None] + 0.5).astype(np.uint8)


def _tiles(size_px: tuple[int, int]) -> list[Box]:
    width, height = size_px
    return [
        (x, y, min(width, x + _TILE_PX), min(height, y + _TILE_PX))
        for y in range(0, height, _TILE_PX)
        for x in range(0, width, _TILE_PX)
    ]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _join(a: Box, b: Box) -> Box:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _padded(box: Box, by: int) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by
