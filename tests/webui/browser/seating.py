"""Several pages at one table, each in a seat of its own, with all that the server sends to each written down."""

from __future__ import annotations

import contextlib

from playwright.sync_api import Error, Page, Response, expect

from .conftest import OpenPage
from .demo import Demo


def listen(page: Page, heard: list[str]) -> None:
    """Keeps whatever the server sends to a page, the pictures apart."""

    def response(answer: Response) -> None:
        if "/api/" in answer.url and not answer.url.split("?")[0].endswith((".jpg", ".svg", "/events")):
            with contextlib.suppress(Error):  # a page that has gone on meanwhile was not given the rest
                heard.append(f"{answer.url}\n{answer.text()}")

    page.on("response", response)


def sit_down(
    open_page: OpenPage, demo: Demo, seat: str, size: str, *, server_may_die: bool = False
) -> tuple[Page, list[str]]:
    """A page that has scanned the picture of a seat; and what is sent to it from then on."""
    page = open_page(f"{demo.url}#join={demo.code(seat)}", size, server_may_die=server_may_die)
    name = seat.removeprefix("side:").title() if seat.startswith("side:") else "Watching"
    expect(page.locator("#seat")).to_have_attribute("aria-label", f"You are: {name}. Who plays?")
    heard: list[str] = []
    listen(page, heard)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    return page, heard
