"""Houses: a block with four square corners, told from an outline that blur, sides and shadows made ragged.

Where a side of nearly the top's colour is in sight, or a shadow lies beside it, an edge runs now along the one, now
along the other, and the outline has a dozen corners. Each side of a rectangle is told all along, and its corners
are square on the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

from calibration.camera import CameraModel
from vision.terrain.outlines import Outline

__all__ = ["house_of", "rectangle_of"]

Floats = NDArray[np.float64]

_CORNERS = 4
_ASKEW = np.radians(12.0)  # so far an edge may be turned from a side that it is part of …
_MOSTLY = 0.7  # … and so much of the outline runs along sides
_ALIKE = 0.92  # of what the rectangle and the outline cover: so much both do
_AGAIN = 0.94  # … and so much of it the edges must leave where they were: else they are told beside another edge
_SQUARE = np.sin(np.radians(3.0))
_STRAY_PX = 0.45  # of the edges: where they stray by more, none of them is told


def house_of(
    outline: Outline, height_mm: float, camera: CameraModel, refit: Callable[[Floats], Outline | None]
) -> Outline | None:
    """A block's outline with four square corners, if its top, ``height_mm`` above the table, is a rectangle; else
    None.

    ``refit`` fits an outline to where the frame shows the edges of a polygon (4, 2) in px.
    """
    rough = rectangle_of(camera.to_plane(outline.corners, height_mm))
    if rough is None:
        return None
    fit = refit(_seen(rough, height_mm, camera))
    if fit is None or len(fit.corners) != _CORNERS or fit.stray_px > _STRAY_PX:
        return None
    corners = camera.to_plane(fit.corners, height_mm)
    square = rectangle_of(corners) if _is_square(corners) else None
    if square is None or _alike(square, rough) < _AGAIN:
        return None
    return replace(fit, corners=_seen(square, height_mm, camera))


def rectangle_of(corners: Floats) -> Floats | None:
    """The rectangle (4, 2) of which most edges of an outline (N, 2) are parts, both in mm; None where none is.

    Each side lies where half of what runs along it lies farther out.
    """
    ahead = np.roll(corners, -1, axis=0) - corners
    length, angle = np.linalg.norm(ahead, axis=1), np.arctan2(ahead[:, 1], ahead[:, 0])
    turn = float(np.angle((length**2 * np.exp(4j * angle)).sum())) / 4.0
    quarter = np.round((angle - turn) / (np.pi / 2))
    along = np.abs(angle - turn - quarter * np.pi / 2) < _ASKEW
    if length[along].sum() < _MOSTLY * length.sum():
        return None
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    middle = (corners + ahead / 2) @ axes.T
    sides = []
    for side in range(_CORNERS):
        its = along & (quarter % _CORNERS == side)
        if not its.any():
            return None
        sides.append(_weighted_median(middle[its, (side + 1) % 2], length[its]))
    near, right, far, left = sides
    rectangle = np.array([(left, near), (right, near), (right, far), (left, far)]) @ axes
    return rectangle if _alike(rectangle, corners) > _ALIKE else None


def _alike(one: Floats, other: Floats) -> float:
    """How much of what two polygons (N, 2) cover both do."""
    shapes = Polygon(one).buffer(0), Polygon(other).buffer(0)
    return float(shapes[0].intersection(shapes[1]).area / shapes[0].union(shapes[1]).area)


def _is_square(corners: Floats) -> bool:
    """Whether all corners (N, 2) of a polygon in mm are square."""
    ahead = np.roll(corners, -1, axis=0) - corners
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    return bool((np.abs((ahead * np.roll(ahead, -1, axis=0)).sum(axis=1)) < _SQUARE).all())


def _seen(corners: Floats, height_mm: float, camera: CameraModel) -> Floats:
    """Where corners (N, 2) in mm at a height are seen, in px (N, 2)."""
    return camera.project(np.column_stack([corners, np.full(len(corners), height_mm)]))


def _weighted_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    share = np.cumsum(weights[order]) - weights[order] / 2
    return float(np.interp(weights.sum() / 2, share, values[order]))
