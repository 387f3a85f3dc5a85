"""Terrain that is hard to tell by its colour: nearly the mat's, in deep shadow, or as white as a tag's card."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from calibration.records import TerrainKind
from tests.vision.small_table import TABLE, camera
from tests.vision.test_terrain import HILL, WIDE, WOOD, best, laid, seen
from vision.simulated import Effects, Renderer, TagPlaced, TreePlaced, VirtualTable
from vision.terrain import find_terrain
from vision.terrain.colour import Light
from vision.terrain.kinds import BARE, colours_of
from vision.terrain.pieces import Surroundings, make_whole, parts_of
from vision.terrain.scene import Scene, look


@pytest.mark.parametrize(
    ("mat", "height_mm"), [("#8f7d50", 25.0), ("#8e8050", 45.0), ("#8f7d54", 45.0), ("#948058", 25.0)]
)
def test_a_hill_of_a_colour_that_the_mat_s_blotches_have_too_is_told_by_being_even(mat: str, height_mm: float):
    table = replace(TABLE, terrain_kinds=(TerrainKind(kind="hill", colour="#7c6f48", height_mm=height_mm),))
    effects = Effects(noise=2.5, shadow_depth=0.6, shadow_soft_mm=6.0)
    assert seen(VirtualTable(table=table, mat=mat), effects) == []
    pieces = seen(VirtualTable(table=table, mat=mat, terrain=(laid("hill", HILL),)), effects)
    assert [piece.kind for piece in pieces] == ["hill"]
    assert best(pieces, "hill", HILL) > 0.9


@pytest.mark.parametrize(("mat", "height_mm"), [("#8f7d50", 45.0), ("#8f7d54", 25.0), ("#927f50", 25.0)])
def test_a_blotch_of_a_hill_s_colour_is_no_hill_for_it_is_as_uneven_as_the_mat(mat: str, height_mm: float):
    table = replace(TABLE, terrain_kinds=(TerrainKind(kind="hill", colour="#7c6f48", height_mm=height_mm),))
    assert seen(VirtualTable(table=table, mat=mat), Effects(noise=2.5, shadow_depth=0.6, shadow_soft_mm=6.0)) == []


@pytest.mark.parametrize(
    ("mat", "height_mm", "depth"), [("#90804c", 45.0, 0.3), ("#8e8050", 45.0, 0.45), ("#8f7d50", 25.0, 0.45)]
)
def test_a_hill_takes_in_neither_blotches_of_its_colour_beside_it_nor_the_rim_of_its_shadow(
    mat: str, height_mm: float, depth: float
):
    table = replace(TABLE, terrain_kinds=(TerrainKind(kind="hill", colour="#7c6f48", height_mm=height_mm),))
    effects = Effects(noise=2.5, shadow_depth=depth, shadow_soft_mm=12.0)
    pieces = seen(VirtualTable(table=table, mat=mat, terrain=(laid("hill", HILL),)), effects)
    assert best(pieces, "hill", HILL) > 0.9


def test_an_outline_that_follows_the_mat_s_blotches_gives_way_to_a_piece_cut_out():
    table = replace(TABLE, terrain_kinds=(TerrainKind(kind="hill", colour="#7c6f48", height_mm=45.0),))
    effects = Effects(noise=2.5, shadow_depth=0.6, shadow_soft_mm=6.0)
    pieces = seen(VirtualTable(table=table, mat="#917c50", terrain=(laid("hill", HILL),)), effects)
    assert best(pieces, "hill", HILL) > 0.95


def test_the_same_picture_gives_the_same_piece_cut_out():
    table = replace(TABLE, terrain_kinds=(TerrainKind(kind="hill", colour="#7c6f48", height_mm=45.0),))
    world = VirtualTable(table=table, mat="#8e8050", terrain=(laid("hill", HILL),))
    cv2.setRNGSeed(1)
    first = seen(world)
    cv2.setRNGSeed(2)
    assert seen(world) == first


def test_a_tree_s_deep_shadow_along_a_wood_s_edge_is_of_the_wood():
    trees = (TreePlaced(x_mm=75.0, y_mm=75.0, radius_mm=16.0, height_mm=45.0),)
    deep = Effects(shadow_depth=0.8, lamp_mm=(-0.9, 0.1), shadow_soft_mm=1.5)
    pieces = seen(VirtualTable(table=WIDE, terrain=(laid("woods", WOOD),), trees=trees), deep)
    assert [piece.kind for piece in pieces] == ["woods"]
    assert best(pieces, "woods", WOOD) > 0.985


@pytest.mark.parametrize("is_mat", [True, False], ids=["the mat", "the wood"])
def test_a_bay_full_of_shadow_is_the_wood_s_unless_the_shadow_lies_upon_the_mat(is_mat: bool):
    mat, wood, shadow = 45 << 12 | 50 << 6 | 40, 20 << 12 | 30 << 6 | 20, 10 << 12 | 12 << 6 | 10
    codes = np.full((140, 160), mat, np.int32)
    codes[40:100, 40:120] = wood
    bay = np.zeros(codes.shape, np.uint8)
    bay[40:70, 70:90] = 1
    codes[bay > 0] = shadow
    light = Light(np.ones(3), 1.0, np.zeros((4, 3)), (160, 140))
    tones = np.repeat(np.linspace(0.0, 1.0, 64, dtype=np.float32)[:, None], 3, axis=1)
    nothing = np.zeros(codes.shape, np.uint8)
    frame = np.zeros((140, 160, 3), np.uint8)
    scene = Scene(frame, light, codes, tones, nothing, camera(), TABLE, 0.5, 1.0, np.zeros(2))
    kind = (codes == wood).astype(np.uint8)
    (part,) = parts_of(kind, 0.5, 36)
    window = part.window
    seen = Surroundings(window.of(codes >> 12).astype(np.int16), window.of(bay if is_mat else nothing))
    whole = make_whole(part, part.mask, window.of(kind), seen, scene, flat=True)
    assert window.of(bay)[whole > 0].any() != is_mat


def test_a_shadow_s_hue_tells_whether_it_lies_upon_the_wood_or_upon_the_mat():
    """The tree's shadow falls to both sides of the wood's edge."""
    table = replace(TABLE, terrain_kinds=TABLE.terrain_kinds[:1])
    wood = ((60.0, 60.0), (200.0, 60.0), (200.0, 260.0), (60.0, 260.0))
    trees = (TreePlaced(x_mm=120.0, y_mm=160.0, radius_mm=20.0, height_mm=100.0),)
    world = VirtualTable(table=table, mat="#9a8450", terrain=(laid("woods", wood),), trees=trees)
    frame = Renderer(camera(), Effects(shadow_depth=0.6, lamp_mm=(1.0, 0.0), shadow_soft_mm=1.5)).render(world)
    scene = look(frame, camera(), table, find_markers(grey_of(frame), "DICT_4X4_100"))
    paints, colours = colours_of(scene)
    shade = colours.in_shade(paints)

    def most(left_mm: float, right_mm: float) -> int:
        """What is seen most along the middle of the shadow, from one place to another."""
        places = np.array([(x, 160.0, 0.0) for x in np.linspace(left_mm, right_mm, 40)])
        x, y = np.rint((camera().project(places) + 0.5) * scene.zoom - 0.5 - scene.corner_px).astype(int).T
        return int(np.bincount(shade[y, x]).argmax())

    assert most(182.0, 194.0) == 1
    assert most(205.0, 216.0) == BARE


def test_a_tag_s_card_is_no_wall_though_it_is_as_white_and_too_small_to_be_read():
    white = (TerrainKind(kind="wall", colour="#d8d6d0", height_mm=12.0),)
    table = replace(TABLE, terrain_kinds=white)
    tags = tuple(TagPlaced(id=20 + n, x_mm=100.0 + 90.0 * n, y_mm=200.0, bearing_deg=17.0 * n) for n in range(5))
    assert seen(VirtualTable(table=table, tags=tags), Effects(defocus_px=2.5)) == []


@pytest.mark.parametrize("is_read", [True, False], ids=["read", "not read"])
def test_a_tag_s_card_is_no_wall_where_blur_opens_the_frame_of_white_round_it(is_read: bool):
    grey = (TerrainKind(kind="wall", colour="#b0aca4", height_mm=12.0),)
    table = replace(TABLE, terrain_kinds=grey)
    tags = tuple(
        TagPlaced(id=20 + n, x_mm=70.0 + 77.0 * n, y_mm=120.0 + 120 * (n % 2), bearing_deg=17.0 * n)
        for n in range(7)
    )
    frame = Renderer(camera(), Effects(defocus_px=1.5)).render(VirtualTable(table=table, tags=tags))
    found = find_markers(grey_of(frame), "DICT_4X4_100")
    known = [marker for marker in found if is_read or marker.id < 20]
    assert find_terrain(frame, camera(), table, known) == []
