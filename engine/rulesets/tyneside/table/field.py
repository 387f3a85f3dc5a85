"""The figures of one game as arrays: their bases, whose they are, how far they are from each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.cover import base_gaps
from engine.geometry.distances import Distances, centres
from engine.geometry.shapes.pieces import Pieces
from engine.records.game import Game
from engine.rulesets.base.answers.lengths import LengthUnit
from engine.rulesets.base.field.free_field import FreeField
from engine.rulesets.base.kept import once
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

__all__ = ["Field", "Patch", "cm", "field_of", "measured", "told_apart"]

Mask = NDArray[np.bool_]

_MEASURE = LengthUnit("cm", MM_PER_CM)
cm, measured, told_apart = _MEASURE.said, _MEASURE.compared, _MEASURE.told_apart


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
    def rough(self) -> bool:
        """Whether it is other than open clear ground (TY-20)."""
        return self.ground.going != "normal" or self.enclosed

    @property
    def sight(self) -> str:
        """What it is to sight: ``open``, ``low``, ``tall``, ``woods`` or ``hill``; a thing whose height is said is
        low or tall by that, whatever its kind."""
        limits, sight, height = book().limits, self.ground.sight, self.keys.height_cm
        if sight == "by-height" and height is None:
            height = limits.wall_height
        if height is None or sight not in ("low", "tall", "by-height"):
            return sight
        return "low" if height <= limits.low_height else "tall"


class Field(FreeField):
    """The figures that stand on the table, markers too, in list order, with the terrain."""

    @cached_property
    def apart(self) -> Distances:
        """All distances as the players measure them (TY-01, TR-10), (n, n)."""
        if conditions_of(self.game).options.measure == "edge":
            return self.edges
        return centres(self.bases, self.bases)

    @cached_property
    def piece_gaps(self) -> NDArray[np.float64]:
        """(n, p) how far each base is from each piece of terrain."""
        return base_gaps(self.bases, self.pieces)

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
    def rough(self) -> Pieces:
        """The terrain that is not open clear ground (TY-20)."""
        return self.pieces.pick(np.array([patch.rough for patch in self.patches], dtype=bool))

    def piece(self, number: int) -> Pieces:
        """The outline of one piece of terrain."""
        return self._each_piece[number]

    @cached_property
    def _each_piece(self) -> tuple[Pieces, ...]:
        return tuple(self.pieces.pick([number]) for number in range(len(self.patches)))

    @cached_property
    def enclosed(self) -> Mask:
        """(n,) who stands in ground that closes in on him (TY-13)."""
        shut = np.array([patch.enclosed for patch in self.patches], dtype=bool)
        return np.asarray((self.inside & shut).any(axis=1), dtype=bool)


def field_of(game: Game) -> Field:
    """The field of a game; kept beside the immutable record."""
    return once(game, "ty_field", lambda: _field(game))


def _field(game: Game) -> Field:
    pairs = [(figure, unit) for unit in game.units for figure in figures_of(unit)]
    return Field(game, tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))
