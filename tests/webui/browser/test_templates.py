"""Shot, shell, canister, grenades and what goes through: drawn where the rules say, before and after the roll."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.engine.presidio.battery import gun
from tests.engine.presidio.scene import game, line, row, unit

from .conftest import OpenPage
from .demo import Demo, laid_out
from .players import select

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def guns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Five of the Spanish before five of the raiders, each with another way of firing."""
    folder = tmp_path_factory.mktemp("guns") / "game"
    grenadiers = unit("a4", *row(3, 1130, 400), stats={"arms": [{"weapon": "grenade", "figures": ["a4-1"]}]})
    of = game(
        gun(name="a1", at=(200, 160)), gun(name="a2", at=(520, 160), ammo="shell"),
        gun(name="a3", at=(840, 160), ammo="canister"), grenadiers, line("a5", 5, 1380, 200),
        unit("b1", *row(3, 175, 640)), unit("b2", *row(3, 495, 640)), unit("b3", *row(4, 780, 440)),
        unit("b4", *row(2, 1140, 490)), line("b5", 6, 1380, 400), line("b6", 4, 1380, 540),
    )  # fmt: skip
    with Demo(laid_out(folder, of), "presidio") as demo:
        yield demo


def numbers(text: str | None) -> list[float]:
    return [float(one) for one in re.findall(r"-?[\d.]+(?:e-?\d+)?", text or "")]


def shapes(page: Page, kind: str) -> list[list[float]]:
    """What is drawn of a kind, as plain numbers."""
    names = ("cx", "cy", "r") if kind in ("ring", "scatter") else ("points",)
    return [
        [number for name in names for number in numbers(one.get_attribute(name))]
        for one in page.locator(f".drawing__templates .template__{kind}").all()
    ]


def flat(shape: Any) -> list[float]:
    return [number for part in shape for number in flat(part)] if isinstance(shape, list) else [float(shape)]


def same(page: Page, told: list[dict[str, Any]]) -> None:
    """The map holds these shapes and no others."""
    wanted = {
        "area": [flat(one) for template in told for one in template.get("areas_mm", [])],
        "ring": [flat(one) for template in told for one in template.get("rings_mm", [])],
        "line": [flat(one) for template in told for one in template.get("lines_mm", [])],
        "scatter": [flat(template["scatter_mm"]) for template in told if template.get("scatter_mm")],
    }
    expect(page.locator(".drawing__templates .template > *")).to_have_count(sum(map(len, wanted.values())))
    for kind, those in wanted.items():
        found = shapes(page, kind)
        assert len(found) == len(those), kind
        for one, other in zip(found, those, strict=True):
            assert one == pytest.approx(other, abs=1.5), kind


def roll_the_rest(page: Page) -> None:
    """Lets the program roll what was not typed; nothing is left to roll where that was all."""
    roll, done = page.locator("[data-key='dice-roll']:enabled"), page.locator("[data-key='dice-done']")
    for _ in range(5):
        expect(roll.or_(done).first).to_be_visible()
        if done.count():
            return
        with suppress(TimeoutError):  # it went, since the answer to what was typed came in meanwhile
            roll.click(timeout=3_000)
    expect(done).to_be_visible()


def option_of(demo: Demo, shooter: str, target: str, mode: str, weapon: str | None) -> dict[str, Any]:
    fires = demo.answer(shooter)["fire"]
    found: dict[str, Any] = next(
        one for one in fires
        if one["target"] == target and one["mode"] == mode and weapon in (None, one["weapon"])
    )  # fmt: skip
    assert found["legal"], found["why_not"]
    return found


@pytest.mark.parametrize(
    ("shooter", "target", "mode", "weapon", "kinds"),
    [
        ("a1", "b1", "direct", None, {"areas_mm", "lines_mm", "scatter_mm"}),
        ("a2", "b2", "indirect", None, {"rings_mm", "scatter_mm"}),
        ("a3", "b3", "direct", None, {"areas_mm"}),
        ("a4", "b4", "indirect", "grenade", {"rings_mm", "scatter_mm"}),
        ("a5", "b5", "volley", None, {"lines_mm"}),
    ],
    ids=["shot", "shell", "canister", "grenade", "through"],
)
def test_a_shot_is_drawn_before_the_roll_and_after_it(
    guns: Demo, open_page: OpenPage, shooter: str, target: str, mode: str, weapon: str | None, kinds: set[str]
) -> None:
    option = option_of(guns, shooter, target, mode, weapon)
    assert {key for key, value in option["template"].items() if value} == kinds
    page = open_page(guns.url, "desk")
    select(page, shooter)
    expect(page.locator(".drawing__templates .template > *")).to_have_count(0)
    key = f"fire-{target}-{mode}{f'-{weapon}' if weapon else ''}"
    button = page.locator(f"[data-key='do-{key}']")
    button.hover()
    same(page, [option["template"]])
    risky = {figure["id"] for name in option["at_risk"] for figure in guns.unit(name)["figures"]}
    marked = page.locator(".base--risk").evaluate_all("all => all.map((one) => one.dataset.figure)")
    assert set(marked) == risky

    button.click()
    expect(page.locator(".ask__roll")).to_be_visible()
    same(page, [option["template"]])  # while the dice are in hand, too
    if option["roll"]["count"] == 1:
        for score in (3, 1):  # a miss, and no mishap: it strays, straight on
            page.locator(f"[data-key='key-{score}']").click()
            page.locator("[data-key='dice-ok']").click()
    roll_the_rest(page)
    entry = next(one for one in reversed(guns.state()["log"]) if one["kind"] == "action")
    events = {event["event"]: event for event in entry["events"] if "template" in event}
    same(page, [event["template"] for event in entry["events"] if "template" in event])
    if option["roll"]["count"] == 1:
        strayed = events["scatter"]["template"]["lines_mm"][0]
        assert strayed[-1] == pytest.approx(events["landed"]["at_mm"])
        expect(page.locator(".template--did .template__line").first).to_be_attached()
    page.locator("[data-key='dice-done']").click()
    expect(page.locator(".drawing__templates .template--did")).to_have_count(0)
