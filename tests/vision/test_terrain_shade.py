"""Terrain under a shadow far broader than any piece: a window's frame, a lampshade, somebody who leans over."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from tests.vision.small_table import camera
from tests.vision.test_terrain import FIELD, HILL, RIVER, SECOND, WALL, WIDE, WOOD, best, everywhere, laid
from vision.ground import ground_of
from vision.records import TerrainSeen
from vision.simulated import Renderer, TagPlaced, VirtualTable
from vision.tags import find_tags
from vision.terrain import find_terrain

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]

PIECES = (("woods", WOOD), ("woods", SECOND), ("hill", HILL), ("river", RIVER), ("wall", WALL), ("field", FIELD))
GREY: Colour = (0.4, 0.4, 0.4)
BLUE: Colour = (0.5, 0.4, 0.35)  # what is left of a lamp's light where the window's comes, too


def shaded(frame: Image, left: Colour, soft: float = 0.02) -> Image:
    """A frame (H, W, 3) with a shadow all across it from the far edge to the near one, in which so much is left of
    its blue, green and red; its edges are soft over a share of the picture's width."""
    height, width = frame.shape[:2]
    band = np.array([[0.35, 0], [0.7, 0], [0.8, 1], [0.5, 1]]) * (width, height)
    within = np.zeros((height, width), np.float32)
    cv2.fillPoly(within, [np.rint(band).astype(np.int32)], 1.0)
    share = cv2.GaussianBlur(within, (0, 0), soft * width)[..., None]
    light = (frame / 255.0) ** 2.2 * (1.0 - share + share * np.array(left))
    return np.asarray(np.rint(255.0 * light ** (1 / 2.2)), dtype=np.uint8)


def looked_at(frame: Image, world: VirtualTable) -> list[TerrainSeen]:
    return find_terrain(frame, camera(), world.table, find_markers(grey_of(frame), "DICT_4X4_100"))


@pytest.mark.parametrize("left", [GREY, BLUE])
@pytest.mark.parametrize("soft", [0.002, 0.02])
def test_each_piece_is_whole_that_a_broad_shadow_crosses(left: Colour, soft: float):
    world = everywhere()
    pieces = looked_at(shaded(Renderer(camera()).render(world), left, soft), world)
    assert sorted(piece.kind for piece in pieces) == sorted(kind for kind, _ in PIECES)
    assert [
        kind for kind, corners in PIECES if best(pieces, kind, corners) < (0.8 if kind == "wall" else 0.93)
    ] == []


def test_a_shadow_upon_the_bare_mat_is_no_terrain():
    world = VirtualTable(table=WIDE)
    assert looked_at(shaded(Renderer(camera()).render(world), GREY), world) == []


def test_a_tag_on_a_hill_in_such_a_shadow_lies_as_high_as_the_hill():
    tag = TagPlaced(id=17, x_mm=460.0, y_mm=120.0, bearing_deg=30.0)
    world = VirtualTable(table=WIDE, terrain=(laid("hill", HILL),), tags=(tag,))
    frame = shaded(Renderer(camera()).render(world), GREY)
    found = find_markers(grey_of(frame), "DICT_4X4_100")
    ground = ground_of(looked_at(frame, world), WIDE)
    (seen,) = find_tags(found, camera(), WIDE, ground)
    assert np.hypot(seen.x_mm - tag.x_mm, seen.y_mm - tag.y_mm) < 0.5
