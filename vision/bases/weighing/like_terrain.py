"""Which bases stand beside terrain of their own paint's colour, so that its edge may be taken for their rims."""

from __future__ import annotations

import numpy as np

from calibration.records import Army
from vision.bases.picture.paint import Paint, expected_features
from vision.bases.picture.scene import Scene
from vision.bases.weighing.judged import Where

__all__ = ["beside_terrain"]

_TERRAINS_OWN = 0.95  # the cosine from which an army's paint is a terrain's, too


def beside_terrain(scene: Scene, army: Army, paint: Paint) -> Where | None:
    """What tells which bases stand so near to terrain of an army's own paint that it may be taken for their rims;
    None where there is no such terrain."""
    own = [k for k in scene.table.terrain_kinds if paint.is_like(expected_features(k.colour), _TERRAINS_OWN)]
    if not own:
        return None
    if any(kind.kind == "wall" for kind in own):  # as narrow as rims, and may be anywhere
        return lambda placed: np.ones(len(placed), dtype=np.bool_)
    there = scene.lookalikes(paint, max(kind.height_mm for kind in army.bases))
    if there is None:
        return lambda placed: np.ones(len(placed), dtype=np.bool_)
    return lambda placed: there.beside([[p.x_mm, p.y_mm] for p in placed], [p.outline.reach_mm for p in placed])
