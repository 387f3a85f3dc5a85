"""Every page, and every state of it that a player comes to, at the size of a small phone and of a big screen.

Nothing runs off the screen, every target fits a finger, and axe finds no serious fault. The evening's steps are
looked at where they are gone through (`test_first_evening`). ``VEDETTE_SHOTS=FOLDER`` leaves pictures.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from engine.rulesets import BUILT_IN
from engine.rulesets.base.verdicts import KEY, Verdict, decided
from vision.simulated import load_demo
from webui.commands.demo import demo_game

from .conftest import OpenPage
from .demo import Demo, laid_out
from .evening import shot
from .marks import Marks
from .players import select, show_log
from .test_fit import _SMALL_TARGETS, _faults

pytestmark = pytest.mark.browser

SIZES = {"phone": (360, 640), "screen": (1920, 1080)}

#: An action of each ruleset with much to fill in, and whether it is a unit's.
FORMS = {
    "muskets-mohawks": ("reaction", True),
    "presidio": ("victory", False),
    "tyneside": ("melee", True),
    "palouse": ("move", True),
    "musket-pike": ("move", True),
}


@pytest.fixture(params=BUILT_IN)
def table(request: pytest.FixtureRequest, demo_of: Callable[[str], Demo]) -> Demo:
    """The demo of each ruleset."""
    return demo_of(request.param)


def looked_at(page: Page, name: str) -> None:
    """Looks at what is shown, at both sizes."""
    faults: dict[str, Any] = {}
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(120)  # the page lays itself out anew
        shot(page, f"{name}-{size}")
        found = {
            "axe": _faults(page),
            "small": page.evaluate(_SMALL_TARGETS),
            "wide": page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)"),
        }
        faults |= {f"{size} {key}": value for key, value in found.items() if value}
    assert not faults, f"{name}: {json.dumps(faults, indent=1)}"


def at_once(open_page: OpenPage, url: str, theme: str = "light") -> Page:
    return open_page(url, "desk", viewport={"width": 360, "height": 640}, bypass_csp=True, color_scheme=theme)


def test_the_table_the_unit_its_orders_and_the_campaign(table: Demo, open_page: OpenPage) -> None:
    page = at_once(open_page, table.url)
    expect(page.locator(".muster__unit").first).to_be_visible()
    looked_at(page, f"{table.ruleset}-table")
    own = next(one for one in table.state()["game"]["units"] if one["figures"])["id"]
    page.set_viewport_size({"width": 360, "height": 640})
    select(page, own)
    expect(page.locator("#orders .acts, #orders .not").first).to_be_visible()
    looked_at(page, f"{table.ruleset}-unit")
    action, of_unit = FORMS[table.ruleset]
    page.evaluate(
        "([action, unit]) => part('order.js').then(order => order.openOrder(action, unit))",
        [action, own if of_unit else None],
    )
    expect(page.locator("[data-key='order-title']")).to_be_visible()
    looked_at(page, f"{table.ruleset}-form")
    if any(form.get("section") == "campaign" for form in page.evaluate(FORMS_TOLD)):
        page.goto(f"{table.url}campaign")
        page.wait_for_selector("body[data-ready]")
        looked_at(page, f"{table.ruleset}-campaign")


def test_on_the_whole_table_every_figure_and_every_name_can_be_seen(table: Demo, open_page: OpenPage) -> None:
    page = at_once(open_page, table.url)
    expect(page.locator("button.label:visible").first).to_be_visible()
    units = [one for one in table.state()["game"]["units"] if one["figures"]]
    for width, height in ((360, 640), (640, 360), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        marks = Marks(page)
        assert len(marks.said("figure")) == sum(len(one["figures"]) for one in units)
        assert marks.on("label tools scale", "figure") == [], width
        assert marks.on("tools scale", "table") == [], width
        assert marks.on("label", "label tools scale") == [], width
        names = marks.said("label")
        assert len(set(names)) == len(names), names
        assert len(names) == len(units) or len(units) > 20, names
    select(page, units[0]["id"])
    marks = Marks(page)
    assert marks.on("label", "figure label range") == []
    assert marks.on("handle", "figure") == [], "the handles lie on somebody else's bases"


FORMS_TOLD = "fetch('/api/forms').then(answer => answer.json()).then(told => Object.values(told.forms))"


def note(opener: str) -> Callable[[Page], None]:
    def opened(page: Page) -> None:
        page.locator(opener).first.click()
        expect(page.locator("#note-title")).to_be_visible()

    return opened


def past(page: Page) -> None:
    show_log(page)
    page.locator("[data-key='then-1']").click()
    expect(page.locator("[data-key='past-now']")).to_be_visible()


def branch(page: Page) -> None:
    past(page)
    page.locator("[data-key='past-branch']").click()
    expect(page.locator("[data-key='branch-go']")).to_be_visible()


def whole(page: Page) -> None:
    show_log(page)
    note("[data-key='whole']")(page)


def rule(page: Page) -> None:
    note(".chip--rule")(page)


def whole_report(page: Page) -> None:
    expect(page.locator("#balance")).to_be_visible()
    sideways = "[...document.querySelectorAll('.scroll')].map(one => one.scrollWidth - one.clientWidth)"
    assert page.viewport_size == {"width": 360, "height": 640}
    assert max(page.evaluate(sideways)) == 0


#: What can be come to at any table, by where it is and what is touched there.
STATES: list[tuple[str, str, Callable[[Page], None]]] = [
    ("log", "", show_log),
    ("past", "", past),
    ("branch", "", branch),
    ("whole", "", whole),
    ("seats", "", note("#seat")),
    ("camera", "", note("#camera")),
    ("rulings", "", note("[data-key='rulings']")),
    ("big-screen", "?screen=big", lambda page: expect(page.locator(".wall__turn")).to_be_visible()),
    ("evening-of-a-demo", "evening", lambda page: expect(page.locator("#ready-made")).to_be_visible()),
    ("report", "api/report.html", whole_report),
    ("over", "", lambda page: expect(page.locator(".ended__won")).to_contain_text("British")),
    ("rule", "", rule),
    ("big-screen-over", "?screen=big", lambda page: expect(page.locator(".wall__why")).to_be_visible()),
]


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A game that is over, of which everything can be looked at."""
    game = demo_game(load_demo("muskets-mohawks"))
    (verdict,) = decided(Verdict(won=("british",), why="alone on the table", rule="MM-167"))
    folder = tmp_path_factory.mktemp("over") / "game"
    ended = replace(game, conditions={**game.conditions, KEY: verdict.value})
    with Demo(laid_out(folder, ended), "muskets-mohawks") as demo:
        demo.settled()
        yield demo


@pytest.mark.parametrize(("name", "path", "steps"), STATES, ids=[one[0] for one in STATES])
def test_what_is_beside_the_table(
    over: Demo, open_page: OpenPage, name: str, path: str, steps: Callable[[Page], None]
) -> None:
    page = at_once(open_page, over.url, theme="dark" if len(name) % 2 else "light")
    if path:
        page.goto(f"{over.url}{path}")
    steps(page)
    looked_at(page, name)


def test_a_turned_screen_shows_the_whole_table_again(over: Demo, open_page: OpenPage) -> None:
    page = at_once(open_page, over.url)
    expect(page.locator("button.label").first).to_be_visible()
    page.set_viewport_size({"width": 1920, "height": 1080})
    wide = """async () => {
      const { map, ll } = await part("map.js");
      const [far, near] = [[1800, 0], [0, 0]].map((place) => map.latLngToContainerPoint(ll(place)).x);
      return far - near > 900;
    }"""
    page.wait_for_function(wide)


@pytest.mark.parametrize("seat", ["side:french", "spectator"])
def test_the_table_from_other_seats(over: Demo, open_page: OpenPage, seat: str) -> None:
    page = at_once(open_page, f"{over.url}#join={over.code(seat)}")
    expect(page.locator(".ended__won")).to_be_visible()
    expect(page.locator("[data-key='verdict-report']")).to_have_count(0)
    looked_at(page, f"seat-{seat.rpartition(':')[2]}")
    note("#seat")(page)
    looked_at(page, f"seat-{seat.rpartition(':')[2]}-dialog")


def test_a_phone_that_has_not_joined(over: Demo, open_page: OpenPage) -> None:
    """As a phone on the network sees the page: nothing but the way in."""
    page = open_page(over.url, "desk", viewport={"width": 360, "height": 640}, bypass_csp=True, server_may_die=True)
    page.route("**/api/**", lambda route: route.fulfill(status=401, json={"error": "join this table first"}))
    page.reload()
    expect(page.locator("#note-title")).to_have_text("Join this table")
    looked_at(page, "not-joined")
    page.set_viewport_size({"width": 640, "height": 360})  # turned, before it knows of any table
    looked_at(page, "not-joined-turned")
