"""A ball in its own shadow, coffee in a cup, a box and the border of a field are no bases of a dark army, nor is a
tag one of a pale army."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.prints.markers import FoundMarker
from calibration.records import RectBase, Table
from tests.vision.test_bases import LENS, PAPER, Colour, Level, Stands, camera, drawn, matched, table
from vision.bases import find_bases
from vision.bases.picture.paint import expected_features, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.solid import solid
from vision.bases.shapes import outline_of
from vision.bases.usual import Look
from vision.bases.weighing.judged import fitted_together
from vision.light import estimate_light

Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Fields(Level):
    """Level ground with pieces of felt on it."""

    felt: tuple[NDArray[np.float64], ...] = ()

    @property
    def outlines_mm(self) -> tuple[NDArray[np.float64], ...]:
        return self.felt


GREEN = "#234633"
STANDS = [Stands("green", "foot", 60.0 + 40.0 * k, 60.0) for k in range(7)]


def dark_army() -> Table:
    listed = table()
    army = msgspec.structs.replace(listed.armies[0], name="green", base_colour=GREEN)
    return msgspec.structs.replace(listed, armies=(army,))


def with_discs(frame: Image, x_mm: float, y_mm: float, discs: Sequence[tuple[float, Colour]]) -> Image:
    """The frame with discs of such radii in mm upon each other."""
    fine = 4
    large = cv2.resize(frame, None, fx=fine, fy=fine, interpolation=cv2.INTER_NEAREST)
    turn = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    for radius_mm, colour in discs:
        edge = np.column_stack([x_mm + radius_mm * np.cos(turn), y_mm + radius_mm * np.sin(turn), np.full(80, 3.0)])
        at = ((camera().project(edge) + 0.5) * fine - 0.5) * 16
        cv2.fillPoly(large, [np.rint(at).astype(np.int32)], colour, shift=4)
    small = cv2.resize(large, (LENS.width_px, LENS.height_px), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.7), dtype=np.uint8)


def test_a_white_ball_in_its_own_shadow_is_no_base() -> None:
    frame = with_discs(drawn(STANDS), 250.0, 250.0, [(12.5, (38, 68, 50)), (9.6, PAPER)])
    matched(find_bases(frame, camera(), dark_army(), Level(), ()), STANDS, 0.4)


def test_no_ring_lies_anywhere_on_the_coffee_in_a_cup() -> None:
    listed = dark_army()
    frame = with_discs(drawn(STANDS), 250.0, 250.0, [(36.0, PAPER), (31.0, (40, 58, 30))])
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), listed)
    paint = paint_of(expected_features(GREEN), scene.background)
    foot = outline_of(listed.armies[0].bases[0])
    on_coffee = [Placed(foot, 250.0 + dx, 250.0 + dy, 0.0, 0.0) for dx, dy in ((16.0, 0.0), (-9.0, 13.0))]
    stand = [Placed(foot, base.x_mm, base.y_mm, 0.0, 0.0) for base in STANDS]
    found = fitted_together(scene, [*on_coffee, *stand], np.ones(9), paint, Look(), 0, soft_mm=0.0)
    assert solid(scene, found, paint).tolist() == [True] * 2 + [False] * 7


def test_the_border_of_a_field_is_no_side_of_a_base_but_bases_stand_along_it() -> None:
    """Where mat and felt mix in a pixel the line between them may be of an army's colour."""
    field = np.array([[300.0, 200.0], [400.0, 200.0], [400.0, 350.0], [300.0, 350.0]])
    line = np.array([[297.5, 200.0], [300.0, 200.0], [300.0, 350.0], [297.5, 350.0]])
    listed, stands = dark_army(), Stands("green", "horse", 412.5, 280.0)
    frame = drawn([*STANDS, stands], felt=[(field, (70, 130, 150)), (line, (45, 66, 33))])
    scene = Scene(frame, camera(), Fields(felt=(field,)), estimate_light(frame, ()), (), listed)
    paint = paint_of(expected_features(GREEN), scene.background)
    horse = outline_of(listed.armies[0].bases[2])
    placed = [Placed(horse, x_mm, 280.0, 0.0, 0.0) for x_mm in (287.5, stands.x_mm)]
    found = fitted_together(scene, placed, np.ones(2), paint, Look(), 0, soft_mm=0.0)
    assert solid(scene, found, paint).tolist() == [True, False]


def test_the_white_border_of_a_tag_is_no_base_of_a_pale_army() -> None:
    """A tag's paper is about as large as a base, and so is its border as white and as wide as a painted rim."""
    middle = np.array([250.0, 250.0])
    paper, black = (middle + half * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]]) for half in (13.0, 9.2))
    stands = [Stands("bone", "foot", base.x_mm, base.y_mm) for base in STANDS]
    frame = drawn(stands, felt=[(paper, (154, 204, 207)), (black, (30, 30, 30))])
    tag = FoundMarker(12, camera().project(np.column_stack([black, np.zeros(4)])))
    listed = table()
    army = msgspec.structs.replace(listed.armies[0], name="bone", base_colour="#cfcc9a")
    listed = msgspec.structs.replace(listed, armies=(army,))
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (tag,), listed)
    paint = paint_of(expected_features(army.base_colour), scene.background)
    foot = outline_of(army.bases[0])
    placed = [Placed(foot, x_mm, y_mm, 0.0, 0.0) for x_mm, y_mm in [(250.0, 250.0), (60.0, 60.0), (100.0, 60.0)]]
    found = fitted_together(scene, placed, np.ones(3), paint, Look(), 0, soft_mm=0.0)
    assert solid(scene, found, paint).tolist() == [True, False, False]


def test_a_black_box_as_large_as_a_gun_is_no_gun_of_a_dark_army() -> None:
    """Its edges stand out from the mat as a rim does, but it has no top of another colour."""
    box = np.array([[225.0, 220.0], [275.0, 220.0], [275.0, 280.0], [225.0, 280.0]])
    frame = drawn(STANDS, felt=[(box, (50, 68, 36))])
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), dark_army())
    paint = paint_of(expected_features(GREEN), scene.background)
    gun = outline_of(RectBase(name="gun", width_mm=50.0, depth_mm=60.0, height_mm=0.0))
    foot = outline_of(scene.table.armies[0].bases[0])
    placed = [Placed(gun, 250.0, 250.0, 0.0, 0.0), *(Placed(foot, b.x_mm, b.y_mm, 0.0, 0.0) for b in STANDS)]
    found = fitted_together(scene, placed, np.ones(8), paint, Look(), 0, soft_mm=0.0)
    assert solid(scene, found, paint).tolist() == [True] + [False] * 7


def test_where_only_the_side_of_a_base_is_painted_stands_no_other_beside_it() -> None:
    """It has that side for its own, and nothing else."""
    stands = [Stands("green", "horse", x_mm, 250.0) for x_mm in (150.0, 300.0, 325.4)]
    frame, listed = drawn([*STANDS, *stands]), dark_army()
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), listed)
    paint = paint_of(expected_features(GREEN), scene.background)
    horse = outline_of(listed.armies[0].bases[2])
    placed = [Placed(horse, x_mm, 250.0, 0.0, 0.0) for x_mm in (175.4, *(base.x_mm for base in stands))]
    found = fitted_together(scene, placed, np.ones(4), paint, Look(), 0, soft_mm=0.0)
    assert solid(scene, found, paint).tolist() == [True, False, False, False]


@pytest.mark.parametrize(
    ("broad_mm", "flock", "rug"),
    [(40.0, (60, 120, 170), True), (40.0, (51, 70, 35), False), (20.0, (60, 120, 170), False)],
    ids=["a rug", "tops like rims anywhere", "as broad as a base"],
)
def test_squares_side_by_side_on_a_rug_of_their_paint_are_none_where_the_others_have_tops(
    broad_mm: float, flock: Colour, rug: bool
) -> None:
    """In a picture so coarse that nothing else tells a broad band of paint from rims."""
    band = np.array([[215, -0.5], [305, -0.5], [305, 0.5], [215, 0.5]]) * [1.0, broad_mm] + np.array([0.0, 210.0])
    frame = drawn(STANDS, felt=[(band, (51, 70, 35))], flock=flock, blur_px=1.0)
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), dark_army())
    paint = paint_of(expected_features(GREEN), scene.background)
    foot, square = (outline_of(kind) for kind in scene.table.armies[0].bases[:2])
    tiles = [Placed(square, 230.0 + 20.1 * k, 210.0, 0.0, 0.0) for k in range(4)]
    placed = [*tiles, *(Placed(foot, b.x_mm, b.y_mm, 0.0, 0.0) for b in STANDS)]
    found = fitted_together(scene, placed, np.ones(11), paint, Look(blur_mm=1.8), 0, soft_mm=0.0)
    assert solid(scene, found, paint).tolist() == [rug] * 4 + [False] * 7
