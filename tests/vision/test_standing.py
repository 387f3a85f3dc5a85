"""Bases that look like terrain: they are none, stand where they stand, and small terrain still carries them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from shapely import Polygon, box

from calibration.records import Army, Table, TerrainKind
from tests.vision.small_table import TABLE, camera
from vision.measure import Measurer
from vision.records import BaseSeen, Observation, TerrainSeen
from vision.simulated import BasePlaced, Effects, Renderer, TerrainPlaced, VirtualTable
from vision.standing import but_for_bases

_LAMP = Effects(noise=2.0, shadow_depth=0.3, shadow_soft_mm=4.0)


def table(rim: str, kind: str, colour: str, height_mm: float) -> Table:
    """The small table with one army, of stands and of round bases, and one kind of terrain."""
    army = {"name": "british", "base_colour": rim, "front_mark": "#f4f0e0", "bases": [
        {"name": "stand", "shape": "rect", "width_mm": 60.0, "depth_mm": 40.0, "height_mm": 3.0},
        {"name": "foot", "shape": "round", "diameter_mm": 25.0, "height_mm": 3.0},
    ]}  # fmt: skip
    kinds = (TerrainKind(kind=kind, colour=colour, height_mm=height_mm),)
    return replace(TABLE, armies=(msgspec.convert(army, Army),), terrain_kinds=kinds)


def put(name: str, base: str, x_mm: float, y_mm: float, bearing_deg: float = 0.0) -> BasePlaced:
    return BasePlaced(
        id=name, army="british", base=base, x_mm=x_mm, y_mm=y_mm, bearing_deg=bearing_deg, figure="redcoat"
    )


STANDS = tuple(
    put(f"s{n}", "stand", *at)
    for n, at in enumerate([(120.0, 120.0, 20.0), (300.0, 330.0, 75.0), (480.0, 130.0, 130.0)])
)


def measured(world: VirtualTable) -> Observation:
    return Measurer(world.table).measure(Renderer(camera(), _LAMP).render(world))


@pytest.mark.parametrize("height_mm", [25.0, 60.0])
def test_stands_flocked_in_a_hill_s_colour_are_no_hills_and_all_are_found(height_mm: float):
    world = VirtualTable(table=table("#2f4f9e", "hill", "#8a6a45", height_mm), bases=STANDS, flock="#8a6a45")
    seen = measured(world)
    assert seen.terrain == ()
    assert sorted((round(b.x_mm, -1), round(b.y_mm, -1), b.z_mm) for b in seen.bases) == [
        (120.0, 120.0, 0.0), (300.0, 330.0, 0.0), (480.0, 130.0, 0.0)
    ]  # fmt: skip


def as_seen(piece: Polygon, height_mm: float) -> TerrainSeen:
    """What would be taken for a wall of that height, were it where something lies on the table."""
    corners = np.array(piece.exterior.coords)[:-1]
    places = camera().to_plane(camera().project(np.column_stack([corners, np.full(len(corners), 3.0)])), height_mm)
    return TerrainSeen(kind="wall", polygon_mm=tuple((float(x), float(y)) for x, y in places), sigma_mm=0.5)


def rank(count: int, confidence: float) -> list[BaseSeen]:
    """Round bases side by side."""
    return [
        BaseSeen(army="british", base="foot", x_mm=200.0 + 25.5 * n, y_mm=200.0, z_mm=0.0, bearing_deg=None,
                 sigma_mm=0.3, bearing_sigma_deg=None, confidence=confidence)
        for n in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("count", "confidence", "is_wall"),
    [(4, 0.95, False), (4, 0.4, True), (2, 0.95, True), (0, 1.0, True)],
    ids=["all of it bases", "hardly sure", "it goes on beyond them", "no bases"],
)
def test_a_wall_of_which_only_a_rank_of_bases_is_seen_is_none(count: int, confidence: float, is_wall: bool):
    wall = as_seen(box(191.0, 190.0, 286.0, 210.0), 15.0)
    left = but_for_bases([wall], rank(count, confidence), camera(), table("#b0aca4", "wall", "#b0aca4", 15.0))
    assert left == ([wall] if is_wall else [])


def test_a_hill_no_larger_than_a_stand_carries_a_figure_all_the_same():
    top = ((270.0, 200.0), (326.0, 200.0), (326.0, 237.0), (270.0, 237.0))
    world = VirtualTable(
        table=table("#2f4f9e", "hill", "#c9a24a", 25.0),
        terrain=(TerrainPlaced(kind="hill", polygon_mm=top),),
        bases=(*STANDS, put("f", "foot", 297.0, 219.0)),
    )
    seen = measured(world)
    assert [piece.kind for piece in seen.terrain] == ["hill"]
    (on_it,) = (b for b in seen.bases if b.base == "foot")
    assert on_it.z_mm == 25.0
    assert abs(on_it.x_mm - 297.0) < 1.0
    assert abs(on_it.y_mm - 219.0) < 1.0
