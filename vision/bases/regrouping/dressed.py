"""Blocks of which some bases are doubtful, tried with their ranks and files dressed.

In a coarse picture the rims of a block run together, and each base alone finds some place that looks right. All of
them together tell where ranks and files run far better than any of them does; from there each finds its own rim.
But where each has pushed the next aside, they all stand too wide, and only the block's outer edges tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.weighing.choose import in_the_way
from vision.bases.weighing.confidence import confidence
from vision.bases.weighing.judged import Demand, Found, fitted_together, well_seen
from vision.bases.weighing.packing import groups_of
from vision.bases.weighing.ranks import slots_of

__all__ = ["dressed"]

Floats = NDArray[np.float64]

_DOUBTFUL = 0.9  # a group of which none is less sure than this is left as it stands
_CLEAR_MM = 2.0  # a spot that runs into others by twice this is none of the block's
_LEAST = 4  # so few form no block
_EMPTY_MM = 6.0  # a spot of which nobody stands so near is empty
_ROUNDS = 10
_HELD = 5.0  # square mm of rim that hold a base in its rank and file
_AS_WELL = 0.95  # of what they explained before: what is held explains a little less than what finds its own way
_FAR_MORE = 1.05  # of what a block explains as its bases tell it: so much tells that it stands narrower, or wider
_WIDER = np.array([-5, -4, -3, -2, -1, 1, 2, 3]) / 100  # by such a share a block may stand too narrow, or too wide


def dressed(scene: Scene, found: Found, paint: Paint, demand: Demand) -> Found:
    """The bases found, with blocks as their ranks and files have them where that explains more of the picture, or
    as much and is surer."""
    sure, now = confidence(found), found
    for group in groups_of(found.placed):
        if len(group) < _LEAST:
            continue
        standing = found.taken(group)
        slots = slots_of(standing.placed, sure[group])
        spots = [spot for spot, amid in zip(slots.spots, slots.amid, strict=True) if amid]
        surely = float(sure[group].min()) >= _DOUBTFUL
        if not spots or (surely and not _holes(spots, standing.placed)):
            continue
        told = _in_order(scene, standing, spots, paint, demand, surely=surely)
        if not surely:
            closer = _drawn_together(scene, standing, spots, paint)
            other = told if closer is spots else _in_order(scene, standing, closer, paint, demand)
            told = other if _is_surer(other, told, _FAR_MORE) else told
        if told.explained > standing.explained or (not surely and _is_surer(told, standing, _AS_WELL)):
            gone = set(standing.placed)
            now = now.moved([k for k, base in enumerate(now.placed) if base in gone], told)
    return now


def _in_order(
    scene: Scene, standing: Found, spots: list[Placed], paint: Paint, demand: Demand, *, surely: bool = False
) -> Found:
    """A group fitted with its bases on the spots of its blocks, as far as they are well seen there."""
    ours = np.any(in_the_way(standing.placed, spots, _CLEAR_MM), axis=1)
    tried = [*spots, *(base for base, own in zip(standing.placed, ours, strict=True) if not own)]
    told = _fitted(scene, tried, paint, standing, _HELD)
    if surely:  # rims so clear tell more exactly than ranks and files where each of them stands
        told = _fitted(scene, told.placed, paint, standing, 0.0)
    return told.taken(well_seen(told, demand))


def _is_surer(told: Found, than: Found, share: float) -> bool:
    """Whether a group is surer, all in all, as it is told than otherwise, and explains such a share of that."""
    surer = float(confidence(told).sum()) > float(confidence(than).sum())
    return surer and told.explained > share * than.explained


def _drawn_together(scene: Scene, standing: Found, spots: list[Placed], paint: Paint) -> list[Placed]:
    """The spots of a group's blocks, each drawn together, or apart, along its ranks and its files as explains most:
    where seams are hardly seen, each base pushes the next, and all of them stand too wide."""
    best, most = spots, _fitted(scene, spots, paint, standing, _HELD, rounds=0).explained
    for kind in dict.fromkeys(base.outline for base in spots):
        which = np.array([base.outline == kind for base in spots])
        at = np.array([[base.x_mm, base.y_mm] for base in spots])
        off = at - at[which].mean(axis=0)
        for along in _axes(at[which]):
            start = np.array([[base.x_mm, base.y_mm] for base in best])
            for share in _WIDER:
                wider = start + share * which[:, None] * (off @ along)[:, None] * along
                tried = [
                    replace(base, x_mm=float(x), y_mm=float(y)) for base, (x, y) in zip(spots, wider, strict=True)
                ]
                told = _fitted(scene, tried, paint, standing, _HELD, rounds=0).explained
                if told > most:
                    best, most = tried, told
    return best


def _axes(at: Floats) -> list[Floats]:
    """The ways (2,) that ranks and files of a block run, by its spots (N, 2); none of a single one."""
    if len(at) < 2:
        return []
    off = at - at[0]
    away = np.hypot(*off.T)
    nearest = np.argsort(away)[1]
    along = off[nearest] / away[nearest]
    return [along, np.array([-along[1], along[0]])]


def _holes(spots: Sequence[Placed], standing: Sequence[Placed]) -> bool:
    """Whether some spot amid a block has nobody who stands on it."""
    at, theirs = (np.array([[p.x_mm, p.y_mm] for p in some]) for some in (spots, standing))
    return bool((np.linalg.norm(at[:, None] - theirs, axis=2).min(axis=1) > _EMPTY_MM).any())


def _fitted(
    scene: Scene, placed: list[Placed], paint: Paint, found: Found, held: float, rounds: int = _ROUNDS
) -> Found:
    """A block fitted from where its bases are thought to stand, and so firmly ``held`` there."""
    return fitted_together(
        scene, placed, np.ones(len(placed)), paint, found.look, rounds, soft_mm=0.0, shared=False, held=held
    )
