"""Small games of Palouse on its squares and of Tyneside with its leaders, played on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .demo import Demo
from .players import choose, roll_all, select, show_log, touch_cell, touch_table, type_roll

pytestmark = pytest.mark.browser

DemoOf = Callable[[str], Demo]


def _enabled(page: Page) -> None:
    expect(page.locator("[data-key='order-go']")).to_be_enabled()


def _type(page: Page, score: int) -> None:
    page.locator(f"[data-key='key-{score}']").click()
    page.locator("[data-key='dice-ok']").click()


def _free_cell(demo: Demo, unit: str) -> tuple[int, int]:
    """A square that a unit may go to, the farthest from the near edge."""
    column, row = max(demo.answer(unit)["move"]["reach_squares"], key=lambda cell: cell[1])
    return column, row


def _may(demo: Demo, part: str) -> tuple[str, dict[str, Any]]:
    """A unit of the active side that may fire, with an option."""
    state = demo.state()
    active = state["game"]["turn"]["active_side"]
    own = {unit["id"] for unit in state["game"]["units"] if unit["side"] == active}
    return next(
        (answer["unit"], option)
        for answer in state["answer"]["units"]
        for option in answer[part]
        if option["legal"] and answer["unit"] in own
    )


def test_a_turn_of_palouse_on_the_page(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("palouse")
    state = demo.settled()
    turn = state["game"]["turn"]
    mover = next(
        answer["unit"]
        for answer in state["answer"]["units"]
        if answer["move"]["legal"] and not any(option["legal"] for option in answer["fire"])
    )
    page = open_page(demo.url, "desk")

    select(page, mover)
    choose(page, "move")
    goal = _free_cell(demo, mover)
    expect(page.locator("#hint")).to_contain_text("touch the square on the map")
    touch_cell(page, demo, goal)
    _enabled(page)
    expect(page.locator("[data-key^='pick-to']")).to_have_text(f"{goal[0]}, {goal[1]}")
    page.locator("[data-key='order-go']").click()
    _type(page, 6)
    expect(page.locator(".outcome")).to_contain_text(f"square {goal[0]}, {goal[1]}")
    page.locator("[data-key='dice-done']").click()
    assert demo.settled()["cells"][mover]["cells"] == [list(goal)]  # the camera has seen it go

    shooter, option = _may(demo, "fire")
    select(page, shooter)
    page.locator(f"[data-key='do-fire-{option['target']}-{option['mode']}']").click()
    _type(page, 3)
    page.locator("[data-key='dice-done']").click()
    hits = demo.unit(option["target"])["state"].get("hits", 0)
    assert hits > 0
    bears = demo.answer(option["target"])["resolve"]["value"]

    page.locator("[data-key='back']").click()
    expect(page.locator(f"[data-key='roster-{option['target']}']")).to_contain_text(f"{hits} of {bears} hits")
    expect(page.locator(".muster__army").first).to_contain_text("Army resolve 5 of 5")
    select(page, option["target"])
    expect(page.locator(".notes")).to_contain_text(
        f"Bears {bears} hits and has {hits}: {bears + 1 - hits} more break"
    )
    page.locator("[data-key='back']").click()
    choose(page, "elimination")
    roll_all(page)
    page.locator("#next-side").click()
    roll_all(page)
    assert demo.state()["game"]["turn"] != turn
    show_log(page)
    expect(page.locator("#log")).to_contain_text("hit")


def test_the_squares_are_drawn_and_each_bases_own_is_lit(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("palouse")
    page = open_page(demo.url, "desk")
    state = demo.settled()
    expect(page.locator(".cells .cell")).to_have_count(12 * 8)
    for unit, where in state["cells"].items():
        expect(page.locator(f"[data-cells-of='{unit}'] .cell--lit")).to_have_count(len(where["cells"]))
    unit = next(one for one in state["answer"]["units"] if one["move"]["reach_squares"])
    select(page, unit["unit"])
    expect(page.locator(".drawing__reach .reach")).to_have_count(len(unit["move"]["reach_squares"]))


def test_a_unit_without_figures_is_a_counter_in_its_square(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("palouse")
    state = demo.settled()
    unit = state["game"]["units"][0]
    at = unit["figures"][0]
    unit["figures"], unit["square"] = [], state["cells"][unit["id"]]["cells"][0]
    counter = {"x_mm": at["x_mm"], "y_mm": at["y_mm"], "bearing_deg": 90.0}
    state["cells"][unit["id"]] |= {"counter": counter, "doubts": []}
    page = open_page(demo.url, "desk")
    page.route("**/api/state*", lambda route: route.fulfill(json=state))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    drawn = page.locator(f"[data-unit='{unit['id']}'] [data-figure='{unit['id']}']")
    expect(drawn).to_have_attribute("transform", f"translate({at['x_mm']:g} {at['y_mm']:g}) rotate(-90)")
    select(page, unit["id"])
    expect(page.locator("#orders .badges")).not_to_contain_text("figure")
    expect(page.locator(".handle")).to_have_count(0)


def test_what_the_rules_forbid_is_said_on_the_form_and_may_be_overruled(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    demo = demo_of("palouse")
    state = demo.settled()
    unit = next(one for one in state["answer"]["units"] if one["move"]["legal"])["unit"]
    far = [11, 0] if state["cells"][unit]["cells"][0][0] < 6 else [0, 0]
    page = open_page(demo.url, "desk")
    select(page, unit)
    choose(page, "move")
    touch_cell(page, demo, (far[0], far[1]))
    expect(page.locator(".verdict")).to_contain_text("The rules say no")
    expect(page.locator(".verdict .chip__rule").first).to_have_text("PA-14")
    expect(page.locator("[data-key='order-go']")).to_be_disabled()
    page.locator("[data-key='order-overrule']").click()
    expect(page.locator("#note")).to_contain_text("The log says that it was overruled")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("[data-key='order-title']")).to_have_count(0)


def test_a_facing_is_turned_by_the_keys_and_drawn_on_the_map(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("palouse")
    unit = next(one for one in demo.settled()["answer"]["units"] if one["move"]["legal"])["unit"]
    page = open_page(demo.url, "desk")
    select(page, unit)
    choose(page, "turn")
    expect(page.locator(".verdict")).to_contain_text("New facing")
    page.locator("[data-key='dial-bearing_deg']").focus()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-key='dial-bearing_deg']")).to_have_attribute("aria-valuenow", "45")
    expect(page.locator(".drawing__picks path")).to_have_count(1)
    expect(page.locator(".verdict .odds")).to_contain_text("%")


def test_the_log_opens_the_table_as_it_was(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("palouse")
    now = demo.settled()
    page = open_page(demo.url, "desk")
    lit = "[data-cells-of='{}'] .cell--lit"
    page.locator("[data-key='then-1']").click()
    expect(page.locator("#orders .pane__title")).to_have_text("As it was")
    for unit in now["cells"]:
        expect(page.locator(lit.format(unit))).to_have_count(1)
    expect(page.locator("#next-side")).to_be_hidden()
    page.locator("[data-key='past-later']").click()
    expect(page.locator("#orders")).to_contain_text("Entry 2 of")
    page.keyboard.press("Escape")
    expect(page.locator("#next-side")).to_be_visible()


def test_a_turn_of_tyneside_on_the_page(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    state = demo.settled()
    turn = state["game"]["turn"]
    leader, group, enemy = ("captain", "regulars", "militia") if turn["active_side"] == "british" else (
        "la-corne", "militia", "regulars",
    )  # fmt: skip
    page = open_page(demo.url, "phone")

    select(page, leader)
    choose(page, "command")
    select_on_map(page, group)
    _enabled(page)
    page.locator("[data-key='order-go']").click()
    type_roll(page, 0)  # nothing but sixes: points enough for all
    page.locator("[data-key='dice-done']").click()
    assert demo.unit(group)["state"]["commanded"]

    select(page, group)
    choose(page, "move")
    figures = demo.unit(group)["figures"]
    ahead = 1 if turn["active_side"] == "british" else -1
    lead = figures[0]
    touch_table(page, lead["x_mm"], lead["y_mm"] + ahead * 60.0)
    _enabled(page)
    page.locator("[data-key='order-go']").click()
    page.locator("[data-key='dice-done']").click()
    after = next(unit for unit in demo.settled()["game"]["units"] if unit["id"] == group)["figures"]
    moved = [(b["y_mm"] - a["y_mm"]) * ahead for a, b in zip(figures, after, strict=True)]
    assert all(50.0 < far < 70.0 for far in moved), moved

    option = next(one for one in demo.answer(group)["fire"] if one["target"] == enemy)
    assert option["legal"], option["why_not"]
    page.locator(f"[data-key='do-fire-{enemy}-{option['mode']}']").click()
    roll_all(page)

    page.locator("#next-side").click()
    roll_all(page)
    assert demo.state()["game"]["turn"] != turn
    show_log(page)
    expect(page.locator("#log")).to_contain_text("command")


def test_what_a_group_would_do_by_itself_is_told_and_drawn(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    answers = demo.settled()["answer"]["units"]
    unit = next(
        one for one in answers if one.get("risk") and any(result.get("to_mm") for result in one["risk"]["results"])
    )
    goals = {tuple(round(part) for part in one["to_mm"]) for one in unit["risk"]["results"] if one.get("to_mm")}
    page = open_page(demo.url, "desk")
    select(page, unit["unit"])
    page.locator("[data-key='own-will'] > summary").click()
    expect(page.locator(".will")).to_contain_text(f"factor {unit['risk']['rf']}")
    expect(page.locator(".drawing__plans .plan")).to_have_count(len(goals))
    for factor in unit["risk"]["factors"]:
        expect(page.locator(".will .chips")).to_contain_text(factor["rule"])


def test_a_leaders_chain_of_command_is_told_and_opens_its_order(demo_of: DemoOf, open_page: OpenPage) -> None:
    demo = demo_of("tyneside")
    state = demo.settled()
    leader = "captain" if state["game"]["turn"]["active_side"] == "british" else "la-corne"
    chain = demo.answer(leader)["command"]
    page = open_page(demo.url, "phone")
    select(page, leader)
    told = page.locator("[data-key='chain']")
    expect(told).to_contain_text(f"{chain['dice']}{chain['die']}")
    for number, group in enumerate(chain["groups"]):
        line = told.locator("li").nth(number)
        if group["reached"]:
            expect(line).to_contain_text(f"{group['cost']} points, with {group['dice']}d6")
        else:
            expect(line).to_contain_text(group["rule"])
            expect(line.locator(".act")).to_have_count(0)
    reached = [group for group in chain["groups"] if group["reached"]][-1]
    page.locator(f"[data-key='chain-{reached['group']}']").click()
    expect(page.locator("[data-key^='pick-groups'][aria-pressed='true']")).to_have_count(1)
    expect(page.locator("[data-key^='pick-via'][aria-pressed='true']")).to_have_count(len(reached["via"]))
    page.locator("[data-key='order-go']").click()
    for rolled in range(1 + len(reached["via"])):  # he throws, and so does everyone that passes it on
        if rolled:
            expect(page.locator(f".sofar li:nth-child({rolled})")).to_be_visible()
        type_roll(page, 0)
    page.locator("[data-key='dice-done']").click()
    assert demo.unit(reached["group"])["state"]["commanded"]


def test_a_side_that_the_rules_run_hides_and_its_marker_is_turned_over(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    demo = demo_of("tyneside")
    demo.settled()
    page = open_page(demo.url, "desk")
    page.locator("[data-key='section-setup'] > summary").click()
    choose(page, "players")
    page.locator("[data-key='pick-sides-french-false']").click()
    page.locator("[data-key='order-go']").click()
    page.locator("[data-key='dice-done']").click()

    page.locator("[data-key='section-setup'] > summary").click()
    choose(page, "hide")
    select_on_map(page, "militia")
    page.locator("[data-key='pick-side-french']").click()
    page.locator("[data-key='map-edges']").click()
    touch_table(page, 900, 600)
    done_touching(page, "edges")
    page.locator("[data-key='order-go']").click()
    page.locator("[data-key='dice-done']").click()
    assert demo.unit("militia")["state"]["hidden"]

    select(page, "militia")
    choose(page, "reveal")
    places = []
    for number in range(1, len(demo.unit("militia")["figures"]) + 1):  # man after man, without a button between
        expect(page.locator("#hint")).to_contain_text(f"Militia {number}: touch the place")
        places.append(touch_table(page, 800 + 40 * number, 640))
    page.locator("[data-key='order-go']").click()
    page.locator("[data-key='dice-done']").click()
    shown = demo.unit("militia")
    assert not shown["state"]["hidden"]
    assert [(figure["x_mm"], figure["y_mm"]) for figure in shown["figures"]] == [
        (pytest.approx(x, abs=1.5), pytest.approx(y, abs=1.5)) for x, y in places
    ]


def select_on_map(page: Page, unit: str) -> None:
    """Touches a unit's label for the order in hand."""
    page.locator(f"button.label[data-unit='{unit}']").click()
    expect(page.locator("[data-key^='pick-groups'][aria-pressed='true']")).to_have_count(1)
    done_touching(page, "groups")


def done_touching(page: Page, key: str) -> None:
    """Ends the touching of a list on the map."""
    done = page.locator("[data-key='order-touched']")  # a phone's sheet is down while the map is touched
    (done if done.is_visible() else page.locator(f"[data-key='map-{key}']")).click()
