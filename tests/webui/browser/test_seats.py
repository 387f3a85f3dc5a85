"""Several people at one table: each side on its own phone, and somebody who watches."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .demo import Demo
from .evening import shot
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


def from_the_network(open_page: OpenPage, demo: Demo, size: str = "phone", link: str = "") -> Page:
    """A page on another device, which has not joined."""
    page = open_page(demo.url, size, server_may_die=True)  # the browser reports what is refused on its console
    page.goto("about:blank")
    page.context.set_extra_http_headers({"X-Forwarded-For": "203.0.113.9"})
    page.goto(f"{demo.url}{link}")
    expect(page.locator("#note-title")).to_have_text("Join this table")
    return page


def test_the_door_closes_for_good_behind_whoever_types_the_code(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    """However slowly the table comes, and whatever is drawn meanwhile."""
    page = from_the_network(open_page, demo := demo_of("tyneside"))
    page.evaluate("globalThis.opened = 0")
    page.evaluate(
        "new MutationObserver(() => (globalThis.opened += Number(note.open))).observe(note, {attributes: true})"
    )
    page.route("**/api/state*", lambda route: (page.wait_for_timeout(500), route.continue_())[1])
    page.locator("#join-code").fill(demo.code("side:british"))
    page.get_by_role("button", name="Join", exact=True).last.click()
    page.evaluate("""part('store.js').then(({ look }) => {
      for (const one of [1, 2, 3]) setTimeout(() => look({ known: one }), one * 100);
    })""")
    expect(page.locator("#seat")).to_have_attribute("aria-label", "You are: British. Who plays?")
    expect(page.locator("#note")).to_be_hidden()
    assert page.evaluate("globalThis.opened") == 0


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_a_door_that_was_closed_is_opened_again(
    demo_of: Callable[[str], Demo], open_page: OpenPage, size: str
) -> None:
    page = from_the_network(open_page, demo := demo_of("tyneside"), size)
    for again in ("#orders [data-key='join']", "#seat"):
        page.locator("[data-key='note-close']").click()
        expect(page.locator("#turn")).to_have_text("Not joined yet")
        shot(page, f"outside-{size}")
        page.locator(again).click()
        expect(page.locator("#note-title")).to_have_text("Join this table")
    page.locator("#join-code").fill(demo.code("spectator"))
    page.get_by_role("button", name="Join", exact=True).last.click()
    expect(page.locator("#seat")).to_have_attribute("aria-label", "You are: Watching. Who plays?")
    expect(page.locator("#note")).to_be_hidden()
    expect(page.locator("#turn")).to_contain_text("Turn")


def test_a_link_whose_code_is_wrong_says_so(demo_of: Callable[[str], Demo], open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    page = from_the_network(open_page, demo, link="#join=OLD-CODE")
    expect(page.locator("#note .flag")).to_contain_text("The link did not let you in. There is no such code")
    shot(page, "wrong-link")
    page.locator("#join-code").fill(demo.code("spectator"))
    page.get_by_role("button", name="Join", exact=True).last.click()
    expect(page.locator("#note")).to_be_hidden()
    page.evaluate("location.hash = 'join=OLD-CODE'")
    expect(page.locator("#toast")).to_contain_text("The link did not let you in")
    expect(page.locator("#seat")).to_have_attribute("aria-label", "You are: Watching. Who plays?")


def test_what_is_to_be_typed_at_the_start_stands_on_one_line(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    page.locator("#seat").click()
    said = page.locator("#note code", has_text="--host 0.0.0.0")
    expect(said).to_be_visible()
    assert said.evaluate("element => element.getClientRects().length") == 1
