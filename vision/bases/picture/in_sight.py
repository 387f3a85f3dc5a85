"""Which bases the ground lets the camera see: what stands close behind a hill is hidden by it.

Where its edge is of some paint's colour, rims seem to lie along it, on ground of which the picture shows nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.shapes import turned

__all__ = ["in_sight"]

_HIDDEN = 0.65  # of a rim: of who is hidden so far, nothing can be told
_SPACING_MM = 3.0


def in_sight(scene: Scene, placed: Sequence[Placed]) -> NDArray[np.bool_]:
    """Of which bases (N,) the camera sees enough of the rim past all higher ground."""
    seen = np.ones(len(placed), dtype=np.bool_)
    if not scene.ground.outlines_mm:
        return seen
    for k, base in enumerate(placed):
        middle = np.array([base.x_mm, base.y_mm])
        rim = middle + turned(base.outline.ring(0.0, _SPACING_MM)[0], base.bearing_deg)
        top = np.full((len(rim), 1), base.z_mm + base.outline.height_mm)
        seen[k] = scene.ground.hides(np.hstack([rim, top]), scene.camera.position_mm).mean() <= _HIDDEN
    return seen
