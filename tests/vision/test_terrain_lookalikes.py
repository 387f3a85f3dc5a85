"""What has a piece's colour and is none: where one thing fades into another, and the round side of a mug."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from calibration.records import TerrainKind
from tests.vision.small_table import TABLE, camera
from tests.vision.test_terrain import best, laid, seen
from tests.vision.test_terrain_walls import bent
from vision.simulated import ClutterPlaced, Effects, Renderer, VirtualTable
from vision.terrain import find_terrain

_LAMP = Effects(noise=2.5, shadow_depth=0.5, shadow_soft_mm=14.0)


@pytest.mark.parametrize(
    ("cloth", "soft_px", "between"),
    [((30, 30, 34), 3.0, "#4c4f2d"), ((30, 30, 34), 3.0, "#45472b"), ((30, 30, 34), 8.0, "#3e3f28"),
     ((200, 190, 190), 5.0, "#8b8f71"), ((200, 190, 190), 5.0, "#9c9f8e")],
)  # fmt: skip
def test_where_a_cloth_fades_into_the_mat_is_no_wall_though_it_has_the_wall_s_colour(
    cloth: tuple[int, int, int], soft_px: float, between: str
) -> None:
    walls = replace(TABLE, terrain_kinds=(TerrainKind(kind="wall", colour=between, height_mm=10.0),))
    frame = Renderer(camera(), Effects(noise=2.0)).render(VirtualTable(table=walls))
    share = np.zeros(frame.shape[:2], np.float32)
    share[200:330, 250:420] = 1.0
    share = cv2.GaussianBlur(share, (0, 0), soft_px)[..., None]
    faded = np.rint(frame * (1 - share) + np.array(cloth) * share).astype(np.uint8)
    assert find_terrain(faded, camera(), walls, find_markers(grey_of(faded), "DICT_4X4_100")) == []


@pytest.mark.parametrize(
    ("colour", "place"),
    [("#8f8c86", (450.0, 300.0)), ("#a09a90", (200.0, 150.0)), ("#8f8c86", (100.0, 330.0)),
     ("#7d7a74", (100.0, 330.0))],
)  # fmt: skip
def test_the_side_of_a_mug_is_no_wall_of_its_colour(colour: str, place: tuple[float, float]) -> None:
    table = replace(TABLE, terrain_kinds=(TerrainKind(kind="wall", colour=colour, height_mm=10.0),))
    mug = ClutterPlaced(what="mug", x_mm=place[0], y_mm=place[1])
    assert seen(VirtualTable(table=table, clutter=(mug,)), _LAMP) == []


_POTTERY = TerrainKind(kind="wall", colour="#b8b4ac", height_mm=10.0)


def test_the_side_of_a_mug_as_broad_as_a_house_is_no_wall_for_it_stands_about_what_is_in_the_mug() -> None:
    mug = ClutterPlaced(what="mug", x_mm=450.0, y_mm=300.0)
    world = VirtualTable(table=replace(TABLE, terrain_kinds=(_POTTERY,)), clutter=(mug,))
    assert seen(world, Effects(noise=1.5)) == []


def test_a_wall_that_touches_a_mug_of_its_colour_is_a_wall() -> None:
    corners = bent([(402.0, 190.0), (400.0, 290.0), (410.0, 360.0)], 7.0)
    mug = ClutterPlaced(what="mug", x_mm=450.0, y_mm=300.0)
    table = replace(TABLE, terrain_kinds=(_POTTERY,))
    (wall,) = seen(VirtualTable(table=table, terrain=(laid("wall", corners),), clutter=(mug,)), Effects(noise=1.5))
    assert best([wall], "wall", corners) > 0.93
