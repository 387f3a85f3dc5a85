"""Bases whose tops look as their rims do, as green rims about green flock: no rings, but discs and plates of paint.

They are looked for only where rings tell of an army, whose tops they hardly stand out from: much on a table is
painted all over, and hardly anything but a rim is a ring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.regrouping.beyond import painted_beyond
from vision.bases.regrouping.solid import stands_out
from vision.bases.rims import Limits, rims_of
from vision.bases.search import search
from vision.bases.usual import Look
from vision.bases.weighing.judged import Found

__all__ = ["filled"]

Mask = NDArray[np.bool_]

_FILLED = Look(rim_mm=9.0, filled=True)  # so far within the outline most figures leave something to be seen
_TOPS = 0.35  # of the directions: rims that stand out from their tops in fewer may be filled
_EACH = Limits(kinship=0.85, strength=(0.35, 1.25), astray=0.15, support=0.60, contrast=0.20, worth=0.05)
_RELIEF, _BEYOND = 0.2, 0.25  # on a lake or a book all about is painted, too
_LEAST = 3  # so many rings tell of an army
_MOST, _MORE = 0.5, 1.5  # such a share of what is found is sure, and that is so many times what rings tell


def filled(
    scene: Scene,
    army: Army,
    paint: Paint,
    others: Sequence[Paint],
    rings: Found | None,
    believed: Callable[[Found], Mask],
) -> Found | None:
    """The bases of an army as discs and plates of its paint, where these are many more than those of its ``rings``
    that are ``believed`` (N,) and hardly stand out from their tops; else None."""
    told = np.zeros(0) if rings is None else np.flatnonzero(believed(rings))
    if rings is None or len(told) < _LEAST:
        return None
    if float(np.median(stands_out(scene, rings.taken(told.tolist()), paint))) > _TOPS:
        return None
    found = search(scene, army, paint, others, look=_FILLED)
    if found is None:
        return None
    sure = believed(found) & _EACH.hold(rims_of(found, paint)) & (found.relief > _RELIEF)
    sure &= painted_beyond(scene, found, paint) < _BEYOND
    enough = sure.mean() > _MOST and sure.sum() >= _MORE * len(told)
    return found.taken(np.flatnonzero(sure).tolist()) if enough else None
