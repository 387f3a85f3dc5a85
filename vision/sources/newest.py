"""The place where one thread lays its newest frame and others take it: one frame, never a queue."""

from __future__ import annotations

import threading
from collections.abc import Callable

from vision.frames.closing import Closing
from vision.frames.records import Frame, Image, SourceStatus

__all__ = ["NewestFrame"]


class NewestFrame(Closing):
    """The part of a `Source` that all sources with a thread share. ``clock_s`` is a monotonic clock in seconds."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._began_s = clock_s()
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._status = SourceStatus(state="starting")
        self._closed = False

    def latest(self) -> Frame | None:
        """The newest frame, at once; None before the first."""
        with self._changed:
            return self._frame

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame with a number above ``after``; None once ``timeout_s`` have gone or it is closed."""

        def newer() -> bool:
            return self._closed or (self._frame is not None and self._frame.number > after)

        with self._changed:
            self._changed.wait_for(newer, timeout_s)
            frame = self._frame
        return frame if frame is not None and frame.number > after else None

    @property
    def status(self) -> SourceStatus:
        """How the source is just now."""
        with self._changed:
            return self._status

    def age_s(self, frame: Frame) -> float:
        """How many seconds ago a frame of this source was taken."""
        return self._clock_s() - self._began_s - frame.t_s

    def close(self) -> None:
        """Wakes whoever waits; the last frame stays to be had."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _lay(self, image: Image, age_s: float) -> None:
        """Takes a picture as the newest frame; it was taken ``age_s`` ago."""
        image.setflags(write=False)
        with self._changed:
            number = 0 if self._frame is None else self._frame.number + 1
            self._frame = Frame(number=number, t_s=self._clock_s() - self._began_s - age_s, image=image)
            self._changed.notify_all()

    def _be(self, status: SourceStatus) -> None:
        with self._changed:
            self._status = status
            self._changed.notify_all()
