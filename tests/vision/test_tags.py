"""Unit tags: found flat on mat and hill, placed in millimetres, and told from other prints."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from calibration.pictures import grey_of
from calibration.prints.markers import FoundMarker, find_markers
from calibration.records import Tags
from tests.vision.small_table import TABLE, camera, table
from vision.ground import FLAT, ground_of
from vision.records import TerrainSeen
from vision.simulated import Effects, Renderer, TagPlaced
from vision.tags import CARD_MM, find_tags

HILL = ((320.0, 120.0), (480.0, 120.0), (480.0, 260.0), (320.0, 260.0))
PLACED = (
    TagPlaced(id=17, x_mm=120.0, y_mm=120.0, bearing_deg=33.0),
    TagPlaced(id=42, x_mm=200.0, y_mm=330.0, bearing_deg=271.0),
    TagPlaced(id=99, x_mm=400.0, y_mm=80.0, bearing_deg=180.0),
)


@cache
def found() -> tuple[FoundMarker, ...]:
    frame = Renderer(camera(), Effects(shadows=False)).render(table(tags=PLACED))
    return find_markers(grey_of(frame), "DICT_4X4_100")


def printed(number: int, x_mm: float, y_mm: float, ground_mm: float = 0.0, side_mm: float = 25.0) -> FoundMarker:
    """A print whose top points to +y, as a perfect finder would see it."""
    square = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * side_mm + (x_mm, y_mm)
    corners = np.column_stack([square, np.full(4, ground_mm + CARD_MM)])
    return FoundMarker(id=number, corners_px=camera().project(corners))


@pytest.mark.parametrize("tag", PLACED, ids=lambda tag: f"tag {tag.id}")
def test_a_tag_is_placed_to_a_third_of_a_millimetre_and_half_a_degree(tag: TagPlaced):
    seen = {t.id: t for t in find_tags(found(), camera(), TABLE, FLAT)}[tag.id]
    off = np.hypot(seen.x_mm - tag.x_mm, seen.y_mm - tag.y_mm)
    assert off < 0.35
    assert off < 2.45 * seen.sigma_mm
    assert abs((seen.bearing_deg - tag.bearing_deg + 180.0) % 360.0 - 180.0) < 0.5


def test_no_other_tag_is_seen_and_table_markers_are_none():
    assert [tag.id for tag in find_tags(found(), camera(), TABLE, FLAT)] == [17, 42, 99]


def test_a_tag_on_a_hill_is_placed_on_its_top():
    marker = printed(99, 460.0, 240.0, ground_mm=30.0)
    ground = ground_of([TerrainSeen(kind="hill", polygon_mm=HILL, sigma_mm=0.3)], TABLE)
    (on_hill,) = find_tags([marker], camera(), TABLE, ground)
    assert (on_hill.x_mm, on_hill.y_mm) == pytest.approx((460.0, 240.0), abs=0.02)
    (on_mat,) = find_tags([marker], camera(), TABLE, FLAT)
    assert np.hypot(on_mat.x_mm - 460.0, on_mat.y_mm - 240.0) > 5.0


def test_a_table_without_tags_has_none():
    assert find_tags(found(), camera(), replace(TABLE, tags=UNSET), FLAT) == []


def test_a_print_of_another_size_is_no_tag():
    assert find_tags(found(), camera(), replace(TABLE, tags=Tags(size_mm=40.0)), FLAT) == []


def test_of_two_prints_with_one_id_the_one_of_the_right_size_is_taken():
    prints = [printed(55, 100.0, 200.0, side_mm=28.5), printed(55, 300.0, 200.0, side_mm=25.2)]
    (tag,) = find_tags(prints, camera(), TABLE, FLAT)
    assert (tag.id, tag.x_mm) == (55, pytest.approx(300.0, abs=0.02))
    assert (tag.bearing_deg + 180.0) % 360.0 == pytest.approx(180.0, abs=0.02)
