"""The mat of a game without its units: grid, ground, and what follows from them alone, kept while they stay."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msgspec import convert

from engine.geometry.grids import HexGrid
from engine.records.game import Game, Grid, Terrain
from engine.rulesets.base.kept import once
from engine.rulesets.musket_pike.parameters import weather_of
from engine.rulesets.musket_pike.table.ground import Ground, ground_on
from engine.rulesets.musket_pike.vocabulary import GridKeys

__all__ = ["Mat", "mat_of"]

#: What of the conditions the ground and the price of a step depend on.
_CONDITIONS = ("ground", "weather", "parameters")


@dataclass(frozen=True, eq=False)
class Mat:
    """The table of a game with its ground, under one weather and by one set of parameter data.

    ``lies``, ``crossings`` and ``prices`` are filled by `crossings` and `pricing` as steps are asked for.
    """

    game: Game
    lies: dict[Any, Any] = field(default_factory=dict)
    crossings: dict[Any, Any] = field(default_factory=dict)
    prices: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def grid(self) -> HexGrid:
        """The hexes of the table."""
        grid = _grid(self.game)
        turn_deg = convert(grid.extra, GridKeys).turn_deg
        return HexGrid(grid.size_mm, grid.columns, grid.rows, grid.origin_mm, turn_deg)

    @cached_property
    def ground(self) -> Ground:
        """What lies on the hexes and their sides."""
        return ground_on(self.game, self.grid)

    def fits(self, game: Game) -> bool:
        """Whether a game has this very ground under these conditions."""
        own: tuple[Terrain, ...] = self.game.terrain
        same = all(game.conditions.get(key) == self.game.conditions.get(key) for key in _CONDITIONS)
        return game.terrain is own and same and weather_of(game) == weather_of(self.game)


def _grid(game: Game) -> Grid:
    if game.table.grid is None:
        raise ValueError("expected a game with a grid; check() refuses others")
    return game.table.grid


def mat_of(game: Game) -> Mat:
    """The mat of a game: that of the game before it, if nothing of it has changed since.

    Games that follow each other by events share the record of their table; the last mat is kept beside that.
    """
    last: dict[str, Mat] = once(game.table, "mp_mat", dict)
    mat = last.get("mat")
    if mat is None or not mat.fits(game):
        mat = last["mat"] = Mat(game)
    return mat
