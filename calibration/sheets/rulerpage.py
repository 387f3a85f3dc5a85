"""The first page: what to do with the sheets, and rulers in millimetres and inches, across and along."""

from __future__ import annotations

from collections.abc import Callable

from calibration.sheets.page import BOLD, Page

__all__ = ["draw_ruler"]

MARGIN_MM = 12.0
_INCH = 25.4
_WORDS = (
    "Print at 100 % or 'actual size', never 'fit to page'. Then lay a ruler on the two printed here: both must"
    " agree, across and along the paper.",
    "Off by up to a millimetre in 200? That is usual with home printers. Lay a tape between two markers once they"
    " lie on the table, and tell its length: on the page in the step Length, or with the command vedette tape.",
    "Cut the table markers out with their white border. Lay four or more flat just outside the play area, not in"
    " one line; three must be in sight at all times. The page finds out how they lie. If you write the table file"
    " yourself, turn each arrow to the far edge of the table, or give rotation_deg.",
    "Cut out a unit tag for any unit that is to be known by name, and lay it flat beside it, its arrow to the"
    " front.",
    "Matt paper is better than glossy: lamps shine on it. Card does not curl.",
)


def draw_ruler(new_page: Callable[[], Page]) -> None:
    """Draws the page."""
    page = new_page()
    top = page.height_mm - MARGIN_MM
    page.text(MARGIN_MM, top - 7, "Vedette: sheets to print", size=18, font=BOLD)
    y = top - 18
    for words in _WORDS:
        y = page.paragraph(MARGIN_MM + 32, y, page.width_mm - 2 * MARGIN_MM - 32, words, size=11) - 3
    length = int((page.width_mm - 2 * MARGIN_MM) // 10) * 10
    _ruler(page, MARGIN_MM, MARGIN_MM + 16, length, upright=False)
    _ruler(page, MARGIN_MM + 10, MARGIN_MM + 40, 200, upright=True)
    page.done()


def _ruler(page: Page, x: float, y: float, length_mm: int, *, upright: bool) -> None:
    """A ruler from (x, y): millimetres on one side, inches on the other."""

    def tick(along: float, across: float, wide: float) -> None:
        a, b = ((x, y + along), (x + across, y + along)) if upright else ((x + along, y), (x + along, y + across))
        page.line(*a, *b, wide=wide)

    def label(along: float, across: float, words: str) -> None:
        if upright:
            page.centred(x + across, y + along - 1, words, size=8)
        else:
            page.centred(x + along, y + across - 1, words, size=8)

    page.line(x, y, x if upright else x + length_mm, y + length_mm if upright else y, wide=0.2)
    for millimetre in range(length_mm + 1):
        long = 6.0 if millimetre % 10 == 0 else 4.5 if millimetre % 5 == 0 else 3.0
        tick(millimetre, long, 0.15)
        if millimetre % 10 == 0:
            label(millimetre, 8.5, str(millimetre))
    for sixteenth in range(int(length_mm / _INCH * 16) + 1):
        long = 6.0 if sixteenth % 16 == 0 else 4.5 if sixteenth % 8 == 0 else 3.5 if sixteenth % 4 == 0 else 2.0
        tick(sixteenth * _INCH / 16, -long, 0.15)
        if sixteenth % 16 == 0:
            label(sixteenth * _INCH / 16, -8.5, f"{sixteenth // 16} in" if sixteenth else "0")
