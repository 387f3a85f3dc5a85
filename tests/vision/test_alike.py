"""What a table file lists in colours that no picture tells apart is said, before bases or pieces go missing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from calibration.records import Army, RoundBase, TerrainKind
from tests.vision.small_table import TABLE
from vision.alike import alike

FOOT = (RoundBase(name="foot", diameter_mm=25.0),)


def of_armies(*colours: str) -> tuple[str, ...]:
    armies = tuple(Army(name=f"army {n}", base_colour=c, bases=FOOT) for n, c in enumerate(colours, start=1))
    return alike(replace(TABLE, armies=armies, terrain_kinds=()))


def of_terrain(*kinds: tuple[str, str, float]) -> tuple[str, ...]:
    listed = tuple(TerrainKind(kind=kind, colour=colour, height_mm=high) for kind, colour, high in kinds)
    return alike(replace(TABLE, armies=(), terrain_kinds=listed))


@pytest.mark.parametrize("other", ["#9e2c23", "#9b2b25"])
def test_two_armies_of_one_red_are_said_to_be_one_to_the_camera(other: str) -> None:
    (said,) = of_armies("#9e2c23", other, "#2c4f8c")
    assert "army 1 (#9e2c23)" in said
    assert f"army 2 ({other})" in said
    assert "paint one of them otherwise" in said


@pytest.mark.parametrize("other", ["#5d1c2a", "#c0622c", "#e8e4d8"])
def test_armies_that_the_camera_tells_apart_are_not_warned_of(other: str) -> None:
    assert of_armies("#9e2c23", other) == ()


def test_an_army_without_bases_of_its_own_is_not_looked_for_and_not_warned_of() -> None:
    armies = (Army(name="red", base_colour="#9e2c23", bases=FOOT), Army(name="tags", base_colour="#9e2c23"))
    assert alike(replace(TABLE, armies=armies, terrain_kinds=())) == ()


def test_a_kind_of_terrain_listed_twice_in_one_colour_is_said() -> None:
    (said,) = of_terrain(("woods", "#2e5a2c", 2.0), ("field", "#b08d3c", 1.5), ("woods", "#2e5a2c", 2.0))
    assert said.startswith("the terrain woods is listed twice in nearly one colour")


def test_two_kinds_of_one_colour_are_said_and_one_kind_in_two_colours_is_in_order() -> None:
    (said,) = of_terrain(("woods", "#2e5a2c", 2.0), ("marsh", "#2f5b2c", 0.0))
    assert said.startswith("the terrain woods and marsh are of nearly one colour")
    assert of_terrain(("woods", "#2e5a2c", 2.0), ("woods", "#6b7a3a", 2.0)) == ()


def test_a_kind_of_terrain_of_two_heights_is_said() -> None:
    (said,) = of_terrain(("hill", "#8f7d4a", 30.0), ("hill", "#5f7040", 60.0))
    assert said.startswith("the terrain hill is listed as 30 mm and as 60 mm high")
