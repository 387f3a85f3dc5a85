"""A move that passes an enemy's front: the page says who may react, to everybody, and lets him."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.engine.presidio.scene import game, row, unit

from .conftest import DemoWith, OpenPage
from .players import choose, roll_all, select, touch_table
from .test_seats import sit_down

pytestmark = pytest.mark.browser


PATROL = {**unit("a", *row(3, 900, 200)), "name": "Patrol"}


def test_who_may_react_to_a_move_is_told_and_may_do_so_at_once(demo_with: DemoWith, open_page: OpenPage) -> None:
    idle = unit("b2", *row(3, 300, 900))
    of = game(PATROL, {**unit("b", *row(3, 900, 640), held=1), "name": "Watch"}, idle)
    demo = demo_with(of)
    raiders, _ = sit_down(open_page, demo, "side:raiders", "phone")
    page = open_page(demo.url, "desk")
    select(page, "a")
    expect(page.locator(".offers")).to_have_count(0)
    choose(page, "move")
    touch_table(page, 950, 420)
    page.locator("[data-key='order-go']").click()
    page.locator("[data-key='key-6']").click()
    page.locator("[data-key='dice-ok']").click()
    expect(page.locator(".offers")).to_contain_text("Watch may react to Patrol with 1 action, at once.")
    expect(page.locator(".offers li")).to_have_count(1)

    expect(raiders.locator("#toast")).to_contain_text("Watch may react")
    expect(raiders.locator(".offers")).to_contain_text("Watch may react to Patrol")
    raiders.locator("[data-key='react-b']").click()
    expect(raiders.locator("#orders .who__name")).to_have_text("Watch")
    raiders.locator("[data-key^='do-fire-a-']").first.click()
    roll_all(raiders)
    assert demo.unit("b")["state"]["actions_left"] == 1
    expect(raiders.locator(".offers")).to_have_count(0)
    expect(page.locator(".offers")).to_have_count(0)


def test_whoever_lets_it_pass_is_not_asked_again(demo_with: DemoWith, open_page: OpenPage) -> None:
    of = game(PATROL, {**unit("b", *row(3, 900, 640), held=2), "name": "Watch"})
    demo = demo_with(of)
    page = open_page(demo.url, "phone")
    demo.resolve(action="move", unit="a", to=[950, 420])
    expect(page.locator(".offers")).to_contain_text("Watch may react")
    page.locator("[data-key='pass-b']").click()
    expect(page.locator(".offers")).to_have_count(0)


SPANISH = {**unit("a", *row(4, 900, 200)), "name": "Patrol"}
RAIDERS = {**unit("b", *row(4, 900, 500)), "name": "Watch"}


def test_what_the_target_of_a_charge_does_is_asked_of_its_player_apart_from_the_charger_s_own(
    demo_with: DemoWith, open_page: OpenPage
) -> None:
    demo = demo_with(game(SPANISH, RAIDERS))
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    select(page, "a")
    page.locator("[data-key='do-charge-b']").click()
    theirs = page.get_by_role("region", name="The answer of Watch")
    expect(theirs).to_contain_text("Whoever plays Raiders says it")
    expect(theirs.locator("[data-key='pick-reaction-fire']")).to_contain_text("Once, at the number for close range")
    expect(theirs.locator("[data-key='pick-target-b']")).to_have_count(0)  # whom, is the charger's own to say
    expect(page.locator("[data-key='pick-target-b']")).to_have_attribute("aria-pressed", "true")
    theirs.locator("[data-key='pick-reaction-strike']").click()
    page.locator("[data-key='order-go']").click()
    roll_all(page)
    assert demo.state()["log"][-1]["action"]["reaction"] == "strike"


def test_a_charger_who_is_quicker_than_the_forms_come_is_asked_all_the_same(
    demo_with: DemoWith, open_page: OpenPage
) -> None:
    page = open_page(demo_with(game(SPANISH, RAIDERS)).url, "phone")
    held: list[Route] = []
    page.route("**/api/forms", lambda route: held.append(route))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    select(page, "a")
    page.locator("[data-key='do-charge-b']").click()
    page.wait_for_timeout(300)
    for route in held:
        route.continue_()
    expect(page.get_by_role("region", name="The answer of Watch")).to_be_visible()


def test_the_target_s_player_answers_a_charge_on_his_own_page(demo_with: DemoWith, open_page: OpenPage) -> None:
    demo = demo_with(game(SPANISH, {**RAIDERS, "state": {"actions_left": 1}}))
    spanish, _ = sit_down(open_page, demo, "side:spanish", "desk")
    raiders, _ = sit_down(open_page, demo, "side:raiders", "phone")
    select(spanish, "a")
    spanish.locator("[data-key='do-charge-b']").click()
    spanish.locator("[data-key='theirs-ask']").click()
    theirs = spanish.get_by_role("region", name="The answer of Watch")
    expect(theirs).to_contain_text("Asked on the page of Raiders")
    expect(spanish.locator("[data-key='pick-reaction-fire']")).to_have_count(0)  # no longer the charger's to enter
    expect(spanish.locator("[data-key='order-go']")).to_be_disabled()

    expect(raiders.locator("#toast")).to_contain_text("Patrol: Charge at Watch. What is the answer of Watch?")
    question = raiders.get_by_role("region", name="The answer of Watch")
    expect(question).to_contain_text("Patrol: Charge at Watch")
    spanish.locator("[data-key='order-leave']").click()
    expect(question).to_have_count(0)  # a charge that is given up asks nobody any longer
    spanish.locator("[data-key='do-charge-b']").click()
    spanish.locator("[data-key='theirs-ask']").click()
    expect(question.locator("[data-key='say-reaction-fire-and-flee']")).to_be_disabled()  # it has one action
    question.locator("[data-key='say-reaction-strike']").click()
    question.locator("[data-key='answer-2']").click()
    expect(question).to_have_count(0)

    expect(theirs).to_contain_text("Raiders answer")
    expect(theirs).to_contain_text("If it keeps its nerve: keeps an action to strike")
    spanish.locator("[data-key='order-go']").click()
    roll_all(spanish)
    assert demo.state()["log"][-1]["action"]["reaction"] == "strike"
    assert demo.state()["questions"] == []
