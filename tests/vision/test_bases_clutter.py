"""What lies between the bases - sheets, mugs, other armies' shadows - costs an army none of its own."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from benchmarks.accuracy.drawing import Kind, case_of
from benchmarks.accuracy.measuring import measured
from calibration.records import RectBase
from tests.vision import small_table
from tests.vision.one_army import army_measured
from tests.vision.test_bases import PAPER, Level, Stands, camera, drawn, matched, table
from vision.bases import find_bases
from vision.bases.picture.paint import expected_features, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposed import proposed
from vision.bases.regrouping.ruled import ruled
from vision.bases.shapes import outline_of
from vision.bases.usual import Look
from vision.bases.weighing.judged import fitted_together
from vision.light import estimate_light
from vision.measure import measure
from vision.simulated import Renderer, VirtualTable

Image = NDArray[np.uint8]

YELLOW = "#e0d43a"
STANDS = [Stands("red", "foot", 60.0 + 40.0 * k, 50.0) for k in range(5)]
SHEET = np.array([[150.0, 130.0], [330.0, 130.0], [330.0, 330.0], [150.0, 330.0]])


def with_a_sheet(frame: Image, turn_deg: float) -> Image:
    """The frame with a printed sheet of paper on the table, turned so far: a rules' summary, say."""
    middle, fine = SHEET.mean(axis=0), frame.copy()
    turn = np.deg2rad(turn_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])

    def fill(points: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
        at = (points - middle) @ turned + middle
        seen = camera().project(np.column_stack([at, np.full(len(at), 0.1)]))
        cv2.fillPoly(fine, [np.rint(seen * 16).astype(np.int32)], colour, cv2.LINE_AA, shift=4)

    fill(SHEET, PAPER)
    for y in np.arange(145.0, 320.0, 9.0):
        fill(np.array([[160.0, y], [320.0, y], [320.0, y + 3], [160.0, y + 3]]), (70, 70, 70))
    return np.asarray(fine, dtype=np.uint8)


@pytest.mark.parametrize("turn_deg", [0.0, 31.0])
def test_bases_are_hardly_looked_for_on_a_printed_sheet(turn_deg: float) -> None:
    """The lines between its lines look like rims, of a paint that is pale enough, by the hundred."""
    listed = table()
    army = msgspec.structs.replace(listed.armies[0], base_colour=YELLOW)
    frame = with_a_sheet(drawn([]), turn_deg)
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), listed)
    places = proposed(scene, army, paint_of(expected_features(YELLOW), scene.background))
    on_it = [p for p in places if np.hypot(*(np.array([p.x_mm, p.y_mm]) - SHEET.mean(axis=0))) < 70]
    assert len(on_it) < 5


@pytest.mark.parametrize("turn_deg", [0.0, 31.0])
def test_bases_beside_a_printed_sheet_are_found(turn_deg: float) -> None:
    matched(find_bases(with_a_sheet(drawn(STANDS), turn_deg), camera(), table(), Level(), ()), STANDS, 0.5)


def test_a_faint_base_is_looked_for_beside_a_crowd_that_might_stand_in_many_ways() -> None:
    """Horse in files touch so that hundreds of clearer places fit them, nearly all of them of nobody."""
    crowd = [Stands("blue", "horse", 40.0 + 26.0 * k, 60.0 + 52.0 * n) for k in range(12) for n in range(6)]
    alone = Stands("blue", "foot", 440.0, 200.0, glare=0.34)
    frame, army = drawn([*crowd, alone]), table().armies[1]
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    places = proposed(scene, army, paint_of(expected_features(army.base_colour), scene.background))
    assert any(p.outline.name == "foot" and np.hypot(p.x_mm - 440.0, p.y_mm - 200.0) < 3.0 for p in places)
    for base in crowd:
        assert min(np.hypot(p.x_mm - base.x_mm, p.y_mm - base.y_mm) for p in places) < 3.0


def test_a_dark_base_is_looked_for_though_the_rims_of_a_brighter_army_are_more_like_its_paint() -> None:
    """A slate rim in the green light of the mat: blue ones are as far from the mat, and farther, the same way."""
    alone = Stands("green", "foot", 250.0, 250.0)
    frame, listed = drawn([*(Stands("blue", "foot", 60.0 + 40.0 * k, 60.0) for k in range(7)), alone]), table()
    slate = msgspec.structs.replace(listed.armies[0], base_colour="#3a4148")
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), listed)
    own, blue = (
        paint_of(expected_features(colour), scene.background)
        for colour in (slate.base_colour, listed.armies[1].base_colour)
    )
    places = proposed(scene, slate, own, [blue])
    assert min(np.hypot(p.x_mm - alone.x_mm, p.y_mm - alone.y_mm) for p in places) < 1.0


def test_an_army_that_is_plainly_seen_is_not_given_up_for_what_looks_a_little_like_it() -> None:
    """Dark green, like shadows on the bases of another; all that lies about on a table lies on it."""
    result = measured(case_of(105), frozenset(("bases",)))
    assert sum(error.truth.army == "army-1" and error.off_mm < 3.0 for error in result.score.bases) >= 18
    assert sum(seen.army == "army-1" for seen in result.score.bases_false) <= 2


def test_an_olive_army_hardly_unlike_the_mat_is_not_given_up_for_the_mat() -> None:
    score = army_measured(7, "army-1").score
    assert sum(error.off_mm < 3.0 for error in score.bases) >= 17
    assert len(score.bases_false) <= 2


def test_bases_are_not_made_up_on_a_hill_of_much_the_same_colour() -> None:
    """All of its top is a little like the paint, so that a base fitted anywhere on it is on paint all round."""
    score = army_measured(523, "army-1").score
    assert len(score.bases_false) < 15


@pytest.mark.parametrize(("broad_mm", "turn_deg"), [(18.5, 20.0), (20.5, 45.0)])
def test_a_tape_measure_of_an_army_s_colour_is_no_row_of_its_bases(broad_mm: float, turn_deg: float) -> None:
    """Squares as broad as the tape have both its edges for two of their sides: fourteen were made up on it. At its
    ends are three sides of one."""
    along = np.array([np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))])
    across = np.array([-along[1], along[0]])
    tape = (260.0, 220.0) + np.array([[-170, -1], [170, -1], [170, 1], [-170, 1]]) @ [along, broad_mm / 2 * across]
    seen = find_bases(drawn(STANDS, felt=[(tape, (37, 43, 158))]), camera(), table(), Level(), ())
    matched([base for base in seen if base.y_mm < 75], STANDS, 0.5)
    assert all(
        abs((base.x_mm - 260.0) * along[0] + (base.y_mm - 220.0) * along[1]) > 150
        for base in seen
        if base.y_mm > 75
    )


def test_a_block_of_grey_squares_with_tan_tops_is_no_printed_page() -> None:
    """Its tops are somewhat like the grey of its rims, too: all of it seemed paper, and was not looked at."""
    square = RectBase(name="square", width_mm=25.0, depth_mm=25.0, height_mm=3.0)
    grey = replace(small_table.TABLE.armies[0], base_colour="#86889e", bases=(square,))
    listed = replace(small_table.TABLE, armies=(grey,))
    middles = [(150 + 25.2 * (k % 8), 150 + 25.2 * (k // 8)) for k in range(32)]
    stand = tuple(replace(small_table.base(f"b{k}", *at), base="square") for k, at in enumerate(middles))
    world = VirtualTable(table=listed, bases=stand, flock="#7d6236", mat="#5d8a2e")
    seen = measure(Renderer(small_table.camera(), None, 1).render(world), listed, small_table.LENS).bases
    assert len(seen) == 32
    assert max(min(np.hypot(b.x_mm - x, b.y_mm - y) for b in seen) for x, y in middles) < 1.0


def test_a_block_in_deep_shade_is_found_though_a_building_is_painted_like_its_army() -> None:
    """Red coats in a shadow, shoulder to shoulder, are of the roof's colour: fourteen of twenty were lost."""
    score = measured(case_of(6132, Kind(fair=True)), frozenset(("bases",))).score
    missed = [base for base in score.bases_missed if base.army == "army-1" and 400 < base.x_mm < 520]
    assert len(missed) <= 3
    assert not score.bases_false


def test_two_lines_of_writing_are_not_the_long_sides_of_a_horse() -> None:
    """They lie as far apart and are as dark: but across them is bare paper, and nothing that could hide a rim."""
    stands = [Stands("blue", "horse", 60.0 + 26.5 * k, 60.0) for k in range(5)]
    frame, dark = drawn(stands), table()
    sheet = np.array([[220.0, 150.0], [420.0, 150.0], [420.0, 380.0], [220.0, 380.0]])

    def fill(points: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
        seen = camera().project(np.column_stack([points, np.full(len(points), 0.1)]))
        cv2.fillPoly(frame, [np.rint(seen * 16).astype(np.int32)], colour, cv2.LINE_AA, shift=4)

    fill(sheet, PAPER)
    for y in np.arange(170.0, 370.0, 22.4):
        fill(np.array([[240.0, y], [400.0, y], [400.0, y + 2.6], [240.0, y + 2.6]]), (150, 90, 60))
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), dark)
    paint = paint_of(expected_features(dark.armies[1].base_colour), scene.background)
    horse = outline_of(dark.armies[1].bases[2])
    written = [Placed(horse, 300.0, y + 12.5, 0.0, 90.0) for y in (170.0, 192.4, 237.2)]
    placed = [*(Placed(horse, base.x_mm, base.y_mm, 0.0, 0.0) for base in stands), *written]
    fit = fitted_together(scene, placed, np.ones(len(placed)), paint, Look(2.8, 0.8), 4, soft_mm=0.0)
    assert ruled(scene, fit, paint).tolist() == [False] * len(stands) + [True] * len(written)


def test_the_lines_of_a_printed_sheet_beside_an_army_are_none_of_it() -> None:
    """Seven were made up on it, where two lines lie as far apart as a base's sides."""
    score = army_measured(4025, "army-2", Kind(fair=True)).score
    assert score.bases_found == 14
    assert not score.bases_false
