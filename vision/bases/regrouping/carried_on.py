"""Blocks carried on: where the next of a formed block would stand, in rank and file, it is looked for by what it
shows beside those that stand.

The rims amid a block are shared, in shadow or behind figures, so that none of them alone proves a base. But a seam
between two is twice as wide as a rim, and a spot on which nobody stands shows no paint at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.weighing.choose import in_the_way
from vision.bases.weighing.confidence import confidence
from vision.bases.weighing.judged import Found, fitted_together
from vision.bases.weighing.packing import groups_of
from vision.bases.weighing.ranks import slots_of

__all__ = ["carried_on", "fitted_with", "free"]

Mask = NDArray[np.bool_]

_LEAST = 4  # so few form no block
_CLEAR_MM = 2.0  # a spot that runs into others by twice this is taken
_SUPPORT, _CONTRAST, _RELIEF = 0.65, 0.4, 0.35  # of what is usual for the block: the least of one that stands in it
_ROUNDS, _HELD = 5, 5.0  # of a fit; and square mm of rim that hold a base in its rank and file
_TIMES = 12  # ranks and files that may be wanting


def carried_on(scene: Scene, found: Found, paint: Paint) -> Found:
    """The bases found, and those that stand next to them in the ranks and files of their blocks, one rank or file
    after the other."""
    now, dead = found, list[Placed]()
    for _ in range(_TIMES):
        sure, grown = confidence(now), False
        for group in groups_of(now.placed):
            if len(group) < _LEAST:
                continue
            standing = now.taken(group)
            spots = free(scene, slots_of(standing.placed, sure[group]).spots, [*now.placed, *dead])
            if not spots:
                continue
            told, come = _with(scene, standing, spots, paint)
            dead += [spot for spot, comes in zip(spots, come, strict=True) if not comes]
            if come.any():
                spots = [spot for spot, comes in zip(spots, come, strict=True) if comes]
                told, come = _with(scene, standing, spots, paint)
            if come.any() and come.all():
                gone = set(standing.placed)
                now = now.moved([k for k, base in enumerate(now.placed) if base in gone], told)
                grown = True
                break
            dead += spots
        if not grown:
            break
    return now


def free(scene: Scene, spots: Sequence[Placed], taken: Sequence[Placed]) -> list[Placed]:
    """The spots on the table in whose way none of those stand that are ``taken``."""
    if not spots:
        return []
    clear = ~np.any(in_the_way(spots, taken, _CLEAR_MM), axis=1)
    clear &= scene.on_table([[spot.x_mm, spot.y_mm] for spot in spots]) & scene.carries(spots)
    return [spots[k] for k in np.flatnonzero(clear).tolist()]


def fitted_with(scene: Scene, standing: Found, spots: Sequence[Placed], paint: Paint) -> Found:
    """Bases that are standing, and after them those on some spots, fitted together: all held in their places, and
    what they share as it is."""
    both = [*standing.placed, *spots]
    return fitted_together(
        scene, both, np.ones(len(both)), paint, standing.look, _ROUNDS, soft_mm=0.0, shared=False, held=_HELD
    )


def _with(scene: Scene, standing: Found, spots: list[Placed], paint: Paint) -> tuple[Found, Mask]:
    """A block fitted with bases on some spots; and which of these (N,) look as those that stand in it do."""
    count, told = len(standing.placed), fitted_with(scene, standing, spots, paint)
    come = told.support[count:] > _SUPPORT * np.median(standing.support)
    come &= told.contrast[count:] > _CONTRAST * np.median(standing.contrast)
    come &= told.relief[count:] > _RELIEF * np.median(standing.relief)
    return told, np.asarray(come, dtype=np.bool_)
