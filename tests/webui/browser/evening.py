"""A first evening in a real browser: the program served from nothing in this process, and a player's hands."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.webui.evening_table import nothing_set_up
from vision.simulated import SimulatedCamera
from webui.live import LiveTable
from webui.server import open_server

from .chromium import ARGUMENTS, chromium_path
from .players import at_rest, where

#: Where pictures of every step are left for people to look at; nowhere unless it is named.
SHOTS = os.environ.get("VEDETTE_SHOTS")


#: Of patience, on a machine that has much else to do.
PATIENCE_MS = 120_000


class Evening:
    """A program that serves a table of which nothing is known, and the camera over it."""

    def __init__(self, live: LiveTable, camera: SimulatedCamera, port: int) -> None:
        self.live = live
        self.camera = camera
        self.url = f"http://127.0.0.1:{port}/"
        self.pages: list[Page] = []

    def share(self, x: float, y: float, z: float = 3.0) -> tuple[float, float]:
        """Where a point of the table is seen, as shares of the picture."""
        lens = self.camera.camera.intrinsics
        px = self.camera.camera.project([[x, y, z]])[0]
        return float(px[0]) / lens.width_px, float(px[1]) / lens.height_px


@contextmanager
def evening(folder: Path, camera: SimulatedCamera) -> Iterator[Evening]:
    """Serves it until the end of the block."""
    with nothing_set_up(folder, camera) as live:
        server, port = open_server(live, "127.0.0.1", 0)
        stop = threading.Event()

        def serve() -> None:
            while not stop.is_set():
                server.asyncore.loop(timeout=0.05, map=server._map, count=4)

        thread = threading.Thread(target=serve, name="evening-server")
        thread.start()
        try:
            table = Evening(live, camera, port)
            yield table
            for page in table.pages:
                page.close()
        finally:
            live.end_streams()
            stop.set()
            thread.join()
            server.task_dispatcher.shutdown()
            server.asyncore.close_all(server._map)


def press(page: Page, key: str) -> None:
    """Presses a button of the step, and waits until what it began is done."""
    page.locator(f"#panel [data-key='{key}']").click()
    done(page)


def done(page: Page) -> None:
    """Waits until nothing is being done."""
    page.wait_for_function("!document.body.dataset.busy", timeout=PATIENCE_MS)


def step(page: Page, name: str, mood: str | None = None) -> None:
    """Goes to a step, or waits until it stands so."""
    if mood is None:
        page.locator(f"[data-key='step-{name}']").click()
        return
    expect(page.locator(f"[data-key='step-{name}'].step--{mood}")).to_be_visible(timeout=PATIENCE_MS)


def touch_picture(page: Page, share: tuple[float, float]) -> None:
    """Touches the camera's picture at a share of its width and height."""
    expect(page.locator("#cross")).to_be_visible()
    at_rest(page.locator("#picture .leaflet-image-layer"))  # the picture grows while it is touched
    page.mouse.click(*screen_of(page, share))
    done(page)


def screen_of(page: Page, share: tuple[float, float]) -> tuple[float, float]:
    """Where on the screen a place of the picture is."""
    box = where(page.locator("#picture .leaflet-image-layer"))
    return box["x"] + share[0] * box["width"], box["y"] + share[1] * box["height"]


def draw_round(page: Page, corners: list[tuple[float, float]]) -> None:
    """Draws a line round something in the picture."""
    expect(page.locator(".eve__map--draws")).to_be_visible()
    at_rest(page.locator("#picture .leaflet-image-layer"))
    places = [screen_of(page, corner) for corner in [*corners, corners[0]]]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=8)
    page.mouse.up()


def fill_in(page: Page, field: str, value: str) -> None:
    """Types into a field of the step."""
    page.locator(f"#field-{field}").fill(value)


def shot(page: Page, name: str) -> None:
    """Leaves a picture for people to look at, where they asked for it."""
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(300)
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


@contextmanager
def lending_chromium(browser: Browser, *arguments: str) -> Iterator[Browser]:
    """Another Chromium, beside ``browser``, which has a camera by these arguments."""
    started = browser.browser_type.launch(executable_path=chromium_path(camera=True), args=[*ARGUMENTS, *arguments])
    try:
        yield started
    finally:
        started.close()
