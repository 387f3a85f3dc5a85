"""More of the same: bases that look as their army's others do from top to mat, though the paint alone hardly tells
them; and none that are in doubt and look nothing like these.

Where tops look like their rims or like the opposite of them, or where the mat does, or in hard shadows, some bases
of an army are told by what paint is seen of them and others just not. Those that are show what a base of this army
looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.in_sight import in_sight
from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import grouped
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.carried_on import fitted_with, free
from vision.bases.usual import Section
from vision.bases.weighing.choose import clear_of
from vision.bases.weighing.judged import Found, Where
from vision.bases.weighing.section import matched

__all__ = ["Kin", "likewise"]

Floats = NDArray[np.float64]

_ROUNDS = 4  # of a fit by the section
_TIMES = 4  # so often others are looked for beside those that were told
_SHRINK_MM = 1.0  # two may run into each other by twice this
_SURE = 0.9  # of so many that were told so
_ALIKE = 0.4  # of a section that the usual one of its army shows, or they look too unlike each other to tell more …
_SHARE, _PLAINLY = 0.82, (0.6, 0.8)  # … and of that what one of them shows: at least, and no more than need be
_DOUBTED = ((0.2, 0.85), (-0.1, 0.96))  # who shows less of what is usual, and is no likelier than that, is none
_LIKELY = -0.9  # share, of what is proposed a little beside: what shows less of it is not worth a fit


@dataclass(frozen=True, eq=False)
class Kin:
    """An army's bases that were ``found``, if any, each so ``likely`` (N,), what they show from top to mat, if so
    many tell it, where more of them were ``hopeful``, and which stand ``beside`` terrain of their colour."""

    paint: Paint
    found: Found
    likely: Floats
    section: Section | None
    hopeful: Sequence[Placed]
    beside: Where | None = None

    @property
    def telling(self) -> Section | None:
        """The section, where bases look enough alike that it tells more of them."""
        return self.section if self.section is not None and self.section.share >= _ALIKE else None


@dataclass(frozen=True)
class _Told:
    """A base of army number ``kin``, and what it shows of what is usual there."""

    share: float
    kin: int
    base: Placed


def likewise(scene: Scene, kin: Sequence[Kin]) -> list[tuple[Found, Floats]]:
    """The bases of each army and how likely they are (N,): without those in doubt that do not match its section,
    and with hopeful ones that match it as those did that told it, on bare mat where none stands and no terrain of
    the army's colour is beside.

    What looks as the bases of several armies do is of that which it looks most like.
    """
    kin = [_undoubted(scene, one, kin) for one in kin]
    standing = [base for one in kin for base in one.found.placed]
    told = list[_Told]()
    for _ in range(_TIMES):
        about = [*standing, *(one.base for one in told)]
        more = [new for k, one in enumerate(kin) for new in _hopeful(scene, one, k, about)]
        if not more:
            break
        told = _clear([*told, *more])
    return [_with(scene, one, [t.base for t in told if t.kin == k]) for k, one in enumerate(kin)]


def _undoubted(scene: Scene, kin: Kin, among: Sequence[Kin]) -> Kin:
    """An army among others without those bases on bare mat that are in doubt and do not match its section.

    Of a kind that large figures hide, those beyond doubt hardly match it either: such are not doubted for it.
    """
    placed = kin.found.placed
    if (section := kin.telling) is None or not placed:
        return kin
    standing = [base for one in among for base in one.found.placed]
    shares, beyond_doubt = np.full(len(placed), np.nan), kin.likely >= max(likely for _, likely in _DOUBTED)
    for group in grouped(placed):
        sure = beyond_doubt[group.number]
        if not sure.all():
            told = matched(scene, group, standing, section, kin.paint, kin.found.look, 0).share
            if not sure.any() or np.median(np.nan_to_num(told[sure])) >= _ALIKE:
                shares[group.number] = told / section.share
    doubted = np.any([(shares < share) & (kin.likely < likely) for share, likely in _DOUBTED], axis=0)
    kept = np.flatnonzero(~doubted | scene.off_the_mat(placed))
    return replace(kin, found=kin.found.taken(kept.tolist()), likely=kin.likely[kept])


def _hopeful(scene: Scene, kin: Kin, number: int, standing: Sequence[Placed]) -> list[_Told]:
    """Those of an army's hopeful ones that match its section, where they match it best."""
    if (section := kin.telling) is None:
        return []
    least = float(np.clip(_SHARE * section.share, *_PLAINLY))
    spots = _on_bare_mat(scene, free(scene, kin.hopeful, standing), kin.beside)
    told = list[tuple[float, Placed]]()
    for above, rounds in ((_LIKELY, 0), (least, _ROUNDS)):
        told = [one for one in _matching(scene, kin, section, spots, standing, rounds) if one[0] > above]
        spots = [spot for _, spot in told]
    return [_Told(share / section.share, number, spot) for share, spot in told]


def _on_bare_mat(scene: Scene, spots: list[Placed], beside: Where | None) -> list[Placed]:
    """The spots in sight that are neither on terrain nor ``beside`` any of the army's colour."""
    if not spots:
        return []
    bare = ~scene.off_the_mat(spots) & in_sight(scene, spots)
    if beside is not None:
        bare &= ~beside(spots)
    return [spots[k] for k in np.flatnonzero(bare).tolist()]


def _matching(
    scene: Scene, kin: Kin, section: Section, spots: list[Placed], standing: Sequence[Placed], rounds: int
) -> list[tuple[float, Placed]]:
    """The spots where they match an army's section best, each with the share of it that it shows."""
    found = list[tuple[float, Placed]]()
    for group in grouped(spots):
        told = matched(scene, group, standing, section, kin.paint, kin.found.look, rounds)
        found += zip(told.share.tolist(), told.group.placed(), strict=True)
    return found


def _clear(told: list[_Told]) -> list[_Told]:
    """Those that stand clear of all that show more of what is usual."""
    order = sorted(told, key=lambda one: -one.share)
    return [order[k] for k in clear_of([one.base for one in order], _SHRINK_MM)]


def _with(scene: Scene, kin: Kin, more: list[Placed]) -> tuple[Found, Floats]:
    """An army's bases and how likely they are (N,), with more that match its section."""
    if not more:
        return kin.found, kin.likely
    count = len(kin.found.placed)
    told = fitted_with(scene, kin.found, more, kin.paint).taken(range(count, count + len(more)))
    return kin.found.moved([], told), np.append(kin.likely, np.full(len(more), _SURE))
