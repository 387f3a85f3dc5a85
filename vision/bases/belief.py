"""Whether what was fitted is an army's painted rims at all, in absolute terms: an army that is not on the table, or
one of few bases, is not to be made up from faint likenesses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.bases.crowds import (
    A_CROWD,
    MANY,
    NARROW_EACH,
    are_as_clear,
    are_narrow,
    as_usual,
    by_their_number,
    proven_rings,
    with_blocks,
)
from vision.bases.picture.paint import Paint
from vision.bases.rims import COLOURFUL, EACH, UNLIKE_MAT, Limits, Rims, hue_apart, rims_of, weighed_median
from vision.bases.usual import Shown
from vision.bases.weighing.judged import Found

__all__ = ["believed"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


# A rim on terrain, where trees, rocks and their shadows are of many colours: a clear rim, or plainly this paint
_RIM_OFF_THE_MAT = Limits(kinship=0.70, strength=(0.35, 1.25), astray=0.12, support=0.50, contrast=0.25, worth=0.10)
_PAINT_OFF_THE_MAT = Limits(
    kinship=0.95, strength=(0.55, 1.25), astray=0.08, support=0.50, contrast=0.12, worth=0.02
)
# … or all round this very paint, if no shadow makes it, and no terrain has it: blur leaves less of it beside a
# colour that lies farther from it than the mat's
_RING_OFF_THE_MAT = Limits(
    kinship=0.95, strength=(0.42, 1.25), astray=0.08, support=0.65, contrast=0.15, worth=0.06
)
# … or, on the mat or off it, so well seen that only its shade is in question: a camera that squeezes highlights
# lifts pale paint, beside the white of paper, beyond the table's colour for it
_BEYOND_DOUBT = Limits(kinship=0.60, strength=(0.35, 2.0), astray=0.30, support=0.85, contrast=0.45, worth=0.35)
# … and, once the army is believed, whose paint is plainly this all round, though what lies about it, such as flock
# or a hill of much the same colour, leaves it little to prove
_OF_THE_ARMY = Limits(kinship=0.95, strength=(0.55, 1.25), astray=0.08, support=0.70, contrast=0.25, worth=-1.0)
# … or stands out from both its sides as far: a rim half in shadow is of two shades, and none explains both
_TWO_SHADES = Limits(kinship=0.90, strength=(0.50, 1.25), astray=0.13, support=0.80, contrast=0.35, worth=-1.0)
_FROM_BOTH = 0.55  # relief
_USUAL = Limits(kinship=0.82, strength=(0.45, 1.15), astray=0.17, support=0.70, contrast=0.175, worth=0.0)
_CLEARLY = Limits(kinship=0.90, strength=(0.45, 1.15), astray=0.10, support=0.70, contrast=0.175, worth=0.0)
# … or all, faint as in a coarse picture or in poor light, but plainly of this paint and proven well
_FAINT = Limits(kinship=0.90, strength=(0.45, 1.15), astray=0.10, support=0.70, contrast=0.15, worth=0.09)
# … or seen plainly, though of a paint so near to the mat's that mottle turns it
_LIKE_MAT = Limits(kinship=0.75, strength=(0.45, 1.15), astray=0.11, support=0.70, contrast=0.25, worth=0.12)

# … or none of this is asked, where the usual one is beyond doubt
_PLAINLY = Limits(kinship=0.80, strength=(0.45, 1.8), astray=0.25, support=0.85, contrast=0.45, worth=0.35)

_USUAL_WORTH, _USUAL_OF_COMMON = 0.055, 0.11  # shadows, edges of felt and leaves reach half of this
_OF_CROWD = 0.8  # … of that, where many are seen alike
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


def believed(
    fit: Found,
    paint: Paint,
    *,
    common: bool = False,
    off_the_mat: Mask | None = None,
    beside_its_own: Mask | None = None,
    usual: Shown | None = None,
) -> Mask:
    """Which of the bases (N,) have rims painted with this paint; ``common``: which terrain has, too.

    More is asked of those (N,) that stand ``off_the_mat``, on a piece of terrain, and of those ``beside_its_own``
    colour: nothing thins the paint there from without.

    A rim in shadow or half hidden may be poor; but if the usual one among them is, none is believed. Which is the
    usual one, those that are well seen may tell by their worth: an army of few bases is not doubted for the many
    things, hardly seen, that look a little like its paint.

    Where all of the table was looked at before, the few of a part need not be many: those that look as the
    ``usual`` one did are believed, unless terrain or a surface of their colour may look so.
    """
    rims = rims_of(fit, paint)
    flat = _are_flat(fit, rims, paint)
    told = _told_by_themselves(fit, rims, paint, flat, common, off_the_mat, beside_its_own)
    if not told.any():  # a green top turns the hue of all rims about such, in a coarse picture
        cleared = rims_of(fit, paint, cleared=True)
        many = _told_by_themselves(fit, cleared, paint, flat, common, off_the_mat, beside_its_own)
        told = many if np.count_nonzero(many) >= A_CROWD else told
    if usual is None or common:
        return told
    again = as_usual(fit, rims, usual, off_the_mat) & ~flat
    return told | (again if beside_its_own is None else again & ~beside_its_own)


def _told_by_themselves(
    fit: Found,
    rims: Rims,
    paint: Paint,
    flat: Mask,
    common: bool,
    off_the_mat: Mask | None,
    beside_its_own: Mask | None,
) -> Mask:
    """Which of the bases (N,) are believed by what is seen of them all, but for the ``flat`` ones."""
    narrow = are_narrow(fit, rims, paint, off_the_mat)
    rings = proven_rings(fit, rims, paint, off_the_mat)
    each = _singly(rims, paint, off_the_mat, narrow=narrow, common=common) | rings
    thin = np.zeros_like(each) if beside_its_own is None else _are_thin(rims, each, beside_its_own)
    each &= ~thin
    if each.any() and 2 * rims.worth[each & flat].sum() >= rims.worth[each].sum():
        return np.zeros_like(each)  # what is hardly seen outvotes nothing
    flat = flat | thin
    each &= ~flat
    if not each.any() or not _is_likely(rims, each, paint, beyond_doubt=narrow or bool(rings.any())):
        if common:
            return np.zeros_like(each)
        return with_blocks(fit, rims, paint, by_their_number(fit, rims, paint, off_the_mat) & ~flat)
    evenly, clear = rims.usual(each, np.ones(len(each))), rims.usual(each, rims.worth)
    stands_out = weighed_median(fit.relief[each], rims.worth[each])
    if common and evenly.worth[0] < _USUAL_OF_COMMON:
        each = _rings(fit, each)
    half_lit = _TWO_SHADES.hold(rims) & (fit.relief > _FROM_BOTH)
    if not common:
        as_clear = are_as_clear(fit, rims, each)
        if off_the_mat is not None:  # trees and their shadows are rings, too, as clear as a dark army's
            as_clear &= ~off_the_mat
        each |= as_clear | _OF_THE_ARMY.hold(rims) | half_lit
    each = np.asarray(each & ~_are_poor(fit, rims, clear, stands_out, half_lit) & ~flat)
    return each if common else with_blocks(fit, rims, paint, each)


def _is_likely(rims: Rims, each: Mask, paint: Paint, *, beyond_doubt: bool) -> bool:
    """Whether the usual one of some rims (N,) is an army's; if that is ``beyond_doubt``, whether it is proven."""
    evenly, clear = rims.usual(each, np.ones(len(each))), rims.usual(each, rims.worth)
    likely = _USUAL.hold(evenly) | beyond_doubt
    if paint.off_mat > UNLIKE_MAT:
        likely |= _CLEARLY.hold(clear) | _FAINT.hold(evenly) | _LIKE_MAT.hold(evenly) | _PLAINLY.hold(clear)
    least = _USUAL_WORTH * (_OF_CROWD if np.count_nonzero(each) >= A_CROWD else 1.0)
    return bool(likely[0]) and bool(evenly.worth[0] >= least)


def _singly(rims: Rims, paint: Paint, off_the_mat: Mask | None, *, narrow: bool, common: bool) -> Mask:
    """Which rims (N,) look enough like an army's by themselves, whatever the others are."""
    each = (NARROW_EACH if narrow else EACH).hold(rims)
    if off_the_mat is not None:
        plainly = _RIM_OFF_THE_MAT.hold(rims) | _PAINT_OFF_THE_MAT.hold(rims)
        if not common and hue_apart(paint) > COLOURFUL:
            plainly |= _RING_OFF_THE_MAT.hold(rims)
        each &= plainly | ~off_the_mat
    return np.asarray(each | _BEYOND_DOUBT.hold(rims) if paint.is_pale else each, dtype=np.bool_)


def _are_poor(fit: Found, rims: Rims, clear: Rims, stands_out: Floats, half_lit: Mask) -> Mask:
    """Which rims (N,) are other things than their army's ``clear`` ones (1,), which stand out so far (1,), are."""
    poor = (rims.worth < _OF_USUAL * clear.worth) & (rims.kinship < _OF_KINSHIP * clear.kinship)
    poor |= (fit.relief < _HARDLY * stands_out) & (rims.kinship < _OF_ANOTHER * clear.kinship)
    of_another_hue = rims.astray > np.maximum(_ASTRAY, _FARTHER * clear.astray)
    poor |= (rims.worth < np.minimum(_UNPROVEN, _HARDLY * clear.worth)) & of_another_hue & ~half_lit
    return np.asarray(poor, dtype=np.bool_)


def _are_flat(fit: Found, rims: Rims, paint: Paint) -> Mask:
    """Which rims (N,) are of a whole surface of the paint's colour, which lies beside them, too; or, if they are
    pale, even more so within them, as on a white cup."""
    least = np.interp(rims.strength, _FULL, _STANDS_BY) * rims.strength
    flat = (rims.strength > _FULL[0]) & (fit.relief < least)
    if paint.is_pale:
        flat |= fit.contrast < _DISC * fit.relief
    return np.asarray(flat, dtype=np.bool_)


def _are_thin(rims: Rims, each: Mask, beside_its_own: Mask) -> Mask:
    """Which rims (N,) on terrain of their paint's colour show much less of it, and less clearly, than the many do
    that stand on other ground: about a tree in a wood lies as much of its leaves' colour as of the wood's."""
    elsewhere = each & ~beside_its_own
    if np.count_nonzero(elsewhere) < MANY:
        return np.zeros_like(each)
    shows = rims.strength * rims.contrast
    usual = float(np.median(rims.strength[elsewhere]) * np.median(rims.contrast[elsewhere]))
    return np.asarray(beside_its_own & (shows < _THIN * usual), dtype=np.bool_)


def _rings(fit: Found, each: Mask) -> Mask:
    """Which of those (N,) of a colour that terrain has, too, are rims all the same: none, unless the usual one is
    a ring all round that stands out from one of its sides. A wood's edge is half of one, and a wood has no sides.
    """
    relief = float(np.median(fit.relief[each]))
    if float(np.median(fit.support[each])) < _ALL_ROUND or relief < _STANDS_OUT:
        return np.zeros_like(each)
    return np.asarray(each & (fit.support > _MOST_ROUND) & (fit.relief > _OF_RELIEF * relief), dtype=np.bool_)
