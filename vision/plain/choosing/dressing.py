"""Lines and blocks whose bases stand turned against them: in echelon, or wheeling, each for itself.

The figures in their middles lie on a grid all the same, and some rectangle about them all fits somehow; but turned
alike, and fitted each for itself, such bases explain clearly more than along the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.bases.pixels import Placed
from vision.plain.block import Block
from vision.plain.choosing.packing import Settled
from vision.plain.fitting.doubt import TELLING
from vision.plain.fitting.fit import Fit, fit
from vision.plain.picture.scene import Scene

__all__ = ["dressed"]

_TURNS_DEG = (-20.0, -10.0, 0.0, 10.0, 20.0)  # so far the bases of a line are tried turned against it
_DRESSED_DEG = 5.0  # those of a dressed one are fitted no farther turned, in the mean …
_ALIKE = 2.0  # … and are turned by so many times as much as they differ
_CLEARLY = 2.0  # so much more each explains, in the logarithm of the evidence: turn and place gain 1.5 by chance
_ROUNDS = 6


def dressed(scene: Scene, stands: Settled, known: Sequence[Placed]) -> Settled:
    """What stands, but for the lines and blocks of rectangles whose bases are turned against them: these are held
    singly, and may be as far aside as they stand from where their figures' grid has them."""
    singly, blocks, left = list(stands.held), [], stands.otherwise_mm.tolist()
    single_mm, left = left[: len(singly)], left[len(singly) :]
    blocks_mm: list[float] = []
    for block in stands.blocks:
        own, left = left[: len(block.bodies)], left[len(block.bodies) :]
        beside = [body for other in stands.blocks if other is not block for body in other.bodies]
        turned = None if block.members else _against(scene, block, [*stands.held, *beside, *known])
        if turned is None:
            blocks.append(block)
            blocks_mm += own
        else:
            singly += turned
            single_mm += [_aside_mm(block, turned)] * len(turned)
    return replace(stands, held=singly, blocks=blocks, otherwise_mm=np.array([*single_mm, *blocks_mm]))


def _aside_mm(block: Block, turned: Sequence[Placed]) -> float:
    """How far the bases of a block stand from its grid, each way, in the mean: where no seams show between
    them, the one tells their places hardly better than the other."""
    moves = [(p.x_mm - q.x_mm, p.y_mm - q.y_mm) for p, q in zip(turned, block.bases(), strict=True)]
    return float(np.sqrt(np.square(moves).mean()))


def _against(scene: Scene, block: Block, others: Sequence[Placed]) -> list[Placed] | None:
    """The bases of a block as they stand turned against it; None where they do not."""
    ways = [_turned(scene, block, others, turn) for turn in _TURNS_DEG]
    along = ways[_TURNS_DEG.index(0.0)]
    best = max(ways, key=lambda way: float(way.gain.sum()))
    more = float((best.gain - along.gain).mean()) * block.base.perimeter_mm / TELLING
    off = [block.base.askew_deg(p.bearing_deg - block.whole.bearing_deg) for p in best.placed]
    turn = abs(float(np.mean(off)))
    return best.placed if more > _CLEARLY and turn > max(_DRESSED_DEG, _ALIKE * float(np.std(off))) else None


def _turned(scene: Scene, block: Block, others: Sequence[Placed], turn_deg: float) -> Fit:
    """The bases of a block, each turned against it, as they fit beside ``others``."""
    bases = [replace(p, bearing_deg=(p.bearing_deg + turn_deg) % p.outline.turn_deg) for p in block.bases()]
    return fit(scene, [*bases, *others], _ROUNDS, free=len(bases), grey=True)
