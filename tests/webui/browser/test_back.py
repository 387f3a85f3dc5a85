"""The browser's Back, a phone's commonest gesture: it closes what is open, and leaves the page only then."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.webui.evening_table import simulated

from .conftest import OpenPage
from .demo import Demo
from .evening import evening, step
from .players import begin_fire, select, volley
from .test_first_evening import opened

pytestmark = pytest.mark.browser


def back(page: Page) -> None:
    """A thumb on Back: nothing of the page is waited for."""
    page.evaluate("history.back()")
    page.wait_for_timeout(200)


def test_back_closes_a_dialog_then_the_dice_then_the_unit_and_leaves_then(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "phone")
    select(page, answer["unit"])
    page.locator("#orders .chip--rule").first.click()
    expect(page.locator("#note")).to_be_visible()
    back(page)
    expect(page.locator("#note")).to_be_hidden()
    expect(page.locator("[data-key='unit-title']")).to_be_visible()
    begin_fire(page, option)
    expect(page.locator("[data-key='dice-title']")).to_be_visible()
    back(page)
    expect(page.locator("[data-key='unit-title']")).to_be_visible()
    back(page)
    expect(page.locator("[data-key='unit-title']")).to_have_count(0)
    expect(page.locator("#orders")).to_contain_text("The units")
    assert page.url == demo.url
    assert page.evaluate("history.state") is None, "nothing is open: the next Back leaves"


def test_dice_that_were_typed_are_not_lost_by_back(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "phone")
    select(page, answer["unit"])
    begin_fire(page, option)
    page.keyboard.type("14")
    orders, both = page.locator("#orders"), re.compile(r"2 of \d+ typed")
    expect(orders).to_contain_text(both)
    told = orders.inner_text()
    back(page)
    expect(orders).to_contain_text(both)
    assert orders.inner_text() == told


def test_what_is_closed_otherwise_leaves_no_step_behind(demo: Demo, open_page: OpenPage) -> None:
    answer, _ = volley(demo)
    page = open_page(demo.url, "phone")
    for _ in range(3):
        select(page, answer["unit"])
        page.locator("[data-key='back']").click()
        expect(page.locator("[data-key='unit-title']")).to_have_count(0)
    page.wait_for_function("history.state === null")
    select(page, answer["unit"])
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-key='unit-title']")).to_be_visible()
    back(page)
    expect(page.locator("[data-key='unit-title']")).to_have_count(0)
    assert page.url == demo.url


def test_who_skips_to_the_orders_by_the_keyboard_keeps_the_unit_in_hand(demo: Demo, open_page: OpenPage) -> None:
    answer, _ = volley(demo)
    page = open_page(demo.url, "desk")
    select(page, answer["unit"])
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#orders")).to_be_focused()
    expect(page.locator("[data-key='unit-title']")).to_be_visible()
    assert page.url == f"{demo.url}#unit={answer['unit']}"


def test_back_leads_to_the_step_before_on_the_first_evening(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        page = opened(open_page, table, "phone")
        step(page, "table")
        step(page, "armies")
        expect(page).to_have_url(f"{table.url}evening#armies")
        back(page)
        expect(page).to_have_url(f"{table.url}evening#table")
        expect(page.locator("#panel h2")).to_contain_text("The table")
