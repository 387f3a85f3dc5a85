"""One frame in, one `Observation` out; and the `Measurer`, which between frames measures only what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.markers import FoundMarker, corners_on_table, find_markers
from calibration.pictures import grey_of
from calibration.pose import solve_pose
from calibration.records import Intrinsics, Table
from vision.bases import find_bases
from vision.changes import Difference
from vision.ground import Ground, ground_of
from vision.records import BaseSeen, CameraSeen, Observation, TagSeen, TerrainSeen
from vision.renewal import footprints, plan_renewal
from vision.tags import find_tags
from vision.terrain import find_terrain

__all__ = ["Measurer", "measure"]

Image = NDArray[np.uint8]

_PLAIN_BASES = "bases without a painted rim are not looked for yet: the empty table's picture was not used"
_STILL_PX = 0.6  # markers that stay within this of where the kept pose puts them say that the camera hangs still
_COARSE_PX = 16  # a frame's cells when it is looked over for changes
_CHANGED = 14.0  # grey levels by which a cell's colour must change to count
_CHANGED_CELLS = 12  # that many neighbouring changed cells may be a piece of terrain that was moved
_NUDGED = 10.0  # grey levels: a base that is nudged by half a millimetre makes more, JPEG at sharp edges less
_LIT = 0.15  # light that has changed by this share is measured in anew


def measure(
    frame_bgr: Image, table: Table, intrinsics: Intrinsics | None = None, empty_bgr: Image | None = None
) -> Observation:
    """What one picture (H, W, 3) of a table shows.

    Without ``intrinsics`` the lens is guessed, and said to be. ``empty_bgr`` is the table before anything stood
    on it; bases without paint are not found by it yet, and a warning says so. Raises
    calibration.errors.JobFailed where too few table markers are in sight or agree, and UnusableFile where the lens
    is for another shape of picture.
    """
    return Measurer(table, intrinsics, empty_bgr).measure(frame_bgr)


@dataclass(frozen=True, eq=False)
class _Seen:
    """What was measured last: ``picture`` (H, W, 3) is what each part of it looked like when it was."""

    picture: Image
    camera: CameraModel
    found: tuple[FoundMarker, ...]
    ground: Ground
    terrain: tuple[TerrainSeen, ...]
    tags: tuple[TagSeen, ...]
    bases: tuple[BaseSeen, ...]


@dataclass(frozen=True, eq=False)
class _Terrain:
    """The terrain, and what the table looked like when it was measured: coarsely, and where something ``stood``."""

    pieces: tuple[TerrainSeen, ...]
    ground: Ground
    coarse: NDArray[np.float32]
    stood: NDArray[np.bool_]


class Measurer:
    """Measures frame after frame of one camera. One thread at a time may use it.

    While the table markers stay where the kept pose puts them, only what has changed in the picture is measured
    again; in doubt all of it is. ``camera`` is the latest pose, None before the first frame; ``bumped`` tells
    whether the last frame showed that the camera had moved.
    """

    def __init__(self, table: Table, intrinsics: Intrinsics | None = None, empty_bgr: Image | None = None) -> None:
        self.table = table
        self.intrinsics = intrinsics
        self.empty_bgr = empty_bgr
        self.camera: CameraModel | None = None
        self.bumped = False
        self._size_px: tuple[int, int] | None = None
        self._seen: _Seen | None = None
        self._terrain: _Terrain | None = None

    def measure(self, frame_bgr: Image, *, anew: bool = False) -> Observation:
        """What a frame (H, W, 3) shows, all of it measured ``anew`` if so wished; errors as for `measure`."""
        before = None if anew else self._seen
        changed = None if before is None else _changed_since(before.picture, frame_bgr)
        warnings = [] if self.empty_bgr is None else [_PLAIN_BASES]
        if before is not None and changed is not None and not changed.any():
            self.bumped = False
            return self._observation(before, warnings)
        found = find_markers(grey_of(frame_bgr), self.table.markers.dictionary)
        camera = self._pose(found, (frame_bgr.shape[1], frame_bgr.shape[0]), warnings)
        self._seen, seen = None, None
        if before is not None and changed is not None and before.camera is camera:
            seen = self._in_part(frame_bgr, found, before, changed)
        seen = seen or self._whole(frame_bgr, found, camera, before)
        self._seen = seen if any(m.id in camera.markers_used for m in found) else None
        return self._observation(seen, warnings)

    def _whole(
        self, frame_bgr: Image, found: tuple[FoundMarker, ...], camera: CameraModel, before: _Seen | None
    ) -> _Seen:
        """All of a frame measured; the terrain only where a large piece of the picture has changed on which nothing
        stood."""
        coarse = _coarse(frame_bgr)
        kept = self._terrain
        stood = () if before is None else before.bases
        upheaval = kept is not None and _upheaval(
            kept.coarse, coarse, kept.stood | self._footprints(frame_bgr, camera, stood, found)
        )
        if kept is None or upheaval:
            kept = None
            pieces = tuple(find_terrain(frame_bgr, camera, self.table, found))
            ground = ground_of(pieces, self.table)
        else:
            pieces, ground = kept.pieces, kept.ground
        bases = tuple(find_bases(frame_bgr, camera, self.table, ground, found))
        if kept is None:
            self._terrain = _Terrain(pieces, ground, coarse, self._footprints(frame_bgr, camera, bases, found))
        tags = tuple(find_tags(found, camera, self.table, ground))
        return _Seen(frame_bgr.copy(), camera, found, ground, pieces, tags, bases)

    def _in_part(
        self, frame_bgr: Image, found: tuple[FoundMarker, ...], before: _Seen, changed: NDArray[np.bool_]
    ) -> _Seen | None:
        """What has changed measured, the rest as it was; None where it is in doubt whether that is enough."""
        camera, terrain = before.camera, self._terrain
        plan = plan_renewal(changed, before.bases, camera, self.table)
        if plan is None or terrain is None:
            return None
        looked = find_bases(frame_bgr, camera, self.table, before.ground, found, plan.within)
        bases = plan.joined(looked)
        if bases is None:
            return None
        stood = terrain.stood | self._footprints(frame_bgr, camera, bases, found)
        if _upheaval(terrain.coarse, _coarse(frame_bgr), stood):
            return None
        picture = before.picture.copy()
        picture[plan.within] = frame_bgr[plan.within]
        tags = tuple(find_tags(found, camera, self.table, before.ground))
        return _Seen(picture, camera, found, before.ground, before.terrain, tags, bases)

    def _footprints(
        self, frame_bgr: Image, camera: CameraModel, bases: Sequence[BaseSeen], found: Sequence[FoundMarker]
    ) -> NDArray[np.bool_]:
        """Where a changed picture (H, W) tells nothing of terrain: bases and prints explain it."""
        return footprints((frame_bgr.shape[0], frame_bgr.shape[1]), bases, found, camera, self.table)

    def _observation(self, seen: _Seen, warnings: Sequence[str]) -> Observation:
        camera = seen.camera
        return Observation(
            camera=CameraSeen(
                reprojection_rms_px=camera.reprojection_rms_px,
                position_mm=_triple(camera.position_mm),
                markers_used=camera.markers_used,
            ),
            bases=seen.bases,
            tags=seen.tags,
            terrain=seen.terrain,
            warnings=(*camera.warnings, *warnings, *_not_seen(seen.found, self.table)),
        )

    def _pose(self, found: Sequence[FoundMarker], size_px: tuple[int, int], warnings: list[str]) -> CameraModel:
        """The kept pose where the markers in sight bear it out, else a new one."""
        kept = self.camera if self._size_px == size_px else None
        self.bumped = False
        off = np.zeros(0) if kept is None else _marker_shifts_px(found, self.table, kept)
        if kept is not None and off.size and float(np.median(off)) < _STILL_PX:
            return kept
        try:
            camera = solve_pose(found, self.table, self.intrinsics, size_px)
        except JobFailed:
            if kept is None or off.size:
                raise
            warnings.append("no table marker in sight: the camera is taken to hang where it hung")
            return kept
        if off.size:
            self.bumped = True
            warnings.append(f"the camera was moved ({np.median(off):.1f} px): its place was worked out anew")
        self.camera, self._size_px = camera, size_px
        self._terrain = None
        return camera


def _marker_shifts_px(found: Sequence[FoundMarker], table: Table, camera: CameraModel) -> NDArray[np.float64]:
    """How far the centres of the markers that the pose rests on lie from where it puts them, in px."""
    places = {m.id: m for m in table.markers.at if m.id in camera.markers_used}
    seen = [marker for marker in found if marker.id in places]
    if not seen:
        return np.zeros(0)
    corners = [corners_on_table(places[marker.id], table.markers.size_mm) for marker in seen]
    expected = camera.project(np.array([c.mean(axis=0) for c in corners]))
    return np.asarray(np.linalg.norm(expected - [m.centre_px for m in seen], axis=1), dtype=np.float64)


def _coarse(frame_bgr: Image) -> NDArray[np.float32]:
    height, width = frame_bgr.shape[:2]
    size = (max(width // _COARSE_PX, 1), max(height // _COARSE_PX, 1))
    return np.asarray(cv2.resize(frame_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _upheaval(before: NDArray[np.float32], now: NDArray[np.float32], but_for: NDArray[np.bool_]) -> bool:
    """Whether a connected piece of the picture large enough to be terrain looks otherwise than before.

    ``but_for`` (H, W) are pixels of the whole picture whose change is accounted for.
    """
    if before.shape != now.shape:
        return True
    differs = (np.abs(now - before).max(axis=2) > _CHANGED).astype(np.uint8)
    size = differs.shape[1], differs.shape[0]
    differs[cv2.resize(but_for.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.5] = 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(differs)
    return bool((stats[1:, cv2.CC_STAT_AREA] >= _CHANGED_CELLS).any())


def _changed_since(before: Image, now: Image) -> NDArray[np.bool_] | None:
    """Which pixels (H, W) have changed; None where no pixel can be compared: other light, or another size."""
    if before.shape != now.shape:
        return None
    difference = Difference(before, now, _NUDGED)
    return None if np.abs(difference.gain - 1.0).max() > _LIT else difference.mask()


def _not_seen(found: Sequence[FoundMarker], table: Table) -> list[str]:
    seen = {marker.id for marker in found}
    return [f"marker {m.id} not seen" for m in table.markers.at if m.id not in seen]


def _triple(place: NDArray[np.float64]) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in place)
    return x, y, z
