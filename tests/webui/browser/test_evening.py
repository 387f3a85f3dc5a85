"""A small game of each ruleset, played on the page by three at once: two sides and somebody who watches.

Each side acts in its turn on its own page; what is drawn is held against what the engine answers; in the middle of
it one page loses the network. Whoever only watches never gets a word of the troops that are hidden.
``VEDETTE_TURNS=8`` plays longer games.
"""

from __future__ import annotations

import json
import os
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from engine.events import begin
from engine.exchange import log_text
from engine.journal import Entry
from engine.records.answer import answer_builtins
from engine.records.game import game_from
from engine.rulesets import find_ruleset
from vision.simulated import load_demo
from webui.demo import demo_game

from .conftest import OpenPage
from .demo import Demo
from .players import roll_all, select
from .seating import sit_down

pytestmark = pytest.mark.browser

TURNS = int(os.environ.get("VEDETTE_TURNS", "1"))


def nobody(demo: Demo) -> None:
    """Hides nobody: these rules know no hidden troops."""


def in_tyneside(demo: Demo) -> None:
    """The Hurons lie hidden: their side has put a marker down for them."""
    spots = [[300.0, 840.0], [620.0, 850.0]]
    demo.resolve(action="hide", side="french", groups=["hurons"], edges=spots, override=True)


def in_presidio(demo: Demo) -> None:
    """The warriors lie hidden."""
    demo.resolve(action="hide", unit="warriors", override=True)


def in_fog(demo: Demo) -> None:
    """The demo's game once more, in the fog of war on a hazy day, taken in from a file."""
    game = demo_game(load_demo("musket-pike"))
    foggy = replace(game, conditions={**game.conditions, "fog_of_war": True, "visibility": 7})
    text = log_text([Entry(number=1, at="2026-11-21T19:00:00Z", kind="begin", events=(begin(foggy),))])
    body, headers = json.dumps({"file": text.decode()}).encode(), {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{demo.url}api/log/import", body, headers), timeout=30):
        pass


EVENINGS: list[tuple[str, Callable[[Demo], None]]] = [
    ("muskets-mohawks", nobody),
    ("presidio", in_presidio),
    ("tyneside", in_tyneside),
    ("palouse", nobody),
    ("musket-pike", in_fog),
]


@pytest.mark.parametrize(("ruleset", "hide"), EVENINGS, ids=[one[0] for one in EVENINGS])
def test_two_sides_play_a_small_game_and_a_third_watches(
    tmp_path: Path, open_page: OpenPage, ruleset: str, hide: Callable[[Demo], None]
) -> None:
    with Demo(tmp_path / "game", ruleset) as demo:
        demo.settled()
        hide(demo)
        sides = [one["name"] for one in demo.state()["game"]["sides"]]
        pages = {
            side: sit_down(open_page, demo, f"side:{side}", size, server_may_die=True)
            for side, size in zip(sides, ("phone", "desk"), strict=True)
        }
        watching, to_watching = sit_down(open_page, demo, "spectator", "desk", server_may_die=True)
        secrets = hidden_from(watching, demo)
        assert bool(secrets) == (hide is not nobody)

        dropped = False
        for _ in range(TURNS * len(sides)):
            side = demo.state()["game"]["turn"]["active_side"]
            page, _ = pages[side]
            found = shot(page, side)
            if found is not None:
                unit, option = found
                select(page, unit)
                drawn_as_answered(page, unit)
                title = fire(page, option, drop=not dropped)
                dropped = True
                expect(watching.locator("#log")).to_contain_text(title)
            end_turn(page, demo)
        assert dropped, "nobody could fire in the whole game"

        log = demo.state()["log"]
        assert any(entry["kind"] == "action" for entry in log)
        for word in secrets - named_openly(demo, watching):
            told = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
            assert not [text[:80] for text in to_watching if told.search(text)], word


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
    return next(legal, None)


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
    named = "cards => cards.map(one => one.getAttribute('aria-labelledby'))"
    drawn = page.locator("#orders .card").evaluate_all(named)
    assert set(drawn) == legal
    refused = page.locator("#orders [data-key='not-possible'] .not__title").count()
    assert len(drawn) + refused == len(answer["fire"]) + len(answer["charge"])
    aimed = {one["target"] for one in answer["fire"] if one["legal"] and game.unit(one["target"]).figures}
    expect(page.locator(".drawing__lines .aim--legal")).to_have_count(len(aimed))


def fire(page: Page, option: dict[str, Any], *, drop: bool) -> str:
    """Presses the button of an option and rolls; ``drop`` loses the network for a moment first. The log's title."""
    page.locator(f"[data-key^='do-fire-{option['target']}-{option['mode']}']").first.click()
    expect(page.locator("[data-key='dice-roll'], [data-key='dice-done']").first).to_be_visible()
    if drop:
        page.context.set_offline(True)
        page.locator("[data-key='dice-roll']").click()
        expect(page.locator("#orders")).to_contain_text("Nothing was changed")
        page.context.set_offline(False)
        page.locator("[data-key='trouble-again']").click()
        expect(page.locator("[data-key='dice-roll']")).to_be_enabled()
    roll_all(page)
    entries = [entry for entry in known(page)["log"] if entry["kind"] == "action"]
    return str(entries[-1]["title"])


def end_turn(page: Page, demo: Demo) -> None:
    """Ends the turn of the page's side, with whatever dice that takes."""
    before = demo.state()["game"]["turn"]
    button = page.locator("#next-side")
    expect(button).to_be_visible()
    button.click()
    rolls = page.locator("[data-key='dice-roll'], [data-key='dice-done']")
    for _ in range(200):
        if demo.state()["game"]["turn"] != before or rolls.count():
            break
        page.wait_for_timeout(50)
    if rolls.count():
        roll_all(page)
    assert demo.state()["game"]["turn"] != before
