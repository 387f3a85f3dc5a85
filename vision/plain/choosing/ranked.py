"""Round bases of a block whose own outlines hardly show: they stand where their rank and file have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as placed_at

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.plain.block import Block
from vision.records import BaseSeen

__all__ = ["by_rank_and_file"]

Floats = NDArray[np.float64]

_LEAST, _SHARE = 4, 0.5  # so many of a block, and so great a share, must be told each for itself
_TIDY_MM = 1.2  # these lie so near their ranks and files, in the mean: a mob has none
_FIGURE_MM = 6.0  # a figure is seen so near to where a base should be
_STRAY_MM = 0.8  # a base may stand so much out of its rank
_LESS = 0.9  # of the others' confidence
_ALL_FILLED = 0.95  # of a top has changed where a base stands whose figure is as dull as the mat


Filled = Callable[[Sequence[Placed]], Floats]


def by_rank_and_file(block: Block, told: Mapping[int, BaseSeen], feet: Floats, filled: Filled) -> list[BaseSeen]:
    """Those of a block's bases that are not ``told`` each for itself, by number, but have one of the figures
    at ``feet`` (N, 2), mm, where the ranks and files of the others have them; or have others on both sides and
    stand on ground that is ``filled`` with change, for a figure in dull colours is not seen."""
    count = block.files * block.ranks
    if not block.members or len(told) == count or len(told) < max(_LEAST, _SHARE * count) or not len(feet):
        return []
    ranks, files = np.divmod(np.arange(count), block.files)
    terms = np.column_stack([np.ones(count), files, ranks])[:, [True, block.files > 1, block.ranks > 1]]
    own = sorted(told)
    at = np.array([(told[k].x_mm, told[k].y_mm) for k in own])
    if np.linalg.matrix_rank(terms[own]) < terms.shape[1]:
        return []
    grid = np.linalg.lstsq(terms[own], at, rcond=None)[0]
    off_mm = float(np.sqrt(np.square(at - terms[own] @ grid).sum() / (len(own) - terms.shape[1] + 1)))
    if off_mm > _TIDY_MM:
        return []
    like = max(told.values(), key=lambda one: one.confidence)
    sure = _LESS * float(np.mean([one.confidence for one in told.values()]))
    left = [k for k in range(count) if k not in told]
    middles = (terms @ grid)[left].tolist()
    full = filled([placed_at(block.members[0], x_mm=x, y_mm=y) for x, y in middles]) > _ALL_FILLED
    return [
        replace(like, x_mm=x, y_mm=y, sigma_mm=float(np.hypot(off_mm, _STRAY_MM)), confidence=sure)
        for k, (x, y), all_ in zip(left, middles, full.tolist(), strict=True)
        if np.hypot(*(feet - [x, y]).T).min() < _FIGURE_MM or (all_ and _between(k, block.files, told))
    ]


def _between(number: int, files: int, told: Mapping[int, BaseSeen]) -> bool:
    """Whether bases are told on both sides of one, in its rank or in its file."""
    rank, file = divmod(number, files)
    in_rank = [k % files > file for k in told if k // files == rank]
    in_file = [k // files > rank for k in told if k % files == file]
    return any(0 < sum(beyond) < len(beyond) for beyond in (in_rank, in_file))
