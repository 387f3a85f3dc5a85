"""The simulated camera: a `Source` whose frames are rendered when they are asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import Intrinsics
from vision.frames.closing import Closing
from vision.frames.records import Frame, SourceStatus
from vision.simulated.boards import BoardHeld, held_before
from vision.simulated.rendering import Renderer
from vision.simulated.virtual import Effects, VirtualTable

__all__ = ["LENS", "SimulatedCamera", "camera_over"]

#: A webcam of 1920 x 1080 with a little barrel distortion.
LENS = Intrinsics(
    width_px=1920,
    height_px=1080,
    fx=1540.0,
    fy=1540.0,
    cx=957.0,
    cy=543.0,
    dist=(-0.09, 0.015, 0.0002, 0.0003, 0.0),
)


def camera_over(
    position_mm: tuple[float, float, float],
    target_mm: tuple[float, float],
    lens: Intrinsics = LENS,
    roll_deg: float = 0.0,
) -> CameraModel:
    """A camera at ``position_mm`` that looks at a point of the table, with +y up in its picture.

    ``roll_deg`` turns it about the axis along which it looks: 180 has the near edge on top.
    """
    ahead = np.array([*target_mm, 0.0]) - np.array(position_mm)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    roll = np.radians(roll_deg)
    turn = np.array([[np.cos(roll), -np.sin(roll), 0.0], [np.sin(roll), np.cos(roll), 0.0], [0.0, 0.0, 1.0]])
    rotation = turn @ np.array([right, np.cross(ahead, right), ahead])
    return CameraModel(
        intrinsics=lens,
        rvec=_vector_of(rotation),
        tvec_mm=-rotation @ np.array(position_mm),
        pose_covariance=np.zeros((6, 6)),
        reprojection_rms_px=0.0,
        markers_used=(),
    )


#: So many frames come soon after the first of a changed table: who passes that by needs two that are alike.
_SOON = 2


class SimulatedCamera(Closing):
    """Watches a virtual table: `replace` it, and the next frame shows the new one.

    Frames come ``fps`` a second by the clock, rendered in the caller's thread when they are asked for; the next two
    of a table that was changed come ``soon_s`` after one another, if that is sooner. Safe to use from several
    threads.
    """

    def __init__(
        self,
        table: VirtualTable,
        camera: CameraModel,
        effects: Effects | None = None,
        *,
        seed: int = 1,
        fps: float = 5.0,
        soon_s: float = float("inf"),
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera = camera
        self._table = table
        self._effects = effects
        self._seed = seed
        self._renderer = Renderer(camera, effects, seed)
        self._rendering = threading.Lock()
        self._changed = threading.Condition()
        self._period_s = 1 / fps
        self._soon_s = min(soon_s, self._period_s)
        self._due_s = self._period_s
        self._soon = 0
        self._clock_s = clock_s
        self._began_s = clock_s()
        self._frame: Frame | None = None
        self._shown: VirtualTable | None = None
        self._held: BoardHeld | None = None
        self._closed = False

    @property
    def table(self) -> VirtualTable:
        """The virtual table as it stands."""
        with self._changed:
            return self._table

    @property
    def camera(self) -> CameraModel:
        """Where the camera hangs."""
        return self._camera

    def hang(self, camera: CameraModel) -> None:
        """Hangs the camera elsewhere, as a bump does: the next frame is taken from there."""
        with self._rendering:
            self._renderer = Renderer(camera, self._effects, self._seed)
            with self._changed:
                self._camera, self._shown = camera, None
                self._changed.notify_all()

    def replace(self, table: VirtualTable) -> None:
        """Puts another table under the camera."""
        with self._changed:
            self._table = table
            self._changed.notify_all()

    def hold(self, board: BoardHeld | None) -> None:
        """Holds a calibration board before the camera, or with None puts it away: the next frame shows it."""
        with self._changed:
            self._held, self._shown = board, None
            self._changed.notify_all()

    def latest(self) -> Frame | None:
        """The newest frame; a new one where the last is older than a frame's time, or shows another table."""
        with self._rendering:
            with self._changed:
                table, frame, closed, held = self._table, self._frame, self._closed, self._held
            now_s = self._clock_s() - self._began_s
            same = self._shown is table
            if closed or (frame is not None and same and now_s - frame.t_s < self._due_s):
                return frame
            image = self._renderer.film(table)
            if held is not None:
                image = held_before(image, self._camera.intrinsics, held)
            image.setflags(write=False)
            fresh = Frame(number=0 if frame is None else frame.number + 1, t_s=now_s, image=image)
            with self._changed:
                self._frame, self._shown = fresh, table
                self._soon = max(self._soon - 1, 0) if same else _SOON
                self._due_s = self._soon_s if self._soon else self._period_s
            return fresh

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame with a number above ``after``, waited for at most ``timeout_s``; else None."""
        until_s = time.monotonic() + timeout_s
        while True:
            frame = self.latest()
            if frame is not None and frame.number > after:
                return frame
            left_s = until_s - time.monotonic()
            with self._changed:
                if self._closed or left_s <= 0:
                    return None
                if self._shown is self._table:
                    self._changed.wait(min(left_s, self._due_s))

    @property
    def status(self) -> SourceStatus:
        """``live`` until it is closed."""
        with self._changed:
            if self._closed:
                return SourceStatus(state="ended", detail="closed")
            return SourceStatus(state="live", detail="simulated camera")

    def age_s(self, frame: Frame) -> float:
        """How many seconds ago a frame was taken."""
        return self._clock_s() - self._began_s - frame.t_s

    def close(self) -> None:
        """Wakes whoever waits; the last frame stays to be had."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def _vector_of(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """A rotation (3, 3) as OpenCV's vector (3,)."""
    return np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64).reshape(3)
