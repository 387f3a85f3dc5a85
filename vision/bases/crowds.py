"""Rims that are believed for the many of them: each of these proves too little by itself, blurred, of a paint near
its top's or the mat's, or beside its neighbours'."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.rims import COLOURFUL, EACH, UNLIKE_MAT, Limits, Rims, hue_apart, shown_of
from vision.bases.usual import Shown
from vision.bases.weighing.judged import Found
from vision.bases.weighing.packing import groups_of
from vision.bases.weighing.ranks import formed

__all__ = [
    "A_CROWD",
    "MANY",
    "NARROW_EACH",
    "are_as_clear",
    "are_narrow",
    "as_usual",
    "by_their_number",
    "in_order",
    "proven_rings",
    "with_blocks",
]

Mask = NDArray[np.bool_]

# Where the picture is so coarse that blur leaves but a third of the paint on rims, many of them alike
NARROW_EACH = replace(EACH, strength=(0.30, 1.25))
_NARROW = Limits(kinship=0.88, strength=(0.32, 1.15), astray=0.10, support=0.70, contrast=0.15, worth=0.09)
_BLURRED, MANY = 0.5, 4  # of a rim's width, the blur from where on; and so many

# … or so blurred that little paint is left of any, but many of them rings beyond doubt: nothing else proves as much
_RINGS = Limits(kinship=0.80, strength=(0.25, 1.25), astray=0.10, support=0.35, contrast=0.15, worth=0.10)
_STANDS_UP, _MANY_RINGS = 0.2, 6  # their relief, and so many

# As clear as those of the army that are believed, in light of another hue, where there are many of them: of
# what is usual for them it has at least such shares of contrast, worth and relief
_OTHERWISE_LIT = Limits(kinship=0.55, strength=(0.35, 1.25), astray=0.30, support=0.80, contrast=0.7, worth=0.5)
_AS_FULLY = 0.6

# As the usual one of its army, be it in an earlier picture of all of the table: turned in hue by so little, and of
# so much of its strength
_TURNED, _OF_STRENGTH = 0.06, (0.7, 1.4)
_TURNED_BY_TOPS = 0.12  # where blur carries a top's hue there

# Hardly proven, as small bases whose neighbours and figures leave little beside each rim, but many of this
# very paint all round, which no shadow makes: then these are believed, and no others
_TO_A_HAIR = Limits(kinship=0.95, strength=(0.50, 1.15), astray=0.06, support=0.85, contrast=0.12, worth=0.0)
A_CROWD, _RISES = 8, 0.15  # so many, and their relief
# … or hardly proven, as a rim proves nothing beside a top of nearly its paint, but many that are seen all round and
# stand out from the mat as far as such a top lets them
_LIKE_ITS_TOP = Limits(kinship=0.85, strength=(0.45, 1.2), astray=0.22, support=0.85, contrast=0.14, worth=-1.0)
_STANDS_OFF, _FAR_FROM_MAT = 0.3, 3.0  # their relief, and how many sigmas off the mat's colours that paint is
# … and what is of this paint in the ranks and files of a block of which at least such a share is believed: their
# neighbours' rims leave nothing beside those amid it that could prove them
_AMID = Limits(kinship=0.90, strength=(0.45, 1.25), astray=0.10, support=0.50, contrast=0.12, worth=-1.0)
_OF_A_BLOCK = 0.5
# … or nearly of it, where most of the block is believed: its figure, or a shadow, turns the hue of one more
_LAST_OF_A_BLOCK = replace(_AMID, kinship=0.80, astray=0.17)
_MOST_OF_A_BLOCK = 0.7
# … or of one that has of what is usual such shares of contrast and relief, of support and of worth, and is hardly
# otherwise in hue
_AS_CLEAR, _AS_ROUND, _AS_PROVEN, _OTHERWISE = 0.75, 0.85, 0.25, 0.03

# … or is a whole block of rings that may be of this paint, hardly proven as it is so near to the mat's that mottle
# turns it: nothing but bases makes so many rings of one size, all round, in ranks and files
_ANY_OF_A_BLOCK = replace(EACH, support=0.50, worth=-1.0)
_WHOLE_BLOCK = Limits(kinship=0.80, strength=(0.40, 1.25), astray=0.10, support=0.80, contrast=0.17, worth=0.01)
_IN_ORDER = 6  # so many, and of such relief, too


def by_their_number(fit: Found, rims: Rims, paint: Paint, off_the_mat: Mask | None) -> Mask:
    """Which rims (N,) are believed for the many like them, though the usual one would not be."""
    crowd = _crowd(fit, rims, paint, off_the_mat) | in_order(fit, rims, paint)
    return crowd | _tops_alike(fit, rims, paint, off_the_mat)


def with_blocks(fit: Found, rims: Rims, paint: Paint, each: Mask) -> Mask:
    """The rims (N,) that are believed, and those that stand in the ranks and files of a block of such, or of one
    that is of this very paint as a whole: what turns the hue of each, such as its figure, turns that of all of them
    far less."""
    last, both = _LAST_OF_A_BLOCK.hold(rims) & ~each, each.copy()
    for block in _blocks(fit, each, last):
        if np.count_nonzero(each[block]) >= _MOST_OF_A_BLOCK * len(block):
            both[block] = True
    for block in _blocks(fit, each, _AMID.hold(rims) & ~each):
        mostly = np.count_nonzero(each[block]) >= _OF_A_BLOCK * len(block)
        if mostly or _is_of_the_paint(fit, rims, paint, block, each):
            both[block] = True
    return both


def _blocks(fit: Found, each: Mask, amid: Mask) -> Iterator[NDArray[np.intp]]:
    """The blocks, each by the numbers of its bases, that those that are believed (N,) form with others ``amid``
    them (N,) that may be."""
    if not each.any() or not amid.any():
        return
    for group in groups_of(fit.placed):
        own = np.array([k for k in group if each[k] or amid[k]], dtype=np.intp)
        if amid[own].any():
            block = own[formed([fit.placed[k] for k in own], np.where(each[own], 1.0, 1.0 - _OF_A_BLOCK))]
            if len(block):
                yield block


def _is_of_the_paint(fit: Found, rims: Rims, paint: Paint, block: NDArray[np.intp], each: Mask) -> bool:
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
    if np.count_nonzero(each) < MANY:
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


def are_as_clear(fit: Found, rims: Rims, each: Mask) -> Mask:
    """Which rims (N,) are as clear as the usual one of the many that are believed, though of another shade."""
    if np.count_nonzero(each) < MANY:
        return np.zeros_like(each)
    usual = rims.usual(each, np.ones(len(each)))
    limits = replace(
        _OTHERWISE_LIT,
        contrast=_OTHERWISE_LIT.contrast * usual.contrast[0],
        worth=_OTHERWISE_LIT.worth * usual.worth[0],
    )
    return np.asarray(limits.hold(rims) & (fit.relief > _AS_FULLY * np.median(fit.relief[each])), dtype=np.bool_)


def _crowd(fit: Found, rims: Rims, paint: Paint, off_the_mat: Mask | None) -> Mask:
    """Which rims (N,) on the mat are of a paint to a hair, if many are and no shadow may make it."""
    exact = _TO_A_HAIR.hold(rims) & (fit.relief > _RISES)
    if off_the_mat is not None:
        exact &= ~off_the_mat
    if np.count_nonzero(exact) < A_CROWD or paint.off_mat < UNLIKE_MAT or hue_apart(paint) < COLOURFUL:
        return np.zeros_like(exact)
    return exact


def proven_rings(fit: Found, rims: Rims, paint: Paint, off_the_mat: Mask | None) -> Mask:
    """Which rims (N,) on the mat are rings beyond doubt, if many are, however little of their paint is left."""
    rings = _RINGS.hold(rims) & (fit.relief > _STANDS_UP)
    if off_the_mat is not None:
        rings &= ~off_the_mat
    if paint.off_mat < UNLIKE_MAT or np.count_nonzero(rings) < _MANY_RINGS:
        return np.zeros_like(rings)
    return rings


def _tops_alike(fit: Found, rims: Rims, paint: Paint, off_the_mat: Mask | None) -> Mask:
    """Which rims (N,) on the mat are those of an army whose bases' tops are nearly of its paint, if many are seen
    all round."""
    alike = _LIKE_ITS_TOP.hold(rims) & (fit.relief > _STANDS_OFF)
    if off_the_mat is not None:
        alike &= ~off_the_mat
    unlike = paint.off_mat > _FAR_FROM_MAT and hue_apart(paint) > COLOURFUL
    if not unlike or np.count_nonzero(alike) < A_CROWD:
        return np.zeros_like(alike)
    return as_usual(fit, rims, shown_of(fit, rims, alike), off_the_mat, _TURNED_BY_TOPS)


def _without_seams(fit: Found) -> Mask:
    """Which bases (N,) are squares that touch others."""
    touch = np.zeros(len(fit.placed), dtype=np.bool_)
    for group in groups_of(fit.placed):
        if len(group) > 1:
            touch[[k for k in group if not fit.placed[k].outline.round_]] = True
    return touch


def as_usual(fit: Found, rims: Rims, usual: Shown, off_the_mat: Mask | None, turned: float = _TURNED) -> Mask:
    """Which rims (N,) on the mat look as the usual one of their army does, ``turned`` in hue by so little; of
    squares that touch, none, where rims prove so little that no seam tells where they stand."""
    limits = Limits(
        kinship=usual.kinship - turned,
        strength=(_OF_STRENGTH[0] * usual.strength, _OF_STRENGTH[1] * usual.strength),
        astray=usual.astray + turned,
        support=_AS_ROUND * usual.support,
        contrast=_AS_FULLY * usual.contrast,
        worth=-1.0,
    )
    alike = limits.hold(rims) & (fit.relief > _AS_FULLY * usual.relief)
    if off_the_mat is not None:
        alike &= ~off_the_mat
    return np.asarray(alike & ~_without_seams(fit) if usual.worth < EACH.worth else alike)


def in_order(fit: Found, rims: Rims, paint: Paint) -> Mask:
    """Which rims (N,) stand in the ranks and files of a block of rings that may be of this paint."""
    stands = np.zeros(len(rims.kinship), dtype=np.bool_)
    if paint.off_mat < UNLIKE_MAT:
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


def are_narrow(fit: Found, rims: Rims, paint: Paint, off_the_mat: Mask | None) -> bool:
    """Whether so many are seen alike on the mat, as well as rims of their width can be."""
    each = NARROW_EACH.hold(rims)
    if off_the_mat is not None:
        each &= ~off_the_mat
    if each.sum() < MANY or paint.off_mat < UNLIKE_MAT or fit.look.blur_mm < _BLURRED * fit.look.rim_mm:
        return False
    return bool(_NARROW.hold(rims.usual(each, np.ones(len(each))))[0])
