"""What a player does on the page, step by step, in the words of the page."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from .demo import Demo

PATIENCE_S = 20

#: Waits until the map rests.
_REST = """async () => {
  const { map } = await part("map.js");
  const find = () => JSON.stringify([map.latLngToContainerPoint([0, 0]), map.getZoom()]);
  let [was, now] = ["", find()];
  while (now !== was) {
    await new Promise((rested) => setTimeout(rested, 300));
    [was, now] = [now, find()];
  }
}"""
#: Whether a finger on the middle of an element touches this, and nothing that lies over it.
_IN_REACH = """(element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def where(element: Locator) -> FloatRect:
    """Where an element is on the screen; one that is being drawn anew just then is waited for."""
    for _ in range(PATIENCE_S * 10):
        box = element.bounding_box()
        if box is not None:
            return box
        element.page.wait_for_timeout(100)
    raise AssertionError(f"{element} is not to be seen")


def at_rest(element: Locator) -> FloatRect:
    """Where an element is on the screen once nothing moves it any more."""
    before = None
    while (now := where(element)) != before:
        before = now
        element.page.wait_for_timeout(150)
    return now


def press(element: Locator) -> None:
    """Brings the mouse down on a button and holds it; again, if it was moved away just then."""
    for _ in range(5):
        at_rest(element)
        element.hover()
        element.page.mouse.down()
        if element.evaluate("(button) => button.matches(':active')"):
            return
        element.page.mouse.up()
    raise AssertionError("the mouse came down beside the button, each time")


def open_by(button: Locator, opened: Locator) -> None:
    """Presses a button until what it opens is there: it may move from under the finger as the camera looks.

    What is slow to open takes its button away meanwhile, and is not pressed a second time.
    """
    for _ in range(5):
        with suppress(PlaywrightTimeout):
            button.click(timeout=4_000)
        with suppress(AssertionError):
            expect(opened).to_be_visible(timeout=4_000)
            return
    raise AssertionError(f"{button} was pressed and did not open {opened}")


def volley(demo: Demo) -> tuple[dict[str, Any], dict[str, Any]]:
    """A unit of the demo that may fire, and the option to fire with the most dice."""
    answers = demo.settled()["answer"]["units"]
    legal = [(unit, option) for unit in answers for option in unit["fire"] if option["legal"]]
    assert legal, "the demo begins with nobody who may fire"
    return max(legal, key=lambda found: found[1]["roll"]["count"])


def select(page: Page, unit: str) -> None:
    """Takes a unit in hand: by its label on the map, or its name in the list where the map shows none."""
    page.evaluate(_REST)
    label = page.locator(f"button.label[data-unit='{unit}']")
    if label.is_visible() and label.get_attribute("aria-pressed") == "true":  # another touch would let it go
        expect(page.locator("#orders .who__name")).to_be_visible()
        return
    if not _in_reach(label):
        back = page.locator("[data-key='back']")
        if back.is_visible():
            back.click()
        label = page.locator(f"[data-key='roster-{unit}']")
    label.click()
    expect(page.locator(f"button.label[data-unit='{unit}']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#orders .who__name")).to_be_visible()


def _in_reach(label: Locator) -> bool:
    """Whether a label can be touched: one whose unit the sheet covers lies under it, too."""
    return label.is_visible() and bool(label.evaluate(_IN_REACH))


def touch_table(page: Page, x_mm: float, y_mm: float) -> tuple[float, float]:
    """Touches the map, once it rests, at the pixel nearest to a point of the table; gives what this pixel shows."""
    page.evaluate(_REST)
    nearest = """async ([x, y]) => {
      const { map, ll, mm } = await part("map.js");
      const at = map.latLngToContainerPoint(ll([x, y])), room = map.getContainer().getBoundingClientRect();
      const pixel = [Math.round(at.x + room.x), Math.round(at.y + room.y)];
      return [pixel, mm(map.mouseEventToLatLng({ clientX: pixel[0], clientY: pixel[1] }))];
    }"""
    pixel, (touched_x_mm, touched_y_mm) = page.evaluate(nearest, [x_mm, y_mm])
    page.mouse.click(*pixel)
    return touched_x_mm, touched_y_mm


def touch_cell(page: Page, demo: Demo, cell: tuple[int, int]) -> None:
    """Touches the middle of a square."""
    grid = demo.state()["game"]["table"]["grid"]
    touch_table(page, *((part + 0.5) * grid["size_mm"] for part in cell))


def choose(page: Page, action: str) -> None:
    """Opens an action of the unit in hand, or of the turn."""
    page.locator(f"[data-key='act-{action}'], [data-key='turn-{action}']").first.click()


def roll_all(page: Page) -> None:
    """Lets the program roll whatever the action asks for, and closes what came of it."""
    expect(page.locator("[data-key='dice-roll'], [data-key='dice-done']").first).to_be_visible()
    if page.locator("[data-key='dice-roll']").count():
        page.locator("[data-key='dice-roll']").click()
    page.locator("[data-key='dice-done']").click()
    expect(page.locator("[data-key='dice-title']")).to_have_count(0)


def begin_fire(page: Page, option: dict[str, Any]) -> None:
    """Presses the button of an option of firing."""
    page.locator(f"[data-key='do-fire-{option['target']}-{option['mode']}']").click()
    expect(page.locator(".ask__roll strong")).to_have_text(f"{option['roll']['count']}{option['roll']['die']}")


def type_roll(page: Page, ones: int) -> None:
    """Types so many ones, and sixes for the other dice of the roll in hand, on the keypad, and confirms it."""
    asked = page.locator(".ask__roll strong").inner_text()
    for die in range(int(asked.split("d")[0])):
        page.locator(f"[data-key='key-{1 if die < ones else 6}']").click()
    page.locator("[data-key='dice-ok']").click()


def type_to_the_end(page: Page, hits: int) -> int:
    """Types all rolls of an action: the first shows so many ones, the others nothing but ones.

    With ones a unit passes its tests and its Leader comes to no harm. Returns how many rolls there were.
    """
    rolls = 0
    while True:
        expect(page.locator("[data-key='dice-ok'], [data-key='dice-done']").first).to_be_visible()
        if page.locator("[data-key='dice-done']").count():
            return rolls
        type_roll(page, hits if rolls == 0 else 99)
        rolls += 1
        expect(page.locator(f".sofar li:nth-child({rolls}), [data-key='dice-done']").first).to_be_visible()


def fire_typed(page: Page, unit: str, option: dict[str, Any], hits: int) -> None:
    """Takes a unit in hand, fires, types all rolls and closes what came of it."""
    select(page, unit)
    begin_fire(page, option)
    type_to_the_end(page, hits)
    page.locator("[data-key='dice-done']").click()


def ended(demo: Demo) -> int:
    """How often a turn has been ended."""
    return sum((one.get("action") or {}).get("action") == "end-turn" for one in demo.state()["log"])


def show_log(page: Page) -> None:
    """Brings the log up; beside the orders on a desk, in their place on a phone."""
    expect(page.locator("[data-key='dice-title']")).to_have_count(0)
    switch = page.locator("[data-key='pane-log']")
    if switch.is_visible():
        switch.click()
    expect(page.locator("#log .log__turn").first).to_be_visible()


def in_words(text: str, game: dict[str, Any]) -> str:
    """A reason of the engine as the page says it: names for ids, no hyphens within its keys, a capital letter.

    A piece that is called by its kind is not told its kind as well: ``woods 1``, and not ``woods 1 (woods)``.
    """
    names = {unit["id"]: unit.get("name") or unit["id"].replace("-", " ").title() for unit in game["units"]}
    names |= {side["name"]: side["name"].title() for side in game["sides"]}
    ids = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True))
    parts = re.split(rf"(?<![\w-])({ids})(?![\w-])", text)
    told = "".join(names.get(part, re.sub("(?<=[a-z])-(?=[a-z0-9])", " ", part)) for part in parts)
    told = re.sub(r"\b([a-z]+)( \d+)? \(\1\)", r"\1\2", told)
    return told[:1].upper() + told[1:]
