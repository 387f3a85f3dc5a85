"""A unit in melee: its panel tells the dice of both sides and what changes them, and fights the round."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.records.game import Game, game_from
from tests.engine.muskets_mohawks.playing import Plain, game, unit
from tests.engine.tyneside.table import game as skirmish
from tests.engine.tyneside.table import group, row

from .conftest import DemoWith, OpenPage
from .players import choose, roll_all, select
from .test_fit import _SMALL_TARGETS, _faults

pytestmark = pytest.mark.browser

SMALL = {"viewport": {"width": 360, "height": 640}}


def fighting(*with_whom: str, fought: bool = False) -> Game:
    """The 1st Foot in the second round of a melee with these, or after it; the Hurons follow up before."""
    locked: Plain = {"melee_round": 1, "activated": fought}
    foot = unit(
        "foot", "british", formation="formed-line", number=7, at=(900, 600),
        state={**locked, "in_melee": list(with_whom)},
    )  # fmt: skip
    hurons = unit(
        "hurons", "french", type="indian", number=5, at=(860, 627), facing=180,
        state={**locked, "in_melee": ["foot"], "following_up": not fought},
    )  # fmt: skip
    milice = unit("milice", "french", number=4, at=(1150, 627), facing=180, state={**locked, "in_melee": ["foot"]})
    foes = [one for one in (hurons, milice) if one["id"] in with_whom]
    names = {"foot": "1st Foot", "hurons": "Huron Warriors", "milice": "Milice"}
    return game_from(game(*({**one, "name": names[one["id"]]} for one in (foot, *foes))), "the melee")


def chips(page: Page, whose: str) -> Locator:
    return page.get_by_role("list", name=f"What changes the dice of {whose}").get_by_role("button")


def test_the_dice_of_both_sides_of_a_melee_and_what_changes_them_are_a_tap_away(
    demo_with: DemoWith, open_page: OpenPage
) -> None:
    demo = demo_with(fighting("hurons"))
    page = open_page(demo.url, "phone", **SMALL)
    expect(page.locator("[data-key='roster-foot']")).to_contain_text("fight")
    select(page, "foot")
    page.locator("[data-key='can-melee']").click()
    card = page.get_by_role("article", name="Melee with Huron Warriors")
    expect(card).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollTop") == 0, "the whole page was pushed up"
    expect(card.locator(".pool__dice")).to_have_text(["1st Foot 7d6", "Huron Warriors 7d6"])
    expect(chips(page, "1st Foot")).to_have_text(["+1d6FormedMM-152", "+2d62 figures moreMM-156"])
    expect(chips(page, "Huron Warriors")).to_have_text(["+2d6FerociousMM-151", "+1d6Following upMM-158"])
    expect(card).to_contain_text("3 or less count")
    expect(card.locator(".odds")).to_contain_text("%")
    expect(page.locator("[data-key='act-melee']")).to_have_count(0)  # it stands here, and only once
    chips(page, "Huron Warriors").first.click()
    expect(page.locator("#note")).to_contain_text("Ferocious: +2d6.")
    page.locator("[data-key='note-close']").click()
    card.get_by_role("button", name="Fight a round").click()
    expect(page.locator(".ask__roll strong")).to_have_text("7d6")
    roll_all(page)
    assert demo.state()["log"][-1]["action"]["enemy"] == "hurons"


def test_a_round_that_is_fought_already_says_so_and_has_no_button(demo_with: DemoWith, open_page: OpenPage) -> None:
    of = fighting("hurons", fought=True)
    page = open_page(demo_with(of).url, "desk")
    select(page, "foot")
    card = page.get_by_role("article", name="Melee with Huron Warriors")
    expect(card.locator(".reasons")).to_contain_text("have fought their round of this activation")
    expect(card.get_by_role("button", name="Fight a round")).to_have_count(0)
    expect(page.locator("[data-key='can-melee']")).to_have_count(0)


def test_single_figures_fight_one_after_the_other_and_who_loses_gives_way(
    demo_with: DemoWith, open_page: OpenPage
) -> None:
    squad = group("b", *row(3, step=26), weapon="sword") | {"name": "Hervey's Squad"}
    hurons = group("f", *row(3, y=425, step=26), weapon="war-club") | {"name": "Huron Warriors"}
    demo = demo_with(skirmish(squad, hurons))
    page = open_page(demo.url, "phone", **SMALL)
    select(page, "b")
    choose(page, "melee")
    expect(page.locator("[data-key='pick-target-f']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".odds")).to_contain_text("Hervey's Squad")
    page.locator("[data-key='order-go']").click()
    expect(page.locator(".ask__for")).to_have_text("Hervey's Squad no. 1 against Huron Warriors no. 1")
    expect(page.locator(".roller")).to_have_count(6)
    for number, score in enumerate((4, 1, 3, 2, 2, 1)):  # every man of the squad beats his own
        expect(page.locator(".sofar li")).to_have_count(number)
        page.locator(f"[data-key='key-{score}']").click()
        page.locator("[data-key='dice-ok']").click()
    told = page.locator("#orders .told")
    expect(told).to_contain_text("The melee is lost by Huron Warriors")
    expect(told.locator("li", has_text="wins a fight")).to_have_count(3)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_cards_of_a_melee_are_read_by_everybody_and_fit_a_finger(
    demo_with: DemoWith, open_page: OpenPage, theme: str
) -> None:
    url = demo_with(fighting("hurons", "milice")).url
    page = open_page(url, "desk", color_scheme=theme, bypass_csp=True, **SMALL)
    select(page, "foot")
    expect(page.get_by_role("button", name="Share and fight")).to_be_attached()
    assert (_faults(page), page.evaluate(_SMALL_TARGETS)) == ("", [])
    assert page.evaluate("[...document.querySelectorAll('.pane')].every(p => p.scrollWidth <= p.clientWidth)")


def test_against_two_the_dice_are_shared_out_and_filled_in(demo_with: DemoWith, open_page: OpenPage) -> None:
    demo = demo_with(fighting("hurons", "milice"))
    page = open_page(demo.url, "phone", **SMALL)
    select(page, "foot")
    for foe, ours in (("Huron Warriors", "1st Foot 3d6"), ("Milice", "1st Foot 2d6")):
        card = page.get_by_role("article", name=f"Melee with {foe}")
        expect(card.locator(".pool__dice").first).to_have_text(ours)
        expect(card.get_by_role("button", name="Fight")).to_have_count(0)
    page.get_by_role("button", name="Share and fight").click()
    expect(page.locator("#hint")).to_be_hidden()  # nothing is to be touched any more
    page.locator("[data-key='order-go']").click()
    roll_all(page)
    shares = demo.state()["log"][-1]["action"]["enemies"]
    assert [(one["id"], one["dice"], one["figures"]) for one in shares] == [("hurons", 3, 4), ("milice", 2, 3)]


def test_the_card_says_that_an_enemy_fights_others_as_well(demo_with: DemoWith, open_page: OpenPage) -> None:
    demo = demo_with(fighting("hurons", "milice"))
    page = open_page(demo.url, "desk")
    select(page, "milice")
    card = page.get_by_role("article", name="Melee with 1st Foot")
    expect(card).to_contain_text("1st Foot: in melee with others too; 3 figures and these dice here")
    select(page, "foot")
    expect(page.get_by_role("article", name="Melee with Milice")).not_to_contain_text("in melee with others")
