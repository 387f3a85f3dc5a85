"""The light on what stands up: the shadow that bases cast about their feet, alike all over a table, and how bright
a base's sides are.

A level top has all of the light. An upright side, or a worn edge, has only half of what comes from all around, or a
little more, and of the lamp's own light as much as it faces the lamp: the side in the shadow is dark, and so narrow
that it looks like a part of the shadow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SLOPING", "UPRIGHT", "Lit", "Shade", "light_on"]

Singles = NDArray[np.float32]

UPRIGHT, SLOPING = 0.0, 0.5**0.5  # how far up the normal of a side points, and that of an edge worn or bevelled
_OF_LAMP = 0.45  # of the light on a level top: what a shadow takes away


@dataclass(frozen=True)
class Shade:
    """Where the shadow of a thing 1 mm high ends (mm, right and up the table), and how soft, one sigma in mm, its
    edge is.

    Where these are ``exact``, and not only the way is known, they tell how bright sides are and where figures' soft
    shadows fall, too.
    """

    x_mm: float
    y_mm: float
    soft_mm: float
    exact: bool = False


@dataclass(frozen=True)
class Lit:
    """What a look at many bases told of a table's lamp: the ``shade`` that they cast, None where they show none."""

    shade: Shade | None


def light_on(shade: Shade, normal: tuple[Singles, Singles], up: float) -> Singles:
    """How bright (N, P) faces are that look along a level normal (x, y) and so far ``up``, 1 for a level face."""
    even, lamp = np.float32((1 - _OF_LAMP) * (1 + up) / 2), np.float32(_OF_LAMP)
    level = np.float32(np.sqrt(1 - up * up))
    away = np.float32(shade.x_mm) * normal[0] + np.float32(shade.y_mm) * normal[1]
    return np.asarray(even + lamp * np.maximum(np.float32(up) - level * away, np.float32(0)), dtype=np.float32)
