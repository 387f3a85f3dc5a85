"""Which way bases without a front mark are suggested to face."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.records import Table
from vision.facing import Facing, suggested_facings
from vision.records import BaseSeen

FOOT = {"name": "foot", "shape": "round", "diameter_mm": 25.0, "height_mm": 3.0}
HORSE = {"name": "horse", "shape": "rect", "width_mm": 25.0, "depth_mm": 50.0, "height_mm": 3.0}
PIKE = {"name": "pike", "shape": "rect", "width_mm": 40.0, "depth_mm": 40.0, "height_mm": 3.0}
TABLE = msgspec.convert(
    {
        "format": "vedette-table/1",
        "table": {"width_mm": 1200.0, "depth_mm": 1200.0},
        "markers": {"dictionary": "DICT_4X4_100", "size_mm": 80.0},
        "armies": [
            {"name": "huron", "base_colour": "#2f4f9e", "bases": [FOOT, HORSE, PIKE]},
            {"name": "marked", "base_colour": "#9e2b25", "front_mark": "#f4f0e0", "bases": [FOOT, HORSE]},
        ],
    },
    Table,
)

bearings = st.floats(0.0, 359.99)


def seen(
    base: str, x_mm: float, y_mm: float, bearing_deg: float | None = None, army: str | None = "huron"
) -> BaseSeen:
    return BaseSeen(
        army=army, base=base, x_mm=x_mm, y_mm=y_mm, z_mm=0.0, bearing_deg=bearing_deg, sigma_mm=0.3,
        bearing_sigma_deg=None if bearing_deg is None else 1.0, confidence=0.9,
    )  # fmt: skip


def apart(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


def only(facings: list[Facing]) -> Facing:
    (facing,) = facings
    return facing


@given(bearings, bearings)
def test_a_rectangle_faces_that_way_of_its_axis_that_is_nearer_to_the_enemy(axis: float, enemy: float) -> None:
    facing = only(suggested_facings([seen("horse", 300, 300, axis)], TABLE, "huron", enemy_bearing_deg=enemy))
    assert min(apart(facing.bearing_deg, axis), apart(facing.bearing_deg, axis + 180)) < 1e-6
    assert apart(facing.bearing_deg, enemy) <= 90 + 1e-6
    assert 0.5 <= facing.confidence <= 0.95


@given(bearings, bearings)
def test_a_square_faces_that_of_its_four_ways_that_is_nearest(axis: float, enemy: float) -> None:
    facing = only(suggested_facings([seen("pike", 300, 300, axis)], TABLE, "huron", enemy_bearing_deg=enemy))
    assert apart(facing.bearing_deg, enemy) <= 45 + 1e-6
    assert facing.ways == "square"


def test_without_a_hint_the_axis_keeps_its_way_at_even_odds() -> None:
    facing = only(suggested_facings([seen("horse", 300, 300, 40.0)], TABLE, "huron"))
    assert (facing.bearing_deg, facing.confidence, facing.ways) == (40.0, 0.5, "axis")


def test_an_enemy_right_abreast_settles_nothing() -> None:
    facing = only(suggested_facings([seen("horse", 300, 300, 0.0)], TABLE, "huron", enemy_bearing_deg=90.0))
    assert facing.confidence == pytest.approx(0.5, abs=0.01)


def test_the_bases_of_a_line_face_the_same_way_though_each_keeps_its_own_axis() -> None:
    line = [seen("horse", 300 + 25.4 * k, 300, axis) for k, axis in enumerate((2.0, 181.0, 359.0))]
    facings = suggested_facings(line, TABLE, "huron", enemy_mm=[(330, 900)])
    assert [f.bearing_deg for f in facings] == pytest.approx([2.0, 1.0, 359.0])


def test_the_near_enemy_counts_for_more_than_the_far_one() -> None:
    one = [seen("horse", 300, 600, 0.0)]
    assert only(suggested_facings(one, TABLE, "huron", enemy_mm=[(300, 500), (300, 1150)])).bearing_deg == 180.0


def test_round_bases_in_a_line_are_suggested_its_normal_and_their_own_bearing_stays_unknown() -> None:
    line = [seen("foot", 300 + 25.0 * k, 300 + 25.0 * k) for k in range(5)]
    facings = suggested_facings(line, TABLE, "huron", enemy_bearing_deg=300.0)
    assert [f.bearing_deg for f in facings] == pytest.approx([315.0] * 5, abs=0.01)
    assert {f.ways for f in facings} == {"line"}
    assert all(f.confidence < 0.9 for f in facings)
    assert all(base.bearing_deg is None for base in line)


@pytest.mark.parametrize(
    "places",
    [
        [(300, 300), (326, 300)],
        [(300, 300)],
        [(300, 300), (326, 300), (300, 326), (326, 326)],
        [(300, 300), (500, 300), (700, 300)],
    ],
    ids=["a pair", "one", "a block", "loose figures"],
)
def test_round_bases_that_form_no_line_are_suggested_nothing(places: list[tuple[float, float]]) -> None:
    assert suggested_facings([seen("foot", x, y) for x, y in places], TABLE, "huron", enemy_bearing_deg=0.0) == []


def test_an_army_with_a_front_mark_is_never_touched() -> None:
    marked = [seen("horse", 300, 300, 10.0, "marked"), seen("foot", 400, 300, None, "marked")]
    assert suggested_facings(marked, TABLE, "marked", enemy_bearing_deg=180.0) == []
    assert suggested_facings(marked, TABLE, "huron", enemy_bearing_deg=180.0) == []


def test_bases_without_paint_are_suggested_to_like_an_army_of_their_own() -> None:
    plain = [seen("horse", 300, 300, 10.0, None), seen("horse", 600, 300, 10.0, "huron")]
    facing = only(suggested_facings(plain, TABLE, None, enemy_bearing_deg=180.0))
    assert (facing.index, facing.bearing_deg) == (0, 190.0)


def test_what_a_person_flips_is_flipped_and_certain() -> None:
    pair = [seen("horse", 300, 300, 10.0), seen("horse", 700, 300, 10.0)]
    first, second = suggested_facings(pair, TABLE, "huron", enemy_bearing_deg=0.0, flips={1})
    assert (first.bearing_deg, first.flipped) == (10.0, False)
    assert (second.bearing_deg, second.flipped, second.confidence) == (190.0, True, 1.0)
