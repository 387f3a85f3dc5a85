"""A player about to roll is told at once when the table no longer lets him, and when it does again."""

from __future__ import annotations

import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from .conftest import OpenPage
from .demo import ANSWER_S, Demo
from .players import begin_fire, select, type_roll, type_to_the_end, volley, where
from .test_live import CAMERA_S
from .test_touch import tell_turn

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
BEHIND_MM = 650.0  # past the enemy's line, its back to it
TYPED = ".tray .die:not(.die--gap)"


def prepare(page: Page, unit: str, option: dict[str, Any], *faces: int) -> None:
    """Takes the unit in hand, begins to fire and types the first dice."""
    select(page, unit)
    begin_fire(page, option)
    for face in faces:
        page.locator(f"[data-key='key-{face}']").click()
    expect(page.locator(TYPED)).to_have_count(len(faces))


def carry(demo: Demo, unit: str, dy_mm: float) -> None:
    """A hand carries a unit over the virtual table, every man facing as before."""
    demo.move({one["id"]: (one["x_mm"], one["y_mm"] + dy_mm) for one in demo.unit(unit)["figures"]})


def test_the_slower_of_two_who_fire_one_unit_is_told_at_once_and_may_go_on_when_it_is_undone(
    demo: Demo, open_page: OpenPage
) -> None:
    answer, option = volley(demo)
    slow, quick = open_page(demo.url, "phone", viewport=SMALL), open_page(demo.url, "desk")
    prepare(slow, answer["unit"], option, 4, 6)
    prepare(quick, answer["unit"], option)
    type_to_the_end(quick, hits=2)
    trouble = slow.locator(".trouble")
    expect(trouble).to_contain_text("The table has changed since you began.")
    expect(trouble).to_contain_text("The rules do not allow this.")
    expect(trouble.locator(".reasons li").first).to_be_visible()
    expect(slow.locator("[data-key='dice-ok']")).to_have_count(0)

    quick.locator("[data-key='dice-done']").click()
    quick.locator("[data-key='undo']").click()
    expect(trouble).to_have_count(0)
    expect(slow.locator(TYPED)).to_have_count(2)  # the roll is the same: what was typed stands
    expect(slow.locator(".ask__changed")).to_be_visible()
    face, foot = where(slow.locator("[data-key='key-6']")), where(slow.locator(".dice-foot"))
    assert face["y"] + face["height"] <= foot["y"]  # none of them lies under the foot
    for die in range(option["roll"]["count"] - 2):
        slow.locator(f"[data-key='key-{1 if die < 2 else 6}']").click()
    slow.locator("[data-key='dice-ok']").click()
    expect(slow.locator(".sofar li").first).to_be_visible()  # taken: nobody has to look again
    slow.locator("[data-key='dice-leave']").click()


def test_whoever_was_slower_does_not_fire_the_unit_again_by_a_habitual_tap(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    slow, quick = open_page(demo.url, "phone", viewport=SMALL), open_page(demo.url, "desk")
    prepare(slow, answer["unit"], option, 4, 6)
    prepare(quick, answer["unit"], option)
    type_to_the_end(quick, hits=2)
    over, leave = slow.locator("[data-key='trouble-overrule']"), slow.locator("[data-key='trouble-leave']")
    expect(over).to_have_class("button button--quiet")
    expect(leave).to_have_class("button")  # what is meant most of the time is the strong one
    over.click()
    question = slow.locator("dialog[open]")
    expect(question.locator(".reasons li").first).to_be_visible()
    slow.keyboard.press("Escape")
    expect(question).to_have_count(0)
    fired = [entry for entry in demo.state()["log"] if entry["kind"] == "action" and not entry["undone"]]
    assert len(fired) == 1
    over.click()
    question.get_by_role("button", name="Do it all the same").click()
    expect(slow.locator(".trouble")).to_have_count(0)  # he may go on with his dice, against the rules
    slow.locator("[data-key='dice-leave']").click()


def test_a_unit_that_is_carried_off_while_its_player_takes_his_dice_up_may_not_fire(
    demo: Demo, open_page: OpenPage
) -> None:
    demo.settled()
    answer, option = volley(demo)
    page = open_page(demo.url, "desk")
    prepare(page, answer["unit"], option, 5)
    carry(demo, answer["unit"], BEHIND_MM)
    expect(page.locator(".trouble .reasons li").first).to_be_visible(timeout=CAMERA_S * 1000)
    carry(demo, answer["unit"], -BEHIND_MM)
    expect(page.locator(".ask__roll")).to_be_visible(timeout=CAMERA_S * 1000)
    expect(page.locator(".trouble")).to_have_count(0)
    page.locator("[data-key='dice-leave']").click()
    demo.settled()


def test_dice_that_were_sent_are_never_taken_for_another_table_without_a_look(
    demo: Demo, open_page: OpenPage
) -> None:
    answer, option = volley(demo)
    page = open_page(demo.url, "desk")
    number = demo.state()["game"]["turn"]["number"]
    prepare(page, answer["unit"], option)
    type_roll(page, ones=2)
    expect(page.locator(".sofar li").first).to_be_visible()
    tell_turn(demo, 61)
    expect(page.locator("#turn")).to_contain_text("Turn 61")
    expect(page.locator(".trouble")).to_contain_text("The game has changed meanwhile: look again before you act.")
    page.locator("[data-key='trouble-leave']").click()
    tell_turn(demo, number)


def test_whoever_has_sent_dice_is_told_at_once_that_they_no_longer_hold(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    slow = open_page(
        demo.url, "phone", viewport=SMALL, server_may_die=True
    )  # refusals stand on Chromium's console, too
    quick = open_page(demo.url, "desk")
    prepare(slow, answer["unit"], option)
    type_roll(slow, ones=2)
    expect(slow.locator(".sofar li").first).to_be_visible()
    prepare(quick, answer["unit"], option)
    type_to_the_end(quick, hits=2)
    trouble = slow.locator(".trouble")
    expect(trouble).to_contain_text("The game has changed meanwhile: look again before you act.")
    slow.locator("[data-key='trouble-again']").click()
    expect(trouble.locator(".reasons li").first).to_be_visible()

    quick.locator("[data-key='dice-done']").click()
    quick.locator("[data-key='undo']").click()
    expect(trouble).to_contain_text("The game has changed meanwhile: look again before you act.")
    slow.locator("[data-key='trouble-again']").click()
    expect(trouble).to_have_count(0)
    expect(slow.locator(".sofar li").first).to_be_visible()  # his dice hold again
    slow.locator("[data-key='dice-leave']").click()


def test_the_camera_s_and_the_players_words_alone_ask_nothing(demo: Demo, open_page: OpenPage) -> None:
    answer, option = volley(demo)
    page, asked = open_page(demo.url, "phone"), list[str]()

    def listen(request: Request) -> None:
        if request.url.endswith("/api/resolve"):
            asked.append(request.post_data or "")

    demo.settled()
    prepare(page, answer["unit"], option)
    rested = 0
    while rested != (rested := demo.state()["revision"]):
        page.wait_for_timeout(1500)  # no look of the camera's is to come
    page.on("request", listen)
    body, headers = b'{"text": "Your go!"}', {"Content-Type": "application/json"}
    urllib.request.urlopen(
        urllib.request.Request(f"{demo.url}api/messages", body, headers), timeout=ANSWER_S
    ).close()
    heard = "async (revision) => (await part('store.js')).state().revision >= revision"
    while not page.evaluate(heard, demo.state()["revision"]):
        page.wait_for_timeout(100)
    page.wait_for_timeout(300)  # drawn, and what a drawing might ask has been asked
    assert asked == []
    page.locator("[data-key='dice-leave']").click()
