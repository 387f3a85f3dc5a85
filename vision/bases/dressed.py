"""Blocks of which some bases are doubtful, tried with their ranks and files dressed.

In a coarse picture the rims of a block run together, and each base alone finds some place that looks right. All of
them together tell where ranks and files run far better than any of them does; from there each finds its own rim.
"""

from __future__ import annotations

import numpy as np

from vision.bases.choose import in_the_way
from vision.bases.confidence import confidence
from vision.bases.judged import Demand, Found, fitted_together, well_seen
from vision.bases.packing import groups_of
from vision.bases.paint import Paint
from vision.bases.ranks import slots_of
from vision.bases.scene import Scene

__all__ = ["dressed"]

_DOUBTFUL = 0.9  # a group of which none is less sure than this is left as it stands
_CLEAR_MM = 2.0  # a spot that runs into others by twice this is none of the block's
_ROUNDS = 10
_HELD = 5.0  # square mm of rim that hold a base in its rank and file


def dressed(scene: Scene, found: Found, paint: Paint, demand: Demand) -> Found:
    """The bases found, with blocks as their ranks and files have them where that explains more of the picture."""
    sure, now = confidence(found), found
    if float(sure.min(initial=1.0)) >= _DOUBTFUL:
        return found
    for group in groups_of(found.placed):
        if float(sure[group].min()) >= _DOUBTFUL:
            continue
        standing = found.taken(group)
        slots = slots_of(standing.placed, sure[group])
        spots = [spot for spot, amid in zip(slots.spots, slots.amid, strict=True) if amid]
        if not spots:
            continue
        ours = np.any(in_the_way(standing.placed, spots, _CLEAR_MM), axis=1)
        tried = [*spots, *(base for base, own in zip(standing.placed, ours, strict=True) if not own)]
        told = fitted_together(
            scene, tried, np.ones(len(tried)), paint, found.look, _ROUNDS, soft_mm=0.0, shared=False, held=_HELD
        )
        good = well_seen(told, demand)
        told = told.taken(good)
        if told.explained > standing.explained:
            gone = set(standing.placed)
            now = now.moved([k for k, base in enumerate(now.placed) if base in gone], told)
    return now
