"""Bases of a line or block that is fitted as one, each moved by as much as the seams about it tell.

A base that is fitted for itself always finds something that it explains better: where seams do not show, grain and
the shadows of figures. Its two free numbers gain one by chance, in the logarithm of the evidence; what all bases of
a block gain beyond that, in the mean, is the share of their moves that is real (James and Stein, "Estimation with
quadratic loss", 1961).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.plain.fitting.doubt import TELLING
from vision.plain.fitting.fit import fit
from vision.plain.fitting.spacing import Spaced
from vision.plain.picture.scene import Scene

__all__ = ["Loosened", "loosened", "share_of"]

Floats = NDArray[np.float64]

_WITHIN_MM = 1.5  # formed bases stand no farther out of their block
_ROUNDS = 6
_BY_CHANCE = 1.0  # what two free numbers gain, in the mean: half a sigma squared each


@dataclass(frozen=True, eq=False)
class Loosened:
    """The bases of a block where they stand each for itself, and one sigma (N,), each way, of what is open of that,
    in mm."""

    bases: list[Placed]
    sigma_mm: Floats


def loosened(scene: Scene, block: Spaced, others: Sequence[Placed]) -> Loosened:
    """The bases of a block, from where it has them to where each fits beside ``others``, by a share of the way: the
    rest is as open as it was."""
    bases = block.bases
    both = [*bases, *others]
    before = fit(scene, both, 0, free=len(bases))
    after = fit(scene, both, _ROUNDS, free=len(bases), within_mm=_WITHIN_MM)
    share = share_of((after.gain - before.gain) * bases[0].outline.perimeter_mm / TELLING)
    moves = np.array([(q.x_mm - p.x_mm, q.y_mm - p.y_mm) for p, q in zip(bases, after.placed, strict=True)])
    moved = [
        replace(p, x_mm=p.x_mm + share * dx, y_mm=p.y_mm + share * dy)
        for p, (dx, dy) in zip(bases, moves.tolist(), strict=True)
    ]
    return Loosened(moved, np.sqrt((1 - share) * (block.sigma_mm**2 + share * np.square(moves).mean())))


def share_of(evidence: Floats) -> float:
    """The share of their moves that is real, by what the bases of a block (N,) gain by these, in the logarithm of
    the evidence."""
    mean = float(evidence.mean())
    return 1 - _BY_CHANCE / mean if mean > _BY_CHANCE else 0.0
