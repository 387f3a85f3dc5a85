"""What is painted beyond a rim where no other base stands: there one was missed, or what seems a rim lies amid
something painted, or half a base beside its place in a block whose seams are hardly seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import grouped, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.weighing.judged import FINE, Found, likeness_along, seen_of

__all__ = ["painted_beyond"]

Floats = NDArray[np.float64]

_RING = 0.35  # of the rim's width about its middle
_BEYOND_MM = (1.2, 4.0)  # from the outline, or from the upright side below it
_FREE = 0.1  # of a sample, what may be a touching base's rim
_AS_MUCH = 0.5  # of the usual paint on the rim
_FAINTEST = 0.05


def painted_beyond(scene: Scene, found: Found, paint: Paint) -> Floats:
    """In which share (N,) of the directions in which no other base stands there is about as much paint beyond the
    rims of bases as on them."""
    shares, look, (near, far) = np.zeros(len(found.placed)), found.look, _BEYOND_MM
    groups = grouped(found.placed)
    for group in groups:
        seen, _ = seen_of(scene, group, pattern_of(group.outline, *FINE), paint, groups, look)
        depth = np.broadcast_to(seen.pattern.depths, seen.likeness.shape)
        away = depth - seen.side[..., None]
        beyond = (away > near) & (away < far)
        if seen.beside is not None:
            beyond &= seen.beside < _FREE
        on = likeness_along(seen, np.abs(depth + look.rim_mm / 2) < _RING * look.rim_mm)
        there = likeness_along(seen, beyond)
        told = np.isfinite(there)
        paint_of = np.array([np.median(one[np.isfinite(one)]) if np.isfinite(one).any() else 1.0 for one in on])
        painted = told & (there > _AS_MUCH * np.maximum(paint_of, _FAINTEST)[:, None])
        shares[group.number] = painted.mean(axis=1)
    return shares
