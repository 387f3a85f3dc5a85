"""Opening a source for live use, and walking through every frame of a recording."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

from calibration.errors import UnusableFile
from calibration.pictures import read_picture
from vision.errors import UnusableSource
from vision.frames.records import Frame, Source
from vision.sources.folder import FolderSource
from vision.sources.places import Browser, Mode, Pictures, Simulated, Video, find_place
from vision.sources.posted import PostedSource
from vision.sources.supervised import SupervisedSource
from vision.sources.videos import check_video, read_video

__all__ = ["frames", "open_source"]

_WAIT_S = 0.5


def open_source(spec: str, *, fps: float = 2.0, mode: Mode | None = None) -> Source:
    """The source that ``spec`` names, begun; returns at once, the first frame comes when it comes.

    ``fps`` is how many pictures of a folder are shown a second, ``mode`` how a camera of this computer runs.
    A camera that is not there (yet) is no error but is said in the status. Raises UnusableSource for what can never
    be a source.
    """
    _check_rate(fps)
    place = find_place(spec, mode)
    if isinstance(place, Pictures):
        _read(place.files[0])
        return FolderSource(place, fps)
    if isinstance(place, Browser):
        return PostedSource()
    if isinstance(place, Simulated):
        return _simulated(place)
    if isinstance(place, Video):
        check_video(place.path)
    return SupervisedSource(place)


def frames(spec: str, fps: float = 2.0, tell: Callable[[str], None] = lambda _: None) -> Iterator[Frame]:
    """Every frame of a folder or video in order, however long each takes to work on; of a camera, the newest ones.

    ``t_s`` is number / ``fps`` for a folder, number over the video's own rate for a video, and for a camera
    when the frame was taken. ``tell`` hears of a camera that is lost, once each time. Raises UnusableSource, at
    once for what can never be a source, later for a picture that is damaged.
    """
    _check_rate(fps)
    place = find_place(spec)
    if isinstance(place, Pictures):
        return _pictures(place, fps)
    if isinstance(place, Browser):
        raise UnusableSource(f"{spec!r}: a browser lends its camera to vedette serve alone")
    if isinstance(place, Simulated):
        return _live(_simulated(place), tell)
    if isinstance(place, Video):
        check_video(place.path)
        return read_video(place.path)
    return _live(SupervisedSource(place), tell)


def _check_rate(fps: float) -> None:
    if not (math.isfinite(fps) and 0 < fps <= 1000):
        raise UnusableSource(f"fps: expected a number of pictures a second above 0, at most 1000, got {fps}")


def _pictures(place: Pictures, fps: float) -> Iterator[Frame]:
    for number, path in enumerate(place.files):
        yield Frame(number=number, t_s=number / fps, image=_read(path).image)


def _read(path: Path) -> Frame:
    try:
        image = read_picture(path)
    except UnusableFile as error:
        raise UnusableSource(str(error)) from error
    image.setflags(write=False)
    return Frame(number=0, t_s=0.0, image=image)


def _simulated(place: Simulated) -> Source:
    from vision.simulated import SimulatedCamera, demo_names, load_demo  # here, for few need it

    if place.demo not in demo_names():
        raise UnusableSource(f"simulated:{place.demo}: expected one of {', '.join(demo_names())}")
    demo = load_demo(place.demo)
    return SimulatedCamera(demo.virtual, demo.camera)


def _live(source: Source, tell: Callable[[str], None]) -> Iterator[Frame]:
    with source:
        newest, told = -1, ""
        while source.status.state != "ended":
            frame = source.wait(newest, _WAIT_S)
            status = source.status
            if status.state == "lost" and status.detail != told:
                told = status.detail
                tell(f"{told}; still trying")
            if frame is not None:
                newest, told = frame.number, ""
                yield frame
