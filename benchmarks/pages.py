"""How soon 16 open pages show what a moved base changes, and what the first load of the page costs."""

from __future__ import annotations

import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.start_up import free_port, has_options

__all__ = ["first_load", "sixteen_pages"]

_PAGES = 16
_MOVES = 20
#: How far the unit is carried to and fro, in mm.
_STEP_MM = 60.0
_PATIENCE_S = 20.0


@contextmanager
def _demo() -> Iterator[int]:
    """The port of a demo that has options to show."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "webui", "demo", "--no-browser", "--port", str(port), "--data", data]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            start = time.perf_counter()
            while not has_options(port):
                if time.perf_counter() - start > 60 or server.poll() is not None:
                    raise RuntimeError("the demo did not come up within a minute")
                time.sleep(0.05)
            yield port
        finally:
            server.terminate()
            server.wait()


class _Page(threading.Thread):
    """What an open page does: it hears of revisions, fetches the state, and notes when the answer has changed."""

    def __init__(self, port: int, unit: str) -> None:
        super().__init__(daemon=True)
        self._port, self._unit = port, unit
        self._events = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S * 3)
        self._fetch = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S * 3)
        self._drawn = ""
        self.seen: dict[str, float] = {}
        self.news = threading.Condition()

    def run(self) -> None:
        """Listens until the server ends."""
        try:
            self._events.request("GET", "/api/events")
            stream = self._events.getresponse()
            while line := stream.readline():
                if line.startswith(b"data:"):
                    self._look()
        except (OSError, http.client.HTTPException, ValueError):
            return

    def _look(self) -> None:
        state = _get(self._fetch, f"/api/state?drawn={self._drawn}")
        self._drawn = state["drawn"]
        if "answer" not in state:
            return
        shown = next(one for one in state["answer"]["units"] if one["unit"] == self._unit)
        with self.news:
            self.seen.setdefault(json.dumps([shown["fire"], shown["charge"]], sort_keys=True), time.perf_counter())
            self.news.notify_all()

    def shows(self, known: set[str]) -> float | None:
        """When it first showed options that are not ``known``; None where it has not in time."""
        with self.news:
            self.news.wait_for(lambda: self.seen.keys() - known, timeout=_PATIENCE_S)
            new = self.seen.keys() - known
            return min((self.seen[one] for one in new), default=None)


def _get(connection: http.client.HTTPConnection, path: str) -> Any:
    connection.request("GET", path)
    return json.loads(connection.getresponse().read())


def _post(port: int, path: str, value: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S)
    headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"}
    connection.request("POST", path, json.dumps(value), headers)
    reply = connection.getresponse()
    body = reply.read()
    if reply.status != 200:
        raise RuntimeError(f"{path}: {reply.status}: {body[:200]!r}")
    connection.close()


def sixteen_pages() -> str:
    """From a unit lying still on the simulated table to its changed options on 16 pages: median and 95 %."""
    with _demo() as port:
        state = _get(http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S), "/api/state")
        unit = state["game"]["units"][0]
        pages = [_Page(port, unit["id"]) for _ in range(_PAGES)]
        for page in pages:
            page.start()
        time.sleep(1.0)
        delays = [delay for number in range(1, _MOVES + 1) for delay in _move(port, unit, pages, number)]
    ordered = sorted(delays)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    within = sum(delay <= 0.25 for delay in delays) / len(delays)
    return (
        f"median {statistics.median(delays) * 1e3:.0f} ms, 95 % within {high * 1e3:.0f} ms,"
        f" {within:.0%} within 250 ms ({len(delays)} looks of {_PAGES} pages)"
    )


def _move(port: int, unit: Any, pages: list[_Page], number: int) -> list[float]:
    """Carries the unit a little farther each time, so that no options come twice; how long each page took."""
    away = _STEP_MM * (number % 2) + 2.0 * number
    places = [
        {"id": one["id"], "x_mm": one["x_mm"], "y_mm": one["y_mm"] + away, "bearing_deg": one["bearing_deg"]}
        for one in unit["figures"]
    ]
    known = [set(page.seen) for page in pages]
    start = time.perf_counter()
    _post(port, "/api/demo/move", {"figures": places})
    found = [page.shows(before) for page, before in zip(pages, known, strict=True)]
    return [_PATIENCE_S if at is None else at - start for at in found]


def first_load() -> str:
    """All that the page loads before it can draw: bytes on the wire, and how long they take one after the other."""
    with _demo() as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S)
        start = time.perf_counter()
        sizes = dict(_loaded(connection, "/"))
        took = time.perf_counter() - start
    largest = max(sizes, key=lambda path: sizes[path])
    return (
        f"{sum(sizes.values()) / 1e3:.0f} kB in {len(sizes)} files, {took:.2f} s;"
        f" the largest is {largest} with {sizes[largest] / 1e3:.0f} kB"
    )


def _loaded(connection: http.client.HTTPConnection, first: str) -> Iterator[tuple[str, int]]:
    """The page, and all that it and its modules name: the bytes of each on the wire."""
    waiting, known = [first, "/api/state"], set[str]()
    while waiting:
        path = waiting.pop(0)
        if path in known:
            continue
        known.add(path)
        connection.request("GET", path, headers={"Accept-Encoding": "gzip, deflate"})
        reply = connection.getresponse()
        body = reply.read()
        if reply.status != 200:
            continue
        yield path, len(body)
        if reply.headers.get("Content-Encoding") is not None:
            body = zlib.decompress(body, wbits=zlib.MAX_WBITS | 32)  # either of the two
        if path == "/api/state":
            waiting.append(json.loads(body)["picture"]["url"])
        elif path == "/" or path.endswith((".js", ".css")):
            text = body.decode()
            found = re.findall(r'(?:src|href)="(/[^"#]+)"|from "([^"]+)"|import "([^"]+)"', text)
            folder = path.rsplit("/", 1)[0]
            for groups in found:
                name = next(group for group in groups if group)
                waiting.append(name if name.startswith("/") else f"{folder}/{name.removeprefix('./')}")
