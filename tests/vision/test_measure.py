"""One photo to an observation: pictures with known truth, warnings in plain words, and a camera that is bumped."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from shapely import Polygon

from calibration.errors import JobFailed, UnusableFile
from calibration.pictures import read_picture
from calibration.records import read_intrinsics, read_table
from tests.vision.small_table import LENS, TABLE, base, table
from tests.vision.small_table import camera as over_table
from vision.errors import EMPTY_PHOTO
from vision.measure import Measurer, measure
from vision.records import Observation
from vision.simulated import Effects, Renderer, TagPlaced, TerrainPlaced, empty_of
from vision.simulated.camera import camera_over

DATA = Path(__file__).parents[1] / "data" / "measure"
CASES = ("tags", "full")


@cache
def case(name: str) -> tuple[Observation, dict[str, Any]]:
    folder = DATA / name
    seen = measure(
        read_picture(folder / "photo.jpg"),
        read_table(folder / "table.toml"),
        read_intrinsics(folder / "camera.json"),
    )
    return seen, json.loads((folder / "truth.json").read_text())


@pytest.mark.parametrize("name", CASES)
def test_every_tag_is_found_where_it_lies_and_none_that_is_not_there(name: str):
    seen, truth = case(name)
    true = {tag["id"]: tag for tag in truth["tags"]}
    assert {tag.id for tag in seen.tags} == set(true)
    off = np.array([(t.x_mm - true[t.id]["x_mm"], t.y_mm - true[t.id]["y_mm"]) for t in seen.tags])
    turned = np.array([(t.bearing_deg - true[t.id]["bearing_deg"] + 180.0) % 360.0 - 180.0 for t in seen.tags])
    assert np.sqrt((off**2).sum(axis=1).mean()) < 0.3
    assert np.sqrt((turned**2).mean()) < 0.7
    within = np.linalg.norm(off, axis=1) <= 2.45 * np.array([tag.sigma_mm for tag in seen.tags])
    assert within.mean() >= 0.85


@pytest.mark.parametrize("name", CASES)
def test_every_piece_of_terrain_is_seen_whole_and_nothing_else(name: str):
    seen, truth = case(name)
    overlaps = []
    for piece in truth["terrain"]:
        true = Polygon(piece["polygon_mm"])
        rivals = [Polygon(s.polygon_mm) for s in seen.terrain if s.kind == piece["kind"]]
        overlaps.append(max((true & r).area / (true | r).area for r in rivals) if rivals else 0.0)
    assert np.mean(overlaps) > 0.96
    assert min(overlaps) > 0.9
    assert len(seen.terrain) == len(truth["terrain"])
    assert all(Polygon(piece.polygon_mm).is_valid for piece in seen.terrain)


def test_bases_on_the_hill_stand_at_its_height():
    seen, truth = case("full")
    heights = {28.0 if base["z_mm"] > 0 else 0.0 for base in truth["bases"]}
    assert {b.z_mm for b in seen.bases} <= heights | {1.0, 1.5, 2.0}
    assert 28.0 in {b.z_mm for b in seen.bases}


def test_most_bases_are_found():
    seen, truth = case("full")
    places = np.array([(b.x_mm, b.y_mm) for b in seen.bases])
    asked = [b for b in truth["bases"] if b["visible_rim_fraction"] >= 0.35]
    found = [np.linalg.norm(places - (b["x_mm"], b["y_mm"]), axis=1).min() < 5.0 for b in asked]
    assert np.mean(found) > 0.85


def test_the_camera_says_which_markers_it_rests_on():
    seen, truth = case("full")
    assert seen.camera.markers_used == tuple(marker["id"] for marker in truth["markers"])
    assert seen.camera.reprojection_rms_px < 1.0
    assert seen.warnings == ()


SMALL = table(
    base("b1", 200.0, 150.0),
    base("b2", 420.0, 300.0, army="french"),
    tags=(TagPlaced(id=17, x_mm=300.0, y_mm=320.0),),
)


def test_a_marker_out_of_sight_is_named():
    frame = Renderer(over_table()).render(SMALL)
    x, y = np.rint(over_table().project([[650.0, 410.0, 0.3]])[0]).astype(int)
    frame[y - 60 : y + 60, x - 60 : x + 60] = (40, 60, 70)
    seen = measure(frame, TABLE, LENS)
    assert seen.warnings[-1] == "marker 2 not seen"
    assert "only 3 table markers in sight" in seen.warnings[0]
    assert seen.camera.markers_used == (0, 1, 3)


def test_a_picture_without_markers_cannot_be_measured():
    with pytest.raises(JobFailed, match="too few table markers") as failed:
        measure(np.full((720, 960, 3), 90, np.uint8), TABLE, LENS)
    assert failed.value.exit_status == 1


def test_a_lens_of_another_shape_is_refused():
    with pytest.raises(UnusableFile) as refused:
        measure(Renderer(over_table()).render(SMALL), TABLE, replace(LENS, width_px=640, height_px=640))
    assert refused.value.exit_status == 2


def test_without_a_lens_file_the_lens_is_guessed_and_said_to_be():
    seen = measure(Renderer(over_table()).render(SMALL), TABLE)
    assert any("no lens file" in warning for warning in seen.warnings)
    (tag,) = seen.tags
    assert np.hypot(tag.x_mm - 300.0, tag.y_mm - 320.0) < 3.0


def test_a_still_camera_keeps_its_pose_and_a_bumped_one_is_said_and_followed():
    still, bumped = over_table(), camera_over((310.0, 182.0, 822.0), (304.0, 229.0), LENS)
    measurer = Measurer(TABLE, LENS)
    renderer = Renderer(still)
    measurer.measure(renderer.render(SMALL))
    first = measurer.camera
    again = measurer.measure(renderer.expose())
    assert measurer.camera is first
    assert not measurer.bumped
    assert again.warnings == ()
    moved = measurer.measure(Renderer(bumped).render(SMALL))
    assert measurer.bumped
    assert any("the camera was moved" in warning for warning in moved.warnings)
    assert np.hypot(moved.tags[0].x_mm - 300.0, moved.tags[0].y_mm - 320.0) < 0.5
    assert np.linalg.norm(np.array(moved.camera.position_mm) - bumped.position_mm) < 2.0


def test_with_every_marker_covered_the_camera_is_taken_to_hang_where_it_hung():
    measurer = Measurer(TABLE, LENS)
    frame = Renderer(over_table()).render(SMALL)
    measurer.measure(frame)
    for x_mm, y_mm in ((-50.0, 40.0), (650.0, 40.0), (650.0, 410.0), (-50.0, 410.0)):
        x, y = np.rint(over_table().project([[x_mm, y_mm, 0.3]])[0]).astype(int)
        frame[max(y - 70, 0) : y + 70, max(x - 70, 0) : x + 70] = (40, 60, 70)
    seen = measurer.measure(frame)
    assert any("taken to hang where it hung" in warning for warning in seen.warnings)
    assert [tag.id for tag in seen.tags] == [17]


def test_a_wood_that_is_laid_down_is_seen_in_the_next_frame():
    measurer = Measurer(TABLE, LENS)
    renderer = Renderer(over_table(), Effects())
    assert measurer.measure(renderer.render(SMALL)).terrain == ()
    wood = TerrainPlaced(kind="woods", polygon_mm=((60.0, 250.0), (180.0, 240.0), (190.0, 380.0), (70.0, 370.0)))
    assert [t.kind for t in measurer.measure(renderer.render(replace(SMALL, terrain=(wood,)))).terrain] == ["woods"]


PLAIN = replace(
    SMALL, bases=(*SMALL.bases, *(replace(base(f"p{n}", 250.0 + 60.0 * n, 80.0), plain=True) for n in range(3)))
)


def stand(seen: Observation, *at: tuple[float, float], plain: bool) -> bool:
    """Whether the plain, or the painted, bases stand at these places, and no others do."""
    places = np.array([(b.x_mm, b.y_mm) for b in seen.bases if (b.army is None) == plain])
    apart = np.linalg.norm(places.reshape(-1, 1, 2) - np.array(at).reshape(1, -1, 2), axis=2)
    return len(places) == len(at) and bool((apart.min(axis=0, initial=99.0) < 8.0).all())


def test_by_the_empty_table_bases_without_paint_are_found_too_and_belong_to_no_army():
    renderer = Renderer(over_table())
    empty = renderer.render(empty_of(PLAIN)).copy()
    frame = renderer.render(PLAIN)
    assert stand(measure(frame, TABLE, LENS), plain=True)
    seen = measure(frame, TABLE, LENS, empty)
    assert stand(seen, (250, 80), (310, 80), (370, 80), plain=True)
    assert stand(seen, (200, 150), (420, 300), plain=False)


def test_a_photo_of_another_table_for_the_empty_one_is_said_and_makes_up_no_bases():
    renderer = Renderer(over_table())
    frame, other = renderer.render(PLAIN), read_picture(DATA / "full" / "photo.jpg")
    seen = measure(frame, TABLE, LENS, other)
    assert stand(seen, plain=True)
    assert stand(seen, (200, 150), (420, 300), plain=False)
    (said,) = (line for line in seen.warnings if "empty table" in line)
    assert "looks otherwise" in said
    measurer = Measurer(TABLE, LENS, other)
    measurer.measure(frame)
    measurer.empty_bgr = renderer.render(empty_of(PLAIN)).copy()
    assert not [line for line in measurer.measure(frame, anew=True).warnings if "empty table" in line]


def test_figures_left_on_the_photo_of_the_empty_table_are_said() -> None:
    renderer = Renderer(over_table())
    laden = replace(PLAIN, bases=tuple(one for one in PLAIN.bases if not one.plain))
    measurer = Measurer(TABLE, LENS, renderer.render(laden).copy())
    (said,) = (line for line in measurer.measure(renderer.render(PLAIN)).warnings if EMPTY_PHOTO in line)
    assert "1 of british and 1 of french" in said
    assert "take it again" in said
    measurer.empty_bgr = renderer.render(empty_of(PLAIN)).copy()
    assert not [
        line for line in measurer.measure(renderer.render(PLAIN), anew=True).warnings if EMPTY_PHOTO in line
    ]


def test_a_plain_base_that_moves_is_followed_and_the_others_stay_as_they_were():
    renderer = Renderer(over_table())
    measurer = Measurer(TABLE, LENS, renderer.render(empty_of(PLAIN)).copy())
    before = measurer.measure(renderer.render(PLAIN))
    moved = replace(PLAIN, bases=(*PLAIN.bases[:-1], replace(PLAIN.bases[-1], x_mm=300.0, y_mm=220.0)))
    after = measurer.measure(renderer.render(moved))
    assert stand(after, (250, 80), (310, 80), (300, 220), plain=True)
    still = [b for b in before.bases if b.y_mm > 60.0 and b.x_mm < 340.0]
    assert all(b in after.bases for b in still)
