"""The cameras that may be chosen: those of this computer, the browser's, the simulated one, and addresses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from vision.sources import PostedSource
from webui.errors import Refused
from webui.evening.bench import Workbench

__all__ = ["SIZES_PX", "camera_view", "cameras_here", "post_frame"]

#: The sizes that the page offers; a driver that has another says so.
SIZES_PX = ((3840, 2160), (2560, 1440), (1920, 1080), (1280, 720))

_DEVICES = Path("/sys/class/video4linux")
#: Where no list of cameras is to be had, only opening one shows whether there is one: so many may be tried.
_TO_BE_TRIED = 3


def cameras_here(devices: Path = _DEVICES, system: str = sys.platform) -> list[dict[str, str]]:
    """The cameras that this computer knows of, each with the SOURCE that names it.

    Linux lists them, and where it lists none there is none; elsewhere a few numbers may be tried, and are called
    so.
    """
    found: dict[str, str] = {}
    if devices.is_dir():
        for device in sorted(devices.iterdir(), key=lambda path: (len(path.name), path.name)):
            number = device.name.removeprefix("video")
            if number.isdecimal() and _first_node(device):
                found[number] = _name_of(device)
    elif not system.startswith("linux"):
        found = {str(number): f"camera {number}, if there is one" for number in range(_TO_BE_TRIED)}
    return [{"source": number, "name": name} for number, name in found.items()]


def camera_view(bench: Workbench) -> dict[str, Any]:
    """The camera that is chosen, how it is, and those that may be."""
    setup, frame, status = bench.setup, bench.stand.frame(), bench.stand.status()
    return {
        "source": setup.camera,
        "cameras": cameras_here(),
        "sizes": SIZES_PX,
        "width_px": setup.width_px,
        "height_px": setup.height_px,
        "lock_focus": setup.lock_focus,
        "lock_exposure": setup.lock_exposure,
        "focus": setup.focus,
        "state": status.state,
        "detail": status.detail,
        "frame": None if frame is None else frame.number,
        "size_px": None if frame is None else (frame.image.shape[1], frame.image.shape[0]),
        "posts": isinstance(bench.stand.source, PostedSource),
    }


def post_frame(bench: Workbench, jpeg: bytes) -> None:
    """Takes a picture of the browser's camera. Raises Refused where another camera is chosen, UnusableSource."""
    source = bench.stand.source
    if not isinstance(source, PostedSource):
        raise Refused("another camera is chosen: choose the browser's in the first step")
    source.post(jpeg)


def _first_node(device: Path) -> bool:
    """Whether it is a camera's own node: its further ones carry no pictures."""
    try:
        return (device / "index").read_text().strip() == "0"
    except OSError:
        return True


def _name_of(device: Path) -> str:
    try:
        return (device / "name").read_text().strip() or device.name
    except OSError:
        return device.name
