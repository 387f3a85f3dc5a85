"""Printed markers in a picture: all found, none invented, and where they were printed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.errors import UnusableFile
from calibration.lenses.boards import Board
from calibration.prints.markers import corners_on_table, find_markers, marker_bits
from calibration.records import MarkerAt
from tests.calibration.rendering import LENS, board_picture, markers_picture, overhead, seen
from tests.calibration.scenes import PLACES

POSE = overhead(at_mm=(600.0, 600.0))
TAGS = tuple(MarkerAt(id=10 + i, x_mm=200.0 + 90 * i, y_mm=300.0, rotation_deg=37.0 * i) for i in range(9))


def test_table_markers_are_placed_to_a_tenth_of_a_pixel_bloom_and_all():
    found = {f.id: f for f in find_markers(markers_picture(PLACES, 80.0, *POSE), "DICT_4X4_100")}
    assert sorted(found) == [0, 1, 2, 3, 4, 5]
    off = np.array([found[p.id].corners_px - seen(corners_on_table(p, 80.0), *POSE) for p in PLACES])
    assert np.sqrt((off**2).mean()) < 0.08
    assert np.abs(off.mean(axis=1)).max() < 0.08


def test_small_tags_are_found_in_the_printed_order_of_corners():
    found = {f.id: f for f in find_markers(markers_picture(TAGS, 30.0, *POSE), "DICT_4X4_100")}
    assert sorted(found) == [tag.id for tag in TAGS]
    off = np.array([found[tag.id].corners_px - seen(corners_on_table(tag, 30.0), *POSE) for tag in TAGS])
    assert np.sqrt((off**2).mean()) < 0.25


def test_noise_alone_holds_no_marker():
    grain = np.random.default_rng(5).integers(0, 255, (400, 600), dtype=np.uint8)
    assert find_markers(grain, "DICT_4X4_100") == ()


def test_an_unknown_dictionary_is_refused_with_the_known_ones():
    with pytest.raises(UnusableFile, match="DICT_4X4_100"):
        find_markers(np.zeros((9, 9), np.uint8), "DICT_3X3")


def test_a_picture_of_other_than_bytes_is_refused():
    with pytest.raises(ValueError, match="expected uint8"):
        find_markers(np.zeros((9, 9, 3), np.float32), "DICT_4X4_100")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dark_bgr", "paper_bgr", "print_"),
    [
        ((12, 12, 12), (225, 225, 225), True),
        ((12, 12, 12), (120, 200, 235), True),  # under a yellow lamp
        ((70, 66, 72), (225, 225, 225), True),  # in a haze
        ((40, 78, 52), (229, 239, 230), False),  # flock within a pale rim
        ((28, 40, 74), (225, 225, 225), False),
        ((24, 72, 84), (60, 178, 205), False),  # dark flock within a yellow rim
    ],
)
def test_in_colour_only_what_is_printed_in_black_on_paper_is_a_marker(
    dark_bgr: tuple[int, int, int], paper_bgr: tuple[int, int, int], print_: bool
):
    """A pale rim round dark flock, and a pale figure in the middle, may be the very cells of one."""
    grey = markers_picture(PLACES, 80.0, *POSE)
    share = (grey.astype(np.float64) - grey.min())[..., None] / (grey.max() - grey.min())
    picture = np.rint(np.array(dark_bgr) * (1 - share) + np.array(paper_bgr) * share).astype(np.uint8)
    wanted = [place.id for place in PLACES]
    assert [found.id for found in find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), "DICT_4X4_100")] == wanted
    assert [found.id for found in find_markers(picture, "DICT_4X4_100")] == (wanted if print_ else [])


def test_what_has_another_hue_than_the_paper_of_the_other_prints_is_no_marker():
    """A rim as pale as a print may be under some lamp is none beside prints that are lit otherwise."""
    grey = markers_picture(PLACES, 80.0, *POSE)
    picture = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    other = {f.id: f for f in find_markers(picture, "DICT_4X4_100")}[PLACES[0].id]
    low, high = (other.corners_px.min(axis=0) - 20).astype(int), (other.corners_px.max(axis=0) + 20).astype(int)
    around = picture[max(low[1], 0) : high[1], max(low[0], 0) : high[0]]
    around[:] = np.rint(around * np.array([0.52, 0.88, 1.0]))
    wanted = [place.id for place in PLACES]
    assert [found.id for found in find_markers(picture, "DICT_4X4_100")] == wanted[1:]
    picture[:] = np.rint(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) * np.array([0.52, 0.88, 1.0]))
    assert [found.id for found in find_markers(picture, "DICT_4X4_100")] == wanted


def test_the_squares_of_a_calibration_board_are_no_table_markers():
    board = Board(columns=9, rows=6, square_mm=60.0, marker_mm=44.0, dictionary="DICT_5X5_100")
    pose = np.array([0.1, 0.05, 0.02]), np.array([-260.0, -180.0, 700.0])
    assert find_markers(board_picture(board, *pose), "DICT_4X4_100") == ()


@pytest.mark.parametrize("side_px", [11.0, 14.0, 20.0])
def test_tags_of_two_pixels_a_cell_are_found_and_told_apart(side_px: float):
    scale = side_px / (20.0 * LENS.fx / 1400.0)
    found = {f.id: f for f in find_markers(markers_picture(TAGS, 20.0 * scale, *POSE, noise=3.0), "DICT_4X4_100")}
    assert sorted(found) == [tag.id for tag in TAGS]
    off = [found[tag.id].centre_px - seen(np.array([[tag.x_mm, tag.y_mm, 0.0]]), *POSE)[0] for tag in TAGS]
    assert np.sqrt(np.square(off).mean()) < 0.2


def test_a_large_picture_is_looked_at_small_and_measured_large():
    picture = cv2.resize(markers_picture(PLACES, 80.0, *POSE), None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    found = {f.id: f for f in find_markers(np.asarray(picture, np.uint8), "DICT_4X4_100")}
    assert sorted(found) == [0, 1, 2, 3, 4, 5]
    true = {p.id: (seen(corners_on_table(p, 80.0), *POSE) + 0.5) * 4 - 0.5 for p in PLACES}
    off = np.array([found[i].corners_px - corners for i, corners in true.items()])
    assert np.sqrt((off**2).mean()) < 0.4


@pytest.mark.parametrize(("left", "least"), [(0.6, 1.0), (0.35, 0.9)])
def test_hard_shadows_across_table_markers_hide_next_to_none(left: float, least: float):
    lit = markers_picture(PLACES, 80.0, *POSE)
    columns = np.arange(lit.shape[1])
    seen_of_all: list[int] = []
    for first in range(52, 100, 6):
        share = np.where(np.any([abs(columns - x) < 12 for x in range(first, 960, 48)], axis=0), left, 1.0)
        shadowed = np.asarray(255 * ((lit / 255) ** 2.2 * share) ** (1 / 2.2), dtype=np.uint8)
        seen_of_all += [f.id for f in find_markers(shadowed, "DICT_4X4_100")]
    assert set(seen_of_all) == {p.id for p in PLACES}
    assert least * 8 * len(PLACES) <= len(seen_of_all) <= 8 * len(PLACES)


def test_a_small_tag_on_a_large_sheet_is_not_taken_for_a_part_of_it():
    picture = np.full((400, 400), 90, np.uint8)
    picture[40:360, 40:360] = 235
    picture[60:340, 60:340] = 30
    tag = cv2.resize(marker_bits("DICT_4X4_100", 42) * 220 + 15, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    picture[180:220, 180:220] = 235
    picture[188:212, 188:212] = tag
    found = find_markers(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), "DICT_4X4_100")
    assert [f.id for f in found] == [42]
