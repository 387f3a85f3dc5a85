"""Takes the pictures of the page in ``docs/screenshots`` from the real demo.

Run it after the look of the page has changed: ``python -m tests.webui.browser.screenshots [FOLDER]``
(from the top of the repository; without a folder the pictures go to ``docs/screenshots``). Each is a PNG of at
most 600 kB: a phone of 390 × 844 at twice the dots, a laptop of 1440 × 900.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.webui.browser.chromium import NO_CHROMIUM, open_chromium
from tests.webui.browser.demo import Demo
from tests.webui.browser.players import begin_fire, choose, select, show_log, volley

FOLDER = Path(__file__).parents[3] / "docs" / "screenshots"
LARGEST_BYTES = 600_000
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True,
}  # fmt: skip
DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}

Steps = Callable[[Page], None]


def take(demo: Demo, browser: Browser, folder: Path) -> None:
    """Takes all pictures. The game is played on a little, so their order matters."""
    answer, option = volley(demo)

    def unit(page: Page) -> None:
        select(page, answer["unit"])

    def dice(page: Page) -> None:
        unit(page)
        begin_fire(page, option)
        page.keyboard.type("146")

    def played(page: Page) -> None:
        unit(page)
        begin_fire(page, option)
        type_mixed(page)
        page.locator("[data-key='dice-done']").click()
        show_log(page)
        page.locator(".entry__more summary").first.click()

    shots: list[tuple[str, dict[str, Any], str, Steps]] = [
        ("phone-units", PHONE, "light", lambda page: None),
        ("phone", PHONE, "light", unit),
        ("phone-dark", PHONE, "dark", unit),
        ("phone-dice", PHONE, "light", dice),
        ("desktop", DESK, "light", unit),
        ("desktop-dark", DESK, "dark", unit),
        ("desktop-dice", DESK, "light", dice),
        ("phone-log", PHONE, "light", played),
        ("desktop-log", DESK, "light", show_log),
    ]
    for name, size, theme, steps in shots:
        shoot(demo, browser, folder / f"{name}.png", size, theme, steps)


def take_grid(demo: Demo, browser: Browser, folder: Path) -> None:
    """Takes the pictures of a game on squares: a unit with its reach, and an order that is being filled in."""
    unit = next(one for one in demo.settled()["answer"]["units"] if one["move"]["legal"] and one["fire"])["unit"]

    def order(page: Page) -> None:
        select(page, unit)
        choose(page, "turn")
        page.locator("[data-key='dial-bearing_deg-15']").click()

    def reach(page: Page) -> None:
        select(page, unit)
        page.locator(".drawing__reach .reach").first.wait_for()

    shoot(demo, browser, folder / "grid.png", DESK, "light", reach)
    shoot(demo, browser, folder / "phone-order.png", PHONE, "light", order)


def shoot(demo: Demo, browser: Browser, file: Path, size: dict[str, Any], theme: str, steps: Steps) -> None:
    """Takes one picture of a page after some steps."""
    context = browser.new_context(**size, color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(demo.url)
    page.wait_for_selector("body[data-ready]")
    steps(page)
    page.wait_for_timeout(1200)  # pictures, chances and the camera settle
    save(page.screenshot(), file)
    context.close()


def type_mixed(page: Page) -> None:
    """Types dice as they fall: some of each, over and over, until nothing more is asked for."""
    while not page.locator("[data-key='dice-done']").count():
        asked = page.locator(".ask__roll strong").inner_text()
        page.keyboard.type(("1462531" * 9)[: int(asked.split("d")[0])])
        rolled = page.locator(".sofar li").count()
        page.keyboard.press("Enter")
        page.locator(f".sofar li:nth-child({rolled + 1}), [data-key='dice-done']").first.wait_for()


def save(png: bytes, path: Path) -> None:
    """Writes a picture with as many colours as its size allows."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    for colours in (256, 128, 64, 32):
        packed = io.BytesIO()
        few = picture.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(packed, "PNG", optimize=True)
        if packed.tell() <= LARGEST_BYTES:
            break
    path.write_bytes(packed.getvalue())


def main() -> None:
    """Takes the pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        Demo(Path(scratch) / "game") as demo,
        sync_playwright() as playwright,
    ):
        browser = open_chromium(playwright)
        if browser is None:
            raise SystemExit(NO_CHROMIUM)
        take(demo, browser, folder)
        with Demo(Path(scratch) / "squares", "palouse") as squares:
            take_grid(squares, browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
