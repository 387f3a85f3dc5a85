"""The page with the ChArUco board for lens calibration."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.errors import UnusableFile
from calibration.lenses.boards import Board, opencv_board
from calibration.prints.markers import marker_bits
from calibration.sheets.page import BOLD, Page

__all__ = ["draw_board"]

MARGIN_MM = 9.0
_FOOT_MM = 17.0
_ADVICE = (
    "Glue this sheet to something flat and stiff. Take ten to twenty sharp photos of it with the camera, at the"
    " size and focus that you play with, from all sides and tilted, so that in some it fills the picture and in"
    " others its corners. Then: vedette calibrate PHOTO... -o camera.json"
)


def draw_board(new_page: Callable[[], Page], board: Board) -> None:
    """Draws a board on a page of its own, as wide as it is. Raises UnusableFile where it does not fit."""
    page = new_page()
    width, height = board.columns * board.square_mm, board.rows * board.square_mm
    room = page.width_mm - 2 * MARGIN_MM, page.height_mm - 2 * MARGIN_MM - _FOOT_MM
    if width > room[0] or height > room[1]:
        raise UnusableFile(
            f"the board {board} is {width:g} x {height:g} mm, too large for paper of {page.width_mm:g} x"
            f" {page.height_mm:g} mm: its margins and the line below leave {room[0]:g} x {room[1]:g} mm"
        )
    left = (page.width_mm - width) / 2
    bottom = MARGIN_MM + _FOOT_MM + (page.height_mm - 2 * MARGIN_MM - _FOOT_MM - height) / 2
    made = opencv_board(board)
    taken = set()
    for number, corners in zip(np.ravel(made.getIds()), made.getObjPoints(), strict=True):
        x, y = float(corners[0][0]), float(corners[0][1])
        taken.add((int(x // board.square_mm), int(y // board.square_mm)))
        lower = bottom + height - y - board.marker_mm
        page.bits(left + x, lower, board.marker_mm, marker_bits(board.dictionary, int(number)))
    black = [
        (left + c * board.square_mm, bottom + height - (r + 1) * board.square_mm)
        for r in range(board.rows)
        for c in range(board.columns)
        if (c, r) not in taken
    ]
    page.squares(black, board.square_mm)
    page.text(left, MARGIN_MM + 11, f"Calibration board {board}", size=10, font=BOLD)
    page.paragraph(left, MARGIN_MM + 7, width, _ADVICE, size=8)
    page.done()
