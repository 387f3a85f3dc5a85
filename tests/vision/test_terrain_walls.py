"""A wall hardly broader than the camera sees sharply: it stands to a tenth of a pixel where it stands."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from calibration.records import TerrainKind
from tests.vision.small_table import TABLE, camera
from tests.vision.test_terrain import Corners, best, laid, seen
from vision.records import TerrainSeen
from vision.simulated import ClutterPlaced, Effects, Renderer, VirtualTable
from vision.terrain.edges import Profiler
from vision.terrain.finding import as_strip
from vision.terrain.outlines import Outline, evenly
from vision.terrain.paints import paint_for
from vision.terrain.pieces import parts_of
from vision.terrain.scene import dilated, look
from vision.terrain.thin import thin_of

Floats = NDArray[np.float64]

_WALL = TerrainKind(kind="wall", colour="#8f8c86", height_mm=12.0)
_LAMP = Effects(
    flock=24, relief=True, lamp_mm=(0.5, -0.3), shadow_depth=0.45, shadow_soft_mm=3.0, blur_px=0.6, noise=2.0,
    linear=True, jpeg_quality=88,
)  # fmt: skip
_WAYS = {
    "across": [(90.0, 320.0), (190.0, 350.0), (300.0, 310.0)],
    "away": [(420.0, 90.0), (400.0, 200.0), (440.0, 310.0)],
    "aslant": [(100.0, 80.0), (180.0, 150.0), (290.0, 180.0)],
}


def bent(way: list[tuple[float, float]], breadth_mm: float) -> Corners:
    """The outline of a wall along two lines."""
    a, b, c = (np.array(place) for place in way)
    u, v = (b - a) / np.linalg.norm(b - a), (c - b) / np.linalg.norm(c - b)
    p, q = np.array([-u[1], u[0]]), np.array([-v[1], v[0]])
    m = (p + q) / (1.0 + p @ q)
    half = breadth_mm / 2
    left, right = ([a + s * p * half, b + s * m * half, c + s * q * half] for s in (1.0, -1.0))
    return tuple((float(x), float(y)) for x, y in [*left, *right[::-1]])


@pytest.mark.parametrize(("breadth_mm", "least"), [(6.5, 0.958), (9.0, 0.965)])
@pytest.mark.parametrize("way", sorted(_WAYS))
def test_a_narrow_wall_with_a_side_in_sight_and_a_soft_shadow_has_its_true_outline(
    way: str, breadth_mm: float, least: float
) -> None:
    corners = bent(_WAYS[way], breadth_mm)
    world = VirtualTable(table=replace(TABLE, terrain_kinds=(_WALL,)), terrain=(laid("wall", corners),))
    (wall,) = seen(world, _LAMP)
    assert best([wall], "wall", corners) > least


@pytest.mark.parametrize(("place", "turn", "height_mm"), [((300.0, 380.0), 2.0, 90.0), ((150.0, 330.0), 0.3, 60.0)])
def test_a_small_tall_house_is_no_wall_with_arms(place: tuple[float, float], turn: float, height_mm: float) -> None:
    house = TerrainKind(kind="house", colour="#8f4a3c", height_mm=height_mm)
    along, across = 24.0 * np.array([np.cos(turn), np.sin(turn)]), 11.0 * np.array([-np.sin(turn), np.cos(turn)])
    ring = [np.array(place) + a * along + b * across for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    corners = tuple((float(x), float(y)) for x, y in ring)
    world = VirtualTable(table=replace(TABLE, terrain_kinds=(house,)), terrain=(laid("house", corners),))
    assert best(seen(world, _LAMP), "house", corners) > 0.96


def test_the_lines_of_a_printed_sheet_are_no_walls() -> None:
    wall = TerrainKind(kind="wall", colour="#a8a6a8", height_mm=10.5)
    sheet = ClutterPlaced(what="paper", x_mm=300.0, y_mm=220.0, bearing_deg=20.0)
    world = VirtualTable(table=replace(TABLE, terrain_kinds=(wall,)), clutter=(sheet,))
    assert seen(world, _LAMP) == []


def test_a_wall_that_blur_mixes_with_the_mat_all_through_is_still_there() -> None:
    corners = bent(_WAYS["across"], 6.5)
    world = VirtualTable(table=replace(TABLE, terrain_kinds=(_WALL,)), terrain=(laid("wall", corners),))
    (wall,) = seen(world, replace(_LAMP, blur_px=2.2, noise=5.0))
    assert best([wall], "wall", corners) > 0.85


def ragged(corners_px: Floats) -> Outline:
    """An outline (N, 2) as blur and noise leave it: with a corner every few pixels, now within, now without."""
    dense = evenly(corners_px, 4.0)
    middle = dense.mean(axis=0)
    out = (dense - middle) / np.linalg.norm(dense - middle, axis=1, keepdims=True)
    return Outline(dense + out * np.where(np.arange(len(dense)) % 2, 0.8, -0.8)[:, None], 0.3, 0.3)


@pytest.mark.parametrize(("shown", "is_wall"), [(1.0, True), (0.6, False)], ids=["all along", "in part"])
def test_a_wall_of_which_no_edge_is_seen_straight_is_told_as_a_strip_if_that_covers_what_is_seen_of_it(
    shown: float, is_wall: bool
) -> None:
    corners = bent(_WAYS["across"], 9.0)
    table = replace(TABLE, terrain_kinds=(_WALL,))
    frame = Renderer(camera(), _LAMP).render(VirtualTable(table=table, terrain=(laid("wall", corners),)))
    scene = look(frame, camera(), table, find_markers(grey_of(frame), "DICT_4X4_100"))

    def at(places: Floats, height_mm: float) -> Floats:
        return camera().project(np.column_stack([places, np.full(len(places), height_mm)]))

    px = at(np.array(corners), 12.0)
    mask = np.zeros(scene.shape, np.uint8)
    cv2.fillPoly(mask, [np.rint((px + 0.5) * scene.zoom - 0.5 - scene.corner_px).astype(np.int32)], 1)
    seen_at = np.flatnonzero(mask.any(axis=0))
    mask[:, seen_at[int(shown * (len(seen_at) - 1))] + 1 :] = 0
    (part,) = parts_of(mask, scene.px_per_mm, 100)
    profiler = Profiler(frame, scene.light, 1.0, paint=paint_for(_WALL), shaded=True)
    strip = as_strip(
        ragged(px), part, 8.0, scene, profiler, lambda places: at(camera().to_plane(places, 0.0), 12.0)
    )
    assert (strip is not None) == is_wall
    if strip is not None:
        found = camera().to_plane(strip.corners, 12.0)
        told = TerrainSeen(kind="wall", polygon_mm=tuple((float(x), float(y)) for x, y in found), sigma_mm=0.5)
        assert best([told], "wall", corners) > 0.9


def test_a_wall_aslant_of_which_three_cells_a_row_are_left_is_as_thin_as_one_in_fragments() -> None:
    """They hang together, but no two rows have two cells in common, so that none is broad enough for a piece."""
    frame = Renderer(camera()).render(VirtualTable(table=TABLE))
    scene = look(frame, camera(), TABLE, find_markers(grey_of(frame), "DICT_4X4_100"))
    kind = np.zeros(scene.shape, np.uint8)
    for row in range(60):
        kind[20 + row, 20 + 2 * row : 23 + 2 * row] = 1
    assert list(parts_of(kind, scene.px_per_mm, 1)) == []
    assert (thin_of(kind, dilated(kind, 1), scene)[kind > 0] == 1).all()
