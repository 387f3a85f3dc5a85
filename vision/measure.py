"""One frame in, one `Observation` out; and the `Measurer`, which between frames measures only what has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.prints.markers import FoundMarker, find_markers
from calibration.records import Intrinsics, Table
from vision.alike import alike
from vision.bases import UNKNOWN, Known, look_for_bases
from vision.errors import StrangeBackdrop
from vision.ground import FLAT, Ground, ground_of
from vision.records import BaseSeen, CameraSeen, Observation, TagSeen, TerrainSeen
from vision.renewing.glance import Glance, glance_at
from vision.renewing.pose import PoseTracker, TrackedPose
from vision.renewing.prints import has_changed, markers_near, markers_renewed
from vision.renewing.renewal import footprints, plan_renewal
from vision.renewing.terrain import terrain_renewed
from vision.standing import but_for_bases, room_for_figures
from vision.tags import find_tags
from vision.terrain import find_terrain
from vision.touched import tags_touched

if TYPE_CHECKING:
    from vision.plain.picture.shade import Lit

__all__ = ["Measurer", "measure"]

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
_Bases: TypeAlias = "tuple[tuple[BaseSeen, ...], Known, Lit | None]"

_COARSE_PX = 16  # a frame's cells when it is looked over for terrain that was moved
_CHANGED = 14.0  # grey levels by which such a cell's colour must change to count
_CARD_PX = 96  # no tag's card is larger in a frame, of 4K neither
_CHANGED_CELLS = 12  # that many neighbouring changed cells may be a piece of terrain that was moved


def measure(
    frame_bgr: Image, table: Table, intrinsics: Intrinsics | None = None, empty_bgr: Image | None = None
) -> Observation:
    """What one picture (H, W, 3) of a table shows.

    Without ``intrinsics`` the lens is guessed, and said to be. ``empty_bgr`` is the table before anything stood
    on it, by which bases without paint are found. Raises calibration.errors.JobFailed where too few table markers
    are in sight or agree, and UnusableFile where the lens is for another shape of picture.
    """
    return Measurer(table, intrinsics, empty_bgr).measure(frame_bgr)


@dataclass(frozen=True, eq=False)
class _Seen:
    """What was measured last: ``glance`` is what each part of the picture looked like when it was."""

    glance: Glance
    camera: CameraModel
    pose: TrackedPose
    found: tuple[FoundMarker, ...]
    ground: Ground
    terrain: tuple[TerrainSeen, ...]
    tags: tuple[TagSeen, ...]
    bases: tuple[BaseSeen, ...]
    known: Known
    lit: Lit | None


@dataclass(frozen=True, eq=False)
class _Terrain:
    """The terrain, and what the table looked like when it was measured: coarsely, and where something ``stood``."""

    pieces: tuple[TerrainSeen, ...]
    ground: Ground
    coarse: NDArray[np.float32]
    stood: Mask


class Measurer:
    """Measures frame after frame of one camera. One thread at a time may use it.

    While the table markers stay where they were seen, only what has changed in the picture is measured again; in
    doubt all of it is. ``bumped`` tells whether the last frame showed that the camera had moved: its place was then
    worked out anew, or, where `measure` raised, could not yet be.
    """

    def __init__(self, table: Table, intrinsics: Intrinsics | None = None, empty_bgr: Image | None = None) -> None:
        self.table = table
        self.intrinsics = intrinsics
        self.empty_bgr = empty_bgr
        self.bumped = False
        self._poses = PoseTracker(table, intrinsics)
        self._seen: _Seen | None = None
        self._terrain: _Terrain | None = None
        self._alike = alike(table)
        self._strange: tuple[str, ...] = ()  # what is wrong with the picture of the empty table
        self._left: tuple[Image, str | None] | None = None  # of which that is what was left on it
        self._outlines: tuple[TerrainSeen, ...] = ()  # as last seen: what is not contradicted does not shimmer

    @property
    def camera(self) -> CameraModel | None:
        """The latest pose, None before the first frame."""
        return self._poses.camera

    def measure(self, frame_bgr: Image, *, anew: bool = False) -> Observation:
        """What a frame (H, W, 3) shows, all of it measured ``anew`` if so wished; errors as for `measure`."""
        glance = glance_at(frame_bgr)
        before = None if anew else self._seen
        changed = None if before is None else before.glance.changed_to(glance)
        if before is not None and changed is not None and not changed.any():
            self.bumped = False
            return self._observation(before)
        found = self._markers(frame_bgr, before, changed, glance.cell_px)
        pose = self._pose(found, frame_bgr)
        found = self._with_touched(frame_bgr, found, pose.camera, before, changed, glance.cell_px)
        self._seen, seen = None, None
        if before is not None and changed is not None and before.camera is self.camera:
            seen = self._in_part(frame_bgr, glance, found, pose, before, changed)
        seen = seen or self._whole(frame_bgr, glance, found, pose, before)
        listed = {marker.id for marker in self.table.markers.at}
        self._seen = seen if any(m.id in listed for m in found) else None
        return self._observation(seen, pose.news)

    def is_bumped(self, frame_bgr: Image) -> bool | None:
        """Whether the table markers in a frame (H, W, 3) show that the camera no longer hangs where the last pose
        has it.

        None where none are in sight. Costs a few milliseconds, more where most of the markers look otherwise than
        they did, and changes nothing: `measure` then finds the new place.
        """
        if self._seen is None:
            return None
        listed = {marker.id for marker in self.table.markers.at}
        known = [marker for marker in self._seen.found if marker.id in listed]
        glance = glance_at(frame_bgr)
        changed = self._seen.glance.changed_to(glance)
        if changed is not None:
            same = [marker for marker in known if not has_changed(marker, changed, glance.cell_px)]
            if same and 2 * len(same) >= len(known):
                return self._poses.is_moved(same)
        found = markers_near(frame_bgr, self.table.markers.dictionary, known)
        if 2 * len(found) < len(known):
            found = find_markers(frame_bgr, self.table.markers.dictionary)
        return self._poses.is_moved(found)

    def _markers(
        self, frame_bgr: Image, before: _Seen | None, changed: Mask | None, cell_px: int
    ) -> tuple[FoundMarker, ...]:
        dictionary = self.table.markers.dictionary
        if before is None or changed is None:
            return find_markers(frame_bgr, dictionary)
        return markers_renewed(frame_bgr, dictionary, before.found, changed, cell_px)

    def _with_touched(
        self,
        frame_bgr: Image,
        found: tuple[FoundMarker, ...],
        camera: CameraModel,
        before: _Seen | None,
        changed: Mask | None,
        cell_px: int,
    ) -> tuple[FoundMarker, ...]:
        """The markers found, and the tags that a shadow or a thing touches, looked for where anything changed."""
        box = None if before is None or changed is None else _box_of(changed, cell_px)
        ground = FLAT if before is None else before.ground
        touched = tags_touched(frame_bgr, camera, self.table, ground, found, box)
        return tuple(sorted((*found, *touched), key=lambda marker: marker.id)) if touched else found

    def _pose(self, found: Sequence[FoundMarker], frame_bgr: Image) -> TrackedPose:
        """Where the camera hangs; with another pose, terrain is looked for anew."""
        known = self.camera
        try:
            pose = self._poses.update(found, (frame_bgr.shape[1], frame_bgr.shape[0]))
        except JobFailed:
            self.bumped = self._poses.is_moved(found) is True
            raise
        self.bumped = pose.bumped
        if self.camera is not known:
            self._terrain = None
        return pose

    def _whole(
        self,
        frame_bgr: Image,
        glance: Glance,
        found: tuple[FoundMarker, ...],
        pose: TrackedPose,
        before: _Seen | None,
    ) -> _Seen:
        """All of a frame measured; the terrain only where a large piece of the picture has changed on which nothing
        stood."""
        camera = self._poses.camera or pose.camera
        coarse = _coarse(glance)
        changed = _upheaval(
            self._terrain,
            coarse,
            lambda: self._footprints(glance, camera, () if before is None else before.bases, found),
        )
        if self._terrain is not None and changed is None:
            pieces, ground = self._terrain.pieces, self._terrain.ground
            bases, known, lit = self._bases(frame_bgr, camera, ground, found)
        else:
            seen = self._terrain_anew(frame_bgr, glance, camera, found, changed)
            pieces, ground, (bases, known, lit) = self._bases_on(seen, frame_bgr, camera, found)
            self._outlines = pieces
            self._terrain = _Terrain(pieces, ground, coarse, self._footprints(glance, camera, bases, found))
        tags = tuple(find_tags(found, camera, self.table, ground))
        return _Seen(glance, camera, pose, found, ground, pieces, tags, bases, known, lit)

    def _terrain_anew(
        self,
        frame_bgr: Image,
        glance: Glance,
        camera: CameraModel,
        found: tuple[FoundMarker, ...],
        changed: Mask | None,
    ) -> list[TerrainSeen]:
        """The terrain as a frame shows it; where none of the cells (R, C) that have ``changed`` are, as it was."""
        seen = find_terrain(frame_bgr, camera, self.table, found, self._outlines)
        if self._terrain is None or changed is None:
            return seen
        (height, width), (rows, columns) = glance.shape, changed.shape
        return terrain_renewed(
            seen, self._terrain.pieces, changed, camera, self.table, (width / columns, height / rows)
        )

    def _bases_on(
        self, seen: Sequence[TerrainSeen], frame_bgr: Image, camera: CameraModel, found: tuple[FoundMarker, ...]
    ) -> tuple[tuple[TerrainSeen, ...], Ground, _Bases]:
        """The pieces of those seen that are no bases, the ground that they make, and the bases that stand on it."""
        told = ground_of(room_for_figures(seen, camera, self.table), self.table)
        bases = self._bases(frame_bgr, camera, told, found)
        pieces = tuple(but_for_bases(seen, bases[0], camera, self.table))
        ground = ground_of(pieces, self.table)
        if _stands_otherwise(bases[0], told, ground):
            bases = self._bases(frame_bgr, camera, ground, found)
        return pieces, ground, bases

    def _in_part(
        self,
        frame_bgr: Image,
        glance: Glance,
        found: tuple[FoundMarker, ...],
        pose: TrackedPose,
        before: _Seen,
        changed: Mask,
    ) -> _Seen | None:
        """What has changed measured, the rest as it was; None where it is in doubt whether that is enough."""
        camera, terrain = before.camera, self._terrain
        plan = plan_renewal(changed, glance.cell_px, before.bases, camera, self.table, before.known.armies)
        if plan is None or terrain is None:
            return None
        within = glance.pixels(plan.within)
        fresh, _, lit = self._bases(
            frame_bgr, camera, before.ground, found, within, plan.kept, before.known, before.lit
        )
        bases = plan.joined(fresh)
        if bases is None:
            return None
        if _upheaval(terrain, _coarse(glance), lambda: self._footprints(glance, camera, bases, found)) is not None:
            return None
        tags = tuple(find_tags(found, camera, self.table, before.ground))
        renewed = before.glance.renewed(glance, plan.within)
        return _Seen(renewed, camera, pose, found, before.ground, before.terrain, tags, bases, before.known, lit)

    def _bases(
        self,
        frame_bgr: Image,
        camera: CameraModel,
        ground: Ground,
        found: tuple[FoundMarker, ...],
        within: Mask | None = None,
        kept: Sequence[BaseSeen] = (),
        known: Known = UNKNOWN,
        lit: Lit | None = None,
    ) -> _Bases:
        """The bases, painted ones and, where the empty table is known, plain ones; ``kept`` are known to stand. And
        what is known of the painted ones, and of the lamp by the plain ones."""
        painted, known = look_for_bases(frame_bgr, camera, self.table, ground, found, within, known)
        if self.empty_bgr is None:
            return tuple(painted), known, None
        from vision.plain import Pictures, left_on, look_against_empty  # here, for few tables need it

        try:
            pictures = Pictures(frame_bgr, self.empty_bgr, camera, self.table, ground, found, known.chroma_blur_px)
            bases, lit = look_against_empty(pictures, painted, kept, within, lit)
        except StrangeBackdrop as error:
            self._strange = (str(error),)
            return tuple(painted), known, None
        if within is not None:
            return tuple(bases), known, lit
        if self._left is None or self._left[0] is not self.empty_bgr:
            self._left = self.empty_bgr, left_on(pictures)
        self._strange = () if self._left[1] is None else (self._left[1],)
        return tuple(bases), known.of_armies({base.army for base in bases}), lit

    def _footprints(
        self, glance: Glance, camera: CameraModel, bases: Sequence[BaseSeen], found: Sequence[FoundMarker]
    ) -> Mask:
        """Where changed cells (R, C) tell nothing of terrain: bases and prints explain it."""
        height, width = glance.cells.shape[:2]
        return footprints((height, width), glance.cell_px, bases, found, camera, self.table)

    def _observation(self, seen: _Seen, news: Sequence[str] = ()) -> Observation:
        camera = seen.pose.camera
        return Observation(
            camera=CameraSeen(
                reprojection_rms_px=camera.reprojection_rms_px,
                position_mm=_triple(camera.position_mm),
                markers_used=camera.markers_used,
            ),
            bases=seen.bases,
            tags=seen.tags,
            terrain=seen.terrain,
            warnings=(
                *camera.warnings,
                *seen.pose.notes,
                *news,
                *self._alike,
                *self._strange,
                *_not_seen(seen.found, self.table),
            ),
        )


def _stands_otherwise(bases: Sequence[BaseSeen], before: Ground, now: Ground) -> bool:
    """Whether the ground under any base is not as high as it was taken to be when they were looked for."""
    at = np.array([(base.x_mm, base.y_mm) for base in bases]).reshape(-1, 2)
    return bool((before.height_at(at) != now.height_at(at)).any())


def _box_of(changed: Mask, cell_px: int) -> tuple[slice, slice]:
    """The rows and columns of pixels about the cells (R, C) that have changed, with room for a tag's card."""
    rows, columns = (np.flatnonzero(changed.any(axis=axis)) for axis in (1, 0))
    room = -(-_CARD_PX // cell_px)
    return (
        slice(max(int(rows[0]) - room, 0) * cell_px, (int(rows[-1]) + 1 + room) * cell_px),
        slice(max(int(columns[0]) - room, 0) * cell_px, (int(columns[-1]) + 1 + room) * cell_px),
    )


def _coarse(glance: Glance) -> NDArray[np.float32]:
    height, width = glance.shape
    size = (max(width // _COARSE_PX, 1), max(height // _COARSE_PX, 1))
    return np.asarray(cv2.resize(glance.cells, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _upheaval(before: _Terrain | None, now: NDArray[np.float32], standing: Callable[[], Mask]) -> Mask | None:
    """The cells (R, C) of the picture that look otherwise than before, or all of them if that is not known; None
    where no connected piece of it that does so is large enough to be terrain.

    ``standing`` tells the cells of a glance whose change is accounted for by what stands there now.
    """
    if before is None or before.coarse.shape != now.shape:
        return np.ones(now.shape[:2], dtype=np.bool_)
    differs = (np.abs(now - before.coarse).max(axis=2) > _CHANGED).astype(np.uint8)
    if not _has_piece(differs):
        return None
    size = differs.shape[1], differs.shape[0]
    but_for = (before.stood | standing()).astype(np.float32)
    differs[cv2.resize(but_for, size, interpolation=cv2.INTER_AREA) > 0.5] = 0
    return differs > 0 if _has_piece(differs) else None


def _has_piece(mask: NDArray[np.uint8]) -> bool:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    return bool((stats[1:, cv2.CC_STAT_AREA] >= _CHANGED_CELLS).any())


def _not_seen(found: Sequence[FoundMarker], table: Table) -> list[str]:
    seen = {marker.id for marker in found}
    return [f"marker {m.id} not seen" for m in table.markers.at if m.id not in seen]


def _triple(place: NDArray[np.float64]) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in place)
    return x, y, z
