"""Reading one camera, video or stream frame by frame; runs in the child process and may block."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np

from vision.errors import CameraLost
from vision.frames.records import Image
from vision.sources.mjpeg import mjpeg_pictures
from vision.sources.places import Device, Mode, Stream, Video
from vision.sources.videos import read_video, video_rate

__all__ = ["pictures_of", "refused_by"]

_RATE = 30
_MANUAL = (1, 0.25)  # what means "by hand" to V4L2, and to DirectShow and older V4L2
_FAILURES = 20  # frames in a row that a device may fail to give before it is taken for lost


def pictures_of(place: Device | Video | Stream, note: Callable[[str], None] = lambda _: None) -> Iterator[Image]:
    """The pictures of a source as they come, (H, W, 3) BGR; ``note`` hears what a driver does not allow.

    Raises CameraLost.
    """
    if isinstance(place, Device):
        return _device(place, note)
    if isinstance(place, Video):
        return _paced(place)
    if place.url.lower().startswith("rtsp"):
        return _captured(cv2.VideoCapture(place.url, cv2.CAP_FFMPEG), place.name)
    return mjpeg_pictures(place, lambda: _captured(cv2.VideoCapture(place.url, cv2.CAP_FFMPEG), place.name))


def _device(place: Device, note: Callable[[str], None]) -> Iterator[Image]:
    """A camera of this computer, asked for its pictures over MJPG: raw ones come at a few a second over USB."""
    backend = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
    video = cv2.VideoCapture(place.device, backend)
    if not video.isOpened():
        video.release()
        raise CameraLost(f"{place.name} is not there, or another program has it")
    mode = place.mode
    # The order matters on DirectShow: size, then pixel format, then rate.
    video.set(cv2.CAP_PROP_FRAME_WIDTH, mode.width_px)
    video.set(cv2.CAP_PROP_FRAME_HEIGHT, mode.height_px)
    video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    video.set(cv2.CAP_PROP_FPS, _RATE)
    video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    for refused in refused_by(video, mode):
        note(refused)
    return _captured(video, place.name)


def refused_by(video: cv2.VideoCapture, mode: Mode) -> Iterator[str]:
    """Sets focus and exposure as a mode asks, and tells what the driver does not allow, and what to do."""
    size = (round(video.get(cv2.CAP_PROP_FRAME_WIDTH)), round(video.get(cv2.CAP_PROP_FRAME_HEIGHT)))
    if size != (mode.width_px, mode.height_px):
        yield (
            f"the camera gives {size[0]} x {size[1]} and not {mode.width_px} x {mode.height_px}: choose a size that"
            " it has, and calibrate the lens at that"
        )
    locked = video.set(cv2.CAP_PROP_AUTOFOCUS, 0) if mode.lock_focus or mode.focus is not None else True
    if mode.focus is not None:
        locked = video.set(cv2.CAP_PROP_FOCUS, mode.focus) and locked
    if not locked:
        yield "the driver does not lock the focus: if the picture pumps, use a camera with a fixed lens"
    if mode.lock_exposure:
        exposure = video.get(cv2.CAP_PROP_EXPOSURE)
        manual = any(video.set(cv2.CAP_PROP_AUTO_EXPOSURE, value) for value in _MANUAL)
        if not (manual and video.set(cv2.CAP_PROP_EXPOSURE, exposure)):
            yield "the driver does not lock the exposure: keep the light over the table even"


def _captured(video: cv2.VideoCapture, name: str) -> Iterator[Image]:
    try:
        if not video.isOpened():
            raise CameraLost(f"{name} cannot be reached")
        failures = 0
        while failures < _FAILURES:
            read, image = video.read()
            if read and image is not None and image.size:
                failures = 0
                yield image.astype(np.uint8, copy=False)
            else:
                failures += 1
                time.sleep(0.02)
        raise CameraLost(f"{name} gives no more pictures")
    finally:
        video.release()


def _paced(place: Video) -> Iterator[Image]:
    """A video at its own speed, as a camera would have given it."""
    video = cv2.VideoCapture(str(place.path))
    rate = video_rate(video)
    video.release()
    began_s = time.monotonic()
    for frame in read_video(place.path):
        time.sleep(max(0.0, began_s + frame.number / rate - time.monotonic()))
        yield frame.image
