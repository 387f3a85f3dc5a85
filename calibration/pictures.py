"""Reading picture files: pixels as the sensor had them, or one clear line about what is wrong with the file."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

import calibration
from calibration.errors import UnusableFile

__all__ = ["decode_picture", "grey_of", "read_picture"]

_LEAST_PX = 16  # each way: fewer show no marker
_JPEG = b"\xff\xd8\xff"
_PNG = b"\x89PNG\r\n\x1a\n"


def read_picture(path: Path) -> NDArray[np.uint8]:
    """The picture in a file as (H, W, 3) BGR, as the sensor saw it: a note on its orientation is not followed.

    A lens belongs to the sensor, so photos taken upright and sideways must keep one pixel grid.
    Raises UnusableFile where the file is missing, no picture, cut short, too large or too small.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnusableFile(f"{path}: cannot be read ({error.strerror})") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str) -> NDArray[np.uint8]:
    """The picture in ``data`` as (H, W, 3) BGR; ``name`` is what errors call it. Raises UnusableFile."""
    if not data:
        raise UnusableFile(f"{name}: expected a picture (JPEG, PNG …), found an empty file")
    if _cut_short(data):
        raise UnusableFile(f"{name}: the picture is cut short; copy or take it again")
    try:
        raw = np.frombuffer(data, np.uint8)
        picture = cv2.imdecode(raw, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error as error:
        if "pixels" in str(error) or "size" in str(error):
            most = calibration.MOST_PIXELS // 1_000_000
            raise UnusableFile(f"{name}: the picture is too large; expected at most {most} megapixels") from error
        raise UnusableFile(f"{name}: cannot be decoded as a picture ({error.err})") from error
    if picture is None:
        raise UnusableFile(f"{name}: expected a picture (JPEG, PNG …), found something else or a damaged one")
    high, wide = picture.shape[:2]
    if min(high, wide) < _LEAST_PX:
        raise UnusableFile(f"{name}: expected at least {_LEAST_PX} x {_LEAST_PX} pixels, got {wide} x {high}")
    return picture.astype(np.uint8, copy=False)


def grey_of(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A BGR or grey picture as grey (H, W)."""
    if picture.ndim == 2:
        return picture
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)


def _cut_short(data: bytes) -> bool:
    """Whether the end mark is missing: decoders fill the rest of such a picture with grey and say nothing."""
    if data.startswith(_JPEG):
        scan = data.rfind(b"\xff\xda")
        return scan < 0 or data.find(b"\xff\xd9", scan) < 0
    if data.startswith(_PNG):
        return b"IEND" not in data[-4096:]
    return False
