"""A battle of thirty units on hexes, played by two phones of one side each, every step by the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from engine.records.game import Game, Turn, game_json
from vision.simulated import load_demo
from webui.commands.demo import demo_game

from .conftest import OpenPage
from .demo import Demo, laid_out
from .players import choose, open_by, roll_all, touch_table

pytestmark = pytest.mark.browser

Cell = tuple[int, int]
SMALL = {"width": 360, "height": 640}


@pytest.fixture(scope="module")
def battles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Game], Demo]]:
    """A demo for each battle that the tests lay out, started when it is first asked for."""
    with ExitStack() as running:
        started: dict[str, Demo] = {}

        def laid(game: Game) -> Demo:
            text = game_json(game)
            if text not in started:
                folder = laid_out(tmp_path_factory.mktemp("battle") / "game", game)
                started[text] = running.enter_context(Demo(folder, game.ruleset))
            return started[text]

        yield laid


@pytest.fixture
def battle(battles: Callable[[Game], Demo]) -> Iterator[Callable[..., Demo]]:
    """Lays the demo table out with a battle under some conditions, as it begins; it sleeps after the pages."""
    with ExitStack() as awake:

        def begun(**conditions: Any) -> Demo:
            demo = battles(
                replace(demo_game(load_demo("musket-pike")), turn=Turn(active_side="allies"), conditions=conditions)
            )
            awake.callback(demo.sleep)
            demo.begin_again()
            return demo

        yield begun


def sit_down(open_page: OpenPage, demo: Demo, side: str) -> Page:
    """A small phone that plays a side."""
    page = open_page(f"{demo.url}#join={demo.code(f'side:{side}')}", "phone", viewport=SMALL)
    expect(page.locator("#seat")).to_have_attribute("aria-label", f"You are: {side.title()}. Who plays?")
    return page


def take(page: Page, unit: str) -> None:
    """Takes a unit in hand by its name in the list."""
    back = page.locator("[data-key='back']")
    if back.count():
        back.click()
    page.locator("[data-key='pane-orders']").click()
    page.locator(f"[data-key='roster-{unit}']").click()
    expect(page.locator("#orders .who__name")).to_be_visible()


def march(page: Page, unit: str, way: Sequence[Cell]) -> None:
    """Has a unit go from hex to hex, each of them touched on the map."""
    take(page, unit)
    choose(page, "move")
    middle = "async (cell) => (await part('grid.js')).cellOf(cell).centre"
    for number, cell in enumerate(way):
        expect(page.locator("#hint")).to_contain_text("touch the hexes, one after the other")
        page.wait_for_timeout(500)  # the map has come to rest, as before a finger goes down
        touch_table(page, *page.evaluate(middle, list(cell)))
        expect(page.locator(f"[data-key='pick-path-{number}']")).to_have_count(1)
    page.locator("[data-key='order-touched']").click()
    page.locator("[data-key='order-go']").click()
    roll_all(page)


def shoot(page: Page, unit: str, target: str) -> None:
    """Fires by the card of the target."""
    take(page, unit)
    page.locator(f"[data-key='do-fire-{target}-direct']").click()
    expect(page.locator(".ask__roll strong")).to_have_text("1d100")
    roll_all(page)


def strike(page: Page, unit: str, target: str) -> None:
    """Attacks in melee by the card of the target."""
    take(page, unit)
    page.locator(f"[data-key^='do-charge-{target}'], [data-key^='do-melee-{target}']").first.click()
    if page.locator("[data-key='order-go']").count():
        page.locator("[data-key='order-go']").click()
    roll_all(page)


def say(page: Page, action: str, side: str) -> None:
    """Has an action of the turn done for a side."""
    back = page.locator("[data-key='back']")
    if back.count():
        back.click()
    page.locator("[data-key='pane-orders']").click()
    chip = page.locator(f"[data-key='pick-side-{side}']")
    open_by(page.locator(f"[data-key='act-{action}'], [data-key='turn-{action}']").first, chip)
    if chip.get_attribute("aria-pressed") != "true":
        chip.click()
    page.locator("[data-key='order-go']").click()
    roll_all(page)


def pass_on(page: Page, side: str) -> None:
    """Hands the turn to the other side by the button in the bar, which begins its turn."""
    page.locator("#next-side").click()
    expect(page.locator("[data-key='order-go'], [data-key='dice-title']").first).to_be_visible()
    go = page.locator("[data-key='order-go']")
    if go.count():
        expect(page.locator(f"[data-key='pick-side-{side}']")).to_have_attribute("aria-pressed", "true")
        go.click()
    roll_all(page)


def strength(demo: Demo, unit: str) -> int:
    """How strong a unit still is; 0 when it is no more."""
    left = [one["stats"]["strength"] for one in demo.state()["game"]["units"] if one["id"] == unit]
    return int(left[0]) if left else 0


def actions(demo: Demo) -> list[str]:
    """What has been done and not taken back."""
    return [one["action"]["action"] for one in demo.state()["log"] if one["action"] and not one["undone"]]


def hex_of(demo: Demo, unit: str) -> list[int]:
    """The hex in which the camera sees a unit."""
    cell: list[int] = demo.settled() and demo.answer(unit)["hex"]
    return cell


def test_a_turn_of_each_side_and_a_melee_are_played_by_two_phones(
    battle: Callable[..., Demo], open_page: OpenPage
) -> None:
    demo = battle(turn_limit=12)
    allies, french = (sit_down(open_page, demo, side) for side in ("allies", "french"))
    shoot(allies, "grand-battery", "batterie")
    expect(french.locator("#log")).to_contain_text("Grand Battery")
    march(allies, "blue-horse", [(16, 3), (16, 4), (16, 5), (16, 6), (16, 7)])
    assert hex_of(demo, "blue-horse") == [16, 7]

    pass_on(allies, "french")
    assert demo.state()["game"]["turn"]["active_side"] == "french"
    shoot(french, "batterie", "grand-battery")
    march(french, "gardes", [(10, 7)])
    assert hex_of(demo, "gardes") == [10, 7]

    pass_on(french, "allies")
    assert demo.state()["game"]["turn"] == {"number": 2, "active_side": "allies"}
    before = strength(demo, "blue-horse"), strength(demo, "cuirassiers")
    strike(allies, "blue-horse", "cuirassiers")
    after = strength(demo, "blue-horse"), strength(demo, "cuirassiers")
    assert after[0] < before[0]
    assert after[1] < before[1]
    expect(french.locator("#log")).to_contain_text("attacks")


def test_the_button_at_the_top_ends_the_turn_before_the_next_begins(
    battle: Callable[..., Demo], open_page: OpenPage
) -> None:
    demo = battle(turn_limit=1)
    demo.resolve(action="charge", unit="blue-horse", path=["NE"])  # its turn ends with it in disorder
    page = open_page(demo.url, "phone", viewport=SMALL)
    pass_on(page, "french")
    assert demo.unit("blue-horse")["state"]["disordered"]
    assert demo.state()["game"]["turn"] == {"number": 1, "active_side": "french"}
    page.locator("#next-side").click()
    expect(page.locator("#orders")).to_contain_text("The game is over")
    expect(page.locator("#next-side")).to_be_hidden()
    assert demo.state()["game"]["turn"] == {"number": 1, "active_side": "french"}


def test_a_look_of_the_camera_does_not_keep_the_turn_from_passing(
    battle: Callable[..., Demo], open_page: OpenPage
) -> None:
    page = open_page(battle(turn_limit=12).url, "phone", viewport=SMALL)
    overtaken: list[str] = []

    def overtake(route: Route) -> None:
        """The first that is sent comes too late: the camera has looked meanwhile."""
        if overtaken:
            route.continue_()
            return
        overtaken.append(route.request.url)
        route.fulfill(status=409, json={"error": "the table has changed"})

    page.route("**/api/resolve", overtake)
    pass_on(page, "french")
    expect(page.locator("#turn")).to_contain_text("French")
    assert len(overtaken) == 1


def test_who_is_quicker_than_the_page_passes_the_turn_by_the_rules_too(
    battle: Callable[..., Demo], open_page: OpenPage
) -> None:
    demo, held = battle(turn_limit=12), list[Route]()
    page = open_page(demo.url, "phone", viewport=SMALL)
    page.route("**/api/forms", lambda route: held.append(route))
    page.reload()
    page.locator("#next-side").click()
    page.wait_for_timeout(500)
    assert demo.state()["game"]["turn"]["active_side"] == "allies"
    for route in held:
        route.continue_()
    expect(page.locator("[data-key='order-go'], [data-key='dice-title']").first).to_be_visible()
    assert "end-turn" in actions(demo)


def test_a_turn_that_the_players_ended_is_not_ended_twice(battle: Callable[..., Demo], open_page: OpenPage) -> None:
    demo = battle(turn_limit=12)
    page = open_page(demo.url, "phone", viewport=SMALL)
    demo.resolve(action="end-turn", side="allies")  # on another page, or by another program
    pass_on(page, "french")
    assert actions(demo) == ["end-turn", "begin-turn"]


def test_a_turn_that_others_end_while_the_button_is_touched_is_not_ended_twice(
    battle: Callable[..., Demo], open_page: OpenPage
) -> None:
    demo, sent = battle(turn_limit=12), list[str]()
    page = open_page(demo.url, "phone", viewport=SMALL)

    def meanwhile(route: Route) -> None:
        """Another phone is quicker by a moment."""
        if not sent:
            demo.resolve(action="end-turn", side="allies")
        sent.append(route.request.url)
        route.continue_()

    page.route("**/api/resolve", meanwhile)
    pass_on(page, "french")
    assert actions(demo) == ["end-turn", "begin-turn"]


def test_the_eight_phases_are_played_by_two_phones(battle: Callable[..., Demo], open_page: OpenPage) -> None:
    demo = battle(turn_limit=12, mode="phases", phase="movement")
    phones = {side: sit_down(open_page, demo, side) for side in ("allies", "french")}
    allies, french = phones["allies"], phones["french"]
    seen = []

    def phase() -> tuple[str, str]:
        game = demo.state()["game"]
        return game["turn"]["active_side"], game["conditions"]["phase"]

    for side in ("allies", "french"):
        own, other = phones[side], phones["french" if side == "allies" else "allies"]
        guns, enemy = ("grand-battery", "batterie") if side == "allies" else ("batterie", "grand-battery")
        if side == "french":
            pass_on(other, side)
        seen.append(phase())
        way = [(8, 3)] if side == "allies" else [(8, 7)]
        march(own, "kings-own" if side == "allies" else "champagne", way)
        say(own, "end-phase", side)
        seen.append(phase())
        shoot(other, enemy, guns)
        say(own, "end-phase", side)
        seen.append(phase())
        shoot(own, guns, enemy)
        say(own, "end-phase", side)
        seen.append(phase())
    names = ("movement", "defensive-fire", "offensive-fire", "melee")
    assert seen == [(side, name) for side in ("allies", "french") for name in names]
    for page in (allies, french):
        expect(page.locator("#log")).to_contain_text("Grand Battery")
