"""A turn is played on the page, on a phone and at a desk."""

from __future__ import annotations

import re
import sys

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .demo import Demo
from .players import begin_fire, fire_typed, in_words, select, show_log, type_to_the_end, volley

pytestmark = pytest.mark.browser


def _title(page: Page) -> str:
    return page.locator("#log .entry:not(.entry--undone) .entry__title").first.inner_text()


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_fire_is_typed_seen_in_the_log_undone_and_still_so_after_a_reload(
    demo: Demo, open_page: OpenPage, size: str
) -> None:
    answer, option = volley(demo)
    before = len(demo.unit(option["target"])["figures"])
    page = open_page(demo.url, size)

    select(page, answer["unit"])
    begin_fire(page, option)
    type_to_the_end(page, hits=3)
    lost = before - len(demo.unit(option["target"])["figures"])
    assert lost > 0
    expect(page.locator(".outcome")).to_contain_text(re.compile("lose|lost|casualt|destroyed|leave", re.IGNORECASE))
    page.locator("[data-key='dice-done']").click()

    show_log(page)
    entry = page.locator("#log .entry--action").first
    expect(entry).to_contain_text(re.compile("lose|lost|casualt|destroyed|leave", re.IGNORECASE))
    title = entry.locator(".entry__title").inner_text()

    page.locator("[data-key='undo']").click()
    expect(page.locator("#log .entry").first).to_have_class(re.compile("entry--undo "))
    expect(page.locator("#log .entry--undone .entry__title").first).to_have_text(title)
    assert len(demo.unit(option["target"])["figures"]) == before

    told = page.locator("#log .entry__title").all_inner_texts()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    show_log(page)
    assert page.locator("#log .entry__title").all_inner_texts() == told
    expect(page.locator(f"button.label[data-unit='{answer['unit']}']")).to_have_attribute("aria-pressed", "true")


def test_dice_that_were_being_typed_survive_a_reload(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url)
    select(page, answer["unit"])
    begin_fire(page, option)
    page.locator("[data-key='key-4']").click()
    page.locator("[data-key='key-6']").click()
    page.reload()
    expect(page.locator(".tray .die:not(.die--gap)")).to_have_count(2)
    page.locator("[data-key='dice-leave']").click()
    expect(page.locator("#orders .card").first).to_be_visible()


def test_the_keyboard_alone_fires_and_the_program_rolls(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "desk")
    page.locator(f"button.label[data-unit='{answer['unit']}']").focus()
    page.keyboard.press("Enter")
    page.locator(f"[data-key='do-fire-{option['target']}-{option['mode']}']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ask__roll strong")).to_be_visible()
    page.keyboard.type("35")
    page.keyboard.press("Backspace")
    expect(page.locator(".tray .die:not(.die--gap)")).to_have_count(1)
    page.locator("[data-key='dice-roll']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-key='dice-done']")).to_be_visible()
    expect(page.locator(".rolled .die").first).to_be_visible()
    page.keyboard.press("Enter")  # read
    expect(page.locator("[data-key='unit-title']")).to_be_focused()  # where the reader was, not the page's top
    page.locator("[data-key='undo']").click()
    expect(page.locator("#log .entry--undone").first).to_be_visible()


def test_nothing_is_lost_when_the_server_is_killed(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "phone", server_may_die=True)
    fire_typed(page, answer["unit"], option, hits=3)
    show_log(page)
    title = _title(page)
    after = demo.unit(option["target"])["figures"]

    demo.kill()
    expect(page.locator("#banner")).to_contain_text("does not answer")
    expect(page.locator("#camera")).to_contain_text("No answer")
    demo.start()
    expect(page.locator("#banner")).to_be_hidden()

    page.reload()
    page.wait_for_selector("body[data-ready]")
    show_log(page)
    expect(page.locator("#log")).to_contain_text(title)
    kept = demo.unit(option["target"])["figures"]
    assert {figure["id"] for figure in kept} == {figure["id"] for figure in after}


def test_what_is_not_possible_says_every_reason_and_opens_its_rule(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "desk")
    state = demo.settled()
    answers, game = state["answer"]["units"], state["game"]
    answer = next(unit for unit in answers if any(not one["legal"] for one in unit["fire"] + unit["charge"]))
    select(page, answer["unit"])
    if page.locator("details[data-key='not-possible']:not([open])").count():  # open where nothing is possible
        page.locator("details[data-key='not-possible'] > summary").click()
    shown = page.locator(".not__list").first.inner_text()
    for option in answer["fire"] + answer["charge"]:
        assert option["legal"] or option["why_not"]
        for reason in option["why_not"]:
            assert in_words(reason, game) in shown
    demo.settled()  # the panel is drawn anew while the table changes, and a touch just then would miss
    chip = page.locator(".not__list .chip--rule").first
    row = chip.locator(".chip__rule").inner_text()
    chip.click()
    expect(page.locator("#note")).to_contain_text(row)
    page.keyboard.press("Escape")
    expect(page.locator("#note")).to_be_hidden()


@pytest.mark.skipif(sys.platform == "win32", reason="no process is put to sleep there")
def test_a_laptop_that_sleeps_is_not_said_to_be_live(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone", server_may_die=True)
    expect(page.locator("#camera")).to_contain_text("Live")
    with demo.asleep():
        expect(page.locator("#camera")).to_contain_text("No answer")
        expect(page.locator("#banner")).to_contain_text("does not answer")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#camera")).to_contain_text("Live")


def test_a_phone_without_a_network_says_so_at_once(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone", server_may_die=True)
    expect(page.locator("#camera")).to_contain_text("Live")
    page.context.set_offline(True)
    expect(page.locator("#camera")).to_contain_text("No answer", timeout=5_000)  # by itself it notices after 8 s
    page.context.set_offline(False)
    expect(page.locator("#banner")).to_be_hidden()


@pytest.mark.parametrize(
    ("purpose", "verb"),
    [
        ("1st Foot fires at La Reine", "hit"), ("La Reine tests received fire", "pass"),
        ("La Reine tests received fire, received casualty", "pass"), ("Leader of La Reine", "pass"),
        ("leader-2 fires at b", "hit"), ("b checks its morale", "pass"), ("a fights b", "count"),
    ],
)  # fmt: skip
def test_what_dice_do_when_they_succeed(demo: Demo, open_page: OpenPage, purpose: str, verb: str) -> None:
    page = open_page(demo.url, "desk")
    assert page.evaluate("said => part('words.js').then(words => words.verb(said))", purpose) == verb
