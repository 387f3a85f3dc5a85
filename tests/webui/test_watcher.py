"""The camera's thread: what it has measured, what it tells, and that it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.records import Intrinsics
from tests.webui.toys import TABLE, observed
from vision.errors import UnusableSource
from vision.records import Observation
from webui.camera.rectify import MARGIN_MM, Rectifier
from webui.camera.sightings import CameraView, Look, Picture
from webui.camera.watcher import Watcher

Image = NDArray[np.uint8]


def overhead() -> CameraModel:
    """A camera 1500 mm above the middle of the table, looking straight down, its picture's top the far edge."""
    lens = Intrinsics(width_px=640, height_px=480, fx=500.0, fy=500.0, cx=319.5, cy=239.5)
    rotation = np.diag([1.0, -1.0, -1.0])
    centre = np.array([600.0, 450.0, 1500.0])
    return CameraModel(
        intrinsics=lens, rvec=cv2.Rodrigues(rotation)[0].ravel(), tvec_mm=-rotation @ centre,
        pose_covariance=np.zeros((6, 6)), reprojection_rms_px=0.1, markers_used=(0, 1, 2),
    )  # fmt: skip


def mat(*spots: tuple[int, int], level: int = 90) -> Image:
    image = np.full((480, 640, 3), level, np.uint8)
    for x, y in spots:
        cv2.circle(image, (x, y), 8, (30, 30, 200), -1)
    return image


@dataclass
class Frame:
    number: int
    image: Image
    t_s: float = 0.0


@dataclass
class Status:
    state: str = "live"
    detail: str = ""
    retry_in_s: float | None = None


@dataclass
class Source:
    """Gives its frames one after the other, then the last one again and again, ``every_s`` of its clock.

    Where a frame is None there is none yet.
    """

    frames: Sequence[Image | None]
    status: Status = field(default_factory=Status)
    closed: bool = False
    given: int = -1
    every_s: float = 0.2

    def clock_s(self) -> float:
        return self.given * self.every_s

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        del after
        time.sleep(0.002)
        self.given += 1
        image = self.frames[min(self.given, len(self.frames) - 1)] if self.frames else None
        return None if image is None else Frame(self.given, image)

    def age_s(self, frame: Frame) -> float:
        return 0.0

    def close(self) -> None:
        self.closed = True


class Measurer:
    """Sees nothing on the table, from wherever the test hangs the camera; or fails as told."""

    def __init__(self, answers: list[Observation | Exception] | None = None, *, knocked: bool = False) -> None:
        self.knocked = knocked
        self.camera: CameraModel | None = None
        self.measured: list[Image] = []
        self.bumped = False
        self._answers = answers or [observed([])]

    def is_bumped(self, image: Image) -> bool | None:
        return self.knocked and bool(self.measured)

    def measure(self, image: Image) -> Observation:
        self.measured.append(image)
        self.camera = overhead()
        self.bumped = self.knocked and len(self.measured) > 1
        answer = self._answers[min(len(self.measured), len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


@dataclass
class Listener:
    looks: list[Look] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    views: list[CameraView] = field(default_factory=list)

    def looked(self, look: Look) -> None:
        self.looks.append(look)

    def pictured(self, picture: Picture) -> None:
        self.pictures.append(picture)

    def camera_is(self, view: CameraView) -> None:
        self.views.append(view)


Watch = Callable[..., tuple[Listener, Measurer, Source]]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Watches frames until the condition holds."""
    watchers: list[Watcher] = []

    def watched(
        frames: list[Image], until: Callable[[Listener, Measurer], bool], measurer: Measurer | None = None,
        source: Source | None = None,
    ) -> tuple[Listener, Measurer, Source]:  # fmt: skip
        listener, measuring, feed = Listener(), measurer or Measurer(), source or Source(frames)
        make: Any = lambda: measuring  # noqa: E731
        watcher = Watcher(feed, make, TABLE, listener, feed.clock_s)  # type: ignore[arg-type]
        watchers.append(watcher)
        watcher.start()
        end = time.monotonic() + 10.0
        while not until(listener, measuring) and time.monotonic() < end:
            time.sleep(0.005)
        watcher.close()
        assert until(listener, measuring)
        return listener, measuring, feed

    yield watched
    for watcher in watchers:
        watcher.close()


def test_a_table_that_lies_still_is_measured_once(watch: Watch) -> None:
    feed = Source([mat((100, 100))])
    _, measurer, _ = watch([], lambda heard, m: feed.given > 60, source=feed)
    assert len(measurer.measured) == 1


def test_noise_is_no_change(watch: Watch) -> None:
    noise = np.random.default_rng(1)
    frames = [
        np.clip(mat((100, 100)) + noise.normal(0, 4, (480, 640, 3)), 0, 255).astype(np.uint8) for _ in range(12)
    ]
    feed = Source(frames)
    _, measurer, _ = watch([], lambda heard, m: feed.given > 20, source=feed)
    assert len(measurer.measured) == 1


def test_a_lamp_that_dims_is_no_change(watch: Watch) -> None:
    feed = Source([mat((100, 100), level=90), mat((100, 100), level=90), mat((100, 100), level=80)])
    _, measurer, _ = watch([], lambda heard, m: feed.given > 40, source=feed)
    assert len(measurer.measured) <= 2


def test_a_moved_base_is_measured_when_it_lies_still(watch: Watch) -> None:
    still, hand, moved = mat((100, 100)), mat((100, 100), (120, 100), (140, 110)), mat((200, 150))
    frames = [still] * 10 + [hand, mat((150, 120)), mat((160, 130))] + [moved] * 5
    heard, measurer, _ = watch(frames, lambda heard, m: len(heard.looks) == 2)
    assert np.array_equal(measurer.measured[-1], moved)
    assert any(view.disturbed for view in heard.views)
    assert not heard.views[-1].disturbed


def test_a_base_that_rests_for_a_moment_on_its_way_is_told_of_where_it_ends(watch: Watch) -> None:
    still, resting, moved = mat((100, 100)), mat((200, 150)), mat((400, 300))
    frames = [still] * 20 + [resting] * 2 + [moved] * 6
    feed = Source(frames, every_s=0.04)
    heard, _, _ = watch([], lambda heard, m: len(heard.looks) == 2, source=feed)
    assert [look.frame >= 22 for look in heard.looks] == [False, True]
    camera, last = overhead(), heard.looks[1]
    for x, y in ((100, 100), (400, 300)):
        place = camera.to_plane([[float(x), float(y)]])[0]
        assert last.changed(float(place[0]), float(place[1])), "held against the last look that was told of"


def test_one_frame_alone_tells_nothing_while_another_may_follow(watch: Watch) -> None:
    frames = [mat((100, 100))] * 20 + [mat((200, 150))] + [mat((400, 300))] * 30
    feed = Source(frames, every_s=0.12)  # longer than a table lies still that has settled
    _, measurer, _ = watch([], lambda heard, m: len(heard.looks) == 2, source=feed)
    assert np.array_equal(measurer.measured[-1], frames[-1])


@pytest.mark.parametrize("number", [20, 21, 22])
def test_a_frame_that_comes_soon_after_another_is_not_missed_where_none_follows(watch: Watch, number: int) -> None:
    still, moved = mat((100, 100)), mat((200, 150))
    feed = Source([*[still] * number, moved, None], every_s=0.02)
    _, measurer, _ = watch([], lambda heard, m: len(m.measured) > 1, source=feed)
    assert (measurer.measured[-1] == moved).all()


def test_too_few_markers_are_said_and_tried_again(watch: Watch) -> None:
    failing = Measurer([JobFailed("only two table markers are seen"), observed([])])
    heard, _, _ = watch([mat((100, 100))], lambda heard, m: bool(heard.looks), failing)
    assert any(view.trouble == "only two table markers are seen" for view in heard.views)
    assert heard.views[-1].trouble is None


def test_a_picture_that_cannot_be_measured_does_not_end_the_watching(watch: Watch) -> None:
    failing = Measurer([ZeroDivisionError("odd"), observed([])])
    frames = [mat((100, 100))] * 10 + [mat((200, 100))] * 2
    heard, _, _ = watch(frames, lambda heard, m: bool(heard.looks), failing)
    assert any(view.trouble is not None and "odd" in view.trouble for view in heard.views)


def test_that_the_camera_was_bumped_is_said_until_its_place_has_been_found_again(watch: Watch) -> None:
    frames = [mat((100, 100))] * 10 + [mat((180, 140))] * 2
    heard, _, _ = watch(frames, lambda heard, m: len(heard.looks) == 2, Measurer(knocked=True))
    said = [view.bumped for view in heard.views]
    assert said.index(True) > 0
    assert not said[-1]


def test_while_the_place_of_a_bumped_camera_cannot_be_found_that_is_said_and_nothing_is_looked_at(
    watch: Watch,
) -> None:
    lost = Measurer([observed([]), JobFailed("too few table markers")], knocked=True)
    frames = [mat((100, 100))] * 10 + [mat((180, 140))] * 2
    heard, _, _ = watch(frames, lambda heard, m: len(m.measured) >= 4, lost)
    assert len(heard.looks) == 1
    assert heard.views[-1].bumped
    assert heard.views[-1].trouble == "too few table markers"


def test_the_picture_is_made_when_the_table_has_been_measured(watch: Watch) -> None:
    heard, _, _ = watch([mat((100, 100))], lambda heard, m: bool(heard.pictures))
    decoded = cv2.imdecode(np.frombuffer(heard.pictures[0].jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (1280, 1600, 3)
    assert heard.pictures[0].bounds_mm == ((-150.0, -150.0), (1350.0, 1050.0))


def test_a_source_that_fails_is_said() -> None:
    class Failing(Source):
        def wait(self, after: int, timeout_s: float) -> Frame | None:
            raise UnusableSource("no camera 7")

    listener = Listener()
    watcher = Watcher(Failing([]), Measurer, TABLE, listener, time.monotonic)  # type: ignore[arg-type]
    watcher.start()
    end = time.monotonic() + 5.0
    while not listener.views and time.monotonic() < end:
        time.sleep(0.005)
    watcher.close()
    assert (listener.views[-1].state, listener.views[-1].detail) == ("lost", "no camera 7")


def test_after_a_fault_of_the_program_the_table_is_watched_again_by_itself(watch: Watch) -> None:
    class Faulty(Source):
        def wait(self, after: int, timeout_s: float) -> Frame | None:
            if self.given == 5:
                self.given += 1
                raise ZeroDivisionError("odd")
            return super().wait(after, timeout_s)

    feed = Faulty([mat((100, 100))] * 5 + [mat((200, 100))])
    heard, _, _ = watch([], lambda heard, m: len(heard.looks) == 2, source=feed)
    lost = [view.detail for view in heard.views if view.state == "lost"]
    assert lost == ["a fault in the program itself: ZeroDivisionError: odd"]
    assert heard.views[-1].state == "live"


def test_a_lost_camera_is_said_and_the_source_is_closed_at_the_end(watch: Watch) -> None:
    feed = Source([], Status("lost", "unplugged"))
    heard, _, _ = watch([], lambda heard, m: any(view.state == "lost" for view in heard.views), source=feed)
    assert heard.views[-1].detail == "unplugged"
    assert feed.closed


class TestRectifier:
    @pytest.mark.parametrize("point", [(0.0, 0.0), (1200.0, 900.0), (300.0, 700.0), (600.0, 450.0)])
    def test_a_spot_of_the_table_is_found_where_its_place_says(self, point: tuple[float, float]) -> None:
        camera = overhead()
        (spot,) = camera.project([[*point, 0.0]])
        image = np.zeros((480, 640, 3), np.uint8)
        cv2.circle(image, (round(spot[0]), round(spot[1])), 4, (255, 255, 255), -1)
        straight = Rectifier(TABLE.table, width_px=750).picture(image, camera)
        rows, columns = np.nonzero(straight[..., 0] > 128)
        x, y = columns.mean() * 2.0 + 1.0 - MARGIN_MM, 900.0 + MARGIN_MM - (rows.mean() * 2.0 + 1.0)
        assert (x, y) == pytest.approx(point, abs=2.5)  # half a camera pixel is 1.5 mm

    def test_the_maps_are_kept_while_the_camera_hangs_still(self) -> None:
        rectifier, camera = Rectifier(TABLE.table, width_px=300), overhead()
        rectifier.picture(mat(), camera)
        kept = rectifier._maps
        rectifier.picture(mat((10, 10)), camera)
        assert rectifier._maps is kept
