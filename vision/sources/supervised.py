"""A live source read in a child process under a watchdog: lost and stalled cameras are said, killed and retried."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from typing import Protocol

import numpy as np

from vision.frames.records import Image, SourceStatus
from vision.sources.newest import NewestFrame
from vision.sources.places import Device, Stream, Video
from vision.sources.retry import pause_s
from vision.sources.worker import Report, serve

__all__ = ["ReadingProcess", "SupervisedSource", "Worker"]

_FIRST_FRAME_WITHIN_S = 20.0
_STALLED_AFTER_S = 5.0
_ENDS_WITHIN_S = 2.0
_LEAST_PERIOD_S = 0.05  # frames are fetched at most this often: a table needs no more, and copying costs
_GONE = Report("failed", "the reading process ended by itself")

# Read by OpenCV when it is loaded, hence set before any child starts: MSMF opens in seconds and not half a minute,
# and RTSP over TCP loses no parts of pictures.
_SETTINGS = {
    "OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS": "0",
    "OPENCV_FFMPEG_CAPTURE_OPTIONS": "rtsp_transport;tcp",
    "OPENCV_LOG_LEVEL": "ERROR",
    "OPENCV_FFMPEG_LOGLEVEL": "8",  # fatal errors only: a lost camera is said by us
}


class Worker(Protocol):
    """Whatever reads a camera for a `SupervisedSource`."""

    def next(self, timeout_s: float) -> tuple[Report, Image | None] | None:
        """What there is to report; None where no answer came in time."""
        ...

    def kill(self) -> None:
        """Ends it, whatever it does; may be called again."""
        ...


class ReadingProcess:
    """A child process that reads one place."""

    def __init__(self, place: Device | Video | Stream) -> None:
        for name, value in _SETTINGS.items():
            os.environ.setdefault(name, value)
        spawning = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawning.Pipe()
        self._process = spawning.Process(target=serve, args=(theirs, place), name="vedette-reading", daemon=True)
        self._process.start()
        theirs.close()
        self._asked = False

    def next(self, timeout_s: float) -> tuple[Report, Image | None] | None:
        """The child's answer to one request; None where none came in time."""
        try:
            if not self._asked:
                self._pipe.send_bytes(b"?")
                self._asked = True
            if not self._pipe.poll(timeout_s):
                return None
            report: Report = self._pipe.recv()
            self._asked = False
            if report.what != "frame":
                return report, None
            raw = np.frombuffer(self._pipe.recv_bytes(), np.uint8)
            return report, raw.reshape(*report.shape, 3)
        except (EOFError, OSError):
            return _GONE, None

    def kill(self) -> None:
        """Ends the process at once and waits for its end; may be called again, and from another thread."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


class SupervisedSource(NewestFrame):
    """A `Source` whose pictures a worker reads; one thread of this object starts, asks, kills and retries it.

    ``pause`` waits so many seconds and tells whether the source was closed meanwhile.
    """

    def __init__(
        self,
        place: Device | Video | Stream,
        start_worker: Callable[[Device | Video | Stream], Worker] = ReadingProcess,
        clock_s: Callable[[], float] = time.monotonic,
        pause: Callable[[float], bool] | None = None,
    ) -> None:
        super().__init__(clock_s)
        self._place = place
        self._start_worker = start_worker
        self._stop = threading.Event()
        self._pause = pause or self._stop.wait
        self._failures = 0
        self._worker: Worker | None = None
        self._thread = threading.Thread(target=self._supervise, name="vedette-source", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and the reading process; waits until both are gone."""
        self._stop.set()
        super().close()
        self._thread.join(_ENDS_WITHIN_S)
        worker = self._worker
        if self._thread.is_alive() and worker is not None:
            worker.kill()  # the thread waits for the rest of a picture that will never come
            self._thread.join()

    def _supervise(self) -> None:
        while not self._stop.is_set():
            over = self._try_once()
            if self._stop.is_set():
                return
            if over.what == "ended":
                self._be(SourceStatus(state="ended", detail=over.detail))
                return
            self._failures += 1
            pause = pause_s(self._failures)
            self._be(SourceStatus(state="lost", detail=over.detail, retry_in_s=pause))
            if self._pause(pause):
                return

    def _try_once(self) -> Report:
        try:
            worker = self._worker = self._start_worker(self._place)
        except OSError as error:
            return Report("failed", f"the reading process cannot be started ({error})")
        try:
            return self._attend(worker)
        except Exception as error:  # the watching must outlive whatever a child sends
            return Report("failed", f"{self._place.name}: {type(error).__name__}: {error}")
        finally:
            worker.kill()

    def _attend(self, worker: Worker) -> Report:
        """Takes frames until the worker fails, ends, stalls, or the source is closed; tells which."""
        heard_s, allowed_s = self._clock_s(), _FIRST_FRAME_WITHIN_S
        while not self._stop.is_set():
            answer = worker.next(0.1)
            if answer is not None and answer[1] is not None:
                heard_s, allowed_s = self._clock_s(), _STALLED_AFTER_S
                self._failures = 0
                self._be(SourceStatus(state="live", detail=answer[0].detail))
                self._lay(answer[1], answer[0].age_s)
                self._stop.wait(_LEAST_PERIOD_S)
            elif answer is not None and answer[0].what in ("failed", "ended"):
                return answer[0]
            elif self._clock_s() - heard_s > allowed_s:
                return Report("failed", f"{self._place.name} has given no picture for {allowed_s:.0f} s")
        return Report("ended")
