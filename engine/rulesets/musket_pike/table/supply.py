"""Ammunition out of wagons, and who is cut off (MP-251, MP-253, MP-254)."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from engine.geometry.grids import walk
from engine.geometry.grids.flat import around, steps_apart
from engine.records.game import Cell
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.zones import controlled

__all__ = ["Supply", "is_isolated", "supply_for"]

#: How many hexes the path to a wagon may have, and how many men a load serves.
_REACH = 5
_MEN_PER_LOAD = 10


class Supply(NamedTuple):
    """The wagon that would serve a unit, how many hexes away by a free path, and the loads that it takes."""

    wagon: str
    hexes: int
    cost: int


def supply_for(board: Board, troop: Troop) -> Supply | None:
    """The nearest wagon that can serve a unit in full, of equally near ones the first listed; None: nobody does."""
    if not (troop.foot or troop.horse) or troop.state.routed:
        return None
    cost = ceil(troop.strength / _MEN_PER_LOAD)
    wagons = [
        other
        for other in board.own(troop.side)
        if other.wagon and other.strength >= cost and steps_apart(other.hex, troop.hex) <= _REACH
    ]
    if not wagons:
        return None

    def steps(cell: Cell, _spent: float) -> Iterator[tuple[Cell, float]]:
        for other in around(cell):
            if board.grid.holds(other) and _supply_passes(board, other, troop.side):
                yield other, 1.0

    hexes = walk(troop.hex, steps, float(_REACH)).cost
    near = [(int(hexes[wagon.hex]), wagon) for wagon in wagons if wagon.hex in hexes]
    if not near:
        return None
    away, wagon = min(near, key=lambda entry: (entry[0], entry[1].number))
    return Supply(wagon.id, away, cost)


def _supply_passes(board: Board, cell: Cell, side: str) -> bool:
    """Whether supply passes a hex: no enemy there, and no enemy zone of control unless friends stand there."""
    if board.enemies_at(cell, side):
        return False
    return bool(board.friends_at(cell, side)) or not controlled(board, cell, side)


def is_isolated(board: Board, troop: Troop) -> bool:
    """Whether a unit is cut off: by its paths where the option is on, else as its state says (MP-254)."""
    if not board.options.isolation:
        return troop.state.isolated
    here = troop.hex
    if _on_edge(board, here) or _is_source(board, here, troop.side):
        return False
    return not any(cell in _connected(board, troop.side) for cell in around(here))


def _connected(board: Board, side: str) -> frozenset[Cell]:
    """The hexes free of enemies and their zones from which a free path leads to the edge or to a source."""
    return board.once(("connected", side), lambda: _flooded(board, side))


def _flooded(board: Board, side: str) -> frozenset[Cell]:
    """The hexes that a flood from the edge and the sources over free hexes comes to."""
    columns, rows = board.grid.columns or 0, board.grid.rows or 0
    mat = [(column, row) for column in range(columns) for row in range(rows)]
    free = {cell for cell in mat if not board.enemies_at(cell, side) and not controlled(board, cell, side)}
    waiting = [cell for cell in free if _on_edge(board, cell) or _is_source(board, cell, side)]
    found = set(waiting)
    while waiting:
        beside = [cell for cell in around(waiting.pop()) if cell in free and cell not in found]
        found.update(beside)
        waiting += beside
    return frozenset(found)


def _on_edge(board: Board, cell: Cell) -> bool:
    columns, rows = board.grid.columns or 0, board.grid.rows or 0
    return cell[0] in (0, columns - 1) or cell[1] in (0, rows - 1)


def _is_source(board: Board, cell: Cell, side: str) -> bool:
    """Whether a hex is a supply source of a side on which no enemy stands (MP-253)."""
    return side in board.ground.sources.get(cell, ()) and not board.enemies_at(cell, side)
