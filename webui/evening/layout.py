"""The steps of the table and the known length: its size, where its markers lie, and the tape that checks them."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from calibration.errors import CalibrationError, JobFailed
from calibration.poses.taped import Taped, compare, ends_of
from calibration.records import TableSize
from calibration.surveys.laying import lay_table, missing_markers, scaled_to
from calibration.surveys.lengths import Length
from webui.errors import BadRequest, NotReady, Refused
from webui.evening.bench import Workbench

__all__ = ["SIZES_MM", "lay", "layout_view", "resize", "scale_to_tape", "tape"]

_TABLE_IDS = range(10)
#: The least and the most that a table may be long or deep.
SIZES_MM = (200.0, 10_000.0)
_MARKERS_MM = (15.0, 400.0)

Point = tuple[float, float]


def layout_view(bench: Workbench) -> dict[str, Any]:
    """The table's size, its markers, and how they are seen in the newest frame; as shares of the picture."""
    table = bench.table
    told: dict[str, Any] = {
        "width_mm": table.table.width_mm,
        "depth_mm": table.table.depth_mm,
        "marker_mm": table.markers.size_mm,
        "markers": msgspec.to_builtins(table.markers.at),
        "seen": [], "missing": [], "others": [], "outlines": [], "area": [], "warnings": [], "trouble": None,
        "off_mm": None,
    }  # fmt: skip
    try:
        found = [marker for marker in bench.found() if marker.id in _TABLE_IDS or marker.id in _listed(bench)]
        size = _size_px(bench)
    except NotReady as error:
        return {**told, "trouble": str(error)}
    split = missing_markers(found, table, _TABLE_IDS)
    told |= {"seen": split.seen, "missing": split.missing, "others": split.others}
    told["outlines"] = [
        {"id": marker.id, "corners": _shares(marker.corners_px, size), "listed": marker.id in split.seen}
        for marker in found
    ]
    if not table.markers.at:
        return told
    try:
        model = bench.model()
    except CalibrationError as error:
        return {**told, "trouble": str(error)}
    width, depth = table.table.width_mm, table.table.depth_mm
    corners = np.array([[0, 0, 0], [width, 0, 0], [width, depth, 0], [0, depth, 0]], dtype=np.float64)
    told["area"] = _shares(model.project(corners), size)
    told["warnings"] = [warning for warning in model.warnings if "no lens file" not in warning]
    told["off_mm"] = max((round(one.off_mm, 2) for one in model.held_out), default=None)
    return told


def resize(bench: Workbench, width_mm: float, depth_mm: float, marker_mm: float) -> None:
    """Says how large the table and the printed markers are. Raises BadRequest."""
    for name, value, (least, most) in (
        ("width", width_mm, SIZES_MM), ("depth", depth_mm, SIZES_MM), ("marker", marker_mm, _MARKERS_MM),
    ):  # fmt: skip
        if not least <= value <= most:
            raise BadRequest(f"{name}: expected {least:g} to {most:g} mm, got {value:.12g}")
    table = bench.table
    if marker_mm != table.markers.size_mm and table.markers.at:
        bench.keep(tape_mm=None, tape_off_mm=None)
    sized = replace(
        table,
        table=TableSize(width_mm=width_mm, depth_mm=depth_mm),
        markers=replace(table.markers, size_mm=marker_mm),
    )
    if sized != table:
        bench.use_table(sized)


def lay(bench: Workbench, near: tuple[Point, Point] | None) -> list[str]:
    """Finds where the markers lie from the newest frame; what is to be said of it.

    ``near`` are the near left and the near right corner of the table as shares of the picture. Raises JobFailed.
    """
    found = [marker for marker in bench.found() if marker.id in _TABLE_IDS]
    size = _size_px(bench)
    pixels = None if near is None else (_pixel(near[0], size), _pixel(near[1], size))
    laid = lay_table(found, size, bench.table, bench.lens, pixels)
    bench.use_table(laid.table)
    bench.keep(corners=near is not None, tape_mm=None, tape_off_mm=None)
    return [warning for warning in laid.warnings if "no lens file" not in warning]


def tape(bench: Workbench, ends: tuple[int, int] | tuple[Point, Point], mm: float) -> Taped:
    """A length by the camera beside the tape's figure, and keeps what came of it. Raises JobFailed, NotReady,
    BadRequest where the ends are one marker."""
    model = bench.model()
    first, second = ends
    if isinstance(first, int) and isinstance(second, int):
        if first == second:
            raise BadRequest("between: expected two different markers")
        seen = {marker.id: marker.centre_px for marker in bench.found()}
        taped = compare(model, ends_of(seen, first, second), mm)
    else:
        assert not isinstance(first, int)
        assert not isinstance(second, int)
        size = _size_px(bench)
        pixels = np.array([_pixel(first, size), _pixel(second, size)])
        taped = compare(model, (pixels[0], pixels[1]), mm, pointed=True)
    bench.keep(tape_mm=mm, tape_off_mm=round(taped.off_mm, 2))
    return taped


def scale_to_tape(bench: Workbench, between: tuple[int, int], mm: float) -> list[str]:
    """Scales the table to the tape's length between two markers; what is to be said of it. Raises JobFailed, and
    Refused where the tape is a tenth or more off."""
    from calibration.surveys.lengths import scale_by

    scale = scale_by([Length(*between, mm)], bench.table.markers.at, bench.table.markers.size_mm)
    if not 0.9 < scale.factor < 1.1:
        raise Refused(
            f"the tape would make everything {100 * (scale.factor - 1):+.1f} % larger: that is no printer's doing;"
            " is the figure in millimetres, and the marker's size right?"
        )
    bench.use_table(scaled_to(bench.table, scale.factor, (0.0, 0.0) if bench.setup.corners else None))
    bench.keep(tape_mm=mm, tape_off_mm=0.0)
    return list(scale.warnings)


def _listed(bench: Workbench) -> set[int]:
    return {marker.id for marker in bench.table.markers.at}


def _size_px(bench: Workbench) -> tuple[int, int]:
    image = bench.frame().image
    return image.shape[1], image.shape[0]


def _pixel(share: Point, size: tuple[int, int]) -> Point:
    if not (0 <= share[0] <= 1 and 0 <= share[1] <= 1):
        raise JobFailed("that is outside the picture: touch a place in it")
    return share[0] * size[0], share[1] * size[1]


def _shares(points_px: Any, size: tuple[int, int]) -> list[tuple[float, float]]:
    """Pixels (N, 2) as shares of the picture; those that the camera does not see are left out."""
    return [
        (round(float(x) / size[0], 5), round(float(y) / size[1], 5))
        for x, y in points_px
        if np.isfinite(x) and np.isfinite(y)
    ]
