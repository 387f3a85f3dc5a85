"""What the bases of an army were like when all of them were looked at, by which those in a part of a later frame
are judged: few bases, or one in shadow, do not tell what is usual."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from vision.bases.picture.lamp import Lamp
from vision.bases.picture.paint import Paint
from vision.bases.picture.surfaces import Surfaces

__all__ = ["CORE", "UNKNOWN", "Known", "Look", "Section", "Shown", "Usual", "UsualMarks"]

Floats = NDArray[np.float64]

CORE = 0.35  # of a rim's width about its middle: there its colour is told


@dataclass(frozen=True)
class Look:
    """What all rims of an army share in a frame: the painted ring's width, the blur (sigma), and how bright the
    upright side looks beside the top."""

    rim_mm: float = 2.6
    blur_mm: float = 1.0
    side: float = 0.9

    @property
    def shows(self) -> float:
        """How much of its paint the middle of a rim shows."""
        return float(np.tanh(0.4 * self.rim_mm / self.blur_mm))

    @property
    def from_within(self) -> float:
        """How much of what is seen in the middle of a rim blur has carried there from the base's top."""
        depths_mm = np.linspace(-CORE, CORE, 9) * self.rim_mm
        return float(ndtr((-self.rim_mm / 2 - depths_mm) / self.blur_mm).mean())


@dataclass(frozen=True)
class UsualMarks:
    """The usual lead of an army's front marks over other places of the rim, and how much like a mark clear ones
    look (None where none was clear)."""

    lead: float
    shown: float | None


@dataclass(frozen=True)
class Shown:
    """How the usual one of an army's rims looks: see `Rims`, and for ``relief`` `Found`."""

    kinship: float
    strength: float
    astray: float
    support: float
    contrast: float
    worth: float
    relief: float


@dataclass(frozen=True, eq=False)
class Section:
    """What lies ``across`` (M, 3) the edge of an army's bases, from within to without: how far from the mat's
    colours, in sigmas of theirs, which ``whiten`` (3, 3) makes of features; and the ``share`` of it that the usual
    one of those shows that told it."""

    across: Floats
    whiten: Floats
    share: float

    @cached_property
    def weights(self) -> Floats:
        """How much (M,) each depth tells a base from the mat."""
        return np.asarray(np.square(self.across).sum(axis=1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Usual:
    """The usual (median) ``contrast`` and ``proof`` of an army's bases, and those of its clearest.

    ``painted`` is the gain of those of which much is in sight; ``look`` is what all rims share, ``rims`` how the
    usual one looks, and ``section`` what it shows from its top to the mat, if there are enough. See `Found`.
    """

    paint: Paint
    look: Look
    painted: float
    contrast: float
    proof: float
    clear_contrast: float
    clear_proof: float
    rims: Shown
    marks: UsualMarks | None = None
    section: Section | None = None


@dataclass(frozen=True, eq=False)
class Known:
    """What one look at a whole frame tells another: the mat's features (N, 3), what lies on it, how far its
    colour is blurred beside its brightness, what is usual, by army, and the lamp, if bases cast shadows."""

    background: Floats | None = None
    surfaces: Surfaces | None = None
    chroma_blur_px: float | None = None
    armies: Mapping[str, Usual] = field(default_factory=dict)
    lamp: Lamp | None = None

    def of_armies(self, there: Collection[str | None]) -> Known:
        """The same, but for what is usual for armies that are not there after all."""
        return replace(self, armies={name: usual for name, usual in self.armies.items() if name in there})


UNKNOWN = Known()
