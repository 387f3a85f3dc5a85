"""What lies on the table and is no base: tags that cannot be read, mugs, the shadows of figures."""

from __future__ import annotations

import dataclasses
import math

import cv2
import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.records import RectBase, Tags
from tests.vision.small_table import LENS, TABLE, base, camera
from tests.vision.test_plain import CLEAN, pictures, posed
from vision.bases import find_bases
from vision.bases.shapes import Outline
from vision.ground import FLAT
from vision.plain import Pictures, look_for_plain_bases
from vision.plain.picture.backdrop import Backdrop
from vision.plain.picture.cast import Hard, cast_by_figures, hard_shadows
from vision.plain.picture.scene import Scene
from vision.plain.proposing.cards import cards
from vision.plain.proposing.foreign import foreign
from vision.records import BaseSeen
from vision.simulated import Effects, Renderer, VirtualTable, camera_over

THEN = np.full((540, 720, 3), (60, 110, 70), np.float32)
NONE = np.zeros((540, 720), np.bool_)
WHITE, BLACK = (225.0, 225.0, 225.0), (25.0, 25.0, 25.0)
TAGGED = replace(TABLE, tags=Tags(size_mm=20.0))
GUN = Outline("gun", False, 25.0, 30.0, 3.0)
AT, SCALE = (360, 270), float(camera().px_per_mm(np.array([[300.0, 225.0, 0.0]]))[0])


def scene_with(frame: NDArray[np.float32]) -> Scene:
    """A frame of a green table, blurred as by a lens, beside the empty table."""
    backdrop = Backdrop(THEN, np.full_like(THEN, 2.0), ~NONE)
    blurred = np.asarray(cv2.GaussianBlur(frame, (0, 0), 1.0), dtype=np.float32)
    return Scene(blurred, backdrop, camera(), SCALE, np.zeros((540, 720), np.float32))


def square(frame: NDArray[np.float32], side_mm: float, colour: tuple[float, float, float]) -> NDArray[np.float32]:
    """A frame with a square in its middle, turned a little."""
    corners = cv2.boxPoints((AT, (side_mm * SCALE, side_mm * SCALE), 20.0))
    return np.asarray(cv2.fillConvexPoly(frame.copy(), np.rint(corners).astype(np.int32), colour), np.float32)


def test_a_tag_that_is_too_small_to_be_read_is_a_tag_to_the_corners_of_its_paper() -> None:
    card = square(square(THEN, 30.0, WHITE), 20.0, BLACK)
    seen = cards(scene_with(card), TAGGED, NONE)
    wrong = seen != (square(np.zeros_like(THEN), 30.0, WHITE)[..., 0] > 0)
    about = cv2.GaussianBlur(square(np.zeros_like(THEN), 30.0, WHITE)[..., 0], (0, 0), 4.0)
    assert seen.any()
    assert not (wrong & ((about < 5) | (about > 220))).any()
    assert not cards(scene_with(card), TAGGED, seen).any()
    assert not cards(scene_with(card), replace(TABLE, tags=UNSET), NONE).any()


@pytest.mark.parametrize(
    ("side_mm", "black_mm"), [(30.0, 0.0), (60.0, 40.0), (14.0, 8.0)], ids=["a pale base", "a page", "a die"]
)
def test_white_of_another_size_or_without_black_is_no_tag(side_mm: float, black_mm: float) -> None:
    white = square(THEN, side_mm, WHITE)
    assert not cards(scene_with(square(white, black_mm, BLACK) if black_mm else white), TAGGED, NONE).any()


def test_a_mug_is_no_base_to_the_end_of_its_side_that_is_seen() -> None:
    """Its inside is broader than any base, its side is not; and reaches farther than what may cling to a thing."""
    frame = THEN.copy()
    reach, lean = round(38 * SCALE), round(42 * SCALE)
    cv2.circle(frame, (AT[0] - lean, AT[1]), reach, (170.0, 170.0, 175.0), cv2.FILLED)
    cv2.circle(frame, AT, reach, BLACK, cv2.FILLED)
    mask = foreign(scene_with(frame), [GUN])
    assert mask[AT[1], AT[0] - lean - reach + 3 : AT[0] + reach].all()
    assert not mask[AT[1], : AT[0] - lean - reach - 12].any()


@pytest.mark.parametrize(("y_mm", "reach_mm", "thing"), [(430.0, 45.0, True), (20.0, 27.0, False)])
def test_how_broad_a_thing_is_depends_on_how_far_from_the_camera_it_lies(
    y_mm: float, reach_mm: float, thing: bool
) -> None:
    """A mug at the far end covers no more pixels than a gun's base in the middle, and that at the near end more."""
    slanted = camera_over((300.0, -250.0, 450.0), (300.0, 225.0), LENS)
    scale = float(slanted.px_per_mm(np.array([[300.0, 225.0, 0.0]]))[0])
    turn = np.linspace(0.0, 2 * np.pi, 60)
    rim = np.column_stack([300.0 + reach_mm * np.cos(turn), y_mm + reach_mm * np.sin(turn), 0 * turn])
    frame = cv2.fillPoly(THEN.copy(), [np.rint(slanted.project(rim)).astype(np.int32)], BLACK)
    scene = dataclasses.replace(scene_with(np.asarray(frame, np.float32)), camera=slanted, px_per_mm=scale)
    assert foreign(scene, [GUN]).any() == thing


def test_a_block_of_dark_bases_on_pale_ground_is_no_sheet_though_they_touch() -> None:
    """All of it together is broader than any base, and even, but for the figures on it; a sheet has print."""
    frame, foot = THEN.copy(), Outline("foot", True, 16.0, 16.0, 3.0)
    bases = [(AT[0] + k * 25 * SCALE, AT[1] + m * 25 * SCALE) for k in (-2, -1, 0, 1, 2) for m in (-1, 0, 1)]
    for at in bases:
        cv2.circle(frame, (round(at[0]), round(at[1])), round(14.5 * SCALE), (30.0, 170.0, 190.0), cv2.FILLED)
    for at in bases:
        cv2.circle(frame, (round(at[0]), round(at[1])), round(5 * SCALE), BLACK, cv2.FILLED)
    assert not foreign(scene_with(frame), [foot]).any()
    sheet = square(THEN, 110.0, WHITE)
    for line in range(-35, 40, 15):
        left, right = ((round(AT[0] + side * 35 * SCALE), round(AT[1] + line * SCALE)) for side in (-1, 1))
        cv2.line(sheet, left, right, BLACK, round(5 * SCALE))
    assert foreign(scene_with(sheet), [foot])[AT[1] - 8 : AT[1] + 8, AT[0] - 8 : AT[0] + 8].all()


def test_a_picture_in_a_frame_is_a_thing_in_dim_light_too_and_open_ground_amid_bases_is_none() -> None:
    """No ring of a book's cover is broader than a gun's base; eleven bases were told on one."""
    cover = square(
        square(square(THEN, 130.0, (100.0, 98.0, 84.0)), 84.0, (62.0, 88.0, 112.0)), 40.0, (95.0, 48.0, 35.0)
    )
    assert foreign(scene_with(cover), [GUN])[AT[1] - 8 : AT[1] + 8, AT[0] - 8 : AT[0] + 8].all()
    hollow = square(square(THEN, 130.0, (100.0, 98.0, 84.0)), 84.0, (60.0, 110.0, 70.0))
    assert not foreign(scene_with(hollow), [GUN])[AT[1] - 8 : AT[1] + 8, AT[0] - 8 : AT[0] + 8].any()


def test_the_shadows_that_painted_bases_figures_cast_are_no_bases() -> None:
    square_kind = RectBase(name="square", width_mm=20.0, depth_mm=20.0, height_mm=3.0)
    army = TABLE.armies[0]
    known_kinds = replace(TABLE, armies=(replace(army, bases=(*army.bases, square_kind)),))
    places = [(140.0 + 26 * k, 130.0 + 26 * m) for k in range(6) for m in range(3)]
    places += [(400.0 + 26 * k, 300.0 + 26 * m) for k in range(5) for m in range(2)]
    hard = Effects(jpeg_quality=0, noise=1.0, lamp_mm=(1.1, -0.6), shadow_depth=0.5, shadow_soft_mm=1.0)
    after, before = pictures(*(base(f"b{at}", *at) for at in places), effects=hard)
    prints, pose = posed(after)
    painted = [
        BaseSeen(army=army.name, base="foot", x_mm=x, y_mm=y, z_mm=0.0, bearing_deg=None, sigma_mm=0.2,
                 bearing_sigma_deg=None, confidence=0.99)
        for x, y in places
    ]  # fmt: skip
    assert not look_for_plain_bases(Pictures(after, before, pose, known_kinds, FLAT, prints), painted)[0]


@pytest.mark.parametrize(("casting", "sure"), [(10, True), (3, False), (1, None)])
def test_the_way_of_shadows_is_sure_only_where_a_lamp_casts_those_of_all_figures(
    casting: int, sure: bool | None
) -> None:
    """A few dark things beside figures may be anything: they hide what lies in them, and tell no more."""
    feet = np.array([(80.0 + 100.0 * (k % 5), 120.0 + 160.0 * (k // 5)) for k in range(10)])
    frame = THEN.copy()
    for foot in feet[:casting]:
        begin, end = (np.rint(camera().project(np.array([[*(foot + off), 0.0]]))[0]).astype(int)
                      for off in ((0.0, 0.0), (22.0, 0.0)))  # fmt: skip
        cv2.line(frame, begin.tolist(), end.tolist(), (24.0, 44.0, 28.0), round(9 * SCALE))
    hard = hard_shadows(scene_with(frame), FLAT, feet)
    assert (None if hard is None else hard.sure) is sure
    assert hard is None or math.cos(hard.way) > 0.9


def test_flock_as_dark_as_a_shadow_is_none_where_it_is_dark_all_round_a_figure() -> None:
    """Nine bases in dark flock on a pale hill lay in shadows of figures, all of them, and were not looked for."""
    feet = np.array([(150.0, 225.0), (420.0, 225.0)])
    frame = THEN.copy()
    flocked, *ends = (np.rint(camera().project(np.array([[x, 225.0, 0.0]]))[0]).astype(int).tolist()
                      for x in (150.0, 420.0, 450.0))  # fmt: skip
    cv2.circle(frame, flocked, round(12.5 * SCALE), (24.0, 44.0, 28.0), cv2.FILLED)
    cv2.line(frame, *ends, (24.0, 44.0, 28.0), round(9 * SCALE))
    cast = cast_by_figures(scene_with(frame), FLAT, feet, Hard(0.0, True, 0.4))
    (x, y), middle = flocked, round((ends[0][0] + ends[1][0]) / 2)
    assert not cast[y - 30 : y + 30, x - 30 : x + 30].any()
    assert cast[ends[0][1], middle]


@pytest.mark.parametrize(("across_mm", "thing"), [(62.0, True), (50.0, False)], ids=["coffee", "a gun's flock"])
def test_a_mug_seen_coarsely_is_a_thing_though_its_edge_is_not_even(across_mm: float, thing: bool) -> None:
    """Blur takes two pixels from the even part of anything: at half a pixel a millimetre that is much of a mug."""
    coarse = scene_with(THEN).smaller(2)
    frame = THEN[::2, ::2].copy()
    middle = (180, 135)
    if thing:
        cv2.circle(frame, middle, round((across_mm / 2 + 7) * coarse.px_per_mm), WHITE, cv2.FILLED)
    cv2.circle(frame, middle, round(across_mm / 2 * coarse.px_per_mm), BLACK, cv2.FILLED)
    blurred = np.asarray(cv2.GaussianBlur(frame, (0, 0), 1.0), dtype=np.float32)
    mask = foreign(dataclasses.replace(coarse, frame=blurred), [GUN])
    assert mask.any() == thing
    assert mask[middle[1], middle[0]] == thing


def test_painted_horse_whose_front_is_not_told_are_not_figures_of_a_crowd() -> None:
    """Their marks are hardly unlike their rims. They lie along the table: taken to lie across it, the bright ends
    of their bases stood out of them, and were told as figures of others."""
    horse = RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0)
    square_kind = RectBase(name="square", width_mm=20.0, depth_mm=20.0, height_mm=3.0)
    pale = replace(TABLE.armies[0], base_colour="#f8f0d1", bases=(*TABLE.armies[0].bases, horse, square_kind))
    known = replace(TABLE, armies=(pale, *TABLE.armies[1:]))
    places = [(300.0, 150.0 + 25.5 * k) for k in range(5)]
    placed = tuple(replace(base(f"h{at}", *at, bearing_deg=92.0), base="horse", figure="trooper") for at in places)
    empty = VirtualTable(table=known, flock=VirtualTable(table=TABLE).mat)
    before, after = (Renderer(camera(), CLEAN, 1).render(now) for now in (empty, replace(empty, bases=placed)))
    prints, pose = posed(after)
    painted = find_bases(after, pose, known, FLAT, prints)
    assert [(one.base, one.bearing_deg) for one in painted] == [("horse", None)] * 5
    assert [one.axis_deg for one in painted] == pytest.approx([92.0] * 5, abs=1.5)
    assert not look_for_plain_bases(Pictures(after, before, pose, known, FLAT, prints), painted)[0]
