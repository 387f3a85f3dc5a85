"""Things as large as a base on which nothing stands: the case of a tape, a box.

Figures part the top of a base: from above, its flock is seen about a coat, a hat and their shade. Where the bases
of a table have figures, what is even from edge to edge is none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.plain.picture.matte import Bodies, gridded
from vision.plain.picture.scene import Scene

__all__ = ["bare", "parted"]

Floats = NDArray[np.float64]

_EDGE_MM, _EDGE_PX = 1.5, 1.5  # so near its edge a top is blurred with what is about it
_OFF = 2.5  # sigmas: what differs by so much from an even top is something on it
_TURNS = 3
_LEAST = 12  # pixels that tell
_BARE = 0.06  # of a top; a gun or a man in dull colours hides twice as much, the noise of a case a third


def bare(scene: Scene, placed: Sequence[Placed]) -> NDArray[np.bool_]:
    """On which (N,) of some bases surely nothing stands."""
    return parted(scene, placed) < _BARE


def parted(scene: Scene, placed: Sequence[Placed]) -> Floats:
    """Which share (N,) of each base's top something else hides than an even surface; 1 where too little of it is
    seen to tell."""
    shares = np.ones(len(placed))
    edge = max(_EDGE_MM, _EDGE_PX / scene.px_per_mm)
    for k, base in enumerate(placed):
        samples, _ = gridded([base], scene.frame, scene.backdrop, scene.camera, scene.px_per_mm)
        away = Bodies([base], scene.camera).away(np.zeros(1, np.intp), samples.xy_mm)[0][0]
        own = samples.seen[0] & (away < -edge)
        if own.sum() >= _LEAST:
            at = samples.xy_mm[0][own] - [base.x_mm, base.y_mm]
            shares[k] = _off_plane(samples.now[0][:, own].T.astype(np.float64), at / base.outline.reach_mm)
    return shares


def _off_plane(now: Floats, at: Floats) -> float:
    """Which share of pixels (P, C), in sigmas, at places (P, 2) is off the plane that most of them lie on."""
    terms = np.column_stack([np.ones(len(at)), at])
    weights = np.ones(len(at))
    off = now - np.median(now, axis=0)
    for _ in range(_TURNS):
        square = np.square(off).mean(axis=1)
        weights = 1.0 / np.square(1.0 + square / (_OFF**2))
        weighted = terms * weights[:, None]
        plane = np.linalg.solve(weighted.T @ terms + 1e-3 * np.eye(3), weighted.T @ now)
        off = now - terms @ plane
    return float((np.square(off).mean(axis=1) > _OFF**2).mean())
