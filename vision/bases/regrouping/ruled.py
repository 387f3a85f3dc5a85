"""Lines that are no rims: what is printed or drawn, as the writing on a sheet of paper.

Two lines that lie as far apart as the sides of a base are both its long sides. But a base has four, and where no
paint is seen on one, something hides it: a figure, a shadow, a neighbour. Where on two opposite sides nothing at
all is seen, neither paint nor what would hide it, but the same bare ground within, on and beyond the place of the
rim, there is none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.bases.fitting.fit import Seen
from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import grouped, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.usual import Look
from vision.bases.weighing.judged import FINE, Found, likeness_along, seen_of

__all__ = ["ruled"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_RING, _SIDE = 0.35, (0.9, 3.4)  # of the rim's width about its middle; and mm to either side of it
_LESS = 0.7  # of the likeness of lines: paper may be a little like a paint, too
_SAME = 0.08  # features that differ by less are those of one ground
_BARE, _LINED = 0.6, 0.7  # of a side's length: nothing is there; and the others are painted


def ruled(scene: Scene, found: Found, paint: Paint) -> Mask:
    """Which bases (N,) are lines on bare ground, and no rims."""
    none = np.zeros(len(found.placed), dtype=np.bool_)
    groups = grouped(found.placed)
    for group in groups:
        if group.outline.round_:
            continue
        seen, features = seen_of(scene, group, pattern_of(group.outline, *FINE), paint, groups, found.look)
        none[group.number] = _lines(seen, features, found.look)
    return none


def _lines(seen: Seen, features: NDArray[np.float32], look: Look) -> Mask:
    """Which bases (N,) of a group show paint on two opposite sides, and the same bare ground on the others."""
    depth = seen.pattern.depths
    rim = np.abs(depth + look.rim_mm / 2) < _RING * look.rim_mm
    near, far = _SIDE
    within, without = (depth < -look.rim_mm - near) & (depth > -look.rim_mm - far), (depth > near) & (depth < far)
    on = likeness_along(seen, np.broadcast_to(rim, seen.likeness.shape))
    inner, middle, outer = (features[:, :, band].mean(axis=2) for band in (within, rim, without))
    plain = (np.linalg.norm(inner - middle, axis=-1) < _SAME) & (np.linalg.norm(outer - middle, axis=-1) < _SAME)
    facing = np.rint(seen.pattern.normals).astype(int)
    sides = [(facing == way).all(axis=1) for way in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    lines = np.zeros(len(on), dtype=np.bool_)
    for first in (0, 1):
        one, other, rest = sides[first], sides[first + 2], sides[1 - first] | sides[3 - first]
        line = np.median(np.where(plain[:, rest], 0.0, np.nan_to_num(on[:, rest])), axis=1)
        bare = plain & (on < _LESS * line[:, None])
        empty = (bare[:, one].mean(axis=1) > _BARE) & (bare[:, other].mean(axis=1) > _BARE)
        alike = np.linalg.norm(np.median(middle[:, one], axis=1) - np.median(middle[:, other], axis=1), axis=-1)
        lined = (~plain[:, rest]).mean(axis=1) > _LINED
        lines |= empty & lined & (alike < _SAME)
    return lines
