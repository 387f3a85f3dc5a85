"""Where the camera hangs, from frame to frame: the pose is kept while the table markers stay where they were seen.

Markers are held against where they were seen when the pose was worked out, not against where the pose puts them: so
a third of a pixel is noticed, and a camera that sags slowly is followed. One marker that moves alone was moved
itself; if at least half of those in sight move, it was the camera.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.poses.pose import solve_pose
from calibration.prints.markers import FoundMarker
from calibration.records import Intrinsics, MarkerAt, Table

__all__ = ["PoseTracker", "TrackedPose"]

Points = NDArray[np.float64]

_STILL_PX = 0.3  # markers that stay within this of where they were seen say that the camera hangs still …
_BUMPED_PX = 0.6  # … and from here on it was bumped, rather than that it sagged
_MOVED_MM = 1.0  # a marker that has moved alone by less than this has not been moved


@dataclass(frozen=True, eq=False)
class TrackedPose:
    """What a frame's markers say: the camera, as far as these bear it out, and whether it was ``bumped``.

    ``notes`` are to be said while nothing changes, ``news`` once.
    """

    camera: CameraModel
    notes: tuple[str, ...] = ()
    news: tuple[str, ...] = ()
    bumped: bool = False


class PoseTracker:
    """The pose of one camera, kept while it hangs still. ``camera`` is None before the first frame."""

    def __init__(self, table: Table, intrinsics: Intrinsics | None) -> None:
        self.camera: CameraModel | None = None
        self._table = table
        self._lens = intrinsics
        self._size_px: tuple[int, int] | None = None
        self._seen_at: Mapping[int, Points] = {}
        self._asked: frozenset[int] = frozenset()
        self._moved: frozenset[int] = frozenset()

    def is_moved(self, found: Sequence[FoundMarker]) -> bool | None:
        """Whether these markers show that the camera no longer hangs where the pose has it; None without any."""
        shift_px = self._shift_px(found)
        return None if np.isnan(shift_px) else shift_px >= _BUMPED_PX

    def update(self, found: Sequence[FoundMarker], size_px: tuple[int, int]) -> TrackedPose:
        """The camera by a frame of ``size_px`` in which these markers were found.

        Raises calibration.errors.JobFailed where it was moved, or was never known, and too few markers agree.
        """
        kept = self.camera if self._size_px == size_px else None
        if kept is None:
            return TrackedPose(self._solve(found, size_px))
        shift_px = self._shift_px(found)
        if np.isnan(shift_px):
            return self._unseen(found, kept, size_px)
        if shift_px < _STILL_PX:
            return self._still(found, kept, size_px)
        said = f"the camera was moved ({shift_px:.1f} px)"
        try:
            camera = self._solve(found, size_px)
        except JobFailed as error:
            raise JobFailed(f"{said}, and its place cannot be worked out anew yet: {error}") from error
        bumped = shift_px >= _BUMPED_PX
        moved = _notes(self._moved_alone(found, camera))
        return TrackedPose(
            camera, moved, news=(f"{said}: its place was worked out anew",) if bumped else (), bumped=bumped
        )

    def _still(self, found: Sequence[FoundMarker], kept: CameraModel, size_px: tuple[int, int]) -> TrackedPose:
        """The kept pose; or a better one, where markers have come into sight that it does not rest on."""
        if not self._listed(found) <= self._asked:
            try:
                return TrackedPose(self._solve(found, size_px))
            except JobFailed:  # what is new does not agree: the pose that is known is as good as it was
                self._asked |= self._listed(found)
        moved = self._moved_alone(found, kept)
        back = self._moved - moved.keys()
        self._moved, self._asked = frozenset(moved), self._asked - (back - self._seen_at.keys())
        if not moved:
            return TrackedPose(kept)
        used = tuple(i for i in kept.markers_used if i not in moved)
        return TrackedPose(replace(kept, markers_used=used), _notes(moved))

    def _unseen(self, found: Sequence[FoundMarker], kept: CameraModel, size_px: tuple[int, int]) -> TrackedPose:
        """The camera by markers that it did not rest on, or as it was, where none are in sight."""
        try:
            return TrackedPose(self._solve(found, size_px))
        except JobFailed:
            return TrackedPose(kept, ("no table marker in sight: the camera is taken to hang where it hung",))

    def _solve(self, found: Sequence[FoundMarker], size_px: tuple[int, int]) -> CameraModel:
        """A new pose, by markers of which none is known to have been moved, where there are enough."""
        honest = [f for f in found if f.id not in self._moved]
        camera = solve_pose(honest, self._table, self._lens, size_px)
        self.camera, self._size_px = camera, size_px
        self._asked = self._listed(found)
        self._seen_at = {f.id: f.corners_px.mean(axis=0) for f in honest if f.id in camera.markers_used}
        return camera

    def _listed(self, found: Sequence[FoundMarker]) -> frozenset[int]:
        """The ids of those found that the table lists."""
        return frozenset(m.id for m in self._table.markers.at) & {f.id for f in found}

    def _shifts(self, found: Sequence[FoundMarker]) -> dict[int, float]:
        """By id, how far in px markers lie from where the pose was worked out by them."""
        off: dict[int, float] = {}
        for f in found:
            if f.id in self._seen_at:
                shift = float(np.linalg.norm(f.corners_px.mean(axis=0) - self._seen_at[f.id]))
                off[f.id] = min(shift, off.get(f.id, np.inf))
        return off

    def _shift_px(self, found: Sequence[FoundMarker]) -> float:
        """How far at least half of the markers in sight have moved; NaN where none is in sight."""
        off = sorted(self._shifts(found).values())
        return off[(len(off) - 1) // 2] if off else float("nan")

    def _moved_alone(self, found: Sequence[FoundMarker], camera: CameraModel) -> dict[int, float]:
        """By id, how far in mm markers were moved under a camera that hangs still: from where they were seen.

        Those known to have been moved when it was worked out where it hangs: from where they should be.
        """
        out = {}
        shifts = self._shifts(found)
        for place in self._table.markers.at:
            if shifts.get(place.id, np.inf) <= _STILL_PX:
                continue
            own = [f.corners_px.mean(axis=0) for f in found if f.id == place.id]
            if not own or not (place.id in self._seen_at or place.id in self._moved):
                continue
            at = self._seen_at.get(place.id, camera.project([[place.x_mm, place.y_mm, place.z_mm]])[0])
            off = min(_apart_mm(seen, at, camera, place) for seen in own)
            if off > _MOVED_MM:
                out[place.id] = off
        return out


def _notes(moved_mm: Mapping[int, float]) -> tuple[str, ...]:
    return tuple(
        f"marker {i} was moved by {off:.1f} mm: it is not used; put it back, or run `vedette survey`"
        for i, off in sorted(moved_mm.items())
    )


def _apart_mm(one_px: Points, other_px: Points, camera: CameraModel, marker: MarkerAt) -> float:
    """How far two pixels lie from each other on a marker's plane."""
    one, other = camera.to_plane(np.array([one_px, other_px]), marker.z_mm)
    return float(np.linalg.norm(one - other))
