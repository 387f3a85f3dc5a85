"""The camera's own picture for the page: made smaller, once for each frame."""

from __future__ import annotations

import threading

import cv2

from webui.evening.bench import Workbench

__all__ = ["picture_of"]

_WIDEST_PX = 1600
_QUALITY = 78

_lock = threading.Lock()
_made: dict[int, tuple[object, bytes]] = {}


def picture_of(bench: Workbench) -> tuple[int, bytes]:
    """The newest frame's number and its JPEG. Raises NotReady where there is none."""
    frame = bench.frame()
    with _lock:
        known = _made.get(id(bench))
        if known is not None and known[0] is frame:
            return frame.number, known[1]
    image = frame.image
    height, width = image.shape[:2]
    if width > _WIDEST_PX:
        size = (_WIDEST_PX, round(height * _WIDEST_PX / width))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    else:
        small = image
    done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    assert done
    jpeg = bytes(data)
    with _lock:
        _made.clear()
        _made[id(bench)] = (frame, jpeg)
    return frame.number, jpeg
