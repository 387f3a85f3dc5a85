"""Video files: checked before use, and read frame by frame."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from vision.errors import UnusableSource
from vision.frames.records import Frame

__all__ = ["check_video", "read_video", "video_rate"]

_DEFAULT_RATE = 30.0


def check_video(path: Path) -> None:
    """Raises UnusableSource where a file is no video that gives a first frame."""
    with _opened(path) as video:
        if not video.grab():
            raise UnusableSource(f"{path}: no frame can be read from this video; it is damaged or empty")


def read_video(path: Path) -> Iterator[Frame]:
    """Every frame of a video. Raises UnusableSource where it cannot be opened."""
    with _opened(path) as video:
        rate = video_rate(video)
        number = 0
        while True:
            read, image = video.read()
            if not read or image is None:
                return
            picture = image.astype(np.uint8, copy=False)
            picture.setflags(write=False)
            yield Frame(number=number, t_s=number / rate, image=picture)
            number += 1


def video_rate(video: cv2.VideoCapture) -> float:
    """Frames a second, as the file says, or 30 where it says nothing sensible."""
    rate = float(video.get(cv2.CAP_PROP_FPS))
    return rate if math.isfinite(rate) and 0.1 <= rate <= 1000 else _DEFAULT_RATE


@contextmanager
def _opened(path: Path) -> Iterator[cv2.VideoCapture]:
    video = cv2.VideoCapture()
    try:
        try:
            opened = video.open(str(path))
        except cv2.error:
            opened = False
        if not opened:
            raise UnusableSource(f"{path}: cannot be read as a video or picture")
        yield video
    finally:
        video.release()
