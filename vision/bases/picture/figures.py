"""What the figures on bases are likely to hide of them: each stands in the middle of its base, and is seen leaning
away from the point under the camera."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.profiles import Group, Pattern
from vision.bases.shapes import turned

__all__ = ["hidden_by_figures"]

Floats = NDArray[np.float64]

_TALL, _TALLEST_MM = 1.2, 36.0  # of the lesser side of its base: how tall a figure usually is, and at most
_HALF_WIDE, _EDGE_MM = 0.22, 2.0  # of that side: half its width, and how far its edge strays
_MANY_MM = 52.0  # a base so long has several, and nobody knows where


def hidden_by_figures(group: Group, pattern: Pattern, eye_mm: Floats) -> Floats:
    """How likely (N, K, M), 0 to 1, each sample of bases is hidden by their own figures, seen from (3,)."""
    outline = group.outline
    shape = (len(group), *pattern.places.shape[:2])
    if 2 * max(outline.half_width_mm, outline.half_depth_mm) > _MANY_MM:
        return np.zeros(shape)
    side_mm = 2 * min(outline.half_width_mm, outline.half_depth_mm)
    tops = group.z + outline.height_mm
    lean = np.stack([group.x - eye_mm[0], group.y - eye_mm[1]], axis=-1)
    lean *= (min(_TALL * side_mm, _TALLEST_MM) / (eye_mm[2] - tops))[:, None]
    at = turned(pattern.places.reshape(1, -1, 2), group.bearing[:, None])
    along = np.einsum("nsi,ni->ns", at, lean) / np.maximum(np.square(lean).sum(axis=1), 1e-9)[:, None]
    off_mm = np.linalg.norm(at - np.clip(along, 0, 1)[..., None] * lean[:, None], axis=-1)
    hidden = np.clip((_HALF_WIDE * side_mm - off_mm) / _EDGE_MM + 1, 0, 1)
    return np.asarray(hidden.reshape(shape), dtype=np.float64)
