"""A form that is half filled in stays so when the page is loaded anew, as a phone does behind one's back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .demo import Demo
from .players import choose, select, touch_table

pytestmark = pytest.mark.browser

DemoOf = Callable[[str], Demo]
SMALL = {"width": 360, "height": 640}
UNIT = "cuera"


@pytest.fixture
def demo(demo_of: DemoOf) -> Demo:
    demo = demo_of("presidio")
    demo.settled()
    return demo


def load_anew(page: Page) -> None:
    page.reload()
    page.wait_for_selector("body[data-ready]")


def begin_a_move(page: Page, demo: Demo) -> None:
    """Opens the form of a move, touches where to, and says how."""
    select(page, UNIT)
    choose(page, "move")
    lead = demo.unit(UNIT)["figures"][0]
    touch_table(page, lead["x_mm"] + 20.0, lead["y_mm"] + 40.0)
    expect(page.locator("[data-key^='pick-to-']")).to_have_count(1)
    page.locator("[data-key='number-reload']").fill("1")  # and the finger stays in it


def test_what_was_said_and_half_typed_is_there_after_a_reload_and_is_done(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone", viewport=SMALL)
    begin_a_move(page, demo)
    title, place = page.locator("[data-key='order-title']"), page.locator("[data-key^='pick-to-']")
    named, told = title.inner_text(), place.inner_text()
    load_anew(page)
    expect(title).to_have_text(named)
    expect(place).to_have_text(told)
    expect(page.locator("[data-key='number-reload']")).to_have_value("1")
    expect(page.locator(".verdict")).to_be_visible()
    page.locator("[data-key='order-leave']").click()
    load_anew(page)
    expect(page.locator("#orders .who__name")).to_be_visible()
    page.wait_for_timeout(500)  # time enough for a form to open
    expect(title).to_have_count(0)  # what was given up stays so


def test_what_is_to_be_touched_next_is_asked_for_again(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone", viewport=SMALL)
    select(page, UNIT)
    choose(page, "move")
    expect(page.locator("[data-key='map-to']")).to_have_attribute("aria-pressed", "true")
    load_anew(page)
    expect(page.locator("[data-key='map-to']")).to_have_attribute("aria-pressed", "true")
    lead = demo.unit(UNIT)["figures"][0]
    touch_table(page, lead["x_mm"] + 20.0, lead["y_mm"] + 40.0)
    expect(page.locator("[data-key^='pick-to-']")).to_have_count(1)


def test_a_form_of_what_is_no_more_or_of_the_other_side_opens_nothing(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "desk")
    begin_a_move(page, demo)
    load_anew(page)
    open_form = page.locator("[data-key='order-title']")
    expect(open_form).to_be_visible()
    left = page.evaluate("JSON.parse(sessionStorage.getItem('vedette-order'))")
    elsewhere, blank = f"{demo.url}elsewhere", "<link rel=icon href='data:,'>"
    page.route(elsewhere, lambda route: route.fulfill(content_type="text/html", body=blank))

    def opens(change: dict[str, str]) -> bool:
        address = page.url
        page.goto(elsewhere)  # the page itself would keep its open form over what is written here
        page.evaluate("left => sessionStorage.setItem('vedette-order', JSON.stringify(left))", {**left, **change})
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#orders .who__name")).to_be_visible()
        page.wait_for_timeout(400)  # time enough for a form to open
        return open_form.count() > 0

    opens({})
    expect(open_form).to_be_visible()
    assert not opens({"unit": "nobody-any-more"})
    assert not opens({"action": "an-order-of-other-rules"})
    assert not opens({"began": "another game's day"})
    page.goto(f"{demo.url}#join={demo.code('side:raiders')}")
    expect(page.locator("#seat")).to_have_attribute("aria-label", "You are: Raiders. Who plays?")
    page.goto(f"{demo.url}#unit={UNIT}")
    assert not opens({})
