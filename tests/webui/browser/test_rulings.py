"""The rulings that the rulebook leaves open, changed on the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
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
