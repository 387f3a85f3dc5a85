"""The figures of one game as arrays: their bases, whose they are, how far they are from each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases, bases_of
from engine.geometry.distances import Distances, centres, edges
from engine.geometry.pieces import Pieces, pieces_from
from engine.records.game import Figure, Game, Unit
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.vocabulary import (
    MM_PER_CM,
    Cover,
    Ground,
    GroundKeys,
    conditions_of,
    figures_of,
    ground_keys,
    grounds,
    state_of,
)

__all__ = ["Field", "Patch", "cm", "field_of", "measured"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Patch:
    """A piece of terrain by the rules: its kind with what its own keys replace."""

    id: str
    kind: str
    ground: Ground
    keys: GroundKeys

    @property
    def cover(self) -> Cover:
        """What cover it gives."""
        return self.keys.cover or self.ground.cover

    @property
    def enclosed(self) -> bool:
        """Whether it closes in on those in it (TY-13)."""
        return self.ground.enclosed if self.keys.enclosed is None else self.keys.enclosed

    @property
    def sight(self) -> str:
        """What it is to sight: ``open``, ``low``, ``tall``, ``woods`` or ``hill``."""
        if self.ground.sight != "by-height":
            return self.ground.sight
        return "low" if self.keys.height_cm <= book().limits.low_height else "tall"


@dataclass(frozen=True, eq=False)
class Field:
    """The figures that stand on the table, markers too, in list order, with the terrain."""

    game: Game
    figures: tuple[Figure, ...]
    units: tuple[Unit, ...]  # whose each figure is
    exact: bool = False  # whether places count as known exactly: what holds as measured

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
    def as_measured(self) -> Field:
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
        """Base edge to base edge, (n, n)."""
        return edges(self.bases, self.bases)

    @cached_property
    def apart(self) -> Distances:
        """All distances as the players measure them (TY-01, TR-10), (n, n)."""
        if conditions_of(self.game).options.measure == "edge":
            return self.edges
        return centres(self.bases, self.bases)

    @cached_property
    def marker(self) -> Mask:
        """(n,) who is but a hidden marker and stands in nobody's way."""
        return np.array([state_of(unit).hidden for unit in self.units], dtype=bool)

    @cached_property
    def patches(self) -> tuple[Patch, ...]:
        """The terrain by the rules, in list order."""
        return tuple(
            Patch(piece.id, piece.kind, grounds()[piece.kind], ground_keys(piece)) for piece in self.game.terrain
        )

    @cached_property
    def pieces(self) -> Pieces:
        """The outlines of the terrain, numbered as `patches`."""
        return pieces_from(self.game.terrain)

    @cached_property
    def inside(self) -> Mask:
        """(n, p) whose base centre is in which piece."""
        return self.pieces.contains(self.bases.centre)

    @cached_property
    def enclosed(self) -> Mask:
        """(n,) who stands in ground that closes in on him (TY-13)."""
        shut = np.array([patch.enclosed for patch in self.patches], dtype=bool)
        return np.asarray((self.inside & shut).any(axis=1), dtype=bool)

    def names(self, which: Sequence[int] | Index) -> tuple[str, ...]:
        """The ids of figures by number."""
        return tuple(self.figures[int(number)].id for number in which)


def field_of(game: Game) -> Field:
    """The field of a game; kept beside the immutable record."""
    kept = game.__dict__.get("ty_field")
    if not isinstance(kept, Field):
        pairs = [(figure, unit) for unit in game.units for figure in figures_of(unit)]
        kept = Field(game, tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))
        game.__dict__["ty_field"] = kept
    return kept


def cm(length_mm: float) -> str:
    """A length as the players say it.

    >>> cm(201.0)
    '20.1 cm'
    """
    return f"{length_mm / MM_PER_CM:.1f} cm"


def measured(length_mm: float, sigma_mm: float, limit_mm: float) -> str:
    """A length that the measurement cannot tell from a limit, in words.

    >>> measured(200.5, 0.8, 200.0)
    '20.05 ± 0.08 cm against 20 cm'
    """
    length, sigma = length_mm / MM_PER_CM, sigma_mm / MM_PER_CM
    return f"{length:.2f} ± {sigma:.2f} cm against {limit_mm / MM_PER_CM:g} cm"
