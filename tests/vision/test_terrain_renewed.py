"""Terrain from frame to frame: where the picture is as it was, so is the terrain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from shapely import Polygon, box

import vision.measure
from tests.vision.small_table import TABLE, camera, table
from tests.vision.test_terrain import laid
from vision.measure import Measurer
from vision.records import TerrainSeen
from vision.renewing.terrain import terrain_renewed
from vision.simulated import Renderer

WOOD = ((60.0, 250.0), (180.0, 240.0), (190.0, 380.0), (70.0, 370.0))
HILL = ((330.0, 60.0), (480.0, 50.0), (540.0, 130.0), (470.0, 220.0), (350.0, 190.0))
FARTHER = ((400.0, 300.0), (540.0, 310.0), (530.0, 420.0), (410.0, 410.0))


def piece(shape: Polygon, kind: str = "woods") -> TerrainSeen:
    corners = tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1])
    return TerrainSeen(kind=kind, polygon_mm=corners, sigma_mm=0.5)


def changed_at(*places: tuple[float, float]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Cells of 16 px of the small table's picture: those that show these places have changed."""
    cells = np.zeros((34, 45), dtype=np.bool_)
    for x, y in places:
        u, v = camera().project([[x, y, 0.0]])[0]
        cells[int(v / 16), int(u / 16)] = True
    return cells


def renewed(seen: list[TerrainSeen], before: list[TerrainSeen], *places: tuple[float, float]) -> list[TerrainSeen]:
    return terrain_renewed(seen, before, changed_at(*places), camera(), TABLE, (16.0, 16.0))


LEFT, RIGHT = piece(box(50, 50, 160, 150)), piece(box(400, 50, 500, 150))
RIGHT_AGAIN = piece(box(401, 50, 501, 151))


@pytest.mark.parametrize(
    ("seen", "before", "places", "now"),
    [
        ([RIGHT_AGAIN, LEFT], [LEFT, RIGHT], [(100, 100)], [LEFT, RIGHT]),
        ([LEFT], [LEFT, RIGHT], [(100, 100)], [LEFT, RIGHT]),
        ([LEFT, RIGHT], [LEFT], [(100, 100)], [LEFT]),
        ([LEFT], [LEFT, RIGHT], [(450, 100)], [LEFT]),
        ([LEFT, RIGHT], [LEFT], [(450, 100)], [LEFT, RIGHT]),
        ([piece(box(50, 50, 500, 150))], [LEFT, RIGHT], [(250, 100)], [piece(box(50, 50, 500, 150))]),
    ],
    ids=["trembles", "not seen", "made up", "taken up", "laid down", "grown together"],
)
def test_pieces_come_and_go_only_where_the_picture_has_changed(
    seen: list[TerrainSeen],
    before: list[TerrainSeen],
    places: list[tuple[float, float]],
    now: list[TerrainSeen],
) -> None:
    assert renewed(seen, before, *places) == now


def test_a_hill_that_one_frame_does_not_show_stays_while_a_wood_is_laid_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    renderer, measurer = Renderer(camera()), Measurer(TABLE)
    world = replace(table(), terrain=(laid("woods", WOOD), laid("hill", HILL)))
    first = measurer.measure(renderer.render(world)).terrain
    assert [p.kind for p in first] == ["woods", "hill"]
    find = vision.measure.find_terrain
    monkeypatch.setattr(
        vision.measure, "find_terrain", lambda *given: [p for p in find(*given) if p.kind != "hill"]
    )
    more = replace(world, terrain=(*world.terrain, laid("woods", FARTHER)))
    second = measurer.measure(renderer.render(more)).terrain
    assert [p.kind for p in second] == ["woods", "woods", "hill"]
    assert second[2] == first[1]
    assert first[0] in second
    without_hill = replace(more, terrain=(more.terrain[0], more.terrain[2]))
    assert [p.kind for p in measurer.measure(renderer.render(without_hill)).terrain] == ["woods", "woods"]
