"""How far from where a figure may stand on a base the nearest one stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline

__all__ = ["beside_feet", "counting", "roomy"]

Floats = NDArray[np.float64]

_BROAD_MM = 17.5  # half sides from which horses, guns and groups may stand anywhere along them …
_MIDST = 0.65  # … but for their ends
_FAR_MM = 20.0
_TALL_MM = 9.0  # what is seen of a figure lies so much higher, or lower, than its middle is thought to be
_LESS, _USUAL_MM = 0.7, 6.0


def beside_feet(placed: Sequence[Placed], feet: Floats, eye_mm: Floats | None = None) -> Floats:
    """How far (N,), in mm, the nearest of figures (M, 2) is from where it may stand on each base; 20 at most.

    Seen from ``eye_mm`` (3,), the camera, a figure is a line that leans away from it, and which spot of it is seen
    tells nothing of where along this line its feet are. Without that each is as far as it seems.
    """
    if not len(feet) or not placed:
        return np.full(len(placed), _FAR_MM)
    told = [(p.x_mm, p.y_mm, p.outline.half_width_mm, p.outline.half_depth_mm) for p in placed]
    x, y, half_u, half_v = np.array(told).T[..., None]
    dx, dy = feet[:, 0] - x, feet[:, 1] - y
    if eye_mm is not None:
        lean_x, lean_y = _TALL_MM * (x - eye_mm[0]) / eye_mm[2], _TALL_MM * (y - eye_mm[1]) / eye_mm[2]
        along = np.clip((dx * lean_x + dy * lean_y) / (lean_x**2 + lean_y**2 + 1e-9), -1.0, 1.0)
        dx, dy = dx - along * lean_x, dy - along * lean_y
    angle = np.deg2rad([p.bearing_deg for p in placed])[:, None]
    sine, cosine = np.sin(angle), np.cos(angle)
    room_u, room_v = (np.where(half > _BROAD_MM, _MIDST * half, 0.0) for half in (half_u, half_v))
    u = np.maximum(np.abs(dx * cosine - dy * sine) - room_u, 0)
    v = np.maximum(np.abs(dx * sine + dy * cosine) - room_v, 0)
    return np.asarray(np.minimum(np.hypot(u, v).min(axis=1), _FAR_MM))


def roomy(outline: Outline) -> bool:
    """Whether figures may stand anywhere along a base, but for its ends, and so tell little of where it is."""
    return max(outline.half_width_mm, outline.half_depth_mm) > _BROAD_MM


def counting(placed: Sequence[Placed], feet: Floats) -> Floats:
    """The share (N,) of what speaks for each base that counts where figures (M, 2) stand on most: all of it under a
    figure, less where there is none."""
    return np.asarray(1 - _LESS * (1 - np.exp(-np.square(beside_feet(placed, feet) / _USUAL_MM))))
