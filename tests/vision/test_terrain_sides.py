"""The sloping side of a hill in sight is no road along it; a road at its foot is one."""

from __future__ import annotations

from msgspec.structs import replace

from calibration.records import TerrainKind
from tests.vision.small_table import TABLE
from tests.vision.test_terrain import Corners, best, laid, seen
from vision.simulated import Effects, TerrainPlaced, VirtualTable

_KINDS = (
    TerrainKind(kind="road", colour="#7d6d4b", height_mm=0.7),
    TerrainKind(kind="hill", colour="#a08c62", height_mm=23.0),
)
_HILL: Corners = ((150.0, 100.0), (420.0, 90.0), (440.0, 260.0), (160.0, 280.0))
_ROAD: Corners = ((140.0, 330.0), (430.0, 330.0), (430.0, 360.0), (140.0, 360.0))


def world(*pieces: TerrainPlaced) -> VirtualTable:
    return VirtualTable(table=replace(TABLE, terrain_kinds=_KINDS), terrain=pieces)


def test_the_sloping_sides_of_a_hill_are_no_road_and_the_road_at_its_foot_is_one() -> None:
    slopes = TerrainPlaced(kind="hill", polygon_mm=_HILL, slope_mm=13.0)
    pieces = seen(world(slopes, laid("road", _ROAD)), Effects(flock=24, relief=True))
    assert sorted(piece.kind for piece in pieces) == ["hill", "road"]
    assert best(pieces, "hill", _HILL) > 0.95
    assert best(pieces, "road", _ROAD) > 0.95
