"""What the table file lists so that no picture tells it apart: two of one colour, or one kind in two heights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar

import numpy as np
from msgspec import UNSET

from calibration.records import Table, TerrainKind
from vision.bases.picture.paint import ONE_PAINT, expected_features
from vision.terrain.paints import distance, paint_for

__all__ = ["alike"]

T = TypeVar("T")

_ONE_COLOUR = 1.0  # squared deviations of a kind's paint: pieces of it stray as far from each other


def alike(table: Table) -> tuple[str, ...]:
    """A sentence for each two armies, or kinds of terrain, that nobody can tell apart by their colours or names."""
    paints = [
        (army.name, colour) for army in table.armies if (colour := army.base_colour) is not UNSET and army.bases
    ]
    return (
        *(
            f"the rims of {one[0]} ({one[1]}) and {two[0]} ({two[1]}) are of nearly one "
            "colour: bases may be told as the other army's, or not at all; paint one of them otherwise"
            for one, two in _pairs(paints, _one_paint)
        ),
        *(
            f"{_named(one, two)} ({one.colour}, {two.colour}): pieces may be told as the other, or not at all; "
            "list each colour once"
            for one, two in _pairs(table.terrain_kinds, _one_kind)
        ),
        *(
            f"the terrain {one.kind} is listed as {one.height_mm:g} mm and as {two.height_mm:g} mm high: positions "
            "on it are worked out for one height alone; give the other another name"
            for one, two in _pairs(table.terrain_kinds, _two_heights)
        ),
    )


def _pairs(listed: Sequence[T], same: Callable[[T, T], bool]) -> Iterator[tuple[T, T]]:
    return ((one, two) for one, two in combinations(listed, 2) if same(one, two))


def _one_paint(one: tuple[str, str], two: tuple[str, str]) -> bool:
    apart = expected_features(one[1]) - expected_features(two[1])
    return float(np.linalg.norm(apart)) < ONE_PAINT


def _one_kind(one: TerrainKind, two: TerrainKind) -> bool:
    return float(distance(paint_for(one).roots, paint_for(two))) < _ONE_COLOUR


def _two_heights(one: TerrainKind, two: TerrainKind) -> bool:
    return one.kind == two.kind and one.height_mm != two.height_mm


def _named(one: TerrainKind, two: TerrainKind) -> str:
    if one.kind == two.kind:
        return f"the terrain {one.kind} is listed twice in nearly one colour"
    return f"the terrain {one.kind} and {two.kind} are of nearly one colour"
