"""The cells that a game's table is played in."""

from __future__ import annotations

from engine.geometry.grids import HexGrid, SquareGrid
from engine.records.game import Game

__all__ = ["grid_of"]


def grid_of(game: Game) -> SquareGrid | HexGrid | None:
    """The cells of a game's table; None where it is played without."""
    grid = game.table.grid
    if grid is None:
        return None
    kind = SquareGrid if grid.kind == "square" else HexGrid
    turn_deg = float(grid.extra.get("turn_deg", 0.0))
    return kind(grid.size_mm, grid.columns, grid.rows, grid.origin_mm, turn_deg=turn_deg)
