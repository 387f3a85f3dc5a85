"""A wood, a lake or a field that covers more of the table than is left of the mat."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from shapely import Polygon

from tests.vision.small_table import TABLE, base, camera
from tests.vision.test_terrain import KINDS, Corners, laid
from vision.measure import measure
from vision.records import Observation
from vision.simulated import BasePlaced, Renderer, VirtualTable

WIDE: Corners = ((12.0, 20.0), (250.0, 8.0), (430.0, 14.0), (415.0, 438.0), (180.0, 442.0), (14.0, 420.0))
COLOURS = {"woods": "#2e5a2c", "river": "#3f6f8f", "field": "#b08d3c"}
BESIDE = tuple(base(f"b{k}", 455.0 + 42.0 * (k % 4), 90.0 + 110.0 * (k // 4), army="british") for k in range(12))


def measured(kind: str, bases: tuple[BasePlaced, ...], colour: str, *corners: Corners) -> Observation:
    """What is seen of bases of an army of this colour, and of terrain of a kind."""
    army = replace(TABLE.armies[0], base_colour=colour)
    table = replace(TABLE, armies=(army,), terrain_kinds=KINDS)
    world = VirtualTable(table=table, bases=bases, terrain=tuple(laid(kind, piece) for piece in corners))
    return measure(Renderer(camera()).render(world), table, camera().intrinsics)


@pytest.mark.parametrize("kind", sorted(COLOURS))
def test_terrain_that_covers_more_than_is_left_of_the_mat_is_found(kind: str) -> None:
    seen = measured(kind, (), "#9e2b25", WIDE)
    (piece,) = seen.terrain
    told, true = Polygon(piece.polygon_mm), Polygon(WIDE)
    assert true.area > 0.6 * TABLE.table.width_mm * TABLE.table.depth_mm
    assert piece.kind == kind
    assert told.intersection(true).area / told.union(true).area > 0.98


@pytest.mark.parametrize("kind", sorted(COLOURS))
def test_a_green_army_beside_a_green_wood_wider_than_the_mat_is_found(kind: str) -> None:
    seen = measured(kind, BESIDE, COLOURS[kind], WIDE)
    assert len(seen.bases) == len(BESIDE)
    for own in BESIDE:
        assert min(abs(b.x_mm - own.x_mm) + abs(b.y_mm - own.y_mm) for b in seen.bases) < 1.5


@pytest.mark.parametrize("kind", sorted(COLOURS))
def test_no_green_bases_are_made_up_in_a_green_wood_wider_than_the_mat(kind: str) -> None:
    assert measured(kind, (), COLOURS[kind], WIDE).bases == ()
