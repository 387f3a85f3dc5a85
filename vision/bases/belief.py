"""Whether what was fitted is an army's painted rims at all, in absolute terms: an army that is not on the table, or
one of few bases, is not to be made up from faint likenesses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.search import Found
from vision.bases.weighing.packing import groups_of
from vision.bases.weighing.ranks import formed

__all__ = ["believed", "worth"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Limits:
    """What a rim must be like, seen in the light that the printed markers tell.

    ``kinship`` is the least cosine between its colour and the paint's, both from the table's; ``strength`` how far
    it goes from the table's colour to the paint's (blur takes a third of a narrow rim); ``astray`` how far its
    features may lie off that line; ``support`` and ``contrast`` are the least of what `Fit` has, ``worth`` that of
    what the function of that name tells.
    """

    kinship: float
    strength: tuple[float, float]
    astray: float
    support: float
    contrast: float
    worth: float

    def hold(self, rims: _Rims) -> Mask:
        """Which rims (N,) keep to them."""
        return np.asarray(
            (rims.kinship > self.kinship)
            & (rims.strength > self.strength[0])
            & (rims.strength < self.strength[1])
            & (rims.astray < self.astray)
            & (rims.support > self.support)
            & (rims.contrast > self.contrast)
            & (rims.worth > self.worth)
        )


@dataclass(frozen=True, eq=False)
class _Rims:
    """What is told of rims, each (N,): see `_Limits`; ``worth`` as the function has it."""

    kinship: Floats
    strength: Floats
    astray: Floats
    support: Floats
    contrast: Floats
    worth: Floats

    def usual(self, which: Mask, weights: Floats) -> _Rims:
        """The usual one (1,) of some of them, each counted by its weight (N,)."""
        told = (getattr(self, name)[which] for name in self.__dataclass_fields__)
        return _Rims(*(_median(values, weights[which]) for values in told))


_EACH = _Limits(kinship=0.70, strength=(0.35, 1.25), astray=0.22, support=0.35, contrast=0.12, worth=0.02)
# … and on terrain, where trees, rocks and their shadows are of many colours: a clear rim, or plainly this paint
_RIM_OFF_THE_MAT = _Limits(
    kinship=0.70, strength=(0.35, 1.25), astray=0.12, support=0.50, contrast=0.25, worth=0.10
)
_PAINT_OFF_THE_MAT = _Limits(
    kinship=0.95, strength=(0.55, 1.25), astray=0.08, support=0.50, contrast=0.12, worth=0.02
)
# … or all round this very paint, if no shadow makes it, and no terrain has it: blur leaves less of it beside a
# colour that lies farther from it than the mat's
_RING_OFF_THE_MAT = _Limits(
    kinship=0.95, strength=(0.42, 1.25), astray=0.08, support=0.65, contrast=0.15, worth=0.06
)
# … or, on the mat or off it, so well seen that only its shade is in question: a camera that squeezes highlights
# lifts pale paint, beside the white of paper, beyond the table's colour for it
_BEYOND_DOUBT = _Limits(kinship=0.60, strength=(0.35, 2.0), astray=0.30, support=0.85, contrast=0.45, worth=0.35)
# … and, once the army is believed, whose paint is plainly this all round, though what lies about it, such as flock
# or a hill of much the same colour, leaves it little to prove
_OF_THE_ARMY = _Limits(kinship=0.95, strength=(0.55, 1.25), astray=0.08, support=0.70, contrast=0.25, worth=-1.0)
# … or stands out from both its sides as far: a rim half in shadow is of two shades, and none explains both
_TWO_SHADES = _Limits(kinship=0.90, strength=(0.50, 1.25), astray=0.13, support=0.80, contrast=0.35, worth=-1.0)
_FROM_BOTH = 0.55  # relief
# … or is as clear as those of the army that are believed, in light of another hue, where there are many of them: of
# what is usual for them it has at least such shares of contrast, worth and relief
_OTHERWISE_LIT = _Limits(kinship=0.55, strength=(0.35, 1.25), astray=0.30, support=0.80, contrast=0.7, worth=0.5)
_AS_FULLY = 0.6
_COLOURFUL = 0.2  # of a paint's features of hue from the mat's: no shadow makes it
_LIGHTNESS = 2  # of a paint's features
_USUAL = _Limits(kinship=0.82, strength=(0.45, 1.15), astray=0.17, support=0.70, contrast=0.175, worth=0.0)
# And, of a paint so many sigmas from the mat's colours that no mottle is taken for it: the clear ones alone, …
_UNLIKE_MAT = 2.0
_CLEARLY = _Limits(kinship=0.90, strength=(0.45, 1.15), astray=0.10, support=0.70, contrast=0.175, worth=0.0)
# … or all, faint as in a coarse picture or in poor light, but plainly of this paint and proven well
_FAINT = _Limits(kinship=0.90, strength=(0.45, 1.15), astray=0.10, support=0.70, contrast=0.15, worth=0.09)
# … or seen plainly, though of a paint so near to the mat's that mottle turns it
_LIKE_MAT = _Limits(kinship=0.75, strength=(0.45, 1.15), astray=0.11, support=0.70, contrast=0.25, worth=0.12)

# … or, where the picture is so coarse that blur leaves but a third of the paint on rims, many of them alike
_NARROW_EACH = replace(_EACH, strength=(0.30, 1.25))
_NARROW = _Limits(kinship=0.88, strength=(0.32, 1.15), astray=0.10, support=0.70, contrast=0.15, worth=0.09)
_BLURRED, _MANY = 0.5, 4  # of a rim's width, the blur from where on; and so many

# … or none of this is asked, where the usual one is beyond doubt
_PLAINLY = _Limits(kinship=0.80, strength=(0.45, 1.8), astray=0.25, support=0.85, contrast=0.45, worth=0.35)

# … or hardly proven, as small bases whose neighbours and figures leave little beside each rim, but many of this
# very paint all round, which no shadow makes: then these are believed, and no others
_TO_A_HAIR = _Limits(kinship=0.95, strength=(0.50, 1.15), astray=0.06, support=0.85, contrast=0.12, worth=0.0)
_A_CROWD, _RISES = 8, 0.15  # so many, and their relief
# … and what is of this paint in the ranks and files of a block of which at least such a share is believed: their
# neighbours' rims leave nothing beside those amid it that could prove them
_AMID = _Limits(kinship=0.90, strength=(0.45, 1.25), astray=0.10, support=0.50, contrast=0.12, worth=-1.0)
_OF_A_BLOCK = 0.5
# … or of one that has of what is usual such shares of contrast and relief, of support and of worth, and is hardly
# otherwise in hue
_AS_CLEAR, _AS_ROUND, _AS_PROVEN, _OTHERWISE = 0.75, 0.85, 0.25, 0.03

# … or is a whole block of rings that may be of this paint, hardly proven as it is so near to the mat's that mottle
# turns it: nothing but bases makes so many rings of one size, all round, in ranks and files
_ANY_OF_A_BLOCK = replace(_EACH, support=0.50, worth=-1.0)
_WHOLE_BLOCK = _Limits(kinship=0.80, strength=(0.40, 1.25), astray=0.10, support=0.80, contrast=0.17, worth=0.01)
_IN_ORDER, _STANDS_UP = 6, 0.2  # so many, and their relief

_USUAL_WORTH, _USUAL_OF_COMMON = 0.055, 0.11  # shadows, edges of felt and leaves reach half of this
_ALL_ROUND, _STANDS_OUT = 0.85, 0.2  # support and relief of the usual one, if no terrain is taken for it …
_MOST_ROUND, _OF_RELIEF = 0.6, 0.6  # … and the least support of each, and of relief beside the usual
# Of the strength of a rim's colour, what its relief is at least: so full a paint stands out from both its sides, or
# is that of a sheet of paper with print on it, or of a roof
_FULL, _STANDS_BY = (0.70, 0.90), (0.22, 0.30)
_DISC = 0.5  # of the relief is the contrast where as much paint lies within as on the rim, and none outside
_OF_USUAL, _OF_KINSHIP = 0.3, 0.9  # what has less of both than its army's clear rims is another thing
_HARDLY, _OF_ANOTHER = 0.5, 0.85  # … as is what stands out half as far and is of another shade: coffee in a cup
_THIN = 0.62  # of the usual strength by contrast elsewhere: rims on terrain of their colour reach 0.68, trees 0.57
_UNPROVEN, _ASTRAY, _FARTHER = 0.10, 0.10, 2.0  # … and what is hardly proven and of another hue than they: a roof


def worth(fit: Found) -> Floats:
    """How well each base (N,) is seen: how clear its rim is, and how much of it explains the picture."""
    return np.asarray(np.maximum(fit.contrast, 0) * np.maximum(fit.proof, 0), dtype=np.float64)


def believed(
    fit: Found,
    paint: Paint,
    *,
    common: bool = False,
    off_the_mat: Mask | None = None,
    beside_its_own: Mask | None = None,
) -> Mask:
    """Which of the bases (N,) have rims painted with this paint; ``common``: which terrain has, too.

    More is asked of those (N,) that stand ``off_the_mat``, on a piece of terrain, and of those ``beside_its_own``
    colour: nothing thins the paint there from without.

    A rim in shadow or half hidden may be poor; but if the usual one among them is, none is believed. Which is the
    usual one, those that are well seen may tell by their worth: an army of few bases is not doubted for the many
    things, hardly seen, that look a little like its paint.
    """
    rims = _rims_of(fit, paint)
    narrow = _are_narrow(fit, rims, paint, off_the_mat)
    each = _singly(rims, paint, off_the_mat, narrow=narrow, common=common)
    thin = np.zeros_like(each) if beside_its_own is None else _are_thin(rims, each, beside_its_own)
    flat, each = _are_flat(fit, rims, paint), each & ~thin
    if 2 * rims.worth[each & flat].sum() >= rims.worth[each].sum():  # what is hardly seen outvotes nothing
        return np.zeros_like(each)
    flat |= thin
    each &= ~flat
    evenly, clear = rims.usual(each, np.ones(len(each))), rims.usual(each, rims.worth)
    likely = _USUAL.hold(evenly) | narrow
    if paint.contrast > _UNLIKE_MAT:
        likely |= _CLEARLY.hold(clear) | _FAINT.hold(evenly) | _LIKE_MAT.hold(evenly) | _PLAINLY.hold(clear)
    if not likely[0] or evenly.worth[0] < _USUAL_WORTH:
        if common:
            return np.zeros_like(each)
        crowd = _crowd(fit, rims, paint, off_the_mat) | _in_order(fit, rims, paint)
        return _with_blocks(fit, rims, paint, crowd & ~flat)
    stands_out = _median(fit.relief[each], rims.worth[each])
    if common and evenly.worth[0] < _USUAL_OF_COMMON:
        each = _rings(fit, each)
    half_lit = _TWO_SHADES.hold(rims) & (fit.relief > _FROM_BOTH)
    if not common:
        as_clear = _are_as_clear(fit, rims, each)
        if off_the_mat is not None:  # trees and their shadows are rings, too, as clear as a dark army's
            as_clear &= ~off_the_mat
        each |= as_clear | _OF_THE_ARMY.hold(rims) | half_lit
    each = np.asarray(each & ~_are_poor(fit, rims, clear, stands_out, half_lit) & ~flat)
    return each if common else _with_blocks(fit, rims, paint, each)


def _rims_of(fit: Found, paint: Paint) -> _Rims:
    """The rims (N,) of bases, held against a paint."""
    kin, strength, astray = paint.kinship(fit.colours), paint.strength(fit.colours), paint.astray(fit.colours)
    return _Rims(kin, strength, astray, fit.support, fit.contrast, worth(fit))


def _singly(rims: _Rims, paint: Paint, off_the_mat: Mask | None, *, narrow: bool, common: bool) -> Mask:
    """Which rims (N,) look enough like an army's by themselves, whatever the others are."""
    each = (_NARROW_EACH if narrow else _EACH).hold(rims)
    if off_the_mat is not None:
        plainly = _RIM_OFF_THE_MAT.hold(rims) | _PAINT_OFF_THE_MAT.hold(rims)
        if not common and _hue_apart(paint) > _COLOURFUL:
            plainly |= _RING_OFF_THE_MAT.hold(rims)
        each &= plainly | ~off_the_mat
    return np.asarray(each | _BEYOND_DOUBT.hold(rims) if paint.is_pale else each, dtype=np.bool_)


def _are_poor(fit: Found, rims: _Rims, clear: _Rims, stands_out: Floats, half_lit: Mask) -> Mask:
    """Which rims (N,) are other things than their army's ``clear`` ones (1,), which stand out so far (1,), are."""
    poor = (rims.worth < _OF_USUAL * clear.worth) & (rims.kinship < _OF_KINSHIP * clear.kinship)
    poor |= (fit.relief < _HARDLY * stands_out) & (rims.kinship < _OF_ANOTHER * clear.kinship)
    of_another_hue = rims.astray > np.maximum(_ASTRAY, _FARTHER * clear.astray)
    poor |= (rims.worth < np.minimum(_UNPROVEN, _HARDLY * clear.worth)) & of_another_hue & ~half_lit
    return np.asarray(poor, dtype=np.bool_)


def _with_blocks(fit: Found, rims: _Rims, paint: Paint, each: Mask) -> Mask:
    """The rims (N,) that are believed, and those that stand in the ranks and files of a block of such, or of one
    that is of this very paint as a whole: what turns the hue of each, such as its figure, turns that of all of them
    far less."""
    amid = _AMID.hold(rims) & ~each
    if not each.any() or not amid.any():
        return each
    both = each | amid
    for group in groups_of(fit.placed):
        own = [k for k in group if both[k]]
        if amid[own].any():
            stands = formed([fit.placed[k] for k in own], np.where(each[own], 1.0, 1.0 - _OF_A_BLOCK))
            block = np.array(own)[stands]
            mostly = np.count_nonzero(each[block]) >= _OF_A_BLOCK * len(block)
            if mostly or (len(block) and _is_of_the_paint(fit, rims, paint, block, each)):
                both[own] = each[own] | stands
            else:
                both[own] = each[own]
    return both


def _is_of_the_paint(fit: Found, rims: _Rims, paint: Paint, block: NDArray[np.intp], each: Mask) -> bool:
    """Whether a block of rims, as their mean colour and what is usual for them tell it, is of a paint to a hair, or
    looks as the many that are believed (N,) do."""
    colour = fit.colours[block].mean(axis=0, keepdims=True)
    own = np.zeros(len(rims.kinship), dtype=np.bool_)
    own[block] = True
    usual = replace(
        rims.usual(own, np.ones(len(own))),
        kinship=paint.kinship(colour),
        strength=paint.strength(colour),
        astray=paint.astray(colour),
    )
    relief = float(np.median(fit.relief[block]))
    if relief > _RISES and _TO_A_HAIR.hold(usual)[0]:
        return True
    if np.count_nonzero(each) < _MANY:
        return False
    like = rims.usual(each, np.ones(len(each)))
    alike = replace(
        _AMID,
        kinship=float(like.kinship[0]) - _OTHERWISE,
        astray=float(like.astray[0]) + _OTHERWISE,
        support=_AS_ROUND * float(like.support[0]),
        contrast=_AS_CLEAR * float(like.contrast[0]),
        worth=_AS_PROVEN * float(like.worth[0]),
    )
    return bool(alike.hold(usual)[0]) and relief > _AS_CLEAR * float(np.median(fit.relief[each]))


def _are_as_clear(fit: Found, rims: _Rims, each: Mask) -> Mask:
    """Which rims (N,) are as clear as the usual one of the many that are believed, though of another shade."""
    if np.count_nonzero(each) < _MANY:
        return np.zeros_like(each)
    usual = rims.usual(each, np.ones(len(each)))
    limits = replace(
        _OTHERWISE_LIT,
        contrast=_OTHERWISE_LIT.contrast * usual.contrast[0],
        worth=_OTHERWISE_LIT.worth * usual.worth[0],
    )
    return np.asarray(limits.hold(rims) & (fit.relief > _AS_FULLY * np.median(fit.relief[each])), dtype=np.bool_)


def _crowd(fit: Found, rims: _Rims, paint: Paint, off_the_mat: Mask | None) -> Mask:
    """Which rims (N,) on the mat are of a paint to a hair, if many are and no shadow may make it."""
    exact = _TO_A_HAIR.hold(rims) & (fit.relief > _RISES)
    if off_the_mat is not None:
        exact &= ~off_the_mat
    if np.count_nonzero(exact) < _A_CROWD or paint.contrast < _UNLIKE_MAT or _hue_apart(paint) < _COLOURFUL:
        return np.zeros_like(exact)
    return exact


def _in_order(fit: Found, rims: _Rims, paint: Paint) -> Mask:
    """Which rims (N,) stand in the ranks and files of a block of rings that may be of this paint."""
    stands = np.zeros(len(rims.kinship), dtype=np.bool_)
    if paint.contrast < _UNLIKE_MAT:
        return stands
    rings = _ANY_OF_A_BLOCK.hold(rims)
    for group in groups_of(fit.placed):
        own = np.array([k for k in group if rings[k]], dtype=np.intp)
        if len(own) < _IN_ORDER:
            continue
        block = own[formed([fit.placed[k] for k in own], np.ones(len(own)))]
        which = np.isin(np.arange(len(stands)), block)
        if len(block) < _IN_ORDER or float(np.median(fit.relief[block])) < _STANDS_UP:
            continue
        if _WHOLE_BLOCK.hold(rims.usual(which, np.ones(len(stands))))[0]:
            stands |= which
    return stands


def _are_flat(fit: Found, rims: _Rims, paint: Paint) -> Mask:
    """Which rims (N,) are of a whole surface of the paint's colour, which lies beside them, too; or, if they are
    pale, even more so within them, as on a white cup."""
    least = np.interp(rims.strength, _FULL, _STANDS_BY) * rims.strength
    flat = (rims.strength > _FULL[0]) & (fit.relief < least)
    if paint.is_pale:
        flat |= fit.contrast < _DISC * fit.relief
    return np.asarray(flat, dtype=np.bool_)


def _are_thin(rims: _Rims, each: Mask, beside_its_own: Mask) -> Mask:
    """Which rims (N,) on terrain of their paint's colour show much less of it, and less clearly, than the many do
    that stand on other ground: about a tree in a wood lies as much of its leaves' colour as of the wood's."""
    elsewhere = each & ~beside_its_own
    if np.count_nonzero(elsewhere) < _MANY:
        return np.zeros_like(each)
    shows = rims.strength * rims.contrast
    usual = float(np.median(rims.strength[elsewhere]) * np.median(rims.contrast[elsewhere]))
    return np.asarray(beside_its_own & (shows < _THIN * usual), dtype=np.bool_)


def _are_narrow(fit: Found, rims: _Rims, paint: Paint, off_the_mat: Mask | None) -> bool:
    """Whether so many are seen alike on the mat, as well as rims of their width can be."""
    each = _NARROW_EACH.hold(rims)
    if off_the_mat is not None:
        each &= ~off_the_mat
    if each.sum() < _MANY or paint.contrast < _UNLIKE_MAT or fit.look.blur_mm < _BLURRED * fit.look.rim_mm:
        return False
    return bool(_NARROW.hold(rims.usual(each, np.ones(len(each))))[0])


def _hue_apart(paint: Paint) -> float:
    """How far a paint's features of hue lie from the table's."""
    return float(np.linalg.norm((paint.paint - paint.ground)[:_LIGHTNESS]))


def _rings(fit: Found, each: Mask) -> Mask:
    """Which of those (N,) of a colour that terrain has, too, are rims all the same: none, unless the usual one is
    a ring all round that stands out from one of its sides. A wood's edge is half of one, and a wood has no sides.
    """
    relief = float(np.median(fit.relief[each]))
    if float(np.median(fit.support[each])) < _ALL_ROUND or relief < _STANDS_OUT:
        return np.zeros_like(each)
    return np.asarray(each & (fit.support > _MOST_ROUND) & (fit.relief > _OF_RELIEF * relief), dtype=np.bool_)


def _median(values: Floats, weights: Floats) -> Floats:
    """The median (1,) of values (N,), each counted by its weight (N,)."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    low, high = (int(np.searchsorted(total, share * total[-1])) for share in (0.5 - 1e-9, 0.5 + 1e-9))
    return np.asarray([(values[order[low]] + values[order[min(high, len(order) - 1)]]) / 2], dtype=np.float64)
