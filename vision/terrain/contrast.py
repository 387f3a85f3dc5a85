"""How a part of a mask stands out from what lies around it: steps of colour across its outline."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.pieces import Part
from vision.terrain.scene import Codes, Scene

__all__ = ["LEAST_CONTRAST", "is_passage", "stands_out", "step_of"]

Mask = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

LEAST_CONTRAST = 0.022  # across its edge, in cube roots of light: less is a blotch of the mat
_SURE_CONTRAST = 2.0  # that contrast over the unevenness of the piece itself
_LEAST_CELLS = 12
_ALONG = 21  # cells of an outline over which a piece's own colour is averaged
_WITHIN, _BEYOND = 1.5, 2.5  # cells from an outline: there a colour is all of the one side, or all of the other
_NARROW = 9.0  # cells from its middle to its edge: where one thing fades into another is no broader
_ACROSS = np.arange(1.0, 25.0, 0.5)
_BETWEEN = (0.12, 0.88)  # of the way from the colour on one side to that on the other …
_OFF = 0.25  # … and so far beside it, as a share of it
_APART = 0.06  # in cube roots of light: sides that differ by less are one and the same
_MOSTLY = 0.45  # of an outline


def stands_out(part: Part, kind: Mask, scene: Scene, least: float = LEAST_CONTRAST) -> bool:
    """Whether a part has an edge: a step of colour that the unevenness within it cannot account for.

    ``kind`` (h, w) is the mask of all that has its colour; the step is ``least`` in cube roots of light or more.
    """
    step, uneven = step_of(part, kind, scene)
    return step > max(least, _SURE_CONTRAST * uneven)


def step_of(part: Part, kind: Mask, scene: Scene) -> tuple[float, float]:
    """The step of colour across a part's edge, and how uneven the part is along it, both in cube roots of light.

    ``kind`` (h, w) is the mask of all that has its colour. The step is 0 where too little of the edge is open.
    """
    points, outward = _edge(part)
    ours = _within(part, scene)
    heart = _smoothed(ours, _ALONG)
    theirs, seen = _at(part.window.of(scene.codes), points + outward * _BEYOND)
    blind, _ = _at(part.window.of(scene.prints), points + outward * _BEYOND)
    alike, _ = _at(kind, points + outward * _BEYOND)
    open_ = seen & (blind == 0) & (alike == 0)
    uneven = float(np.median(np.linalg.norm(ours - heart, axis=1)))
    if np.count_nonzero(open_) < _LEAST_CELLS:
        return 0.0, uneven
    return float(np.percentile(np.linalg.norm(scene.roots_of(theirs[open_]) - heart[open_], axis=1), 40)), uneven


def is_passage(part: Part, scene: Scene) -> bool:
    """Whether a narrow part is only where what lies on one side of it passes into what lies on the other.

    A shadow's rim, the blur between two sheets of felt and the round side of a mug have every colour between both,
    and so a piece's, too. A wall or a path may have it by chance, but hardly along half of its outline.
    """
    if _half_breadth(part.mask) > _NARROW:
        return False
    points, outward = _edge(part)
    far, through = _far_side(part.mask, points, -outward)
    near_codes, near = _at(part.window.of(scene.codes), points + outward * _BEYOND)
    far_codes, beyond = _at(part.window.of(scene.codes), points - outward * (far + _BEYOND)[:, None])
    seen = near & beyond & through
    if np.count_nonzero(seen) < _LEAST_CELLS:
        return False
    one, other = scene.roots_of(near_codes[seen]), scene.roots_of(far_codes[seen])
    away, way = _smoothed(_within(part, scene), _ALONG)[seen] - one, other - one
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-6)
    share = np.einsum("nc,nc->n", away, way) / length**2
    off = np.linalg.norm(away - share[:, None] * way, axis=1)
    between = (share > _BETWEEN[0]) & (share < _BETWEEN[1]) & (off < _OFF * length) & (length > _APART)
    return float(between.mean()) > _MOSTLY


def _half_breadth(mask: Mask) -> float:
    """How far, in cells, the middle of a mask (h, w) lies from its edge where it is broadest."""
    wide = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    return float(cv2.distanceTransform(wide, cv2.DIST_L2, cv2.DIST_MASK_5).max())


def _far_side(mask: Mask, points: Floats, inward: Floats) -> tuple[Floats, Flags]:
    """How far inward (N, 2) of the points (N, 2) of its outline a mask (h, w) ends (N,), and where it does (N,)."""
    places = points[:, None, :] + inward[:, None, :] * _ACROSS[None, :, None]
    values, seen = _at(mask, places.reshape(-1, 2))
    out = ((values == 0) | ~seen).reshape(len(points), len(_ACROSS))
    return _ACROSS[out.argmax(axis=1)], np.asarray(out.any(axis=1))


def _edge(part: Part) -> tuple[Floats, Floats]:
    """The points (N, 2) of a part's outline, and the outward normals (N, 2) there."""
    points = part.outline.astype(np.float64)
    return points, _outward(points)


def _within(part: Part, scene: Scene) -> Floats32:
    """A part's own colours (N, 3) along its outline."""
    points, outward = _edge(part)
    codes, _ = _at(part.window.of(scene.codes), points - outward * min(_WITHIN, 0.35 * part.breadth_px))
    return scene.roots_of(codes)


def _at(values: Codes | Mask, points: Floats) -> tuple[Codes, Flags]:
    """The values (N,) at points (N, 2), and which of those lie in the picture."""
    x, y = np.rint(points).astype(int).T
    height, width = values.shape
    within = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    return values[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.int32), within


def _outward(points: Floats) -> Floats:
    """The outward normals (N, 2) of an outline that runs as OpenCV traces it."""
    ahead = np.roll(points, -3, axis=0) - np.roll(points, 3, axis=0)
    turn = (
        np.sign(np.sum(points[:, 0] * np.roll(points[:, 1], -1) - np.roll(points[:, 0], -1) * points[:, 1])) or 1.0
    )
    normal = turn * np.column_stack([ahead[:, 1], -ahead[:, 0]])
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9))


def _smoothed(values: Floats32, along: int) -> Floats32:
    """Values (N, 3) along a closed outline, each the mean of its neighbours."""
    side = min(along // 2, len(values) // 2)
    wide = np.concatenate([values[len(values) - side :], values, values[:side]])
    return np.asarray(cv2.blur(wide, (1, 2 * side + 1)).reshape(-1, 3)[side : side + len(values)], np.float32)
