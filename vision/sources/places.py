"""What a user's word for a source means: a device, a video file, pictures, or the address of a stream."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

from vision.errors import UnusableSource

__all__ = ["Browser", "Device", "Mode", "Pictures", "Place", "Simulated", "Stream", "Video", "find_place"]

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})
_WHAT = (
    "expected a device number, a video file, a folder of pictures, an http(s):// or rtsp:// address, browser (the"
    " camera of a browser that has the page open) or simulated"
)


class Mode(Struct, frozen=True, kw_only=True):
    """How a camera of this computer is asked to run; what the driver does not allow is said in its status.

    ``lock_focus`` and ``lock_exposure`` keep both as they are when the camera starts; ``focus`` (0 to 255 with most
    drivers) sets the lens to a place of its own.
    """

    width_px: int = 1920
    height_px: int = 1080
    lock_focus: bool = False
    lock_exposure: bool = False
    focus: float | None = None


class Device(Struct, frozen=True):
    """A camera of this computer: its number, or its path such as /dev/v4l/by-id/…"""

    device: int | str
    mode: Mode = Mode()

    @property
    def name(self) -> str:
        """What the user calls it."""
        return f"camera {self.device}"


class Video(Struct, frozen=True):
    """A video file."""

    path: Path

    @property
    def name(self) -> str:
        """What the user calls it."""
        return str(self.path)


class Pictures(Struct, frozen=True):
    """Picture files in the order in which they are shown."""

    folder: Path
    files: tuple[Path, ...]

    @property
    def name(self) -> str:
        """What the user calls it."""
        return str(self.folder)


class Stream(Struct, frozen=True):
    """The address of a stream."""

    url: str

    @property
    def name(self) -> str:
        """The address without any password in it."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


class Browser(Struct, frozen=True):
    """The camera of a browser that has the page open and lends it."""

    name: str = "the browser's camera"


class Simulated(Struct, frozen=True):
    """The simulated camera over the table of a demo."""

    demo: str

    @property
    def name(self) -> str:
        """What the user calls it."""
        return f"the simulated camera ({self.demo})"


Place = Device | Video | Pictures | Stream | Browser | Simulated


def find_place(spec: str, mode: Mode | None = None) -> Place:
    """What ``spec`` names; a camera of this computer runs in ``mode``. Raises UnusableSource for anything else."""
    text = spec.strip()
    if re.fullmatch(r"[0-9]{1,3}", text):
        return Device(int(text), mode or Mode())
    if text == "browser" or re.fullmatch(r"simulated(:[a-z0-9-]+)?", text):
        return Browser() if text == "browser" else Simulated(text.partition(":")[2] or "muskets-mohawks")
    if "://" in text:
        return _stream(text)
    return _path(spec, text, mode or Mode())


def _path(spec: str, text: str, mode: Mode) -> Place:
    path = Path(text)
    try:
        if not text or not path.exists():
            raise UnusableSource(f"{spec!r}: no such camera, file or folder; {_WHAT}")
        if path.is_dir():
            return Pictures(path, _pictures_in(path))
        if path.is_char_device():
            return Device(text, mode)
    except (OSError, ValueError) as error:
        if isinstance(error, UnusableSource):
            raise
        raise UnusableSource(f"{spec!r}: cannot be read ({error}); {_WHAT}") from error
    return Pictures(path, (path,)) if path.suffix.lower() in PICTURE_SUFFIXES else Video(path)


def _stream(text: str) -> Stream:
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UnusableSource(f"{text!r}: not an address ({error}); {_WHAT}") from error
    if parts.scheme.lower() not in ("http", "https", "rtsp") or not host:
        raise UnusableSource(f"{Stream(text).name!r}: not an address that can be watched; {_WHAT}")
    if re.search(r"[\s\x00-\x1f]", text):
        raise UnusableSource(f"{text!r}: an address holds no spaces")
    return Stream(text)


def _pictures_in(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder in the order of their names, in which frame-9 comes before frame-10."""
    files = sorted(
        (f for f in folder.iterdir() if f.suffix.lower() in PICTURE_SUFFIXES and not f.name.startswith(".")),
        key=lambda f: (_in_order(f.name), f.name),
    )
    if not files:
        raise UnusableSource(f"{folder}: no pictures in this folder; expected .jpg, .png … files")
    return tuple(files)


def _in_order(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
