"""The child process in which a camera is read: a `read()` may block for good, and a process can be killed.

A thread reads frame after frame and keeps the newest; the main thread answers the parent's requests over the pipe,
one answer each. When the parent is gone the pipe ends, and the process with it, whatever the reading thread does.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Literal

from msgspec import Struct

from vision.errors import VisionError
from vision.frames.records import Image
from vision.sources.places import Device, Stream, Video

__all__ = ["Report", "serve"]

_ANSWER_WITHIN_S = 0.5


class Report(Struct, frozen=True):
    """One answer of the child; after a ``frame`` its bytes follow. ``age_s`` is how long ago it was taken.

    ``detail`` says why there are no more, or, of a frame, what the driver did not allow.
    """

    what: Literal["frame", "nothing", "failed", "ended"]
    detail: str = ""
    shape: tuple[int, int] = (0, 0)
    age_s: float = 0.0


def serve(pipe: Connection, place: Device | Video | Stream) -> None:
    """Runs the child until the parent closes the pipe or the source ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to act on
    reading = _Reading(place)
    try:
        while True:
            pipe.recv_bytes()  # a request; ends with EOFError when the parent is gone
            report, image = reading.answer()
            pipe.send(report)
            if image is not None:
                pipe.send_bytes(image.reshape(-1).data)
            if report.what in ("failed", "ended"):
                break
    except (EOFError, OSError):
        pass
    finally:
        pipe.close()
        sys.stderr.flush()
        os._exit(0)  # the reading thread may hang in the driver: nothing here waits for it


class _Reading:
    """The thread that reads, and its newest picture."""

    def __init__(self, place: Device | Video | Stream) -> None:
        self._place = place
        self._changed = threading.Condition()
        self._image: Image | None = None
        self._taken_s = 0.0
        self._over: Report | None = None
        self._notes: tuple[str, ...] = ()
        threading.Thread(target=self._read, name="vedette-reading", daemon=True).start()

    def answer(self) -> tuple[Report, Image | None]:
        """The newest picture that was not given yet; or that there is none."""
        with self._changed:
            self._changed.wait_for(lambda: self._image is not None or self._over is not None, _ANSWER_WITHIN_S)
            image, self._image = self._image, None
            if image is None:
                return self._over or Report("nothing"), None
            age_s = time.monotonic() - self._taken_s
        height, width = image.shape[:2]
        return Report("frame", "; ".join(self._notes), shape=(height, width), age_s=age_s), image

    def _note(self, note: str) -> None:
        """Something that the user should know though the camera runs: what its driver does not allow."""
        self._notes = (*self._notes, note)

    def _read(self) -> None:
        from vision.sources.reading import pictures_of  # OpenCV loads here, in the child alone

        try:
            for image in pictures_of(self._place, self._note):
                with self._changed:
                    self._image, self._taken_s = image, time.monotonic()
                    self._changed.notify_all()
            over = Report("ended", "the video is over" if isinstance(self._place, Video) else "the source ended")
        except (VisionError, OSError) as error:
            over = Report("failed", str(error))
        except Exception as error:  # whatever a driver throws, the parent must hear of it
            over = Report("failed", f"{type(error).__name__}: {error}")
        with self._changed:
            self._over = over
            self._changed.notify_all()
