"""The soft shadows of figures, across their own bases and what lies beside these.

They take light from top and table alike, so that no edge is seen where they end; but to a fit that does not know of
them the one side of a base looks like a part of the darker table beside it.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.plane import Ground
from vision.plain.picture.scene import Scene
from vision.plain.picture.shade import Shade

__all__ = ["shaded"]

Floats = NDArray[np.float64]

_TALL_MM, _STOUT_MM = 28.0, 4.0  # of a figure: its height, and half its breadth
_LEAST_PX = 0.5
_SUBPIXEL = 4  # bits of a pixel's parts


def shaded(scene: Scene, ground: Ground, shade: Shade | None) -> Scene:
    """The scene whose bases cast such shadows, and the figures on them, too, where these are known exactly."""
    if shade is None or not shade.exact or scene.feet is None or not len(scene.feet):
        return replace(scene, shade=shade, backdrop=replace(scene.backdrop, fallen=None))
    fallen = np.zeros(scene.frame.shape[:2], np.uint8)
    way = np.array([shade.x_mm, shade.y_mm]) * _TALL_MM
    heights = ground.height_at(scene.feet)
    begins, ends = (_seen(scene, scene.feet + off, heights) for off in (np.zeros(2), way))
    broad = max(1, round(2 * _STOUT_MM * scene.px_per_mm))
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        cv2.line(fallen, begin, end, 255, broad, cv2.LINE_AA, _SUBPIXEL)
    soft = cv2.GaussianBlur(fallen, (0, 0), max(_LEAST_PX, shade.soft_mm * scene.px_per_mm))
    deep = np.asarray(soft.astype(np.float32) / np.float32(255))
    return replace(scene, shade=shade, backdrop=replace(scene.backdrop, fallen=deep))


def _seen(scene: Scene, at_mm: Floats, heights: Floats) -> NDArray[np.int64]:
    """Where places (N, 2) on the ground are seen, in parts of a pixel."""
    seen = scene.camera.project(np.column_stack([at_mm, heights]))
    return np.rint(np.clip(np.nan_to_num(seen, nan=-1e4), -1e4, 1e4) * (1 << _SUBPIXEL)).astype(np.int64)
