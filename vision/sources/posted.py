"""The camera of a browser: its page posts one JPEG after another, each checked before it is unpacked."""

from __future__ import annotations

import time
from collections.abc import Callable

from calibration.errors import UnusableFile
from calibration.pictures import decode_picture
from vision.errors import UnusableSource
from vision.frames.records import SourceStatus
from vision.sources.newest import NewestFrame

__all__ = ["LARGEST_BYTES", "PostedSource", "size_of_jpeg"]

#: No picture of a webcam is larger; full HD at the quality that the page asks for is a twelfth of it.
LARGEST_BYTES = 6_000_000

_SIZES_PX = (320, 4096)  # the shorter side at least, the longer one at most
_SILENT_S = 5.0
_WAITING = "no browser lends its camera yet: open this page on the computer that has it, and lend it there"
_SILENCE = "the browser has sent no picture for a while: is its page still open, and in front?"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class PostedSource(NewestFrame):
    """A `Source` to which pictures are posted. Safe to use from several threads."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock_s)
        self._be(SourceStatus(state="starting", detail=_WAITING))
        self._posted_s: float | None = None

    def post(self, jpeg: bytes) -> None:
        """Takes a JPEG as the newest frame. Raises UnusableSource where it is none, or too small or too large."""
        width, height = size_of_jpeg(jpeg)
        least, most = _SIZES_PX
        if min(width, height) < least or max(width, height) > most:
            raise UnusableSource(
                f"a picture of {width} x {height}: expected at least {least} and at most {most} pixels a side"
            )
        try:
            image = decode_picture(jpeg, "the picture")
        except UnusableFile as error:
            raise UnusableSource(str(error)) from error
        self._posted_s = self._clock_s()
        self._be(SourceStatus(state="live"))
        self._lay(image, 0.0)

    @property
    def status(self) -> SourceStatus:
        """``live`` while pictures come, ``lost`` once none has for a while."""
        posted = self._posted_s
        if posted is not None and self._clock_s() - posted > _SILENT_S:
            return SourceStatus(state="lost", detail=_SILENCE)
        return super().status


def size_of_jpeg(data: bytes) -> tuple[int, int]:
    """Width and height of a JPEG by its header alone. Raises UnusableSource for what is none, or too large a file.

    >>> size_of_jpeg(bytes.fromhex("ffd8ffc0000b080438078001012200"))
    (1920, 1080)
    """
    if len(data) > LARGEST_BYTES:
        raise UnusableSource(f"a picture of {len(data)} bytes: expected at most {LARGEST_BYTES}")
    if not data.startswith(b"\xff\xd8\xff"):
        raise UnusableSource("expected a JPEG, got something else")
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind in _FRAMES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + max(length, 2)
    raise UnusableSource("expected a JPEG, got one without a size")
