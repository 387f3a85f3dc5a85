"""``vedette watch``: frames in, events out. Nothing is reported as moved while it is covered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.records import Intrinsics, Table
from vision.following.changes import Difference
from vision.following.stillness import Change, Stillness
from vision.following.tracking import Track, Tracker
from vision.measure import Measurer
from vision.records import BaseSeen, WatchEvent
from vision.sources import Frame

__all__ = ["Watch", "watch"]

Image = NDArray[np.uint8]

#: The table has settled when nothing has moved for this long, and nothing reaches in from the border …
_SETTLED_S = 0.4
#: … or when what reaches in has lain still so long that it belongs to the table now.
_BELONGS_S = 60.0
#: Beside an arm that has rested so long it is looked what has happened.
_STAYS_S = 10.0
#: A base has been touched when so much of the picture within this of its centre has changed.
_TOUCHED_SHARE = 0.2
_WITHIN_MM = 11.0
#: Two bases cannot stand nearer to each other than this …
_ONE_BASE_MM = 10.0
#: … and one that only one of two looks shows must be as sure as this.
_SURE = 0.8
#: What moves farther than this from the table is none of its business.
_BEYOND_MM = 50.0

_RING = _WITHIN_MM * np.column_stack([trig(np.linspace(0.0, 2 * np.pi, 16)[:-1]) for trig in (np.cos, np.sin)])


def watch(
    frames: Iterable[Frame],
    table: Table,
    intrinsics: Intrinsics | None = None,
    empty_bgr: Image | None = None,
) -> Iterator[WatchEvent]:
    """The events of a table that is watched: what stands there at first, then what moves, comes and goes.

    Each is said once, when the table has settled. Raises calibration.errors.JobFailed where the frames end before
    the table could be measured even once.
    """
    watching = Watch(Measurer(table, intrinsics, empty_bgr))
    for frame in frames:
        yield from watching.take(frame)
    yield from watching.end()


class Watch:
    """A watch between two frames. Belongs to one thread."""

    def __init__(self, measurer: Measurer) -> None:
        self._measurer = measurer
        self._stillness = Stillness()
        self._tracker = Tracker()
        self._kept: Image | None = None
        self._kept_camera: CameraModel | None = None
        self._moved_at_s = float("-inf")
        self._disturbed = False
        self._peeked = False
        self._clear: Frame | None = None
        self._passed_by = False  # the last look was at a frame that others have followed since
        self._trouble: JobFailed | None = None

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The bases that stand on the table, as far as is known."""
        return self._tracker.tracks

    @property
    def camera(self) -> CameraModel | None:
        """Where the camera hangs; None before the first look."""
        return self._measurer.camera

    def take(self, frame: Frame) -> Iterator[WatchEvent]:
        """What the next frame tells."""
        change = self._stillness.update(frame.image)
        if self._kept is not None and (change.since_last or (change.covered and not self._disturbed)):
            yield from self._unrest(frame, change)
        quiet_s = frame.t_s - self._moved_at_s
        if quiet_s < _SETTLED_S:
            return
        # a camera that was bumped makes all of the picture differ, as if it were covered
        if change.covered and self._measurer.is_bumped(frame.image) is not True and quiet_s < _BELONGS_S:
            if quiet_s >= _STAYS_S and not self._peeked:
                yield from self._peek(frame)
            return
        if self._disturbed or change.since_kept:
            yield from self._settle(frame, changed=change.since_kept or self._passed_by)
        self._clear = None

    def end(self) -> Iterator[WatchEvent]:
        """What a last clear frame, that nothing follows, has to tell. Raises JobFailed: see `watch`."""
        if self._clear is not None:
            yield from self._settle(self._clear, changed=True)
        if self._kept is None and self._trouble is not None:
            raise self._trouble

    def _unrest(self, frame: Frame, change: Change) -> Iterator[WatchEvent]:
        """Something moves, or reaches in. A frame that is clear while it does was settled, if only for a moment."""
        self._moved_at_s = frame.t_s
        self._peeked = False
        if change.covered and self._clear is not None:
            yield from self._settle(self._clear, changed=True, newest=False)
        self._clear = None if change.covered else frame
        if not self._disturbed:
            self._disturbed = True
            yield WatchEvent(event="disturbed", frame=frame.number, t_s=frame.t_s)

    def _peek(self, frame: Frame) -> Iterator[WatchEvent]:
        """What has happened beside an arm that rests over the table; of what lies under it nothing is said."""
        self._peeked = True
        try:
            bases = self._look(frame, None)
        except JobFailed:
            return
        camera = self._measurer.camera
        if camera is not None and self._measurer.is_bumped(frame.image) is False:
            clear = [b for b in bases if not self._covered(frame.image, camera, b.x_mm, b.y_mm)]
            yield from self._tracker.update(frame.number, frame.t_s, clear, self._touched(frame.image, beside=True))

    def _covered(self, image: Image, camera: CameraModel, x_mm: float, y_mm: float) -> bool:
        """Whether what reaches in over the newest frame lies over a place of the table."""
        around = _around(camera, x_mm, y_mm)
        shares = (np.vstack([around, around.mean(axis=0)]) + 0.5) / (image.shape[1], image.shape[0])
        return any(self._stillness.covers(share) for share in shares)

    def _settle(self, frame: Frame, *, changed: bool, newest: bool = True) -> Iterator[WatchEvent]:
        """Looks at a settled table; where too few markers are in sight, a later frame will be looked at instead."""
        earlier, self._clear = self._clear, None
        if changed:
            try:
                bases = self._look(frame, earlier)
            except JobFailed as error:
                self._trouble = error
                return
            if self._kept is not None and self._measurer.is_bumped(frame.image) is None:
                return  # no table marker is in sight, as with a cap on the lens: the picture tells nothing
        if self._disturbed:
            self._disturbed = False
            yield WatchEvent(event="settled", frame=frame.number, t_s=frame.t_s)
        if changed:
            yield from self._tracker.update(frame.number, frame.t_s, bases, self._touched(frame.image))
            self._kept, self._kept_camera = frame.image, self._measurer.camera
            self._stillness.confine(self._outline(frame.image))
            self._passed_by = not newest
            if newest:
                self._stillness.keep()

    def _outline(self, image: Image) -> NDArray[np.float64]:
        """The table and a little more, as shares (N, 2) of the picture."""
        camera = self._measurer.camera
        assert camera is not None  # a frame has been measured
        area = self._measurer.table.table
        share = np.linspace(0.0, 1.0, 12)[:-1, None]
        corners = np.array([(0.0, 0.0), (area.width_mm, 0.0), (area.width_mm, area.depth_mm), (0.0, area.depth_mm)])
        corners += np.sign(corners - corners.mean(axis=0)) * _BEYOND_MM
        sides = [a + share * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        outline = np.concatenate(sides)
        seen = camera.project(np.column_stack([outline, np.zeros(len(outline))]))
        return (seen + 0.5) / (image.shape[1], image.shape[0])

    def _look(self, frame: Frame, earlier: Frame | None) -> Sequence[BaseSeen]:
        """The bases in a frame. Where they are not as many as before, a clear frame just earlier is asked as well:
        a base may be overlooked in one picture and be plain in the next.
        """
        bases = _one_each(self._measurer.measure(frame.image).bases)
        if earlier is None or earlier is frame or len(bases) == len(self._tracker.tracks):
            return bases
        return _both(bases, self._measurer.measure(earlier.image, anew=True).bases)

    def _touched(self, image: Image, *, beside: bool = False) -> Callable[[float, float], bool]:
        """Whether a base at a place of the table, in mm, has been touched since the last look.

        Looking ``beside`` an arm, what lies under it cannot be told to have been.
        """
        camera = self._measurer.camera
        if self._kept is None or camera is None or self._kept.shape != image.shape:
            return lambda x_mm, y_mm: True
        kept = self._kept
        if self._kept_camera is not None and self._kept_camera is not camera:
            kept = _as_seen_by(camera, kept, self._kept_camera, self._measurer.table)
        difference = Difference(kept, image)

        def touched(x_mm: float, y_mm: float) -> bool:
            if beside and self._covered(image, camera, x_mm, y_mm):
                return False
            return difference.share(_around(camera, x_mm, y_mm)) >= _TOUCHED_SHARE

        return touched


def _as_seen_by(camera: CameraModel, image: Image, before: CameraModel, table: Table) -> Image:
    """A picture that was taken before the camera was bumped, as it would look from where that hangs now."""
    size = table.table
    corners = np.array([(0.0, 0.0), (size.width_mm, 0.0), (size.width_mm, size.depth_mm), (0.0, size.depth_mm)])
    flat = np.column_stack([corners, np.zeros(4)])
    then, now = before.project(flat).astype(np.float32), camera.project(flat).astype(np.float32)
    if not (np.isfinite(then).all() and np.isfinite(now).all()):
        return image
    moved = cv2.warpPerspective(
        image,
        cv2.getPerspectiveTransform(then, now),
        (image.shape[1], image.shape[0]),
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(moved, dtype=np.uint8)


def _one_each(bases: Sequence[BaseSeen]) -> list[BaseSeen]:
    """The bases without those that stand within another of which the measuring is surer."""
    kept: list[BaseSeen] = []
    for base in sorted(bases, key=lambda b: -b.confidence):
        if _alone(base, kept):
            kept.append(base)
    return kept


def _alone(base: BaseSeen, others: Sequence[BaseSeen]) -> bool:
    return all(np.hypot(b.x_mm - base.x_mm, b.y_mm - base.y_mm) > _ONE_BASE_MM for b in others)


def _both(bases: Sequence[BaseSeen], others: Sequence[BaseSeen]) -> list[BaseSeen]:
    """The bases of one look, and those that only another one of the same table was sure of."""
    return [*bases, *(o for o in _one_each(others) if o.confidence >= _SURE and _alone(o, bases))]


def _around(camera: CameraModel, x_mm: float, y_mm: float) -> NDArray[np.float64]:
    """The circle (15, 2) in px around a place of the table."""
    ring = np.add(_RING, (x_mm, y_mm))
    return camera.project(np.column_stack([ring, np.zeros(len(_RING))]))
