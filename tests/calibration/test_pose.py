"""The camera's place from whatever table markers it sees."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from msgspec import structs

from calibration.errors import CalibrationError, JobFailed, UnusableFile
from calibration.poses.pose import solve_pose
from tests.calibration.rendering import LENS, overhead, seen
from tests.calibration.scenes import PLACES, SIZE, found_by, table_with

RVEC, TVEC = overhead(at_mm=(600.0, 600.0))
GRID = np.array([(x, y, z) for x in (100.0, 600.0, 1100.0) for y in (50.0, 300.0, 550.0) for z in (0.0, 3.0, 40.0)])


def error_mm(camera):
    """How far off points of the table are measured, over the whole of it and up to 40 mm above."""
    return np.linalg.norm(camera.to_plane(seen(GRID, RVEC, TVEC), GRID[:, 2]) - GRID[:, :2], axis=1)


def test_all_markers_give_the_pose_to_a_fraction_of_a_millimetre():
    camera = solve_pose(found_by(RVEC, TVEC), table_with(), LENS, SIZE)
    assert error_mm(camera).max() < 0.3
    assert camera.markers_used == (0, 1, 2, 3, 4, 5)
    assert camera.reprojection_rms_px < 0.15
    assert not camera.warnings


@pytest.mark.parametrize("ids", list(combinations(range(6), 3)))
def test_any_three_markers_are_enough_and_say_how_sure_they_are(ids):
    shown = [f for f in found_by(RVEC, TVEC, seed=3) if f.id in ids]
    camera = solve_pose(shown, table_with(), LENS, SIZE)
    assert camera.markers_used == ids
    sigma = np.sqrt(np.trace(camera.plane_covariance(seen(GRID, RVEC, TVEC), GRID[:, 2]), axis1=1, axis2=2) / 2)
    assert np.all(error_mm(camera) < 4 * sigma)


@pytest.mark.parametrize("moved", range(6))
@pytest.mark.parametrize("by_mm", [12.0, 60.0, 400.0])
def test_a_marker_that_was_moved_is_refused_and_named(moved, by_mm):
    places = [structs.replace(p, x_mm=p.x_mm + by_mm * 0.6, y_mm=p.y_mm + by_mm * 0.8) if p.id == moved else p
              for p in PLACES]  # fmt: skip
    camera = solve_pose(found_by(RVEC, TVEC, places), table_with(), LENS, SIZE)
    assert camera.markers_used == tuple(i for i in range(6) if i != moved)
    assert any(f"marker {moved} " in warning for warning in camera.warnings)
    assert error_mm(camera).max() < 0.5


def test_a_marker_that_was_turned_is_refused():
    places = [structs.replace(p, rotation_deg=p.rotation_deg + 90.0) if p.id == 2 else p for p in PLACES]
    camera = solve_pose(found_by(RVEC, TVEC, places), table_with(), LENS, SIZE)
    assert camera.markers_used == (0, 1, 3, 4, 5)


def test_two_wrong_markers_of_six_are_both_refused():
    shift = {1: 90.0, 5: -70.0}
    places = [structs.replace(p, x_mm=p.x_mm + shift.get(p.id, 0.0)) for p in PLACES]
    camera = solve_pose(found_by(RVEC, TVEC, places), table_with(), LENS, SIZE)
    assert camera.markers_used == (0, 2, 3, 4)


def test_of_two_prints_with_one_id_the_one_in_its_place_counts():
    stray = structs.replace(PLACES[3], x_mm=700.0, y_mm=300.0)
    camera = solve_pose(found_by(RVEC, TVEC, (*PLACES, stray)), table_with(), LENS, SIZE)
    assert camera.markers_used == (0, 1, 2, 3, 4, 5)
    assert error_mm(camera).max() < 0.3


def test_edges_seen_evenly_too_far_inside_do_not_shift_the_table():
    shrunk = [type(f)(f.id, f.centre_px + (f.corners_px - f.centre_px) * (1 - 0.7 / f.side_px))
              for f in found_by(RVEC, TVEC)]  # fmt: skip
    assert error_mm(solve_pose(shrunk, table_with(), LENS, SIZE)).max() < 0.4


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_markers_is_a_clear_error_that_names_them(count):
    with pytest.raises(JobFailed, match=r"too few table markers.*of markers 0, 1, 2, 3, 4, 5") as refused:
        solve_pose(found_by(RVEC, TVEC)[:count], table_with(), LENS, SIZE)
    assert refused.value.exit_status == 1


def test_three_markers_of_which_one_was_moved_do_not_agree():
    places = [structs.replace(PLACES[0], y_mm=PLACES[0].y_mm + 60.0), *PLACES[1:3]]
    with pytest.raises(JobFailed, match=r"do not agree.*found markers 0, 1, 2"):
        solve_pose(found_by(RVEC, TVEC, places), table_with(), LENS, SIZE)


def test_a_table_file_with_too_few_markers_is_told_so():
    with pytest.raises(JobFailed, match="the table file lists markers 0, 1"):
        solve_pose(found_by(RVEC, TVEC), table_with(PLACES[:2]), LENS, SIZE)


def test_without_a_lens_one_is_guessed_and_said_so():
    camera = solve_pose(found_by(RVEC, TVEC), table_with(), None, SIZE)
    assert "no lens file" in camera.warnings[0]
    assert error_mm(camera).max() < 3.0
    sigma = np.sqrt(np.trace(camera.plane_covariance(seen(GRID, RVEC, TVEC), GRID[:, 2]), axis1=1, axis2=2) / 2)
    assert np.mean(error_mm(camera) < 2.45 * sigma) > 0.9


def test_a_lens_of_another_size_is_scaled_and_one_of_another_shape_refused():
    half = structs.replace(LENS, width_px=480, height_px=270, fx=LENS.fx / 2, fy=LENS.fy / 2,
                           cx=(LENS.cx + 0.5) / 2 - 0.5, cy=(LENS.cy + 0.5) / 2 - 0.5)  # fmt: skip
    camera = solve_pose(found_by(RVEC, TVEC), table_with(), half, SIZE)
    assert "scaled" in camera.warnings[0]
    assert error_mm(camera).max() < 0.3
    with pytest.raises(UnusableFile, match="calibrate the camera at this size"):
        solve_pose(found_by(RVEC, TVEC), table_with(), structs.replace(LENS, height_px=720), SIZE)


def test_the_stated_covariance_is_that_of_many_trials():
    """Positions over 60 noisy pictures spread as the covariance says (corner noise as large as it assumes)."""
    spread, said = [], []
    point = seen(np.array([[600.0, 300.0, 0.0]]), RVEC, TVEC)
    for seed in range(60):
        camera = solve_pose(found_by(RVEC, TVEC, noise_px=0.15, seed=seed), table_with(), LENS, SIZE)
        spread.append(camera.to_plane(point, 0.0)[0] - (600.0, 300.0))
        said.append(np.trace(camera.plane_covariance(point, 0.0, sigma_px=0.0)[0]))
    ratio = np.mean(np.square(spread)) * 2 / np.mean(said)
    assert 0.5 < ratio < 1.6


def test_every_refusal_is_one_line():
    with pytest.raises(CalibrationError) as refused:
        solve_pose([], table_with(), LENS, SIZE)
    assert "\n" not in str(refused.value)
