"""Freely placed markers, from four photos by hand (rendered, with known truth)."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from msgspec import structs

from calibration.cli import survey
from calibration.errors import JobFailed
from calibration.records import read_table
from calibration.surveys.survey import SurveyPhoto, survey_markers
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


def test_a_survey_goes_to_standard_output_alone_where_the_output_is_a_dash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = [*PHOTOS, "--table", str(DATA / "table.toml"), "--intrinsics", str(DATA / "camera.json"), "-o", "-"]
    done = CliRunner().invoke(survey, arguments)
    assert len(tomllib.loads(done.stdout)["markers"]["at"]) == 8
    told = " ".join(done.stderr.split())
    assert re.search(r"places known to ± 0\.\d mm, the least sure, marker \d, to ± \d\.\d mm: (good|fair)", told), (
        told
    )
    assert "MAD" not in told
    assert list(tmp_path.iterdir()) == []
    both = CliRunner().invoke(survey, [*arguments, "--json"])
    assert (both.exit_code, both.stdout) == (2, "")
    assert "-o - and --json both write to standard output" in both.stderr


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


ROUND = (0.3, 1.5, 2.7, 4.0, 5.2)
FLAT = tuple(structs.replace(place, z_mm=0.0) for place in PLACES)


def four_photos(places, noise_px=0.05, lens=LENS, height_mm=1600.0, turns=(0.3, 1.9, 3.4, 5.0)):
    out = []
    for n, turn in enumerate(turns):
        round_it = cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0]  # the camera walks round the table
        rotation = cv2.Rodrigues(overhead(height_mm, 35.0, turn_deg=0.0)[0])[0] @ round_it
        at = np.array([600.0, 310.0, 0.0]) + rotation[2] / rotation[2, 2] * height_mm  # its middle is in sight
        pose = np.ravel(cv2.Rodrigues(rotation)[0]), -rotation @ at
        found = [
            marker
            for marker in found_by(*pose, places, noise_px=noise_px, seed=n, lens=lens)
            if ((marker.corners_px > 0) & (marker.corners_px < SIZE)).all()
        ]
        out.append(SurveyPhoto(str(n), SIZE, tuple(found)))
    return out


def off_mm(found):
    """How far each marker is from its place, in the frame of markers 0 and 1."""
    first, second = (np.array([p.x_mm, p.y_mm]) for p in PLACES[:2])
    along = (second - first) / np.linalg.norm(second - first)
    across = np.array([-along[1], along[0]])
    there = {p.id: np.array([p.x_mm, p.y_mm]) - first for p in PLACES}
    return [np.hypot(m.x_mm - there[m.id] @ along, m.y_mm - there[m.id] @ across) for m in found.markers]


def test_a_flat_table_is_found_to_be_one_and_its_places_are_surer_for_it():
    photos = four_photos(FLAT)
    told, free = survey_markers(photos, 80.0, LENS), survey_markers(photos, 80.0, LENS, flat=False)
    assert told.flat
    assert not free.flat
    assert {m.z_mm for m in told.markers} == {0.0}
    assert told.median_sigma_mm <= free.median_sigma_mm
    assert max(off_mm(told)) < 1.0


def test_markers_on_boards_are_not_taken_to_be_flat_but_may_be_told_to():
    photos = four_photos(PLACES)
    told, flat = survey_markers(photos, 80.0, LENS), survey_markers(photos, 80.0, LENS, flat=True)
    assert not told.flat
    assert told.markers[4].z_mm == pytest.approx(40.0, abs=2.0)
    assert flat.flat
    assert any("not all lie in one plane" in said and "marker 4" in said for said in flat.warnings)
    assert flat.axis_residual_px > told.axis_residual_px


def test_a_lens_that_bends_back_at_the_rim_is_found_from_large_markers_too():
    bent = structs.replace(LENS, dist=(0.22, -0.72, -0.001, -0.001, 0.70))
    straight = structs.replace(LENS, dist=(0.0,) * 5)
    found = survey_markers(four_photos(FLAT, lens=bent, height_mm=1600.0), 80.0, straight)
    assert found.robust_residual_px < 0.06
    assert found.axis_residual_px < 0.06
    assert any("no distortion" in said for said in found.warnings)
    assert max(off_mm(found)) < 2.0


def test_a_lens_that_is_not_known_need_not_have_its_middle_in_the_picture_s():
    beside = structs.replace(LENS, cx=(LENS.width_px - 1) / 2 + 10.0, cy=(LENS.height_px - 1) / 2 - 8.0)
    found = survey_markers(four_photos(FLAT, lens=beside, turns=ROUND), 80.0, None)
    assert found.lens.cx == pytest.approx(beside.cx, abs=4.0)  # how far down it lies looks like a tilt
    assert max(off_mm(found)) < 1.5


def test_the_lens_of_another_camera_is_said_to_fit_the_photos_badly():
    other = structs.replace(LENS, fx=LENS.fx * 0.8, fy=LENS.fy * 0.8, dist=(-0.3, 0.1, 0.0, 0.0, 0.0))
    found = survey_markers(four_photos(FLAT, noise_px=0.1), 80.0, other)
    (said,) = (line for line in found.warnings if "lens" in line)
    assert "the markers fit the photos to" in said
    assert "another camera" in said
    assert not [s for s in survey_markers(four_photos(FLAT, noise_px=0.1), 80.0, LENS).warnings if "lens" in s]


def test_the_residual_is_the_noise_of_the_corners():
    found = survey_markers(four_photos(FLAT, noise_px=0.4), 80.0, LENS)
    assert found.robust_residual_px == pytest.approx(0.4, rel=0.25)
    assert found.axis_residual_px == pytest.approx(0.4, rel=0.25)
    assert found.residual_px == pytest.approx(found.axis_residual_px * np.sqrt(2))


def test_the_command_line_may_say_that_a_table_is_flat(tmp_path):
    table, report = surveyed(tmp_path, "--flat")
    assert report["flat"] is True
    assert {m.z_mm for m in table.markers.at} == {0.0}
    _, report = surveyed(tmp_path, "--no-flat")
    assert report["flat"] is False


def from_one_side(places, turns=(0.2, 0.3, 0.4, 0.5)):
    return four_photos(places, turns=turns)


@pytest.mark.parametrize("places", [PLACES, FLAT], ids=["on boxes", "flat"])
def test_that_photos_from_one_side_tell_no_heights_is_said_and_what_to_do(places):
    (warning,) = survey_markers(from_one_side(places), 80.0, LENS).warnings
    assert "do not tell how high markers 0, 1, 2, 3, 4, 5 lie" in warning
    assert "from all round the table" in warning
    assert "--flat" in warning


def test_photos_from_all_round_tell_the_heights_of_boxes_of_every_size():
    boxes = tuple(
        structs.replace(p, z_mm=z) for p, z in zip(PLACES, (0.3, 40.0, 25.0, 0.3, 60.0, 0.3), strict=True)
    )
    found = survey_markers(four_photos(boxes, turns=(0.3, 1.5, 2.7, 4.0, 5.2)), 80.0, LENS)
    assert not found.warnings
    assert [m.z_mm for m in found.markers] == pytest.approx([p.z_mm - 0.3 for p in boxes], abs=2.0)
    assert max(off_mm(found)) < 0.5


def without(photos, *missing):
    return [
        replace(p, found=tuple(f for f in p.found if f.id not in gone))
        for p, gone in zip(photos, missing, strict=True)
    ]


@pytest.mark.parametrize("marker", range(6))
@pytest.mark.parametrize("height_mm", [-2.0, 25.0, 70.0])
def test_one_marker_on_a_box_is_found_whichever_it_is(marker, height_mm):
    places = tuple(structs.replace(p, z_mm=height_mm if p.id == marker else 0.0) for p in PLACES)
    found = survey_markers(four_photos(places, turns=ROUND), 80.0, LENS)
    first = places[0].z_mm
    assert [m.z_mm for m in found.markers] == pytest.approx([p.z_mm - first for p in places], abs=2.0)
    assert max(off_mm(found)) < 1.2


@pytest.mark.parametrize("marker", range(6))
def test_a_marker_on_a_box_that_few_photos_show_puts_no_other_out_of_its_place(marker):
    places = tuple(structs.replace(p, z_mm=70.0 if p.id == marker else 0.0) for p in PLACES)
    beside = (marker + 2) % 6
    photos = without(four_photos(places, turns=ROUND), {marker}, set(), {marker}, {marker, beside}, set())
    found = survey_markers(photos, 80.0, LENS)
    off = dict(zip((m.id for m in found.markers), off_mm(found), strict=True))
    assert all(off[i] < max(1.5, 3 * found.sigma_mm[i]) for i in off)
    assert found.axis_residual_px < 0.06


def test_photos_that_miss_markers_do_nearly_as_well():
    photos = without(four_photos(FLAT, turns=ROUND), {1, 2}, {3}, {0, 5}, {2, 4}, {1})
    found = survey_markers(photos, 80.0, LENS)
    assert np.sqrt(np.mean(np.square(off_mm(found)))) < 0.8


def test_a_missing_frame_marker_is_named():
    with pytest.raises(JobFailed, match=r"marker 1 of the frame 0:1 is in no photo"):
        survey_markers([photo("a", (0, 3, 4), 0.3, 1)], 80.0, LENS)
