"""What the page says, read by somebody who has read nothing else: no ids, no keys, nothing that is not so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .demo import Demo
from .players import begin_fire, select, volley
from .seating import sit_down

pytestmark = pytest.mark.browser

DemoOf = Callable[[str], Demo]


def unfold(page: Page) -> None:
    """Unfolds whatever is folded."""
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")


@pytest.mark.parametrize(("ruleset", "unit", "kind"), [
    ("musket-pike", "royal-foot", "Infantry, line"), ("palouse", "rangers", "Skirmisher"),
])  # fmt: skip
def test_a_unit_of_one_base_on_a_grid_is_called_by_its_kind_and_turns_by_its_own_rules(
    demo_of: DemoOf, open_page: OpenPage, ruleset: str, unit: str, kind: str
) -> None:
    demo = demo_of(ruleset)
    demo.settled()
    page = open_page(demo.url)
    expect(page.locator(f"[data-key='roster-{unit}'] .muster__what")).to_have_text(kind)
    expect(page.locator("#orders")).not_to_contain_text("1 figure")
    label = page.locator(f"button.label[data-unit='{unit}']")
    expect(label).to_have_attribute("aria-label", re.compile(rf", {kind.split(',')[0].lower()}$"))
    select(page, unit)
    expect(page.locator(".badges")).not_to_contain_text("figure")
    expect(page.locator(".move__modes")).to_contain_text("turn where it stands")
    expect(page.locator(".move__modes")).not_to_contain_text("half")


def test_nobody_reads_reasons_against_enemies_that_are_not_on_the_table(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    demo = demo_of("presidio")
    gone = [one["name"] for one in demo.settled()["game"]["units"] if not one["figures"]]
    assert "The Horse Thieves" in gone
    page = open_page(demo.url)
    select(page, "cuera")
    unfold(page)
    expect(page.locator("#orders")).to_contain_text("at Comanche Raiders")
    expect(page.locator(".cards, details[data-key='not-possible']").first).to_be_visible()
    told = page.locator(".not__title, .card__title").all_inner_texts()
    assert not [one for one in told for name in gone if name in one]


def test_what_speaks_alike_against_several_is_said_once(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(demo_of("presidio").url)
    select(page, "cuera")
    unfold(page)
    said = page.locator("li", has=page.locator(".not__title", has_text="Fight a round")).locator(".reasons").last
    expect(said).to_contain_text(
        "Comanche Raiders, Yuta Warriors, The Horse Thieves: no figure of Leather Jackets is in contact with it"
    )


def test_what_may_be_done_out_of_turn_is_told_apart_from_a_slip(demo_of: DemoOf, open_page: OpenPage) -> None:
    out_of_turn = "Not its turn, but it may still:"
    page = open_page(demo_of("presidio").url)
    select(page, "comanches")
    expect(page.locator("#orders")).to_contain_text(out_of_turn)


def test_how_a_unit_has_moved_is_told_in_a_sentence_s_words(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("presidio")
    state = demo.settled()
    for answer in state["answer"]["units"]:
        one = next(one for one in state["game"]["units"] if one["id"] == answer["unit"])
        one["state"]["moved"] = "run" if one["side"] == "spanish" else "walk"
    page = open_page(demo.url)
    page.route("**/api/state*", lambda route: route.fulfill(json=state))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    for unit, words in (("cuera", "has run"), ("comanches", "has walked")):
        select(page, unit)
        expect(page.locator(".badges").get_by_text(words, exact=True)).to_be_visible()


def test_figures_of_a_form_are_called_by_their_unit_and_number(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(demo_of("presidio").url)
    select(page, "cuera")
    page.locator("[data-key='act-close-ranks']").click()
    expect(page.locator("#orders")).to_contain_text("Leather Jackets no. 1")


def test_who_raises_the_risk_of_a_group_is_named(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(demo_of("tyneside").url)
    select(page, "captain")
    unfold(page)
    expect(page.locator(".will")).to_contain_text("Canadian Militia in clear sight and in range")


def test_chances_that_take_too_long_are_said_to(demo: Demo, open_page: OpenPage) -> None:
    unit, _ = volley(demo)
    page = open_page(demo.url)
    told = {"outcomes": [], "sentence": "the chances take too long to work out"}
    page.route("**/api/odds", lambda route: route.fulfill(status=200, body=json.dumps(told)))
    select(page, unit["unit"])
    expect(page.locator(".odds").first).to_have_text("the chances take too long to work out")


def test_the_button_that_rolls_says_that_typed_dice_are_rolled_too(demo: Demo, open_page: OpenPage) -> None:
    unit, option = volley(demo)
    page = open_page(demo.url)
    select(page, unit["unit"])
    begin_fire(page, option)
    rolls = page.locator("[data-key='dice-roll']")
    expect(rolls).to_have_text("Roll for me")
    page.locator("[data-key='key-1']").click()
    expect(rolls).to_have_text("Roll all for me")
    page.locator("[data-key='dice-back']").click()
    expect(rolls).to_have_text("Roll for me")


def test_escape_gives_an_action_up_until_a_die_is_typed(demo: Demo, open_page: OpenPage) -> None:
    unit, option = volley(demo)
    page = open_page(demo.url, "desk")
    select(page, unit["unit"])
    begin_fire(page, option)
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(page.locator(".ask__count")).to_contain_text("1 of")
    page.keyboard.press("Backspace")
    page.keyboard.press("Escape")
    expect(page.locator("#orders .who__name")).to_have_text(demo.unit(unit["unit"])["name"])
    assert not [entry for entry in demo.state()["log"] if entry["action"] and not entry["undone"]]


def test_the_other_side_is_told_whose_units_can_still_act(demo: Demo, open_page: OpenPage) -> None:
    active = demo.settled()["game"]["turn"]["active_side"]
    other = next(side["name"] for side in demo.state()["game"]["sides"] if side["name"] != active)
    theirs, _ = sit_down(open_page, demo, f"side:{other}", "phone")
    expect(theirs.locator(".todo")).to_contain_text(f"{active.title()}: 3 of 3 units can still act.")


def test_what_somebody_says_does_not_look_like_an_error(demo: Demo, open_page: OpenPage) -> None:
    theirs, _ = sit_down(open_page, demo, "side:french", "phone")
    page = open_page(demo.url)
    expect(page.locator("#seat")).to_be_visible()
    theirs.locator("#seat").click()
    theirs.locator("#talk-text").fill("Well shot!")
    theirs.locator("#talk-text").press("Enter")
    expect(page.locator("#toast")).to_contain_text("French: Well shot!")
    color = "(at) => getComputedStyle(at).borderTopColor"
    calm = page.locator("#toast").evaluate(color)
    page.evaluate("async () => (await part('toast.js')).toast('Something went wrong.')")
    assert page.locator("#toast").evaluate(color) != calm


def test_the_umpire_changes_first_what_says_something(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(demo_of("musket-pike").url)
    select(page, "royal-foot")
    page.locator("[data-key='amend']").click()
    expect(page.locator(".amend__label").first).to_be_visible()
    shown = page.locator(".amend__label:visible")
    assert "Strength" in shown.all_inner_texts()
    assert "Routed" not in shown.all_inner_texts()  # nobody has said so: it waits with all else that may be
    page.locator("[data-key='amend-rest'] > summary").click()
    assert {"Strength", "Routed", "Movement points used"} <= set(shown.all_inner_texts())


def test_who_passes_an_order_on_is_called_by_unit_number_and_office(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    command = demo.settled() and demo.answer("captain")["command"]
    group = next(one for one in command["groups"] if one["reached"] and one["via"])
    owner, number = group["via"][0].rsplit("-", 1)
    page = open_page(demo.url)
    select(page, "captain")
    page.locator(f"[data-key='chain-{group['group']}']").click()
    passes = page.locator(f"[data-key='pick-via-{group['via'][0]}']")
    expect(passes).to_contain_text(
        re.compile(rf"{demo.unit(owner)['name']} no\. {number} \((NCO|drummer|leader)\)")
    )


@pytest.mark.parametrize(("how", "what_to_do"), [
    ({"bumped": True}, "Hands off the table, all markers in sight"),
    ({"state": "lost", "detail": "the device 0 does not answer"}, "Check its cable; it comes back by itself."),
])  # fmt: skip
def test_a_camera_that_is_not_to_be_trusted_says_what_to_do_and_boasts_of_no_precision(
    demo: Demo, open_page: OpenPage, how: dict[str, object], what_to_do: str
) -> None:
    state = demo.settled()
    state["camera"] |= how
    page = open_page(demo.url)
    page.route("**/api/state*", lambda route: route.fulfill(json=state))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#banner")).to_contain_text(what_to_do)
    page.locator("#camera").click()
    expect(page.locator("#note")).to_contain_text("no measure is to be trusted just now")
    expect(page.locator("#note")).not_to_contain_text("of where it is drawn")


@pytest.mark.parametrize(("ruleset", "turn", "kept"), [
    ("muskets-mohawks", ["pass-turn", "new-turn"], ["had-enough"]), ("presidio", ["end-turn"], ["initiative"]),
    ("palouse", ["end-turn"], ["check-resolve"]), ("tyneside", ["end-turn"], []),
    ("musket-pike", ["end-turn"], ["begin-turn"]),
])  # fmt: skip
def test_the_turn_passes_on_by_one_button_alone(
    demo_of: DemoOf, open_page: OpenPage, ruleset: str, turn: list[str], kept: list[str]
) -> None:
    demo = demo_of(ruleset)
    page = open_page(demo.url)
    with page.expect_response("**/api/actions*"):
        page.reload()
    for action in kept:
        expect(page.locator(f"[data-key='turn-{action}']")).to_be_visible()
    expect(page.locator("#next-side")).to_be_visible()
    expect(page.locator(", ".join(f"[data-key='turn-{action}']" for action in turn))).to_have_count(0)


def test_the_first_turn_is_begun_and_later_ones_by_the_button_that_passes_the_turn_on(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    demo = demo_of("musket-pike")
    page = open_page(demo.url)
    begins = page.locator("[data-key='turn-begin-turn']")
    expect(begins).to_be_visible()
    demo.resolve(action="begin-turn", side="allies")
    expect(begins).to_have_count(0)
    page.locator("#next-side").click()
    expect(page.locator("[data-key='dice-title']")).to_be_visible()


def test_a_hex_is_no_list_of_numbers(demo_of: DemoOf, open_page: OpenPage) -> None:
    page = open_page(demo_of("musket-pike").url)
    told = "async (text) => (await part('words.js')).named(text)"
    assert page.evaluate(told, "[16, 8] is held by royal-foot") == "Hex 16, 8 is held by Royal Foot"
    assert page.evaluate(told, "hex [16, 8] or [16, 7]") == "Hex 16, 8 or hex 16, 7"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("The Most Christian King's Army of France", "The Most Christian King's Army of France"),
        ("la-reine", "La Reine"),
        ("the-army-of-the-ohio", "The Army of the Ohio"),
        ("1st-foot", "1st Foot"),
    ],
)
def test_a_name_keeps_its_small_words_small(demo: Demo, open_page: OpenPage, typed: str, told: str) -> None:
    page = open_page(demo.url, "phone")
    assert page.evaluate("async (key) => (await part('words.js')).titled(key)", typed) == told


def test_a_reason_within_a_sentence_begins_small(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone")
    said = page.evaluate(
        "async (why) => (await part('words.js')).within(why)", "it went 90° to the left of grenadiers"
    )
    assert said == "it went 90° to the left of Grenadiers"
