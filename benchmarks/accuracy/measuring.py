"""A case measured: all of it, or one part with the others taken from the truth."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from benchmarks.accuracy.cases import Case
from benchmarks.accuracy.scoring import Score, score
from calibration.errors import CalibrationError
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from vision.bases import find_bases
from vision.errors import VisionError
from vision.ground import Ground, Patch
from vision.measure import measure
from vision.plain import Pictures, look_against_empty
from vision.records import CameraSeen, Observation
from vision.simulated.truth import Truth
from vision.tags import find_tags
from vision.terrain import find_terrain
from vision.touched import tags_touched

ALL = frozenset(("bases", "tags", "terrain"))


@dataclass(frozen=True)
class Measured:
    """What a case was measured to show (None where that failed), its score, and the seconds that it took."""

    seen: Observation | None
    score: Score
    seconds: float


def measured(case: Case, only: frozenset[str] = ALL) -> Measured:
    """Measures a case and scores it; a failure to measure is part of the score, and not an exception."""
    began_s = time.process_time()
    try:
        seen = measure(case.photo, case.table, case.intrinsics, case.empty) if only == ALL else _in_part(case, only)
    except (CalibrationError, VisionError) as error:
        return Measured(None, Score(failures=(str(error),)), time.process_time() - began_s)
    seconds = time.process_time() - began_s
    return Measured(seen, score(case.truth, seen, only), seconds)


def true_ground(truth: Truth) -> Ground:
    """The ground that the true terrain makes."""
    pieces = [piece for piece in truth.terrain if piece.height_mm > 0 and piece.kind not in ("building", "wall")]
    return Ground(tuple(Patch(np.array(piece.polygon_mm, dtype=np.float64), piece.height_mm) for piece in pieces))


def _in_part(case: Case, only: frozenset[str]) -> Observation:
    """The parts that are asked for; the ground is the true one, so that only their own faults show."""
    photo, table = case.photo, case.table
    found = find_markers(photo, table.markers.dictionary)
    camera = solve_pose(found, table, case.intrinsics, (photo.shape[1], photo.shape[0]))
    ground = true_ground(case.truth)
    found = (*found, *tags_touched(photo, camera, table, ground, found))
    bases = find_bases(photo, camera, table, ground, found) if "bases" in only else []
    if case.empty is not None and "bases" in only:
        bases, _ = look_against_empty(Pictures(photo, case.empty, camera, table, ground, found), bases)
    x, y, z = (float(v) for v in camera.position_mm)
    return Observation(
        camera=CameraSeen(
            reprojection_rms_px=camera.reprojection_rms_px, position_mm=(x, y, z), markers_used=camera.markers_used
        ),
        bases=tuple(bases),
        tags=tuple(find_tags(found, camera, table, ground)) if "tags" in only else (),
        terrain=tuple(find_terrain(photo, camera, table, found)) if "terrain" in only else (),
    )
