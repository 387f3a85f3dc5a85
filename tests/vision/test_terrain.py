"""Terrain: each piece by its colour, a simple polygon at its height, whole though trees and figures hide parts."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import Point, Polygon

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from calibration.records import Table, TerrainKind
from tests.vision.small_table import TABLE, base, camera
from vision.records import TerrainSeen
from vision.simulated import ClutterPlaced, Effects, Renderer, TagPlaced, TerrainPlaced, TreePlaced, VirtualTable
from vision.terrain import find_terrain
from vision.terrain.mat import mat_of
from vision.terrain.outlines import corners_of

Corners = tuple[tuple[float, float], ...]

KINDS = (
    *TABLE.terrain_kinds,
    TerrainKind(kind="river", colour="#3f6f8f", height_mm=1.0),
    TerrainKind(kind="wall", colour="#8f8c86", height_mm=12.0),
    TerrainKind(kind="field", colour="#b08d3c", height_mm=1.5),
)
WIDE = replace(TABLE, terrain_kinds=KINDS)

WOOD: Corners = ((60.0, 60.0), (190.0, 50.0), (210.0, 150.0), (120.0, 200.0), (50.0, 140.0))
SECOND: Corners = ((70.0, 260.0), (180.0, 250.0), (200.0, 380.0), (90.0, 400.0))
HILL: Corners = ((330.0, 60.0), (480.0, 50.0), (540.0, 130.0), (470.0, 220.0), (350.0, 190.0))
RIVER: Corners = ((230.0, 0.0), (270.0, 0.0), (300.0, 230.0), (290.0, 450.0), (250.0, 450.0), (260.0, 230.0))
WALL: Corners = ((350.0, 300.0), (460.0, 330.0), (458.0, 338.0), (348.0, 308.0))
FIELD: Corners = ((480.0, 280.0), (570.0, 290.0), (560.0, 400.0), (470.0, 390.0))


def seen(world: VirtualTable, effects: Effects | None = None) -> list[TerrainSeen]:
    frame = Renderer(camera(), effects).render(world)
    found = find_markers(grey_of(frame), "DICT_4X4_100")
    return find_terrain(frame, camera(), world.table, found)


def laid(kind: str, corners: Corners) -> TerrainPlaced:
    return TerrainPlaced(kind=kind, polygon_mm=corners)


def everywhere() -> VirtualTable:
    """Pieces of each kind, all over the table."""
    pieces = [
        ("woods", WOOD),
        ("woods", SECOND),
        ("hill", HILL),
        ("river", RIVER),
        ("wall", WALL),
        ("field", FIELD),
    ]
    return VirtualTable(table=WIDE, terrain=tuple(laid(*piece) for piece in pieces))


@cache
def whole_table() -> tuple[TerrainSeen, ...]:
    return tuple(seen(everywhere()))


def overlap(piece: TerrainSeen, corners: Corners) -> float:
    ours, true = Polygon(piece.polygon_mm), Polygon(corners)
    return ours.intersection(true).area / ours.union(true).area


def best(pieces: list[TerrainSeen] | tuple[TerrainSeen, ...], kind: str, corners: Corners) -> float:
    return max((overlap(piece, corners) for piece in pieces if piece.kind == kind), default=0.0)


@pytest.mark.parametrize(
    ("kind", "corners", "least"),
    [("woods", WOOD, 0.97), ("woods", SECOND, 0.97), ("hill", HILL, 0.97), ("river", RIVER, 0.95),
     ("wall", WALL, 0.85), ("field", FIELD, 0.97)],
)  # fmt: skip
def test_each_piece_has_its_true_outline_at_its_height(kind: str, corners: Corners, least: float):
    assert best(whole_table(), kind, corners) > least


@pytest.mark.parametrize(("colour", "height_mm"), [("#0040c0", 1.0), ("#c00000", 30.0), ("#006587", 30.0)])
def test_a_piece_is_found_whose_colour_is_so_pure_that_it_wants_one_of_the_three(colour: str, height_mm: float):
    table = replace(TABLE, terrain_kinds=(TerrainKind(kind="lake", colour=colour, height_mm=height_mm),))
    pieces = seen(VirtualTable(table=table, terrain=(laid("lake", HILL),)), Effects(noise=2.5))
    assert [piece.kind for piece in pieces] == ["lake"]
    assert best(pieces, "lake", HILL) > 0.97


def test_nothing_else_is_taken_for_terrain():
    assert sorted(piece.kind for piece in whole_table()) == ["field", "hill", "river", "wall", "woods", "woods"]


def test_polygons_are_simple_counter_clockwise_and_have_few_corners():
    for piece in whole_table():
        shape = Polygon(piece.polygon_mm)
        assert shape.is_valid
        assert shape.exterior.is_ccw
        assert piece.polygon_mm[0] != piece.polygon_mm[-1]
        assert len(piece.polygon_mm) <= 24
        assert 0 < piece.sigma_mm < 2


def test_a_table_without_kinds_of_terrain_has_none():
    bare: Table = replace(TABLE, terrain_kinds=())
    assert seen(VirtualTable(table=bare, terrain=())) == []


def test_an_empty_mat_has_no_terrain_although_its_blotches_have_many_shades():
    figures = tuple(base(f"b{n}", 100.0 + 27.0 * n, 200.0) for n in range(6))
    assert seen(VirtualTable(table=WIDE, bases=figures)) == []


@pytest.mark.parametrize("colour", [0.65, 1.0, 1.4])
def test_however_vivid_the_camera_makes_an_empty_mat_it_is_no_terrain(colour: float):
    assert seen(VirtualTable(table=WIDE), Effects(colour=colour)) == []


def test_trees_figures_and_tags_bite_no_piece_out_of_a_wood():
    trees = tuple(TreePlaced(x_mm=x, y_mm=y, radius_mm=18.0, height_mm=40.0) for x, y in ((75, 65), (190, 130)))
    world = VirtualTable(
        table=WIDE,
        terrain=(laid("woods", WOOD),),
        trees=trees,
        bases=(base("b1", 120.0, 120.0), base("b2", 118.0, 60.0)),
        tags=(TagPlaced(id=20, x_mm=150.0, y_mm=100.0),),
    )
    pieces = seen(world)
    assert [piece.kind for piece in pieces] == ["woods"]
    assert overlap(pieces[0], WOOD) > 0.93


@pytest.mark.parametrize(
    ("mat", "place"), [("#5f7048", (125.0, 60.0)), ("#586a44", (125.0, 60.0)), ("#6a7850", (60.0, 100.0))]
)
def test_a_tree_of_the_mat_s_colour_bites_nothing_out_of_a_wood_s_edge(mat: str, place: tuple[float, float]):
    tree = TreePlaced(x_mm=place[0], y_mm=place[1], radius_mm=26.0, height_mm=50.0)
    world = VirtualTable(table=TABLE, mat=mat, terrain=(laid("woods", WOOD),), trees=(tree,))
    assert best(seen(world, Effects(noise=2.0)), "woods", WOOD) > 0.97


def test_the_sides_of_a_block_do_not_belong_to_its_top():
    tall = (TerrainKind(kind="house", colour="#8c4a36", height_mm=90.0),)
    roof: Corners = ((60.0, 60.0), (140.0, 60.0), (140.0, 160.0), (60.0, 160.0))
    pieces = seen(VirtualTable(table=replace(TABLE, terrain_kinds=tall), terrain=(laid("house", roof),)))
    assert best(pieces, "house", roof) > 0.93


@pytest.mark.parametrize(
    "effects",
    [
        Effects(cast=(0.75, 0.97, 1.0)),
        Effects(cast=(1.0, 0.95, 0.75)),
        Effects(lamp=0.4, vignetting=0.3),
        Effects(noise=6.0, jpeg_quality=70),
        Effects(colour=1.4),
        Effects(colour=0.65),
    ],
    ids=[
        "a warm lamp",
        "a cold lamp",
        "a lamp at one side",
        "noise and hard compression",
        "a camera set to vivid colours",
        "a camera set to pale colours",
    ],
)
def test_the_light_does_not_change_what_is_seen(effects: Effects):
    world = VirtualTable(table=WIDE, terrain=(laid("woods", WOOD), laid("hill", HILL), laid("field", FIELD)))
    pieces = seen(world, effects)
    assert sorted(piece.kind for piece in pieces) == ["field", "hill", "woods"]
    for kind, corners in (("woods", WOOD), ("hill", HILL), ("field", FIELD)):
        assert best(pieces, kind, corners) > 0.95


@pytest.mark.parametrize("corner_deg", [0.0, 90.0, 225.0])
def test_a_window_on_one_side_and_a_lamp_on_the_other_change_nothing(corner_deg: float):
    pieces = seen(everywhere(), Effects(window=0.22, lamp_deg=corner_deg))
    assert sorted(piece.kind for piece in pieces) == ["field", "hill", "river", "wall", "woods", "woods"]


def test_a_piece_that_the_play_area_cuts_ends_at_its_edge():
    over: Corners = ((-20.0, 100.0), (100.0, 90.0), (110.0, 200.0), (-20.0, 210.0))
    inside = Polygon(over).intersection(Polygon([(0, 0), (600, 0), (600, 450), (0, 450)]))
    pieces = seen(VirtualTable(table=WIDE, terrain=(laid("field", over),)))
    assert best(pieces, "field", tuple(inside.exterior.coords[:-1])) > 0.93


@pytest.mark.parametrize("gap_mm", [12.0, 18.0, 25.0])
def test_two_woods_with_a_path_between_them_are_two(gap_mm: float):
    near: Corners = ((60.0, 60.0), (200.0, 70.0), (210.0, 260.0), (70.0, 250.0))
    far: Corners = tuple((420.0 + gap_mm - x, y) for x, y in near)
    pieces = seen(VirtualTable(table=WIDE, terrain=(laid("woods", near), laid("woods", far))))
    assert [piece.kind for piece in pieces] == ["woods"] * 2
    assert min(best(pieces, "woods", near), best(pieces, "woods", far)) > 0.95


def test_two_woods_stay_two_though_a_mug_stands_at_the_edge_of_one():
    far: Corners = ((150.0, 245.0), (420.0, 255.0), (430.0, 400.0), (160.0, 410.0))
    near: Corners = ((140.0, 40.0), (440.0, 50.0), (420.0, 205.0), (160.0, 200.0))
    world = VirtualTable(
        table=WIDE, terrain=(laid("woods", far), laid("woods", near)),
        clutter=(ClutterPlaced(what="mug", x_mm=300.0, y_mm=165.0),),
    )  # fmt: skip
    pieces = seen(world, Effects(lamp_mm=(0.0, -0.8), shadow_depth=0.6, shadow_soft_mm=2.0))
    assert len(pieces) == 2
    assert best(pieces, "woods", far) > 0.97
    assert best(pieces, "woods", near) > 0.95


@pytest.mark.parametrize(("x_mm", "radius_mm", "lamp_mm"), [(195.0, 18.0, (0.5, 0.6)), (205.0, 24.0, (0.0, 0.8))])
def test_two_woods_stay_two_though_a_tree_at_the_edge_of_one_shades_the_path_between_them(
    x_mm: float, radius_mm: float, lamp_mm: tuple[float, float]
):
    near: Corners = ((60.0, 60.0), (200.0, 70.0), (210.0, 260.0), (70.0, 250.0))
    far: Corners = tuple((432.0 - x, y) for x, y in near)
    tree = TreePlaced(x_mm=x_mm, y_mm=165.0, radius_mm=radius_mm, height_mm=50.0)
    world = VirtualTable(table=WIDE, terrain=(laid("woods", near), laid("woods", far)), trees=(tree,))
    pieces = seen(world, Effects(lamp_mm=lamp_mm, shadow_depth=0.6, shadow_soft_mm=2.0))
    assert [piece.kind for piece in pieces] == ["woods"] * 2
    assert min(best(pieces, "woods", near), best(pieces, "woods", far)) > 0.98


def test_a_wood_that_figures_cut_in_two_is_one():
    row = tuple(base(f"b{n}", 125.0, 62.0 + 27.0 * n) for n in range(8))
    wood: Corners = ((60.0, 60.0), (200.0, 70.0), (210.0, 260.0), (70.0, 250.0))
    pieces = seen(VirtualTable(table=WIDE, terrain=(laid("woods", wood),), bases=row))
    assert [piece.kind for piece in pieces] == ["woods"]
    assert best(pieces, "woods", wood) > 0.93


def test_a_hill_of_hardly_another_colour_than_the_mat_is_told_by_its_sides():
    table = replace(TABLE, terrain_kinds=(TerrainKind(kind="hill", colour="#6f7648", height_mm=25.0),))
    assert seen(VirtualTable(table=table)) == []
    pieces = seen(VirtualTable(table=table, terrain=(laid("hill", HILL),)))
    assert [piece.kind for piece in pieces] == ["hill"]
    assert best(pieces, "hill", HILL) > 0.9


@pytest.mark.parametrize("height_mm", [25.0, 40.0, 60.0])
def test_a_floor_of_a_hill_s_colour_beyond_the_mat_is_no_hill(height_mm: float):
    hill = TerrainKind(kind="hill", colour="#9a7b4f", height_mm=height_mm)
    table = replace(TABLE, terrain_kinds=(hill, *(kind for kind in KINDS if kind.kind != "hill")))
    assert seen(VirtualTable(table=table, wood=hill.colour)) == []
    pieces = seen(VirtualTable(table=table, terrain=(laid("hill", HILL),), wood=hill.colour))
    assert [piece.kind for piece in pieces] == ["hill"]
    assert best(pieces, "hill", HILL) > 0.95


@given(
    st.lists(st.tuples(st.floats(0.35, 1.0), st.floats(0.0, 0.9)), min_size=3, max_size=12),
    st.floats(0.3, 2.5),
)
def test_a_traced_outline_is_within_tolerance_of_its_corners(rays: list[tuple[float, float]], tolerance: float):
    turns = (np.arange(len(rays)) + [turn for _, turn in rays]) * 2 * np.pi / len(rays)
    reach = 40.0 * np.array([share for share, _ in rays])
    shape = Polygon(50.0 + np.column_stack([reach * np.cos(turns), reach * np.sin(turns)]))
    dense = np.array(shape.exterior.segmentize(0.25).coords[:-1])
    corners = dense[corners_of(dense, tolerance)]
    if not shape.is_valid or len(corners) < 3:
        return
    assert max(Polygon(corners).exterior.distance(Point(place)) for place in dense) <= tolerance + 0.3


def test_the_mat_is_the_commonest_colour_of_the_table():
    rng = np.random.default_rng(5)
    mat = rng.normal((0.33, 0.5, 0.48), 0.02, (3000, 3))
    wood = rng.normal((0.28, 0.45, 0.29), 0.006, (1200, 3))
    found = mat_of(np.concatenate([mat, wood]).astype(np.float32))
    assert found is not None
    assert found.centre == pytest.approx([0.33, 0.5, 0.48], abs=0.01)
    assert mat_of(np.zeros((10, 3), np.float32)) is None
