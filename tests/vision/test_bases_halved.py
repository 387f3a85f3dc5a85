"""Two square bases one behind the other are no horse, though a figure hides much of the line between them; nor is
half a horse a square base."""

from __future__ import annotations

import msgspec
import numpy as np

from calibration.records import RectBase
from tests.vision.test_bases import FLOCK, PAPER, Colour, Floats, Level, camera, drawn, table
from vision.bases.picture.paint import Paint, expected_features, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.halved import doubled, halved
from vision.bases.shapes import Outline, outline_of
from vision.bases.usual import Look
from vision.bases.weighing.judged import LENIENT, fitted_together
from vision.light import estimate_light

RED: Colour = (37, 43, 158)
SQUARE = RectBase(name="square", width_mm=25.0, depth_mm=25.0, height_mm=3.0)
HORSE = RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0)


def box(x_mm: float, y_mm: float, wide: float, deep: float) -> Floats:
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]]) / 2
    return np.asarray(np.array([x_mm, y_mm]) + corners * [wide, deep])


def scene_of(felt: list[tuple[Floats, Colour]]) -> tuple[Scene, Paint, list[Outline]]:
    """A table on which an army of squares and horses has so much painted, its paint, and its kinds."""
    listed = table()
    army = msgspec.structs.replace(listed.armies[0], bases=(SQUARE, HORSE))
    frame = drawn([], ground_mm=3.0, felt=felt)
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), listed)
    return (
        scene,
        paint_of(expected_features(army.base_colour), scene.background),
        [outline_of(kind) for kind in army.bases],
    )


def test_two_squares_are_told_from_a_horse_by_what_is_seen_of_the_line_between_them() -> None:
    two = [(box(150.0, 200.0 + dy, 19.4, 19.4), FLOCK) for dy in (-12.5, 12.5)]
    felt = [(box(150.0, 200.0, 25.0, 50.0), RED), *two, (box(147.0, 200.0, 6.0, 10.0), PAPER)]
    felt += [(box(300.0, 200.0, 25.0, 50.0), RED), (box(300.0, 200.0, 19.4, 44.4), FLOCK)]
    scene, paint, kinds = scene_of(felt)
    horses = [Placed(kinds[1], x_mm, 200.0, 0.0, 0.0) for x_mm in (150.0, 300.0)]
    found = fitted_together(scene, horses, np.ones(2), paint, Look(), 5, soft_mm=0.0)
    stand = [(b.outline.name, round(b.x_mm), b.y_mm) for b in halved(scene, found, kinds, paint, LENIENT).placed]
    assert [(name, x_mm) for name, x_mm, _ in stand] == [("horse", 300), ("square", 150), ("square", 150)]
    assert all(11.5 < abs(y_mm - 200.0) < 13.5 for _, _, y_mm in stand[1:])


def test_half_a_horse_is_no_square_base_though_three_of_its_sides_are_seen() -> None:
    felt = [(box(150.0, 200.0, 25.0, 50.0), RED), (box(150.0, 200.0, 19.4, 44.4), FLOCK)]
    felt += [(box(300.0, 187.5, 25.0, 25.0), RED), (box(300.0, 187.5, 19.4, 19.4), FLOCK)]
    scene, paint, kinds = scene_of(felt)
    squares = [Placed(kinds[0], x_mm, 187.5, 0.0, 0.0) for x_mm in (150.0, 300.0)]
    found = fitted_together(scene, squares, np.ones(2), paint, Look(), 5, soft_mm=0.0)
    stand = [
        (b.outline.name, round(b.x_mm), round(b.y_mm)) for b in doubled(scene, found, kinds, paint, LENIENT).placed
    ]
    assert sorted(stand) == [("horse", 150, 200), ("square", 300, 187)]
