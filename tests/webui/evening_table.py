"""A table of which nothing is known, under the simulated camera, served from nothing as `vedette serve` does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

import vision.simulated.camera
from vision.simulated import Renderer, SimulatedCamera, VirtualTable, load_demo
from vision.sources import Mode, Source, open_source
from webui.app import create_app
from webui.commands.serve import open_table
from webui.live import LiveTable

PATIENCE_S = 120.0


def simulated(demo: str = "muskets-mohawks") -> SimulatedCamera:
    """The demo's table under a camera whose frames come slowly, so that a test machine keeps up.

    One at a time: what one has painted, the next one of the same table need not paint again.
    """
    found = load_demo(demo)
    with patch.object(vision.simulated.camera, "Renderer", return_value=_renderer(demo)):
        return SimulatedCamera(found.virtual, found.camera, fps=4.0)


@cache
def _renderer(demo: str) -> Renderer:
    return Renderer(load_demo(demo).camera)


@contextmanager
def nothing_set_up(folder: Path, camera: SimulatedCamera | None = None) -> Iterator[LiveTable]:
    """`vedette serve` with an empty data folder; the simulated camera that may be chosen is ``camera``."""
    live = open_table(
        None, None, lens_file=None, game_file=None, ruleset="muskets-mohawks", data=folder, fresh=False
    )
    bench = live.bench
    assert bench is not None

    def opened(spec: str, mode: Mode) -> Source:
        return camera if camera is not None and spec == "simulated" else open_source(spec, mode=mode)

    bench._open = opened
    live.start()
    try:
        yield live
    finally:
        live.close()


class Api:
    """The routes of the first evening, called as the page does."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.client = create_app(live).test_client()

    def get(self, path: str = "") -> dict[str, Any]:
        answer = self.client.get(f"/api/evening{path}")
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.get_json()
        return told

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.client.post(f"/api/evening/{path}", json=body)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.get_json()
        return told

    def refused(self, path: str, **body: Any) -> str:
        """What the server says against something; it must be one clear sentence and no fault of ours."""
        answer = self.client.post(f"/api/evening/{path}", json=body)
        assert 400 <= answer.status_code < 500, answer.text
        return str(answer.get_json()["error"])

    def step(self, name: str) -> dict[str, Any]:
        return next(step for step in self.get()["steps"] if step["id"] == name)

    def until(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The view, as soon as something holds of it."""
        end = time.monotonic() + PATIENCE_S
        while True:
            view = self.get()
            if true(view):
                return view
            assert time.monotonic() < end, view
            time.sleep(0.2)


def covered(camera: SimulatedCamera, marker: int) -> VirtualTable:
    """The table with a book on one of its markers."""
    from vision.simulated import ClutterPlaced

    table = camera.table
    at = next(one for one in table.table.markers.at if one.id == marker)
    book = ClutterPlaced(what="book", x_mm=at.x_mm, y_mm=at.y_mm, size_mm=200.0)
    return replace(table, clutter=(*table.clutter, book))
