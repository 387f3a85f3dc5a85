"""Pages of markers as cards to be cut out: the black square, its white border, its id, and which way is up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibration.errors import UnusableFile
from calibration.prints.markers import marker_bits
from calibration.sheets.page import BOLD, Page

__all__ = ["Cards", "draw_cards"]

MARGIN_MM = 9.0  # what home printers leave white
HEAD_MM, FOOT_MM = 10.5, 10.5


@dataclass(frozen=True)
class Cards:
    """What is printed on a run of pages: markers of one size, with what is written on each card and page.

    ``above_mm`` and ``below_mm`` are the heights of the strips for text, outside the white border.
    """

    title: str
    advice: str
    dictionary: str
    size_mm: float
    ids: Sequence[int]
    above_mm: float
    below_mm: float
    above: str | None
    below: Callable[[int], str]
    text_pt: float

    @property
    def quiet_mm(self) -> float:
        """The white border: as wide as one of the marker's cells."""
        return self.size_mm / len(marker_bits(self.dictionary, 0))


def draw_cards(new_page: Callable[[], Page], cards: Cards) -> None:
    """Draws all cards, as many to a page as it holds. Raises UnusableFile where not even one fits."""
    page = new_page()
    width = cards.size_mm + 2 * cards.quiet_mm
    height = width + cards.above_mm + cards.below_mm
    columns = int((page.width_mm - 2 * MARGIN_MM + 1e-6) // width)
    rows = int((page.height_mm - 2 * MARGIN_MM - HEAD_MM - FOOT_MM + 1e-6) // height)
    if columns < 1 or rows < 1:
        raise UnusableFile(
            f"a marker of {cards.size_mm:g} mm and its white border do not fit on paper of {page.width_mm:g} x"
            f" {page.height_mm:g} mm; choose a smaller size or larger paper"
        )
    left = (page.width_mm - columns * width) / 2
    top = page.height_mm - MARGIN_MM - HEAD_MM
    for start in range(0, len(cards.ids), columns * rows):
        if start:
            page = new_page()
        _frame(page, cards)
        for place, number in enumerate(cards.ids[start : start + columns * rows]):
            row, column = divmod(place, columns)
            _card(page, cards, number, left + column * width, top - (row + 1) * height)
        page.done()


def _card(page: Page, cards: Cards, number: int, x: float, y: float) -> None:
    """One card with its lower left corner at (x, y)."""
    width = cards.size_mm + 2 * cards.quiet_mm
    height = width + cards.above_mm + cards.below_mm
    page.cut(x, y, width, height)
    bits = marker_bits(cards.dictionary, number)
    page.bits(x + cards.quiet_mm, y + cards.below_mm + cards.quiet_mm, cards.size_mm, bits)
    middle = x + width / 2
    if cards.above is not None:
        base = y + height - cards.above_mm
        page.arrow(middle, base + cards.above_mm * 0.45, cards.above_mm * 0.4)
        page.centred(middle, base + 0.4, cards.above, size=cards.text_pt, grey=True)
    else:
        page.arrow(x + width * 0.3, y + cards.below_mm * 0.38, cards.below_mm * 0.42)
    page.centred(middle, y + cards.below_mm * 0.36, cards.below(number), size=cards.text_pt, font=BOLD, grey=True)


def _frame(page: Page, cards: Cards) -> None:
    """The page's heading, and a line at its foot to check the scale."""
    page.text(MARGIN_MM, page.height_mm - MARGIN_MM - 4, cards.title, size=12, font=BOLD)
    page.text(MARGIN_MM, page.height_mm - MARGIN_MM - 8.5, cards.advice, size=8.5)
    check_line(page)


def check_line(page: Page) -> None:
    """A line of 100 mm at the foot of a page."""
    y, x0 = MARGIN_MM + 2, page.width_mm / 2 - 50
    page.line(x0, y, x0 + 100, y)
    for x in (x0, x0 + 100):
        page.line(x, y - 1.5, x, y + 1.5)
    page.centred(page.width_mm / 2, y + 1.5, "100 mm exactly, if this was printed at 100 % (actual size)", size=8)
