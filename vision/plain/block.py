"""A formed line or block of bases, shoulder to shoulder, as one body."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned

__all__ = ["GAPS_MM", "USUAL_GAP_MM", "Block", "block_of"]

USUAL_GAP_MM = 0.4
GAPS_MM = (0.0, 0.35, 0.7, 1.05)  # such gaps are tried


@dataclass(frozen=True)
class Block:
    """Bases of one kind in ``files`` and ``ranks``, ``gap_mm`` between any two; ``whole`` is the outline of all.

    ``figures`` is how many are seen on the grid of the bases' middles, and ``told_gap_mm`` the gap that these tell
    and its sigma. ``members`` are round bases that have been fitted each for itself.
    """

    base: Outline
    files: int
    ranks: int
    gap_mm: float
    whole: Placed
    figures: int
    told_gap_mm: tuple[float, float] = (USUAL_GAP_MM, 0.5)
    members: tuple[Placed, ...] = ()

    @property
    def bodies(self) -> list[Placed]:
        """What of it is fitted: rectangles as one, round bases each for itself."""
        return list(self.members) or [self.whole]

    def spaced(self, gap_mm: float) -> Block:
        """The same with other gaps."""
        return block_of(self.base, (self.files, self.ranks), gap_mm, self.whole, self.figures, self.told_gap_mm)

    def bases(self) -> list[Placed]:
        """The bases, rank by rank."""
        if self.members:
            return list(self.members)
        u = (np.arange(self.files) - (self.files - 1) / 2) * (2 * self.base.half_width_mm + self.gap_mm)
        v = (np.arange(self.ranks) - (self.ranks - 1) / 2) * (2 * self.base.half_depth_mm + self.gap_mm)
        own = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
        at, whole = turned(own, self.whole.bearing_deg), self.whole
        turn = whole.bearing_deg % self.base.turn_deg
        return [Placed(self.base, whole.x_mm + float(x), whole.y_mm + float(y), whole.z_mm, turn) for x, y in at]

    def otherwise(self) -> list[Block]:
        """The same with a file or rank more, or less, at one end."""
        told = []
        step = 2 * np.array([self.base.half_width_mm, self.base.half_depth_mm]) + self.gap_mm
        for axis, more, side in product((0, 1), (1, -1), (1, -1)):
            count = [self.files, self.ranks]
            count[axis] = max(1, count[axis] + more)
            own = np.zeros(2)
            own[axis] = side * step[axis] / 2
            x, y = turned(own[None], self.whole.bearing_deg)[0].tolist()
            about = replace(self.whole, x_mm=self.whole.x_mm + x, y_mm=self.whole.y_mm + y)
            some = count[0], count[1]
            told.append(block_of(self.base, some, self.gap_mm, about, self.figures, self.told_gap_mm))
        return told


def block_of(
    base: Outline,
    count: tuple[int, int],
    gap_mm: float,
    about: Placed,
    figures: int,
    told_gap_mm: tuple[float, float],
) -> Block:
    """A block of so many files and ranks about a place."""
    files, ranks = count
    whole = replace(
        base, name=f"{base.name} {files}x{ranks}", round_=False,
        half_width_mm=base.half_width_mm * files + gap_mm * (files - 1) / 2,
        half_depth_mm=base.half_depth_mm * ranks + gap_mm * (ranks - 1) / 2,
    )  # fmt: skip
    return Block(base, files, ranks, gap_mm, replace(about, outline=whole), figures, told_gap_mm)
