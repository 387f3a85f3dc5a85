"""The umpire's hand in a unit, on a small phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
from .evening import shot
from .players import select, show_log

pytestmark = pytest.mark.browser


def test_the_umpire_changes_a_unit_on_a_small_phone(demo: Demo, open_page: OpenPage) -> None:
    demo.settled()
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    select(page, "grenadiers")
    page.locator("[data-key='amend']").click()
    page.locator("[data-key='amend-rest'] summary").click()
    page.locator("[data-key='amend-state-reload_markers']").fill("1")
    page.locator("[data-key='amend-state-retiring']").check()
    assert page.evaluate("document.querySelector('#note').scrollWidth <= window.innerWidth")
    page.locator("[data-key='amend-save']").click()
    expect(page.locator("#note")).not_to_be_visible()
    expect(page.locator("#orders .badges")).to_contain_text("retiring")
    state = next(one for one in demo.state()["game"]["units"] if one["id"] == "grenadiers")["state"]
    assert (state["reload_markers"], state["retiring"]) == (1, True)
    show_log(page)
    expect(page.locator("#log")).to_contain_text("The umpire set Grenadiers right: reload markers 1, retiring yes")


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_what_was_said_of_a_unit_is_unsaid_and_the_words_of_the_rules_are_chosen(
    demo: Demo, open_page: OpenPage, size: str
) -> None:
    demo.settled()
    page = open_page(demo.url, size)
    select(page, "grenadiers")
    page.locator("[data-key='amend']").click()
    expect(page.locator("[data-key='amend-stats-rep']")).to_be_visible()
    expect(page.locator("[data-key='amend-state-led_by']")).to_be_hidden()  # nothing is said of it
    shot(page, f"amend-{size}")
    page.locator("[data-key='amend-rest'] summary").click()
    page.locator("[data-key='amend-state-led_by']").fill("rangers")
    page.locator("[data-key='amend-stats-rank']").select_option(label="Captain")
    page.locator("[data-key='amend-state-mounted']").select_option(label="No")
    shot(page, f"amend-{size}-all")
    page.locator("[data-key='amend-save']").click()
    expect(page.locator("#note")).to_be_hidden()
    one = next(one for one in demo.state()["game"]["units"] if one["id"] == "grenadiers")
    assert (one["state"]["led_by"], one["stats"]["rank"], one["state"]["mounted"]) == ("rangers", "captain", False)
    page.locator("[data-key='amend']").click()
    page.locator("[data-key='amend-state-led_by']").fill("")
    page.locator("[data-key='amend-save']").click()
    expect(page.locator("#note")).to_be_hidden()
    state = next(one for one in demo.state()["game"]["units"] if one["id"] == "grenadiers")["state"]
    assert state["led_by"] is None
    expect(page.get_by_role("list", name="To be set right")).to_have_count(0)


def test_what_the_rules_find_odd_in_a_unit_is_said_until_the_umpire_has_set_it_right(
    demo: Demo, open_page: OpenPage
) -> None:
    demo.settled()
    page = open_page(demo.url, "phone")
    select(page, "grenadiers")
    doubts = page.get_by_role("list", name="To be set right")
    expect(doubts).to_have_count(0)
    for leader, said in (("nobody", 1), (None, 0)):
        page.request.post(f"{demo.url}api/unit", data={"unit": "grenadiers", "state": {"led_by": leader}})
        expect(doubts).to_have_count(said)
        if said:
            expect(doubts).to_contain_text("no unit of this game is called so")
