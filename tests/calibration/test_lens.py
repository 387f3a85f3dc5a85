"""A lens from views of a board: right where the views have been, and said to be unsure where they have not."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.errors import JobFailed
from calibration.lenses.boards import Board, BoardView, board_corners_mm
from calibration.lenses.lens import Calibration, Photo, calibrate_lens
from calibration.lenses.lensdoubt import but_for_a_turn, place_in_words
from calibration.optics import pixels_of_rays, rays_of_pixels
from tests.calibration.rendering import LENS, seen

BOARD = Board(columns=11, rows=8, square_mm=30.0, marker_mm=22.0, dictionary="DICT_5X5_100")
SIZE = (LENS.width_px, LENS.height_px)
NOISE_PX = 0.05


def views(count: int, within: float = 1.0, seed: int = 0) -> list[Photo]:
    """Photos of the board from all sides, of which only corners within a share of the picture were read."""
    rng = np.random.default_rng(seed)
    corners = board_corners_mm(BOARD)
    out = []
    for number in range(count):
        tilt = np.append(rng.uniform(-0.6, 0.6, 2), rng.uniform(-0.2, 0.2))
        at = np.array([rng.uniform(-345, 15), rng.uniform(-220, -20), rng.uniform(420, 650)])
        pixels = seen(corners, tilt, at) + rng.normal(0, NOISE_PX, (len(corners), 2))
        shown = (np.abs(pixels / SIZE - 0.5) < min(within, 0.99) / 2).all(axis=1)
        view = BoardView(BOARD, np.flatnonzero(shown).astype(np.intp), pixels[shown], 0)
        out.append(Photo(f"photo-{number}", SIZE, view))
    return out


def worst_px(found: Calibration) -> float:
    """How far the lens is off over the picture, but for what a turn of the camera makes good."""
    x, y = np.meshgrid(np.linspace(0, SIZE[0] - 1, 13), np.linspace(0, SIZE[1] - 1, 9))
    places = np.column_stack([x.ravel(), y.ravel()])
    rays = rays_of_pixels(places, LENS)
    off = but_for_a_turn(pixels_of_rays(rays, found.intrinsics) - places, rays, LENS)
    return float(np.linalg.norm(off, axis=1).max())


@pytest.mark.parametrize("count", [10, 14])
def test_a_lens_seen_from_all_sides_is_right_and_says_so(count: int):
    found = calibrate_lens(views(count))
    assert found.intrinsics.fx == pytest.approx(LENS.fx, rel=0.002)
    assert found.intrinsics.fy == pytest.approx(LENS.fy, rel=0.002)
    assert found.cross_validated_px == pytest.approx(NOISE_PX * np.sqrt(2), rel=0.3)
    assert worst_px(found) < 0.5
    assert worst_px(found) < 3 * found.doubt_px[1]
    assert not any("known to" in warning for warning in found.warnings)


@pytest.mark.parametrize("within", [0.55, 0.65])
def test_where_no_view_reached_the_lens_is_said_to_be_unknown_and_what_to_do(within: float):
    found = calibrate_lens(views(12, within))
    (warning,) = [w for w in found.warnings if "known to no better" in w]
    assert "corner" in warning
    assert "take more photos" in warning
    assert found.doubt_px[1] > 1.0
    assert worst_px(found) < 4 * found.doubt_px[1]


def test_a_focal_length_that_is_not_sure_is_told_with_its_doubt():
    found = calibrate_lens(views(3, 0.3))
    (warning,) = [w for w in found.warnings if "focal length" in w]
    assert f"known to {100 * found.sigma[0] / found.intrinsics.fx:.1f} % only" in warning


def test_a_misread_corner_is_refused():
    photos = views(12)
    photos[3].view.corners_px[5] += 4.0
    found = calibrate_lens(photos)
    assert found.corners_refused == 1
    assert worst_px(found) < 0.5


def held(tilts_deg: list[tuple[float, float]], count: int = 12) -> list[Photo]:
    """Photos of the board at many places and distances, tilted by turns as these say."""
    rng = np.random.default_rng(3)
    corners = board_corners_mm(BOARD)
    out = []
    for number in range(count):
        tilt = np.append(np.radians(tilts_deg[number % len(tilts_deg)]), 0.0)
        at = np.array([rng.uniform(-200, -120), rng.uniform(-150, -90), rng.uniform(450, 650)])
        pixels = seen(corners, tilt, at) + rng.normal(0, NOISE_PX, (len(corners), 2))
        shown = ((pixels > 0) & (pixels < SIZE)).all(axis=1)
        view = BoardView(BOARD, np.flatnonzero(shown).astype(np.intp), pixels[shown], 0)
        out.append(Photo(f"photo-{number}", SIZE, view))
    return out


@pytest.mark.parametrize("tilt_deg", [(0.0, 0.0), (25.0, 0.0)])
def test_a_board_that_lies_alike_in_all_photos_gives_no_lens(tilt_deg: tuple[float, float]):
    with pytest.raises(JobFailed, match=r"alike in all 12.*tilt the board, or the camera, to several sides"):
        calibrate_lens(held([tilt_deg]))


def test_the_same_photo_over_and_over_gives_no_lens():
    with pytest.raises(JobFailed, match="alike in all 11"):
        calibrate_lens(views(1) * 11)


@pytest.mark.parametrize("tilt_deg", [8.0, 30.0])
def test_a_lens_that_a_single_tilted_photo_holds_up_is_none(tilt_deg: float):
    with pytest.raises(JobFailed, match=r"without one or two of them .* tilt the board"):
        calibrate_lens(held([(0.0, 0.0)] * 11 + [(tilt_deg, 0.0)]))


def test_few_tilted_photos_make_a_focal_length_that_is_said_to_be_unsure():
    found = calibrate_lens(held([(0.0, 0.0)] * 9 + [(30.0, 0.0), (0.0, 30.0), (-30.0, 0.0)]))
    assert abs(found.intrinsics.fx - LENS.fx) < 3 * found.sigma[0]
    assert found.intrinsics.fx == pytest.approx(LENS.fx, rel=0.03)
    assert found.sigma[0] > 0.5


def test_two_views_are_too_few():
    with pytest.raises(JobFailed, match="too few usable views"):
        calibrate_lens(views(2))


@pytest.mark.parametrize(
    ("share", "words"),
    [
        ((0.1, 0.9), "bottom left corner"),
        ((0.5, 0.05), "top edge"),
        ((0.9, 0.5), "right edge"),
        ((0.5, 0.5), "middle"),
    ],
)
def test_places_are_told_in_words(share: tuple[float, float], words: str):
    assert place_in_words(np.multiply(share, SIZE), LENS) == words
