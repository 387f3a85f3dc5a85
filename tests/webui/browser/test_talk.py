"""Several players on a side, in real browsers: units handed out, and words for one's own side alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import OpenPage
from .demo import Demo
from .evening import shot
from .players import select
from .seating import sit_down

pytestmark = pytest.mark.browser


@pytest.mark.rule("MP-300", "MP-301")
def test_a_commander_hands_a_unit_out_and_talks_to_his_side(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    demo = demo_of("tyneside")
    demo.settled()
    commander, enemy = open_page(demo.url, "desk"), open_page(demo.url, "phone")
    for page, seat in ((commander, "side:british"), (enemy, "side:french")):
        page.goto(f"{demo.url}#join={demo.code(seat)}")
        page.wait_for_selector("body[data-ready]")

    commander.locator("#seat").click()
    commander.locator("#officer-name").fill("Tom")
    commander.locator("#officer-rangers").check()
    commander.locator(".officers button").click()
    expect(commander.locator("#note")).to_contain_text("Tom (")
    code = commander.locator("#note .talk li", has_text="Tom (").inner_text().split("(")[1].split(")")[0]

    tom = open_page(demo.url, "phone")
    tom.goto(f"{demo.url}#join={code}")
    expect(tom.locator("#seat")).to_have_attribute("aria-label", "You are: Tom of British. Who plays?")
    tom.wait_for_selector("body[data-ready]")

    commander.locator("#talk-text").fill("Hold the fence")
    commander.locator("#talk-own").check()
    commander.get_by_role("button", name="Send").click()
    expect(tom.locator("#toast")).to_contain_text("British (to your side): Hold the fence")
    expect(enemy.locator("#toast")).to_be_hidden()

    commander.get_by_role("button", name="Close", exact=True).click()
    select(commander, "rangers")
    expect(commander.locator("#orders")).to_contain_text("You do not give this unit its orders")
    select(tom, "rangers")
    expect(tom.locator("#orders .act").first).to_be_visible()


@pytest.mark.rule("MP-300")
@pytest.mark.parametrize("size", ["phone", "desk"])
def test_the_umpire_hands_units_of_any_side_out_and_everything_fits_in_a_large_font(
    demo_of: Callable[[str], Demo], open_page: OpenPage, size: str
) -> None:
    demo = demo_of("tyneside")
    demo.settled()
    page = open_page(demo.url, size, bypass_csp=True)
    page.request.post(f"{demo.url}api/messages", data={"text": "Supercalifragilistic" * 20})
    page.route("**/api/join", on_the_network)
    page.route("**/api/join/qr.svg*", lambda route: route.fulfill(body=PICTURE, content_type="image/svg+xml"))
    page.locator("#seat").click()
    name = "Lieutenant-Colonel-Fotheringay-Phipps XL"
    page.locator("#officer-french-name").fill(name)
    page.locator("#officer-french-hurons").check()
    page.get_by_role("form", name="French").get_by_role("button", name="Give").click()
    expect(page.locator(".seats__name", has_text=name)).to_be_visible()
    expect(page.locator("#note .talk li", has_text=f"{name} (")).to_contain_text("Hurons")
    assert [(one["side"], one["name"], one["units"]) for one in officers(page, demo)] == [
        ("french", name, ["hurons"])
    ]
    for font in ("100%", "200%"):
        page.add_style_tag(content=f":root {{ font-size: {font} !important }}")
        page.evaluate("note.scrollTop = 0")
        shot(page, f"seats-{size}-{font.removesuffix('%')}")
        assert page.evaluate(PAST_THE_EDGE) == []
        assert page.evaluate(
            "[...note.querySelectorAll('.talk li')].every((one) => one.scrollWidth <= one.clientWidth)"
        )
    page.locator("#officer-french-name").fill(name)
    page.get_by_role("form", name="French").get_by_role("button", name="Give").click()
    expect(page.locator(".seats__name", has_text=name)).to_have_count(0)
    assert officers(page, demo) == []


PAST_THE_EDGE = """[...note.querySelectorAll("*")]
  .filter((one) => one.getBoundingClientRect().right > note.getBoundingClientRect().right)
  .map((one) => one.className)"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'


def on_the_network(route: Route) -> None:
    """The answer of a table that phones find."""
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "address": "http://192.168.178.100:8765/"})


def officers(page: Page, demo: Demo) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.request.get(f"{demo.url}api/officers").json()["officers"]
    return found


def test_what_was_said_while_nobody_looked_is_marked_and_stands_in_the_list_that_is_open(
    demo: Demo, open_page: OpenPage
) -> None:
    french, _ = sit_down(open_page, demo, "side:french", "phone")
    british, _ = sit_down(open_page, demo, "side:british", "phone")

    def say(text: str) -> None:
        french.locator("#talk-text").fill(text)
        french.locator("#talk-text").press("Enter")
        expect(french.locator("#note .talk li").last).to_have_text(f"French: {text}")

    seat = british.locator("#seat")
    french.locator("#seat").click()
    say("May we measure that again?")
    expect(british.locator("#toast")).to_contain_text("May we measure that again?")
    british.get_by_role("button", name="Close this notice").click()
    expect(seat).to_have_attribute("aria-label", "You are: British. Who plays? 1 new message.")
    expect(seat.locator(".seat__news")).to_have_text("1")
    say("Before you fire")
    expect(seat.locator(".seat__news")).to_have_text("2")
    british.get_by_role("button", name="Close this notice").click()

    seat.click()
    heard = british.locator("#note .talk").first.locator("li")
    expect(heard.last).to_have_text("French: Before you fire")
    assert heard.all_inner_texts()[-2:] == ["French: May we measure that again?", "French: Before you fire"]
    expect(seat.locator(".seat__news")).to_have_count(0)
    for number in range(8):
        say(f"It is {number} in nearer")
    expect(heard.last).to_have_text("French: It is 7 in nearer")
    expect(heard.last).to_be_in_viewport()  # of a long talk the end is seen
    expect(british.locator("#toast")).to_be_hidden()  # nothing lies over what is read
    expect(seat.locator(".seat__news")).to_have_count(0)
