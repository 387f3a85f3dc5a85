"""The page follows the table: the camera, the other phones, and the reader's own fingers."""

from __future__ import annotations

import math
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .demo import Demo
from .players import at_rest, begin_fire, select, type_to_the_end, volley

pytestmark = pytest.mark.browser

CAMERA_S = 60  # of patience with the camera: how fast it is, the benchmarks say


def _middle(unit: dict[str, Any]) -> tuple[float, float]:
    figures = unit["figures"]
    return sum(f["x_mm"] for f in figures) / len(figures), sum(f["y_mm"] for f in figures) / len(figures)


def _wait_until_moved(demo: Demo, unit: str, start: tuple[float, float], least_mm: float) -> float:
    end = time.monotonic() + CAMERA_S
    while time.monotonic() < end:
        moved = math.dist(_middle(demo.unit(unit)), start)
        if moved >= least_mm:
            return moved
        time.sleep(0.1)
    raise AssertionError(f"the camera did not see {unit} move by {least_mm} mm")


def _drag(page: Page, unit: str, dx: float, dy: float) -> None:
    handle = at_rest(page.locator(".handle--hand"))
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x + dx * step / 5, y + dy * step / 5)
    expect(page.locator(".pin--tag[role='status']")).to_contain_text("in")
    page.mouse.up()


def test_a_unit_dragged_in_the_demo_is_seen_by_the_camera_and_its_options_change(
    demo: Demo, open_page: OpenPage
) -> None:
    answer, option = volley(demo)
    unit = answer["unit"]
    page = open_page(demo.url, "desk")
    start = _middle(demo.unit(unit))
    select(page, unit)
    why = page.locator(f".card:has([data-key='do-fire-{option['target']}-{option['mode']}']) .card__why")
    before = why.inner_text()
    _drag(page, unit, 0, 30)
    _wait_until_moved(demo, unit, start, 20)
    expect(page.locator(".base--ghost")).to_have_count(0)
    expect(page.locator("#log .entry--camera").first).to_be_visible()
    fresh = demo.state()["answer"]["units"]
    now = next(one for one in fresh if one["unit"] == unit)
    ranges = [one["range_mm"] for one in now["fire"] if one["target"] == option["target"]]
    assert all(abs(one - option["range_mm"]) > 5 for one in ranges)
    if why.count():
        expect(why).not_to_have_text(before)


def test_a_unit_that_was_dragged_by_mistake_is_put_back_by_one_button(demo: Demo, open_page: OpenPage) -> None:
    answer, _ = volley(demo)
    unit = answer["unit"]
    page = open_page(demo.url, "phone")
    start = _middle(demo.unit(unit))
    select(page, unit)
    back = page.locator("[data-key='put-back']")
    expect(back).to_have_count(0)
    _drag(page, unit, 0, 30)
    _wait_until_moved(demo, unit, start, 20)
    back.click()
    expect(back).to_have_count(0)
    assert math.dist(_middle(demo.unit(unit)), start) < 2.0
    first = demo.unit(unit)["figures"][0]
    page.evaluate(
        "async (figure) => (await part('api.js')).place([figure])",
        {"id": first["id"], "x_mm": first["x_mm"], "y_mm": first["y_mm"] + 90},
    )
    back.click()
    expect(back).to_have_count(0)
    assert math.dist(_middle(demo.unit(unit)), start) < 2.0
    expect(page.locator("#log")).to_contain_text("put back where they stood")


def test_two_open_pages_stay_in_step(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    mine, theirs = open_page(demo.url, "phone"), open_page(demo.url, "desk")
    select(mine, answer["unit"])
    select(theirs, option["target"])
    count = theirs.locator("#orders .badge b").first
    before = int(count.inner_text())
    begin_fire(mine, option)
    type_to_the_end(mine, hits=3)
    left = len(demo.unit(option["target"])["figures"])
    assert left < before
    if left:
        expect(count).to_have_text(str(left))
    else:
        expect(theirs.locator(f"button.label[data-unit='{option['target']}']")).to_have_count(0)
    theirs.locator("[data-key='undo']").click()
    label = theirs.locator(f"button.label[data-unit='{option['target']}'] .label__count")
    expect(label).to_contain_text(str(before))
    mine.locator("[data-key='dice-done']").click()


def test_the_next_side_is_one_touch_and_can_be_taken_back(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone")
    was = page.locator("#turn").text_content() or ""
    page.locator("#next-side").click()
    expect(page.locator("#turn")).not_to_have_text(was)
    page.locator("[data-key='pane-log']").click()
    page.locator("[data-key='undo']").click()
    expect(page.locator("#turn")).to_have_text(was)


def test_the_tape_measures_between_two_bases_edge_to_edge(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "desk")
    page.get_by_label("Measuring tape").click()
    bases = page.locator("svg.drawing .unit .base__rim")
    for box in (at_rest(bases.first), at_rest(bases.last)):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    units = demo.state()["game"]["units"]
    one, two = units[0]["figures"][0], units[-1]["figures"][-1]
    apart = math.dist((one["x_mm"], one["y_mm"]), (two["x_mm"], two["y_mm"]))
    apart -= (one["base"]["diameter_mm"] + two["base"]["diameter_mm"]) / 2
    expect(page.locator(".pin--tag")).to_contain_text(f"{apart / 25.4:.1f} in")


def test_the_tape_begins_and_ends_under_names_of_units_too(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone")
    page.get_by_label("Measuring tape").tap()
    names = page.locator("button.label:visible")
    for number in (0, 1):
        names.nth(number).tap()
        expect(page.locator(".tape__end")).to_have_count(number + 1)
    expect(page.locator(".pin--tag")).to_be_visible()
    expect(page.locator("#orders .who__name")).to_have_count(0)


def test_a_figure_out_of_sight_does_not_read_as_if_the_others_were_lost(demo: Demo, open_page: OpenPage) -> None:
    demo.settled()
    page = open_page(demo.url, "desk")
    unit = demo.unit("hurons")
    under, over = ((one["id"], (one["x_mm"], one["y_mm"])) for one in unit["figures"][:2])
    demo.move({under[0]: over[1]})  # one base lies on the other
    where, of = "out of the camera's sight", len(unit["figures"])
    label = page.locator("button.label[data-unit='hurons']")
    expect(label).to_have_attribute("aria-label", re.compile(f"one of its {of} figures is {where}"))
    expect(page.locator("[data-key='roster-hurons']")).to_contain_text(f"{of} figures, unformed, one out of sight")
    select(page, "hurons")
    expect(page.locator(".badge--warn")).to_have_text(f"one of its {of} figures is {where}")
    page.locator("#camera").click()
    expect(page.locator("#note")).to_contain_text(f"Hurons: one of its {of} figures")
    page.keyboard.press("Escape")
    demo.move(dict([under]))
    expect(page.locator(".badge--warn")).to_have_count(0)
    demo.settled()


_SEEN = """hidden => {
  Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_a_page_that_nobody_sees_rests_and_catches_up_when_it_is_looked_at(demo: Demo, open_page: OpenPage) -> None:
    mine, theirs = open_page(demo.url, "phone"), open_page(demo.url, "desk")
    was = mine.locator("#turn").text_content() or ""
    mine.evaluate(_SEEN, True)
    theirs.locator("#next-side").click()
    expect(theirs.locator("#turn")).not_to_have_text(was)
    mine.wait_for_timeout(2500)  # longer than the page would wait before it asks by itself
    expect(mine.locator("#turn")).to_have_text(was)
    mine.evaluate(_SEEN, False)
    expect(mine.locator("#turn")).not_to_have_text(was)
    theirs.locator("[data-key='undo']").click()
    expect(mine.locator("#turn")).to_have_text(was)
