"""More of the same: bases that look as their army's others do from top to mat, though the paint alone hardly tells
them.

Where tops look like their rims or like the opposite of them, or where the mat does, some bases of an army are told
by what paint is seen of them and others just not. Those that are show what a base of this army looks like.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import grouped
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.carried_on import fitted_with, free
from vision.bases.usual import Look, Section
from vision.bases.weighing.choose import clear_of
from vision.bases.weighing.judged import Found, Where
from vision.bases.weighing.section import matched

__all__ = ["likewise"]

Floats = NDArray[np.float64]

_ROUNDS = 4  # of a fit by the section
_SHRINK_MM = 1.0  # two may run into each other by twice this
_SURE = 0.9  # of so many that were told so
_ALIKE = 0.5  # of a section that the usual one of its army shows, or they look too unlike each other to tell more …
_SHARE, _PLAINLY = 0.9, (0.65, 0.75)  # … and of that what one of them shows: at least, and no more than need be
_LIKELY = -0.6  # share, of what is proposed a little beside: what shows less of it is not worth a fit


def likewise(
    scene: Scene,
    found: Found,
    likely: Floats,
    paint: Paint,
    section: Section,
    hopeful: Sequence[Placed],
    others: Sequence[Placed],
    beside: Where | None = None,
) -> tuple[Found, Floats]:
    """The bases of an army that were found, if any, and are so ``likely`` (N,), and those of the ``hopeful`` that
    match its section as those did that told it, where none of the ``others`` stands nor terrain of the army's
    colour is ``beside``."""
    standing = [*found.placed, *others]
    least = float(np.clip(_SHARE * section.share, *_PLAINLY))
    spots = free(scene, hopeful, standing) if section.share >= _ALIKE else []
    spots = _on_bare_mat(scene, spots, beside)
    for above, rounds in ((_LIKELY, 0), (least, _ROUNDS)):
        spots = _matching(scene, spots, standing, paint, section, found.look, rounds, above)
    stand = [spots[k] for k in clear_of(spots, _SHRINK_MM)]
    if not stand:
        return found, likely
    told = fitted_with(scene, found, stand, paint).taken(range(len(found.placed), len(found.placed) + len(stand)))
    return found.moved([], told), np.append(likely, np.full(len(stand), _SURE))


def _on_bare_mat(scene: Scene, spots: list[Placed], beside: Where | None) -> list[Placed]:
    """The spots that are neither on terrain nor ``beside`` any of the army's colour."""
    if not spots:
        return []
    bare = ~scene.off_the_mat(spots)
    if beside is not None:
        bare &= ~beside(spots)
    return [spots[k] for k in np.flatnonzero(bare).tolist()]


def _matching(
    scene: Scene,
    spots: list[Placed],
    standing: Sequence[Placed],
    paint: Paint,
    section: Section,
    look: Look,
    rounds: int,
    least: float,
) -> list[Placed]:
    """Those spots that show more than the ``least`` share of a section, best first, where they match it best."""
    found = list[tuple[float, Placed]]()
    for group in grouped(spots):
        told = matched(scene, group, standing, section, paint, look, rounds)
        found += zip(told.share.tolist(), told.group.placed(), strict=True)
    return [spot for share, spot in sorted(found, key=lambda one: -one[0]) if share > least]
