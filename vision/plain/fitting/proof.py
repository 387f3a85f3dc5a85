"""How well bases explain the picture: their outlines, their tops, and every pixel that they cover."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.plain.fitting.levels import CAP, mixed, offsets, square_of
from vision.plain.picture.matte import Bodies, Samples, about, gridded, matte
from vision.plain.picture.scene import Scene

__all__ = ["explained", "judged", "unexplained"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_ABOUT_MM = 4.0
_ASTRAY = 9.0  # what a sample costs that shows a figure where none of this base's can be


def explained(scene: Scene, placed: Sequence[Placed], among: Sequence[Placed] = ()) -> Floats:
    """How much better (N,) each base explains the picture than does the empty table, pixel by pixel, in sigmas
    squared.

    Each pixel is explained by one base only, the nearest: packings of the same place can be compared by their sums.
    """
    if not placed:
        return np.zeros(0)
    both = [*placed, *among]
    bodies = Bodies(both, scene.camera, scene.shade)
    near, blur = bodies.neighbours(), scene.blur_mm
    owner, keys, away, better = [], [], [], []
    for kind in dict.fromkeys(p.outline for p in placed):
        which = np.array([k for k, p in enumerate(placed) if p.outline == kind], dtype=np.intp)
        samples, cells = gridded(
            [placed[k] for k in which], scene.frame, scene.backdrop, scene.camera, scene.px_per_mm
        )
        of = matte(bodies, which, near[which], samples.xy_mm, blur)
        _, hull, *_ = bodies.away(which, samples.xy_mm)
        at = offsets(bodies, which, samples.xy_mm)
        mix = mixed(of.top, of.side, of.lit, of.beside, of.table, of.band, at, samples)
        square = square_of(mix, samples, samples.seen)
        null = np.minimum(np.square(samples.now - samples.then).mean(axis=1), CAP)
        mine = samples.seen & (hull < _ABOUT_MM)
        owner.append(np.broadcast_to(which[:, None], hull.shape)[mine])
        keys.append(cells[mine])
        away.append(hull[mine])
        better.append((null - square)[mine])
    order = np.lexsort((np.concatenate(away), np.concatenate(keys)))
    _, first = np.unique(np.concatenate(keys)[order], return_index=True)
    pick = order[first]
    return np.bincount(np.concatenate(owner)[pick], np.concatenate(better)[pick], len(placed)).astype(np.float64)


def unexplained(
    scene: Scene, placed: Sequence[Placed], among: Sequence[Placed], middles: Floats, reach_mm: float
) -> Floats:
    """What bases of one kind leave unexplained (N,), in sigmas squared, of all that lies about the places
    ``middles`` (N, 2), mm: whatever kinds are thought to stand there, what they leave can be compared."""
    bodies = Bodies([*placed, *among], scene.camera, scene.shade)
    which = np.arange(len(placed))
    samples = about(placed, scene.frame, scene.backdrop, scene.camera, scene.px_per_mm, middles, reach_mm)
    of = matte(bodies, which, bodies.neighbours()[which], samples.xy_mm, scene.blur_mm)
    at = offsets(bodies, which, samples.xy_mm)
    mix = mixed(of.top, of.side, of.lit, of.beside, of.table, of.band, at, samples)
    return np.asarray((square_of(mix, samples, samples.seen) * samples.seen).sum(axis=1), dtype=np.float64)


def judged(bodies: Bodies, which: Ints, near: Ints, samples: Samples, blur: float) -> tuple[Floats, Floats, Floats]:
    """The gain (N,) per mm of outline over having no outline here, how opaque (N,) the top is, the residual
    (N,)."""
    of = matte(bodies, which, near, samples.xy_mm, blur)
    at = offsets(bodies, which, samples.xy_mm)
    none, all_ = np.zeros_like(of.top), 1 - of.covered
    rest = np.maximum(1 - all_ - of.beside, 0)
    own = of.top * (1 - of.covered) * samples.seen
    costs, hidden = [], []
    for top, side, table in ((of.top, of.side, of.table), (none, rest, all_), (all_, rest, none)):
        shaped = table is of.table
        lit = of.lit if shaped or of.lit is None else rest
        mix = mixed(top, side, lit, of.beside, table, of.band if shaped else None, at, samples)
        costs.append((samples.seen * square_of(mix, samples, samples.seen)).sum(axis=1, dtype=np.float64))
        if not shaped:
            hidden.append(square_of(mix, samples, own))
    half_u, half_v = bodies.half_u[which], bodies.half_v[which]
    length = np.where(bodies.round_[which], 2 * np.pi * half_u, 4 * (half_u + half_v))
    gain = (np.minimum(costs[1], costs[2]) - costs[0]) / length
    if samples.vivid is not None:
        astray = (bodies.astray(which, samples.xy_mm) * samples.vivid * samples.seen).sum(axis=1)
        gain = gain - _ASTRAY * astray / length
    opaque = ((hidden[0] - hidden[1]) * own).sum(axis=1, dtype=np.float64) / np.maximum(own.sum(axis=1), 1.0)
    return gain, opaque, costs[0] / np.maximum(samples.seen.sum(axis=1), 1)
