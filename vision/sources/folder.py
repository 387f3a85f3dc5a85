"""A folder of pictures as a camera: each is shown for its share of a second, the last one is held."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from calibration.errors import UnusableFile
from calibration.pictures import read_picture
from vision.frames.closing import Closing
from vision.frames.records import Frame, SourceStatus
from vision.sources.places import Pictures

__all__ = ["FolderSource"]


class FolderSource(Closing):
    """Shows ``fps`` pictures a second by the clock alone, with no thread; the last one is held, as ``ended``.

    A damaged picture is said in the status; the one before it stays. Belongs to one thread.
    """

    def __init__(
        self,
        place: Pictures,
        fps: float,
        clock_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._files = place.files
        self._fps = fps
        self._clock_s = clock_s
        self._sleep = sleep
        self._began_s = clock_s()
        self._frame: Frame | None = None
        self._seen = -1
        self._trouble = ""

    def latest(self) -> Frame | None:
        """The picture that is due now; None while no sound one has been."""
        due = self._due()
        if due != self._seen:
            self._seen = due
            self._show(due, self._files[due])
        return self._frame

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        """The newest picture with a number above ``after``, waited for at most ``timeout_s``; else None."""
        until = self._clock_s() + timeout_s
        while True:
            frame = self.latest()
            if frame is not None and frame.number > after:
                return frame
            left = until - self._clock_s()
            if left <= 0:
                return None
            next_at = self._began_s + (self._seen + 1) / self._fps
            self._sleep(max(0.001, min(left, next_at - self._clock_s() if not self._over() else left)))

    @property
    def status(self) -> SourceStatus:
        """``live`` while pictures follow, ``ended`` once the last one has had its time."""
        if self._over():
            return SourceStatus(state="ended", detail=self._trouble or "the last picture of the folder is held")
        return SourceStatus(state="live", detail=self._trouble)

    def age_s(self, frame: Frame) -> float:
        """How many seconds ago a picture was due."""
        return self._clock_s() - self._began_s - frame.t_s

    def close(self) -> None:
        """Nothing runs, nothing ends."""

    def _due(self) -> int:
        return min(int((self._clock_s() - self._began_s) * self._fps), len(self._files) - 1)

    def _over(self) -> bool:
        return (self._clock_s() - self._began_s) * self._fps >= len(self._files)

    def _show(self, number: int, path: Path) -> None:
        try:
            image = read_picture(path)
        except UnusableFile as error:
            self._trouble = str(error)
            return
        image.setflags(write=False)
        self._trouble = ""
        self._frame = Frame(number=number, t_s=number / self._fps, image=image)
