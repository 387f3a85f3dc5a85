"""The turn passes on: the page shows what comes next, and the log whose each action was."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from .conftest import OpenPage
from .demo import Demo
from .players import at_rest, choose, ended, roll_all, select, show_log, where

pytestmark = pytest.mark.browser

DemoOf = Callable[[str], Demo]


def mark(page: Page, words: str) -> Locator:
    """The mark beside the newest entry of the log that says so."""
    return page.locator(".entry", has_text=words).first.locator(".entry__mark")


def test_once_a_turn_is_passed_on_the_next_side_s_units_are_shown_and_its_actions_are_its_own(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    page = open_page(demo_of("musket-pike").url, "phone", viewport={"width": 360, "height": 640})
    expect(page.locator("#next-side")).to_contain_text("Turn 1")
    page.locator("#next-side").click()
    roll_all(page)
    expect(page.locator("#turn")).to_contain_text("Turn 1 Allies")
    select(page, "kings-own")
    page.locator("#next-side").click()
    roll_all(page)
    expect(page.locator("#turn")).to_contain_text("French")
    expect(page.locator("#orders .who__name")).to_have_count(0)
    first = page.locator(".muster__side").first
    expect(first).to_contain_text("French")
    expect(first.locator(".muster__active")).to_be_visible()
    show_log(page)
    expect(mark(page, "French: begin a turn")).to_have_attribute("title", "French")
    expect(mark(page, "Allies: end the turn")).to_have_attribute("title", "Allies")


@pytest.mark.parametrize("ruleset", ["palouse", "tyneside"])
def test_a_turn_that_two_pass_on_at_once_passes_on_once(demo_of: DemoOf, open_page: OpenPage, ruleset: str) -> None:
    demo, sent = demo_of(ruleset), list[str]()
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    first, before = demo.settled()["game"]["turn"], ended(demo)

    def meanwhile(route: Route) -> None:
        """Another phone is quicker by a moment."""
        if not sent:
            demo.resolve(action="end-turn")
        sent.append(route.request.url)
        route.continue_()

    page.route("**/api/resolve", meanwhile)
    page.locator("#next-side").click()
    expect(page.locator("#toast")).to_contain_text("passed on already")
    assert ended(demo) == before + 1
    assert demo.state()["game"]["turn"] != first


def test_a_turn_begins_as_that_of_the_side_whose_turn_it_is_unless_another_is_said(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    page = open_page(demo_of("musket-pike").url, "phone", viewport={"width": 360, "height": 640})
    page.locator("[data-key='turn-begin-turn']").click()
    side = page.locator("[data-key='pick-side-allies']")
    expect(side).to_have_attribute("aria-pressed", "true")
    first_die = page.locator("[role='status'] .card__dice")  # a sentence, on a narrow screen
    expect(first_die).to_contain_text("passes")
    below = where(page.locator("[data-key='order-go']"))
    assert where(first_die)["width"] <= below["width"]
    page.locator("[data-key='pick-side-french']").click()
    expect(side).to_have_attribute("aria-pressed", "false")


def test_what_a_side_does_in_the_other_s_turn_is_its_own_in_the_log(demo: Demo, open_page: OpenPage) -> None:
    assert demo.settled()["game"]["turn"]["active_side"] == "british"
    demo.resolve(action="reaction", unit="la-reine", tests=["received-fire"])
    page = open_page(demo.url, "desk")
    expect(mark(page, "La Reine")).to_have_attribute("title", "French")


def test_how_a_unit_moves_is_not_told_where_it_cannot_move(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(demo_of("musket-pike").url, "desk")
    select(page, "grand-battery")
    expect(page.locator(".move")).to_contain_text("It cannot move now.")
    expect(page.locator(".move .reasons")).to_contain_text("limber first")
    expect(page.locator(".move__modes")).to_have_count(0)
    choose(page, "turn")  # it may turn all the same: that is an order of its own
    expect(page.locator("[data-key='order-title']")).to_contain_text("Turn")
    page.locator("[data-key='order-leave']").click()
    select(page, "kings-own")
    expect(page.locator(".move__modes li").first).to_be_visible()


def test_whoever_a_roll_is_about_is_ringed_and_in_sight_while_it_is_asked_for(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    page = open_page(demo_of("musket-pike").url, "phone", viewport={"width": 360, "height": 640})
    expect(page.locator("#turn")).to_contain_text("Before turn 1")
    page.locator("[data-key='turn-begin-turn']").click()
    page.locator("[data-key='order-go']").click()
    expect(page.locator(".ask__for")).to_contain_text("Lord Ashby tests command")
    page.locator(".ask .chip--rule").click()
    expect(page.locator("#note")).to_contain_text("MP-210")
    page.keyboard.press("Escape")
    ring = page.locator(".roller")
    expect(ring).to_have_count(1)
    expect(page.locator("[data-key='label-lord-ashby']")).not_to_have_class(re.compile("label--aside"))
    expect(page.locator("[data-key='label-kings-own']")).to_have_class(re.compile("label--aside"))
    expect(page.locator("#sheet")).to_be_visible()
    assert at_rest(ring)["y"] + at_rest(ring)["height"] < at_rest(page.locator("#sheet"))["y"]
    roll_all(page)
    expect(ring).to_have_count(0)
    expect(page.locator(".label--aside")).to_have_count(0)
    expect(page.locator("#turn")).to_contain_text("Turn 1")
