"""Reading one camera, video or stream frame by frame; runs in the child process and may block."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import cv2
import numpy as np

from vision.errors import CameraLost
from vision.sources.mjpeg import mjpeg_pictures
from vision.sources.places import Device, Stream, Video
from vision.sources.records import Image
from vision.sources.videos import read_video, video_rate

__all__ = ["pictures_of"]

_WIDTH, _HEIGHT, _RATE = 1920, 1080, 30
_FAILURES = 20  # frames in a row that a device may fail to give before it is taken for lost


def pictures_of(place: Device | Video | Stream) -> Iterator[Image]:
    """The pictures of a source as they come, (H, W, 3) BGR. Raises CameraLost."""
    if isinstance(place, Device):
        return _device(place)
    if isinstance(place, Video):
        return _paced(place)
    if place.url.lower().startswith("rtsp"):
        return _captured(cv2.VideoCapture(place.url, cv2.CAP_FFMPEG), place.name)
    return mjpeg_pictures(place, lambda: _captured(cv2.VideoCapture(place.url, cv2.CAP_FFMPEG), place.name))


def _device(place: Device) -> Iterator[Image]:
    """A camera of this computer, asked for full HD over MJPG: raw pictures come at a few a second over USB."""
    backend = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
    video = cv2.VideoCapture(place.device, backend)
    if not video.isOpened():
        video.release()
        raise CameraLost(f"{place.name} is not there, or another program has it")
    # The order matters on DirectShow: size, then pixel format, then rate.
    video.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH)
    video.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT)
    video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    video.set(cv2.CAP_PROP_FPS, _RATE)
    video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return _captured(video, place.name)


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
