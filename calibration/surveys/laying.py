"""Where the table markers lie, from one picture of the table: the play area is laid between them.

The markers' places among each other come from `survey_markers`; how the play area lies between them from two of its
corners that somebody pointed at, or else from the markers themselves, which lie round it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.poses.pose import LEAST_MARKERS, solve_pose
from calibration.prints.markers import FoundMarker
from calibration.records import Intrinsics, MarkerAt, Table
from calibration.surveys.lengths import Length, scale_by
from calibration.surveys.survey import Survey, SurveyPhoto, survey_markers

__all__ = ["Laid", "Missing", "lay_table", "missing_markers", "scaled_to"]

Points = NDArray[np.float64]

_RAISED_MM = 5.0  # a marker that looks higher or lower than the others by less lies beside them
_NEVER_MM = 4000.0  # no marker lies so far from the play area
_INSIDE = 0.12  # of its size: markers that lie farther in than this are not laid round it


@dataclass(frozen=True, eq=False)
class Laid:
    """A table with its markers' places, and what is to be said of them."""

    table: Table
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Missing:
    """Which of the markers that the table lists are in sight and which are not, and which it does not list."""

    seen: tuple[int, ...]
    missing: tuple[int, ...]
    others: tuple[int, ...]


def missing_markers(found: Sequence[FoundMarker], table: Table, ids: range = range(10)) -> Missing:
    """The table markers in sight and out of it; ``ids`` are those that may be table markers."""
    listed = {marker.id for marker in table.markers.at}
    seen = {marker.id for marker in found if marker.id in listed or marker.id in ids}
    return Missing(tuple(sorted(seen & listed)), tuple(sorted(listed - seen)), tuple(sorted(seen - listed)))


def lay_table(
    found: Sequence[FoundMarker],
    size_px: tuple[int, int],
    table: Table,
    lens: Intrinsics | None,
    near_px: tuple[tuple[float, float], tuple[float, float]] | None = None,
    lengths: Sequence[Length] = (),
) -> Laid:
    """The table with the places of all markers found in a picture of ``size_px`` (width, height).

    ``near_px`` are the pixels of the play area's near left and near right corner; without them it lies in the
    middle of the markers, as they are seen. ``lengths`` are distances of markers by tape, which set the scale.
    Markers are taken to lie in one plane, but for those that clearly look larger for lying on something.
    Raises JobFailed where there are too few, UnusableFile for a lens of another shape.
    """
    clear = _demand(found)
    size_mm = table.markers.size_mm
    frame = (clear[0].id, clear[1].id)
    survey, said = _surveyed(SurveyPhoto("the picture", size_px, tuple(clear)), size_mm, lens, frame)
    scale = scale_by(lengths, survey.markers, size_mm) if lengths else None
    camera = solve_pose(clear, _with_places(table, survey), lens, size_px)
    places = {m.id: np.array([m.x_mm, m.y_mm]) for m in survey.markers}
    origin, turn = _frame_from_corners(camera, near_px) if near_px else _frame_from_markers(places, camera, table)
    said += list(scale.warnings if scale else ())
    factor = scale.factor if scale else 1.0
    laid = _moved(survey, origin, turn)
    laid_table = replace(table, markers=replace(table.markers, at=laid))
    if factor != 1.0:
        laid_table = scaled_to(laid_table, factor, about=(0.0, 0.0) if near_px else None)
    return Laid(laid_table, tuple(said + list(_far(laid_table))))


def scaled_to(table: Table, factor: float, about: tuple[float, float] | None = None) -> Table:
    """The table with its markers' places and size scaled about a point, or about the middle of the play area.

    >>> from calibration.records import MarkerAt, Markers, TableSize
    >>> at = (MarkerAt(id=0, x_mm=-100.0, y_mm=0.0),)
    >>> size = TableSize(width_mm=1000, depth_mm=1000)
    >>> table = Table(format="vedette-table/1", table=size, markers=Markers(dictionary="D", size_mm=80, at=at))
    >>> scaled_to(table, 1.01, (0.0, 0.0)).markers.at[0].x_mm
    -101.0
    """
    x, y = (table.table.width_mm / 2, table.table.depth_mm / 2) if about is None else about
    at = tuple(
        replace(
            marker, x_mm=round(x + (marker.x_mm - x) * factor, 3), y_mm=round(y + (marker.y_mm - y) * factor, 3)
        )
        for marker in table.markers.at
    )
    return replace(table, markers=replace(table.markers, size_mm=round(table.markers.size_mm * factor, 4), at=at))


def _surveyed(
    photo: SurveyPhoto, size_mm: float, lens: Intrinsics | None, frame: tuple[int, int]
) -> tuple[Survey, list[str]]:
    """The markers of one photo, those that nothing raises at height 0, and what is to be said."""
    free = survey_markers([photo], size_mm, lens, frame)
    table = float(np.median([marker.z_mm for marker in free.markers]))
    raised = {m.id: round(m.z_mm - table) for m in free.markers if abs(m.z_mm - table) > _RAISED_MM}
    survey = free if raised else survey_markers([photo], size_mm, lens, frame, flat=True)
    at = tuple(replace(m, z_mm=m.z_mm - table if m.id in raised else 0.0) for m in survey.markers)
    said = [
        f"marker {i} lies {abs(mm)} mm {'above' if mm > 0 else 'below'} the others, as it looks: better lay it flat"
        " beside the table as well"
        for i, mm in raised.items()
    ]
    said += [w for w in survey.warnings if "one photo only" not in w and "how high" not in w]
    return dataclasses.replace(survey, markers=at), said


def _demand(found: Sequence[FoundMarker]) -> list[FoundMarker]:
    ids = [marker.id for marker in found]
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise JobFailed(f"marker {twice[0]} is seen twice: lay each number once, and put the copy away")
    if len(found) < LEAST_MARKERS:
        seen = f"marker{'s' if len(ids) != 1 else ''} {', '.join(map(str, sorted(ids)))}" if ids else "no marker"
        raise JobFailed(
            f"{seen} seen, and three or more are needed, four to check each other: lay one beyond each corner of"
            " the table, flat, in the light, with its white border in sight"
        )
    return sorted(found, key=lambda marker: marker.id)


def _with_places(table: Table, survey: Survey) -> Table:
    return replace(table, markers=replace(table.markers, at=survey.markers))


def _frame_from_corners(
    camera: CameraModel, near_px: tuple[tuple[float, float], tuple[float, float]]
) -> tuple[Points, float]:
    left, right = camera.to_plane(np.array(near_px), 0.0)
    if not np.isfinite([left, right]).all() or np.linalg.norm(right - left) < 50:
        raise JobFailed("the two corners lie in one place: touch the near left corner, and then the near right one")
    along = right - left
    return left, float(np.arctan2(along[1], along[0]))


def _frame_from_markers(places: Mapping[int, Points], camera: CameraModel, table: Table) -> tuple[Points, float]:
    """The play area in the middle of the markers, its near edge along that of theirs at the picture's bottom."""
    points = np.array(list(places.values()))
    (x, y), _, angle = cv2.minAreaRect(points.astype(np.float32))
    width_px, height_px = camera.intrinsics.width_px, camera.intrinsics.height_px
    across = camera.to_plane(np.array([[width_px * 0.4, height_px / 2], [width_px * 0.6, height_px / 2]]), 0.0)
    right = float(np.arctan2(*(across[1] - across[0])[::-1]))
    sides = [np.radians(angle) + k * np.pi / 2 for k in range(4)]
    turn = min(sides, key=lambda side: abs((side - right + np.pi) % (2 * np.pi) - np.pi))
    half = np.array([table.table.width_mm, table.table.depth_mm]) / 2
    return np.array([x, y]) - _turned(half[None], turn)[0], float(turn)


def _moved(survey: Survey, origin: Points, turn: float) -> tuple[MarkerAt, ...]:
    """The survey's markers in the frame of the play area."""
    moved = []
    for marker in survey.markers:
        x, y = _turned(np.array([[marker.x_mm, marker.y_mm]]) - origin, -turn)[0]
        moved.append(
            replace(
                marker,
                x_mm=round(float(x), 3),
                y_mm=round(float(y), 3),
                z_mm=round(marker.z_mm, 1),
                rotation_deg=round((marker.rotation_deg + float(np.degrees(turn))) % 360.0, 3) % 360.0,
            )
        )
    return tuple(moved)


def _turned(points: Points, angle: float) -> Points:
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[c, s], [-s, c]]), dtype=np.float64)


def _far(table: Table) -> list[str]:
    """That the play area cannot lie where the markers have it."""
    size = table.table
    out = [
        marker.id
        for marker in table.markers.at
        if not (-_NEVER_MM < marker.x_mm < size.width_mm + _NEVER_MM)
        or not (-_NEVER_MM < marker.y_mm < size.depth_mm + _NEVER_MM)
    ]
    within = [
        marker.id
        for marker in table.markers.at
        if _INSIDE < marker.x_mm / size.width_mm < 1 - _INSIDE
        and _INSIDE < marker.y_mm / size.depth_mm < 1 - _INSIDE
    ]
    said = [f"marker {i} lies metres from the table: is the size of the table right?" for i in out]
    if len(within) > len(table.markers.at) // 2:
        said.append(
            "most markers lie within the play area: is the size of the table right, and that of the markers"
            f" {table.markers.size_mm:g} mm, over the black square?"
        )
    return said
