"""The outline of a piece to a fraction of a pixel, straightened edge by edge, with as few corners as it needs."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.colour import lightness_roots
from vision.terrain.pieces import Part, averaged
from vision.terrain.scene import Scene, dilated, eroded

__all__ = ["belonging", "outline_of", "straightened"]

Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_UP = 4  # the edge is traced on a grid this many times finer
_BAND_PX = 3
_STRANGE = 0.6  # light that neither piece nor surroundings account for to this share of their step is neither
_SHADED = 0.75  # light that is this share of what both would send back means shade
_HUES_APART = 0.02  # squared sine between two hues: below this only lightness tells them apart
_CORNER_PX = 1.6  # the picture rounds corners: points this near to one tell nothing of its edges
_SHARP_DEG = 14.0
_FARTHEST_PX = 3.0


def belonging(part: Part, own: Mask, surround: Mask, scene: Scene, *, flat: bool) -> Floats32:
    """How much (h, w), 0 to 1, of each pixel belongs to a piece.

    Near the edge its light is parted into that of the piece and that of the surroundings close by; where neither is
    to be seen, the mask decides. ``own`` and ``surround`` (h, w) tell which pixels show the one and the other.
    """
    light = part.window.of(scene.light)
    if (
        flat
    ):  # a camera sharpens what it shows, not light; beside a wall the deep shade makes light the better judge
        light = lightness_roots(light)
    mask = part.mask
    core = eroded(mask, 2) & own
    if np.count_nonzero(core) < 0.1 * np.count_nonzero(mask):
        core = eroded(mask, 1) & own
    if not core.any():
        core = mask
    beyond = dilated(mask, 4) & ~dilated(mask, 2) & surround
    if not beyond.any():
        return mask.astype(np.float32)
    ours, theirs = averaged(light, core, 25), averaged(light, beyond, 9)
    share, rest = (_shaded_share if flat else _share)(light, ours, theirs)
    band = dilated(mask, _BAND_PX) & ~eroded(mask, _BAND_PX)
    known = (band > 0) & (rest < _STRANGE)
    return np.asarray(np.where(known, np.clip(share, 0.0, 1.0), mask), dtype=np.float32)


def _share(light: Floats32, ours: Floats32, theirs: Floats32) -> tuple[Floats32, Floats32]:
    """How much of each pixel (h, w, 3) is ours, not theirs; and what that leaves, as a share of the step."""
    step = ours - theirs
    weight = 1.0 / np.maximum(ours + theirs, 0.02)
    share = ((light - theirs) * step * weight).sum(axis=2) / np.maximum((step * step * weight).sum(axis=2), 1e-9)
    rest = np.linalg.norm(light - theirs - share[:, :, None] * step, axis=2)
    return share, rest / np.maximum(np.linalg.norm(step, axis=2), 1e-6)


def _shaded_share(light: Floats32, ours: Floats32, theirs: Floats32) -> tuple[Floats32, Floats32]:
    """As `_share`, where shade may lie on either: by hue alone as far as the hues differ enough to tell."""
    plain, plain_rest = _share(light, ours, theirs)
    weight = 1.0 / np.maximum(ours + theirs, 0.02)
    oo, tt, ot = ((a * b * weight).sum(axis=2) for a, b in ((ours, ours), (theirs, theirs), (ours, theirs)))
    lo, lt = ((light * a * weight).sum(axis=2) for a in (ours, theirs))
    apart = oo * tt - ot * ot
    mine = np.maximum((lo * tt - lt * ot) / np.maximum(apart, 1e-12), 0.0)
    other = np.maximum((lt * oo - lo * ot) / np.maximum(apart, 1e-12), 0.0)
    told = (apart > _HUES_APART * oo * tt) & (cv2.blur(mine + other, (5, 5)) < _SHADED)
    rest = np.linalg.norm(light - mine[:, :, None] * ours - other[:, :, None] * theirs, axis=2)
    rest /= np.maximum(np.linalg.norm(ours - theirs, axis=2), 1e-6)
    share = np.where(told, mine / np.maximum(mine + other, 1e-6), plain)
    return share.astype(np.float32), np.where(told, rest, plain_rest).astype(np.float32)


def outline_of(belongs: Floats32, tolerance_px: float) -> Floats | None:
    """The outline (N, 2) in px of the largest part where ``belongs`` (h, w) is over one half, if any is."""
    height, width = belongs.shape
    smooth = cv2.GaussianBlur(belongs, (0, 0), 0.5)
    fine = cv2.resize(smooth, (width * _UP, height * _UP), interpolation=cv2.INTER_LINEAR)
    inside = cv2.copyMakeBorder((fine > 0.5).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    outlines, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    traced = max(outlines, key=cv2.contourArea)[:, 0].astype(np.float64)
    traced = _grown((traced - 1.0 + 0.5) / _UP - 0.5, 0.5 / _UP)
    return straightened(traced, tolerance_px)


def straightened(traced: Floats, tolerance_px: float) -> Floats | None:
    """A closed trace (N, 2) as a polygon: a straight line through the points of each edge, and where they cross."""
    rough = _corners(traced, tolerance_px)
    if len(rough) < 3:
        return None
    lines = [_line(_between(traced, a, b)) for a, b in zip(rough, np.roll(rough, -1), strict=True)]
    corners = [_meet(lines[i - 1], lines[i], traced[rough[i]]) for i in range(len(rough))]
    polygon = np.array(corners)
    simple = cv2.approxPolyDP(polygon.astype(np.float32)[:, None], 0.4 * tolerance_px, True)[:, 0]
    return polygon if len(simple) < 3 else np.asarray(simple, dtype=np.float64)


def _corners(traced: Floats, tolerance_px: float) -> NDArray[np.int64]:
    """Which points of a trace are the corners of a polygon within ``tolerance_px`` of it."""
    scaled = np.rint(traced * 64).astype(np.int32)
    simple = cv2.approxPolyDP(scaled[:, None], tolerance_px * 64, True)[:, 0]
    where = {(int(x), int(y)): i for i, (x, y) in enumerate(scaled)}
    return np.array(sorted(where[int(x), int(y)] for x, y in simple), dtype=np.int64)


def _between(traced: Floats, first: int, last: int) -> Floats:
    count = len(traced)
    return traced[np.arange(first, last + 1 if last > first else last + count + 1) % count]


def _line(points: Floats) -> tuple[Floats, Floats]:
    """A point of the line through an edge's points, and its direction; points near the edge's ends do not count."""
    ahead = points[-1] - points[0]
    length = float(np.hypot(*ahead))
    if length > 3.0 * _CORNER_PX:
        along = (points - points[0]) @ ahead / length
        middle = points[(along > _CORNER_PX) & (along < length - _CORNER_PX)]
        points = middle if len(middle) >= 4 else points
    centre = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - centre, full_matrices=False)
    return centre, axes[0]


def _meet(before: tuple[Floats, Floats], after: tuple[Floats, Floats], rough: Floats) -> Floats:
    """Where two edges cross; halfway between their nearest points to a rough corner where they hardly turn."""
    (p, u), (q, v) = before, after
    across = float(u[0] * v[1] - u[1] * v[0])
    near = (p + u * ((rough - p) @ u) + q + v * ((rough - q) @ v)) / 2
    if abs(across) < np.sin(np.radians(_SHARP_DEG)):
        return np.asarray(near)
    gap = q - p
    crossing = p + u * float(gap[0] * v[1] - gap[1] * v[0]) / across
    return np.asarray(crossing if np.hypot(*(crossing - rough)) <= _FARTHEST_PX else near)


def _grown(traced: Floats, by_px: float) -> Floats:
    """A trace through the middles of the outermost cells, moved out to their rims along its normals."""
    ahead = np.roll(traced, -1, axis=0) - np.roll(traced, 1, axis=0)
    ahead = ahead + np.roll(ahead, 1, axis=0) + np.roll(ahead, -1, axis=0)
    length = np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    x, y = traced[:, 0], traced[:, 1]
    turn = np.sign(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) or 1.0
    return np.asarray(traced + turn * by_px * np.column_stack([ahead[:, 1], -ahead[:, 0]]) / length)
