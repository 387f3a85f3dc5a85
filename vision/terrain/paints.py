"""What each kind of terrain looks like: how far a picture's colours lie from its paint."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.records import TerrainKind
from vision.terrain.colour import lightness_roots, paint_of

__all__ = ["Paint", "distance", "paint_for", "refined", "unlikelihood"]

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Mask = NDArray[np.bool_]

_FLAT_MM = 5.0  # felt and card throw no shade of their own and have no sides
_HUE_OFF = 0.016  # how far a paint's hue may be off what the table file says, in cube roots of light
_BRIGHTER = 0.07  # how much brighter (logarithm of the root) a surface may be than the markers' light says
_CORE = 0.04  # samples this near to their median are averaged
_DARKER_FLAT = 0.2  # flat patches may lie in shade
_LEAST_HUE_OFF = 0.012  # colours are told apart in steps of about this size


@dataclass(frozen=True, eq=False)
class Paint:
    """A kind's colour as cube roots of light (3,) BGR, and the usual deviations from it.

    ``hue_off`` is across, ``darker`` and ``brighter`` along the colour (in logarithms).
    """

    kind: str
    height_mm: float
    roots: Floats32
    hue_off: float
    darker: float
    brighter: float

    @property
    def flat(self) -> bool:
        """Whether it is a sheet with no sides to speak of."""
        return self.height_mm <= _FLAT_MM


def paint_for(kind: TerrainKind, vividness: float = 1.0) -> Paint:
    """The paint of a kind as its table file says it, seen by a camera that makes colours so many times as vivid."""
    roots = lightness_roots(paint_of(kind.colour, vividness).astype(np.float32))
    darker = _DARKER_FLAT if kind.height_mm <= _FLAT_MM else _BRIGHTER
    return Paint(kind.kind, kind.height_mm, roots, _HUE_OFF, darker, _BRIGHTER)


def distance(roots: Floats32, paint: Paint) -> Floats32:
    """How far colours (..., 3) lie from a paint, in its deviations, squared: (...)."""
    target = paint.roots
    along = (roots @ target) / float(target @ target)
    across = np.sqrt(np.maximum(np.einsum("...i,...i", roots, roots) - along * along * float(target @ target), 0.0))
    across /= np.clip(along, 0.5, 1.0)
    log = np.log(np.maximum(along, 0.05))
    spread = np.where(log < 0, paint.darker, paint.brighter)
    return np.asarray((across / paint.hue_off) ** 2 + (log / spread) ** 2, dtype=np.float32)


def refined(paint: Paint, roots: Floats32) -> Paint:
    """The paint as samples (N, 3) of one kind's pieces show it: their median, and their own spread."""
    middle = np.median(roots, axis=0)
    near = np.linalg.norm(roots - middle, axis=1) <= _CORE
    centre = roots[near].mean(axis=0).astype(np.float32)
    unit = centre / float(np.linalg.norm(centre))
    along = roots @ unit
    across = np.linalg.norm(roots - along[:, None] * unit, axis=1)
    hue_off = float(np.clip(1.7 * np.median(across), _LEAST_HUE_OFF, paint.hue_off))
    return replace(paint, roots=centre, hue_off=hue_off)


def unlikelihood(distance: Floats32, paint: Paint) -> Floats32:
    """Distances from a paint as twice the negative logarithm of a colour's likelihood, but for a constant; any
    shape."""
    long = max(paint.darker, paint.brighter) * float(np.linalg.norm(paint.roots))
    return distance + np.float32(2.0 * np.log(paint.hue_off**2 * long))
