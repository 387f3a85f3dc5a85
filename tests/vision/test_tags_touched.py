"""Unit tags beside which a shadow or a dark thing lies, so that their border has no outline."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.prints.markers import corners_on_table, find_markers
from calibration.records import MarkerAt
from tests.vision.small_table import TABLE, camera, table
from vision.measure import Measurer, measure
from vision.simulated import ClutterPlaced, Effects, Renderer, TagPlaced

TAG = TagPlaced(id=42, x_mm=290.0, y_mm=205.0, bearing_deg=24.0)
Image = NDArray[np.uint8]


def picture(**more: object) -> Image:
    return Renderer(camera(), Effects(shadows=False)).render(table(**more))


def shaded(frame: Image, side: int, tag: TagPlaced = TAG) -> Image:
    """The picture with a deep shadow from half-way across the border on one side of a tag outwards."""
    at = MarkerAt(id=tag.id, x_mm=tag.x_mm, y_mm=tag.y_mm, rotation_deg=tag.bearing_deg, z_mm=0.3)
    corners = corners_on_table(at, 25.0)
    start, stop, middle = corners[side], corners[(side + 1) % 4], corners.mean(axis=0)
    along, out = stop - start, (start + stop) / 2 - middle
    strip = np.array([start - along, stop + along, stop + along + 6 * out, start - along + 6 * out]) - 0.15 * out
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(camera().project(strip)).astype(np.int32), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None] / 255.0
    return np.asarray(np.rint(frame * (1 - 0.85 * soft)), dtype=np.uint8)


@pytest.mark.parametrize("side", range(4))
def test_a_tag_is_read_where_a_shadow_lies_along_a_side_of_its_border(side: int):
    frame = shaded(picture(tags=(TAG,)), side)
    assert TAG.id not in {marker.id for marker in find_markers(frame, TABLE.markers.dictionary)}  # hard enough
    (seen,) = measure(frame, TABLE, camera().intrinsics).tags
    assert seen.id == TAG.id
    off = np.hypot(seen.x_mm - TAG.x_mm, seen.y_mm - TAG.y_mm)
    assert off < 0.35
    assert off < 2.45 * seen.sigma_mm
    assert abs((seen.bearing_deg - TAG.bearing_deg + 180.0) % 360.0 - 180.0) < 0.7


def test_a_tag_that_a_shadow_comes_to_touch_stays_where_it_is():
    measurer = Measurer(TABLE, camera().intrinsics)
    (before,) = measurer.measure(picture(tags=(TAG,))).tags
    (after,) = measurer.measure(shaded(picture(tags=(TAG,)), 2)).tags
    assert np.hypot(after.x_mm - before.x_mm, after.y_mm - before.y_mm) < 0.4


def test_a_slip_of_blank_paper_is_no_tag():
    slip = ClutterPlaced(what="paper", x_mm=290.0, y_mm=205.0, bearing_deg=24.0, size_mm=40.0)
    assert measure(picture(clutter=(slip,)), TABLE, camera().intrinsics).tags == ()
