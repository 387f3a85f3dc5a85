"""A table set up from one picture: where its markers lie, the tape, and board photos judged at once."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from calibration.errors import JobFailed
from calibration.lenses.boardlook import ACROSS, DOWN, cells_of, judged, next_photo
from calibration.lenses.boards import DEFAULT_BOARD
from calibration.lenses.lens import Photo, calibrate_lens, find_boards
from calibration.poses.pose import solve_pose
from calibration.poses.taped import compare, ends_of
from calibration.prints.markers import FoundMarker
from calibration.records import MarkerAt, Table
from calibration.surveys.laying import lay_table, missing_markers, scaled_to
from calibration.surveys.lengths import Length
from tests.calibration import scenes
from tests.calibration.rendering import LENS, overhead, seen
from tests.calibration.scenes import table_with
from vision.simulated.boards import POSES, BoardHeld, held_before
from vision.simulated.camera import LENS as FULL_HD

SIZE = (LENS.width_px, LENS.height_px)
PLACES = tuple(replace(marker, z_mm=0.0) for marker in scenes.PLACES)


def found_by(rvec: np.ndarray, tvec: np.ndarray) -> list[FoundMarker]:
    return scenes.found_by(rvec, tvec, PLACES)


def unlaid() -> Table:
    return table_with(())


def pixels(*points: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    rvec, tvec = overhead()
    at = seen(np.array([(x, y, 0.0) for x, y in points]), rvec, tvec)
    return tuple((float(x), float(y)) for x, y in at)


class TestLaying:
    @pytest.mark.parametrize("lens", [LENS, None])
    def test_two_corners_and_the_markers_make_a_table(self, lens: object) -> None:
        rvec, tvec = overhead()
        found = found_by(rvec, tvec)
        near = pixels((0.0, 0.0), (1200.0, 0.0))
        laid = lay_table(found, SIZE, unlaid(), LENS if lens else None, (near[0], near[1]))
        truth = {marker.id: marker for marker in PLACES}
        for marker in laid.table.markers.at:
            there = truth[marker.id]
            assert np.hypot(marker.x_mm - there.x_mm, marker.y_mm - there.y_mm) < (6.0 if lens else 30.0)

    @pytest.mark.parametrize("marker", range(6))
    def test_a_marker_on_a_box_is_laid_where_it_is_and_said_to_lie_higher(self, marker: int) -> None:
        places = tuple(replace(place, z_mm=70.0 if place.id == marker else 0.0) for place in PLACES)
        found = scenes.found_by(*overhead(), places)
        laid = lay_table(found, SIZE, unlaid(), LENS, pixels((0.0, 0.0), (1200.0, 0.0)))
        for there, told in zip(places, laid.table.markers.at, strict=True):
            assert np.hypot(told.x_mm - there.x_mm, told.y_mm - there.y_mm) < 6.0
            assert told.z_mm == pytest.approx(there.z_mm, abs=15.0)
        assert any(f"marker {marker} lies" in said and "above the others" in said for said in laid.warnings)

    def test_without_corners_the_play_area_lies_amid_the_markers(self) -> None:
        rvec, tvec = overhead()
        laid = lay_table(found_by(rvec, tvec), SIZE, unlaid(), LENS)
        at = np.array([(marker.x_mm, marker.y_mm) for marker in laid.table.markers.at])
        middle = (at.min(axis=0) + at.max(axis=0)) / 2
        assert middle == pytest.approx([600.0, 300.0], abs=60.0)

    def test_a_tape_sets_the_scale(self) -> None:
        rvec, tvec = overhead()
        found = found_by(rvec, tvec)
        a, b = PLACES[0], PLACES[-1]
        length = float(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)) * 1.01
        laid = lay_table(found, SIZE, unlaid(), LENS, None, [Length(a.id, b.id, length)])
        assert laid.table.markers.size_mm == pytest.approx(80.8, rel=0.004)
        assert any("the tape says" in warning for warning in laid.warnings)

    @pytest.mark.parametrize(("keep", "said"), [(0, "no marker seen"), (1, "marker "), (2, "three or more")])
    def test_too_few_markers_are_said_with_what_to_do(self, keep: int, said: str) -> None:
        found = found_by(*overhead())[:keep]
        with pytest.raises(JobFailed, match=said) as refused:
            lay_table(found, SIZE, unlaid(), LENS)
        assert "lay one beyond each corner" in str(refused.value)

    def test_a_number_that_lies_twice_is_named(self) -> None:
        found = found_by(*overhead())
        with pytest.raises(JobFailed, match=f"marker {found[0].id} is seen twice"):
            lay_table([*found, found[0]], SIZE, unlaid(), LENS)

    def test_corners_in_one_place_are_refused(self) -> None:
        (one,) = pixels((0.0, 0.0))
        with pytest.raises(JobFailed, match="one place"):
            lay_table(found_by(*overhead()), SIZE, unlaid(), LENS, (one, one))

    def test_markers_inside_a_table_that_is_too_large_are_doubted(self) -> None:
        table = unlaid()
        table = replace(table, table=replace(table.table, width_mm=5000.0, depth_mm=4000.0))
        laid = lay_table(found_by(*overhead()), SIZE, table, LENS)
        assert any("is the size of the table right" in warning for warning in laid.warnings)

    def test_which_are_missing_and_which_are_strangers(self) -> None:
        found = found_by(*overhead())
        first, rest = found[0].id, found[1:]
        told = missing_markers(rest, table_with())
        assert told.missing == (first,)
        assert missing_markers(found, unlaid()).others == tuple(sorted(marker.id for marker in found))

    def test_scaling_keeps_the_middle_or_the_point_that_is_named(self) -> None:
        table = table_with((MarkerAt(id=0, x_mm=0.0, y_mm=0.0), MarkerAt(id=1, x_mm=1200.0, y_mm=600.0)))
        first, second = scaled_to(table, 1.02).markers.at
        assert (first.x_mm + second.x_mm, first.y_mm + second.y_mm) == (1200.0, 600.0)
        assert second.x_mm - first.x_mm == pytest.approx(1224.0)
        assert scaled_to(table, 1.02, (0.0, 0.0)).markers.at[0].x_mm == 0.0


class TestTape:
    def camera(self) -> tuple[object, dict[int, np.ndarray]]:
        found = found_by(*overhead())
        return solve_pose(found, table_with(PLACES), LENS, SIZE), {one.id: one.centre_px for one in found}

    @pytest.mark.parametrize(
        ("by", "agrees", "said"),
        [(1.0, True, "they agree"), (1.006, False, "scale the table"), (1.1, False, "in millimetres")],
    )
    def test_a_tape_agrees_or_is_told_why_not(self, by: float, agrees: bool, said: str) -> None:
        camera, places = self.camera()
        a, b = PLACES[0], PLACES[-1]
        length = float(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm))
        taped = compare(camera, ends_of(places, a.id, b.id), length * by)  # type: ignore[arg-type]
        assert taped.agrees is agrees
        assert said in taped.said
        assert taped.factor == pytest.approx(by, abs=0.002)

    def test_a_marker_out_of_sight_and_a_length_that_is_none(self) -> None:
        camera, places = self.camera()
        with pytest.raises(JobFailed, match="marker 77 is not in sight"):
            ends_of(places, PLACES[0].id, 77)
        for wrong in (0.0, float("nan"), -5.0, 1e9):
            with pytest.raises(JobFailed, match="expected millimetres"):
                compare(camera, ends_of(places, PLACES[0].id, PLACES[-1].id), wrong)  # type: ignore[arg-type]


class TestBoardPhotos:
    def photo(self, held: BoardHeld, earlier: list[Photo]) -> tuple[Photo, tuple[str, ...]]:
        dark = np.full((FULL_HD.height_px, FULL_HD.width_px, 3), 70, np.uint8)
        grey = cv2.cvtColor(held_before(dark, FULL_HD, held), cv2.COLOR_BGR2GRAY).astype(np.uint8)
        (photo,) = find_boards([("photo", grey)], DEFAULT_BOARD)
        return photo, judged(grey, photo, earlier).faults

    def test_the_guided_way_leads_to_a_lens(self) -> None:
        photos: list[Photo] = []
        for pose in POSES[:10]:
            photo, faults = self.photo(pose, photos)
            assert faults == ()
            photos.append(photo)
        assert next_photo(photos) is None
        assert calibrate_lens(photos).intrinsics.fx == pytest.approx(FULL_HD.fx, rel=0.003)

    def test_the_same_again_is_not_wanted(self) -> None:
        first, _ = self.photo(POSES[0], [])
        _, faults = self.photo(POSES[0], [first])
        assert faults[0].startswith("much like photo 1")

    @pytest.mark.parametrize(
        ("held", "said"),
        [
            (replace(POSES[0], blur_px=3.0), "blurred"),
            (replace(POSES[0], middle_mm=(0.0, 0.0, 1150.0)), "far off"),
            (replace(POSES[0], middle_mm=(9000.0, 0.0, 400.0)), "not seen"),
        ],
    )
    def test_a_photo_that_is_of_no_use_is_told_why(self, held: BoardHeld, said: str) -> None:
        _, faults = self.photo(held, [])
        assert any(said in fault for fault in faults), faults

    def test_what_is_still_uncovered_is_asked_for(self) -> None:
        assert "fills about a quarter" in str(next_photo([]))
        corner, _ = self.photo(replace(POSES[0], middle_mm=(-140.0, -70.0, 430.0)), [])
        cells = cells_of([corner])
        assert all(0 <= cell < ACROSS * DOWN for cell in cells)
        assert "bottom right" in str(next_photo([corner]))
