"""The camera's own thread: takes the newest frame, tells whether the table lies still, has it measured when it
has changed, and sets the picture straight. Nothing here knows the game.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.records import Table
from vision.errors import VisionError
from vision.following.stillness import Stillness
from vision.sources.retry import pause_s
from webui.camera.rectify import Rectifier
from webui.camera.sightings import CameraView, Look, Picture

if TYPE_CHECKING:
    from calibration.camera import CameraModel
    from vision.frames.records import Image
    from vision.measure import Measurer
    from vision.records import Observation
    from vision.sources import Frame, Source

__all__ = ["Audience", "Watcher"]

#: How long to wait for a frame before looking at how the source is.
_WAIT_S = 0.25
#: How soon to see whether a measurement is done.
_SOON_S = 0.005
#: Frames of a table that lies still are looked over at most this often; while it does not, every one.
_LOOK_EVERY_S = 0.06
#: The table is settled when two frames are alike and nothing has moved for this long …
_SETTLED_S = 0.1
#: … or when the one in which something had moved is followed by no other for so long …
_ALONE_S = 0.3
#: … or for this long, where something reaches in from the border: an arm, or a rulebook laid down for good.
_STAYS_S = 4.0
#: A change counts for a figure when it lies within this of where the figure stands.
_NEAR_MM = 25.0
#: How soon a table whose markers were not in sight is tried again.
_AGAIN_S = 0.5
#: A new picture is made at most this often …
_PICTURE_EVERY_S = 0.5
#: … and not so soon after something has begun to move or been told of, which are quicker without it.
_PICTURE_AFTER_S = 0.3


class Audience(Protocol):
    """Whoever is told what the camera sees; called from the camera's threads."""

    def looked(self, look: Look) -> None:
        """The camera has measured a settled table."""
        ...

    def pictured(self, picture: Picture) -> None:
        """There is a new picture of the table."""
        ...

    def camera_is(self, view: CameraView) -> None:
        """How the camera is."""
        ...


class Watcher:
    """Watches a source until it is closed. ``clock_s`` is a monotonic clock in seconds.

    ``make_measurer`` is called in the camera's thread. The source is closed with the watcher.
    """

    def __init__(
        self,
        source: Source,
        make_measurer: Callable[[], Measurer],
        table: Table,
        audience: Audience,
        clock_s: Callable[[], float],
    ) -> None:
        self._source = source
        self._make = make_measurer
        self._audience = audience
        self._clock_s = clock_s
        self._rectifier = Rectifier(table.table)
        self._stillness = Stillness()
        self._view = CameraView()
        self._frame: Frame | None = None
        self._unmeasured = self._unchecked = False
        self._settled = self._still = self._covered = False
        self._measuring: Future[Look] | None = None
        self._measuring_frame: Frame | None = None
        self._keep_measured: Callable[[], None] = self._stillness.keep
        self._sure = False
        self._looked_at_s = self._moved_at_s = self._pictured_at_s = float("-inf")
        self._again_at_s = self._begun_at_s = self._busy_at_s = float("-inf")
        self._picture_due = True
        self._pictures = self._failures = 0
        self._measured: tuple[Frame, CameraModel, Observation] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="vedette-camera", daemon=True)

    def start(self) -> None:
        """Begins to watch."""
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and the source."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._source.close()

    @property
    def measured(self) -> tuple[Image, CameraModel, Observation] | None:
        """The frame measured last, with where the camera hung and what it saw; None before the first."""
        if self._measured is None:
            return None
        frame, camera, seen = self._measured
        return frame.image, camera, seen

    def _watch(self) -> None:
        """Follows the source; whatever ends that is told, and after a pause it is begun again."""
        while not self._stop.is_set():
            try:
                with ThreadPoolExecutor(1, "vedette-measure") as workers:
                    self._follow(self._source, self._make(), workers)
                continue
            except (VisionError, CalibrationError, OSError) as error:
                fault = str(error)
            except Exception as error:  # nobody would notice that the thread has ended
                fault = f"a fault in the program itself: {type(error).__name__}: {error}"
            self._failures += 1
            self._tell(state="lost", detail=fault)
            self._stop.wait(pause_s(self._failures))
            self._forget()

    def _forget(self) -> None:
        """Nothing of what was seen before a fault is gone on with."""
        self._stillness = Stillness()
        self._keep_measured = self._stillness.keep
        self._frame = self._measuring = self._measuring_frame = None
        self._unmeasured = self._unchecked = self._settled = self._still = self._covered = self._sure = False
        self._looked_at_s = self._moved_at_s = self._again_at_s = self._begun_at_s = self._busy_at_s = float("-inf")

    def _follow(self, source: Source, measurer: Measurer, workers: ThreadPoolExecutor) -> None:
        newest, due = -1, None
        while not self._stop.is_set():
            patience_s = _WAIT_S if self._measuring is None else _SOON_S
            frame = source.wait(newest, patience_s if due is None else min(patience_s, self._passing_s()))
            status = source.status
            self._tell(state=status.state, detail=status.detail)
            if frame is not None:
                newest, due = frame.number, frame
                self._tell(seen_at_s=self._clock_s() - source.age_s(frame))
            elif status.state == "ended" and due is None:
                self._stop.wait(_WAIT_S)
            if due is not None and self._passing_s() == 0.0:
                self._take(due)
                due = None
            self._check(measurer)
            self._settle(held=frame is None and due is None and status.state == "ended")
            self._measure(measurer, workers)
            self._harvest(measurer)
            self._straighten(measurer)

    def _passing_s(self) -> float:
        """How long frames are still passed by: they come faster than a hand moves. The newest is looked at then."""
        return max(self._looked_at_s + _LOOK_EVERY_S - self._clock_s(), 0.0) if self._settled else 0.0

    def _take(self, frame: Frame) -> None:
        """Looks a frame over."""
        now = self._clock_s()
        self._looked_at_s = now
        if self._frame is None:
            self._busy_at_s = float("inf")  # that there is a first picture is no movement
        change = self._stillness.update(frame.image)
        self._frame, self._unmeasured, self._covered = frame, change.since_kept, change.covered
        self._still = not change.since_last and not change.covered
        self._picture_due = self._picture_due or change.since_last or change.since_kept
        if change.since_last:
            if self._settled:
                self._busy_at_s = now
            self._moved_at_s, self._settled = now, False
            self._tell(disturbed=self._busy_at_s < float("inf"))
            self._unchecked = True

    def _settle(self, *, held: bool) -> None:
        """The table is settled when nothing has moved for a moment, and an arm over it for a good while.

        A picture that is ``held`` cannot move. It counts as disturbed until what has changed is measured.
        """
        quiet_s = self._clock_s() - self._moved_at_s
        least_s = _STAYS_S if self._covered else _SETTLED_S if self._still else _ALONE_S
        self._settled = held or quiet_s >= least_s
        if self._settled:
            self._sure = True
            if self._measuring is None and (not self._unmeasured or self._clock_s() < self._again_at_s):
                self._tell(disturbed=False)

    def _measure(self, measurer: Measurer, workers: ThreadPoolExecutor) -> None:
        """Begins to measure as soon as a frame is like the one before; whether it counts shows when it is done."""
        frame = self._frame
        if frame is None or not self._unmeasured or self._measuring is not None:
            return
        now = self._clock_s()
        if now < self._again_at_s or not (self._settled or self._still):
            return
        changes = self._stillness.changes()
        self._measuring_frame = frame
        self._keep_measured = self._stillness.mark()
        self._begun_at_s, self._sure = now, self._settled
        self._measuring = workers.submit(lambda: _look(measurer, frame, changes))

    def _harvest(self, measurer: Measurer) -> None:
        """Takes in what was measured, once the table is settled; where it has moved on before, it is let go."""
        done = self._measuring
        if done is None or not done.done():
            return
        moved = self._moved_at_s > self._begun_at_s
        if not self._sure and not moved:
            return
        self._measuring = None
        if not self._sure:
            return
        self._keep_measured()
        self._unmeasured = moved
        try:
            look = done.result()
        except (VisionError, CalibrationError) as error:
            self._tell(trouble=str(error), bumped=measurer.bumped)
            self._stillness.forget()  # a covered marker may be seen again without anything else having changed
            self._unmeasured, self._again_at_s = True, self._clock_s() + _AGAIN_S
            return
        except Exception as error:  # a frame that the measuring cannot stand must not end the watching
            self._tell(trouble=f"a picture could not be measured: {type(error).__name__}: {error}")
            return
        if measurer.camera is not None and self._measuring_frame is not None:
            self._measured = self._measuring_frame, measurer.camera, look.observation
        self._failures = 0
        self._tell(trouble=None, bumped=False)  # it has been found where the camera hangs now: the look says so
        self._audience.looked(look)
        self._picture_due, self._busy_at_s = True, self._clock_s()

    def _check(self, measurer: Measurer) -> None:
        """Tells at once that the camera was bumped; where it hangs now is found when the table is next measured."""
        if self._frame is None or not self._unchecked or self._measuring is not None:
            return
        self._unchecked = False
        bumped = measurer.is_bumped(self._frame.image)
        if bumped is not None:
            self._tell(bumped=bumped)

    def _straighten(self, measurer: Measurer) -> None:
        frame, camera, now = self._frame, measurer.camera, self._clock_s()
        if frame is None or camera is None or not self._picture_due or self._measuring is not None:
            return
        if now - self._pictured_at_s < _PICTURE_EVERY_S or now - self._busy_at_s < _PICTURE_AFTER_S:
            return
        self._pictured_at_s, self._picture_due = now, False
        self._pictures += 1
        jpeg = self._rectifier.jpeg(frame.image, camera)
        self._audience.pictured(Picture(revision=self._pictures, jpeg=jpeg, bounds_mm=self._rectifier.bounds_mm))

    def _tell(self, **changed: Any) -> None:
        view = replace(self._view, **changed)
        if view != self._view:
            self._view = view
            self._audience.camera_is(view)


def _look(measurer: Measurer, frame: Frame, changes: Callable[[NDArray[np.float64], float], bool]) -> Look:
    """A frame, measured; ``changes`` tells of a share of the picture whether it has changed."""
    observation = measurer.measure(frame.image)
    camera = measurer.camera
    assert camera is not None
    height, width = frame.image.shape[:2]

    def changed(x_mm: float, y_mm: float) -> bool:
        place = np.array([[x_mm, y_mm, 0.0]])
        radius = _NEAR_MM * float(camera.px_per_mm(place)[0]) / width
        return changes(camera.project(place)[0] / (width, height), radius)

    return Look(frame=frame.number, observation=observation, changed=changed)
