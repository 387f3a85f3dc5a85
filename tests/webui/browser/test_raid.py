"""A raid on the page: the camp and its villagers, who is hidden, plunder, a stampede, the pursuit, the points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.engine.presidio.scene import figure, game, ground, row, unit

from .conftest import OpenPage
from .demo import Demo, laid_out
from .players import choose, roll_all, select

pytestmark = pytest.mark.browser

PARTIES = [
    {"id": "posse", "role": "pursuer", "leagues": 0},
    {"id": "band", "role": "raider", "leagues": 4, "mounted": True},
]  # fmt: skip


@pytest.fixture
def raid(tmp_path: Path) -> Iterator[Demo]:
    """Raiders beside a herd and a house, a scout who has hidden from the watch, and a trail to follow."""
    herd = unit("b8", *row(4, 1100, 640, 55), type="livestock", weapon="none", stats={"animal": "cattle"})
    band = unit("a", *row(4, 1000, 560), type="native", weapon="bow", stats={"people": "comanche"})
    riders = [figure(f"a1-{n}", 1080 + 60 * n, 560, mounted=True) for n in range(2)]
    scout = unit("a2", (500, 420), type="native", weapon="bow", hidden=True)
    of = game(
        herd, band, unit("a1", *riders, type="cavalry", weapon="spear"), {**scout, "formation": "hidden"},
        unit("b", *row(3, 500, 640), type="militia", weapon="bow"),
        terrain=[ground("brush", 450, 380, 560, 440)], campaign={"parties": PARTIES},
    )  # fmt: skip
    with Demo(laid_out(tmp_path / "game", of), "presidio") as demo:
        yield demo


def folded(page: Page, section: str) -> None:
    page.locator(f"details[data-key='section-{section}'] > summary").click()


#: At once, for the page may be drawn anew at any time.
_SAYS_MANY = """field => {
  field.value = "many";
  field.dispatchEvent(new Event("change"));
  return field.validationMessage;
}"""


def test_what_is_half_typed_survives_what_the_camera_and_others_do_meanwhile(
    raid: Demo, open_page: OpenPage
) -> None:
    page = open_page(raid.url, "desk")
    folded(page, "setup")
    choose(page, "villagers")
    count = page.locator("[data-key='number-count']")
    count.press_sequentially("-")  # not a number yet
    drawn = count.element_handle()
    one = raid.unit("a")["figures"][0]
    place = {"id": one["id"], "x_mm": one["x_mm"] - 12.0, "y_mm": one["y_mm"]}
    assert page.request.post(f"{raid.url}api/place", data={"figures": [place]}).ok
    page.wait_for_function("told => document.body.dataset.ready >= told", arg=raid.state()["revision"])  # and drawn
    assert drawn.evaluate("field => field.isConnected")  # the very field that the finger is in
    expect(count).to_have_value("-")
    expect(count).to_be_focused()
    page.keyboard.type("2")
    expect(count).to_have_value("-2")  # the caret stands where it stood
    assert count.evaluate(_SAYS_MANY) == "A number is asked for."
    count.fill("7")
    count.press("Enter")
    expect(count).to_have_value("7")
    count.press("ArrowUp")
    expect(count).to_have_value("8")
    expect(page.locator("[data-key='order-go']")).to_be_enabled()
    page.locator("[data-key='order-go']").click()
    expect(page.locator(".outcome")).to_contain_text("2")


def test_a_raid_is_played_on_the_page(raid: Demo, open_page: OpenPage) -> None:
    page = open_page(raid.url, "desk")
    folded(page, "setup")
    choose(page, "camp")
    page.locator("[data-key='order-go']").click()
    for score in (5, 3, 2):
        page.locator(f"[data-key='key-{score}']").click()
        page.locator("[data-key='dice-ok']").click()
    expect(page.locator(".outcome")).to_contain_text("rocks")
    page.locator("[data-key='dice-done']").click()
    folded(page, "setup")
    choose(page, "villagers")
    page.locator("[data-key='number-count']").fill("8")
    page.locator("[data-key='number-count']").press("Enter")
    page.locator("[data-key='order-go']").click()
    expect(page.locator(".outcome")).to_contain_text("2")
    page.locator("[data-key='dice-done']").click()

    select(page, "a")  # plunder
    choose(page, "plunder")
    page.locator("[data-key^='pick-what-home']").click()
    page.locator("[data-key='order-go']").click()
    page.locator("[data-key='dice-done']").click()
    assert raid.unit("a")["state"]["plunder"] == ["home"]

    select(page, "b")  # the watch searches for the scout
    choose(page, "spot")
    expect(page.locator("[data-key='pick-target-a2']")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-key='order-go']").click()
    roll_all(page)

    herd = raid.unit("b8")["figures"]
    select(page, "b8")  # the herd is driven off
    choose(page, "stampede")
    page.locator("[data-key='pick-by-a1']").click()
    page.locator("[data-key='order-go']").click()
    roll_all(page)
    moved = {one["id"]: (one["x_mm"], one["y_mm"]) for one in raid.unit("b8")["figures"]}
    assert any(moved.get(one["id"]) != (one["x_mm"], one["y_mm"]) for one in herd)


def test_the_pursuit_and_the_points_on_the_campaigns_page(raid: Demo, open_page: OpenPage) -> None:
    page = open_page(f"{raid.url}campaign", "phone")
    expect(page.locator(".facts, .pane__title").first).to_be_visible()
    choose(page, "track")
    page.locator("[data-key='order-go']").click()
    for score in (6, 1):
        page.locator(f"[data-key='key-{score}']").click()
        page.locator("[data-key='dice-ok']").click()
    page.locator("[data-key='dice-done']").click()
    choose(page, "pursuit-day")
    page.locator("[data-key='text-party']").fill("posse")
    page.locator("[data-key='text-party']").press("Enter")
    page.locator("[data-key='order-go']").click()
    for _ in range(2):
        page.locator("[data-key='key-5']").click()
    page.locator("[data-key='dice-ok']").click()
    expect(page.locator(".outcome")).to_contain_text("9")
    page.locator("[data-key='dice-done']").click()
    assert raid.state()["game"]["conditions"]["campaign"]["parties"][0]["leagues"] == 9
    choose(page, "victory")
    page.locator("[data-key='pick-side-spanish']").click()
    for item, number in (("home", 1), ("scalp", 2)):
        page.locator(f"[data-key='number-taken-{item}']").fill(str(number))
        page.locator(f"[data-key='number-taken-{item}']").blur()
    page.locator("[data-key='order-go']").click()
    expect(page.locator(".outcome")).to_contain_text("15")
