"""The figures of a game on a table without a grid, as arrays: their bases, whose they are, who is near whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.geometry.distances import Distances, edges
from engine.geometry.shapes.bases import Bases, bases_of
from engine.geometry.shapes.pieces import Pieces, pieces_from
from engine.records.game import Figure, Game, Unit

__all__ = ["FreeField", "Near", "nearest"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FreeField:
    """The figures that stand on the table, in list order, with the terrain; a ruleset's own field adds to it.

    ``units`` tells whose each figure is; ``exact`` whether places count as known exactly: what holds as measured.
    """

    game: Game
    figures: tuple[Figure, ...]
    units: tuple[Unit, ...]
    exact: bool = False

    @cached_property
    def bases(self) -> Bases:
        """Their bases (n)."""
        game = self.game
        turn = [
            game.measured.bearing_sigma_deg if one.bearing_sigma_deg is None else one.bearing_sigma_deg
            for one in self.figures
        ]
        sigma = [0.0 if self.exact else game.sigma_mm(one) for one in self.figures]
        return bases_of(
            [(one.x_mm, one.y_mm) for one in self.figures], [one.base for one in self.figures],
            [one.bearing_deg for one in self.figures], sigma, [0.0 if self.exact else one for one in turn],
        )  # fmt: skip

    @cached_property
    def as_measured(self) -> Self:
        """The same with all places taken as exact; itself where they are."""
        return replace(self, exact=True) if self.bases.sigma_mm.any() else self

    @cached_property
    def of_unit(self) -> Mapping[str, Index]:
        """Which figures are whose, by the unit's id."""
        found: dict[str, list[int]] = {unit.id: [] for unit in self.game.units}
        for number, unit in enumerate(self.units):
            found[unit.id].append(number)
        return {name: np.array(which, dtype=np.intp) for name, which in found.items()}

    @cached_property
    def edges(self) -> Distances:
        """Base outline to base outline, (n, n)."""
        return edges(self.bases, self.bases)

    @cached_property
    def pieces(self) -> Pieces:
        """The outlines of the terrain, in list order."""
        return pieces_from(self.game.terrain)

    @cached_property
    def inside(self) -> Mask:
        """(n, p) whose base centre is in which piece."""
        return self.pieces.contains(self.bases.centre)

    def names(self, which: Sequence[int] | Index) -> tuple[str, ...]:
        """The ids of figures by number."""
        return tuple(self.figures[int(number)].id for number in which)


@dataclass(frozen=True)
class Near:
    """The nearest figures of two groups: their numbers in the field, how far apart, and its sigma in mm."""

    one: int
    other: int
    distance_mm: float
    sigma_mm: float


def nearest(apart: Distances, ones: Index, others: Index) -> Near | None:
    """The nearest two of some figures and some others by distances (n, n); None where either are none."""
    if not len(ones) or not len(others):
        return None
    table = np.round(apart.value_mm[np.ix_(ones, others)], 6)
    row, column = np.unravel_index(int(table.argmin()), table.shape)
    one, other = int(ones[row]), int(others[column])
    return Near(one, other, float(apart.value_mm[one, other]), float(apart.sigma_mm[one, other]))
