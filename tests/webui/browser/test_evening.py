"""A whole small game of each ruleset, played on the page by three at once: two sides and somebody who watches.

Each side acts in its turn on its own page; what is drawn is held against what the engine answers; in the middle of
it one page loses the network. It ends as its rules say, and every page says who has won. Whoever only watches never
gets a word of the troops that are hidden. Three rulesets are played with the other tests: bases that stand freely
and hexes, a marker for what is hidden, a side's secrets, dice typed; ``VEDETTE_GAMES=5`` plays all.
``VEDETTE_TURNS=8`` plays all with all the demo's forces, so many rounds at the most.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from engine.cli import ask
from engine.records.answer import answer_builtins
from engine.records.game import game_from
from engine.rulesets import find_ruleset
from tests.long_runs import games

from .conftest import OpenPage
from .demo import Demo, laid_out
from .players import roll_all, select
from .seating import sit_down
from .small_games import SMALL_GAMES, SmallGame

pytestmark = pytest.mark.browser

#: How many rounds the demo's whole forces play, where somebody asked for that.
TURNS = int(os.environ.get("VEDETTE_TURNS", "0"))
#: No small game takes so many rounds.
MOST = 6
#: How far a side moves its largest unit in the first round: not out of its cell, where there are any.
FORWARD_MM = 12.0
#: How often a side fires in its turn.
SHOTS = 2
#: The rulesets that are played.
PLAYED = SMALL_GAMES if TURNS else SMALL_GAMES[: games(3)]


@pytest.mark.parametrize("small", PLAYED, ids=[one.ruleset for one in PLAYED])
def test_two_sides_play_a_small_game_to_its_end_and_a_third_watches(
    tmp_path: Path, open_page: OpenPage, small: SmallGame
) -> None:
    folder = laid_out(tmp_path / "game", small.game(whole=TURNS > 0))
    with Demo(folder, small.ruleset) as demo:
        demo.settled()
        hide(demo, small)
        sides = [one["name"] for one in demo.state()["game"]["sides"]]
        pages = {
            side: sit_down(open_page, demo, f"side:{side}", size, server_may_die=True)[0]
            for side, size in zip(sides, ("phone", "desk"), strict=True)
        }
        watching, to_watching = sit_down(open_page, demo, "spectator", "desk", server_may_die=True)
        secrets = hidden_from(watching, demo)
        assert bool(secrets) == bool(small.hides or small.conditions.get("fog_of_war"))

        told = played(demo, small, pages)
        assert told, "nobody could fire in the whole game"
        for title in told:
            expect(watching.locator("#log")).to_contain_text(title)
        if not TURNS:
            over(demo, small, {**pages, "": watching}, open_page, tmp_path)
        for word in secrets - named_openly(demo, watching):
            named = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
            assert not [text[:80] for text in to_watching if named.search(text)], word


def played(demo: Demo, small: SmallGame, pages: dict[str, Page]) -> list[str]:
    """Plays until the rules say that it is over; the titles of the shots in the log."""
    told: list[str] = []
    for turn in range(len(pages) * (TURNS or MOST)):
        side = demo.state()["game"]["turn"]["active_side"]
        page, round_ = pages[side], turn // len(pages) + 1
        if round_ == 1:
            advance(demo, page, side)
        for _ in range(SHOTS):
            if found := shot(page, side):
                select(page, found[0])
                drawn_as_answered(page, found[0])
                told.append(fire(page, found[1], drop=not told, typed=small.types.get(side)))
        for action in small.then:
            for unit in able(page, side, action):
                do(page, action, unit)
        if not TURNS:
            last_steps(page, side, small, round_)
        if demo.state()["verdict"]:
            return told
        end_turn(page, demo)
        if demo.state()["verdict"]:
            return told
        if small.begins and turn % len(pages):
            begin_round(pages[demo.state()["game"]["turn"]["active_side"]], small.begins)
    assert TURNS, "the game did not come to its end"
    return told


def advance(demo: Demo, page: Page, side: str) -> None:
    """A hand moves a side's largest unit a little to its front; its page shows from where, and how far."""
    state = known(page)
    shown = {unit for unit, one in state["presence"].items() if one["of"] and one["seen"] == one["of"]}
    own = [one for one in state["game"]["units"] if one["side"] == side and one["id"] in shown]
    unit = max(own, key=lambda one: len(one["figures"]))
    turns = [math.radians(one["bearing_deg"]) for one in unit["figures"]]
    demo.move({
        one["id"]: (one["x_mm"] + FORWARD_MM * math.sin(turn), one["y_mm"] + FORWARD_MM * math.cos(turn))
        for one, turn in zip(unit["figures"], turns, strict=True)
    })  # fmt: skip
    expect(page.locator(".drawing__moved .base--was")).to_have_count(len(unit["figures"]))
    (move,) = [one for one in demo.state()["moves"] if one["unit"] == unit["id"]]
    assert abs(move["distance_mm"] - FORWARD_MM) < 2.0


def begin_round(page: Page, action: str) -> None:
    """Rolls for who acts first in the next round: the first side's die is the worst, the other's the best."""
    back_to_units(page)
    page.locator(f"[data-key='turn-{action}']").click()
    type_dice(page, "low", "high")
    page.locator("[data-key='dice-done']").click()


def last_steps(page: Page, side: str, small: SmallGame, round_: int) -> None:
    """What the rules want done at the end of a side's turn, and what ends the game."""
    if small.counts and round_ >= small.counted_in:
        count_points(page, side, small.counts[side])
    for action in small.after:
        if known(page)["verdict"]:
            return
        unwilling = action == "end-battle" and small.unwilling_in and round_ >= small.unwilling_in
        of_turn(page, action, side, unwilling=bool(unwilling))


def over(demo: Demo, small: SmallGame, pages: dict[str, Page], open_page: OpenPage, folder: Path) -> None:
    """All pages, the report and the command line say the same of who has won, and why."""
    state = demo.state()
    verdict = state["verdict"]
    assert small.end in [event["event"] for entry in state["log"] for event in entry["events"]]
    won = [name.title() for name in verdict["won"]]
    said = " and ".join(won) if won else "A draw"
    for page in pages.values():
        back_to_units(page)
        done = page.locator("[data-key='dice-done']")  # what the last action did stands on its own page
        expect(page.locator(".ended__won").or_(done).first).to_be_visible()
        if done.count():
            done.click()
            back_to_units(page)
        expect(page.locator(".ended__won")).to_contain_text(said)
        expect(page.locator("#turn")).to_contain_text(f"{said} won" if won else said)
        expect(page.locator("[data-key='verdict-report']")).to_have_count(0)
    laptop = open_page(demo.url, "desk")
    laptop.goto(demo.url + laptop.locator("[data-key='verdict-report']").get_attribute("href")[1:])
    expect(laptop.locator("header strong")).to_contain_text("The game is over: " + (said if won else "a draw"))
    file = folder / "over.json"
    file.write_text(json.dumps(state["game"]))
    printed = CliRunner().invoke(ask, [str(file)]).output
    assert printed.startswith("The game is over: ")
    assert json.loads(CliRunner().invoke(ask, [str(file), "--json"]).output)["verdict"] == verdict


def hide(demo: Demo, small: SmallGame) -> None:
    """Hides the unit that lies hidden in the game, if one does."""
    if small.hides is None:
        return
    if small.ruleset == "tyneside":  # a marker for the group
        spots = [[300.0, 840.0], [620.0, 850.0]]
        demo.resolve(action="hide", side="french", groups=[small.hides], edges=spots, override=True)
    else:
        demo.resolve(action="hide", unit=small.hides, override=True)


def back_to_units(page: Page) -> None:
    """Brings the list of the units up."""
    pane = page.locator("[data-key='pane-orders']")
    if pane.is_visible():
        pane.click()
    if page.locator("[data-key='back']").count():
        page.locator("[data-key='back']").click()


def able(page: Page, side: str, action: str) -> list[str]:
    """The units of a side which may do an action just now, without further keys."""
    state = known(page)
    if not any(unit["side"] == side and unit["figures"] for unit in state["game"]["units"]):
        return []
    names = [one["id"] for one in state["game"]["units"] if one["side"] == side and one["figures"]]
    ask_for = "names => Promise.all(names.map(n => fetch(`/api/actions?unit=${n}`).then(a => a.json())))"
    told = page.evaluate(ask_for, names)
    return [
        name
        for name, one in zip(names, told, strict=True)
        if any(open_["action"] == action and open_["state"] == "allowed" for open_ in one["open"])
    ]


def do(page: Page, action: str, unit: str) -> None:
    """Has an action of a unit done that asks for nothing more."""
    select(page, unit)
    page.locator(f"[data-key='act-{action}']").click()
    if page.locator("[data-key='order-go']").count():
        page.locator("[data-key='order-go']").click()
    roll_all(page)


def of_turn(page: Page, action: str, side: str, *, unwilling: bool = False) -> None:
    """Has an action of the turn done, where it is open; ``unwilling``: nobody wants to go on."""
    state = page.evaluate("fetch('/api/actions').then(answer => answer.json())")
    found = next(one for one in state["open"] if one["action"] == action)
    if found["state"] == "refused" and not unwilling:
        return
    back_to_units(page)
    if found["state"] == "refused":
        page.locator("#orders [data-key='not-turn'] summary").click()
        page.locator(f"[data-key='look-{action}']").click()
        page.locator("[data-key='pick-unwilling-true']").click()
    else:
        page.locator(f"[data-key='turn-{action}']").click()
    expect(page.locator("[data-key='order-go'], [data-key='dice-title']").first).to_be_visible()
    chip = page.locator(f"[data-key='pick-side-{side}']")
    if chip.count() and chip.get_attribute("aria-pressed") != "true":
        chip.click()
    if page.locator("[data-key='order-go']").count():
        page.locator("[data-key='order-go']").click()
    roll_all(page)


def count_points(page: Page, side: str, taken: Mapping[str, int]) -> None:
    """Counts what a side has taken, item by item."""
    back_to_units(page)
    page.locator("#orders [data-key='section-campaign'] summary").click()
    page.locator("[data-key='act-victory']").click()
    chip = page.locator(f"[data-key='pick-side-{side}']")
    if chip.get_attribute("aria-pressed") != "true":
        chip.click()
    for item, number in taken.items():
        page.locator(f"[data-key='number-taken-{item}']").fill(str(number))
        page.locator(f"[data-key='number-taken-{item}']").blur()
    page.locator("[data-key='order-go']").click()
    roll_all(page)


def known(page: Page) -> dict[str, Any]:
    """The state as the server gives it to that page's seat."""
    state: dict[str, Any] = page.evaluate("fetch('/api/state').then(answer => answer.json())")
    return state


def hidden_from(page: Page, demo: Demo) -> set[str]:
    """The ids and names of units that the umpire sees and that page's seat does not."""
    seen = {unit["id"] for unit in known(page)["game"]["units"]}
    unseen = [unit for unit in demo.state()["game"]["units"] if unit["id"] not in seen]
    return {word for unit in unseen for word in (unit["id"], unit.get("name")) if word}


def named_openly(demo: Demo, page: Page) -> set[str]:
    """The words that name units which came to be seen in the course of the game."""
    seen = {unit["id"] for unit in known(page)["game"]["units"]}
    open_units = [unit for unit in demo.state()["game"]["units"] if unit["id"] in seen]
    return {word for unit in open_units for word in (unit["id"], unit.get("name")) if word}


def shot(page: Page, side: str) -> tuple[str, dict[str, Any]] | None:
    """A unit of a side that may fire, and at whom, as its own page knows it."""
    state = known(page)
    own = {unit["id"] for unit in state["game"]["units"] if unit["side"] == side}
    legal = (
        (answer["unit"], option)
        for answer in state["answer"]["units"]
        for option in answer["fire"]
        if option["legal"] and answer["unit"] in own
    )
    return max(legal, key=lambda found: found[1]["roll"]["count"], default=None)


def drawn_as_answered(page: Page, unit: str) -> None:
    """Holds what is drawn for the unit in hand against the engine's answer for the game as the seat knows it."""
    state = known(page)
    game = game_from(state["game"], "the page")
    answers = answer_builtins(find_ruleset(game.ruleset).ask(game, (unit,)))["units"]
    (answer,) = json.loads(msgspec.json.encode(answers))
    weapon = game.unit(unit).weapon
    legal = {
        f"card-fire-{one['target']}-{one['mode']}"
        + (f"-{one['weapon']}" if one.get("weapon") not in (None, weapon) else "")
        for one in answer["fire"]
        if one["legal"]
    } | {f"card-charge-{one['target']}" for one in answer["charge"] if one["legal"]}
    expect(page.locator("#orders .card")).to_have_count(len(legal))
    named = "cards => cards.map(one => one.getAttribute('aria-labelledby'))"
    drawn = page.locator("#orders .card").evaluate_all(named)
    assert set(drawn) == legal
    refused = page.locator("#orders [data-key='not-possible'] .not__title").count()
    assert len(drawn) + refused == len(answer["fire"]) + len(answer["charge"])
    dice = {
        f"card-fire-{one['target']}-{one['mode']}": f"{one['roll']['count']}{one['roll']['die']}"
        for one in answer["fire"]
        if one["legal"] and one["roll"] and "loss_high" not in one["roll"]
    }
    for card, pool in dice.items():
        shown = page.locator(f"#orders .card[aria-labelledby^='{card}'] .card__dice strong")
        assert pool in shown.all_inner_texts(), card
    charges = [one for one in answer["charge"] if one["legal"] and game.unit(one["target"]).figures]
    expect(page.locator(".drawing__lines .aim--head")).to_have_count(len(charges))
    reach = page.locator(".drawing__reach .reach")
    cells = (answer["move"] or {}).get("reach_squares") or (answer["move"] or {}).get("reach_hexes")
    if cells is not None:
        expect(reach).to_have_count(len(cells))
    doubted = [one for one in (*answer["fire"], *answer["charge"]) if one["borderline"] and one["legal"]]
    expect(page.locator("#orders .card :is(.doubt, .doubt-too)")).to_have_count(len(doubted))
    aimed = {one["target"] for one in answer["fire"] if one["legal"] and game.unit(one["target"]).figures}
    expect(page.locator(".drawing__lines .aim--legal")).to_have_count(len(aimed))


def fire(page: Page, option: dict[str, Any], *, drop: bool, typed: str | None) -> str:
    """Presses the button of an option and rolls; ``drop`` loses the network for a moment first. The log's title."""
    page.locator(f"[data-key^='do-fire-{option['target']}-{option['mode']}']").first.click()
    expect(page.locator("[data-key='dice-roll'], [data-key='dice-done']").first).to_be_visible()
    if drop:
        page.context.set_offline(True)
        page.locator("[data-key='dice-roll']").click()
        expect(page.locator("#orders")).to_contain_text("it is not done twice")
        page.context.set_offline(False)
        page.locator("[data-key='trouble-again']").click()
        expect(page.locator("[data-key='dice-roll']")).to_be_enabled()
    if typed:
        type_dice(page, typed)
    roll_all(page)
    entries = [entry for entry in known(page)["log"] if entry["kind"] == "action"]
    return str(entries[-1]["title"])


def type_dice(page: Page, typed: str, then: str | None = None) -> None:
    """Types the lowest faces, or the highest, for whatever is asked, to the end; ``then``: after the first roll."""
    for rolls in range(1, 40):
        expect(page.locator("[data-key='dice-ok'], [data-key='dice-done']").first).to_be_visible()
        if page.locator("[data-key='dice-done']").count():
            return
        count, faces = page.locator(".ask__roll strong").inner_text().split("d")
        for _ in range(int(count)):
            page.locator(f"[data-key='key-{1 if typed == 'low' else faces}']").click()
        typed = then or typed
        page.locator("[data-key='dice-ok']").click()
        expect(page.locator(f".sofar li:nth-child({rolls}), [data-key='dice-done']").first).to_be_visible()


#: Whether dice are asked for, or the line at the top tells of another turn, or that the game is over.
_TURN_PASSES = """told => document.querySelector("[data-key='dice-title']")
    || document.getElementById("turn").textContent !== told"""


def end_turn(page: Page, demo: Demo) -> None:
    """Ends the turn of the page's side, with whatever dice that takes."""
    before, told = demo.state()["game"]["turn"], page.locator("#turn").text_content() or ""
    page.locator("#next-side").click()
    dice = page.locator("[data-key='dice-title']")
    page.wait_for_function(_TURN_PASSES, arg=told)
    if dice.count():
        roll_all(page)
    after = demo.state()
    assert after["game"]["turn"] != before or after["verdict"]
