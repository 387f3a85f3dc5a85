"""Houses have four square corners, though a side in sight, blur and a soft shadow make their edges ragged."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from calibration.records import TerrainKind
from tests.vision.small_table import TABLE, camera
from tests.vision.test_terrain import Corners, best, laid, seen
from vision.simulated import Effects, VirtualTable
from vision.terrain.houses import house_of, rectangle_of
from vision.terrain.outlines import Outline

_LAMP = Effects(noise=3.0, blur_px=1.0, shadow_depth=0.5, shadow_soft_mm=8.0)


def square(x_mm: float, y_mm: float, turn: float) -> Corners:
    """A rectangle of 80 x 56 mm."""
    along, across = 40.0 * np.array([np.cos(turn), np.sin(turn)]), 28.0 * np.array([-np.sin(turn), np.cos(turn)])
    ring = [np.array((x_mm, y_mm)) + a * along + b * across for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return tuple((float(x), float(y)) for x, y in ring)


@pytest.mark.parametrize(
    ("colour", "place", "height_mm", "least"),
    [("#8f4a3c", (450.0, 330.0, 0.3), 70.0, 0.99), ("#8f4a3c", (480.0, 120.0, 1.2), 50.0, 0.98),
     ("#59403a", (480.0, 120.0, 1.2), 50.0, 0.97), ("#6b6460", (450.0, 330.0, 0.3), 70.0, 0.982)],
)  # fmt: skip
def test_a_house_has_four_square_corners_in_its_true_place(
    colour: str, place: tuple[float, float, float], height_mm: float, least: float
) -> None:
    house = TerrainKind(kind="house", colour=colour, height_mm=height_mm)
    world = VirtualTable(table=replace(TABLE, terrain_kinds=(house,)), terrain=(laid("house", square(*place)),))
    (piece,) = seen(world, _LAMP)
    assert len(piece.polygon_mm) == 4
    assert best([piece], "house", square(*place)) > least


def test_an_outline_of_many_corners_is_the_rectangle_of_most_of_its_edges() -> None:
    ragged = np.array([(0.0, 0.0), (30.0, 0.5), (31.0, 3.0), (60.0, 0.0), (60.0, 40.0), (20.0, 40.0), (0.0, 39.5)])
    rectangle = rectangle_of(ragged)
    assert rectangle is not None
    assert np.abs(np.sort(rectangle, axis=0) - [(0, 0), (0, 0), (60, 40), (60, 40)]).max() < 1.5


@pytest.mark.parametrize("cut_mm", [15.0, 25.0])
def test_an_angled_house_and_a_round_tower_are_no_rectangles(cut_mm: float) -> None:
    angled = np.array([(0, 0), (60, 0), (60, 40 - cut_mm), (60 - cut_mm, 40 - cut_mm), (60 - cut_mm, 40), (0, 40)])
    turns = np.linspace(0, 2 * np.pi, 13)[:-1]
    assert rectangle_of(angled.astype(np.float64)) is None
    assert rectangle_of(30.0 * np.column_stack([np.cos(turns), np.sin(turns)])) is None


@pytest.mark.parametrize(("moved_px", "is_house"), [(1.0, True), (8.0, False)])
def test_a_house_is_not_told_by_an_edge_that_lies_beside_its_own(moved_px: float, is_house: bool) -> None:
    """As that of a shadow does, or of the foot of a side in sight."""
    corners = np.array(square(300.0, 220.0, 0.0))
    seen_px = camera().project(np.column_stack([corners, np.full(4, 50.0)]))

    def beside(trace: np.ndarray) -> Outline:
        left = trace[:, 0] < trace[:, 0].mean()
        return Outline(trace + np.column_stack([moved_px * left, np.zeros(4)]), 0.0, 0.1)

    assert (house_of(Outline(seen_px, 0.0, 0.1), 50.0, camera(), beside) is not None) == is_house
