"""Where the paint of a base tells its place hardly, as under a hard lamp, the whole of its edge tells it, too: it
stands between where the one and the other have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.fitting.doubt import circular
from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import grouped
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.usual import Section
from vision.bases.weighing.judged import Found
from vision.bases.weighing.section import matched

__all__ = ["midway"]

Floats = NDArray[np.float64]

_HARDLY_MM = 0.35  # sigma: what the paint tells better is hardly moved
_ERRS_MM = 1.2  # what a section tells, one sigma: of 2,000 bases on drawn and traced tables those erred least so
_ALIKE = 0.4  # of a section: what shows less tells no place
_ROUNDS = 4  # of a fit by the section


def midway(scene: Scene, found: Found, paint: Paint, section: Section, others: Sequence[Placed]) -> Found:
    """The bases of an army beside others: those on bare mat of which the paint told hardly where they stand moved
    towards where they match its section best, each of the two counting by how well it tells."""
    sigma = circular(found.covariance[:, :2, :2]) if found.placed else np.zeros(0)
    hardly = np.flatnonzero((sigma > _HARDLY_MM) & ~scene.off_the_mat(found.placed))
    placed = list(found.placed)
    for group in grouped([placed[k] for k in hardly]):
        told = matched(scene, group, [*found.placed, *others], section, paint, found.look, _ROUNDS)
        clear = told.share > _ALIKE
        for k, at, stands in zip(hardly[group.number].tolist(), told.group.placed(), clear.tolist(), strict=True):
            if stands:
                share = sigma[k] ** 2 / (sigma[k] ** 2 + _ERRS_MM**2)
                placed[k] = _between(placed[k], at, float(share))
    return replace(found, placed=placed)


def _between(base: Placed, other: Placed, share: float) -> Placed:
    """A base moved such a share of the way to another place."""
    x_mm, y_mm = other.x_mm - base.x_mm, other.y_mm - base.y_mm
    return replace(base, x_mm=base.x_mm + share * x_mm, y_mm=base.y_mm + share * y_mm)
