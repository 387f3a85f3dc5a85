"""A real ``vedette demo`` in a process of its own, as a player starts it."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from engine.clock import now_text
from engine.records.game import Game
from tests.webui import preloaded
from vision.simulated import load_demo
from webui.table.desk import Desk
from webui.table.keeping import Keeping

_ADDRESS = re.compile(r"http://[\w.\-\[\]:]+?:(\d+)")
_PUT = ("id", "x_mm", "y_mm", "bearing_deg")
Place = tuple[float, float]
ANSWER_S = 40.0  # of patience with an answer
START_S = 90.0  # of patience: the camera has its first look, also on a machine that has much else to do


def laid_out(folder: Path, game: Game) -> Path:
    """A demo's folder in which this game has begun; its figures stand where they are, seen or not."""
    keeping = Keeping(folder)
    table = load_demo(game.ruleset).virtual.table
    desk = Desk(keeping.journal(fresh=False), table, now_text, lambda: 1)
    desk.begin(game)
    desk.journal.close()
    keeping.close()
    return folder


class Demo:
    """A running demo of a ruleset on a free port, keeping its game in ``data``; a context manager that ends it."""

    def __init__(self, data: Path, ruleset: str = "muskets-mohawks", *options: str) -> None:
        self.data = data
        self._options = options
        self.ruleset = ruleset
        self._output = data.parent / f"{data.name}.output"
        self._process: preloaded.Running | None = None
        self.port = 0
        self._begun: list[dict[str, Any]] = []
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        """Starts it and waits until the page has units to show; on the same port as before."""
        options = ["--no-browser", "--port", str(self.port), "--data", str(self.data), "--dice-seed", "1"]
        self._process = preloaded.demo(self.ruleset, [*options, *self._options], self._output)
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if not self._process.is_alive():
                break
            found = _ADDRESS.search(self._output.read_text(errors="replace"))
            if found:
                self.port = int(found[1])
                if self._ready():
                    return
            time.sleep(0.05)
        self.stop()
        raise AssertionError(f"the demo did not come up:\n{self._output.read_text(errors='replace')}")

    def state(self) -> dict[str, Any]:
        """What the page is given."""
        with urllib.request.urlopen(f"{self.url}api/state", timeout=ANSWER_S) as answer:
            state: dict[str, Any] = json.load(answer)
        return state

    def resolve(self, **action: Any) -> dict[str, Any]:
        """Has an action done as the umpire, the program rolling whatever it asks for."""
        body = json.dumps({"action": action, "dice": [], "roll": True}).encode()
        asked = urllib.request.Request(
            f"{self.url}api/resolve", data=body, headers={"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(asked, timeout=ANSWER_S) as answer:
            done: dict[str, Any] = json.load(answer)
        return done

    def move(self, places: Mapping[str, Place]) -> None:
        """A hand on the virtual table puts figures there, each facing as before."""
        self.put([{"id": figure, "x_mm": x_mm, "y_mm": y_mm} for figure, (x_mm, y_mm) in places.items()])

    def put(self, figures: Sequence[Mapping[str, Any]]) -> None:
        """A hand on the virtual table puts figures where they are said to stand."""
        put = [{key: one[key] for key in _PUT if key in one} for one in figures]
        asked = urllib.request.Request(
            f"{self.url}api/demo/move",
            data=json.dumps({"figures": put}).encode(),
            headers={"Content-Type": "application/json"},
        )
        urllib.request.urlopen(asked, timeout=ANSWER_S).close()

    def begin_again(self) -> None:
        """Wakes it, takes back whatever was done, puts figures back, and waits until the camera sees all so."""
        self.wake()
        self._begun = self._begun or self.settled()["game"]["units"]
        self._take_back()
        begun, since = _figures(self._begun), time.monotonic()
        is_put, end = False, time.monotonic() + START_S
        while time.monotonic() < end:
            state = self.settled()
            if state["camera"]["age_s"] < time.monotonic() - since:  # nothing seen before is on its way
                if _alike(_figures(state["game"]["units"]), begun):
                    if not (is_put and self._take_back()):  # that they were put back was written down as moves
                        return
                    since = time.monotonic()
                    continue
                if not is_put:
                    self.put([one for figures in begun.values() for one in figures])
                    is_put, since = True, time.monotonic()
            time.sleep(0.05)
        raise AssertionError("the table did not come to stand as it began")

    def _take_back(self) -> bool:
        """Takes back whatever was done; whether anything was."""
        any_done = False
        while True:
            asked = urllib.request.Request(
                f"{self.url}api/undo", data=b"{}", headers={"Content-Type": "application/json"}
            )
            try:
                urllib.request.urlopen(asked, timeout=ANSWER_S).close()
            except urllib.error.HTTPError as error:
                if b"nothing to undo" not in error.read():
                    raise
                return any_done
            any_done = True

    def code(self, seat: str) -> str:
        """The code of a seat, as the laptop shows it."""
        with urllib.request.urlopen(f"{self.url}api/join", timeout=ANSWER_S) as answer:
            told = json.load(answer)
        return next(str(one["code"]) for one in told["invitations"] if one["name"] == seat)

    def settled(self) -> dict[str, Any]:
        """The state once the camera has seen all that stands on the virtual table, and nothing else."""
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            state = self.state()
            seen = all(one["seen"] == one["of"] for one in state["presence"].values())
            if seen and not state["strays"] and not state["camera"]["disturbed"]:
                return state
            time.sleep(0.1)
        raise AssertionError("the camera did not come to see the table as it stands")

    def answer(self, name: str) -> dict[str, Any]:
        """What the engine answers for a unit just now."""
        found: dict[str, Any] = next(one for one in self.state()["answer"]["units"] if one["unit"] == name)
        return found

    def unit(self, name: str) -> dict[str, Any]:
        """A unit of the game as it stands."""
        found: dict[str, Any] = next(unit for unit in self.state()["game"]["units"] if unit["id"] == name)
        return found

    @contextlib.contextmanager
    def asleep(self) -> Iterator[None]:
        """The process stands still, as that of a laptop whose lid is closed."""
        self.sleep()
        try:
            yield
        finally:
            self.wake()

    def sleep(self) -> None:
        """Has the process stand still: nobody looks on, and its camera costs others their time."""
        self._signal("SIGSTOP")

    def wake(self) -> None:
        """Has it go on."""
        self._signal("SIGCONT")

    def _signal(self, name: str) -> None:
        if self._process is not None and self._process.pid is not None and sys.platform != "win32":
            os.kill(self._process.pid, signal.Signals[name])

    def kill(self) -> None:
        """Ends it without a warning, as a power cut does."""
        assert self._process is not None
        self._process.kill()
        self._process.join(timeout=10)

    def stop(self) -> None:
        """Ends it properly."""
        if self._process is None or not self._process.is_alive():
            return
        self.wake()
        self._process.terminate()
        self._process.join(timeout=10)
        if self._process.is_alive():
            self.kill()

    def __enter__(self) -> Demo:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _ready(self) -> bool:
        try:
            state = self.state()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
        shown = all(state.get(part) for part in ("game", "answer", "picture"))
        return shown and bool(state["camera"]["markers_used"])  # the camera has had its first look


def _figures(units: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    return {unit["id"]: unit["figures"] for unit in units}


def _alike(now: dict[str, list[dict[str, Any]]], begun: dict[str, list[dict[str, Any]]]) -> bool:
    """Whether all stand as they did; which of a unit's men is which, the camera cannot tell once all were moved."""
    return now.keys() == begun.keys() and all(
        len(now[unit]) == len(begun[unit])
        and all(min(_off(one, was) for one in now[unit]) < 1.0 for was in begun[unit])
        for unit in now
    )


def _off(one: dict[str, Any], was: dict[str, Any]) -> float:
    """How far a figure stands or faces from where another did: 1 is 3 mm, or 10 deg.

    A figure counts as turned once it is turned by four sigma of a bearing, some 7 deg: less is no fault.
    """
    turned_deg = abs((one["bearing_deg"] - was["bearing_deg"] + 180.0) % 360.0 - 180.0)
    return max(math.dist((one["x_mm"], one["y_mm"]), (was["x_mm"], was["y_mm"])) / 3.0, turned_deg / 10.0)
