"""Walls, fences and hedges are narrow: a house of their colour is a house, and the side of one no wall."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from calibration.records import TerrainKind
from tests.vision.small_table import TABLE
from tests.vision.test_terrain import Corners, best, camera, laid
from vision.records import TerrainSeen
from vision.simulated import Renderer, VirtualTable
from vision.terrain import find_terrain
from vision.terrain.paints import paint_for
from vision.terrain.sides import without_sides

_WALL = TerrainKind(kind="wall", colour="#a39c8e", height_mm=11.5)
_HOUSE = TerrainKind(kind="building", colour="#7a726d", height_mm=60.0)
_STANDS: Corners = ((150.0, 150.0), (230.0, 150.0), (230.0, 230.0), (150.0, 230.0))
_RUNS: Corners = ((330.0, 120.0), (342.0, 120.0), (342.0, 280.0), (330.0, 280.0))


def seen(house_colour: str) -> list[TerrainSeen]:
    """What is found of a house and a wall, where the lamp shows the house in this colour."""
    shown = replace(TABLE, terrain_kinds=(_WALL, replace(_HOUSE, colour=house_colour)))
    world = VirtualTable(table=shown, terrain=(laid("building", _STANDS), laid("wall", _RUNS)))
    frame = Renderer(camera(), None).render(world)
    found = find_markers(grey_of(frame), "DICT_4X4_100")
    return find_terrain(frame, camera(), replace(TABLE, terrain_kinds=(_WALL, _HOUSE)), found)


@pytest.mark.parametrize("colour", ["#857d76", "#8e867d"])
def test_a_house_as_pale_as_a_wall_in_the_lamp_s_light_is_no_wall_for_it_is_broad(colour: str) -> None:
    """Or it was neither, where noise gave every other cell to the wall."""
    pieces = seen(colour)
    assert sorted(piece.kind for piece in pieces) == ["building", "wall"]
    assert best(pieces, "building", _STANDS) > 0.95
    assert best(pieces, "wall", _RUNS) > 0.85


def test_the_lit_side_of_a_house_is_no_wall_but_a_wall_close_by_is_one() -> None:
    pose = camera()
    top, foot = (pose.project([[x, y, z] for x, y in _STANDS]) for z in (60.0, 0.0))
    eye = pose.position_mm[:2]
    near = sorted(range(4), key=lambda k: np.hypot(*(np.array(_STANDS[k]) - eye)))[:2]
    ring = np.array([top[near[0]], top[near[1]], foot[near[1]], foot[near[0]]])
    side = TerrainSeen(kind="wall", polygon_mm=_corners(pose.to_plane(ring, 11.5)), sigma_mm=0.3)
    house = TerrainSeen(kind="building", polygon_mm=_STANDS, sigma_mm=0.3)
    wall = TerrainSeen(kind="wall", polygon_mm=_RUNS, sigma_mm=0.3)
    paints = [paint_for(kind) for kind in (_WALL, _HOUSE)]
    assert without_sides([side, house, wall], paints, pose) == [house, wall]


def _corners(points: NDArray[np.float64]) -> Corners:
    return tuple((float(x), float(y)) for x, y in points)
