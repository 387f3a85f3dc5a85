"""The shadow that bases cast about their feet, alike all over a table: which way, how far and how soft."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Lit", "Shade"]


@dataclass(frozen=True)
class Shade:
    """Where the shadow of a thing 1 mm high ends (mm, right and up the table), and how soft, one sigma in mm, its
    edge is."""

    x_mm: float
    y_mm: float
    soft_mm: float


@dataclass(frozen=True)
class Lit:
    """What a look at many bases told of a table's lamp: the ``shade`` that they cast, None where they show none."""

    shade: Shade | None
