"""One frame in, one `Observation` out; and the `Measurer`, which remembers between frames what did not change."""

from __future__ import annotations

from collections.abc import Sequence

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
from vision.ground import ground_of
from vision.records import CameraSeen, Observation, TerrainSeen
from vision.tags import find_tags
from vision.terrain import find_terrain

__all__ = ["Measurer", "measure"]

Image = NDArray[np.uint8]

_PLAIN_BASES = "bases without a painted rim are not looked for yet: the empty table's picture was not used"
_STILL_PX = 0.6  # markers that stay within this of where the kept pose puts them say that the camera hangs still
_COARSE_PX = 16  # a frame's cells when it is looked over for changes
_CHANGED = 14.0  # grey levels by which a cell's colour must change to count
_CHANGED_CELLS = 12  # that many neighbouring changed cells may be a piece of terrain that was moved


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


class Measurer:
    """Measures frame after frame of one camera. One thread at a time may use it.

    While the table markers stay where the kept pose puts them, pose and terrain are not worked out anew.
    ``camera`` is the latest pose, None before the first frame; ``bumped`` tells whether the last frame showed that
    the camera had moved.
    """

    def __init__(self, table: Table, intrinsics: Intrinsics | None = None, empty_bgr: Image | None = None) -> None:
        self.table = table
        self.intrinsics = intrinsics
        self.empty_bgr = empty_bgr
        self.camera: CameraModel | None = None
        self.bumped = False
        self._size_px: tuple[int, int] | None = None
        self._terrain: list[TerrainSeen] | None = None
        self._terrain_frame: NDArray[np.float32] | None = None

    def measure(self, frame_bgr: Image) -> Observation:
        """What a frame (H, W, 3) shows; errors as for `measure`."""
        found = find_markers(grey_of(frame_bgr), self.table.markers.dictionary)
        warnings = [] if self.empty_bgr is None else [_PLAIN_BASES]
        camera = self._pose(found, (frame_bgr.shape[1], frame_bgr.shape[0]), warnings)
        terrain = self._terrain_of(frame_bgr, camera, found)
        ground = ground_of(terrain, self.table)
        tags = find_tags(found, camera, self.table, ground)
        bases = find_bases(frame_bgr, camera, self.table, ground, found)
        return Observation(
            camera=CameraSeen(
                reprojection_rms_px=camera.reprojection_rms_px,
                position_mm=_triple(camera.position_mm),
                markers_used=camera.markers_used,
            ),
            bases=tuple(bases),
            tags=tuple(tags),
            terrain=tuple(terrain),
            warnings=(*camera.warnings, *warnings, *_not_seen(found, self.table)),
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

    def _terrain_of(self, frame_bgr: Image, camera: CameraModel, found: Sequence[FoundMarker]) -> list[TerrainSeen]:
        """The terrain of this frame; that of an earlier one where no large piece of the picture has changed."""
        coarse = _coarse(frame_bgr)
        if self._terrain is None or self._terrain_frame is None or _changed(self._terrain_frame, coarse):
            self._terrain = find_terrain(frame_bgr, camera, self.table, found)
            self._terrain_frame = coarse
        return self._terrain


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


def _changed(before: NDArray[np.float32], now: NDArray[np.float32]) -> bool:
    """Whether a connected piece of the picture large enough to be terrain looks otherwise than before."""
    if before.shape != now.shape:
        return True
    differs = (np.abs(now - before).max(axis=2) > _CHANGED).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(differs)
    return bool((stats[1:, cv2.CC_STAT_AREA] >= _CHANGED_CELLS).any())


def _not_seen(found: Sequence[FoundMarker], table: Table) -> list[str]:
    seen = {marker.id for marker in found}
    return [f"marker {m.id} not seen" for m in table.markers.at if m.id not in seen]


def _triple(place: NDArray[np.float64]) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in place)
    return x, y, z
