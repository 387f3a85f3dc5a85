"""A base that belongs to nobody is touched on the map: whose it is, and which of them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from .conftest import OpenPage
from .demo import Demo
from .players import touch_table

pytestmark = pytest.mark.browser

PLACE = (500.0, 90.0)


@pytest.mark.rule("MM-29")
def test_a_base_of_nobody_becomes_the_officer_of_a_unit(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone")
    asked: list[object] = []
    stray = {"x_mm": PLACE[0], "y_mm": PLACE[1], "army": "british", "base": "foot", "shape": "round"}

    def lying(route: Route) -> None:
        told = route.fetch()
        state = told.json()
        if "strays" in state:
            state["strays"] = [{**stray, "diameter_mm": 25.0, "colour": "#9e2b25", "lost_from": None}]
        route.fulfill(response=told, json=state)

    def assigned(route: Route) -> None:
        asked.append(route.request.post_data_json)
        route.fulfill(json={"entry": {}, "revision": 1})

    page.route("**/api/state*", lying)
    page.route("**/api/assign", assigned)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    touch_table(page, *PLACE)
    expect(page.locator("#note")).to_contain_text("Whose is this base?")
    page.get_by_label("What it is").select_option("Officer")
    page.locator("[data-key='whose-1st-foot']").click()
    expect(page.locator("#note")).to_be_hidden()
    assert asked == [{"unit": "1st-foot", "bases": [{"x_mm": PLACE[0], "y_mm": PLACE[1], "role": "officer"}]}]
