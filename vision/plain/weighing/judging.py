"""How well rivals explain the picture, and which of them may stand together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.weighing.choose import clear_of, conflicts, distinct, heaviest, in_the_way
from vision.plain.fitting.fit import Fit, fit
from vision.plain.fitting.levels import CAP
from vision.plain.fitting.proof import explained
from vision.plain.picture.matte import Bodies
from vision.plain.stage import Stage, clear

__all__ = [
    "ALL_FILLED",
    "COST",
    "LEAST_FILLED",
    "LEAST_GAIN",
    "OPAQUE",
    "SHRINK_MM",
    "best",
    "explaining",
    "good",
    "heaviest_of",
    "merged",
    "standing",
    "tried",
]

Floats = NDArray[np.float64]

SHRINK_MM = 1.6  # two rivals may run into each other by twice this
COST = 0.15  # of the usual gain: what any base costs
_SHRINK_FITTED_MM = 1.2
_COVER = 0.05
_PRICE = 100.0  # and what it costs beside the pixels that it explains, in sigmas squared
_PIXELS = 0.5
LEAST_GAIN = 1.5
LEAST_FILLED = 0.6
ALL_FILLED = 0.95
OPAQUE = 0.4
# So much of the most that a sample can be off is left, in the mean, where bases are guessed: a base's flock and
# paint are not even, which shows in a picture without noise, and less for each grey level of it.
_UNEXPLAINED, _A_LEVEL, _BY_CHANCE = 0.92, 0.068, 0.25


def tried(
    stage: Stage, pool: Sequence[Placed], held: Sequence[Placed], rounds: int, *, coarse: bool = False
) -> Fit:
    """Rivals fitted each for itself, beside what stands but for what it would stand in."""
    count = len(pool)
    both = [*pool, *held, *stage.known]
    apart = np.zeros((len(both), len(both)), dtype=np.bool_)
    apart[:count, :count] = True
    against = in_the_way(both, both[count:], SHRINK_MM)
    apart[:, count:] |= against
    apart[count:] |= against.T
    near = Bodies(both, stage.scene.camera).neighbours(apart)
    return fit(stage.scene, both, rounds, near, free=count, grey=True, coarse=coarse)


def merged(of: Fit, least: float) -> list[int]:
    """The fitted rivals that are worth another look, each place once."""
    order = [int(k) for k in np.argsort(-of.gain) if of.gain[k] > least]
    return [order[k] for k in distinct([of.placed[k] for k in order], 1.2)]


def best(stage: Stage, of: Fit, share: float, left: set[int] | None = None) -> list[int]:
    """Which rivals explain the most together.

    They must have a share of the best gain on their piece of the table, and be among those ``left`` (by identity),
    or clear of the known ones.
    """
    pool, gain = of.placed, of.gain
    filled = stage.filled(pool)
    free = {id(p) for p in clear(pool, stage.known)} if left is None else left
    piece = stage.groups(pool)
    least = np.zeros(int(piece.max(initial=0)) + 1)
    np.maximum.at(least, piece, share * gain)
    value = _value(of, stage.usual, filled)
    weights = [
        max(0.0, float(value[k]))
        if filled[k] > LEAST_FILLED and id(p) in free and gain[k] >= least[piece[k]]
        else 0.0
        for k, p in enumerate(pool)
    ]
    return heaviest_of(pool, weights)


def heaviest_of(placed: Sequence[Placed], weights: Sequence[float], shrink_mm: float = SHRINK_MM) -> list[int]:
    """Which of bases, each of a weight, can stand together and weigh the most; those without weight never do."""
    worthy = [k for k, weight in enumerate(weights) if weight > 0]
    some = heaviest([weights[k] for k in worthy], conflicts([placed[k] for k in worthy], shrink_mm))
    return [worthy[k] for k in some]


def _value(of: Fit, usual: float, filled: Floats) -> Floats:
    """How much each base (N,) explains: its outline, and what has changed inside; less what any base costs."""
    return np.array(
        [
            (g - COST * usual) * p.outline.perimeter_mm
            + _COVER * usual * f * p.outline.half_width_mm * p.outline.half_depth_mm
            for p, g, f in zip(of.placed, of.gain, filled, strict=True)
        ]
    )


def standing(stage: Stage, of: Fit, among: Sequence[Placed]) -> Floats:
    """How much speaks for each base (N,): its outline, and the pixels that it explains; less what any base
    costs."""
    length = np.array([p.outline.perimeter_mm for p in of.placed])
    return np.asarray(of.gain * length + _PIXELS * explained(stage.scene, of.placed, among) - _PRICE)


def good(stage: Stage, now: Fit, share: float, *, hidden: bool = False) -> list[int]:
    """The bases of a fit that are clear enough, or may be ``hidden`` by figures, and do not stand in clearer
    ones."""
    if not now.placed:
        return []
    filled = stage.filled(now.placed)
    least = max(LEAST_GAIN, share * float(np.median(now.gain)))
    sharp = now.gain > least
    if hidden:
        sharp |= (now.opaque > OPAQUE) & (filled > ALL_FILLED) & (now.worth > 0.5 * least)
    order = [int(k) for k in np.argsort(-now.gain) if sharp[k] and filled[k] > LEAST_FILLED]
    return [order[k] for k in clear_of([now.placed[k] for k in order], _SHRINK_FITTED_MM)]


def explaining(now: Fit, which: Sequence[int], noise: float) -> list[int]:
    """Those ``which`` of a fit's bases that explain what is about them, in a picture of such noise, in grey levels.

    Among hard shadows, or on a thing that is no base, some outline always fits better than none, and clearly so;
    what is left of the picture then tells that it is not understood, and nothing is said of it.
    """
    most = CAP * max(_UNEXPLAINED - _A_LEVEL * noise, _BY_CHANCE)
    return [k for k in which if now.residual[k] < most]
