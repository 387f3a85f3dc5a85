"""The sheets, printed to pixels: everything true to scale, on both papers."""

from __future__ import annotations

import numpy as np
import pypdfium2
import pytest

from calibration.errors import UnusableFile
from calibration.lenses.boards import DEFAULT_BOARD, Board, board_corners_mm, find_board
from calibration.prints.markers import find_markers, marker_bits
from calibration.sheets import PAPERS, Order, make_sheets
from calibration.sheets.page import outlines

DPI = 150
PX_PER_MM = DPI / 25.4


def pages(pdf):
    document = pypdfium2.PdfDocument(pdf)
    return [np.asarray(page.render(scale=DPI / 72, grayscale=True).to_numpy()).squeeze() for page in document]


def sizes_mm(found):
    sides = np.linalg.norm(found.corners_px - np.roll(found.corners_px, -1, axis=0), axis=1)
    return sides / PX_PER_MM


@pytest.mark.parametrize("paper", list(PAPERS))
def test_printed_markers_are_found_at_their_size(paper):
    found = [f for page in pages(make_sheets(Order(paper=paper, parts=("markers",))))
             for f in find_markers(page, "DICT_4X4_100")]  # fmt: skip
    assert sorted(f.id for f in found) == list(range(10))
    for f in found:
        assert sizes_mm(f) == pytest.approx(80.0, rel=0.002)
        top = f.corners_px[1] - f.corners_px[0]
        assert top[0] > 0
        assert abs(top[1]) < 1


@pytest.mark.parametrize("paper", list(PAPERS))
def test_printed_tags_are_found_at_their_size(paper):
    order = Order(paper=paper, parts=("tags",), tag_ids=range(10, 40))
    found = [f for page in pages(make_sheets(order)) for f in find_markers(page, "DICT_4X4_100")]
    assert sorted(f.id for f in found) == list(range(10, 40))
    assert np.mean([sizes_mm(f).mean() for f in found]) == pytest.approx(25.0, rel=0.002)


@pytest.mark.parametrize("paper", list(PAPERS))
def test_the_printed_board_is_the_one_that_calibrate_expects(paper):
    (page,) = pages(make_sheets(Order(paper=paper, parts=("board",))))
    view = find_board(page, DEFAULT_BOARD)
    assert len(view.ids) == DEFAULT_BOARD.corner_count
    printed = board_corners_mm(DEFAULT_BOARD)[view.ids][:, :2]
    seen = view.corners_px / PX_PER_MM
    apart = seen - seen[0] - (printed - printed[0])
    assert np.abs(apart).max() < 0.2  # mm over 225: the renderer rounds pages up to whole pixels


@pytest.mark.parametrize("paper", list(PAPERS))
def test_pages_have_the_paper_s_size_and_all_parts(paper):
    document = pypdfium2.PdfDocument(make_sheets(Order(paper=paper)))
    width, height = PAPERS[paper]
    sizes = [tuple(round(side / 72 * 25.4, 1) for side in page.get_size()) for page in document]
    assert set(sizes) == {(width, height), (height, width)}
    first = document[0].get_textpage().get_text_bounded()
    assert "100 %" in first
    assert "7 in" in first


def test_the_same_order_gives_the_same_bytes():
    assert make_sheets(Order(parts=("ruler", "board"))) == make_sheets(Order(parts=("ruler", "board")))


def test_what_does_not_fit_or_does_not_exist_is_refused():
    with pytest.raises(UnusableFile, match="do not fit"):
        make_sheets(Order(parts=("markers",), marker_mm=170.0))
    with pytest.raises(UnusableFile, match="ids 0 to 49, not 50"):
        make_sheets(Order(dictionary="DICT_4X4_50", parts=("tags",)))


@pytest.mark.parametrize("number", [0, 3, 17, 62, 99])
def test_outlines_enclose_exactly_the_black_cells(number):
    """Shoelace areas: holes count against what they lie in."""
    black = marker_bits("DICT_4X4_100", number) == 0
    area = sum(
        sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(loop, loop[1:] + loop[:1], strict=True)) / 2
        for loop in outlines(black)
    )
    assert area == black.sum()


def test_a_board_that_does_not_fit_is_refused_with_the_room_that_there_is() -> None:
    board = Board(columns=9, rows=6, square_mm=30.0, marker_mm=22.0, dictionary="DICT_5X5_100")
    with pytest.raises(
        UnusableFile, match=r"270 x 180 mm, too large for paper of 297 x 210 mm.*leave 279 x 175 mm"
    ):
        make_sheets(Order(parts=("board",), board=board))
