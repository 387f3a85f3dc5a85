"""Camera sources: what a user may name, the newest frame, and cameras that go away, stall and come back."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import UnusableSource
from vision.frames.records import Frame, Image, SourceStatus
from vision.sources import Source, frames, open_source, opening
from vision.sources.folder import FolderSource
from vision.sources.mjpeg import jpegs_in
from vision.sources.places import Device, Pictures, Stream, Video, find_place
from vision.sources.retry import pause_s
from vision.sources.supervised import SupervisedSource
from vision.sources.worker import Report


def picture(level: int) -> Image:
    return np.full((48, 64, 3), level, dtype=np.uint8)


def jpeg(level: int) -> bytes:
    return bytes(cv2.imencode(".jpg", picture(level))[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("b.jpg", 100), ("a.jpg", 50), ("c.PNG", 150)):
        cv2.imwrite(str(tmp_path / name), picture(level))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "._a.jpg").write_bytes(b"what a Mac leaves behind")
    return tmp_path


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for level in range(0, 200, 40):
        writer.write(picture(level))
    writer.release()
    return path


def levels(source: Iterator[object]) -> list[int]:
    return [round(float(frame.image.mean())) for frame in source]  # type: ignore[attr-defined]


# ---- what a source may be called ----


@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ("0", Device(0)),
        (" 2 ", Device(2)),
        ("http://host:8080/video", Stream("http://host:8080/video")),
        ("https://host/video", Stream("https://host/video")),
        ("rtsp://user:pass@host/1", Stream("rtsp://user:pass@host/1")),
    ],
)
def test_devices_and_addresses_are_told_apart(spec: str, place: object) -> None:
    assert find_place(spec) == place


def test_files_and_folders_are_told_apart(folder: Path, video: Path) -> None:
    assert find_place(str(video)) == Video(video)
    found = find_place(str(folder))
    assert isinstance(found, Pictures)
    assert [file.name for file in found.files] == ["a.jpg", "b.jpg", "c.PNG"]


NEVER = ("", "no-such-file.mp4", "ftp://host/x", "http://", "http://[::1", "99999", "a\0b")


@pytest.mark.parametrize("spec", NEVER)
def test_what_can_never_be_a_source_is_refused_in_one_line(spec: str) -> None:
    with pytest.raises(UnusableSource, match="expected a device number, a video file") as caught:
        open_source(spec)
    assert caught.value.exit_status == 2
    assert "\n" not in str(caught.value)


def test_a_folder_without_pictures_and_a_broken_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.avi").write_bytes(b"RIFF" + bytes(500))
    (tmp_path / "empty").mkdir()
    for what in ("broken.avi", "empty"):
        for opened in (open_source, frames):
            with pytest.raises(UnusableSource, match=what):
                opened(str(tmp_path / what))


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), float("inf")])
def test_a_senseless_rate_is_refused(folder: Path, fps: float) -> None:
    with pytest.raises(UnusableSource, match="fps"):
        open_source(str(folder), fps=fps)


def test_a_password_in_an_address_is_not_shown() -> None:
    assert Stream("http://anna:secret@host:81/v").name == "http://host:81/v"


# ---- every frame, in order ----


def test_all_pictures_of_a_folder_come_in_name_order(folder: Path) -> None:
    seen = list(frames(str(folder), fps=4.0))
    assert levels(iter(seen)) == [50, 100, 150]
    assert [(frame.number, frame.t_s) for frame in seen] == [(0, 0.0), (1, 0.25), (2, 0.5)]


def test_the_ninth_picture_of_a_folder_comes_before_the_tenth(tmp_path: Path) -> None:
    for number in (1, 2, 9, 10, 11):
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), np.full((20, 20, 3), 10 * number, np.uint8))
    assert levels(frames(str(tmp_path))) == [10, 20, 90, 100, 110]


def test_all_frames_of_a_video_come_at_its_own_rate(video: Path) -> None:
    seen = list(frames(str(video), fps=1.0))
    assert len(seen) == 5
    assert [frame.t_s for frame in seen] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert levels(iter(seen)) == pytest.approx([0, 40, 80, 120, 160], abs=4)


def test_a_damaged_picture_of_a_folder_is_named(folder: Path) -> None:
    (folder / "b.jpg").write_bytes((folder / "b.jpg").read_bytes()[:200])
    with pytest.raises(UnusableSource, match=r"b\.jpg"):
        list(frames(str(folder)))


def test_frames_cannot_be_written_to(folder: Path) -> None:
    with pytest.raises(ValueError, match="read-only"):
        next(frames(str(folder))).image[0, 0] = 0


class Flickering:
    """A camera that is lost twice, and ends: each look at it is its next moment."""

    def __init__(self) -> None:
        picture = Frame(number=0, t_s=0.0, image=np.zeros((1, 1, 3), np.uint8))
        lost, live = SourceStatus(state="lost", detail="camera 0 is not there"), SourceStatus(state="live")
        self._moments = [(None, lost), (None, lost), (picture, live), (None, lost)]
        self.status = SourceStatus(state="starting")

    def __enter__(self) -> Flickering:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        frame, self.status = self._moments.pop(0) if self._moments else (None, SourceStatus(state="ended"))
        return frame


def test_a_camera_that_is_lost_is_told_once_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "SupervisedSource", lambda _place: Flickering())
    told: list[str] = []
    assert [frame.number for frame in frames("0", tell=told.append)] == [0]
    assert told == ["camera 0 is not there; still trying"] * 2


# ---- a folder, live ----


class Clock:
    """A clock that goes only when someone sleeps."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def live_folder(path: Path, clock: Clock, fps: float = 2.0) -> FolderSource:
    place = find_place(str(path))
    assert isinstance(place, Pictures)
    return FolderSource(place, fps, clock, clock.sleep)


def test_a_folder_shows_the_picture_that_is_due_and_holds_the_last(folder: Path) -> None:
    clock = Clock()
    with live_folder(folder, clock) as source:
        shown = []
        for _ in range(5):
            frame = source.latest()
            assert frame is not None
            shown.append((frame.number, round(float(frame.image.mean())), source.status.state))
            clock.sleep(0.5)
    assert shown == [(0, 50, "live"), (1, 100, "live"), (2, 150, "live"), (2, 150, "ended"), (2, 150, "ended")]


def test_waiting_for_the_next_picture_takes_as_long_as_it_needs(folder: Path) -> None:
    clock = Clock()
    with live_folder(folder, clock) as source:
        frame = source.wait(0, 3.0)
        assert frame is not None
        assert (frame.number, clock.now_s) == (1, pytest.approx(100.5))
        assert source.wait(2, 3.0) is None
        assert clock.now_s == pytest.approx(103.5)


def test_a_frame_grows_old(folder: Path) -> None:
    clock = Clock()
    with live_folder(folder, clock) as source:
        clock.sleep(10.0)
        frame = source.latest()
        assert frame is not None
        assert source.age_s(frame) == pytest.approx(9.0)


def test_a_damaged_picture_is_said_and_the_one_before_stays(folder: Path) -> None:
    (folder / "b.jpg").write_bytes(b"\xff\xd8\xff but no more")
    clock = Clock()
    with live_folder(folder, clock) as source:
        source.latest()
        clock.sleep(0.5)
        frame = source.latest()
        assert frame is not None
        assert frame.number == 0
        assert "b.jpg" in source.status.detail


# ---- a camera that is lost ----


def test_the_pauses_grow_up_to_half_a_minute() -> None:
    assert [pause_s(n) for n in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]


class Script:
    """A worker that plays a list of answers; what it has no answer for is a stall."""

    def __init__(self, answers: list[tuple[Report, Image | None]], clock: Clock) -> None:
        self.answers = answers
        self.clock = clock
        self.killed = False

    def next(self, timeout_s: float) -> tuple[Report, Image | None] | None:
        if self.answers:
            return self.answers.pop(0)
        self.clock.sleep(timeout_s)
        return None

    def kill(self) -> None:
        self.killed = True


FRAME = (Report("frame", shape=(48, 64), age_s=0.1), picture(77))
FAILED = (Report("failed", "it is not there"), None)
ENDED = (Report("ended", "the video is over"), None)


def played(*scripts: list[tuple[Report, Image | None]]) -> tuple[list[float], list[SourceStatus], list[Script]]:
    """The pauses and statuses of a source whose workers play scripts one after another, until one ends it."""
    clock, pauses, states = Clock(), [], []
    workers: list[Script] = []
    source: list[SupervisedSource] = []
    begun = threading.Event()

    def start(place: object) -> Script:
        begun.wait(5)
        workers.append(Script(list(scripts[len(workers)]), clock))
        return workers[-1]

    def pause(seconds: float) -> bool:
        pauses.append(seconds)
        states.append(source[0].status)
        return False

    source.append(SupervisedSource(Device(0), start, clock, pause))
    begun.set()
    until = time.monotonic() + 10
    while source[0].status.state != "ended" and time.monotonic() < until:
        time.sleep(0.01)
    states.append(source[0].status)
    source[0].close()
    return pauses, states, workers


def test_a_camera_that_is_not_there_is_tried_again_with_growing_pauses() -> None:
    pauses, states, workers = played([FAILED], [FAILED], [FAILED], [FAILED], [FAILED], [FAILED], [FRAME, ENDED])
    assert pauses == [1, 2, 4, 8, 16, 30]
    assert states[0] == SourceStatus(state="lost", detail="it is not there", retry_in_s=1.0)
    assert states[-1] == SourceStatus(state="ended", detail="the video is over")
    assert all(worker.killed for worker in workers)


def test_pauses_begin_anew_once_a_picture_has_come() -> None:
    pauses, _, _ = played([FAILED], [FAILED], [FRAME, FAILED], [ENDED])
    assert pauses == [1, 2, 1]


def test_a_stalled_camera_is_killed_and_said() -> None:
    pauses, states, workers = played([FRAME], [ENDED])
    assert pauses == [1]
    assert states[0].detail == "camera 0 has given no picture for 5 s"
    assert workers[0].killed


def test_the_age_of_a_frame_includes_its_way() -> None:
    clock = Clock()
    ready = threading.Event()

    class Once(Script):
        def next(self, timeout_s: float) -> tuple[Report, Image | None] | None:
            if not self.answers:
                ready.wait(0.05)
                return Report("nothing"), None
            return self.answers.pop(0)

    with SupervisedSource(Device(0), lambda _: Once([FRAME], clock), clock) as source:
        frame = source.wait(-1, 5)
        assert frame is not None
        clock.sleep(2.0)
        assert source.age_s(frame) == pytest.approx(2.1)


# ---- MJPEG over the network ----


class Server(ThreadingHTTPServer):
    """A network camera on this computer: ``level`` is what it shows; it can stall. It ends with its streams."""

    daemon_threads = False  # so that closing waits until every connection is closed
    level = 60
    stalled = False
    ending = False
    connections = 0


class Handler(BaseHTTPRequestHandler):
    """Streams JPEGs."""

    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        if self.path == "/none":
            self.send_error(404)
            return
        server.connections += 1
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            while not server.ending:
                while server.stalled:
                    time.sleep(0.02)
                body = jpeg(server.level)
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + body + b"\r\n")
                time.sleep(0.03)
        except OSError:
            return

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serving(port: int = 0) -> Iterator[Server]:
    server = Server(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.ending = True
        server.server_close()
        thread.join()


def eventually(true: Callable[[], bool], within_s: float = 20.0) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.02)
    return False


def shows(source: Source, level: int) -> Callable[[], bool]:
    def now() -> bool:
        frame = source.latest()
        return frame is not None and abs(float(frame.image.mean()) - level) < 5

    return now


def reading() -> list[multiprocessing.process.BaseProcess]:
    """The processes that read a camera: other tests' programs may still run beside them."""
    return [child for child in multiprocessing.active_children() if child.name == "vedette-reading"]


def test_a_stream_gives_its_newest_picture_dies_is_said_and_comes_back() -> None:
    with serving() as server:
        port = server.server_address[1]
        source = open_source(f"http://127.0.0.1:{port}/video")
        assert eventually(shows(source, 60))
        assert source.status.state == "live"
        server.level = 180
        assert eventually(shows(source, 180))
        frame = source.latest()
        assert frame is not None
        later = source.wait(frame.number, 5.0)
        assert later is not None
        assert later.number > frame.number
        workers = reading()
        assert workers
        workers[0].kill()  # what a crash in a driver does
        assert eventually(lambda: source.status.state == "lost")
        assert source.status.retry_in_s == 1.0
        assert eventually(lambda: source.status.state == "live")
    source.close()
    source.close()
    assert not reading()


def test_an_address_without_pictures_is_lost_with_the_servers_answer() -> None:
    with serving() as server, open_source(f"http://127.0.0.1:{server.server_address[1]}/none") as source:
        assert eventually(lambda: source.status.state == "lost")
        assert "404" in source.status.detail


def test_closing_ends_a_source_whose_camera_stalls() -> None:
    with serving() as server:
        source = open_source(f"http://127.0.0.1:{server.server_address[1]}/video")
        assert eventually(shows(source, 60))
        server.stalled = True
        source.close()
        server.stalled = False
    assert not reading()
    assert not [thread for thread in threading.enumerate() if thread.name == "vedette-source"]


def test_only_whole_pictures_of_a_stream_are_given_and_old_ones_are_dropped() -> None:
    class Pieces:
        def __init__(self, *pieces: bytes) -> None:
            self.pieces = list(pieces)

        def read(self, size: int) -> bytes:
            return self.pieces.pop(0) if self.pieces else b""

    one, two, three = jpeg(10), jpeg(20), jpeg(30)
    stream = Pieces(b"--x\r\n" + one + b"\r\n--x" + two + three[:40], three[40:], one[:50])
    assert list(jpegs_in(stream)) == [two, three]  # type: ignore[arg-type]


class Chunks:
    """A stream that comes in pieces of a few bytes."""

    def __init__(self, data: bytes, size: int) -> None:
        self._pieces = [data[at : at + size] for at in range(0, len(data), size)]

    def read(self, _: int) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""


def with_thumbnail(level: int) -> bytes:
    """A picture as many cameras give it: with a small one of itself in its head."""
    small = b"Exif\x00\x00" + jpeg(0)
    whole = jpeg(level)
    return whole[:2] + b"\xff\xe1" + (len(small) + 2).to_bytes(2, "big") + small + whole[2:]


@pytest.mark.parametrize("size", [1, 7, 300])
def test_a_picture_with_a_thumbnail_in_it_is_seen_whole(size: int) -> None:
    noisy = np.random.default_rng(1).integers(0, 255, (48, 64, 3), dtype=np.uint8)
    progressive = bytes(
        cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 2])[1]
    )
    sent = [with_thumbnail(40), with_thumbnail(80), progressive]
    stream = Chunks(b"--x\r\n" + b"\r\n--x\r\n".join(sent) + b"\r\n", size)
    assert list(jpegs_in(stream)) == sent  # type: ignore[arg-type]


def test_after_a_damaged_picture_the_next_one_is_seen() -> None:
    whole = jpeg(20)
    for damaged in (whole[:30], whole[:-30], whole[:2] + b"\xff\xe1\x00\x00", b"\xff\xd8\xff\xd8"):
        got = list(jpegs_in(Chunks(damaged + b"\r\n--x\r\n" + whole + whole, 64)))  # type: ignore[arg-type]
        assert got[-1] == whole, damaged


def test_a_video_plays_live_and_ends(video: Path) -> None:
    with open_source(str(video)) as source:
        assert eventually(lambda: source.status.state == "ended")
        frame = source.latest()
        assert frame is not None
        assert float(frame.image.mean()) == pytest.approx(160, abs=4)


PROGRAM = """
import multiprocessing, sys, time
from vision.sources import open_source
if __name__ == "__main__":
    source = open_source(sys.argv[1])
    while source.latest() is None:
        time.sleep(0.02)
    print(multiprocessing.active_children()[0].pid, flush=True)
    if sys.argv[2] == "stay":
        time.sleep(60)
"""


@pytest.mark.parametrize("end", ["exit", "stay"])
def test_no_process_outlives_the_program_however_it_ends(end: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    with serving() as server:
        address = f"http://127.0.0.1:{server.server_address[1]}/video"
        with subprocess.Popen(
            [sys.executable, str(program), address, end], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            assert running.stdout is not None
            child = int(running.stdout.readline())
            if end == "stay":
                server.stalled = True
                running.kill()
            _, said = running.communicate(timeout=20)
            server.stalled = False
        assert said == ""
    assert eventually(lambda: not alive(child), 5.0)


def alive(process: int) -> bool:
    if sys.platform == "win32":
        found = subprocess.run(["tasklist", "/fi", f"PID eq {process}"], capture_output=True, text=True, check=True)
        return str(process) in found.stdout
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
