"""The network fails in the middle of something: nothing is done twice, nothing stays dead when it is back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import OpenPage
from .demo import Demo
from .players import begin_fire, choose, ended, fire_typed, select, show_log, volley
from .seating import sit_down

pytestmark = pytest.mark.browser

DemoOf = Callable[[str], Demo]
SMALL = {"width": 360, "height": 640}


def lose_the_answer_that_ends_it(page: Page) -> list[int]:
    """From now on the answer that tells that something was done is lost, once; what was done, by its entry."""
    lost: list[int] = []

    def on_the_way(route: Route) -> None:
        answer = route.fetch()
        told: dict[str, Any] = answer.json()
        if not lost and told.get("status") == "done":
            lost.append(told["entry"]["number"])
            route.abort()
        else:
            route.fulfill(response=answer)

    page.route("**/api/resolve", on_the_way)
    return lost


def hide_the_hurons(demo: Demo) -> None:
    demo.settled()
    spots = [[300.0, 840.0], [620.0, 850.0]]
    demo.resolve(action="hide", side="french", groups=["hurons"], edges=spots, override=True)


def fired(demo: Demo) -> int:
    return sum(entry["kind"] == "action" and not entry["undone"] for entry in demo.state()["log"])


def test_a_volley_whose_answer_is_lost_is_not_fired_twice(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    before = fired(demo)
    page = open_page(demo.url, "phone", viewport=SMALL, server_may_die=True)
    select(page, answer["unit"])
    lost = lose_the_answer_that_ends_it(page)
    begin_fire(page, option)
    page.locator("[data-key='dice-roll']").click()
    expect(page.locator("[data-key='dice-done']")).to_be_visible()  # asked again, it is known to be done
    assert (len(lost), fired(demo)) == (1, before + 1)
    page.locator("[data-key='dice-done']").click()
    show_log(page)
    page.locator("[data-key='undo']").click()
    expect(page.locator("[data-key='redo']")).to_be_visible()
    assert fired(demo) == before


def test_a_turn_whose_passing_on_was_lost_on_the_way_is_passed_on_once_and_told(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    demo = demo_of("palouse")
    before = ended(demo)
    page = open_page(demo.url, "phone", viewport=SMALL, server_may_die=True)
    lost = lose_the_answer_that_ends_it(page)
    page.locator("#next-side").click()
    expect(page.locator("[data-key='dice-done']")).to_be_visible()
    assert (len(lost), ended(demo)) == (1, before + 1)


def test_undo_can_be_pressed_again_after_the_network_failed(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "desk", server_may_die=True)
    fire_typed(page, answer["unit"], option, hits=1)
    done = fired(demo)
    undo = page.locator("[data-key='undo']")
    page.context.set_offline(True)
    undo.click()
    expect(page.locator("#toast")).to_contain_text("does not answer")
    page.context.set_offline(False)
    expect(undo).to_be_enabled()
    undo.click()
    expect(page.locator("[data-key='redo']")).to_be_visible()
    assert fired(demo) == done - 1


def test_a_form_judged_without_a_network_is_judged_when_it_is_back(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("presidio")
    demo.settled()
    page = open_page(demo.url, "phone", viewport=SMALL, server_may_die=True)
    select(page, "cuera")
    choose(page, "reform")
    expect(page.locator("[data-key='order-title']")).to_be_visible()
    page.context.set_offline(True)
    page.locator("[data-key^='pick-formation-']").first.click()
    expect(page.locator(".verdict")).to_contain_text("The laptop does not answer.")
    page.context.set_offline(False)
    expect(page.locator(".verdict")).not_to_contain_text("does not answer")


def test_undo_is_offered_to_those_alone_whose_it_is(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    hide_the_hurons(demo)
    british, _ = sit_down(open_page, demo, "side:british", "phone")
    watching, _ = sit_down(open_page, demo, "spectator", "desk")
    umpire = open_page(demo.url, "desk")
    expect(umpire.locator("[data-key='undo']")).to_be_visible()
    for page in (british, watching):
        show_log(page)
        expect(page.locator("[data-key='undo']")).to_have_count(0)


def test_a_big_screen_shows_the_room_nobody_who_is_hidden(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    hide_the_hurons(demo)
    page = open_page(f"{demo.url}?screen=big", "desk")
    expect(page.locator(".wall__turn")).to_be_visible()
    expect(page.locator("button.label[data-unit='rangers']")).to_have_count(1)
    expect(page.locator("button.label[data-unit='hurons']")).to_have_count(0)
    expect(page.locator("#wall")).not_to_contain_text("Huron")
    page.locator("[data-key='wall-leave']").click()
    expect(page.locator("button.label[data-unit='hurons']")).to_have_count(1)
