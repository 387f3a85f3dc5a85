"""Where the bases of a line or block that is fitted as one stand, over all gaps that may be between them.

The outer edge of a block and the figures on it hardly tell its gaps: it fits nearly as well with others, one end
where it was, and then all bases but those at that end stand elsewhere. So no one gap is held to be right, but each
is weighed by what it explains and by what the figures tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import turned
from vision.plain.block import GAPS_MM, Block
from vision.plain.fitting.doubt import TELLING
from vision.plain.fitting.fit import fit
from vision.plain.picture.matte import Bodies
from vision.plain.picture.scene import Scene

__all__ = ["Spaced", "spaced"]

Floats = NDArray[np.float64]

_ROUNDS = 6
_ASIDE_MM = 1.5  # each is tried from so far aside, either way along its files


@dataclass(frozen=True, eq=False)
class Spaced:
    """The bases of a block where they stand in the mean, and one sigma (N,), each way, of what the gaps leave open,
    in mm."""

    bases: list[Placed]
    sigma_mm: Floats


def spaced(scene: Scene, block: Block, others: Sequence[Placed]) -> Spaced:
    """The bases of a block of rectangles, beside ``others``.

    What makes a block explain more with wrong gaps is alike all along it: it tells no more than one of its bases.
    """
    tries = [_aside(block.spaced(gap), way) for gap in GAPS_MM for way in (-_ASIDE_MM, _ASIDE_MM)]
    count = len(tries)
    both = [*(one.whole for one in tries), *others]
    apart = np.zeros((len(both), len(both)), dtype=np.bool_)
    apart[:count, :count] = True
    ends = fit(scene, both, _ROUNDS, Bodies(both, scene.camera).neighbours(apart), free=count)
    worth = ends.gain * [p.outline.perimeter_mm for p in ends.placed] / (TELLING * block.files * block.ranks)
    gap, sigma = block.told_gap_mm
    odds = worth - 0.5 * np.square((np.array([one.gap_mm for one in tries]) - gap) / sigma)
    weight = np.exp(odds - odds.max())
    weight /= weight.sum()
    ways = [replace(one, whole=whole).bases() for one, whole in zip(tries, ends.placed, strict=True)]
    at = np.array([[(p.x_mm, p.y_mm) for p in bases] for bases in ways])
    mean = np.tensordot(weight, at, 1)
    sigma_mm = np.sqrt(np.tensordot(weight, np.square(at - mean).sum(axis=2), 1) / 2)
    likeliest = ways[int(np.argmax(weight))]
    bases = [replace(p, x_mm=x, y_mm=y) for p, (x, y) in zip(likeliest, mean.tolist(), strict=True)]
    return Spaced(bases, sigma_mm)


def _aside(block: Block, far_mm: float) -> Block:
    """A block moved along its files."""
    x, y = turned(np.array([[far_mm, 0.0]]), block.whole.bearing_deg)[0].tolist()
    return replace(block, whole=replace(block.whole, x_mm=block.whole.x_mm + x, y_mm=block.whole.y_mm + y))
