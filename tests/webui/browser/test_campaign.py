"""The campaign's page: a strategic turn with a contact, secrets, cards where there is no map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import SIZES, OpenPage
from .demo import Demo
from .players import at_rest, show_log, volley
from .seating import listen
from .test_fit import _SMALL_TARGETS, _faults
from .test_touch import tell_turn

pytestmark = pytest.mark.browser

DemoOf = Callable[[str], Demo]


def campaign(page: Page) -> dict[str, Any]:
    """The campaign as the page's seat is told it."""
    found: dict[str, Any] = page.evaluate("fetch('/api/campaign').then((answer) => answer.json())")["campaign"]
    return found


def touch(page: Page, hex_: str) -> None:
    page.locator(f"[data-hex='{hex_}']").click()


def do_it(page: Page) -> None:
    page.locator("[data-key='order-go']").click()


def typed(page: Page, *scores: int) -> None:
    """Types a die after the other, each a roll of its own."""
    for score in scores:
        page.locator(f"[data-key='key-{score}']").click()
        page.locator("[data-key='dice-ok']").click()


def done(page: Page, words: str) -> None:
    """What came of it says these words; closes it."""
    expect(page.locator(".outcome")).to_contain_text(words)
    page.locator("[data-key='dice-done']").click()
    expect(page.locator("[data-key='dice-title']")).to_have_count(0)


def drawn(page: Page) -> None:
    """What is drawn is what the server says."""
    told = campaign(page)
    pieces = {one["id"]: one for one in told["pieces"] if one.get("hex")}
    expect(page.locator(".piece")).to_have_count(len(pieces))
    expect(page.locator(".hex")).to_have_count(len(told["hexes"]))
    expect(page.locator(".way")).to_have_count(len(told["lines"]))
    centres = {one["id"]: one["centre"] for one in told["hexes"]}
    for name, piece in pieces.items():
        transform = page.locator(f"[data-piece='{name}']").get_attribute("transform") or ""
        x, y = map(float, transform.removeprefix("translate(").removesuffix(")").split())
        assert abs(x - centres[piece["hex"]][0]) < 0.5, name
        assert abs(-y - centres[piece["hex"]][1]) < 0.5, name


def test_a_strategic_turn_with_a_contact(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(demo_of("presidio").url, "desk")
    page.locator("[data-key='campaign']").click()
    page.wait_for_selector("body.campaign[data-ready]")
    expect(page.locator("#stage")).to_have_text("Day 2 · Spanish to move")
    drawn(page)

    page.locator("[data-key='act-strategic-initiative']").click()
    typed(page, 5, 3)
    done(page, "Spanish")

    touch(page, "2,1")
    expect(page.locator("#orders .who__name")).to_have_text("Spanish 2")
    reach = next(one["reach"] for one in campaign(page)["pieces"] if one["id"] == "spanish-2")
    lit = page.locator(".cover--reach").evaluate_all("all => all.map((one) => one.dataset.hex)")
    assert sorted(lit) == sorted(reach)
    touch(page, "3,2")
    do_it(page)
    done(page, "moves to 3,2")
    drawn(page)

    page.locator("[data-key='back']").click()
    page.locator("[data-key='piece-raiders-2']").click()
    page.locator("[data-key='about-map-move']").click()
    expect(page.locator("#hint")).to_contain_text("touch the hex on the map")
    touch(page, "3,2")
    do_it(page)
    done(page, "Horse Thieves")
    page.locator("[data-key='back']").click()
    expect(page.locator("[data-card='contact-3,2']")).to_contain_text("Raiders 2: The Horse Thieves")
    drawn(page)

    page.locator("[data-key='card-contact-3,2']").click()
    page.locator("[data-key='pick-moved-fields-2']").click()
    do_it(page)
    typed(page, 2)
    done(page, "17 hours")
    expect(page.locator("#stage")).to_contain_text("17:00")

    show_log(page)
    expect(page.locator("#log")).to_contain_text("In 3,2:")
    page.locator("[data-key='undo']").click()
    expect(page.locator("#stage")).not_to_contain_text("17:00")
    page.locator("[data-key='redo']").click()
    expect(page.locator("#stage")).to_contain_text("17:00")
    if page.locator("[data-key='pane-orders']").is_visible():
        page.locator("[data-key='pane-orders']").click()
    page.locator("[data-key='act-map-day']").click()
    done(page, "Day 3")
    expect(page.locator("#stage")).to_contain_text("Day 3")
    page.locator("#to-table").click()
    page.wait_for_selector("#turn .bar__number")


def seated(open_page: OpenPage, demo: Demo, seat: str, size: str) -> tuple[Page, list[str]]:
    """The campaign's page of a seat, and all that is sent to it."""
    page = open_page(f"{demo.url}campaign#join={demo.code(seat)}", size)
    expect(page.locator("#seat")).to_contain_text(seat.removeprefix("side:").title())
    heard: list[str] = []
    listen(page, heard)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    return page, heard


def test_what_a_side_does_not_know_never_comes_to_its_phone(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("presidio")
    spanish, to_spanish = seated(open_page, demo, "side:spanish", "phone")
    raiders, to_raiders = seated(open_page, demo, "side:raiders", "desk")
    spanish.locator("[data-key='piece-spanish-2']").click()
    spanish.locator("[data-key='about-map-allot']").click()
    spanish.locator("[data-key='pick-units-couriers']").click()
    expect(spanish.locator(".verdict")).to_contain_text("is not with Spanish 2")
    spanish.locator("[data-key='order-leave']").click()
    touch(spanish, "2,2")
    do_it(spanish)
    done(spanish, "moves to 2,2")
    expect(raiders.locator("[data-piece='spanish-2'] text")).to_have_text("2?")
    expect(raiders.locator("[data-key='piece-spanish-2']")).to_contain_text("Not known")
    expect(raiders.locator("[data-key='piece-spanish-2']")).to_contain_text("2,2")
    raiders.locator("[data-key='piece-spanish-2']").click()
    expect(raiders.locator("[data-key='about-map-move']")).to_be_disabled()
    assert "Horse Thieves" not in "\n".join(to_spanish)
    assert "Escort" not in "\n".join(to_raiders)
    assert "Horse Thieves" in "\n".join(to_raiders)


def test_situations_are_cards_and_chosen_in_secret(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("musket-pike")
    allies, _ = seated(open_page, demo, "side:allies", "phone")
    french, to_french = seated(open_page, demo, "side:french", "desk")
    expect(french.locator(".campaign__card")).to_have_count(4)
    expect(french.locator("[data-key='card-a-march']")).to_be_disabled()
    to_french.clear()
    allies.locator("[data-key='card-a-march']").click()
    done(allies, "chooses march")
    expect(french.locator(".facts")).to_contain_text("Has chosen")
    expect(french.locator("[data-card='a-march']")).to_have_count(0)
    assert "chooses march" not in "\n".join(to_french)
    french.locator("[data-key='card-b-wait']").click()
    done(french, "it comes to the battle road")
    expect(allies.locator("[data-card='battle']")).to_contain_text("The battle: Road")
    allies.locator("[data-key='card-battle']").click()
    allies.locator("[data-key='pick-outcome-minor-a']").click()
    do_it(allies)
    done(allies, "The battle road ends")
    expect(french.locator("#stage")).to_have_text("Evening at the bridge")


def test_a_campaign_without_a_map_is_played_from_its_cards(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("muskets-mohawks")
    page = open_page(f"{demo.url}campaign", "desk")
    expect(page.locator("[data-card='roster-british']")).to_contain_text("1st Foot")
    expect(page.locator(".country svg")).to_have_count(0)
    page.locator("[data-key='act-territory']").click()
    typed(page, 5, 2)
    page.locator("[data-key='dice-done']").click()
    expect(page.locator("[data-card='british']")).to_contain_text("Territory: contesting")


def test_who_has_no_campaign_yet_is_offered_to_begin_one_first(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("muskets-mohawks")
    page = open_page(f"{demo.url}campaign", "phone", viewport={"width": 360, "height": 640})
    first = page.locator("#orders .act").first
    expect(first).to_contain_text("Begin a campaign")
    expect(page.locator("#orders")).to_contain_text("No campaign is kept in this game yet.")
    page.locator("[data-key='act-campaign-start']").click()
    page.locator("[data-key='number-year']").fill("1757")
    page.locator("[data-key='number-year']").blur()
    expect(page.locator("#orders")).to_contain_text("Nobody has said which army British is: say first how you play")
    page.locator("[data-key='order-leave']").click()
    demo.resolve(action="agree", play="head-to-head", armies={"british": "british", "french": "french"})
    demo.resolve(action="campaign-start", year=1757)
    expect(first).not_to_contain_text("Begin a campaign")
    expect(page.locator("#orders")).not_to_contain_text("No campaign is kept")
    page.locator("[data-key='guide-territory']").click()
    expect(page.locator(".ask__roll strong")).to_have_text("1d6")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_small_phone_and_has_no_serious_fault(demo_of: DemoOf, open_page: OpenPage, theme: str) -> None:
    demo = demo_of("presidio")
    address = f"{demo.url}campaign"
    page = open_page(address, color_scheme=theme, bypass_csp=True, viewport={"width": 360, "height": 640})
    for group in page.locator("#orders details > summary").all():
        group.click()
    assert (_faults(page), page.evaluate(_SMALL_TARGETS)) == ("", [])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    touch(page, "3,4")
    expect(page.locator("[data-hex='3,4']")).to_have_css("outline-style", "none")  # the map may be drawn meanwhile
    assert (_faults(page), page.evaluate(_SMALL_TARGETS)) == ("", [])
    page.locator("[data-key='about-map-move']").click()
    expect(page.locator("[data-key='order-title']")).to_be_visible()
    assert (_faults(page), page.evaluate(_SMALL_TARGETS)) == ("", [])


_HEXES = """() => {
  const room = document.getElementById('map').getBoundingClientRect();
  const tools = document.getElementById('tools').getBoundingClientRect();
  const all = [...document.querySelectorAll('.cover')].map((one) => one.getBoundingClientRect());
  const counters = [...document.querySelectorAll('.piece rect')];
  return {
    seen: all.every((b) => b.x >= room.x && b.y >= room.y && b.bottom <= room.bottom && b.right <= tools.x),
    across: Math.min(...all.map((b) => b.height)),
    counter: Math.min(...counters.map((one) => one.getBoundingClientRect().width)),
  };
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360), (1920, 1080)])
def test_the_map_is_seen_whole_when_it_is_opened_and_again_at_one_touch(
    demo_of: DemoOf, open_page: OpenPage, width: int, height: int
) -> None:
    page = open_page(f"{demo_of('presidio').url}campaign", "desk", viewport={"width": width, "height": height})
    whole = page.evaluate(_HEXES)
    assert whole["seen"], whole
    assert whole["across"] > 30, "a hex that no finger finds"
    assert whole["counter"] > 18
    page.locator("[data-key='tool-plus']").focus()
    for _ in range(2):
        page.keyboard.press("Enter")
    nearer = page.evaluate(_HEXES)
    assert nearer["across"] > whole["across"] or width > 1000
    page.locator("[data-key='tool-fit']").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"whole => JSON.stringify(({_HEXES})()) === JSON.stringify(whole)", arg=whole)
    page.set_viewport_size({"width": height, "height": width})  # turned
    page.wait_for_timeout(200)
    assert page.evaluate(_HEXES)["seen"]


def test_who_is_quicker_than_the_forms_waits_for_them(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(f"{demo_of('presidio').url}campaign", "desk", viewport={"width": 1920, "height": 1080})
    held: list[Route] = []
    page.route("**/api/forms", lambda route: held.append(route))
    page.reload()
    for at in ("3,4", "3,3"):
        page.locator(f"[data-hex='{at}']").focus()
        page.keyboard.press("Enter")
    expect(page.locator("#orders .who__name")).to_have_text("Raiders 2")
    expect(page.locator("[data-key='order-title']")).to_have_count(0)
    page.wait_for_timeout(200)
    held[0].continue_()
    expect(page.locator("[data-key='order-title']")).to_contain_text("Move a marker")


def test_the_map_is_played_from_the_keyboard(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(f"{demo_of('presidio').url}campaign", "desk", viewport={"width": 1920, "height": 1080})
    page.locator("[data-hex='3,4']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#orders .who__name")).to_have_text("Raiders 2")
    expect(page.locator("[data-hex='3,4']")).to_be_focused()  # though the map was drawn anew
    page.locator("[data-hex='3,3']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-key='order-title']")).to_contain_text("Move a marker")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#orders .pane__title")).to_have_text("Campaign")


def test_a_hex_under_a_finger_stays_when_the_table_changes_and_the_touch_counts(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    demo = demo_of("presidio")
    page, number = open_page(f"{demo.url}campaign", "desk"), demo.state()["game"]["turn"]["number"]
    cover = page.locator("[data-hex='2,1']")
    expect(page.locator("[data-piece='spanish-2']")).to_be_visible()
    cover.evaluate("hex => { hex.dataset.touched = 'yes'; }")
    at_rest(cover)
    cover.hover()
    page.mouse.down()
    tell_turn(demo, 57)
    news = "async () => (await part('store.js')).state().game.turn.number"
    while page.evaluate(news) != 57:
        page.wait_for_timeout(50)
    page.wait_for_timeout(700)  # time enough to ask for the campaign and to draw it
    expect(cover).to_have_attribute("data-touched", "yes")
    page.mouse.up()
    expect(page.locator("#orders .who__name")).to_have_text("Spanish 2")
    expect(cover).not_to_have_attribute("data-touched", "yes")  # now it has been drawn anew
    tell_turn(demo, number)


@pytest.mark.parametrize(("theme", "other"), [("dark", "Light page"), ("light", "Dark page")])
def test_the_button_for_the_page_s_light_shows_what_a_touch_of_it_gives(
    demo_of: DemoOf, open_page: OpenPage, theme: str, other: str
) -> None:
    page = open_page(f"{demo_of('musket-pike').url}campaign", "desk", color_scheme=theme)
    light = page.locator("#theme")
    expect(light).to_have_attribute("aria-label", other)
    shown = light.inner_html()
    light.click()
    expect(light).not_to_have_attribute("aria-label", other)
    assert light.inner_html() != shown


@pytest.mark.parametrize("size", SIZES)
def test_no_battle_is_ended_by_a_tap_on_next_month(demo: Demo, open_page: OpenPage, size: str) -> None:
    answer, option = volley(demo)
    demo.resolve(action="fire", unit=answer["unit"], target=option["target"], mode=option["mode"])
    before = demo.state()["game"]["units"]
    page = open_page(f"{demo.url}campaign", size)
    expect(page.locator(".not__head", has_text="Not now")).to_be_visible()
    expect(page.locator("[data-key='act-next-month']")).to_have_count(0)
    page.locator(".not__head", has_text="Not now").click()
    refused = page.locator(".not__one", has_text="Next month")
    expect(refused).to_contain_text("The battle is not over: end it first")
    assert demo.state()["game"]["units"] == before
