"""The figures and the terrain of one game as arrays: bases, whose they are, heights, how far apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.cover import base_gaps
from engine.geometry.distances import UnitDistances, between_units
from engine.geometry.shapes.pieces import Pieces, pieces_from
from engine.geometry.sight import ground_heights
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.lengths import LengthUnit
from engine.rulesets.base.field.free_field import FreeField, Near
from engine.rulesets.base.field.free_field import nearest as nearest_of
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.patches import Patch, patches_of
from engine.rulesets.presidio.vocabulary import MM_PER_IN, figures_of, state_of

__all__ = ["Field", "Near", "field_of", "measured", "nearest", "on_table", "told_apart", "units_apart"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

_MEASURE = LengthUnit("in", MM_PER_IN)
measured, told_apart = _MEASURE.compared, _MEASURE.told_apart


@dataclass(frozen=True, eq=False)
class Field(FreeField):
    """The figures that stand on the table, markers of hidden units too, in list order, with the terrain."""

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each unit in the game's list, by id."""
        return {unit.id: number for number, unit in enumerate(self.game.units)}

    @cached_property
    def whose(self) -> Index:
        """(n,) the number of each figure's unit."""
        return np.array([self.numbers[unit.id] for unit in self.units], dtype=np.intp)

    @cached_property
    def apart(self) -> UnitDistances:
        """The least distance of any two figures for each pair of units, by their numbers (PR-005)."""
        return between_units(self.edges, self.whose, self.whose, (len(self.numbers), len(self.numbers)))

    @cached_property
    def piece_gaps(self) -> Array:
        """(n, p) how far each base is from each piece of terrain."""
        return base_gaps(self.bases, self.pieces)

    @cached_property
    def rims(self) -> Array:
        """(n, p) how far each base's centre is from the rim of each piece of terrain."""
        return self.pieces.to_outline(self.bases.centre)

    @cached_property
    def marker(self) -> Mask:
        """(n,) who is but a hidden marker and stands in nobody's way."""
        return np.array([state_of(unit).hidden for unit in self.units], dtype=bool)

    @cached_property
    def patches(self) -> tuple[Patch, ...]:
        """The terrain by the rules, in list order."""
        return patches_of(self.game)

    @cached_property
    def pieces(self) -> Pieces:
        """The outlines of the terrain, numbered as `patches`, as high as they stand to sight."""
        pieces = pieces_from(self.game.terrain)
        return replace(pieces, height_mm=np.array([patch.block_mm for patch in self.patches], dtype=float))

    @cached_property
    def ground_mm(self) -> Array:
        """(n,) how high the ground is under each figure: its hill's, or its own height if that is more (PR-006)."""
        hills = self.pieces.pick([number for number, patch in enumerate(self.patches) if patch.hill])
        own = np.array([figure.z_mm for figure in self.figures], dtype=float)
        return np.asarray(np.maximum(ground_heights(hills, self.bases.centre), own), dtype=float)

    @cached_property
    def eyes_mm(self) -> Array:
        """(n,) how high above the table each one's eyes are (PR-006)."""
        height = book().eyes_mm
        own = [
            height["mounted" if figure.mounted else state_of(unit).posture]
            for figure, unit in zip(self.figures, self.units, strict=True)
        ]
        return np.asarray(self.ground_mm + np.array(own, dtype=float), dtype=float)


def on_table(unit: Unit) -> bool:
    """Whether a unit has figures on the table."""
    return state_of(unit).morale != "off-board" and bool(figures_of(unit))


def field_of(game: Game) -> Field:
    """The field of a game; kept beside the immutable record."""
    return once(game, "pr_field", lambda: _field(game))


def _field(game: Game) -> Field:
    pairs = [(figure, unit) for unit in game.units if on_table(unit) for figure in figures_of(unit)]
    return Field(game, tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))


def nearest(field: Field, ones: Index, others: Index) -> Near | None:
    """The nearest two of some figures and some others (PR-005); None where either are none."""
    return nearest_of(field.edges, ones, others)


def units_apart(game: Game, unit: Unit, other: Unit) -> Near | None:
    """How far two units are from each other (PR-005); None where either is not on the table."""
    field = field_of(game)
    apart, pair = field.apart, (field.numbers[unit.id], field.numbers[other.id])
    if apart.row[pair] < 0:
        return None
    return Near(
        int(apart.row[pair]), int(apart.column[pair]), float(apart.value_mm[pair]), float(apart.sigma_mm[pair])
    )
