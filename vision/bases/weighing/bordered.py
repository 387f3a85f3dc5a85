"""How much of a paint the rims of bases show beside what lies within them.

A painted rim is set off from the top that it frames, in the direction of its paint, nearly all round and in any
light: both lie within some millimetres of each other, so that one shadow falls on both. The edge of a base that is
flocked to its edge, or of anything else that is as large, is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.figures import hidden_by_figures
from vision.bases.picture.paint import Paint, features_of
from vision.bases.picture.profiles import Group, grouped, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.weighing.judged import Found

__all__ = ["Bordered", "bordered", "but_borderless"]

Floats = NDArray[np.float64]

_FINE = (1.7, 0.5, 5.0, 0.5)  # sampled along, across, inside, outside the outline; mm
_RIM_MM, _TOP_MM = (0.4, 1.6), (3.2, 5.0)  # so far within the outline rim and top are looked at
_SPREAD = 0.08  # how far features stray in light and mixture, one sigma
_SHOWN = 0.25  # of the way from top to paint: what goes farther shows paint
# Of 41 painted bases that are no likelier than so, three show so little of a paint that is so unlike their tops; of
# 22 that are told and are none, 12
_SURELY = 0.8
_STRENGTH, _PAINTED, _APART = 0.15, 0.3, 1.4
_IN_SIGHT = 0.15  # of a rim, or nothing is told by it


@dataclass(frozen=True, eq=False)
class Bordered:
    """For each of N bases, and nan where too little of it is seen: how far, as a share, its rim's usual place goes
    from the ``strength`` of its top towards a paint; the share of the rim that goes so far as to be ``painted``;
    how well it ``keeps`` to that direction, the cosine; and how far ``apart`` top and paint are, in sigmas."""

    strength: Floats
    painted: Floats
    keeps: Floats
    apart: Floats


def bordered(scene: Scene, placed: Sequence[Placed], paint: Floats) -> Bordered:
    """What the rims of bases show of a paint with such features (3,)."""
    told = np.full((4, len(placed)), np.nan)
    for group in grouped(list(placed)):
        told[:, group.number] = _of_group(scene, group, paint)
    return Bordered(*told)


def but_borderless(scene: Scene, found: Found, likely: Floats, paint: Paint) -> tuple[Found, Floats]:
    """An army's bases, and how likely each (N,) is, without those in doubt that show no rim of its paint, although
    that could be told from their tops."""
    doubted = np.flatnonzero(likely < _SURELY)
    shown = bordered(scene, [found.placed[k] for k in doubted.tolist()], paint.paint)
    none = (shown.strength < _STRENGTH) & (shown.painted < _PAINTED) & (shown.apart > _APART)
    if not none.any():
        return found, likely
    left = np.delete(np.arange(len(likely)), doubted[none])
    return found.taken(left.tolist()), likely[left]


def _of_group(scene: Scene, group: Group, paint: Floats) -> Floats:
    """What the rims of a group show, as (4, N)."""
    pattern = pattern_of(group.outline, *_FINE)
    colours, inside = scene.colours(group, pattern)
    open_ = inside * (1 - hidden_by_figures(group, pattern, scene.camera.position_mm))
    rim, top = ((-pattern.depths >= least) & (-pattern.depths <= most) for least, most in (_RIM_MM, _TOP_MM))
    features = features_of(colours).astype(np.float64) / _SPREAD
    rims, tops = (np.median(features[:, :, own], axis=2) for own in (rim, top))
    light = np.minimum(*(colours[:, :, own].sum(axis=-1).mean(axis=2) for own in (rim, top)))
    light = np.clip(light / np.maximum(np.median(light, axis=1, keepdims=True), 1e-9), 0, 1)
    weights = open_[:, :, rim].mean(axis=2) * open_[:, :, top].mean(axis=2) * np.square(light)
    out = np.full((4, len(group)), np.nan)
    for k in np.flatnonzero(weights.mean(axis=1) > _IN_SIGHT):
        own = weights[k]
        way = paint / _SPREAD - _median(tops[k], own)
        apart = float(np.linalg.norm(way))
        off = rims[k] - tops[k]
        along = off @ way / max(apart**2, 1e-9)
        usual = _median(off, own)
        keeps = float(usual @ way) / max(apart * float(np.linalg.norm(usual)), 1e-9)
        out[:, k] = _median(along[:, None], own)[0], (own * (along > _SHOWN)).sum() / own.sum(), keeps, apart
    return out


def _median(values: Floats, weights: Floats) -> Floats:
    """The weighted median (C,) of values (K, C), channel by channel."""
    order = np.argsort(values, axis=0, kind="stable")
    before = np.cumsum(weights[order], axis=0)
    middle = (before < before[-1] / 2).sum(axis=0)
    return np.asarray(np.take_along_axis(values, order, axis=0)[middle, np.arange(values.shape[1])])
