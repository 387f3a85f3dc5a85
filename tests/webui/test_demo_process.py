"""The real ``vedette demo`` in a process of its own: killed, ended, started twice."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

_PATIENCE_S = 120.0


def demo_in(data: Path, *options: str, port: str = "0") -> list[str]:
    """The command that plays the demo in a folder: with fixed dice, or now and then a unit retires under a roof."""
    command = [sys.executable, "-m", "webui", "demo", "--no-browser", "--dice-seed", "1"]
    return [*command, "--port", port, "--data", str(data), *options]


class Process:
    """A demo that keeps its game in ``data``."""

    def __init__(self, data: Path, *options: str) -> None:
        self.said = data.parent / f"{data.name}-{time.monotonic_ns()}.txt"
        command = demo_in(data, *options)
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        found = self._wait(lambda: re.search(r"localhost:(\d+)", self.said.read_text(encoding="utf-8")))
        self.port = int(found[1])
        self._wait(lambda: self.state()["game"])

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://localhost:{self.port}{path}", timeout=30) as answer:
            return json.load(answer)

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.get("/api/state")
        return state

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        request = urllib.request.Request(
            f"http://localhost:{self.port}/api/{path}",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            reply: dict[str, Any] = json.load(answer)
        return reply

    def wait_for(self, condition: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        return self._wait(lambda: (state := self.state()) and condition(state) and state)

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=60)

    def _wait(self, ready: Callable[[], Any]) -> Any:
        end = time.monotonic() + _PATIENCE_S
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            with contextlib.suppress(OSError):
                got = ready()
                if got:
                    return got
            time.sleep(0.1)
        raise AssertionError(self.said.read_text(encoding="utf-8"))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts demos in one data folder; none outlives the test."""
    started: list[Process] = []

    def begin(*options: str) -> Process:
        started.append(Process(tmp_path / "data", *options))
        return started[-1]

    yield begin
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait(timeout=20)


def legal_shot(state: dict[str, Any]) -> dict[str, Any]:
    for unit in state["answer"]["units"]:
        for option in unit["fire"]:
            if option["legal"]:
                return {"action": "fire", "unit": unit["unit"], "target": option["target"], "mode": option["mode"]}
    raise AssertionError("nobody can fire at anybody")


def strengths(state: dict[str, Any]) -> dict[str, int]:
    return {unit["id"]: len(unit["figures"]) for unit in state["game"]["units"]}


def stands_as_the_game_has_it(state: dict[str, Any]) -> bool:
    """Whether the camera sees every figure of the game, and no base besides."""
    seen = state["presence"].values()
    return bool(seen) and all(one["seen"] == one["of"] for one in seen) and not state["strays"]


def test_a_kill_loses_nothing_that_anybody_was_told_and_a_fresh_game_puts_its_log_aside(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    first = start()
    first.wait_for(lambda state: state["presence"])  # the camera has looked once
    first.post("resolve", action=legal_shot(first.state()), roll=True)
    first.post("turn", number=2, side="french")
    before = first.state()
    first.end(signal.SIGKILL)

    second = start()
    after = second.state()
    told = len(before["log"])
    assert after["log"][:told] == before["log"]
    if len(after["log"]) == told:  # else the camera looked once more between the page's last look and the kill
        for part in ("game", "undo", "redo", "answer"):
            assert after[part] == before[part]
    assert strengths(after) == strengths(before)
    assert after["revision"] > before["revision"]
    second.wait_for(stands_as_the_game_has_it)
    undone = second.post("undo", number=after["undo"]["number"])
    assert undone["entry"]["kind"] == "undo"
    second.end(signal.SIGKILL)

    fresh = start("--fresh")
    assert fresh.state()["game"]["turn"]["number"] == 1
    assert len(list((tmp_path / "data").glob("journal-*.db"))) == 1, "the old log is put aside"


def test_a_unit_that_is_dragged_is_seen_by_the_camera_and_the_game_follows(start: Callable[..., Process]) -> None:
    demo = start()
    state = demo.wait_for(lambda state: state["presence"])
    unit = state["game"]["units"][0]
    figures = [{"id": f["id"], "x_mm": f["x_mm"], "y_mm": f["y_mm"] - 60.0} for f in unit["figures"]]
    demo.post("demo/move", figures=figures)

    def followed(now: dict[str, Any]) -> bool:
        moved = now["game"]["units"][0]["figures"]
        return all(abs(new["y_mm"] - old["y_mm"]) < 3.0 for new, old in zip(moved, figures, strict=True))

    after = demo.wait_for(followed)
    assert after["log"][-1]["kind"] == "camera"
    assert "moved" in after["log"][-1]["title"]


def test_one_folder_is_used_by_one_program_and_a_polite_end_is_clean_with_a_page_open(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    demo = start()
    second = subprocess.run(demo_in(tmp_path / "data"), capture_output=True, text=True, check=False, timeout=60)
    assert second.returncode == 2
    assert second.stderr.startswith("vedette: ")
    assert "another Vedette" in second.stderr
    page = HTTPConnection("localhost", demo.port, timeout=10)
    page.request("GET", "/api/events")
    stream = page.getresponse()
    assert stream.readline().startswith(b":")
    assert demo.end(signal.SIGTERM) == 0
    page.close()
    said = demo.said.read_text(encoding="utf-8")
    assert "the game is kept" in said
    assert "Traceback" not in said


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(demo_in(tmp_path, port=port), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"port {port} is taken" in done.stderr
