"""Terrain does not shimmer: outlines agree from frame to frame, and stay as they were until the piece changes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import Polygon
from shapely.affinity import translate

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from calibration.records import TerrainKind
from tests.vision.small_table import TABLE, base, camera
from vision.records import TerrainSeen
from vision.simulated import Effects, Renderer, TerrainPlaced, TreePlaced, VirtualTable
from vision.terrain import find_terrain
from vision.terrain.keeping import kept

KINDS = (
    *TABLE.terrain_kinds,
    TerrainKind(kind="river", colour="#3f6f8f", height_mm=1.0),
    TerrainKind(kind="wall", colour="#8f8c86", height_mm=12.0),
)
PIECES: dict[str, tuple[tuple[float, float], ...]] = {
    "woods": ((60.0, 60.0), (190.0, 50.0), (210.0, 150.0), (120.0, 200.0), (50.0, 140.0)),
    "hill": ((330.0, 60.0), (480.0, 50.0), (540.0, 130.0), (470.0, 220.0), (350.0, 190.0)),
    "river": ((230.0, 0.0), (270.0, 0.0), (300.0, 230.0), (290.0, 450.0), (250.0, 450.0), (260.0, 230.0)),
    "wall": ((350.0, 300.0), (460.0, 330.0), (458.0, 338.0), (348.0, 308.0)),
}
NOISY = Effects(noise=5.0, jpeg_quality=75)


def world(moved: str = "", by_mm: float = 0.0) -> VirtualTable:
    """The table with a wood under trees, a hill, a river and a wall; one piece moved to the right."""
    return VirtualTable(
        table=replace(TABLE, terrain_kinds=KINDS),
        terrain=tuple(
            TerrainPlaced(kind=kind, polygon_mm=tuple((x + by_mm * (kind == moved), y) for x, y in corners))
            for kind, corners in PIECES.items()
        ),
        trees=(TreePlaced(x_mm=130.0, y_mm=62.0, radius_mm=14.0, height_mm=40.0),),
        bases=(base("b1", 120.0, 120.0), base("b2", 380.0, 100.0)),
    )


def look(picture: NDArray[np.uint8], before: tuple[TerrainSeen, ...] = ()) -> tuple[TerrainSeen, ...]:
    found = find_markers(grey_of(picture), "DICT_4X4_100")
    return tuple(find_terrain(picture, camera(), world().table, found, before))


@cache
def frames() -> tuple[NDArray[np.uint8], ...]:
    renderer = Renderer(camera(), NOISY)
    return tuple(renderer.render(world()) for _ in range(4))


def apart_mm(one: TerrainSeen, other: TerrainSeen) -> float:
    """How far, root mean square, one outline lies from another."""
    line, edge = Polygon(one.polygon_mm).exterior, Polygon(other.polygon_mm).exterior
    places = [line.interpolate(share, normalized=True) for share in np.linspace(0, 1, 200)]
    return float(np.sqrt(np.mean([edge.distance(place) ** 2 for place in places])))


def test_outlines_of_one_table_in_other_noise_lie_within_two_sigma_of_each_other():
    first, *others = (look(frame) for frame in frames())
    for other in others:
        for one, again in zip(first, other, strict=True):
            assert one.kind == again.kind
            assert apart_mm(one, again) < 2.0 * max(one.sigma_mm, again.sigma_mm)


def test_outlines_that_nothing_contradicts_stay_exactly_as_they_were():
    first, *others = frames()
    before = look(first)
    for frame in others:
        assert look(frame, before) == before


@pytest.mark.parametrize("kind", ["woods", "wall"])
def test_a_piece_that_was_moved_is_seen_where_it_is_and_the_others_stay(kind: str):
    before = look(frames()[0])
    now = look(Renderer(camera(), NOISY).render(world(kind, 4.0)), before)
    stayed = [piece for piece in now if piece.kind != kind]
    assert stayed == [piece for piece in before if piece.kind != kind]
    moved = next(piece for piece in now if piece.kind == kind)
    truth = Polygon([(x + 4.0, y) for x, y in PIECES[kind]])
    shape = Polygon(moved.polygon_mm)
    assert shape.intersection(truth).area / shape.union(truth).area > 0.9
    assert moved not in before


def test_sigma_tells_how_far_outlines_lie_from_the_truth():
    for piece in look(frames()[0]):
        truth = TerrainSeen(kind=piece.kind, polygon_mm=PIECES[piece.kind], sigma_mm=0.0)
        assert apart_mm(truth, piece) < 2.45 * piece.sigma_mm


def piece(shape: Polygon, sigma_mm: float = 0.5, kind: str = "woods") -> TerrainSeen:
    corners = tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1])
    return TerrainSeen(kind=kind, polygon_mm=corners, sigma_mm=sigma_mm)


SQUARE = Polygon([(0, 0), (100, 0), (100, 100), (0, 100)])


@pytest.mark.parametrize(
    ("now", "stays"),
    [
        (piece(SQUARE), True),
        (piece(translate(SQUARE, 0.3, 0.2)), True),
        (piece(translate(SQUARE, 4.0, 0.0)), False),
        (piece(SQUARE.buffer(2.0)), False),
        (piece(SQUARE.union(Polygon([(100, 48), (114, 48), (114, 52), (100, 52)]))), False),
        (piece(SQUARE, kind="field"), False),
        (piece(translate(SQUARE, 300.0, 0.0)), False),
    ],
    ids=["same", "noise", "moved", "grown", "a spur", "another kind", "another place"],
)
def test_an_outline_stays_while_the_new_one_agrees_within_sigma(now: TerrainSeen, stays: bool):
    old = piece(SQUARE)
    assert kept([now], [old]) == [old if stays else now]


def test_slow_drift_is_followed_for_each_outline_is_held_against_the_one_kept():
    outline = piece(SQUARE)
    for step in range(1, 40):
        outline = kept([piece(translate(SQUARE, 0.1 * step, 0.0))], [outline])[0]
        assert abs(min(x for x, _ in outline.polygon_mm) - 0.1 * step) < 2.5


def test_two_pieces_keep_two_outlines():
    both = [piece(SQUARE), piece(translate(SQUARE, 120.0, 0.0))]
    assert kept([both[1], both[0]], both) == [both[1], both[0]]
