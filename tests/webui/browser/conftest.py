"""A browser, demos, and pages that notice whatever goes wrong on them."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    expect,
    sync_playwright,
)

from engine.records.game import Game

from .chromium import NO_CHROMIUM, open_chromium
from .demo import Demo, laid_out

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1440, "height": 900}}
SIZES = {"phone": PHONE, "desk": DESK}

OpenPage = Callable[..., Page]
DemoWith = Callable[[Game], Demo]

#: The browser's windows that a test has open.
_OPEN = pytest.StashKey[list[BrowserContext]]()

#: Gives a test of a page what one of its modules shares.
_PART = """globalThis.part = async (name) => {
  const page = await import(document.querySelector("script[type=module]").src);
  return page.part(name);
};"""

PATIENCE_MS = 90_000  # on a machine that has much else to do
expect.set_options(timeout=PATIENCE_MS)


def pytest_itemcollected(item: pytest.Item) -> None:
    """In CI a test of the page that failed is tried once more; the summary names it."""
    if os.environ.get("CI"):
        item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails tells what its pages showed just then."""
    report = yield
    if report.failed and report.when == "call":
        for page in (page for context in item.stash.get(_OPEN, []) for page in context.pages):
            with suppress(Error):
                report.sections.append((f"the page at {page.url}", page.inner_text("body", timeout=2_000)))
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = open_chromium(playwright)
        if opened is None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_CHROMIUM)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def running_demo_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Demo]]:
    """A demo of each ruleset, started when it is first asked for: to start one costs more than most tests of it."""
    with ExitStack() as running:

        @cache
        def started(ruleset: str) -> Demo:
            return running.enter_context(Demo(tmp_path_factory.mktemp(ruleset) / "game", ruleset))

        yield started


@pytest.fixture
def demo_of(running_demo_of: Callable[[str], Demo]) -> Iterator[Callable[[str], Demo]]:
    """One demo of a ruleset for all tests, as it begins for each: none plays what another left.

    Those that no test plays just then sleep.
    """
    awake: list[Demo] = []

    def begun(ruleset: str) -> Demo:
        awake.append(running_demo_of(ruleset))
        awake[-1].begin_again()
        return awake[-1]

    yield begun
    for demo in awake:
        demo.sleep()


@pytest.fixture
def demo(demo_of: Callable[[str], Demo]) -> Demo:
    """The demo of the first ruleset, as it begins."""
    return demo_of("muskets-mohawks")


@pytest.fixture
def demo_with(tmp_path: Path) -> Iterator[DemoWith]:
    """Starts a demo in which a game has begun; it ends after the pages."""
    with ExitStack() as running:
        yield lambda of: running.enter_context(Demo(laid_out(tmp_path / "game", of), of.ruleset))


@pytest.fixture
def open_page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[OpenPage]:
    """Opens pages; at the end none of them may have complained, nor asked any other host for anything."""
    contexts = request.node.stash[_OPEN] = list[BrowserContext]()
    with opening(browser, contexts) as opened:
        yield opened


@pytest.fixture(scope="module")
def scripts(browser: Browser, running_demo_of: Callable[[str], Demo]) -> Iterator[Page]:
    """One page for all tests of a module that do nothing to it but call what its scripts export."""
    demo = running_demo_of("muskets-mohawks")
    demo.wake()
    with opening(browser, []) as opened:
        yield opened(demo.url, "desk")
    demo.sleep()


@contextmanager
def opening(browser: Browser, contexts: list[BrowserContext]) -> Iterator[OpenPage]:
    """Opens pages in ``contexts``, and closes them."""
    complaints: list[str] = []

    def listen(page: Page, host: str, tolerant: list[bool]) -> None:
        def console(message: ConsoleMessage) -> None:
            # A table that moves on while chances are being worked out makes the question void: 422, and no fault.
            # An action that the camera's look overtakes is sent again by itself: 409, and no fault either.
            asked = {"/api/odds": "422", "/api/resolve": "409"}
            overtaken = any(
                message.location["url"].endswith(path) and code in message.text for path, code in asked.items()
            )
            if message.type in ("error", "warning") and not tolerant and not overtaken:
                complaints.append(f"console {message.type}: {message.text}")

        def requested(asked: Request) -> None:
            if urlsplit(asked.url).netloc != host and not asked.url.startswith(("data:", "blob:")):
                complaints.append(f"asked another host: {asked.url}")

        page.on("console", console)
        page.on("pageerror", lambda error: complaints.append(f"error on the page: {error}"))
        page.on("request", requested)

    def opened(url: str, size: str = "phone", *, server_may_die: bool = False, **more: object) -> Page:
        context = browser.new_context(**{**SIZES[size], "reduced_motion": "reduce", **more})  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(_PART)
        contexts.append(context)
        page = context.new_page()
        # Chromium itself reports a lost connection on the console, and a page cannot keep it from doing so.
        listen(page, urlsplit(url).netloc, [True] if server_may_die else [])
        page.goto(url)
        page.wait_for_selector("body[data-ready]")
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")  # an answer that is being changed just now is not awaited
        context.close()
    assert complaints == []
