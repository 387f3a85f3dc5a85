"""Several players on a side, in real browsers: units handed out, and words for one's own side alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
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
