"""A frame, the same table when it was empty, and what both are seen by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Table
from vision.bases.picture.plane import Ground
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.chroma import chroma_blur_px, with_sharp_chroma
from vision.light import Light, estimate_light
from vision.plain.picture.backdrop import Backdrop, backdrop_of

__all__ = ["Pictures"]

Image = NDArray[np.uint8]

_ABOUT_MM = 12.0  # colours are made sharp so far about bases
_FAR_PX = 1e4


@dataclass(frozen=True, eq=False)
class Pictures:
    """A frame (H, W, 3) of a table and a picture of it before anything stood on it, from the same camera.

    ``ground`` is what the terrain makes, ``found`` are the prints seen in the frame. How far the frame's colour is
    ``known_blur_px`` beside its brightness is found out where it is None.
    """

    frame_bgr: Image
    empty_bgr: Image
    camera: CameraModel
    table: Table
    ground: Ground
    found: Sequence[FoundMarker]
    known_blur_px: float | None = None

    @cached_property
    def blur_px(self) -> float:
        """How far the frame's colour is blurred beside its brightness, one sigma."""
        return chroma_blur_px(self.frame_bgr) if self.known_blur_px is None else self.known_blur_px

    @cached_property
    def backdrop(self) -> Backdrop:
        """What the frame would show were nothing put down."""
        return backdrop_of(self.frame_bgr, self.empty_bgr, self.camera, self.table, self.ground)

    @cached_property
    def light(self) -> Light:
        """The light in the frame."""
        return estimate_light(self.frame_bgr, self.found)

    def about(self, placed: Sequence[Placed]) -> Scene:
        """The frame as one in which rims can be asked for their paint: its colours are sharp about these bases."""
        sharp = with_sharp_chroma(self.frame_bgr, self.blur_px, self._near(placed))
        return Scene(sharp, self.camera, self.ground, self.light, tuple(self.found), self.table)

    def _near(self, placed: Sequence[Placed]) -> NDArray[np.bool_]:
        """The pixels (H, W) about bases."""
        mask = np.zeros(self.frame_bgr.shape[:2], np.uint8)
        for base in placed:
            middle = np.array([[base.x_mm, base.y_mm, base.z_mm]])
            (x, y), scale = self.camera.project(middle)[0], float(self.camera.px_per_mm(middle)[0])
            if np.isfinite([x, y, scale]).all() and np.abs([x, y]).max() < _FAR_PX:
                reach_px = round((base.outline.reach_mm + _ABOUT_MM) * scale)
                cv2.circle(mask, (round(x), round(y)), reach_px, 1, cv2.FILLED)
        return np.asarray(mask > 0)
