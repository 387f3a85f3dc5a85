"""A move on a table of squares or hexes, held against the cells that the answer before it gave as within reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.geometry.certainty import Verdict
from engine.geometry.grids import HexGrid, SquareGrid, stand
from engine.geometry.shapes.bases import bases_of
from engine.moved.cells import grid_of
from engine.records.answer import MoveOption
from engine.records.game import Cell, Figure, Game

__all__ = ["CellMove", "cell_move"]


class CellMove(Struct, frozen=True, kw_only=True):
    """From which cell to which, so many ``moved``; what that costs and what the unit had, in the rules' ``points``.

    ``cost`` is None where the answer prices no cells, or the cell is out of reach; ``allowance`` without an answer.
    """

    kind: Literal["square", "hex"]
    start: Cell
    end: Cell
    moved: int
    points: str = ""
    cost: float | None = None
    allowance: float | None = None
    verdict: Literal["within", "beyond", "borderline", "off-way"] | None = None
    why_not: tuple[str, ...] = ()


def cell_move(
    game: Game, before: Mapping[str, Figure], after: Mapping[str, Figure], option: MoveOption | None
) -> CellMove:
    """The move of the figure that stands for a unit, which is its first; ``option`` is from where it began."""
    grid = grid_of(game)
    assert grid is not None
    first = next(name for name in before if name in after)
    start, start_doubt = _cells(grid, game, before[first])
    end, doubt = _cells(grid, game, after[first])
    kind: Literal["square", "hex"] = "square" if isinstance(grid, SquareGrid) else "hex"
    move = CellMove(kind=kind, start=start, end=end, moved=_steps(grid, game, start, end))
    if option is None:
        return move
    told = _held(move, option.extra)
    if doubt is not None:
        other = _held(replace(move, end=doubt, moved=_steps(grid, game, start, doubt)), option.extra)
        if other.verdict != told.verdict:
            why = f"it stands in {_named(kind, end)} or {list(doubt)}: too near the edge"
            return replace(told, verdict="borderline", why_not=(why,))
    if start_doubt is not None and start != end:
        why = f"it stood in {_named(kind, start)} or {list(start_doubt)}: too near the edge"
        return replace(told, verdict="borderline", why_not=(why,))
    return told


def _held(move: CellMove, extra: Mapping[str, Any]) -> CellMove:
    """The move against the cells in reach, which the answer prices or only lists."""
    hexes, squares = extra.get("reach_hexes"), extra.get("reach_squares")
    if hexes is None and squares is None:
        return move
    costs: dict[Cell, float | None] = {tuple(one["hex"]): one["cost_mp"] for one in hexes or ()}
    costs |= dict.fromkeys((tuple(one) for one in squares or ()), None)
    allowance = extra.get("remaining_mp", extra.get("allowance_bounds"))
    points = "MP" if "remaining_mp" in extra else "bound" if allowance == 1 else "bounds"
    move = replace(move, allowance=allowance, points=points)
    if move.end == move.start:
        return replace(move, cost=0.0, verdict="within")
    if move.end in costs:
        return replace(move, cost=costs[move.end], verdict="within")
    if allowance is not None and move.moved > allowance:
        return replace(move, verdict="beyond")
    why = f"{_named(move.kind, move.end)} is not within its reach"
    return replace(move, verdict="off-way", why_not=(why,))


def _cells(grid: SquareGrid | HexGrid, game: Game, figure: Figure) -> tuple[Cell, Cell | None]:
    """The cell that a figure stands in, and the one that it may stand in as well."""
    bases = bases_of([(figure.x_mm, figure.y_mm)], [figure.base], [figure.bearing_deg])
    there = stand(grid, bases, game.sigma_mm(figure))
    doubtful = there.settled[0] == Verdict.BORDERLINE
    return _cell(there.cell[0]), _cell(there.next_cell[0]) if doubtful else None


def _cell(found: Any) -> Cell:
    column, row = np.asarray(found).tolist()
    return int(column), int(row)


def _steps(grid: SquareGrid | HexGrid, game: Game, start: Cell, end: Cell) -> int:
    """How many cells lie between two; over corners too where the table's options let units step so."""
    if isinstance(grid, HexGrid):
        return int(grid.distances(start, end))
    options = game.conditions.get("options")
    straight = isinstance(options, Mapping) and options.get("diagonals") == "orthogonal"
    return int(grid.distances(start, end, "orthogonal" if straight else "one"))


def _named(kind: str, cell: Cell) -> str:
    return f"{kind} {list(cell)}"
