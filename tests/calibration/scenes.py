"""A table with six markers, and what a perfect camera finds of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from calibration.prints.markers import FoundMarker, corners_on_table
from calibration.records import Intrinsics, MarkerAt, Markers, Table, TableSize
from tests.calibration.rendering import LENS, seen

SIZE = (LENS.width_px, LENS.height_px)

PLACES = (
    MarkerAt(id=0, x_mm=30.0, y_mm=20.0, z_mm=0.3),
    MarkerAt(id=1, x_mm=1170.0, y_mm=30.0, z_mm=0.3, rotation_deg=90.0),
    MarkerAt(id=2, x_mm=1160.0, y_mm=600.0, z_mm=-1.7, rotation_deg=181.5),
    MarkerAt(id=3, x_mm=40.0, y_mm=590.0, z_mm=0.3, rotation_deg=10.0),
    MarkerAt(id=4, x_mm=610.0, y_mm=15.0, z_mm=40.3),
    MarkerAt(id=5, x_mm=590.0, y_mm=610.0, z_mm=0.3, rotation_deg=300.0),
)


def table_with(places: Iterable[MarkerAt] = PLACES) -> Table:
    return Table(
        format="vedette-table/1",
        table=TableSize(width_mm=1200.0, depth_mm=600.0),
        markers=Markers(dictionary="DICT_4X4_100", size_mm=80.0, at=tuple(places)),
    )


def found_by(
    rvec: NDArray[np.float64], tvec: NDArray[np.float64], places: Iterable[MarkerAt] = PLACES, *,
    noise_px: float = 0.05, seed: int = 0, lens: Intrinsics = LENS,
) -> list[FoundMarker]:  # fmt: skip
    rng = np.random.default_rng(seed)
    out = []
    for place in places:
        corners = seen(corners_on_table(place, 80.0), rvec, tvec, lens)
        out.append(FoundMarker(place.id, corners + rng.normal(0, noise_px, (4, 2))))
    return out
