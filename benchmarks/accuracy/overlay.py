"""A measurement drawn over its picture: what is right is thin and green, what is wrong is thick and named."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy.cases import Case
from benchmarks.accuracy.scoring import Score
from calibration.camera import CameraModel
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from calibration.records import BaseKind, Table
from vision.frames.records import Image
from vision.records import BaseSeen
from vision.simulated import BasePlaced
from vision.simulated.solids import outline_of, turned
from vision.simulated.truth import BaseTruth

_RIGHT, _TRUE, _WRONG, _MISSED = (60, 220, 60), (255, 255, 255), (255, 0, 255), (0, 0, 255)
_FAR_MM = 1.5
_LARGER = 2  # the picture is drawn upon enlarged, for a rim is only two pixels wide


def picture_of_errors(case: Case, score: Score) -> Image:
    """The case's picture, enlarged, with what was found, missed and made up drawn upon it."""
    picture = np.ascontiguousarray(
        cv2.resize(case.photo, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_NEAREST), dtype=np.uint8
    )
    found = find_markers(case.photo, case.table.markers.dictionary)
    camera = solve_pose(found, case.table, case.intrinsics, (case.photo.shape[1], case.photo.shape[0]))
    pen = _Pen(picture, camera, case.table)
    for piece in case.truth.terrain:
        pen.line(np.array(piece.polygon_mm), piece.height_mm, _TRUE, 1)
    for error in score.bases:
        wrong = error.off_mm > _FAR_MM or (error.bearing_deg or 0.0) > 20.0
        pen.base(error.seen, _WRONG if wrong else _RIGHT, 1)
        if wrong:
            pen.base(error.truth, _TRUE, 1)
            turned_by = "" if error.bearing_deg is None else f" {error.bearing_deg:.0f} deg"
            pen.word(f"{error.off_mm:.1f}{turned_by}", error.truth, _WRONG)
    for missed in score.bases_missed:
        pen.base(missed, _MISSED, 2)
    for false in score.bases_false:
        pen.base(false, _WRONG, 2)
        pen.word(f"false {false.army}/{false.base}", false, _WRONG)
    for tag in case.truth.tags:
        if tag.id in score.tags_missed:
            pen.ring((tag.x_mm, tag.y_mm), 25.0, tag.z_mm, _MISSED)
    return picture


class _Pen:
    """Draws table outlines upon a picture."""

    def __init__(self, picture: Image, camera: CameraModel, table: Table) -> None:
        self._picture = picture
        self._camera = camera
        self._kinds: dict[tuple[str, str], BaseKind] = {(a.name, b.name): b for a in table.armies for b in a.bases}

    def line(self, outline: NDArray[np.float64], z_mm: float, colour: Sequence[int], wide: int) -> None:
        seen = self._camera.project(np.column_stack([outline, np.full(len(outline), z_mm)]))
        if np.isfinite(seen).all():
            corners = np.rint(((seen + 0.5) * _LARGER - 0.5) * 16).astype(np.int32)
            cv2.polylines(self._picture, [corners], True, tuple(colour), wide, cv2.LINE_AA, 4)

    def base(self, one: BaseSeen | BaseTruth, colour: Sequence[int], wide: int) -> None:
        kind = next(
            (k for (army, name), k in self._kinds.items() if name == one.base and one.army in (army, None)), None
        )
        if kind is None:
            self.ring((one.x_mm, one.y_mm), 12.0, one.z_mm, colour)
            return
        at = BasePlaced(id="", army="", base="", x_mm=one.x_mm, y_mm=one.y_mm, bearing_deg=one.bearing_deg or 0.0)
        self.line(turned(outline_of(kind), at), one.z_mm + kind.height_mm, colour, wide)
        if one.bearing_deg is not None:
            nose = turned(np.array([(0.0, 0.0), (0.0, 14.0)]), at)
            self.line(nose, one.z_mm + kind.height_mm, colour, 1)

    def ring(self, at_mm: tuple[float, float], radius_mm: float, z_mm: float, colour: Sequence[int]) -> None:
        turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        self.line(np.array(at_mm) + radius_mm * np.column_stack([np.cos(turn), np.sin(turn)]), z_mm, colour, 2)

    def word(self, text: str, one: BaseSeen | BaseTruth, colour: Sequence[int]) -> None:
        seen = self._camera.project([(one.x_mm, one.y_mm, one.z_mm)])[0] * _LARGER
        at = (int(seen[0]) + 14, int(seen[1]) - 14)
        cv2.putText(self._picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, tuple(colour), 1, cv2.LINE_AA)
