"""What stands where, exactly: the ``vedette-truth/1`` record that a measurement is held against.

Positions are table millimetres, bearings degrees clockwise from +y (see `calibration.records`).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["BaseTruth", "TagTruth", "TerrainTruth", "Truth"]

#: What can be known of a base's bearing: all of it, but for half turns, but for quarter turns, nothing.
BearingVisible = Literal["full", "mod180", "mod90", "none"]


class BaseTruth(Struct, frozen=True, kw_only=True):
    """A base: ``army`` is None where no paint tells it; ``z_mm`` is the height of the ground that it stands on.

    The two fractions are the shares of the rim's and of the front mark's area in the camera's sight; None for all.
    """

    id: str
    army: str | None
    base: str
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    height_mm: float = 3.0
    bearing_deg: float
    bearing_visible: BearingVisible = "full"
    visible_rim_fraction: float | None = None
    visible_mark_fraction: float | None = None


class TagTruth(Struct, frozen=True, kw_only=True):
    """A unit tag that lies flat, and the share of it in sight."""

    id: int
    x_mm: float
    y_mm: float
    z_mm: float = 0.3
    bearing_deg: float
    visible_fraction: float | None = None


class TerrainTruth(Struct, frozen=True, kw_only=True):
    """A piece of terrain: the outlines of its top and of its foot (the same where the sides are upright)."""

    kind: str
    polygon_mm: tuple[tuple[float, float], ...]
    foot_polygon_mm: tuple[tuple[float, float], ...] = ()
    height_mm: float = 0.0


class Truth(Struct, frozen=True, kw_only=True):
    """All that a perfect program would answer to one picture."""

    format: Literal["vedette-truth/1"] = "vedette-truth/1"
    case: str = ""
    bases: tuple[BaseTruth, ...] = ()
    tags: tuple[TagTruth, ...] = ()
    terrain: tuple[TerrainTruth, ...] = ()
    notes: tuple[str, ...] = ()
