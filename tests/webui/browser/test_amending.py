"""The umpire's hand in a unit, on a small phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
from .players import select, show_log

pytestmark = pytest.mark.browser


def test_the_umpire_changes_a_unit_on_a_small_phone(demo: Demo, open_page: OpenPage) -> None:
    demo.settled()
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    select(page, "grenadiers")
    page.locator("[data-key='amend']").click()
    page.locator("[data-key='amend-state-reload_markers']").fill("1")
    page.locator("[data-key='amend-state-retiring']").check()
    assert page.evaluate("document.querySelector('#note').scrollWidth <= window.innerWidth")
    page.locator("[data-key='amend-save']").click()
    expect(page.locator("#note")).not_to_be_visible()
    expect(page.locator("#orders .badges")).to_contain_text("retiring")
    state = next(one for one in demo.state()["game"]["units"] if one["id"] == "grenadiers")["state"]
    assert (state["reload_markers"], state["retiring"]) == (1, True)
    show_log(page)
    expect(page.locator("#log")).to_contain_text("The umpire set Grenadiers right: reload markers 1, retiring yes")
