"""What a unit's fire covers, for the page to draw: sectors from its figures, or cells of its grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.records.game import Cell, Figure, Round

__all__ = ["Origin", "cells", "edge_mm", "sectors"]


class Origin(NamedTuple):
    """Where a sector begins: a point in table mm, its bearing, how far from the point ranges begin, and how far
    this figure shoots where that is less than the others."""

    x_mm: float
    y_mm: float
    bearing_deg: float
    edge_mm: float = 0.0
    most_mm: float | None = None


def edge_mm(figure: Figure) -> float:
    """How far a figure's edge is from its middle, at the farthest."""
    base = figure.base
    return base.diameter_mm / 2 if isinstance(base, Round) else float(np.hypot(base.width_mm, base.depth_mm)) / 2


def sectors(
    half_deg: float,
    bands_mm: Sequence[float],
    origins: Iterable[Origin],
    range_from_mm: Sequence[float] | None = None,
) -> dict[str, Any] | None:
    """The arc of a unit on a free table; None where nobody fires.

    ``half_deg`` to either side of each origin's bearing, out to ``bands_mm``, nearest first; with
    ``range_from_mm`` (x, y) ranges begin at that point for all of them.
    """
    begins = [{key: value for key, value in origin._asdict().items() if value is not None} for origin in origins]
    if not begins or not bands_mm:
        return None
    arc = {"half_deg": half_deg, "range_mm": bands_mm[-1], "bands_mm": list(bands_mm), "from": begins}
    return arc if range_from_mm is None else {**arc, "range_from_mm": list(range_from_mm)}


def cells(bands: Iterable[tuple[str, Iterable[Cell]]]) -> dict[str, Any] | None:
    """The arc of a unit on a grid: the cells of each range band, nearest first; None where there are none."""
    named = [{"band": band, "cells": [list(cell) for cell in found]} for band, found in bands]
    return {"bands": named} if any(band["cells"] for band in named) else None
