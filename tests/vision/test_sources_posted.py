"""The browser's camera, the simulated one, and devices that are asked for a size, a focus, a light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.errors import UnusableSource
from vision.sources import Mode, PostedSource, frames, open_source
from vision.sources.places import Browser, Device, Simulated, find_place
from vision.sources.posted import LARGEST_BYTES, size_of_jpeg
from vision.sources.reading import refused_by


def jpeg(width: int, height: int) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((height, width, 3), 120, np.uint8))[1])


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class TestTheBrowserS:
    def test_pictures_that_are_posted_are_its_frames(self) -> None:
        clock = Clock()
        with PostedSource(clock) as source:
            assert source.status.state == "starting"
            assert "open this page" in source.status.detail
            source.post(jpeg(640, 480))
            source.post(jpeg(800, 600))
            frame = source.latest()
            assert frame is not None
            assert (frame.number, frame.image.shape) == (1, (600, 800, 3))
            assert source.status.state == "live"
            clock.now += 6.0
            assert source.status.state == "lost"
            assert source.age_s(frame) == pytest.approx(6.0)

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"", "expected a JPEG"),
            (b"\x89PNG\r\n\x1a\n" + bytes(50), "expected a JPEG"),
            (b"GIF89a" + bytes(50), "expected a JPEG"),
            (b"\xff\xd8\xff" + bytes(40), "without a size"),
            (jpeg(200, 200), "at least 320"),
            (jpeg(5000, 400), "at most 4096"),
            (jpeg(640, 480)[:2000], "cut short"),
            (b"\xff\xd8\xff" + bytes(LARGEST_BYTES), "at most"),
            (bytes.fromhex("ffd8ffc00011 08ffffffff 03012200021101031101".replace(" ", "")), "at most 4096"),
        ],
    )  # fmt: skip
    def test_what_is_no_picture_of_a_camera_is_refused_before_it_is_unpacked(self, data: bytes, said: str) -> None:
        with PostedSource() as source:
            with pytest.raises(UnusableSource, match=said):
                source.post(data)
            assert source.latest() is None

    @pytest.mark.parametrize("size", [(320, 320), (1920, 1080), (4096, 320)])
    def test_the_size_stands_in_the_header(self, size: tuple[int, int]) -> None:
        assert size_of_jpeg(jpeg(*size)) == size

    def test_a_recording_of_it_there_is_not(self) -> None:
        with pytest.raises(UnusableSource, match="vedette serve alone"):
            frames("browser")


@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ("browser", Browser()),
        ("simulated", Simulated("muskets-mohawks")),
        ("simulated:palouse", Simulated("palouse")),
        ("1", Device(1, Mode(width_px=1280, height_px=720))),
    ],
)
def test_cameras_of_other_kinds_have_names(spec: str, place: object) -> None:
    assert find_place(spec, Mode(width_px=1280, height_px=720)) == place


def test_the_simulated_camera_is_a_source_like_another() -> None:
    with open_source("simulated:presidio") as source:
        frame = source.wait(-1, 20.0)
        assert frame is not None
        assert frame.image.shape == (1080, 1920, 3)
    with pytest.raises(UnusableSource, match="expected one of"):
        open_source("simulated:chess")


class Driver:
    """A camera's driver: it has one size, and allows some settings."""

    def __init__(self, size: tuple[int, int], allows: frozenset[int]) -> None:
        self.allows = allows
        self.has: dict[int, float] = {cv2.CAP_PROP_FRAME_WIDTH: size[0], cv2.CAP_PROP_FRAME_HEIGHT: size[1]}

    def get(self, prop: int) -> float:
        return self.has.get(prop, 0.0)

    def set(self, prop: int, value: float) -> bool:
        if prop in self.allows:
            self.has[prop] = value
        return prop in self.allows


_ALL = frozenset({cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE})


@pytest.mark.parametrize(
    ("mode", "allows", "said"),
    [
        (Mode(), frozenset[int](), []),
        (Mode(lock_focus=True, lock_exposure=True), _ALL, []),
        (Mode(lock_focus=True), _ALL - {cv2.CAP_PROP_AUTOFOCUS}, ["lock the focus"]),
        (Mode(focus=30.0), _ALL - {cv2.CAP_PROP_FOCUS}, ["lock the focus"]),
        (Mode(lock_exposure=True), _ALL - {cv2.CAP_PROP_EXPOSURE}, ["lock the exposure"]),
        (Mode(lock_exposure=True), frozenset[int](), ["lock the exposure"]),
        (Mode(width_px=3840, height_px=2160), _ALL, ["gives 1920 x 1080 and not 3840 x 2160"]),
    ],
)
def test_what_a_driver_does_not_allow_is_said(mode: Mode, allows: frozenset[int], said: list[str]) -> None:
    driver = Driver((1920, 1080), allows)
    told = list(refused_by(driver, mode))  # type: ignore[arg-type]
    assert len(told) == len(said)
    assert all(one in other for one, other in zip(said, told, strict=True))
    if mode.focus is not None and not said:
        assert driver.has[cv2.CAP_PROP_FOCUS] == mode.focus
