"""How likely a base stands within 3 mm of where it was fitted, told by what its fit leaves unexplained.

Bases that look as clear as any stand wrong now and then: in hard shadow a block of them can be packed in more than
one way. What gives them away is that the picture is explained worse than it can be, and that little holds the fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.bases.weighing.packing import groups_of
from vision.bases.weighing.ranks import formed

if TYPE_CHECKING:
    from vision.bases.weighing.judged import Found

__all__ = ["FOLLOWED", "LIKELY", "confidence", "confidence_in_ranks", "less_likely", "likely_of", "widened"]

Floats = NDArray[np.float64]

LIKELY = 0.6  # what may as well not be there is not reported: a base made up does more harm than one missed
FOLLOWED = 0.9  # the line of those so sure is looked for beyond what is seen of it

# a logistic regression over 3,900 bases of 81 drawn tables
_EVEN, _UNEXPLAINED, _CONTRAST, _LOOSE = 2.4, -30.4, 8.1, -0.8
_FORMED, _CERTAIN = (
    2.5,
    0.9,
)  # and of 250 that stand in ranks and files; what is so sure need not ask its neighbours
# … and, by 31 of 1,226 that were wrong, what is painted beyond a rim, more than shadows make, or than is usual for
# so many
_BEYOND, _SOME, _MANY = -4.0, 0.15, 4
_WIDER = 25.0  # by the square of the doubt: 95 % of those of any confidence are then within 2.45 sigmas (of 6,400)


def confidence(found: Found) -> Floats:
    """The probability (N,) that each base is where, and of the kind that, it was found."""
    return _likely(_odds(found))


def confidence_in_ranks(found: Found) -> Floats:
    """The same (N,), where those that stand in the ranks and files of a block are told by all of it: hardly one
    that is wrong does."""
    odds = _odds(found)
    likely = _likely(odds)
    if float(likely.min(initial=1.0)) < _CERTAIN:
        for group in groups_of(found.placed):
            if float(likely[group].min()) < _CERTAIN:
                odds[group] += _FORMED * formed([found.placed[k] for k in group], likely[group])
    return _likely(odds)


def less_likely(likely: Floats, beyond: Floats) -> Floats:
    """The probabilities (N,) of an army's bases that were so ``likely`` (N,), with such a share (N,) painted
    ``beyond`` them. In poor light, all about each of them may look painted: only more than is usual tells."""
    usual = max(_SOME, float(np.median(beyond))) if len(beyond) >= _MANY else _SOME
    odds = np.log(np.maximum(likely, 1e-9) / np.maximum(1 - likely, 1e-9))
    return _likely(odds + _BEYOND * np.maximum(beyond - usual, 0.0))


def likely_of(found: Found) -> Found:
    """Those that would be reported if their army is there: what hardly stands as it was fitted tells nothing of
    whether it is, nor of what terrain it is like, and takes nothing from others."""
    return found.taken(np.flatnonzero(confidence_in_ranks(found) >= LIKELY).tolist())


def _odds(found: Found) -> Floats:
    """The logarithm (N,) of the odds for each base, judged by its own rim."""
    loose = 0.5 * np.log(np.maximum(np.linalg.det(found.covariance[:, :2, :2]), 1e-12))  # of sigma squared, in mm
    return np.asarray(
        _EVEN + _UNEXPLAINED * found.residual + _CONTRAST * found.contrast + _LOOSE * loose, dtype=np.float64
    )


def _likely(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0))), dtype=np.float64)


def widened(sigma_mm: Floats, likely: Floats) -> Floats:
    """The sigmas (N,) of bases so ``likely`` (N,) to be right: what may stand wrong may be farther off."""
    return np.asarray(sigma_mm * (1 + _WIDER * np.square(1 - likely)), dtype=np.float64)
