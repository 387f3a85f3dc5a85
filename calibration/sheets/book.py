"""The sheets put together: which pages, on which paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from types import MappingProxyType

from reportlab.lib.units import mm
from reportlab.pdfgen import canvas

from calibration.errors import UnusableFile
from calibration.lenses.boards import DEFAULT_BOARD, Board
from calibration.prints.markers import marker_bits
from calibration.sheets.boardpage import draw_board
from calibration.sheets.cards import Cards, draw_cards
from calibration.sheets.page import Page
from calibration.sheets.rulerpage import draw_ruler

__all__ = ["PAPERS", "PARTS", "Order", "make_sheets"]

#: Paper → its width and height, upright, in mm.
PAPERS = MappingProxyType({"A4": (210.0, 297.0), "letter": (215.9, 279.4)})

PARTS = ("ruler", "markers", "tags", "board")


@dataclass(frozen=True)
class Order:
    """What to print: the parts, on which paper, which ids and how large."""

    paper: str = "A4"
    parts: tuple[str, ...] = PARTS
    dictionary: str = "DICT_4X4_100"
    marker_ids: Sequence[int] = field(default=tuple(range(10)))
    tag_ids: Sequence[int] = field(default=tuple(range(10, 100)))
    marker_mm: float = 80.0
    tag_mm: float = 25.0
    board: Board = DEFAULT_BOARD


def make_sheets(order: Order) -> bytes:
    """The PDF, the same bytes for the same order.

    Raises UnusableFile for an id that the dictionary has not, and where something does not fit on the paper.
    """
    unknown = [part for part in order.parts if part not in PARTS]
    if unknown or order.paper not in PAPERS:
        raise UnusableFile(
            f"expected parts of {', '.join(PARTS)} on {' or '.join(PAPERS)}, got {unknown or order.paper}"
        )
    for number in (*order.marker_ids, *order.tag_ids):
        marker_bits(order.dictionary, number)
    out = BytesIO()
    pdf = canvas.Canvas(out, invariant=1, pageCompression=1)
    pdf.setTitle("Vedette: sheets to print")
    pdf.setCreator("Vedette")
    width, height = PAPERS[order.paper]

    def upright() -> Page:
        pdf.setPageSize((width * mm, height * mm))
        return Page(pdf, width, height)

    def sideways() -> Page:
        pdf.setPageSize((height * mm, width * mm))
        return Page(pdf, height, width)

    draw: dict[str, Callable[[], None]] = {
        "ruler": lambda: draw_ruler(upright),
        "markers": lambda: draw_cards(upright, _markers(order)),
        "tags": lambda: draw_cards(upright, _tags(order)),
        "board": lambda: draw_board(sideways, order.board),
    }
    for part in PARTS:
        empty = (part == "markers" and not order.marker_ids) or (part == "tags" and not order.tag_ids)
        if part in order.parts and not empty:
            draw[part]()
    pdf.save()
    return out.getvalue()


def _markers(order: Order) -> Cards:
    return Cards(
        title="Table markers",
        advice=f"{order.dictionary}, {order.marker_mm:g} mm across the black square. Cut along the dashes: the"
        " white border belongs to the marker.",
        dictionary=order.dictionary,
        size_mm=order.marker_mm,
        ids=order.marker_ids,
        above_mm=7.0,
        below_mm=6.0,
        above="this edge away from you",
        below=lambda number: f"table marker {number}",
        text_pt=8.5,
    )


def _tags(order: Order) -> Cards:
    return Cards(
        title="Unit tags",
        advice=f"{order.dictionary}, {order.tag_mm:g} mm across the black square. Lay a tag flat beside its unit,"
        " the arrow to the unit's front.",
        dictionary=order.dictionary,
        size_mm=order.tag_mm,
        ids=order.tag_ids,
        above_mm=0.0,
        below_mm=4.5,
        above=None,
        below=str,
        text_pt=8.0,
    )
