"""Several people at one table: each side on its own phone, and somebody who watches."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
from .players import choose, roll_all, select, touch_table
from .seating import sit_down

pytestmark = pytest.mark.browser

SECRETS = ("hurons", "Hurons")


def test_three_at_one_table_and_the_hidden_stay_hidden(demo_of: Callable[[str], Demo], open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    demo.settled()
    spots = [[300.0, 840.0], [620.0, 850.0]]
    demo.resolve(action="hide", side="french", groups=["hurons"], edges=spots, override=True)
    british, to_british = sit_down(open_page, demo, "side:british", "phone")
    french, _ = sit_down(open_page, demo, "side:french", "phone")
    watching, to_watching = sit_down(open_page, demo, "spectator", "desk")

    expect(french.locator("[data-key='section-setup']")).to_have_count(1)
    expect(french.locator("button.label[data-unit='hurons']")).to_have_count(1)
    for page in (british, watching):
        expect(page.locator("button.label[data-unit='hurons']")).to_have_count(0)

    select(british, "rangers")
    choose(british, "move")
    lead = demo.unit("rangers")["figures"][0]
    touch_table(british, lead["x_mm"] + 20.0, lead["y_mm"] + 30.0)
    expect(british.locator("[data-key='order-go']")).to_be_enabled()
    british.locator("[data-key='order-go']").click()
    roll_all(british)
    expect(watching.locator("#log")).to_contain_text("Gorham's Rangers")

    select(french, "rangers")
    expect(french.locator("#orders")).to_contain_text("You do not give this unit its orders")
    expect(french.locator("#orders [data-key^='do-']")).to_have_count(0)
    expect(french.locator("#next-side")).to_be_hidden()

    expect(watching.locator("[data-key='roster-militia']")).to_be_visible()
    expect(watching.locator("[data-key='section-setup']")).to_have_count(0)  # he sets no game up
    select(watching, "militia")
    expect(watching.locator("#orders [data-key^='do-']")).to_have_count(0)
    for act in watching.locator("#orders .act").all():
        expect(act).to_be_disabled()

    for heard in (to_british, to_watching):
        assert any("/api/state" in text for text in heard)
        for secret in SECRETS:
            assert not [text[:80] for text in heard if secret in text], secret


def test_a_tab_follows_when_another_of_the_same_browser_changes_the_seat(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    demo = demo_of("tyneside")
    demo.settled()
    demo.resolve(action="hide", side="french", groups=["hurons"], edges=[[300.0, 840.0]], override=True)
    first = open_page(demo.url, "desk")
    expect(first.locator("button.label[data-unit='hurons']")).to_have_count(1)
    rested = 0
    while rested != (rested := demo.state()["revision"]):
        first.wait_for_timeout(1500)  # no picture or look is to come: the seat alone is news
    second = first.context.new_page()
    second.goto(f"{demo.url}#join={demo.code('side:british')}")
    expect(second.locator("#seat")).to_have_attribute("aria-label", "You are: British. Who plays?")
    expect(first.locator("#seat")).to_have_attribute("aria-label", "You are: British. Who plays?")
    expect(first.locator("button.label[data-unit='hurons']")).to_have_count(0)


def test_a_code_is_typed_and_a_wrong_one_is_said(demo_of: Callable[[str], Demo], open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    page = open_page(demo.url, "phone", server_may_die=True)  # the browser reports the refusal on its console
    page.locator("#seat").click()
    expect(page.locator("#note .seats__code").first).to_be_visible()
    page.locator("#join-code").fill("WRONG")
    page.locator("#note").get_by_role("button", name="Join").click()
    notice = page.locator("#toast")
    expect(notice).to_contain_text("no such code")
    at = "document.elementFromPoint(innerWidth / 2, notice.getBoundingClientRect().y + 20)"
    assert notice.evaluate(f"notice => notice.contains({at})")  # in front of the dialog, which would hide it
    notice.get_by_role("button").click()
    expect(notice).to_be_hidden()
    page.locator("#join-code").fill(demo.code("spectator").lower())
    page.locator("#note").get_by_role("button", name="Join").click()
    expect(page.locator("#seat")).to_have_attribute("aria-label", "You are: Watching. Who plays?")


def test_what_is_to_be_typed_at_the_start_stands_on_one_line(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    page.locator("#seat").click()
    said = page.locator("#note code", has_text="--host 0.0.0.0")
    expect(said).to_be_visible()
    assert said.evaluate("element => element.getClientRects().length") == 1
