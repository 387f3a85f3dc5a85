"""The camera's pictures in a size for reports, and as a film."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["film_of", "read_picture", "shrunk"]

Image = NDArray[np.uint8]

_WIDTH_PX, _QUALITY = 1100, 76
#: A film's frame is so wide at most; WebM's codec wants even numbers.
_FILM_WIDTH_PX = 1280
_PER_SECOND = 2.0
#: The last picture stays for so many seconds.
_STAYS_S = 2.0
_CAPTION_PX = 44


def read_picture(file: Path) -> Image | None:
    """The picture in a file, (height, width, 3) BGR; None where it cannot be read."""
    try:
        data = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    except OSError:
        return None
    image: Any = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    return None if image is None else np.asarray(image, dtype=np.uint8)


def shrunk(file: Path, width_px: int = _WIDTH_PX) -> bytes | None:
    """A picture as a JPEG of at most that width; None where it cannot be read."""
    image = read_picture(file)
    if image is None:
        return None
    done, data = cv2.imencode(".jpg", _fitted(image, width_px), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return bytes(data) if done else None


def film_of(pictures: Mapping[int, Path], caption: Callable[[int], str]) -> tuple[bytes, str] | None:
    """A film of the pictures in their order, each with the caption of its entry: its bytes and their kind.

    WebM (VP8), which every browser plays; where OpenCV was built without it, an animated WebP. None where there are
    fewer than two pictures that can be read.
    """
    frames: list[Image] = []
    for number, file in pictures.items():
        image = read_picture(file)
        if image is None:
            continue
        height, width = frames[0].shape[:2] if frames else _size(image)
        frames.append(_captioned(np.asarray(cv2.resize(image, (width, height - _CAPTION_PX))), caption(number)))
    if len(frames) < 2:
        return None
    frames += frames[-1:] * round(_STAYS_S * _PER_SECOND)
    webm = _webm(frames)
    return (webm, "video/webm") if webm is not None else (_webp(frames), "image/webp")


def _size(image: Image) -> tuple[int, int]:
    """The size of a film's frame (height, width) that a picture fits in, with room for the caption."""
    height, width = _fitted(image, _FILM_WIDTH_PX).shape[:2]
    return (height + _CAPTION_PX) // 2 * 2, width // 2 * 2


def _fitted(image: Image, width_px: int) -> Image:
    height, width = image.shape[:2]
    if width <= width_px:
        return image
    small: Any = cv2.resize(image, (width_px, round(height * width_px / width)), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def _captioned(image: Image, text: str) -> Image:
    """A picture with a line of text under it; letters that the font has not are left out."""
    frame = cv2.copyMakeBorder(image, 0, _CAPTION_PX, 0, 0, cv2.BORDER_CONSTANT, value=(24, 34, 42))
    plain = text.encode("ascii", "ignore").decode()
    cv2.putText(
        frame, plain, (16, frame.shape[0] - 15), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (226, 240, 246), 1, cv2.LINE_AA
    )
    return np.asarray(frame, dtype=np.uint8)


def _webm(frames: Sequence[Image]) -> bytes | None:
    height, width = frames[0].shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "film.webm"
        writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"VP80"), _PER_SECOND, (width, height))
        if not writer.isOpened():
            return None
        for frame in frames:
            writer.write(frame)
        writer.release()
        film = file.read_bytes() if file.exists() else b""
    return film or None


def _webp(frames: Sequence[Image]) -> bytes:
    animation = cv2.Animation()
    animation.frames = list(frames)
    animation.durations = [round(1000 / _PER_SECOND)] * len(frames)
    done, data = cv2.imencodeanimation(".webp", animation, [cv2.IMWRITE_WEBP_QUALITY, 70])
    assert done
    return bytes(np.asarray(data))
