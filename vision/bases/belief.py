"""Whether what was fitted is an army's painted rims at all, in absolute terms: an army that is not on the table, or
one of few bases, is not to be made up from faint likenesses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bases.paint import Paint
from vision.bases.search import Found

__all__ = ["believed", "worth"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Limits:
    """What a rim must be like, seen in the light that the printed markers tell.

    ``kinship`` is the least cosine between its colour and the paint's, both from the table's; ``strength`` how far
    it goes from the table's colour to the paint's (blur takes a third of a narrow rim); ``astray`` how far its
    features may lie off that line; ``support`` and ``contrast`` are the least of what `Fit` has.
    """

    kinship: float
    strength: tuple[float, float]
    astray: float
    support: float
    contrast: float

    def hold(self, kinship: Floats, strength: Floats, astray: Floats, support: Floats, contrast: Floats) -> Mask:
        """Which rims (N,) keep to them."""
        return np.asarray(
            (kinship > self.kinship)
            & (strength > self.strength[0])
            & (strength < self.strength[1])
            & (astray < self.astray)
            & (support > self.support)
            & (contrast > self.contrast)
        )


_EACH = _Limits(kinship=0.70, strength=(0.35, 1.25), astray=0.22, support=0.35, contrast=0.12)
_USUAL = _Limits(kinship=0.82, strength=(0.45, 1.15), astray=0.17, support=0.70, contrast=0.175)


_LEAST_WORTH, _USUAL_WORTH, _USUAL_OF_COMMON = (
    0.02,
    0.055,
    0.11,
)  # shadows, edges of felt and leaves reach half of this


def worth(fit: Found) -> Floats:
    """How well each base (N,) is seen: how clear its rim is, and how much of it explains the picture."""
    return np.asarray(np.maximum(fit.contrast, 0) * np.maximum(fit.proof, 0), dtype=np.float64)


def believed(fit: Found, paint: Paint, *, common: bool = False) -> Mask:
    """Which of the bases (N,) have rims painted with this paint; ``common``: which terrain has, too.

    A rim in shadow or half hidden may be poor; but if the usual one among them is, none is believed.
    """
    colours = fit.colours
    told = (paint.kinship(colours), paint.strength(colours), paint.astray(colours), fit.support, fit.contrast)
    each = _EACH.hold(*told) & (worth(fit) > _LEAST_WORTH)
    if each.any():
        usual = _USUAL.hold(*(np.median(values, keepdims=True) for values in told))[0]
        if not usual or np.median(worth(fit)[each]) < (_USUAL_OF_COMMON if common else _USUAL_WORTH):
            each[:] = False
    return each
