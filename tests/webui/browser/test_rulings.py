"""The rulings that the rulebook leaves open, changed on the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
from .evening import shot
from .players import show_log

pytestmark = pytest.mark.browser


def test_a_ruling_is_played_otherwise_and_stands_in_the_log(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    demo = demo_of("tyneside")
    demo.settled()
    page = open_page(demo.url, "phone")
    page.locator("[data-key='rulings']").click()
    for value, words in (("centre", "Between their centres"), ("edge", "Between the edges of bases")):
        chip = page.locator(f"[data-key='ruling-measure-{value}']")
        expect(chip).to_have_text(words)
        chip.click()
        expect(chip).to_have_attribute("aria-pressed", "true")
        assert demo.state()["game"]["conditions"]["options"]["measure"] == value
    page.get_by_label("Close").click()
    show_log(page)
    expect(page.locator("#log")).to_contain_text("Distances are measured: Between their centres")


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_a_rule_that_is_read_among_the_rulings_leads_back_to_them(
    demo: Demo, open_page: OpenPage, size: str
) -> None:
    page = open_page(demo.url, size)
    page.locator("[data-key='rulings']").click()
    title = page.locator("#note-title")
    chip = page.locator("#note .chip--rule").last
    ways = [
        lambda: page.locator("[data-key='note-back']").click(),
        lambda: page.locator("[data-key='note-close']").click(),
        lambda: page.keyboard.press("Escape"),
        lambda: page.mouse.click(3, 3),
    ]
    for way in ways:
        expect(title).to_have_text("House rulings")
        chip.scroll_into_view_if_needed()
        scrolled = page.evaluate("note.scrollTop")
        chip.click()
        expect(title).not_to_have_text("House rulings")
        shot(page, f"rule-in-{size}")
        way()
        expect(title).to_have_text("House rulings")
        assert page.evaluate("note.scrollTop") == scrolled
    page.locator("[data-key='note-close']").click()
    expect(page.locator("#note")).to_be_hidden()
