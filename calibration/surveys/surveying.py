"""A survey asked for on the command line: photos read, the table's own places honoured, the table written anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from msgspec import structs

from calibration.pictures import read_picture
from calibration.prints.markers import find_markers
from calibration.records import Intrinsics, MarkerAt, Table
from calibration.surveys.lengths import Length, Scale, scale_by
from calibration.surveys.survey import Survey, SurveyPhoto, placed, survey_markers

__all__ = ["Request", "Surveyed", "survey_table"]


@dataclass(frozen=True)
class Request:
    """What is asked: the table to start from, and how its frame is laid.

    ``origin_mm`` (2 or 3 numbers) and ``bearing_deg`` are None where the table's own places of the frame markers
    count, or else 0, 0 and 90. ``ids`` None means all; ``flat`` is as in `survey_markers`.
    """

    table: Table
    lens: Intrinsics | None
    frame: tuple[int, int]
    origin_mm: tuple[float, ...] | None
    bearing_deg: float | None
    lengths: tuple[Length, ...]
    ids: frozenset[int] | None
    flat: bool | None = None


@dataclass(frozen=True, eq=False)
class Surveyed:
    """The survey in the table's frame, the table with it, and what gave it its scale."""

    survey: Survey
    table: Table
    scale: Scale


def survey_table(photos: Iterable[Path], request: Request) -> Surveyed:
    """Reads photos, surveys them, and lays the result into the table's frame.

    Raises UnusableFile for unreadable photos, JobFailed where no survey can be had.
    """
    read = [_photo(path, request) for path in photos]
    markers = request.table.markers
    found = survey_markers(read, markers.size_mm, request.lens, request.frame, flat=request.flat)
    said = list(found.warnings)
    scale = scale_by(request.lengths, found.markers, markers.size_mm)
    said += scale.warnings
    origin, bearing, anchored = _frame(request)
    moved = placed(found, origin, bearing, found.frame_length_mm * scale.factor)
    seen = {m.id for m in moved.markers}
    kept = [m for m in markers.at if m.id not in seen and anchored]
    dropped = sorted(m.id for m in markers.at if m.id not in seen and not anchored)
    if dropped:
        said.append(f"left out of the table, since in no photo: markers {', '.join(map(str, dropped))}")
    at = tuple(sorted((*moved.markers, *kept), key=lambda m: m.id))
    table = structs.replace(request.table, markers=structs.replace(markers, size_mm=moved.size_mm, at=at))
    return Surveyed(replace(moved, warnings=tuple(said)), table, scale)


def _photo(path: Path, request: Request) -> SurveyPhoto:
    picture = read_picture(path)
    found = find_markers(picture, request.table.markers.dictionary)
    wanted = tuple(f for f in found if request.ids is None or f.id in request.ids)
    return SurveyPhoto(str(path), (picture.shape[1], picture.shape[0]), wanted)


def _frame(request: Request) -> tuple[tuple[float, float, float], float, bool]:
    """Where the first frame marker lies, the bearing to the second, and whether the table's own places say so."""
    listed: dict[int, MarkerAt] = {m.id: m for m in request.table.markers.at}
    first, second = (listed.get(i) for i in request.frame)
    x, y, z = (0.0, 0.0, 0.0) if first is None else (first.x_mm, first.y_mm, first.z_mm)
    if request.origin_mm is not None:
        x, y = request.origin_mm[:2]
        z = request.origin_mm[2] if len(request.origin_mm) > 2 else z
    bearing = 90.0
    if first is not None and second is not None:
        bearing = float(np.degrees(np.arctan2(second.x_mm - first.x_mm, second.y_mm - first.y_mm)))
    if request.bearing_deg is not None:
        bearing = request.bearing_deg
    own = request.origin_mm is None and request.bearing_deg is None and first is not None and second is not None
    return (x, y, z), bearing, own
