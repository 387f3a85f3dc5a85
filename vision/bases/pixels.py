"""Where a base stands."""

from __future__ import annotations

from dataclasses import dataclass

from vision.bases.shapes import Outline

__all__ = ["Placed"]


@dataclass(frozen=True)
class Placed:
    """The ground point under its centre, the ground's height, its bearing up to its turn."""

    outline: Outline
    x_mm: float
    y_mm: float
    z_mm: float
    bearing_deg: float
