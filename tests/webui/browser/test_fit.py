"""The page fits every screen, and can be used by people who see, point or move otherwise."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from .conftest import OpenPage
from .demo import Demo
from .marks import Marks
from .players import at_rest, begin_fire, select, volley, where

pytestmark = pytest.mark.browser

SERIOUS = ("serious", "critical")


#: What axe finds amiss; all else that it has to tell, ten times as much, stays on the page.
_FOUND = "axe.run({ resultTypes: ['violations'] }).then((found) => found.violations)"


def _faults(page: Page) -> str:
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    serious = [one for one in page.evaluate(_FOUND) if one["impact"] in SERIOUS]
    return "\n".join(f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes']])}" for one in serious)


@pytest.mark.parametrize(("size", "theme"), [("phone", "dark"), ("desk", "light")])
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
    ok = where(page.locator("[data-key='dice-ok']"))
    assert ok["y"] + ok["height"] <= height, "the dice cannot be confirmed without scrolling"
    page.locator("[data-key='dice-leave']").click()


def test_many_doubts_about_one_option_do_not_push_its_button_away(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    told = demo.state()
    for one in told["answer"]["units"]:
        for each in one["fire"]:
            each["borderline"] = [f"whether base {number} sees" for number in range(6)]
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    page.route("**/api/state*", lambda route: route.fulfill(json=told))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    select(page, answer["unit"])
    card = page.locator(f".card:has([data-key='do-fire-{option['target']}-{option['mode']}'])")
    lines = card.locator(".doubt li")
    expect(lines).to_have_count(6)
    assert [line.is_visible() for line in lines.all()] == [True] + 5 * [False]
    card.get_by_text("and 5 more").click()
    expect(lines.last).to_be_visible()


def all_above_the_foot(page: Page, faces: int) -> None:
    """Every face of the die is seen without scrolling; then the dice are put down."""
    foot = where(page.locator(".dice-foot"))
    for score in range(1, faces + 1):
        key = where(page.locator(f"[data-key='key-{score}']"))
        assert key["y"] + key["height"] <= foot["y"] + 2, score
    page.locator("[data-key='dice-leave']").click()


def test_on_a_turned_phone_dice_are_typed_without_scrolling(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "phone", viewport={"width": 640, "height": 360})
    select(page, answer["unit"])
    begin_fire(page, option)
    all_above_the_foot(page, 6)


@pytest.mark.parametrize("rolling", [False, True])
def test_a_turned_phone_still_shows_whoever_is_in_hand(demo: Demo, open_page: OpenPage, rolling: bool) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "phone", viewport={"width": 390, "height": 844})
    select(page, answer["unit"])
    if rolling:
        begin_fire(page, option)
    for width, height in ((844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(700)  # the sheet and the map have come to rest
        bases = page.locator(f"[data-unit='{answer['unit']}'] .base")
        for place in range(bases.count()):
            base, over = where(bases.nth(place)), where(page.locator("#map"))
            assert over["x"] <= base["x"] < over["x"] + over["width"]
            assert over["y"] <= base["y"] < over["y"] + over["height"]


@pytest.mark.parametrize("ruleset", ["muskets-mohawks", "presidio", "tyneside"])
def test_on_a_small_phone_all_faces_of_a_die_stand_above_the_foot(
    demo_of: Callable[[str], Demo], open_page: OpenPage, ruleset: str
) -> None:
    demo = demo_of(ruleset)
    answer, option = volley(demo)
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    select(page, answer["unit"])
    begin_fire(page, option)
    all_above_the_foot(page, int(option["roll"]["die"][1:]))


def test_the_big_screen_keeps_its_way_back_in_sight_and_numbers_within_their_dice(
    demo_of: Callable[[str], Demo], open_page: OpenPage
) -> None:
    demo = demo_of("musket-pike")
    answer, option = volley(demo)
    demo.resolve(action="fire", unit=answer["unit"], target=option["target"], mode=option["mode"])
    page = open_page(f"{demo.url}?screen=big", "desk")
    for width, height in ((1366, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("[data-key='wall-leave']")).to_be_in_viewport(ratio=1)
        dice = page.locator("#wall .die--small")
        expect(dice.first).to_be_visible()
        fits = "all => all.every(die => die.scrollWidth <= die.clientWidth && die.scrollHeight <= die.clientHeight)"
        assert dice.evaluate_all(fits)


# A target's own box counts, or the invisible margin that its ::after adds to it.
_SMALL_TARGETS = """[...document.querySelectorAll('button, summary')].filter(e => e.offsetParent).filter(e => {
  const box = e.getBoundingClientRect(), more = getComputedStyle(e, '::after');
  const grown = more.content !== 'none' && more.position === 'absolute' ? -2 * parseFloat(more.top) : 0;
  return box.height > 0 && box.height + Math.max(0, grown) < 43.5;
}).map(e => e.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("sides", [("spanish", "raiders"), ("confederates", "the-northern-army")])
def test_whose_turn_it_is_stands_apart_from_who_is_next(
    demo: Demo, open_page: OpenPage, sides: tuple[str, str]
) -> None:
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    told = json.dumps(demo.state()).replace('"british"', f'"{sides[0]}"').replace('"french"', f'"{sides[1]}"')
    page.route("**/api/state*", lambda route: route.fulfill(json=json.loads(told)))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    boxes = [where(page.locator(one)) for one in ("#turn .bar__number", "#turn .side", "#next-side", "#seat")]
    edges = [(box["x"], box["x"] + box["width"]) for box in boxes]
    gaps = [round(after[0] - before[1]) for before, after in itertools.pairwise(edges)]
    assert len(gaps) == 3
    assert min(gaps[:2]) >= 7, gaps
    assert min(gaps) >= 0, gaps
    assert page.locator("#turn .side").evaluate("(one) => one.getBoundingClientRect().width") > 60


EVIL = "<img src=x onerror=document.title='got-in'><b>Foot</b>"


@pytest.mark.parametrize("unit", ["1st-foot", "grenadiers", "la-reine"])
def test_ranges_and_names_on_a_narrow_map_lie_on_none_other(demo: Demo, open_page: OpenPage, unit: str) -> None:
    page = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    select(page, unit)
    expect(page.locator(".pin--range").first).to_be_visible()
    marks = Marks(page)
    assert marks.on("label range", "label range tools scale handle") == []
    assert marks.on("label scale", "figure") == []


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


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844)])
def test_the_buttons_below_a_map_that_is_touched_stand_clear_of_the_edge(
    demo_of: Callable[[str], Demo], open_page: OpenPage, width: int, height: int
) -> None:
    page = open_page(demo_of("palouse").url, "phone", viewport={"width": width, "height": height})
    select(page, "rangers")
    page.locator("[data-key='act-move']").click()
    expect(page.locator("[data-key='order-touched']")).to_be_visible()
    for shown in page.locator(".dice-foot > .foot__touched").all():
        button = at_rest(shown)
        assert button["height"] >= 44
        assert button["y"] + button["height"] <= height - 8
