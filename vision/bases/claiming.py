"""What each army would have, were it alone on the table: looked for by its paint as it is told from the mat, and
once more as it is told from its bases' tops, too, where these look a little like it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from calibration.records import Army
from vision.bases.armies import Claim
from vision.bases.crowds import in_order
from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposed import proposed
from vision.bases.rims import rims_of
from vision.bases.search import LENIENT, STRICT, Found, search, search_again
from vision.bases.usual import Known, Usual
from vision.bases.weighing.confidence import confidence_in_ranks, likely_of
from vision.bases.weighing.judged import Demand, Where
from vision.bases.weighing.like_terrain import beside_or_on_terrain, beside_terrain

__all__ = ["claims_of", "nobody_of"]

_MOSTLY = 0.5  # of an army's bases: if more of them stand beside such terrain, it is in doubt as a whole
_WORKERS = 2  # armies are looked for side by side; arrays are worked on without the interpreter's lock
_LIKE_PAINT = 0.2  # of the way from the mat's colour to the paint's: tops so far along it blur into their rims
_EXPLAINS_MORE = 1.3  # of what is explained, from where on bases are rather told from such tops, too


def claims_of(
    scene: Scene, which: Sequence[tuple[Army, Paint]], among: Sequence[tuple[Army, Paint]], known: Known
) -> list[Claim]:
    """What some armies would have, were each alone but for what is clearly painted like another's among these."""

    def claimed(pair: tuple[Army, Paint]) -> Claim | None:
        army, paint = pair
        others, usual = [other for rival, other in among if rival is not army], known.armies.get(army.name)
        first = _claim(scene, army, paint, others, usual)
        if usual is not None or first is None:
            return first
        tops = np.median(first.fit.tops, axis=0)
        if paint.strength(tops[None])[0] < _LIKE_PAINT:
            return first
        again = _claim(scene, army, paint.but_for(tops), others, None)
        if again is None:
            return first
        hopeful = (*first.hopeful, *again.hopeful)
        return replace(again if _is_told_better(again, first) else first, hopeful=hopeful)

    if scene.within is not None or len(which) < 2:  # so little is done as fast by one
        return [claim for claim in map(claimed, which) if claim is not None]
    for army, _ in which:  # what all of them look at is laid flat once, not by each
        scene.prepare(kind.height_mm for kind in army.bases)
    with ThreadPoolExecutor(_WORKERS) as workers:
        return [claim for claim in workers.map(claimed, which) if claim is not None]


def _claim(scene: Scene, army: Army, paint: Paint, others: Sequence[Paint], usual: Usual | None) -> Claim | None:
    """What an army would have by a paint; None for nothing."""
    beside, hopeful = beside_terrain(scene, army, paint), proposed(scene, army, paint, others)
    if usual is None:
        fit = search(scene, army, paint, hopeful, others, _demand(beside))
    else:
        fit = search_again(scene, paint, usual, hopeful, others)
    if beside is not None and fit is not None and (block := _in_order(scene, fit, paint)):
        strictly, beside = beside(fit.placed), beside_terrain(scene, army, paint, block)
        if usual is None and beside is not None and (strictly & ~beside(fit.placed)).any():
            fit = search(scene, army, paint, hopeful, others, _demand(beside))
    if fit is None or not (fit := likely_of(fit)).placed:
        return None
    common = beside is not None and bool(beside(fit.placed).mean() > _MOSTLY)
    own = beside_or_on_terrain(scene, paint, beside)
    rims = None if usual is None else usual.rims
    return Claim(army, paint, fit, common, scene.off_the_mat, own, rims, tuple(hopeful))


def nobody_of(scene: Scene, army: Army, usual: Usual, others: Sequence[Paint]) -> Claim:
    """What an army has of which an earlier look told what is ``usual``, where its paint alone tells none: nobody,
    and where some may stand all the same."""
    paint = usual.paint
    hopeful = tuple(proposed(scene, army, paint, others))
    own = beside_or_on_terrain(scene, paint, beside_terrain(scene, army, paint))
    return Claim(army, paint, Found.none(usual.look), beside_its_own=own, usual=usual.rims, hopeful=hopeful)


def _is_told_better(claim: Claim, other: Claim) -> bool:
    """Whether of two claims of one army the one's bases that are believed are more, by how likely they are, stand
    out more, and explain far more of the picture."""
    told, less = (one.fit.taken(np.flatnonzero(one.alone).tolist()) for one in (claim, other))
    if not told.placed or not less.placed:
        return bool(told.placed)
    return bool(
        told.explained > _EXPLAINS_MORE * less.explained
        and confidence_in_ranks(told).sum() > confidence_in_ranks(less).sum()
        and np.median(told.contrast) > np.median(less.contrast)
    )


def _demand(beside: Where | None) -> Demand:
    """What is asked of bases, where they may stand beside terrain of their own paint."""
    return LENIENT if beside is None else replace(STRICT, where=beside)


def _in_order(scene: Scene, fit: Found, paint: Paint) -> list[Placed]:
    """The bases that stand on the mat, in the ranks and files of a block of rings: no terrain makes such."""
    stands = in_order(fit, rims_of(fit, paint), paint) & ~scene.off_the_mat(fit.placed)
    return [base for base, own in zip(fit.placed, stands, strict=True) if own]
