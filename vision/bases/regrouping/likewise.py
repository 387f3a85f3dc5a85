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
from vision.bases.regrouping.carried_on import free
from vision.bases.usual import Look, Section
from vision.bases.weighing.choose import clear_of
from vision.bases.weighing.judged import Found, Where, fitted_together
from vision.bases.weighing.section import matched

__all__ = ["likewise"]

Floats = NDArray[np.float64]

_ROUNDS = 4  # of a fit by the section …
_HELD_ROUNDS, _HELD = 5, 5.0  # … and by the paint; and square mm of rim that hold a base where it was
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
    """The bases of an army that were found and are so ``likely`` (N,), and those of the ``hopeful`` that match its
    section as they do, where none of the ``others`` stands nor terrain of the army's colour is ``beside``."""
    standing = [*found.placed, *others]
    spots = free(scene, hopeful, standing)
    bare = ~scene.off_the_mat(spots)
    bare &= ~beside(spots) if beside is not None and spots else True
    spots = [spots[k] for k in np.flatnonzero(bare).tolist()]
    least = _least_share(scene, found, standing, paint, section)
    for above, rounds in ((_LIKELY, 0), (least, _ROUNDS)):
        spots = _matching(scene, spots, standing, paint, section, found.look, rounds, above)
    stand = [spots[k] for k in clear_of(spots, _SHRINK_MM)]
    if not stand:
        return found, likely
    both = [*found.placed, *stand]
    told = fitted_together(
        scene, both, np.ones(len(both)), paint, found.look, _HELD_ROUNDS, soft_mm=0.0, shared=False, held=_HELD
    ).taken(range(len(found.placed), len(both)))
    return found.moved([], told), np.append(likely, np.full(len(stand), _SURE))


def _least_share(scene: Scene, found: Found, standing: Sequence[Placed], paint: Paint, section: Section) -> float:
    """The least share of its section that a base of an army shows, by what those that were found show: more than
    any does where these are too unlike each other."""
    groups = grouped(found.placed)
    shares = [matched(scene, one, standing, section, paint, found.look, 0).share for one in groups]
    usual = float(np.median(np.concatenate(shares)))
    return np.inf if usual < _ALIKE else float(np.clip(_SHARE * usual, *_PLAINLY))


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
