"""The camera's stand: the source and its watcher, either of which may be changed while the game goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable

from calibration.camera import CameraModel
from calibration.records import Intrinsics, Table
from vision.frames.closing import Closing
from vision.frames.records import Image
from vision.measure import Measurer
from vision.records import Observation
from vision.sources import Frame, Source, SourceStatus
from webui.camera.sightings import CameraView
from webui.camera.watcher import Audience, Watcher

__all__ = ["CameraStand"]

_NONE_YET = "no camera is chosen yet"


class CameraStand:
    """A part of a live table. Safe to use from several threads; ``clock_s`` is a monotonic clock in seconds."""

    def __init__(
        self,
        source: Source | None,
        table: Table,
        lens: Intrinsics | None,
        audience: Audience,
        clock_s: Callable[[], float],
        empty: Image | None = None,
    ) -> None:
        self._table, self._lens, self._empty = table, lens, empty
        self._audience, self._clock_s = audience, clock_s
        self._lock = threading.RLock()
        self._source = source
        self._lent: _Lent | None = None
        self._watcher: Watcher | None = None
        self._running = False

    def start(self) -> None:
        """Begins to watch, where there is a camera."""
        with self._lock:
            self._running = True
            self._watch()

    def close(self) -> None:
        """Ends the watching and the source."""
        with self._lock:
            self._running = False
            self._rest()
            if self._source is not None:
                self._source.close()

    @property
    def source(self) -> Source | None:
        """The camera that is watched; None where none is chosen."""
        return self._source

    def frame(self) -> Frame | None:
        """The newest frame that was looked over."""
        lent = self._lent
        return None if lent is None else lent.newest

    @property
    def measured(self) -> tuple[Image, CameraModel, Observation] | None:
        """The frame measured last, with where the camera hung and what it saw; None before the first."""
        watcher = self._watcher
        return None if watcher is None else watcher.measured

    def status(self) -> SourceStatus:
        """How the camera was when it was last looked at."""
        lent = self._lent
        return SourceStatus(state="starting", detail=_NONE_YET) if lent is None else lent.seen_status

    def use(self, source: Source) -> None:
        """Watches another camera from now on; the old one is closed."""
        with self._lock:
            self._rest()
            if self._source is not None:
                self._source.close()
            self._source = source
            self._watch()

    def let_go(self) -> None:
        """Closes the camera, so that the same device can be opened anew."""
        with self._lock:
            self._rest()
            if self._source is not None:
                self._source.close()
            self._source = None

    def lay(self, table: Table, lens: Intrinsics | None, empty: Image | None) -> None:
        """Measures by another table, lens or photo of the empty table from now on."""
        with self._lock:
            self._table, self._lens, self._empty = table, lens, empty
            self._rest()
            self._watch()

    def _rest(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
        self._watcher = None

    def _watch(self) -> None:
        source, table, lens, empty = self._source, self._table, self._lens, self._empty
        if source is None:
            self._lent = None
            self._audience.camera_is(CameraView(detail=_NONE_YET))
            return
        if not self._running:
            return
        kept = self._lent.newest if self._lent is not None and self._lent.of(source) else None
        self._lent = _Lent(source, kept)
        self._watcher = Watcher(
            self._lent, lambda: Measurer(table, lens, empty), table, self._audience, self._clock_s
        )
        self._watcher.start()


class _Lent(Closing):
    """A source that a watcher may have and close; it remembers what went through."""

    def __init__(self, source: Source, newest: Frame | None) -> None:
        self._source = source
        self.newest = newest
        self.seen_status = source.status

    def of(self, source: Source) -> bool:
        """Whether it is that source that is lent."""
        return self._source is source

    def latest(self) -> Frame | None:
        """The newest frame."""
        return self._keep(self._source.latest())

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame after a number, or None when the time is up."""
        return self._keep(self._source.wait(after, timeout_s))

    @property
    def status(self) -> SourceStatus:
        """How the source is."""
        self.seen_status = self._source.status
        return self.seen_status

    def age_s(self, frame: Frame) -> float:
        """How long ago a frame was taken."""
        return self._source.age_s(frame)

    def close(self) -> None:
        """Gives the source back; it goes on."""

    def _keep(self, frame: Frame | None) -> Frame | None:
        if frame is not None:
            self.newest = frame
        return frame
