"""Rendering a virtual table: the ground once, and afterwards only the tiles in which something has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.frames.records import Image
from vision.simulated.ground import paint_ground
from vision.simulated.lighting import Sensor
from vision.simulated.painting import Box, Shape, coverage, meet, padded, paint, tiles_of
from vision.simulated.scene import Scene, Seen, Thing, backdrop_of, things_of
from vision.simulated.virtual import Effects, VirtualTable

__all__ = ["Renderer"]

_TILE_PX = 96
_SHADOW_PAD_PX = 8
_LOW_OF_HIGH = 0.1  # a base is so high beside the figure on it
_MOVING_STEPS = 7


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
        self._scene: Scene | None = None
        self._things: dict[Thing, Seen] = {}
        self._shadow_px = 2.0
        self._clean = np.zeros((self._size[1], self._size[0], 3), np.uint8)

    def render(self, table: VirtualTable) -> Image:
        """A frame (H, W, 3) of a table: uint8 BGR, with noise of its own.

        Raises KeyError where the table places a kind of base or terrain that it does not know.
        """
        self.show(table)
        return self._sensor.expose()

    def film(self, table: VirtualTable) -> Image:
        """A frame as `render` gives, not to be written to. Its noise is one of a few patterns that come round
        again, so that where nothing has changed it costs nothing."""
        self.show(table)
        return self._sensor.film()

    def show(self, table: VirtualTable) -> None:
        """Brings the picture up to a table, without taking a frame."""
        backdrop = backdrop_of(table)
        fresh = backdrop != self._backdrop or self._scene is None
        if fresh:
            self._begin(backdrop)
        assert self._scene is not None
        wanted = things_of(table)
        gone = [seen for thing, seen in self._things.items() if thing not in wanted]
        come = {thing: self._scene.see(thing, table) for thing in wanted if thing not in self._things}
        self._things = {t: s for t, s in self._things.items() if t in wanted}
        self._things |= {t: s for t, s in come.items() if s is not None}
        changed = [self._reach(s) for s in (*gone, *come.values()) if s is not None]
        tiles = [t for t in tiles_of(self._size, _TILE_PX) if fresh or any(meet(t, box) for box in changed)]
        for tile in tiles:
            self._repaint(tile, self._scene)
        for tile in [(0, 0, *self._size)] if fresh else tiles:
            self._sensor.develop(self._clean, tile)

    def expose(self) -> Image:
        """Another frame (H, W, 3) of the table last shown."""
        return self._sensor.expose()

    def _begin(self, backdrop: VirtualTable) -> None:
        rng = np.random.default_rng(self._seed)
        self._ground_picture = paint_ground(backdrop, self._camera, self._effects, rng)
        self._scene = Scene(backdrop, self._camera, self._effects, self._seed)
        self._shadow_px = self._effects.shadow_soft_mm * float(
            self._camera.px_per_mm([[backdrop.table.table.width_mm / 2, backdrop.table.table.depth_mm / 2, 0.0]])[0]
        )
        self._backdrop = backdrop
        self._things = {}

    def _reach(self, seen: Seen) -> Box:
        """The box of a thing, with what a hand smears over while it moves."""
        if seen.order[0] < 2 or self._effects.hand_blur_mm == (0.0, 0.0):
            return seen.box
        return padded(seen.box, int(float(np.hypot(*self._smear(1.0)))) + 1)

    def _repaint(self, tile: Box, scene: Scene) -> None:
        assert self._ground_picture is not None
        left, top, right, bottom = tile
        self._clean[top:bottom, left:right] = self._ground_picture[top:bottom, left:right]
        here = [s for s in self._things.values() if meet(self._reach(s), tile)]
        for blocks, things in scene.layers([s for s in here if s.order[0] < 2]):
            before = self._clean[top:bottom, left:right].copy() if blocks else None
            self._stand(tile, things)
            if before is not None:
                self._cover(tile, [shape for shape in blocks if meet(shape.box, tile)], before)
        for hand in (s.high for s in here if s.order[0] == 2):
            if hand is not None:
                self._pass_over(tile, hand)

    def _stand(self, tile: Box, things: Sequence[Seen]) -> None:
        """Paints things: bases on their shadows, and what stands up on its shadows."""
        low_px = self._shadow_px * (_LOW_OF_HIGH if self._effects.sharp_low else 1.0)
        for shadows, soft_px, shapes in (
            ([s.low_shadow for s in things], low_px, [s.low for s in things]),
            ([s.high_shadow for s in things], self._shadow_px, [s.high for s in things]),
        ):
            self._darken(tile, [shadow for shadow in shadows if shadow is not None], soft_px)
            paint(self._clean, tile, [shape for shape in shapes if shape is not None], exact=self._effects.linear)

    def _cover(self, tile: Box, blocks: Sequence[Shape], before: Image) -> None:
        """The tile as it was ``before``, where blocks and hills hide what has come since."""
        if not blocks:
            return
        left, top, right, bottom = tile
        share = coverage([polygon for shape in blocks for polygon in shape.polygons], tile)[:, :, None]
        part = self._clean[top:bottom, left:right]
        part[:] = (part + share * (before.astype(np.float32) - part) + 0.5).astype(np.uint8)

    def _darken(self, tile: Box, shadows: Iterable[Shape], soft_px: float) -> None:
        left, top, right, bottom = tile
        pad = _SHADOW_PAD_PX
        mask = np.zeros((bottom - top + 2 * pad, right - left + 2 * pad), np.uint8)
        for shadow in shadows:
            for polygon in shadow.polygons:
                corners = np.rint((polygon - (left - pad, top - pad)) * 16).astype(np.int32)
                cv2.fillPoly(mask, [corners], 255, lineType=cv2.LINE_AA, shift=4)
        if not mask.any():
            return
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.3, soft_px))[pad:-pad, pad:-pad]
        keep = 1 - (self._effects.shadow_depth / 255) * soft.astype(np.float32)
        part = self._clean[top:bottom, left:right]
        part[:] = (part * keep[:, :, None] + 0.5).astype(np.uint8)

    def _pass_over(self, tile: Box, hand: Shape) -> None:
        """Paints a hand, smeared along its way where it moves."""
        if self._effects.hand_blur_mm == (0.0, 0.0):
            paint(self._clean, tile, [hand])
            return
        left, top, right, bottom = tile
        total = np.zeros((bottom - top, right - left, 3), np.float32)
        before = self._clean[top:bottom, left:right].copy()
        for share in np.linspace(-0.5, 0.5, _MOVING_STEPS):
            self._clean[top:bottom, left:right] = before
            shift = self._smear(float(share))
            paint(self._clean, tile, [Shape([p + shift for p in hand.polygons], hand.colours, hand.box)])
            total += self._clean[top:bottom, left:right]
        self._clean[top:bottom, left:right] = (total / _MOVING_STEPS + 0.5).astype(np.uint8)

    def _smear(self, share: float) -> NDArray[np.float64]:
        """How far (2,) in px a hand has moved at a share of its way."""
        away = np.array(self._effects.hand_blur_mm) * share
        scale = float(self._camera.px_per_mm([[*self._camera.position_mm[:2], 70.0]])[0])
        across = self._camera.rotation[:2, :2] @ away
        return np.asarray(scale * across, dtype=np.float64)
