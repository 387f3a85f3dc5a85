"""The calibration board: which it is, its corners to a few hundredths of a pixel, and the lens they give."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from calibration.errors import JobFailed, UnusableFile
from calibration.lenses.boards import DEFAULT_BOARD, Board, BoardView, board_corners_mm, find_board, read_board
from calibration.lenses.lens import Photo, calibrate_lens
from tests.calibration.rendering import LENS, board_picture, seen

POSE = np.array([0.3, 0.12, 0.05]), np.array([-100.0, -80.0, 300.0])


@pytest.mark.parametrize("legacy", [False, True])
def test_corners_carry_no_half_pixel_and_both_layouts_are_known(legacy):
    printed = Board(8, 6, 25.0, 18.0, "DICT_5X5_100", legacy=legacy)
    view = find_board(board_picture(printed, *POSE), Board(8, 6, 25.0, 18.0, "DICT_5X5_100"))
    assert view.board.legacy == legacy
    off = view.corners_px - seen(board_corners_mm(printed)[view.ids], *POSE)
    assert len(view.ids) == 35
    assert np.abs(off.mean(axis=0)).max() < 0.03
    assert np.sqrt((off**2).sum(axis=1).mean()) < 0.08


WIDE = replace(LENS, fx=560.0, fy=561.0, dist=(-0.28, 0.09, 0.0005, -0.0004, -0.012))
NEAR = np.array([0.1, 0.15, 0.1]), np.array([-135.0, -90.0, 160.0])


def test_a_lens_that_bends_straight_rows_moves_no_corner():
    """In a wide lens a row of the board is an arc: a straight line along a square's edge misses its corner."""
    view = find_board(board_picture(DEFAULT_BOARD, *NEAR, lens=WIDE), DEFAULT_BOARD)
    off = view.corners_px - seen(board_corners_mm(DEFAULT_BOARD)[view.ids], *NEAR, WIDE)
    assert len(view.ids) > 40
    assert np.linalg.norm(off, axis=1).max() < 0.2
    assert np.sqrt((off**2).sum(axis=1).mean()) < 0.06


@pytest.mark.parametrize("shift", [-30.0, 0.0, 12.0])
def test_where_the_picture_cuts_the_board_corners_are_found_almost_to_its_edge(shift):
    pose = NEAR[0], NEAR[1] + (shift, shift / 2, 0.0)
    view = find_board(board_picture(DEFAULT_BOARD, *pose, lens=WIDE), DEFAULT_BOARD)
    places = seen(board_corners_mm(DEFAULT_BOARD), *pose, WIDE)
    square = 560.0 * DEFAULT_BOARD.square_mm / 160.0
    within = np.minimum(places, np.array([WIDE.width_px, WIDE.height_px]) - 1 - places).min(axis=1)
    missed = set(np.flatnonzero(within > 0.6 * square)) - set(view.ids.tolist())
    assert len(missed) <= 2
    off = np.linalg.norm(view.corners_px - places[view.ids], axis=1)
    assert within[view.ids].min() < 0.6 * square
    assert off.max() < 0.3


def test_an_empty_picture_shows_no_board():
    assert len(find_board(np.full((200, 300), 128, np.uint8), DEFAULT_BOARD).ids) == 0


def photos(count=12, noise=0.05, seed=4):
    rng = np.random.default_rng(seed)
    out = []
    for i in range(count):
        tilt = np.array([np.cos(2.4 * i), np.sin(2.4 * i), 0.0]) * 0.55
        shift = np.array([-125 + rng.uniform(-70, 70), -87 + rng.uniform(-40, 40), rng.uniform(230, 330)])
        corners = seen(board_corners_mm(DEFAULT_BOARD), tilt, shift)
        inside = np.all((corners > 3) & (corners < (LENS.width_px - 4, LENS.height_px - 4)), axis=1)
        view = BoardView(
            DEFAULT_BOARD, np.flatnonzero(inside), corners[inside] + rng.normal(0, noise, (inside.sum(), 2)), 35
        )
        out.append(Photo(f"photo-{i}", (LENS.width_px, LENS.height_px), view))
    return out


def test_a_lens_is_found_with_honest_figures():
    found = calibrate_lens(photos())
    lens = found.intrinsics
    assert lens.fx == pytest.approx(LENS.fx, rel=0.002)
    assert lens.fy == pytest.approx(LENS.fy, rel=0.002)
    for value, true, sigma in zip(
        (lens.fx, lens.fy, lens.cx, lens.cy), (LENS.fx, LENS.fy, LENS.cx, LENS.cy), found.sigma, strict=True
    ):
        assert abs(value - true) < 4 * sigma
    assert found.cross_validated_px == pytest.approx(0.05 * np.sqrt(2), rel=0.2)


def test_misread_corners_are_refused():
    shown = photos()
    shown[3].view.corners_px[5] += 9.0
    found = calibrate_lens(shown)
    assert found.corners_refused >= 1
    assert found.intrinsics.fx == pytest.approx(LENS.fx, rel=0.002)


def test_too_few_views_and_unequal_sizes_are_said():
    with pytest.raises(JobFailed, match=r"too few usable views.*2 of 2 photos"):
        calibrate_lens(photos(2))
    mixed = photos(5)
    mixed[2] = Photo("sideways", (LENS.height_px, LENS.width_px), mixed[2].view)
    with pytest.raises(JobFailed, match=r"differ in size: photo-1 has 960 x 540, sideways has 540 x 960"):
        calibrate_lens(mixed)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("11x8", "expected COLSxROWS"),
        ("11x8:30:22:DICT_9X9", "not known"),
        ("11x8:22:30:DICT_5X5_100", "smaller than its square"),
        ("2x8:30:22:DICT_5X5_100", "3 to 200"),
        ("30x20:30:22:DICT_5X5_100", "needs 300 markers"),
        ("11x8:3.0.1:2:DICT_5X5_100", "expected COLSxROWS"),
    ],
)
def test_a_board_that_cannot_be_is_refused(text, said):
    with pytest.raises(UnusableFile, match=said):
        read_board(text)


def test_a_board_s_text_reads_back():
    assert read_board(str(DEFAULT_BOARD)) == DEFAULT_BOARD
