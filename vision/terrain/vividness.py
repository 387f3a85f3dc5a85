"""How vivid a camera makes colours, told by the terrain itself: printed black and white cannot tell it.

Webcams have a setting for colour, and most come with more of it than is there. One factor for the whole picture,
how far each colour lies from its grey, is sought at which the colours of the table file are most plainly there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.records import TerrainKind
from vision.terrain.mat import Mat
from vision.terrain.paints import Paint, distance, paint_for, unlikelihood

__all__ = ["vividness_of"]

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Floating = NDArray[np.floating[Any]]

_STEPS = tuple(float(1.12**k) for k in range(-6, 6))  # 0.5 to 1.8 times the colour that is there
_NEAR = 9.0  # squared deviations from a paint within which a colour may be it …
_A_THIRD = 3.0  # … and at which it counts for a third
_LEAST_MM2 = 1500.0  # of a kind: mottle of the mat and the coats of figures cover less
_LEAST_KINDS = 2  # that must agree
_PLAINER = 1.1  # times as much must be seen of the kinds as with the colours as they are


def vividness_of(kinds: Sequence[TerrainKind], roots: Floats32, area_mm2: Floating, mat: Mat | None) -> float:
    """The factor, 1 where nothing tells otherwise, from colours (N, 3) that cover so much (N,) of the table."""
    if len(kinds) < _LEAST_KINDS:
        return 1.0
    if mat is not None:  # its blotches have any colour that is paler than a field's, and cover more
        apart = ~mat.shows(roots)
        roots, area_mm2 = roots[apart], area_mm2[apart]
    bare = np.full(len(roots), np.inf, np.float32) if mat is None else mat.distance(roots)

    def seen(vividness: float) -> tuple[float, int]:
        """How plainly the kinds are seen, small ones counting for more than their share, and of how many."""
        plainly = _covered([paint_for(kind, vividness) for kind in kinds], roots, area_mm2, bare)
        there = plainly[plainly >= _LEAST_MM2]
        return float(np.sqrt(there).sum()), len(there)

    tried = {step: seen(step) for step in _STEPS}
    best = max(tried, key=lambda step: tried[step])
    most, agreed = tried[best]
    return best if agreed >= _LEAST_KINDS and most > _PLAINER * tried[1.0][0] else 1.0


def _covered(paints: Sequence[Paint], roots: Floats32, area_mm2: Floating, bare: Floats32) -> Floats:
    """How much of the table (K,) in mm2 each of some paints is nearest to, and likelier than the bare mat; what is
    less like it counts for less."""
    cost = np.array([distance(roots, paint) for paint in paints])
    likely = np.array([unlikelihood(one, paint) for one, paint in zip(cost, paints, strict=True)])
    likely[cost > _NEAR] = np.inf
    nearest = np.where(likely.min(axis=0) < bare, likely.argmin(axis=0), len(paints))
    counted = area_mm2 * np.exp(-cost.min(axis=0) / _A_THIRD)
    return np.asarray(np.bincount(nearest, counted, len(paints) + 1)[: len(paints)], dtype=np.float64)
