"""What is written and drawn on the page's map: what of it lies on what, read off the page as a player sees it."""

from __future__ import annotations

from playwright.sync_api import Page

# A name's button reaches farther up and down than what is drawn of it, for the finger's sake.
_BOXES = """() => {
  const round = (all) => ({
    x: Math.min(...all.map((b) => b.x)), right: Math.max(...all.map((b) => b.right)),
    y: Math.min(...all.map((b) => b.y)), bottom: Math.max(...all.map((b) => b.bottom)),
  });
  const rect = (one) => one.getBoundingClientRect();
  const drawn = (one) => round([...one.children].filter((child) => child.checkVisibility()).map(rect));
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const plain = (selector, kind) => seen(selector).map((one) => [kind, one.textContent, round([rect(one)])]);
  const room = rect(document.getElementById('map')), sheet = rect(document.getElementById('sheet'));
  const bottom = sheet.left < room.right - 1 && sheet.height ? sheet.top : room.bottom;
  return [
    ...seen('.label').map((one) => ['label', one.innerText.replace(/\\s+/g, ' '), drawn(one)]),
    ...plain('.pin--range', 'range'), ...plain('.pin--moved', 'moved'), ...plain('#scale', 'scale'),
    ...plain('#tools', 'tools'), ...plain('.handle', 'handle'),
    ...plain('.drawing__figures .base__rim', 'figure'), ...plain('.drawing__grid .edge', 'table'),
  ].filter(([, , b]) => b.x < room.right && b.right > room.x && b.y < bottom && b.bottom > room.y);
}"""


class Marks:
    """What is on the map just now, once it lies still: rectangles on the screen by kind, with what they say."""

    def __init__(self, page: Page) -> None:
        before = None
        while (now := page.evaluate(_BOXES)) != before:
            before = now
            page.wait_for_timeout(150)
        self._all: list[tuple[str, str, dict[str, float]]] = [tuple(one) for one in now]

    def said(self, kind: str) -> list[str]:
        """What all of a kind say."""
        return [text for one, text, _ in self._all if one == kind]

    def box(self, kind: str) -> dict[str, float]:
        """The rectangle of the only one of a kind."""
        (found,) = [box for one, _, box in self._all if one == kind]
        return found

    def on(self, kinds: str, others: str) -> list[tuple[str, str]]:
        """What of some kinds lies on something else of some other kinds, each named by its kind and its words."""
        return [
            (f"{kind} {text}", f"{other} {word}")
            for index, (kind, text, box) in enumerate(self._all)
            for place, (other, word, under) in enumerate(self._all)
            if kind in kinds.split() and other in others.split() and place != index and _overlap(box, under)
        ]


def _overlap(a: dict[str, float], b: dict[str, float]) -> bool:
    """Whether two rectangles have more than a pixel in common."""
    across = a["x"] + 1 < b["right"] and b["x"] + 1 < a["right"]
    along = a["y"] + 1 < b["bottom"] and b["y"] + 1 < a["bottom"]
    return across and along
