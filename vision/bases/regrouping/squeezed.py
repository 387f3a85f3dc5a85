"""Bases that are wedged in between others: let in where the picture is explained better by all of them together.

In a dense block each base that is missed lets its neighbours spread into its place, to its rim, and then it is in
their way; so it cannot be told from what stands whether there is room for one more. It is tried: one that runs a
little into those that stand is fitted together with them, each pushing the others out, and stays if it is proven
well itself and all of them now explain more of the picture than those that stood there did without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.weighing.choose import beside_them, distinct, in_the_way, nests
from vision.bases.weighing.judged import Demand, Found, fitted_together, judged_alone, well_seen

__all__ = ["with_squeezed"]

_FREE_MM = 1.0  # what runs into others by less than twice this was judged beside them before
_TIGHT_MM = 2.0  # by more than twice this they cannot both stand, once it has found its place beside them …
_ASTRAY_MM = 3.0  # … and before
_HOPEFUL = 0.1  # of the best contrast, where it is tried: without any paint there it is not fitted
_LEAST_SURE = 0.3  # of the best
_LEAST_GAIN = 0.4  # of the best proof: what its own must be, and what all of them must gain by it
_ABOUT_MM = 25.0  # bases nearer than this may make room


def with_squeezed(scene: Scene, held: Found, spare: Sequence[Placed], paint: Paint, demand: Demand) -> Found:
    """The bases held, and those that are found between them; ``held`` itself where there are none.

    ``spare`` are places that may be bases, best first; the next ones in lines and mobs are tried besides.
    """
    best_contrast, best_proof = (max(float(np.percentile(v, 90)), 1e-6) for v in (held.contrast, held.proof))
    tried = _tried(held.placed, spare)
    if not tried:
        return held
    given = judged_alone(scene, tried, paint, held.look, 0, held.placed)
    tried = [p for p, contrast in zip(tried, given.contrast, strict=True) if contrast > _HOPEFUL * best_contrast]
    if not tried:
        return held
    told = judged_alone(scene, tried, paint, held.look, 3, held.placed)
    sure = demand.strength(told.contrast, told.proof, (best_contrast, best_proof), told.placed)
    tight = np.any(in_the_way(told.placed, held.placed, _TIGHT_MM), axis=1)
    full, come = held, list[Placed]()
    for k in np.argsort(-sure)[: np.count_nonzero(sure > _LEAST_SURE)].tolist():
        if tight[k] or in_the_way([told.placed[k]], come, _FREE_MM).any():
            continue
        about = _about(told.placed[k], full.placed)
        before = full.taken(about)
        after = fitted_together(
            scene,
            [*before.placed, told.placed[k]],
            np.append(before.contrast, told.contrast[k]),
            paint,
            held.look,
            5,
            soft_mm=0.5,
            shared=False,
        )
        gain = (after.explained - before.explained) / told.placed[k].outline.perimeter_mm
        if min(gain, after.proof[-1]) < _LEAST_GAIN * best_proof:
            continue
        if len(well_seen(after, demand)) == len(after.placed):
            full = full.moved(about, after)
            come.append(after.placed[-1])
    return full


def _tried(held: Sequence[Placed], spare: Sequence[Placed]) -> list[Placed]:
    """Where one more may be wedged in: what runs a little into those held, and between round ones."""
    both = [*held, *beside_them(held), *spare]
    fresh = [both[k] for k in distinct(both) if k >= len(held)]
    blocked = in_the_way(fresh, held, _FREE_MM).any(axis=1)
    astray = in_the_way(fresh, held, _ASTRAY_MM).any(axis=1)
    return [fresh[int(k)] for k in np.flatnonzero(blocked & ~astray)] + nests(held)


def _about(base: Placed, held: Sequence[Placed]) -> list[int]:
    """Which of those held stand so near to a base that they may have to make room for it."""
    apart = np.array([np.hypot(base.x_mm - p.x_mm, base.y_mm - p.y_mm) for p in held])
    reach = np.array([base.outline.reach_mm + p.outline.reach_mm for p in held])
    return [int(k) for k in np.flatnonzero(apart < reach + _ABOUT_MM)]
