"""What an order is rolled with stands on its button, before it is tried."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.records.game import game_from
from tests.engine.muskets_mohawks.playing import game, unit, wood

from .conftest import DemoWith, OpenPage
from .players import select

pytestmark = pytest.mark.browser


@pytest.mark.rule("MM-49", "MM-61")
def test_an_order_says_what_it_is_rolled_with_and_why(demo_with: DemoWith, open_page: OpenPage) -> None:
    road = wood("road", 100, 250, 1700, 350, kind="road")
    rangers = unit("rangers", "british", type="irregular", number=5)
    beaten = unit("foot", "british", number=4, at=(900, 600), state={"retiring": True, "start_strength": 9})
    foe = unit("foe", "french", type="indian", number=3, at=(900, 1150), facing=180)
    page = open_page(demo_with(game_from(game(rangers, beaten, foe, terrain=[road]), "the road")).url, "phone")
    select(page, "rangers")
    hurry = page.locator("[data-key='act-fast-move']")
    expect(hurry).to_contain_text("Rolls 3d6 for 4 or less, on a road +1d6.")
    page.get_by_role("button", name="All units").click()
    select(page, "foot")
    expect(page.locator("[data-key='act-rally']")).to_contain_text(
        "Rolls 1d6 for 4 or less, at half strength -1d6."
    )


@pytest.mark.rule("MM-107", "MM-147")
def test_a_charge_says_what_comes_of_it_whatever_is_rolled(demo_with: DemoWith, open_page: OpenPage) -> None:
    horse = unit("horse", "british", type="cavalry", number=4, weapon="sword", mounted=True)
    foe = unit("foe", "french", type="indian", number=3, at=(900, 500), facing=180)
    page = open_page(demo_with(game_from(game(horse, foe), "the charge")).url, "phone")
    select(page, "horse")
    card = page.locator("[data-key='card-charge-foe']")
    expect(card).to_contain_text("Horse does not close with foot that stands")
    expect(card).to_contain_text("at will hits half")
    card.get_by_role("button", name="MM-147").click()
    expect(page.locator("#note")).to_contain_text("MM-147")
