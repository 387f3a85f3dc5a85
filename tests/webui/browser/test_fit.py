"""The page fits every screen, and can be used by people who see, point or move otherwise."""

from __future__ import annotations

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from .conftest import OpenPage
from .demo import Demo
from .players import begin_fire, select, volley

pytestmark = pytest.mark.browser

SERIOUS = ("serious", "critical")


def _faults(page: Page) -> str:
    found = Axe().run(page).response["violations"]
    serious = [one for one in found if one["impact"] in SERIOUS]
    return "\n".join(f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes']])}" for one in serious)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desk"])
def test_axe_finds_no_serious_fault(demo: Demo, open_page: OpenPage, size: str, theme: str) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, size, color_scheme=theme, bypass_csp=True)
    assert _faults(page) == ""
    select(page, answer["unit"])
    for group in page.locator("#orders details > summary").all():
        group.click()
    assert _faults(page) == ""
    page.locator(f"[data-key='do-fire-{option['target']}-{option['mode']}']").click()
    page.wait_for_selector(".ask__roll")
    assert _faults(page) == ""
    page.locator("[data-key='dice-leave']").click()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forms_the_seats_and_what_was_have_no_serious_fault_and_fit_a_finger(
    demo: Demo, open_page: OpenPage, theme: str
) -> None:
    answer, _ = volley(demo)
    page = open_page(demo.url, "desk", color_scheme=theme, bypass_csp=True, viewport={"width": 360, "height": 640})
    select(page, answer["unit"])
    page.locator("[data-key='act-reaction']").click()
    page.locator("[data-key='pick-tests-received-fire']").click()
    assert (_faults(page), page.evaluate(_SMALL_TARGETS)) == ("", [])
    page.locator("[data-key='order-leave']").click()
    page.locator("#seat").click()
    expect(page.locator("#note .seats__code").first).to_be_visible()
    assert (_faults(page), page.evaluate(_SMALL_TARGETS)) == ("", [])
    page.keyboard.press("Escape")
    page.locator("[data-key='pane-log']").click()
    page.locator(".entry__then").first.click()
    expect(page.locator("[data-key='past-now']")).to_be_visible()
    assert (_faults(page), page.evaluate(_SMALL_TARGETS)) == ("", [])
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (1440, 900), (1920, 1080)])
def test_nothing_runs_off_the_screen_and_every_target_fits_a_finger(
    demo: Demo, open_page: OpenPage, width: int, height: int
) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "desk", viewport={"width": width, "height": height})
    select(page, answer["unit"])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("[...document.querySelectorAll('.pane')].every(p => p.scrollWidth <= p.clientWidth)")
    small = page.evaluate(_SMALL_TARGETS)
    assert small == []
    begin_fire(page, option)
    ok = page.locator("[data-key='dice-ok']").bounding_box()
    assert ok is not None
    assert ok["y"] + ok["height"] <= height, "the dice cannot be confirmed without scrolling"
    page.locator("[data-key='dice-leave']").click()


# A target's own box counts, or the invisible margin that its ::after adds to it.
_SMALL_TARGETS = """[...document.querySelectorAll('button, summary')].filter(e => e.offsetParent).filter(e => {
  const box = e.getBoundingClientRect(), more = getComputedStyle(e, '::after');
  const grown = more.content !== 'none' && more.position === 'absolute' ? -2 * parseFloat(more.top) : 0;
  return box.height > 0 && box.height + Math.max(0, grown) < 43.5;
}).map(e => e.outerHTML.slice(0, 120))"""


EVIL = "<img src=x onerror=document.title='got-in'><b>Foot</b>"


# A name's button reaches farther up and down than what is drawn of it, for the finger's sake.
_COVERED = """() => {
  const drawn = one => one.querySelector('.label__side') ?? one;
  const box = one => {
    const {x, right} = one.getBoundingClientRect(), {y, bottom} = drawn(one).getBoundingClientRect();
    return {x, right, y, bottom};
  };
  const boxes = [...document.querySelectorAll('.pin--range, .label')].filter(one => one.checkVisibility())
    .map(one => [one.textContent, box(one)]);
  const over = (a, b) => a.x + 1 < b.right && b.x + 1 < a.right && a.y + 1 < b.bottom && b.y + 1 < a.bottom;
  return boxes.flatMap(([told, a], n) => boxes.slice(n + 1).flatMap(([by, b]) => over(a, b) ? [[told, by]] : []));
}"""


@pytest.mark.parametrize("unit", ["1st-foot", "grenadiers", "la-reine"])
def test_ranges_and_names_on_a_narrow_map_lie_on_none_other(demo: Demo, open_page: OpenPage, unit: str) -> None:
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    select(page, unit)
    expect(page.locator(".pin--range").first).to_be_visible()
    before = None
    while (now := page.locator(".label").first.bounding_box()) != before:  # until the map lies still
        before = now
        page.wait_for_timeout(200)
    assert page.evaluate(_COVERED) == []


def test_names_are_never_markup(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url)

    def poisoned(route: Route) -> None:
        state = demo.state()
        for unit in state["game"]["units"]:
            unit["name"] = EVIL
            unit["type"] = unit["formation"] = unit["weapon"] = EVIL
        for answer in state["answer"]["units"]:
            for option in answer["fire"] + answer["charge"]:
                option["why_not"] = option["borderline"] = [EVIL]
                option["modifiers"] = [{"name": EVIL, "effect": EVIL, "rule": EVIL}]
        state["camera"]["warnings"] = state["trouble"] = [EVIL]
        for entry in state["log"]:
            entry["title"], entry["lines"], entry["rules"] = EVIL, [EVIL], [EVIL]
        route.fulfill(json=state)

    page.route("**/api/state*", poisoned)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.locator("button.label").first.click()
    expect(page.locator("#orders .who__name")).to_have_text(EVIL)
    page.locator("#camera").click()
    expect(page.locator("#note")).to_contain_text(EVIL)
    page.keyboard.press("Escape")
    page.locator("[data-key='pane-log']").click()
    expect(page.locator("#log .entry__title").first).to_have_text(EVIL)
    assert page.locator("img[src=x], b:text-is('Foot')").count() == 0
    assert page.title() != "got-in"
