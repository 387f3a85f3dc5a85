"""Who stands in the ranks and files of a block is told by it, though nobody would believe him alone; where nobody
stands, nobody is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.accuracy.drawing import Kind
from tests.vision.one_army import army_measured
from tests.vision.test_bases import Image, Level, Stands, camera, drawn, table
from vision.bases.picture.paint import Paint, expected_features, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.proposing.proposed import proposed
from vision.bases.regrouping.made_full import made_full
from vision.bases.search import Found, search
from vision.bases.shapes import turned
from vision.light import estimate_light

FILES, RANKS, PITCH_MM = 5, 3, {"square": 20.4, "foot": 25.4}
BLUE = table().armies[1]
WANTING = [(7,), (0, 4, 10, 14), (6, 7, 8), (2, 7, 12), (10, 11, 12, 13)]  # amid it, corners, and more


def places(kind: str) -> NDArray[np.float64]:
    spots = [[PITCH_MM[kind] * file, -PITCH_MM[kind] * rank] for rank in range(RANKS) for file in range(FILES)]
    return np.add(turned(np.array(spots), 25.0), 200.0)


def seen(frame: Image) -> tuple[Scene, Paint, Found]:
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    paint = paint_of(expected_features(BLUE.base_colour), scene.background)
    found = search(scene, BLUE, paint, proposed(scene, BLUE, paint))
    assert found is not None
    return scene, paint, found


def astray_mm(found: Found, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far from the nearest of some places each base was found."""
    own = np.array([[base.x_mm, base.y_mm] for base in found.placed])
    return np.asarray(np.linalg.norm(own[:, None] - at, axis=2).min(axis=1))


def block(kind: str, but_for: tuple[int, ...] = ()) -> list[Stands]:
    return [Stands("blue", kind, x, y, 25.0) for k, (x, y) in enumerate(places(kind).tolist()) if k not in but_for]


@pytest.mark.parametrize("wanting", WANTING, ids=str)
@pytest.mark.parametrize("kind", PITCH_MM)
def test_those_whom_none_but_their_block_tells_are_told(kind: str, wanting: tuple[int, ...]) -> None:
    scene, paint, found = seen(drawn(block(kind)))
    lost = places(kind)[list(wanting)]
    left = found.taken(np.flatnonzero(astray_mm(found, lost) > 5.0).tolist())
    assert len(left.placed) == FILES * RANKS - len(wanting)
    full, likely = made_full(scene, left, np.ones(len(left.placed)), paint, [])
    assert full.placed[: len(left.placed)] == left.placed  # who stood before stands as he stood
    assert len(full.placed) == len(likely) == FILES * RANKS
    assert astray_mm(full, places(kind)).max() < 0.8
    assert 0.6 < likely[len(left.placed) :].max() < 1.0


@pytest.mark.parametrize("wanting", WANTING, ids=str)
@pytest.mark.parametrize("kind", PITCH_MM)
def test_a_hole_in_a_block_stays_one_and_the_mat_beside_it_stays_bare(kind: str, wanting: tuple[int, ...]) -> None:
    scene, paint, found = seen(drawn(block(kind, but_for=wanting)))
    assert len(found.placed) == FILES * RANKS - len(wanting)
    full, likely = made_full(scene, found, np.ones(len(found.placed)), paint, [])
    assert full.placed == found.placed
    assert (likely == 1.0).all()


def test_a_hole_in_a_block_whose_rims_run_together_stays_one() -> None:
    scene, paint, found = seen(drawn(block("square", but_for=(6, 7, 8)), blur_px=1.8))
    assert len(found.placed) == FILES * RANKS - 3
    full, _ = made_full(scene, found, np.ones(len(found.placed)), paint, [])
    assert full.placed == found.placed


@pytest.mark.parametrize("colour", [(158, 79, 47), (110, 80, 60)], ids=["of the paint", "rather like it"])
@pytest.mark.parametrize("kind", PITCH_MM)
def test_a_field_of_the_armys_colour_beside_a_block_is_not_tiled_with_it(
    kind: str, colour: tuple[int, int, int]
) -> None:
    half_mm = 1.55 * PITCH_MM[kind]
    along, *_ = turned(np.array([[1.0, 0.0]]), 25.0)
    middle = places(kind)[[4, 14]].mean(axis=0) + along * (half_mm + PITCH_MM[kind] / 2)
    field = turned(half_mm * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]]), 25.0) + middle
    scene, paint, found = seen(drawn(block(kind), felt=[(field, colour)]))
    assert len(found.placed) == FILES * RANKS
    full, _ = made_full(scene, found, np.ones(len(found.placed)), paint, [])
    assert full.placed == found.placed


@pytest.mark.parametrize("kind", PITCH_MM)
def test_one_of_another_colour_amid_a_block_is_not_told_as_one_of_it(kind: str) -> None:
    one = Stands("red", kind, *places(kind)[7].tolist(), 25.0)
    scene, paint, found = seen(drawn([*block(kind, but_for=(7,)), one]))
    assert len(found.placed) == FILES * RANKS - 1
    full, _ = made_full(scene, found, np.ones(len(found.placed)), paint, [])
    assert full.placed == found.placed


@pytest.mark.parametrize(
    ("seed", "army", "nobody_at"),
    [
        (6056, "army-1", (1117.0, 695.0)),
        (6050, "army-2", (1172.0, 607.0)),
        (6206, "army-2", (278.0, 465.0)),
        (6046, "army-1", (851.0, 793.0)),
    ],
    ids=["amid rectangles", "on a field", "in a bay of a line", "in a long shadow"],
)
def test_what_looks_a_little_like_one_of_the_block_is_nobody(
    seed: int, army: str, nobody_at: tuple[float, float]
) -> None:
    score = army_measured(seed, army, Kind(fair=True)).score
    told = [*(error.seen for error in score.bases), *score.bases_false]
    away = [np.hypot(base.x_mm - nobody_at[0], base.y_mm - nobody_at[1]) for base in told]
    assert 15.0 < min(away) < 60.0


def test_nobody_is_told_where_another_army_stands() -> None:
    scene, paint, found = seen(drawn(block("foot")))
    lost = astray_mm(found, places("foot")[[7]]) < 5.0
    left, other = found.taken(np.flatnonzero(~lost).tolist()), found.taken(np.flatnonzero(lost).tolist())
    full, _ = made_full(scene, left, np.ones(len(left.placed)), paint, other.placed)
    assert full.placed == left.placed


def test_beside_terrain_of_the_armys_colour_its_block_tells_nobody() -> None:
    scene, paint, found = seen(drawn(block("foot")))
    left = found.taken(np.flatnonzero(astray_mm(found, places("foot")[[7]]) > 5.0).tolist())
    sure = np.ones(len(left.placed))
    elsewhere, _ = made_full(scene, left, sure, paint, [], lambda some: np.zeros(len(some), np.bool_))
    assert len(elsewhere.placed) == FILES * RANKS
    all_of_it, _ = made_full(scene, left, sure, paint, [], lambda some: np.ones(len(some), np.bool_))
    assert len(all_of_it.placed) == FILES * RANKS  # where all of the block stands beside such, that bars nobody
    lost = places("foot")[7]
    full, _ = made_full(
        scene,
        left,
        sure,
        paint,
        [],
        lambda some: np.array([np.hypot(b.x_mm - lost[0], b.y_mm - lost[1]) < 9.0 for b in some]),
    )
    assert full.placed == left.placed


def test_nobody_is_told_where_a_look_at_a_part_of_the_table_does_not_look() -> None:
    scene, paint, found = seen(drawn(block("foot")))
    left = found.taken(np.flatnonzero(astray_mm(found, places("foot")[[7]]) > 5.0).tolist())
    nowhere = np.zeros(scene.frame.shape[:2], dtype=np.bool_)
    full, _ = made_full(replace(scene, within=nowhere), left, np.ones(len(left.placed)), paint, [])
    assert full.placed == left.placed
