"""Fingers on a phone: bases are touched, the sheet is drawn, single bases are taken by a mouse."""

from __future__ import annotations

import json
import math
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .demo import ANSWER_S, Demo
from .players import at_rest, press, select, volley, where
from .test_live import CAMERA_S

pytestmark = pytest.mark.browser


def _middle_of_first_base(page: Page, unit: str) -> tuple[float, float]:
    box = at_rest(page.locator(f"svg.drawing [data-unit='{unit}'] .base__rim").first)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _room(unit: dict[str, Any], units: list[dict[str, Any]]) -> float:
    """How far a unit's first base is from all other units' bases, in millimetres."""
    here = unit["figures"][0]
    others = [figure for one in units if one["id"] != unit["id"] for figure in one["figures"]]
    return min(math.dist((here["x_mm"], here["y_mm"]), (one["x_mm"], one["y_mm"])) for one in others)


def _spots(page: Page, units: list[dict[str, Any]]) -> list[tuple[dict[str, Any], tuple[float, float]]]:
    return [(unit, _middle_of_first_base(page, unit["id"])) for unit in units]


def test_a_finger_on_a_base_selects_its_unit_and_one_beside_it_lets_go(demo: Demo, open_page: OpenPage) -> None:
    units = demo.settled()["game"]["units"]  # nothing that was moved before is still to be seen
    units = [unit for unit in units if unit["figures"]]
    units = sorted(units, key=lambda unit: -_room(unit, units))  # the one that stands most by itself first
    page = open_page(demo.url)
    spots = _spots(page, units)
    for _ in range(50):  # until the map lies still
        page.wait_for_timeout(100)
        before, spots = spots, _spots(page, units)
        if before == spots:
            break
    free = "([x, y]) => !document.elementFromPoint(x, y).closest('button')"
    unit, spot = next(found for found in spots if page.evaluate(free, list(found[1])))
    page.touchscreen.tap(*spot)
    expect(page.locator("#orders .who__name")).to_have_text(unit["name"])
    assert f"unit={unit['id']}" in page.url
    page.locator("[data-key='back']").tap()
    expect(page.locator("#orders .pane__title")).to_have_text("The units")


def test_the_sheet_is_drawn_up_and_down(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url)
    sheet, grip = page.locator("#sheet"), page.locator("#grip")
    expect(sheet).to_have_attribute("data-height", "half")
    box = at_rest(grip)
    x, y = box["x"] + box["width"] / 2, box["y"] + 12
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 150, steps=4)
    page.mouse.move(x, y - 300, steps=4)
    page.mouse.up()
    expect(sheet).to_have_attribute("data-height", "full")
    grip.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(sheet).to_have_attribute("data-height", "peek")
    assert where(sheet)["y"] - where(page.locator("#map"))["y"] > 500


def test_the_map_turns_by_quarters_and_remembers_it(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "desk")
    unit = demo.state()["game"]["units"][0]["id"]
    before = _middle_of_first_base(page, unit)
    page.get_by_label("Turn the map").click()
    page.wait_for_timeout(100)
    turned = _middle_of_first_base(page, unit)
    assert math.dist(before, turned) > 50
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.wait_for_timeout(100)
    assert math.dist(_middle_of_first_base(page, unit), turned) < 3
    for _ in range(3):
        page.get_by_label("Turn the map").click()


@pytest.fixture
def pressing(demo: Demo, open_page: OpenPage) -> Iterator[tuple[Page, str]]:
    """A page with the mouse down on the name of a unit, something else in focus before; then the turn as it was."""
    page, number = open_page(demo.url, "desk"), demo.state()["game"]["turn"]["number"]
    unit = volley(demo)[0]["unit"]
    demo.settled()  # what is drawn anew while the mouse comes down is not under it any more
    page.get_by_label("Plain map").focus()
    press(page.locator(f"[data-key='roster-{unit}']"))
    yield page, unit
    page.mouse.up()
    tell_turn(demo, number)


def tell_turn(demo: Demo, number: int) -> None:
    """The table is told that it is another turn: every page is drawn anew."""
    side = demo.state()["game"]["turn"]["active_side"]
    body, headers = json.dumps({"number": number, "side": side}).encode(), {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{demo.url}api/turn", body, headers), timeout=ANSWER_S).close()


def test_a_press_is_not_lost_when_the_table_changes_before_its_release(
    demo: Demo, pressing: tuple[Page, str]
) -> None:
    page, unit = pressing
    tell_turn(demo, 57)
    page.wait_for_timeout(700)  # the news has come
    page.mouse.up()
    expect(page.locator("#orders .who__name")).to_be_visible()
    assert f"unit={unit}" in page.url
    expect(page.locator("#turn")).to_contain_text("Turn 57")


def test_a_second_finger_or_a_press_without_an_end_does_not_hold_the_page_up(
    demo: Demo, pressing: tuple[Page, str]
) -> None:
    page, _ = pressing
    page.locator("#map").dispatch_event("pointerdown", {"pointerId": 9})
    tell_turn(demo, 58)
    expect(page.locator("#turn")).to_contain_text("Turn 58")


_OPEN_FORM = """async ([unit, touch]) => {
  const { map, ll } = await part("map.js");
  const { openOrder } = await part("order.js");
  const middle = () => { const { lat, lng } = map.getCenter(); return [lat, lng, map.getZoom()]; };
  map.setView(ll([1700, 1100]), map.getZoom() + 1, { animate: false });
  const before = middle();
  const shown = new Promise((drawn) =>
    new MutationObserver(() => document.querySelector("[data-key='order-title']") && drawn())
      .observe(document.getElementById("orders"), { childList: true, subtree: true }),
  );
  await openOrder("charge", unit);
  await shown;  // right after the drawing, before any timer
  const finger = (kind) => document.getElementById("map").dispatchEvent(new PointerEvent(kind, { bubbles: true }));
  if (touch) finger("pointerdown");
  await new Promise((held) => setTimeout(held, 900));
  const after = middle();
  if (touch) finger("pointerup");
  return before.some((part, index) => Math.abs(part - after[index]) > 1e-6);
}"""


def test_a_map_that_is_about_to_go_to_the_unit_stays_under_a_finger(demo: Demo, open_page: OpenPage) -> None:
    unit = volley(demo)[0]["unit"]
    page = open_page(demo.url, "phone")
    select(page, unit)
    page.wait_for_timeout(700)  # the map has come to rest
    assert page.evaluate(_OPEN_FORM, [unit, False]), "a form goes to its unit"
    page.keyboard.press("Escape")
    expect(page.locator("[data-key='order-title']")).to_have_count(0)
    assert not page.evaluate(_OPEN_FORM, [unit, True])


def test_a_single_base_is_taken_by_the_mouse(demo: Demo, open_page: OpenPage) -> None:
    unit = volley(demo)[0]["unit"]
    page = open_page(demo.url, "desk")
    select(page, unit)
    figure = demo.unit(unit)["figures"][0]
    x, y = _middle_of_first_base(page, unit)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 12, steps=3)
    page.mouse.move(x, y + 25, steps=3)
    page.mouse.up()
    end = time.monotonic() + CAMERA_S
    while demo.unit(unit)["figures"][0]["y_mm"] > figure["y_mm"] - 20:
        assert time.monotonic() < end, "the camera did not see the base move"
        time.sleep(0.1)
    others = demo.unit(unit)["figures"][1:]
    assert all(abs(other["y_mm"] - figure["y_mm"]) < 5 for other in others)
    expect(page.locator("#orders .who__name")).to_be_visible()
