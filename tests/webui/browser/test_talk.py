"""Several players on a side, in real browsers: units handed out, and words for one's own side alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
from .players import select

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
