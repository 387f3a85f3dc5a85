"""Musket & Pike on its hex mat, on the page: an attack is a card of its target, a charge one of the orders."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
from .players import choose, select

pytestmark = pytest.mark.browser


def test_cavalry_charges_by_an_order_and_attacks_by_a_card(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    demo = demo_of("musket-pike")
    state = demo.settled()
    game, answers = state["game"], {one["unit"]: one for one in state["answer"]["units"]}
    active = game["turn"]["active_side"]
    riders = [one for one in game["units"] if one["type"] == "cavalry" and one["side"] == active]
    rider = next(one["id"] for one in riders if answers[one["id"]]["charge"])
    page = open_page(demo.url, "desk")
    select(page, rider)
    expect(page.locator("#orders [data-key='act-charge']")).to_have_count(1)
    expect(page.locator("#orders [data-key='act-melee']")).to_have_count(0)

    target = answers[rider]["charge"][0]["target"]
    demo.resolve(action="melee", unit=rider, target=target, override=True)
    expect(page.locator("#log")).to_contain_text("attacks")


def test_the_hexes_in_reach_are_shown_while_a_move_is_said(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    demo = demo_of("musket-pike")
    state = demo.settled()
    own = {one["id"] for one in state["game"]["units"] if one["side"] == state["game"]["turn"]["active_side"]}
    mover = next(
        one for one in state["answer"]["units"] if one["unit"] in own and (one.get("move") or {}).get("reach_hexes")
    )
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    select(page, mover["unit"])
    hexes = page.locator(".drawing__reach .reach")
    expect(hexes).to_have_count(len(mover["move"]["reach_hexes"]))
    choose(page, "move")
    expect(page.locator("#orders [data-key='order-title']")).to_be_visible()
    expect(hexes).to_have_count(len(mover["move"]["reach_hexes"]))


def test_an_order_is_given_up_on_a_small_phone_while_the_map_is_touched(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    demo = demo_of("musket-pike")
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    select(page, "kings-own")
    choose(page, "move")
    page.locator("[data-key='order-give-up']").click()
    expect(page.locator("[data-key='order-title']")).to_have_count(0)
    expect(page.locator("[data-key='unit-title']")).to_be_visible()


def test_only_units_of_its_hex_are_offered_to_go_along(demo_of: Callable[[str], Demo], open_page: OpenPage) -> None:
    demo = demo_of("musket-pike")
    state = demo.settled()
    side = state["game"]["turn"]["active_side"]
    cells = {
        one["id"]: state["cells"][one["id"]]["cells"][0] for one in state["game"]["units"] if one["side"] == side
    }
    shared = [{other for other in cells if other != one and cells[other] == cells[one]} for one in cells]
    alone, (one, others) = (
        next(one for one, with_ in zip(cells, shared, strict=True) if not with_),
        next((one, with_) for one, with_ in zip(cells, shared, strict=True) if with_),
    )
    page = open_page(demo.url, "desk")
    for unit, along in ((one, others), (alone, set[str]())):
        select(page, unit)
        choose(page, "move")
        expect(page.locator("[data-key='order-title']")).to_be_visible()
        expect(page.locator("[data-key='map-path']")).to_be_visible()
        offered = page.locator("[data-key^='pick-with-']")
        expect(offered).to_have_count(len(along))
        keys = {chip.get_attribute("data-key") for chip in offered.all()}
        assert keys == {f"pick-with-{other}" for other in along}
        expect(page.locator("[data-key='map-with']")).to_have_count(1 if along else 0)
        page.locator("[data-key='order-leave']").click()
