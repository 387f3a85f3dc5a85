"""Which of the armies that a table's file lists are on the table, where several lay claim to the same rims.

A rim that is half in shadow, or mixed with the mat, may look rather like another army's paint than like its own. So
armies are not weighed base by base but each as a whole: one is there if some rims are clearly its own, and only
those that are there divide what they all claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.belief import believed
from vision.bases.picture.paint import CLEARLY, ONE_PAINT, Paint
from vision.bases.pixels import Placed
from vision.bases.rims import worth
from vision.bases.search import Found
from vision.bases.usual import Shown
from vision.bases.weighing.choose import conflicts, polygons_of
from vision.bases.weighing.judged import Where

__all__ = ["Claim", "divided"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_SAME_RIM_MM = 5.0  # centres so near tell that two claims are about one rim
_OVERLAP_MM = 1.5  # bases may run into each other by twice this before they exclude each other
_LEAST_OUTDOING = 0.14  # what an army keeps is worth, if all else it claims are others' bases, better seen
_DEEP_MM, _ON_OTHERS = (
    0.7,
    0.35,
)  # so deep on others' tops lies such a share of the rim of what is none
_AS_CLEAR = 0.6  # of a base's contrast, that of those which it can stand across
_FAR_MORE = 4.0  # of what another explains that is no clearer: so much tells by itself which of the two stands
_RATHER = 0.25  # a lead from which a rim is one of those that tell what its paint looks like here
_LOOKS = 3  # so often that is told, each time by those that it makes sure
_AS_FAR_APART = 0.25  # of two paints' distance: rims of both look at least so different, or tell nothing of them
_PLAINLY_APART = 0.5  # of it, from which rims that look so tell that both armies are there
_ROUNDS = 4  # what armies keep is told so often at most
_OUT = 1.5  # of a rim's lead: what its contrast counts; of 101 rims that two armies claimed, more gave one away


@dataclass(frozen=True, eq=False)
class Claim:
    """What an army would have if it were alone on the table.

    ``common``: terrain beside most of its bases is of its colour; ``off_the_mat`` tells which stand on terrain, and
    ``beside_its_own`` which of them beside such of its colour. ``usual`` is how its rims looked, if all of the
    table was looked at before, and ``hopeful`` is where any were proposed.
    """

    army: Army
    paint: Paint
    fit: Found
    common: bool = False
    off_the_mat: Where | None = None
    beside_its_own: Where | None = None
    usual: Shown | None = None
    hopeful: tuple[Placed, ...] = ()

    @cached_property
    def worth(self) -> Floats:
        """How well each base (N,) is seen."""
        return worth(self.fit)

    @cached_property
    def alone(self) -> Mask:
        """Which bases (N,) are believed if no other army is on the table."""
        if not self.fit.placed:
            return np.zeros(0, dtype=np.bool_)
        off, beside = (
            None if where is None else where(self.fit.placed) for where in (self.off_the_mat, self.beside_its_own)
        )
        common, usual = self.common, self.usual
        return believed(self.fit, self.paint, common=common, off_the_mat=off, beside_its_own=beside, usual=usual)

    def believable(self, own: Mask) -> Claim:
        """Those of its ``own`` bases (N,) that are believed."""
        kept = replace(self, fit=self.fit.taken(np.flatnonzero(own).tolist()))
        return replace(kept, fit=kept.fit.taken(np.flatnonzero(kept.alone).tolist()))


def divided(claims: Sequence[Claim]) -> list[Claim]:
    """The armies that are there, each with what is rather its own than another's.

    An army is there if it keeps believable bases when it gives up all that is not clearly its own. Of those that
    do not, the one with the least hold goes first, for one that is not there takes nothing from the others.
    """
    alive = list(claims)
    while hopeless := [k for k in range(len(alive)) if not _is_there(alive, k)]:
        del alive[min(hopeless, key=lambda k: _hold(alive, k))]
    return [claim for claim in _shared_out(alive) if claim.fit.placed]


def _shared_out(claims: Sequence[Claim]) -> list[Claim]:
    """What each of some armies keeps.

    A base that its own army does not keep takes nothing from another: so what they keep is told again until it
    stays, lest a ring between two of another army's, knocked out by the one, knocks out the other.
    """
    kept = list(claims)
    for _ in range(_ROUNDS):
        before = kept
        kept = [
            claim.believable(
                _own(claim, [other for other in before if other.army is not claim.army], apart=_AS_FAR_APART)
            )
            for claim in claims
        ]
        if all(now.fit.placed == old.fit.placed for now, old in zip(kept, before, strict=True)):
            break
    return kept


def _is_there(claims: Sequence[Claim], which: int) -> bool:
    """Whether one of some armies keeps enough that is clearly its own, by the paints or as its rims look here."""
    for apart in (None, _PLAINLY_APART):
        others, worse = _lost(claims[which], _but(claims, which), clearly=True, apart=apart)
        kept = claims[which].believable(~others & ~worse).worth
        usual = float(np.average(kept, weights=kept)) if kept.any() else 0.0  # as those that are well seen tell it
        if usual > _LEAST_OUTDOING * float(worse.mean()):
            return True
    return False


def _hold(claims: Sequence[Claim], which: int) -> tuple[bool, float]:
    """What speaks for one of some armies: whether it would be believed alone, and how much is rather its own."""
    own = _own(claims[which], _but(claims, which))
    return bool(claims[which].believable(np.ones_like(own)).fit.placed), float(own.mean())


def _but(claims: Sequence[Claim], which: int) -> list[Claim]:
    """All of some armies but one."""
    return [*claims[:which], *claims[which + 1 :]]


def _own(claim: Claim, rivals: Sequence[Claim], *, apart: float | None = None) -> Mask:
    """Which bases (N,) of an army none of its rivals has a better claim to."""
    others, worse = _lost(claim, rivals, apart=apart)
    return ~others & ~worse


def _leads(
    claim: Claim, other: Claim, against: Sequence[tuple[int, int]], *, apart: float | None
) -> tuple[Floats, Floats]:
    """How much rather the bases (N,), (M,) of two armies are of their own paint than of the other's: 1 where they
    are all this, -1 all the other, 0 where the paints cannot be told apart.

    What a paint looks like in this light and to this camera, those rims tell that are rather of it, else a dark
    blue, of which a camera makes less, is taken for a pale one: but only if both armies' look ``apart`` by at least
    such a share of their paints' distance, and not where that is None. Pairs ``against`` each other cannot both
    stand: of them only the one that leads tells.
    """
    own, another = claim.fit, other.fit
    ours = claim.paint.lead(other.paint, own.colours, own.look.shows)
    theirs = other.paint.lead(claim.paint, another.colours, another.look.shows)
    least = (apart or 0.0) * float(np.linalg.norm(claim.paint.paint - other.paint.paint))
    for _ in range(_LOOKS if apart is not None else 0):
        sure, theirs_sure = claim.alone & (ours > _RATHER), other.alone & (theirs > _RATHER)
        for k, j in against:
            sure[k], theirs_sure[j] = sure[k] and ours[k] >= theirs[j], theirs_sure[j] and theirs[j] >= ours[k]
        if not sure.any() or not theirs_sure.any():
            break
        usual, their_usual = np.median(own.colours[sure], axis=0), np.median(another.colours[theirs_sure], axis=0)
        if np.linalg.norm(usual - their_usual) < least:
            break
        ours, theirs = _nearer(own.colours, usual, their_usual), _nearer(another.colours, their_usual, usual)
    return ours, theirs


def _nearer(colours: Floats, own: Floats, other: Floats) -> Floats:
    """How much nearer colours (N, 3) are to their own (3,) than to another: 1 for their own, -1 the other."""
    off = np.linalg.norm(colours - other, axis=1) - np.linalg.norm(colours - own, axis=1)
    return np.asarray(off / np.linalg.norm(own - other))


def _lost(
    claim: Claim, rivals: Sequence[Claim], *, clearly: bool = False, apart: float | None = None
) -> tuple[Mask, Mask]:
    """Which bases (N,) of an army are its rivals' rims, and which give way to theirs that stand elsewhere.

    Colour and clearness tell, each as its army has looked: a white rim in the shade is hardly grey, but surely
    white once it is lit, and a maroon one stands out as red, but more so as maroon. A rim that is to be ``clearly``
    its own must lead by colour alone. But one that is as clear and explains far more of the picture than what else
    is seen on it, such as a horse of blue cloth on its base, is not given up for that.
    """
    fit = claim.fit
    others, worse = np.zeros(len(fit.placed), dtype=bool), np.zeros(len(fit.placed), dtype=bool)
    for other in rivals:
        theirs = other.fit
        against = _against(fit.placed, theirs.placed)
        lead, their_lead = _leads(claim, other, against, apart=apart)
        speaks, theirs_speaks = lead + _OUT * fit.contrast, their_lead + _OUT * theirs.contrast
        tellable = claim.paint.apart(other.paint, told_by_strength=True) >= ONE_PAINT
        far_more, far_less = _outweighs(fit, theirs), _outweighs(theirs, fit).T
        across, theirs_across = _across_several(against, fit, theirs, lead, their_lead)
        for k, j in against:
            a, b = fit.placed[k], theirs.placed[j]
            loses = bool(speaks[k] < theirs_speaks[j])
            if tellable and np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) < _SAME_RIM_MM:
                others[k] |= loses or (clearly and lead[k] < CLEARLY)
            elif far_more[k, j] or far_less[k, j]:
                worse[k] |= far_less[k, j]
            else:
                worse[k] |= loses if across[k] == theirs_across[j] else across[k]
        worse |= _on_others(fit.placed, speaks, theirs.placed, theirs_speaks)
    return others, worse


def _across_several(
    against: Sequence[tuple[int, int]], fit: Found, theirs: Found, lead: Floats, their_lead: Floats
) -> tuple[Mask, Mask]:
    """Which bases (N,), and which of theirs (M,), stand across several of the others that together explain more, by
    how clear they are: of a gun two horses explain as much, but have no sides within it.

    Those that are seen far less clearly count only where they lead clearly by their colour (N,), (M,): between
    bases no ring stands out more than they do, but about one that does much may look a little like another paint.
    """
    explains, they_explain = (_explains(one) * np.maximum(one.contrast, 0.0) for one in (fit, theirs))
    meets = np.zeros((len(fit.placed), len(theirs.placed)), dtype=bool)
    meets[tuple(np.array(against, dtype=np.intp).reshape(-1, 2).T)] = True
    ours, clear = fit.contrast[:, None], theirs.contrast
    by = meets & ((clear > _AS_CLEAR * ours) | (their_lead > CLEARLY))
    of = meets & ((ours > _AS_CLEAR * clear) | (lead[:, None] > CLEARLY))
    return (
        (by.sum(axis=1) > 1) & (by @ they_explain > explains),
        (of.sum(axis=0) > 1) & (explains @ of > they_explain),
    )


def _explains(fit: Found) -> Floats:
    """How much of the picture each base (N,) explains."""
    return np.asarray(np.array([p.outline.perimeter_mm for p in fit.placed]) * fit.proof, dtype=np.float64)


def _outweighs(fit: Found, theirs: Found) -> Mask:
    """Which bases (N, M) are as clear as which of others, and explain far more."""
    more = _explains(fit)[:, None] > _FAR_MORE * np.maximum(_explains(theirs), 0.0)
    return np.asarray(more & (fit.contrast[:, None] >= theirs.contrast), dtype=np.bool_)


def _on_others(placed: Sequence[Placed], speaks: Floats, others: Sequence[Placed], theirs: Floats) -> Mask:
    """Which bases (N,) have much of their rims on the tops of several others that speak louder: what closes like a
    ring between four round ones is theirs."""
    on = np.zeros(len(placed), dtype=bool)
    if not placed or not others:
        return on
    at, theirs_at = (np.array([[p.x_mm, p.y_mm] for p in some]) for some in (placed, others))
    reach, theirs_reach = (np.array([p.outline.reach_mm for p in some]) for some in (placed, others))
    apart = np.linalg.norm(at[:, None] - theirs_at, axis=2)
    near = (apart < reach[:, None] + theirs_reach - _DEEP_MM) & (speaks[:, None] < theirs)
    several = np.flatnonzero(np.count_nonzero(near, axis=1) > 1)
    tops = polygons_of(others, _DEEP_MM)
    rims = shapely.get_exterior_ring(polygons_of(placed))
    for k in several:
        hidden = shapely.intersection(rims[k], shapely.union_all(tops[near[k]]))
        on[k] = shapely.length(hidden) > _ON_OTHERS * shapely.length(rims[k])
    return on


def _against(placed: Sequence[Placed], others: Sequence[Placed]) -> list[tuple[int, int]]:
    """Pairs of bases, of one army and of another, that cannot both stand."""
    count = len(placed)
    against = conflicts([*placed, *others], _OVERLAP_MM)
    return [(k, j - count) for k in range(count) for j in against[k] if j >= count]
