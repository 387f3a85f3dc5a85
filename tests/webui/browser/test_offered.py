"""What an order's form offers: what the rules allow first, the nearest units first, and the rest one touch away."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .demo import Demo
from .players import choose, select

pytestmark = pytest.mark.browser


def _keys(page: Page, where: str) -> list[str]:
    chips = page.locator(f"#orders {where}")
    return [str(chip.get_attribute("data-key")).split("-", 2)[2] for chip in chips.all()]


def test_formations_that_the_rules_refuse_a_unit_are_folded_away_and_can_still_be_said(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    page = open_page(demo_of("musket-pike").url, "phone")
    select(page, "fusiliers")
    choose(page, "formation")
    expect(page.locator("[data-key='order-title']")).to_be_visible()
    rest = page.locator("[data-key='rest-to']")
    expect(rest).to_be_visible()
    assert _keys(page, ".field-row > .picks [data-key^='pick-to-']") == ["line"]
    refused = rest.locator("[data-key^='pick-to-']")
    expect(refused.first).to_be_hidden()

    rest.locator("summary").click()
    expect(rest).to_contain_text(re.compile(r"does not change into mounted\s*MP-\d+"))
    rest.locator("[data-key='pick-to-mounted']").click()
    expect(page.locator("#orders .verdict")).to_contain_text("The rules say no")
    expect(page.locator(".field-row > .picks [data-key='pick-to-mounted']")).to_have_attribute(
        "aria-pressed", "true"
    )


def _apart(one: dict[str, Any], other: dict[str, Any]) -> float:
    return min(
        ((a["x_mm"] - b["x_mm"]) ** 2 + (a["y_mm"] - b["y_mm"]) ** 2) ** 0.5
        for a in one["figures"] for b in other["figures"]
    )  # fmt: skip


def test_of_many_units_the_nearest_are_offered_first(demo_of: Callable[[str], Demo], open_page: OpenPage) -> None:
    demo = demo_of("musket-pike")
    units = {one["id"]: one for one in demo.settled()["game"]["units"]}
    rider = units["blue-horse"]
    own = [one for one in units.values() if one["side"] == rider["side"] and one is not rider]
    near = sorted(own, key=lambda one: _apart(rider, one))
    page = open_page(demo.url, "desk")
    page.evaluate("async () => (await part('order.js')).openOrder('melee', 'blue-horse')")
    expect(page.locator("[data-key='rest-with']")).to_be_visible()
    shown = _keys(page, ".field-row > .picks [data-key^='pick-with-']")
    assert shown == [one["id"] for one in near[:6]]
    expect(page.locator("[data-key='rest-with'] .pick")).to_have_count(len(own) - 6)
    page.locator("[data-key='order-leave']").click()


def test_while_a_unit_is_touched_on_the_map_those_that_are_not_asked_for_stand_aside(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    page = open_page(demo_of("presidio").url, "phone")
    select(page, "cuera")
    choose(page, "combine")
    expect(page.locator("#hint")).to_contain_text("touch a unit on the map")
    expect(page.locator(".label--aside[data-unit='comanches']")).to_have_count(1)
    expect(page.locator(".label--aside[data-unit='cuera']")).to_have_count(0)
    page.locator("[data-key='order-give-up']").click()
    expect(page.locator(".label--aside")).to_have_count(0)
