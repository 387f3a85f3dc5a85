"""A base found against the empty table is an army's if its rim shows the army's paint, and nobody's if not."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from calibration.records import RectBase, Table
from tests.vision.small_table import TABLE, base, camera
from tests.vision.test_plain import CLEAN, Image, found, posed
from vision.bases.pixels import Placed
from vision.bases.shapes import outline_of
from vision.ground import FLAT
from vision.measure import Measurer
from vision.plain import Pictures
from vision.plain.choosing.companions import Told
from vision.plain.naming import named
from vision.records import BaseSeen
from vision.simulated import BasePlaced, Renderer, VirtualTable

HORSE = RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0)
BRITISH, FRENCH = TABLE.armies
LOOSE = (
    base("b", 150.0, 180.0),
    base("f", 300.0, 300.0, army="french"),
    replace(base("p", 430.0, 160.0), plain=True),
    replace(base("h", 200.0, 330.0, bearing_deg=70.0), base="horse", figure="trooper"),
)
FOOT = outline_of(BRITISH.bases[0])


@cache
def picture() -> Image:
    """All of them on the table."""
    shown = replace(TABLE, armies=tuple(replace(army, bases=(*army.bases, HORSE)) for army in TABLE.armies))
    whole = VirtualTable(table=shown, flock=VirtualTable(table=TABLE).mat, bases=LOOSE)
    return Renderer(camera(), CLEAN, 1).render(whole)


def told(one: BasePlaced, sigma_mm: float = 0.4) -> Told:
    """It, as the search against the empty table tells it."""
    outline = outline_of(HORSE) if one.base == "horse" else FOOT
    turn = None if outline.round_ else one.bearing_deg
    seen = BaseSeen(
        army=None, base=one.base, x_mm=one.x_mm, y_mm=one.y_mm, z_mm=0.0, bearing_deg=turn, sigma_mm=sigma_mm,
        bearing_sigma_deg=None if turn is None else 0.5, confidence=0.97,
    )  # fmt: skip
    return Told(seen, Placed(outline, one.x_mm, one.y_mm, 0.0, one.bearing_deg), 0.97)


def names(*some: Told, known: Table = TABLE) -> list[BaseSeen]:
    prints, pose = posed(picture())
    return named(some, Pictures(picture(), picture(), pose, known, FLAT, prints))


def test_a_base_is_whose_paint_its_rim_shows() -> None:
    seen = names(*(told(one) for one in LOOSE[:3]))
    assert [one.army for one in seen] == ["british", "french", None]
    assert [(one.base, one.bearing_deg, one.axis_deg) for one in seen] == [("foot", None, UNSET)] * 3
    assert [(one.x_mm, one.y_mm) for one in seen] == [(one.x_mm, one.y_mm) for one in LOOSE[:3]]
    assert names() == []


def test_of_two_armies_of_one_paint_neither_is_named() -> None:
    alike = replace(TABLE, armies=(BRITISH, replace(FRENCH, base_colour=BRITISH.base_colour)))
    assert [one.army for one in names(told(LOOSE[0]), told(LOOSE[1]), known=alike)] == [None, None]


def test_an_army_that_has_no_such_bases_has_not_this_one() -> None:
    mounted = replace(TABLE, armies=(replace(BRITISH, bases=(HORSE,)), FRENCH))
    assert [one.army for one in names(told(LOOSE[0]), told(LOOSE[1]), known=mounted)] == [None, "french"]


def test_where_armies_call_two_shapes_by_one_name_it_is_said_like_whose_a_base_is() -> None:
    small = replace(FRENCH, bases=(replace(FRENCH.bases[0], diameter_mm=20.0),))
    (seen,) = names(told(LOOSE[2]), known=replace(TABLE, armies=(small, BRITISH)))
    assert (seen.army, seen.base, seen.like_army) == (None, "foot", "british")
    (seen,) = names(told(LOOSE[2]))
    assert (seen.base, seen.like_army) == ("foot", UNSET)


@pytest.mark.parametrize(("sigma_mm", "army"), [(1.4, "british"), (1.6, None)])
def test_a_rim_is_not_asked_of_a_base_whose_place_is_hardly_known(sigma_mm: float, army: str | None) -> None:
    assert [one.army for one in names(told(LOOSE[0], sigma_mm))] == [army]


@pytest.mark.parametrize(("wide", "axis_deg"), [(25.0, 70.0), (50.0, 160.0)], ids=["lengthwise", "across"])
def test_which_way_a_painted_rectangle_faces_is_left_to_its_front_mark(wide: float, axis_deg: float) -> None:
    """Two armies' kinds may have one outline and lie across each other: an army's own tells where its front is."""
    own = replace(HORSE, name="trooper", width_mm=wide, depth_mm=75.0 - wide)
    known = replace(TABLE, armies=(replace(FRENCH, bases=(HORSE,)), replace(BRITISH, bases=(own,))))
    (seen,) = names(told(LOOSE[3]), known=known)
    assert (seen.army, seen.base, seen.bearing_deg, seen.bearing_sigma_deg) == ("british", "trooper", None, None)
    assert seen.axis_deg == pytest.approx(axis_deg)


DULL = replace(TABLE, armies=(replace(BRITISH, base_colour="#806040"), FRENCH))
EMPTY = VirtualTable(table=DULL, flock=VirtualTable(table=TABLE).mat)
STAND = replace(
    EMPTY, bases=tuple(base(f"b{k}{m}", 140.0 + 90 * k, 130.0 + 100 * m) for k in range(3) for m in range(2))
)


def test_bases_of_a_dull_paint_are_found_without_it_and_named_by_it() -> None:
    before, after = (Renderer(camera(), CLEAN, 1).render(now) for now in (EMPTY, STAND))
    seen = found(after, before, DULL)
    assert len(seen) == len(STAND.bases)
    assert {one.army for one in seen} == {"british"}


def test_they_are_their_army_s_still_when_one_of_them_has_moved() -> None:
    """Then a part of the picture alone is looked at, and named."""
    moved = replace(STAND, bases=(*STAND.bases[:-1], replace(STAND.bases[-1], x_mm=390.0)))
    before, after, later = (Renderer(camera(), CLEAN, 1).render(now).copy() for now in (EMPTY, STAND, moved))
    measurer = Measurer(DULL, camera().intrinsics, before)
    assert {one.army for one in measurer.measure(after).bases} == {"british"}
    seen = measurer.measure(later).bases
    assert {one.army for one in seen} == {"british"}
    assert sorted(round(one.x_mm, -1) for one in seen) == [140.0, 140.0, 230.0, 230.0, 320.0, 390.0]
