"""The lines from a unit to its targets: what blocks sight, and where, and how a charge arrives; and casualties."""

from __future__ import annotations

import pytest
import shapely
from playwright.sync_api import Route, expect

from .conftest import OpenPage
from .demo import Demo
from .players import begin_fire, select, show_log, type_to_the_end, volley

pytestmark = pytest.mark.browser


def test_where_woods_take_the_sight_is_crossed_and_the_woods_are_outlined_and_named(
    demo: Demo, open_page: OpenPage
) -> None:
    units = {one["id"]: one["figures"] for one in demo.state()["game"]["units"]}
    demo.move({one["id"]: (one["x_mm"] + 360, one["y_mm"] - 40) for one in units["grenadiers"]})
    demo.settled()
    demo.move({one["id"]: (one["x_mm"] + 330, one["y_mm"] - 60) for one in units["canadians"]})
    demo.settled()
    page = open_page(demo.url, "desk")
    select(page, "grenadiers")
    crosses = page.locator(".cross:not(.cross--halo)")
    expect(crosses).to_have_count(1)
    shot = next(one for one in demo.answer("grenadiers")["fire"] if "woods" in str(one["why_not"]))
    wood = next(one for one in demo.state()["game"]["terrain"] if one["id"] in shot["why_not"][0])
    x_mm, y_mm = page.evaluate(
        """() => { const { x, y, width, height } = document.querySelector(".cross:not(.cross--halo)").getBBox();
                   return [x + width / 2, y + height / 2]; }"""
    )
    assert shapely.Polygon(wood["polygon_mm"]).exterior.distance(shapely.Point(x_mm, y_mm)) < 1.0

    row = page.locator(".not__one", has_text="Volley at Canadian Militia")
    if not row.is_visible():
        page.locator("[data-key='not-possible']").click()
    row.hover()
    expect(page.locator("path.blocks")).to_have_count(1)
    expect(page.locator(".pin--blocks")).to_have_text(wood["id"].replace("-", " "), ignore_case=True)


def test_a_charge_is_an_arrow_that_says_on_which_side_it_arrives(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "desk")
    select(page, "1st-foot")
    (charge,) = [one for one in demo.answer("1st-foot")["charge"] if one["legal"]]
    expect(page.locator("path.aim--head")).to_have_count(1)
    page.locator(".card--charge").hover()
    expect(page.locator(".pin--range", has_text=f"at the {charge['aspect']}")).to_be_visible()


def test_casualties_are_to_be_taken_off_until_the_camera_has_seen_them_off(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "phone")
    hands_off = True  # the demo's own hand takes casualties off within half a second: here it waits

    def lying(route: Route) -> None:
        told = route.fetch()
        state = told.json()
        if hands_off and any(entry["kind"] == "action" and not entry["undone"] for entry in state.get("log", ())):
            lost = {"x_mm": 500.0, "y_mm": 500.0, "shape": "round", "diameter_mm": 20.0, "colour": "blue"}
            state["strays"] = [{**lost, "lost_from": option["target"]}]
        route.fulfill(response=told, json=state)

    page.route("**/api/state*", lying)
    select(page, answer["unit"])
    begin_fire(page, option)
    type_to_the_end(page, 2)
    expect(page.locator("#orders .flag", has_text="To take off the table: 1 of ")).to_be_visible()
    hands_off = False
    demo.move({one["id"]: (one["x_mm"], one["y_mm"] + 25.0) for one in demo.unit(answer["unit"])["figures"]})
    expect(page.locator("#orders .todo--off")).to_contain_text("The camera has seen the casualties of ")


def test_casualties_that_were_undone_were_not_seen_off(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "phone")

    def lying(route: Route) -> None:  # the casualties lie on the table as long as they are any
        told = route.fetch()
        state = told.json()
        if any(entry["kind"] == "action" and not entry["undone"] for entry in state.get("log", ())):
            lost = {"x_mm": 500.0, "y_mm": 500.0, "shape": "round", "diameter_mm": 20.0, "colour": "blue"}
            state["strays"] = [{**lost, "lost_from": option["target"]}]
        route.fulfill(response=told, json=state)

    page.route("**/api/state*", lying)
    select(page, answer["unit"])
    begin_fire(page, option)
    type_to_the_end(page, 2)
    waiting = page.locator("#orders .flag", has_text="To take off the table: 1 of ")
    expect(waiting).to_be_visible()
    page.locator("[data-key='dice-done']").click()
    page.locator("[data-key='back']").click()
    expect(waiting).to_be_visible()
    show_log(page)
    page.locator("[data-key='undo']").click()
    page.locator("[data-key='pane-orders']").click()
    expect(waiting).to_have_count(0)
    expect(page.locator("#orders .muster__hint")).to_be_visible()
    expect(page.locator("#orders .todo--off")).to_have_count(0)
