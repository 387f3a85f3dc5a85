"""What a player wants first is on a small phone before he scrolls, and what is too close to call looks so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import OpenPage
from .demo import Demo
from .players import begin_fire, select, type_to_the_end, volley, where
from .test_touch import tell_turn

pytestmark = pytest.mark.browser

DemoOf = Callable[[str], Demo]
SMALL = {"viewport": {"width": 360, "height": 640}}


def shown_whole(page: Page, selector: str) -> None:
    """The first of these is on the screen from top to bottom, with nothing scrolled."""
    assert page.locator("#orders").evaluate("(pane) => pane.scrollTop") == 0
    box = where(page.locator(selector).first)
    assert box["y"] + box["height"] <= page.viewport_size["height"], selector  # type: ignore[index]


@pytest.mark.parametrize("ruleset", ["muskets-mohawks", "palouse", "presidio"])
def test_on_a_small_phone_a_unit_says_at_once_what_it_can_do_now(
    demo_of: DemoOf, open_page: OpenPage, ruleset: str
) -> None:
    demo = demo_of(ruleset)
    answer, _ = volley(demo)
    page = open_page(demo.url, "phone", **SMALL)
    heading = page.locator(".muster__side").first
    assert where(heading)["y"] + where(heading)["height"] < 640, "the units begin below the screen"
    shown_whole(page, ".muster__name")
    select(page, answer["unit"])
    aims = len({one["target"] for one in answer["fire"] if one["legal"]})
    expect(page.locator("[data-key='can-fire']")).to_have_text(f"Fire at {aims}")
    expect(page.locator("[data-key='can-more']")).to_be_attached()
    shown_whole(page, ".can")


def test_each_thing_that_a_unit_can_do_is_one_tap_away(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone", **SMALL)
    select(page, "1st-foot")
    for key, place in (("charge", ".card--charge"), ("move", ".move"), ("fire", ".card:not(.card--charge)")):
        page.locator(f"[data-key='can-{key}']").click()
        expect(page.locator(f"#orders {place}").first).to_be_in_viewport()
    far = page.locator("[data-key='can-move']").inner_text().removeprefix("Move ")
    expect(page.locator(".move__far strong")).to_have_text(far)


def test_a_shot_that_is_too_close_to_call_looks_so_on_the_map_and_on_its_card(
    demo: Demo, open_page: OpenPage
) -> None:
    fires = next(one for one in demo.settled()["answer"]["units"] if one["unit"] == "1st-foot")["fire"]
    close = {one["target"] for one in fires if one["legal"] and one["borderline"]}
    sure = {one["target"] for one in fires if one["legal"]} - close
    assert min(len(close), len(sure)) > 0, "the demo has a shot of each kind"
    page = open_page(demo.url, "desk")
    select(page, "1st-foot")
    expect(page.locator(".aim--doubt")).to_have_count(len(close))
    expect(page.locator(".pin--close")).to_have_count(len(close))
    expect(page.locator(".pin--close").first).to_contain_text("?")
    rim = "(card) => getComputedStyle(card).borderLeftColor"
    doubted = page.locator(f".card:has([data-key^='do-fire-{min(close)}'])").first.evaluate(rim)
    certain = page.locator(f".card:has([data-key^='do-fire-{min(sure)}'])").first.evaluate(rim)
    assert doubted != certain


def test_all_ways_to_fire_at_one_enemy_hang_together_and_say_once_what_holds_for_each(
    demo: Demo, open_page: OpenPage
) -> None:
    fires = next(one for one in demo.settled()["answer"]["units"] if one["unit"] == "1st-foot")["fire"]
    close = next(one["target"] for one in fires if one["legal"] and one["borderline"])
    page = open_page(demo.url, "phone")
    select(page, "1st-foot")
    ways = page.locator(f".ways:has([data-key='do-fire-{close}-volley'])")
    dice = [(one["roll"]["count"], one["mode"]) for one in fires if one["legal"] and one["target"] == close]
    keys = [f"card-fire-{close}-{mode}" for _, mode in sorted(dice, reverse=True)]
    named = "cards => cards.map(one => one.dataset.key)"
    assert ways.locator(".card").evaluate_all(named) == keys, "the heaviest first"
    expect(ways.locator(".doubt")).to_have_count(1)
    expect(ways.locator(".doubt-too")).to_have_count(len(keys) - 1)
    expect(ways.locator(".card__why")).to_have_count(1)


def test_a_no_by_a_hair_is_told_from_a_plain_no_though_both_are_folded_away(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    demo = demo_of("palouse")
    state = demo.settled()
    answer = next(one for one in state["answer"]["units"] if one["unit"] == "grenadiers")
    first, *others = [one for one in answer["fire"] if not one["legal"]]
    for one in others:
        one["why_not"], one["borderline"] = ["out of range: 3 bounds, a musket reaches 2"], []
    others[-1]["borderline"] = ["arc 45.1 ± 0.4 degrees against 45 degrees"]  # the range settles it all the same
    first["why_not"] = ["out of arc: 45.1 degrees off its facing, 45 at most"]
    first["borderline"] = ["arc 45.1 ± 0.4 degrees against 45 degrees"]
    page = open_page(demo.url, "phone")
    page.route("**/api/state*", lambda route: route.fulfill(json=state))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    select(page, "grenadiers")
    head = page.locator("[data-key='not-possible'] > summary")
    expect(head.locator(".not__doubt")).to_have_text("1 too close to call")
    if not page.locator(".not__one").first.is_visible():
        head.click()
    expect(page.locator(".not__one").first.locator(".doubt")).to_be_visible()


def test_whom_to_take_off_the_table_stands_before_the_dice_that_did_it(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "phone")

    def lying(route: object) -> None:
        told = route.fetch()  # type: ignore[attr-defined]
        state = told.json()
        lost = {"x_mm": 500.0, "y_mm": 500.0, "shape": "round", "diameter_mm": 20.0, "colour": "blue"}
        state["strays"] = [{**lost, "lost_from": option["target"]}]
        route.fulfill(response=told, json=state)  # type: ignore[attr-defined]

    page.route("**/api/state*", lying)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    select(page, answer["unit"])
    begin_fire(page, option)
    type_to_the_end(page, 2)
    flag = where(page.locator(".outcome .flag"))
    assert where(page.locator(".outcome .told"))["y"] < flag["y"] < where(page.locator(".outcome .rolled"))["y"]


def test_what_is_under_the_thumb_stays_there_when_what_stands_above_it_goes(
    demo: Demo, open_page: OpenPage
) -> None:
    def with_one_fire(route: Route) -> None:
        state = route.fetch().json()
        answer = next(one for one in state["answer"]["units"] if one["unit"] == "1st-foot")
        answer["fire"] = answer["fire"][:1]
        route.fulfill(json=state)

    page, number = open_page(demo.url, "phone", **SMALL), demo.state()["game"]["turn"]["number"]
    page.locator("#orders").evaluate("(pane) => (pane.style.overflowAnchor = 'none')")  # as in Safari
    select(page, "1st-foot")
    page.locator("[data-key='can-charge']").click()
    charge = page.locator("#orders .card--charge").first
    expect(charge).to_be_in_viewport()
    before = where(charge)["y"]
    page.route("**/api/state*", with_one_fire)
    tell_turn(demo, 71)
    expect(page.locator("#turn")).to_contain_text("Turn 71")
    expect(page.locator("#orders [data-key^='do-fire']")).to_have_count(1)
    after = where(charge)["y"]
    tell_turn(demo, number)
    assert after == pytest.approx(before, abs=1)
