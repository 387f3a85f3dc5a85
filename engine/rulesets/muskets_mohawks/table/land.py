"""The terrain of a game as shapes, and what is worked out from it alone: the same for all games on one table."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.geometry.shapes.pieces import Pieces, pieces_from
from engine.records.game import Game, Terrain

__all__ = ["Ground", "Land", "bounds_of", "land_of"]

Array = NDArray[np.float64]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Ground:
    """A piece of terrain: its ``shape`` (one of `Pieces`), and the crest line (j, 2) of a hill that has one."""

    terrain: Terrain
    shape: Pieces
    crest: Array | None

    @property
    def id(self) -> str:
        """The piece's id."""
        return self.terrain.id

    @cached_property
    def outline(self) -> Array:
        """(k, 2) the corners of its outline."""
        return self.shape.start

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of its outline."""
        return bounds_of(self.outline)


@dataclass(frozen=True, eq=False)
class Land:
    """All the terrain of a game."""

    ground: tuple[Ground, ...]
    _memo: dict[Hashable, Any] = field(default_factory=dict)

    def of_kind(self, *kinds: str) -> tuple[Ground, ...]:
        """The terrain of these kinds; ``woods`` takes in wooded hills."""
        return self.memo(("kinds", kinds), lambda: tuple(piece for piece in self.ground if _is_one(piece, kinds)))

    def piece(self, name: str | None) -> Ground | None:
        """The terrain of that id, or None."""
        return next((piece for piece in self.ground if piece.id == name), None)

    def memo(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make()`` gave the first time it was asked for under that key: of terrain and nothing else."""
        if key not in self._memo:
            self._memo[key] = make()
        found: T = self._memo[key]
        return found


def _is_one(piece: Ground, kinds: tuple[str, ...]) -> bool:
    wooded = piece.terrain.kind == "hill" and piece.terrain.extra.get("wooded", False)
    return piece.terrain.kind in kinds or ("woods" in kinds and bool(wooded))


def bounds_of(outline: Array) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a line or outline (k, 2)."""
    left, bottom = outline.min(axis=0).tolist()
    right, top = outline.max(axis=0).tolist()
    return left, bottom, right, top


def land_of(game: Game) -> Land:
    """The terrain of a game."""
    return Land(tuple(_ground(piece) for piece in game.terrain))


def _ground(piece: Terrain) -> Ground:
    crest: Any = piece.extra.get("crest_mm")
    return Ground(piece, pieces_from([piece]), None if crest is None else np.array(crest, dtype=float))
