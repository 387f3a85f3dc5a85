"""The game as a whole, on the page: another course of it, one file out and in, and what the camera saw move."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
from .marks import Marks
from .players import select, show_log
from .test_touch import tell_turn

pytestmark = pytest.mark.browser


def test_the_game_goes_on_from_an_earlier_point_and_comes_back(demo: Demo, open_page: OpenPage) -> None:
    turn = demo.settled()["game"]["turn"]
    own = turn["active_side"]
    other = next(side["name"] for side in demo.state()["game"]["sides"] if side["name"] != own)
    page = open_page(demo.url, "phone")
    page.evaluate("([n, side]) => part('api.js').then(a => a.setTurn(n, side))", [turn["number"], other])
    expect(page.locator("#turn")).to_contain_text(other.title())
    show_log(page)
    tip = demo.state()["log"][-1]["number"]
    page.locator(f"[data-key='then-{tip - 1}']").click()
    page.locator("[data-key='past-branch']").click()
    expect(page.locator("#note")).to_contain_text("kept in the log")
    page.locator("[data-key='branch-go']").click()
    expect(page.locator("#turn")).to_contain_text(own.title())
    expect(page.locator(".courses")).to_contain_text("1 entry")
    expect(page.locator(".entry--aside summary")).to_have_text("Another course: 1 entry")
    page.locator(f"[data-key='course-{tip}']").click()
    page.locator("[data-key='branch-go']").click()
    expect(page.locator("#turn")).to_contain_text(other.title())


def test_the_log_is_looked_through_by_its_slider_and_played_to_its_end(demo: Demo, open_page: OpenPage) -> None:
    page = open_page(demo.url, "phone")
    expect(page.locator("#orders .todo")).to_have_text(re.compile(r"\d of \d units can still act\."))
    turn = demo.settled()["game"]["turn"]
    for _ in range(4):
        tell_turn(demo, turn["number"])
    last = demo.state()["log"][-1]["number"]
    show_log(page)
    page.locator("[data-key='then-1']").click()
    shown = page.locator("#orders")
    expect(shown).to_contain_text(f"Entry 1 of {last}.")
    slider = page.locator("[data-key='past-slider']")
    slider.fill(str(last - 2))
    expect(shown).to_contain_text(f"Entry {last - 2} of {last}.")
    page.locator("[data-key='past-earlier']").click()
    expect(shown).to_contain_text(f"Entry {last - 3} of {last}.")
    page.locator("[data-key='past-play']").click()
    expect(shown).to_contain_text(f"Entry {last} of {last}.")
    page.locator("[data-key='past-now']").click()
    expect(slider).to_have_count(0)


def test_a_game_is_exported_and_taken_in_again_and_a_bad_file_says_what_is_wrong(
    demo: Demo, open_page: OpenPage, tmp_path: Path
) -> None:
    before = demo.settled()
    page = open_page(demo.url, "desk", server_may_die=True)  # the browser reports the refusal on its console
    page.locator("[data-key='whole']").click()
    with page.expect_download() as started:
        page.locator("[data-key='file-/api/log/export']").click()
    file = tmp_path / "game.jsonl"
    started.value.save_as(file)
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(file.read_bytes()[:-40])
    page.locator("[data-key='import']").set_input_files(bad)
    expect(page.locator("#toast")).to_contain_text("not well-formed")
    page.locator("[data-key='import']").set_input_files(file)
    expect(page.locator("#toast")).to_contain_text(f"at entry {before['log'][-1]['number']}")
    after = demo.settled()
    assert after["game"]["units"] == before["game"]["units"]
    assert after["log"][0] == before["log"][0]


def test_the_1st_foot_that_is_moved_twice_is_drawn_with_both_steps_and_can_move_no_more(
    demo: Demo, open_page: OpenPage
) -> None:
    state = demo.settled()
    active = state["game"]["turn"]["active_side"]
    far = {one["unit"]: one["move"]["allowance_mm"] for one in state["answer"]["units"] if one["move"]}
    unit = next(
        one
        for one in state["game"]["units"]
        if one["side"] == active and one["figures"] and far.get(one["id"], 0.0) > 100.0
    )
    page = open_page(demo.url, "desk")
    can = "id => Promise.all([part('todo.js'), part('store.js')])"
    can += ".then(([todo, store]) => todo.possible(store.answerFor(id)))"
    assert "move" in page.evaluate(can, unit["id"])
    ahead = 1.0 if unit["figures"][0]["y_mm"] < state["table"]["depth_mm"] / 2.0 else -1.0
    for part, told in ((0.6, "that it may"), (1.2, "in 2 steps this turn, farther than the")):
        places = [
            {"id": one["id"], "x_mm": one["x_mm"], "y_mm": one["y_mm"] + ahead * part * far[unit["id"]]}
            for one in unit["figures"]
        ]
        page.evaluate("figures => part('api.js').then(api => api.demoMove(figures))", places)
        expect(page.locator("#orders .moved")).to_contain_text(told, timeout=60_000)
    assert page.locator(".drawing__moved .track--beyond").get_attribute("d").count("L") == 2
    assert "move" not in page.evaluate(can, unit["id"])
    select(page, unit["id"])
    expect(page.locator(".move__far")).to_have_text("It cannot move now.")
    expect(page.locator("section.move")).to_contain_text("in this turn of the")


def test_what_the_camera_saw_move_is_drawn_with_its_way_and_whether_it_was_allowed(
    demo: Demo, open_page: OpenPage
) -> None:
    state = demo.settled()
    active = state["game"]["turn"]["active_side"]
    moves = {one["unit"]: one["move"] for one in state["answer"]["units"] if one["move"]}
    unit = next(
        one
        for one in state["game"]["units"]
        if one["side"] == active and one["figures"] and moves.get(one["id"], {}).get("legal") is not False
    )
    allowance = moves[unit["id"]]["allowance_mm"]
    page = open_page(demo.url, "desk")
    step = 30.0 if unit["figures"][0]["y_mm"] < 600 else -30.0
    places = [{"id": one["id"], "x_mm": one["x_mm"], "y_mm": one["y_mm"] + step} for one in unit["figures"]]
    page.evaluate("figures => part('api.js').then(api => api.demoMove(figures))", places)
    expect(page.locator(".drawing__moved .base--was")).to_have_count(len(places), timeout=60_000)
    (move,) = demo.state()["moves"]
    assert move["verdict"] == ("within" if move["distance_mm"] < allowance else "beyond")
    line = page.locator("#orders .moved")
    expect(line).to_contain_text("that it may" if move["verdict"] == "within" else "farther than")

    phone = open_page(demo.url, "phone", viewport={"width": 360, "height": 640})
    short = phone.evaluate(
        """id => part('store.js').then(({state}) => part('shortnames.js')
            .then((s) => s.shortNames(state().game.units).get(id)))""",
        unit["id"],
    )
    expect(phone.locator(".pin--moved")).to_be_visible()
    (tag,) = Marks(phone).said("moved")
    assert tag.startswith(f"{short} "), "the mark of a move says whose it was"
    other = next(one["id"] for one in state["game"]["units"] if one["figures"] and one["id"] != unit["id"])
    for chosen in (None, unit["id"], other):
        if chosen:
            select(phone, chosen)
        marks = Marks(phone)
        assert marks.on("moved", "figure label range scale tools handle") == [], chosen
