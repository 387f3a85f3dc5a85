"""What changes on the page is renewed in place: nothing is taken out of a hand, nothing of before stays."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage
from .demo import Demo
from .players import choose, select
from .test_touch import tell_turn
from .test_unfinished import UNIT, DemoOf

pytestmark = pytest.mark.browser

TREES = 400

#: Renews an element from one drawn tree to the next and holds it against the same tree built from nothing.
_AGREES = """async (trees) => {
  const { h } = await part("dom.js");
  const { renew } = await part("renew.js");
  let seed = 7;
  const draw = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const touched = [];
  const plan = (depth) => ({
    tag: ["p", "li", "section", "button", "details", "input"][draw(6)],
    key: draw(2) ? `k${draw(5)}` : undefined,
    look: draw(3) ? `c${draw(3)}` : undefined,
    text: draw(2) ? `t${draw(4)}` : "",
    does: draw(9),
    inside: depth && draw(4) ? Array.from({ length: draw(5) }, () => plan(depth - 1)) : [],
  });
  const built = ({ tag, key, look, text, does, inside }) => {
    const props = { class: look, data: key ? { key } : {} };
    const type = does % 2 ? "text" : "checkbox";
    if (tag === "input") return h(tag, { ...props, type, value: text, checked: does > 4 });
    return h(tag, { ...props, on: does ? { click: () => touched.push(does) } : {} }, text, inside.map(built));
  };
  const all = (element) => [...element.querySelectorAll("*")];
  const room = h("div");
  document.body.append(room);
  const wrong = [];
  for (let tree = 0; tree < trees; tree++) {
    const plans = Array.from({ length: draw(6) }, () => plan(3));
    renew(room, plans.map(built));
    const asNew = h("div", {}, plans.map(built));
    if (!room.isEqualNode(asNew)) wrong.push([room.innerHTML, asNew.innerHTML]);
    const clicks = (element) => {
      touched.length = 0;
      for (const one of all(element)) if (one.tagName !== "INPUT") one.dispatchEvent(new Event("click"));
      return touched.join();
    };
    if (clicks(room) !== clicks(asNew)) wrong.push(["what a touch does", room.innerHTML]);
    const fields = (element) => all(element).filter((one) => one.tagName === "INPUT");
    const said = (element) => fields(element).map((one) => [one.value, one.checked]).join();
    if (said(room) !== said(asNew)) wrong.push(["what stands in a field", said(room), said(asNew)]);
  }
  room.remove();
  return wrong.slice(0, 3);
}"""


def test_what_is_renewed_is_what_would_be_built_from_nothing(demo: Demo, open_page: OpenPage) -> None:
    assert open_page(demo.url, "desk").evaluate(_AGREES, TREES) == []


def test_a_button_is_the_same_when_the_table_has_changed(demo: Demo, open_page: OpenPage) -> None:
    page, number = open_page(demo.url, "desk"), demo.state()["game"]["turn"]["number"]
    name = page.locator("[data-key^='roster-']").first.element_handle()
    tell_turn(demo, 71)
    expect(page.locator("#turn")).to_contain_text("Turn 71")
    assert name.evaluate("(button) => button.isConnected")
    tell_turn(demo, number)


def test_a_number_half_typed_while_the_table_changes_is_taken_when_the_field_is_left(
    demo_of: DemoOf, open_page: OpenPage
) -> None:
    demo = demo_of("presidio")
    number = demo.settled()["game"]["turn"]["number"]
    page = open_page(demo.url, "desk")
    select(page, UNIT)
    choose(page, "move")
    field = page.locator("[data-key='number-reload']")
    field.select_text()
    page.keyboard.type("1")
    tell_turn(demo, 72)
    expect(page.locator("#turn")).to_contain_text("72")
    expect(field).to_be_focused()
    expect(field).to_have_value("1")
    field.press("Tab")
    expect(field).to_have_attribute("value", "1")  # the order's from now on
    page.locator("[data-key='order-leave']").click()
    tell_turn(demo, number)
