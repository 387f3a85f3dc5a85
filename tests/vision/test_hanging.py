"""A camera that is bumped, turned or sags, markers that are kicked, and an arm that covers half of them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from msgspec import structs
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.records import MarkerAt
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.measure import Measurer
from vision.records import Observation
from vision.simulated import Effects, Renderer, TagPlaced, VirtualTable

AT = (
    MarkerAt(id=4, x_mm=300.0, y_mm=-30.0, z_mm=0.3),
    MarkerAt(id=5, x_mm=300.0, y_mm=480.0, z_mm=0.3),
)
SIX = structs.replace(TABLE, markers=structs.replace(TABLE.markers, at=(*TABLE.markers.at, *AT)))
SET_UP = replace(
    table(
        base("b1", 200.0, 150.0),
        base("f1", 420.0, 300.0, army="french"),
        tags=(TagPlaced(id=17, x_mm=300.0, y_mm=250.0),),
    ),
    table=SIX,
)
BUMPS = [
    pytest.param((1.0, 0.0), id="by a pixel"),
    pytest.param((5.0, 0.0), id="by five pixels"),
    pytest.param((40.0, 0.0), id="by forty pixels"),
    pytest.param((-30.0, 10.0), id="pushed and turned far"),
    pytest.param((0.0, 0.4), id="turned by half a degree"),
    pytest.param((3.0, 6.0), id="pushed and turned"),
]


def bumped(by_px: float = 0.0, turned_deg: float = 0.0) -> CameraModel:
    """The camera with its axis pushed aside by so many pixels, and turned about it."""
    still = camera()
    turn, push = np.radians(turned_deg), by_px / LENS.fx
    about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1.0]])
    about_y = np.array([[np.cos(push), 0, np.sin(push)], [0, 1, 0], [-np.sin(push), 0, np.cos(push)]])
    rotation = about_y @ about_z @ still.rotation
    return CameraModel(
        intrinsics=LENS,
        rvec=np.ravel(cv2.Rodrigues(rotation)[0]),
        tvec_mm=-rotation @ still.position_mm,
        pose_covariance=np.zeros((6, 6)),
        reprojection_rms_px=0.0,
        markers_used=(),
    )


@cache
def renderer(by_px: float = 0.0, turned_deg: float = 0.0) -> Renderer:
    return Renderer(bumped(by_px, turned_deg), Effects())


@cache
def frame(by_px: float = 0.0, turned_deg: float = 0.0, take: int = 1) -> NDArray[np.uint8]:
    """What a camera sees that was bumped so; every take has noise of its own."""
    picture = renderer(by_px, turned_deg).render(SET_UP).copy()
    picture.setflags(write=False)
    return picture


def begun() -> Measurer:
    measurer = Measurer(SIX, LENS)
    measurer.measure(frame())
    return measurer


def covered(picture: NDArray[np.uint8], right_of: float) -> NDArray[np.uint8]:
    """A picture of which an arm covers all that lies right of a share of its width."""
    out = picture.copy()
    out[:, int(right_of * out.shape[1]) :] = (96, 120, 178)
    return out


def stands_right(seen: Observation) -> bool:
    """Whether the tag and the bases are where they have stood all along."""
    tag = np.hypot(seen.tags[0].x_mm - 300.0, seen.tags[0].y_mm - 250.0)
    places = {(b.army, round(b.x_mm, -1), round(b.y_mm, -1)) for b in seen.bases}
    return bool(tag < 0.5 and places == {("british", 200.0, 150.0), ("french", 420.0, 300.0)})


@pytest.mark.parametrize("how", BUMPS)
def test_a_bump_is_noticed_in_the_next_frame_and_the_place_found_again(how: tuple[float, float]):
    measurer = begun()
    before = measurer.camera
    assert measurer.is_bumped(frame(*how))
    seen = measurer.measure(frame(*how))
    assert measurer.bumped
    assert any("the camera was moved" in warning for warning in seen.warnings)
    assert measurer.camera is not before
    assert stands_right(seen)
    assert measurer.is_bumped(frame(*how, take=2)) is False
    again = measurer.measure(frame(*how, take=2))
    assert not measurer.bumped
    assert all(warning.endswith("not seen") for warning in again.warnings)


def test_a_still_camera_is_not_taken_for_a_bumped_one():
    measurer = begun()
    before = measurer.camera
    assert measurer.is_bumped(frame(take=2)) is False
    assert measurer.is_bumped(np.full_like(frame(), 90)) is None
    assert measurer.measure(frame(take=2)).warnings == ()
    assert measurer.camera is before


def test_a_bump_while_an_arm_covers_half_the_markers_is_followed_by_the_others():
    measurer = begun()
    seen = measurer.measure(covered(frame(5.0), right_of=0.72))
    assert measurer.bumped
    assert set(seen.camera.markers_used) == {0, 3, 4, 5}
    clear = measurer.measure(frame(5.0, take=2))
    assert clear.camera.markers_used == (0, 1, 2, 3, 4, 5)
    assert stands_right(clear)


def test_a_bump_that_cannot_be_followed_yet_is_said_and_made_good_when_the_arm_is_gone():
    measurer = begun()
    with pytest.raises(JobFailed, match=r"the camera was moved .* cannot be worked out anew yet"):
        measurer.measure(covered(frame(5.0), right_of=0.35))
    assert measurer.bumped
    seen = measurer.measure(frame(5.0, take=2))
    assert stands_right(seen)
    assert any("its place was worked out anew" in warning for warning in seen.warnings)


def test_a_camera_that_swings_back_has_not_moved():
    measurer = begun()
    before = measurer.camera
    with pytest.raises(JobFailed):
        measurer.measure(covered(frame(5.0), right_of=0.35))
    seen = measurer.measure(frame(take=2))
    assert measurer.camera is before
    assert not measurer.bumped
    assert stands_right(seen)


def test_a_camera_that_sags_slowly_is_followed_all_the_way():
    measurer = begun()
    for step in range(1, 13):
        seen = measurer.measure(frame(0.25 * step, take=1))
        assert stands_right(seen)
    assert measurer.camera is not None
    truth, point = bumped(3.0), np.array([[500.0, 100.0, 0.0]])
    assert np.linalg.norm(measurer.camera.project(point) - truth.project(point)) < 0.5


def kicked(by_mm: dict[int, float]) -> VirtualTable:
    """The set-up with some markers pushed to the right."""
    at = tuple(structs.replace(m, x_mm=m.x_mm + by_mm.get(m.id, 0.0)) for m in SIX.markers.at)
    return replace(SET_UP, table=structs.replace(SIX, markers=structs.replace(SIX.markers, at=at)))


@pytest.mark.parametrize("by_mm", [{1: 3.0}, {4: 12.0}, {0: 3.0, 5: -5.0}], ids=str)
def test_a_marker_that_is_kicked_is_named_with_its_figures_and_the_camera_kept(by_mm: dict[int, float]):
    measurer = begun()
    before = measurer.camera
    after = renderer().render(kicked(by_mm))
    seen = measurer.measure(after)
    assert measurer.camera is before
    assert not measurer.bumped
    assert set(seen.camera.markers_used) == set(range(6)) - set(by_mm)
    for number, by in by_mm.items():
        (said,) = [w for w in seen.warnings if w.startswith(f"marker {number} was moved by ")]
        assert float(said.split()[5]) == pytest.approx(abs(by), abs=0.4)
    assert measurer.measure(after).warnings == seen.warnings
    assert stands_right(seen)


def test_a_kicked_marker_is_not_leant_on_when_the_camera_is_bumped_too_and_counts_again_when_put_back():
    measurer = begun()
    measurer.measure(renderer().render(kicked({1: 4.0})))
    seen = measurer.measure(renderer(6.0).render(kicked({1: 4.0})))
    assert seen.camera.markers_used == (0, 2, 3, 4, 5)
    assert stands_right(seen)
    assert any(w.startswith("marker 1 was moved") for w in seen.warnings)
    measurer.measure(frame(6.0, take=5))
    assert measurer.measure(covered(frame(6.0, take=6), right_of=0.97)).camera.markers_used == (0, 1, 2, 3, 4, 5)
