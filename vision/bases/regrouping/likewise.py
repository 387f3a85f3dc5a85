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

_TIMES = 3  # so often: who stands next to one that was told is told better
_ROUNDS = 4  # of a fit by the section …
_HELD_ROUNDS, _HELD = 5, 5.0  # … and by the paint; and square mm of rim that hold a base where it was
_SHRINK_MM = 1.0  # two may run into each other by twice this
_SURE = 0.9  # of so many that were told so
# Of what is usual for its army, the least share and support of one that is of it; and that share is at least, and
# need be no more than …
_SHARE, _SUPPORT, _PLAINLY = 0.9, 0.85, (0.65, 0.75)
_STANDS_OUT = 2.0  # … by a section that lies so many sigmas off the mat's colours
_ALIKE = 0.5  # … and that they show so much of, or they look too unlike each other
_IN_SIGHT = 0.7  # … of which so much is not hidden
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
    now, sure = found, likely
    for _ in range(_TIMES):
        spots = free(scene, hopeful, [*now.placed, *others])
        bare = ~scene.off_the_mat(spots)
        bare &= ~beside(spots) if beside is not None and spots else True
        spots = [spots[k] for k in np.flatnonzero(bare).tolist()]
        told = _told(scene, now, paint, section, spots, others) if spots else None
        if told is None:
            break
        now, sure = now.moved([], told), np.append(sure, np.full(len(told.placed), _SURE))
    return now, sure


def _told(
    scene: Scene, found: Found, paint: Paint, section: Section, spots: list[Placed], others: Sequence[Placed]
) -> Found | None:
    """Those bases on spots that match a section as those do that were found; None for none."""
    if section.stands_out < _STANDS_OUT:
        return None
    standing = [*found.placed, *others]
    _, share, support = _looked_at(scene, found.placed, standing, paint, section, found.look, 0)
    usual = float(np.median(share))
    if usual < _ALIKE:
        return None
    least = float(np.clip(_SHARE * usual, *_PLAINLY)), _SUPPORT * float(np.median(support))
    _, share, _ = _looked_at(scene, spots, standing, paint, section, found.look, 0)
    spots = [spots[k] for k in np.flatnonzero(share > _LIKELY).tolist()]
    if not spots:
        return None
    spots, share, support = _looked_at(scene, spots, standing, paint, section, found.look, _ROUNDS)
    order = [int(k) for k in np.argsort(-share) if share[k] > least[0] and support[k] > least[1]]
    likely = free(scene, [spots[k] for k in order], standing)
    stand = [likely[k] for k in clear_of(likely, _SHRINK_MM)]
    if not stand:
        return None
    return _fitted(scene, found, stand, paint)


def _looked_at(
    scene: Scene,
    placed: Sequence[Placed],
    standing: Sequence[Placed],
    paint: Paint,
    section: Section,
    look: Look,
    rounds: int,
) -> tuple[list[Placed], Floats, Floats]:
    """Bases where they match a section best, and their shares (N,) and supports (N,), none where it is hidden."""
    out, share, support = list(placed), np.zeros(len(placed)), np.zeros(len(placed))
    for group in grouped(list(placed)):
        told = matched(scene, group, standing, section, paint, look, rounds)
        seen = told.told > _IN_SIGHT
        share[group.number], support[group.number] = told.share * seen, told.support * seen
        for number, base in zip(group.number.tolist(), told.group.placed(), strict=True):
            out[number] = base
    return out, share, support


def _fitted(scene: Scene, found: Found, stand: list[Placed], paint: Paint) -> Found:
    """Bases as they are fitted with those that were found."""
    both = [*found.placed, *stand]
    count = len(found.placed)
    return fitted_together(
        scene, both, np.ones(len(both)), paint, found.look, _HELD_ROUNDS, soft_mm=0.0, shared=False, held=_HELD
    ).taken(range(count, len(both)))
