"""What an order moved is undone on the page: the unit stands as before, with its full move."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import SIZES, OpenPage
from .demo import Demo
from .players import choose, select, show_log, touch_table

pytestmark = pytest.mark.browser

MARCH_MM = 139.7


def march_ahead(page: Page, demo: Demo) -> None:
    """Has the Grenadiers march straight ahead: the place is touched, the order given."""
    figures = demo.unit("grenadiers")["figures"]
    across, deep = (sum(one[key] for one in figures) / len(figures) for key in ("x_mm", "y_mm"))
    select(page, "grenadiers")
    choose(page, "march")
    touch_table(page, across, deep + MARCH_MM)
    page.locator("[data-key='order-go']").click()
    page.locator("[data-key='dice-done']").click()


def undo(page: Page) -> None:
    """Takes the newest entry back in the log, and looks at the orders again."""
    show_log(page)
    page.locator("[data-key='undo']").click()
    if page.locator("[data-key='pane-orders']").is_visible():
        page.locator("[data-key='pane-orders']").click()


def looks(demo: Demo) -> int:
    """How often the camera has written down where figures stand."""
    return sum(entry["kind"] == "camera" for entry in demo.state()["log"])


def until_the_camera_has_seen_more(page: Page, demo: Demo, than: int) -> None:
    for _ in range(300):
        if looks(demo) > than:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the camera has seen nothing more")


@pytest.mark.parametrize("size", SIZES)
def test_a_march_that_is_undone_leaves_the_unit_its_whole_move(demo: Demo, open_page: OpenPage, size: str) -> None:
    page = open_page(demo.url, size)
    seen = looks(demo)
    march_ahead(page, demo)
    until_the_camera_has_seen_more(page, demo, seen)
    seen = looks(demo)
    undo(page)
    until_the_camera_has_seen_more(page, demo, seen)
    expect(page.locator("#orders")).to_contain_text("Move 8 in")
    expect(page.locator("#orders")).not_to_contain_text("that it may")
    assert (demo.state()["spent"], demo.state()["moves"]) == ({}, [])


def test_whoever_undid_a_march_is_told_whom_to_set_back(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone")

    def lying(route: Route) -> None:  # the demo's own hand sets them back within half a second: here it waits
        told = route.fetch()
        state = told.json()
        if any(entry["undone"] for entry in state.get("log", ())):
            state["set_back"] = ["grenadiers"]
        route.fulfill(response=told, json=state)

    page.route("**/api/state*", lying)
    march_ahead(page, demo)
    expect(page.locator(".todo--back")).to_have_count(0)
    undo(page)
    page.locator("[data-key='back']").click()
    expect(page.locator(".todo--back")).to_have_text("To set back on the table, as the map shows: Grenadiers.")
