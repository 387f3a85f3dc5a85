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

__all__ = ["but_for_figures", "shaded"]

Floats = NDArray[np.float64]

_TALL_MM, _STOUT_MM = 28.0, 4.0  # of a figure: its height, and half its breadth
_LEAST_PX = 0.5
_SUBPIXEL = 4  # bits of a pixel's parts


def shaded(scene: Scene, ground: Ground, shade: Shade | None) -> Scene:
    """The scene whose bases cast such shadows, and the figures on them, too, where these are known exactly."""
    if shade is None or not shade.exact or scene.feet is None or not len(scene.feet):
        return replace(scene, shade=shade, backdrop=replace(scene.backdrop, fallen=None))
    foot = np.column_stack([scene.feet, ground.height_at(scene.feet)])
    fallen = _drawn(scene, foot, foot + np.array([shade.x_mm, shade.y_mm, 0.0]) * _TALL_MM)
    soft = cv2.GaussianBlur(fallen, (0, 0), max(_LEAST_PX, shade.soft_mm * scene.px_per_mm))
    deep = np.asarray(soft.astype(np.float32) / np.float32(255))
    return replace(scene, shade=shade, backdrop=replace(scene.backdrop, fallen=deep))


def but_for_figures(scene: Scene, ground: Ground) -> Scene:
    """The scene of which what figures hide tells nothing: where all lean one way as they are seen, that looks like
    their shadows."""
    if scene.feet is None or not len(scene.feet):
        return scene
    foot = np.column_stack([scene.feet, ground.height_at(scene.feet)])
    return scene.but_for(_drawn(scene, foot, foot + np.array([0.0, 0.0, _TALL_MM])) > 0)


def _drawn(scene: Scene, begins_mm: Floats, ends_mm: Floats) -> NDArray[np.uint8]:
    """Where (H, W) things are seen, as stout as figures, that reach from places (N, 3) to others."""
    drawn = np.zeros(scene.frame.shape[:2], np.uint8)
    broad = max(1, round(2 * _STOUT_MM * scene.px_per_mm))
    begins, ends = (_seen(scene, at).tolist() for at in (begins_mm, ends_mm))
    for begin, end in zip(begins, ends, strict=True):
        cv2.line(drawn, begin, end, 255, broad, cv2.LINE_AA, _SUBPIXEL)
    return drawn


def _seen(scene: Scene, at_mm: Floats) -> NDArray[np.int64]:
    """Where places (N, 3) are seen, in parts of a pixel."""
    seen = scene.camera.project(at_mm)
    return np.rint(np.clip(np.nan_to_num(seen, nan=-1e4), -1e4, 1e4) * (1 << _SUBPIXEL)).astype(np.int64)
