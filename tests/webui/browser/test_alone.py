"""A scout encounter alone and the month round it, by the page and what it says comes next, on a bare table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from .conftest import OpenPage
from .demo import Demo
from .evening import shot
from .players import open_by

pytestmark = pytest.mark.browser

#: What the player's dice show in the steps whose outcome the evening needs; all others the program rolls.
DICE = {
    "encounter": [1, 2, 3, 2, 3, 2, 5],  # the French; levels; clear weather; they are on a raid
    "terrain": [3, 4, *[3, 3] * 8],  # a wood in the far left section, the rest is open
    "first-turn": [5, 1],  # nobody is reinforced
    "markers": [4, 5, 6],  # before it, where they are seen at once
    "resolve": [1, 1, 1, 1],  # contact, not in position
}


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Demo]:
    """A demo that begins on a bare table."""
    with Demo(tmp_path / "game", "muskets-mohawks", "--no-troops") as running:
        yield running


class Player:
    """Who plays alone: takes the first step that the page offers."""

    def __init__(self, page: Page) -> None:
        self.page = page
        #: Rolls for the player; what is being rolled already takes no second touch.
        self.roll = page.locator("[data-key='dice-roll']:enabled")

    def at_the_guide(self) -> None:
        """Back to where it is said what comes next."""
        leave = self.page.locator("[data-key='back']")
        expect(self.page.locator("[data-key='back'], .guide .button").first).to_be_visible()
        if leave.count():
            leave.click()
        expect(self.page.locator("[aria-labelledby='guide-title'] .button").first).to_be_visible()

    def next(self) -> str:
        """The step that comes first."""
        key = self.page.locator("[aria-labelledby='guide-title'] .button").first.get_attribute("data-key")
        assert key is not None
        return key.removeprefix("guide-")

    def take(self, step: str) -> None:
        """Begins a step, fills its form in as it stands, rolls, and closes what came of it."""
        before = self.page.locator("[aria-labelledby='guide-title']").inner_text()
        button = self.page.locator(f"[data-key='guide-{step}']")
        if step == "pass":
            button.click()
        else:
            open_by(button, self.page.locator("[data-key='order-title'], [data-key='dice-title']").first)
            go = self.page.locator("[data-key='order-go']")
            if go.count():
                expect(go).to_be_enabled()
                go.click()
            expect(self.page.locator("[data-key='dice-title']")).to_be_visible()
            self.dice(step)
        expect(self.page.locator("[data-key='dice-title']")).to_have_count(0)
        expect(self.page.locator("[aria-labelledby='guide-title']")).not_to_have_text(before, use_inner_text=True)

    def dice(self, step: str) -> None:
        """Types what the dice show where it matters; lets the program roll the rest."""
        scores = list(DICE.get(step, []))
        while scores and self.asked():
            count = int(self.page.locator(".ask__roll strong").inner_text().split("d")[0])
            told = self.page.locator(".sofar li").count()
            for _ in range(count):
                self.page.locator(f"[data-key='key-{scores.pop(0) if scores else 1}']").click()
            self.page.locator("[data-key='dice-ok']").click()
            expect(
                self.page.locator(f".sofar li:nth-child({told + 1}), [data-key='dice-done']").first
            ).to_be_visible()
        while self.asked():
            with suppress(PlaywrightTimeout):  # it went, since the last answer came in meanwhile
                self.roll.click(timeout=2_000)
        self.page.locator("[data-key='dice-done']").click()

    def asked(self) -> bool:
        """Whether dice are asked for, not all done; what the camera's look has overtaken is begun again."""
        page = self.page
        again, done = page.locator("[data-key='trouble-again']"), page.locator("[data-key='dice-done']")
        for _ in range(5):
            expect(again.or_(done).or_(self.roll).first).to_be_visible()
            if not again.count():
                return done.count() == 0
            again.click()
        raise AssertionError(page.locator(".trouble").inner_text())

    def until(self, last: str, most: int = 30) -> list[str]:
        """Takes the first steps up to one that is named; their names."""
        taken: list[str] = []
        while self.next() != last:
            assert len(taken) < most, taken
            taken.append(self.next())
            self.take(taken[-1])
        return taken


@pytest.mark.rule("MM-196")
def test_how_you_play_asks_the_same_from_the_list_as_from_what_comes_next(bare: Demo, open_page: OpenPage) -> None:
    page = open_page(bare.url, "phone")
    page.locator("summary", has_text="Before the battle").click()
    page.locator("[data-key='act-agree']").click()
    for one in ("play-solo", "player_side-british"):
        expect(page.locator(f"[data-key='pick-{one}']")).to_have_attribute("aria-pressed", "true")
    labels = page.locator(".field-row__label")
    for one in ("You play", "Your side"):
        expect(labels.filter(has_text=one)).not_to_contain_text("if you like")


@pytest.mark.rule("MM-196")
@pytest.mark.parametrize("size", ["phone", "desk"])
def test_who_touches_what_is_chosen_already_means_it(bare: Demo, open_page: OpenPage, size: str) -> None:
    page = open_page(bare.url, size)
    page.locator("[data-key='guide-agree']").click()
    chosen = [page.locator(f"[data-key='pick-{one}']") for one in ("play-solo", "player_side-british")]
    for one in chosen:
        expect(one).to_have_attribute("aria-pressed", "true")
        one.click()
        expect(one).to_have_attribute("aria-pressed", "true")
    labels = page.locator(".field-row__label")
    expect(labels.filter(has_text="You play")).not_to_contain_text("if you like")
    part = labels.filter(has_text="Your part")
    expect(part).to_contain_text("if you like")
    captain = page.locator("[data-key='pick-part-captain']")
    captain.click()
    captain.click()
    expect(captain).to_have_attribute("aria-pressed", "true")
    shot(page, f"agree-{size}")
    page.locator("[data-key='open-part']").click()
    expect(captain).to_have_attribute("aria-pressed", "false")
    expect(part).to_contain_text("if you like")
    page.locator("[data-key='order-go']").click()
    expect(page.locator("#log")).to_contain_text("you play solo")


@pytest.mark.rule("MM-196", "MM-219", "MM-223", "MM-226", "MM-228", "MM-232", "MM-260")
def test_a_scout_encounter_alone_and_its_month(bare: Demo, open_page: OpenPage) -> None:
    page = open_page(bare.url, "phone")
    player = Player(page)
    assert player.next() == "agree"
    assert player.until("terrain") == ["agree", "armies", "campaign-start", "territory", "encounter"]
    player.take("terrain")
    expect(page.locator(".proposal").first).to_be_visible()
    expect(page.locator(".proposal")).to_have_count(len(bare.state()["game"]["conditions"]["proposals"]))
    player.take("lay-terrain")
    expect(page.locator(".proposal")).to_have_count(0)
    assert set(player.until("first-turn")) == {"lead", "raise", "rep", "leader-rep"}
    assert [one["side"] for one in bare.state()["game"]["units"]] == ["british"] * 3
    player.take("first-turn")
    player.take("markers")
    assert player.next() == "resolve"  # in clear country they see each other at once
    player.take("resolve")
    found = [one for one in bare.state()["game"]["units"] if one["side"] == "french" and one["type"] != "pef"]
    assert found
    turn = fight(player, bare)
    assert "np-play" in turn
    leave(player, bare)
    assert player.until("next-month") == ["end", "afterwards", "after-encounter", "next-encounter"]
    player.take("next-month")
    assert player.next() == "encounter"
    game = bare.state()["game"]
    assert {one["side"] for one in game["units"]} == {"british"}
    assert game["conditions"]["month"] == 4


def fight(player: Player, demo: Demo) -> list[str]:
    """Two turns in which the player's men stand, and the program plays the other side."""
    taken: list[str] = []
    for _ in range(2):
        while (step := player.next()) != "act":
            taken.append(step)
            player.take(step)
        player.take("pass")
        while demo.state()["game"]["turn"]["active_side"] == "french":
            taken.append(player.next())
            player.take(taken[-1])
    return taken


def leave(player: Player, demo: Demo) -> None:
    """The player's men, who stand at their own edge, go off by it, each by its own orders."""
    page = player.page
    for one in [unit for unit in demo.state()["game"]["units"] if unit["side"] == "british" and unit["figures"]]:
        page.locator(f"[data-key='roster-{one['id']}']").click()
        page.locator("[data-key='act-leave-field']").click()
        player.dice("leave-field")
        player.at_the_guide()
