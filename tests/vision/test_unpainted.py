"""Bases without a painted rim: what they are called, and what each army makes of them."""

from __future__ import annotations

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from calibration.records import Army, BaseKind, RectBase, RoundBase, Table
from tests.vision.small_table import TABLE
from vision.bases.kinds import Kinds
from vision.records import BaseSeen
from vision.unpainted import as_of, called, kind_of, shapes_of

FOOT = RoundBase(name="foot", diameter_mm=25.0, height_mm=3.0)
SMALL = RoundBase(name="foot", diameter_mm=20.0, height_mm=3.0)
HORSE = RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0)
BROAD = RectBase(name="stand", width_mm=50.0, depth_mm=25.0, height_mm=3.0)
SQUARE = RectBase(name="gun", width_mm=25.0, depth_mm=25.0, height_mm=3.0)


def army(name: str, *bases: BaseKind) -> Army:
    return Army(name=name, bases=bases)


def known(*armies: Army) -> Table:
    return replace(TABLE, armies=armies)


def seen(base: str | None, bearing_deg: float | None = 30.0) -> BaseSeen:
    return BaseSeen(
        army=None, base=base, x_mm=100.0, y_mm=200.0, z_mm=0.0, bearing_deg=bearing_deg, sigma_mm=0.5,
        bearing_sigma_deg=None if bearing_deg is None else 1.0, confidence=0.9,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("armies", "names"),
    [
        ((army("red", FOOT, HORSE), army("blue", FOOT)), [("foot", None), ("horse", None)]),
        ((army("red", FOOT), army("blue", replace(FOOT, name="line"))), [("foot", None)]),
        ((army("red", HORSE), army("blue", BROAD)), [("horse", None)]),
        ((army("red", FOOT), army("blue", SMALL)), [("foot", "red"), ("foot", "blue")]),
        ((army("red", FOOT, SQUARE), army("blue")), [("foot", None), ("gun", None)]),
        ((), []),
    ],
    ids=["shared", "other-name", "across", "one-name-for-two", "square-is-not-round", "no-armies"],
)  # fmt: skip
def test_each_shape_has_one_name_and_no_name_two_shapes(
    armies: tuple[Army, ...], names: list[tuple[str, str | None]]
) -> None:
    assert [shape.name for shape in shapes_of(known(*armies))] == names


def test_two_shapes_of_one_name_are_told_apart_wherever_bases_are_drawn() -> None:
    table = known(army("red", FOOT), army("blue", SMALL))
    bases = [replace(seen("foot"), like_army=name) for name in ("red", "blue")]
    assert [kind_of(base, table) for base in bases] == [FOOT, SMALL]
    assert [Kinds(table).of(base).half_width_mm for base in bases] == [12.5, 10.0]
    assert [called(base) for base in bases] == [("foot", "red"), ("foot", "blue")]
    assert [outline.half_width_mm for outline in Kinds(table).without_paint] == [12.5, 10.0]


def test_an_army_has_its_own_name_for_a_base_of_its_shape() -> None:
    red, blue = army("red", FOOT), army("blue", replace(FOOT, name="line"), SMALL)
    table = known(red, blue)
    base = replace(seen("foot"), like_army="red")
    assert [(as_of(base, one, table) or seen(None)).base for one in (red, blue)] == ["foot", "line"]
    assert as_of(base, army("green", SMALL), table) is None
    assert as_of(seen(None), red, table) is None


def test_what_is_one_armys_front_may_be_the_others_side() -> None:
    red, blue = army("red", HORSE), army("blue", BROAD)
    table = known(red, blue)
    own, other = as_of(seen("horse"), red, table), as_of(seen("horse"), blue, table)
    assert own is not None
    assert other is not None
    assert (own.bearing_deg, own.axis_deg) == (30.0, UNSET)
    assert (other.bearing_deg, other.axis_deg) == (None, 120.0)
    lying = replace(seen("horse", None), axis_deg=100.0)
    turned = as_of(lying, blue, table)
    assert turned is not None
    assert turned.axis_deg == pytest.approx(10.0)
