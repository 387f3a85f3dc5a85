"""Freely placed markers, from four photos by hand (rendered, with known truth)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from calibration.cli import survey
from calibration.errors import JobFailed
from calibration.records import read_table
from calibration.survey import SurveyPhoto, survey_markers
from tests.calibration.rendering import LENS, overhead
from tests.calibration.scenes import PLACES, SIZE, found_by

DATA = Path(__file__).parent.parent / "data" / "calibration" / "survey"
PHOTOS = [str(DATA / f"photo-{i}.jpg") for i in (1, 2, 3, 5)]


def surveyed(tmp_path, *options):
    out = tmp_path / "t2.toml"
    arguments = [*PHOTOS, "--table", str(DATA / "table.toml"), "--intrinsics", str(DATA / "camera.json")]
    result = CliRunner().invoke(survey, [*arguments, "-o", str(out), "--json", *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return read_table(out), json.loads(result.stdout)


def test_places_are_right_to_half_a_millimetre_and_a_tenth_of_a_degree(tmp_path):
    table, report = surveyed(tmp_path)
    truth = {m["id"]: m for m in json.loads((DATA / "truth.json").read_text())["markers"]}
    assert [m.id for m in table.markers.at] == sorted(truth)
    off = [np.hypot(m.x_mm - truth[m.id]["x_mm"], m.y_mm - truth[m.id]["y_mm"]) for m in table.markers.at]
    assert np.sqrt(np.mean(np.square(off))) < 0.5
    turned = [(m.rotation_deg - truth[m.id]["rotation_deg"] + 180) % 360 - 180 for m in table.markers.at]
    assert np.abs(turned).max() < 0.1
    assert report["residual_px"] < 0.2
    assert 0 < report["median_sigma_mm"] < 2.0
    assert table.armies


def test_the_user_s_frame_and_tape_are_kept(tmp_path):
    table, report = surveyed(tmp_path, "--origin", "-60,-70,0.3", "--bearing", "0", "--length", "0:1=1880")
    first, second = table.markers.at[0], table.markers.at[1]
    assert (first.x_mm, first.y_mm, first.z_mm) == (-60.0, -70.0, 0.3)
    assert second.x_mm == pytest.approx(-60.0, abs=0.01)
    assert second.y_mm - first.y_mm == pytest.approx(1880.0, abs=0.01)
    assert table.markers.size_mm == pytest.approx(80.0 * 1880.0 / 1869.27, rel=1e-3)
    assert any("the tape says 1880 mm" in warning for warning in report["warnings"])


def photo(name, ids, turn, seed):
    pose = overhead(1300.0, 20.0, (600.0 + 200 * np.sin(turn), 300.0 + 200 * np.cos(turn)), np.degrees(turn))
    shown = [place for place in PLACES if place.id in ids]
    return SurveyPhoto(name, SIZE, tuple(found_by(*pose, shown, noise_px=0.03, seed=seed)))


def test_photos_may_each_show_a_part_if_they_hang_together():
    parts = [photo("a", (0, 3, 4), 0.3, 1), photo("b", (4, 5, 3), 2.0, 2), photo("c", (1, 2, 5, 4), 4.0, 3),
             photo("d", (0, 1, 4), 5.0, 4)]  # fmt: skip
    found = survey_markers(parts, 80.0, LENS)
    assert [m.id for m in found.markers] == [0, 1, 2, 3, 4, 5]
    apart = np.hypot(PLACES[1].x_mm - PLACES[0].x_mm, PLACES[1].y_mm - PLACES[0].y_mm)
    assert found.frame_length_mm == pytest.approx(apart, rel=0.004)


def test_photos_that_do_not_hang_together_are_said():
    with pytest.raises(JobFailed, match="do not tie marker 0 to marker 1"):
        survey_markers([photo("a", (0, 3), 0.3, 1), photo("b", (1, 2), 2.0, 2)], 80.0, LENS)


def test_a_missing_frame_marker_is_named():
    with pytest.raises(JobFailed, match=r"marker 1 of the frame 0:1 is in no photo"):
        survey_markers([photo("a", (0, 3, 4), 0.3, 1)], 80.0, LENS)
