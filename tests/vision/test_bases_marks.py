"""A front mark is read where it is seen to be one: never back to front."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.long_runs import some
from tests.vision.one_army import army_measured
from tests.vision.test_bases import Level, Stands, camera, drawn, table
from vision.bases import find_bases
from vision.bases.fitting.marks import Facing, believable
from vision.bases.pixels import Placed
from vision.bases.shapes import outline_of

BLACK, NEARLY_BLACK = (30, 28, 28), "#1c1c1e"
MARKED = [Stands("red", "horse", 80.0 + 60.0 * k, 100.0, 0.0, mark=BLACK) for k in range(5)]
BARE = [Stands("red", "horse", 160.0 + 70.0 * k, 250.0, 180.0) for k in range(2)]


def with_shadows(frame: NDArray[np.uint8], reach_mm: tuple[float, float]) -> NDArray[np.uint8]:
    """The frame with something dark across one edge of each bare base, from so far inside to so far beyond."""
    dark = frame.copy()
    for base in BARE:
        edge = base.y_mm + 25.0
        corners = [
            [x, y] for y, side in ((edge - reach_mm[0], 1), (edge + reach_mm[1], -1)) for x in (-5 * side, 5 * side)
        ]
        at = np.array([[base.x_mm + x, y, 3.0] for x, y in corners])
        cv2.fillPoly(dark, [np.rint(camera().project(at) * 16).astype(np.int32)], BLACK, cv2.LINE_AA, shift=4)
    return dark


def test_a_shadow_that_lies_across_an_edge_is_no_front_mark() -> None:
    """It is as dark as one, but it does not end where the base does."""
    seen = find_bases(
        with_shadows(drawn([*MARKED, *BARE]), (3.0, 7.0)), camera(), table(red=NEARLY_BLACK), Level(), ()
    )
    assert [base.bearing_deg for base in seen if base.y_mm > 200] == [None, None]
    turned = [base.bearing_deg for base in seen if base.y_mm < 200]
    assert len(turned) == len(MARKED)
    assert all(bearing is not None and abs((bearing + 180) % 360 - 180) < 4.0 for bearing in turned)


def facing(bearing_deg: float, lead: float) -> Facing:
    return Facing(bearing_deg, 1.0, lead, 0.4)


LINE = [Placed(outline_of(table().armies[0].bases[1]), 100.0 + 20.0 * k, 100.0, 0.0, 0.0) for k in range(5)]


def test_one_of_a_unit_that_faces_otherwise_than_the_others_is_not_believed() -> None:
    """What is taken for its mark is a figure's helmet; its neighbours' marks are hidden, but not all the unit's."""
    marks = [facing(0.0, 0.4), facing(0.0, 0.4), facing(90.0, 0.02), facing(90.0, 0.02), facing(90.0, 0.4)]
    clear = np.array([True, True, False, False, True])
    assert believable(LINE, marks, clear).tolist() == [True, True, False, False, False]


def test_one_that_faces_otherwise_costs_neither_neighbour_its_own_bearing() -> None:
    """The unit says which of both is astray; where it is at odds with itself, neither is believed."""
    line = [replace(LINE[0], x_mm=100.0 + 25.0 * k) for k in range(8)]
    clear = np.ones(8, dtype=bool)
    one_astray = [facing(180.0 if k == 4 else 0.0, 0.4) for k in range(8)]
    assert believable(line, one_astray, clear).tolist() == [k != 4 for k in range(8)]
    at_odds = [facing(180.0 if k in (1, 4, 6) else 0.0, 0.4) for k in range(8)]
    assert not believable(line, at_odds, clear)[3]


def test_a_dim_mark_is_believed_only_for_one_that_is_believed_itself() -> None:
    line = [replace(LINE[0], x_mm=100.0 + 20.0 * k) for k in range(10)]
    marks = [facing(0.0, 0.4) for _ in line]
    marks[4], marks[5], marks[9] = facing(180.0, 0.4), facing(180.0, 0.1), facing(2.0, 0.1)
    clear = np.ones(10, dtype=bool)
    clear[[5, 9]] = False
    believed = believable(line, marks, clear)
    assert not believed[4]
    assert not believed[5]
    assert believed[9]


@pytest.mark.parametrize(("seen", "believed"), [(3, True), (2, False)])
def test_the_marks_of_a_few_are_not_believed_where_those_of_all_their_unit_are_hidden(
    seen: int, believed: bool
) -> None:
    """In a block seen from behind, a hat over the front edge of the next base looks like its mark."""
    line = [replace(LINE[0], x_mm=100.0 + 20.0 * k) for k in range(14)]
    clear = np.arange(14) < seen
    marks = [facing(0.0, 0.4 if one else 0.0) for one in clear]
    assert believable(line, marks, clear).tolist() == [bool(one) and believed for one in clear]


@pytest.mark.parametrize(
    ("seed", "army", "told"),
    some(2, [(217, "army-1", 12), (304, "army-1", 0), (220, "army-1", 5), (220, "army-2", 15)]),
)
def test_on_a_poor_picture_no_mark_is_read_back_to_front(seed: int, army: str, told: int) -> None:
    """A block in hard shadow, of which some are taken to stand a little behind where they do; pale helmets over
    yellow rims; a single base."""
    result = army_measured(seed, army)
    off = [error.bearing_deg for error in result.score.bases if error.bearing_deg is not None]
    assert len(off) >= told
    assert not [degrees for degrees in off if degrees > 45]


@pytest.mark.parametrize(("x_mm", "y_mm", "told"), [(400.0, 310.0, False), (80.0, 310.0, True)])
def test_a_hat_seen_over_the_edge_to_which_its_figure_leans_is_no_mark(
    x_mm: float, y_mm: float, told: bool
) -> None:
    """It is somewhat less like a mark than the others' are; where no figure can lean, that is the light's doing."""
    marked = [Stands("red", "foot", 80.0 + 60.0 * k, 100.0, 0.0, mark=(240, 244, 248)) for k in range(6)]
    hatted = Stands("red", "foot", x_mm, y_mm, 52.0, mark=(110, 110, 190))
    seen = find_bases(drawn([*marked, hatted]), camera(), table(red="#f4f0e0"), Level(), ())
    assert all(base.bearing_deg is not None for base in seen if base.y_mm < 200)
    assert [base.bearing_deg is not None for base in seen if base.y_mm > 200] == [told]


@pytest.mark.parametrize("fellow", [False, True])
def test_what_is_seen_where_a_head_may_be_is_the_mark_of_a_round_base_only_if_another_near_it_faces_so(
    fellow: bool,
) -> None:
    """A white plume on a black hat, over the rim, looks like a white mark in every way."""
    white = (240, 244, 248)
    stand = [Stands("red", "foot", 80.0 + 60.0 * k, 100.0, 0.0, mark=white) for k in range(6)]
    stand.append(Stands("red", "foot", 400.0, 310.0, 52.0, mark=white))
    if fellow:
        stand.append(Stands("red", "foot", 430.0, 270.0, 40.0, mark=white))
    seen = find_bases(drawn(stand), camera(), table(red="#f4f0e0"), Level(), ())
    assert [base.bearing_deg is not None for base in seen if base.y_mm > 300] == [fellow]
