"""What is told of an army's painted rims, held against its paint, and limits that they must keep to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.usual import Shown
from vision.bases.weighing.judged import Found

__all__ = [
    "COLOURFUL",
    "EACH",
    "UNLIKE_MAT",
    "Limits",
    "Rims",
    "hue_apart",
    "rims_of",
    "shown_of",
    "weighed_median",
    "worth",
]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

COLOURFUL = 0.2  # of a paint's features of hue from the mat's: no shadow makes it
_LIGHTNESS = 2  # of a paint's features
UNLIKE_MAT = 2.0  # sigmas off the mat's colours: of such a paint no mottle is taken for it


@dataclass(frozen=True)
class Limits:
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

    def hold(self, rims: Rims) -> Mask:
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
class Rims:
    """What is told of rims, each (N,): see `Limits`; ``worth`` as the function has it."""

    kinship: Floats
    strength: Floats
    astray: Floats
    support: Floats
    contrast: Floats
    worth: Floats

    def usual(self, which: Mask, weights: Floats) -> Rims:
        """The usual one (1,) of some of them, each counted by its weight (N,)."""
        told = (getattr(self, name)[which] for name in self.__dataclass_fields__)
        return Rims(*(weighed_median(values, weights[which]) for values in told))


EACH = Limits(kinship=0.70, strength=(0.35, 1.25), astray=0.22, support=0.35, contrast=0.12, worth=0.02)


def worth(fit: Found) -> Floats:
    """How well each base (N,) is seen: how clear its rim is, and how much of it explains the picture."""
    return np.asarray(np.maximum(fit.contrast, 0) * np.maximum(fit.proof, 0), dtype=np.float64)


def rims_of(fit: Found, paint: Paint, *, cleared: bool = False) -> Rims:
    """The rims (N,) of bases, held against a paint: as they look, or ``cleared`` of the hue that blur carries there
    from the tops within them; one of the mat's colour carries none."""
    colours = fit.colours
    if cleared:
        along = paint.strength(fit.tops)[:, None] * (paint.paint - paint.ground)
        colours = colours - fit.look.from_within * (fit.tops - paint.ground - along)
    kin, strength, astray = paint.kinship(colours), paint.strength(colours), paint.astray(colours)
    return Rims(kin, strength, astray, fit.support, fit.contrast, worth(fit))


def shown_of(fit: Found, rims: Rims, which: Mask) -> Shown:
    """How the usual one of some rims (N,) looks."""
    usual = rims.usual(which, np.ones(len(which)))
    told = {name: float(getattr(usual, name)[0]) for name in usual.__dataclass_fields__}
    return Shown(relief=float(np.median(fit.relief[which])), **told)


def hue_apart(paint: Paint) -> float:
    """How far a paint's features of hue lie from the table's."""
    return float(np.linalg.norm((paint.paint - paint.ground)[:_LIGHTNESS]))


def weighed_median(values: Floats, weights: Floats) -> Floats:
    """The median (1,) of values (N,), each counted by its weight (N,)."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    low, high = (int(np.searchsorted(total, share * total[-1])) for share in (0.5 - 1e-9, 0.5 + 1e-9))
    return np.asarray([(values[order[low]] + values[order[min(high, len(order) - 1)]]) / 2], dtype=np.float64)
