"""Rows of rectangular bases that stand shoulder to shoulder, taken for one long base: their outer edge tells more
than the seams between them do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned

__all__ = ["row_outlines", "singly"]

_MOST = 6  # bases of a row that are tried as one
_GAP_MM = 0.4  # between bases that are pushed together


def row_outlines(outlines: Sequence[Outline]) -> dict[Outline, tuple[Outline, int]]:
    """For each row that is tried: the base that it is made of, and how many of them."""
    rows = {}
    for base in outlines:
        if not base.round_:
            for count in range(2, _MOST + 1):
                half = base.half_width_mm * count + _GAP_MM * (count - 1) / 2
                rows[replace(base, name=f"{base.name} x{count}", half_width_mm=half)] = (base, count)
    return rows


def singly(placed: Sequence[Placed], rows: Mapping[Outline, tuple[Outline, int]]) -> list[Placed]:
    """The bases that rows are made of, left to right; single bases as they are."""
    out: list[Placed] = []
    for row in placed:
        if row.outline not in rows:
            out.append(row)
            continue
        base, count = rows[row.outline]
        step = 2 * base.half_width_mm + _GAP_MM
        along = (np.arange(count) - (count - 1) / 2) * step
        places = turned(np.column_stack([along, np.zeros(count)]), row.bearing_deg)
        out += [
            replace(row, outline=base, x_mm=row.x_mm + float(dx), y_mm=row.y_mm + float(dy)) for dx, dy in places
        ]
    return out
