"""A move that passes an enemy's front: the page says who may react, to everybody, and lets him."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.records.game import Game
from tests.engine.presidio.scene import game, row, unit

from .conftest import OpenPage
from .demo import Demo, laid_out
from .players import choose, roll_all, select, touch_table
from .test_seats import sit_down

pytestmark = pytest.mark.browser

DemoWith = Callable[[Game], Demo]


@pytest.fixture
def demo_with(tmp_path: Path) -> Iterator[DemoWith]:
    """Starts a demo in which a game has begun; it ends after the pages."""
    with ExitStack() as running:
        yield lambda of: running.enter_context(Demo(laid_out(tmp_path / "game", of), "presidio"))


PATROL = {**unit("a", *row(3, 900, 200)), "name": "Patrol"}


def test_who_may_react_to_a_move_is_told_and_may_do_so_at_once(demo_with: DemoWith, open_page: OpenPage) -> None:
    idle = unit("b2", *row(3, 300, 900))
    of = game(PATROL, {**unit("b", *row(3, 900, 640), held=1), "name": "Watch"}, idle)
    demo = demo_with(of)
    raiders, _ = sit_down(open_page, demo, "side:raiders", "phone")
    page = open_page(demo.url, "desk")
    select(page, "a")
    expect(page.locator(".offers")).to_have_count(0)
    choose(page, "move")
    touch_table(page, 950, 420)
    page.locator("[data-key='order-go']").click()
    page.locator("[data-key='key-6']").click()
    page.locator("[data-key='dice-ok']").click()
    expect(page.locator(".offers")).to_contain_text("Watch may react to Patrol with 1 action, at once.")
    expect(page.locator(".offers li")).to_have_count(1)

    expect(raiders.locator("#toast")).to_contain_text("Watch may react")
    expect(raiders.locator(".offers")).to_contain_text("Watch may react to Patrol")
    raiders.locator("[data-key='react-b']").click()
    expect(raiders.locator("#orders .who__name")).to_have_text("Watch")
    raiders.locator("[data-key^='do-fire-a-']").first.click()
    roll_all(raiders)
    assert demo.unit("b")["state"]["actions_left"] == 1
    expect(raiders.locator(".offers")).to_have_count(0)
    expect(page.locator(".offers")).to_have_count(0)


def test_whoever_lets_it_pass_is_not_asked_again(demo_with: DemoWith, open_page: OpenPage) -> None:
    of = game(PATROL, {**unit("b", *row(3, 900, 640), held=2), "name": "Watch"})
    demo = demo_with(of)
    page = open_page(demo.url, "phone")
    demo.resolve(action="move", unit="a", to=[950, 420])
    expect(page.locator(".offers")).to_contain_text("Watch may react")
    page.locator("[data-key='pass-b']").click()
    expect(page.locator(".offers")).to_have_count(0)
