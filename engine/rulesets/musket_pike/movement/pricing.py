"""What steps over the mat cost one kind of walker, kept for whoever asks about many hexes."""

from __future__ import annotations

from functools import lru_cache
from math import inf

from engine.geometry.grids.flat import around
from engine.records.game import Cell
from engine.rulesets.musket_pike.movement.crossings import Crossing, Lie, Walker, crossing_of, lie_of
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.weather import weather_now

__all__ = ["CALM", "ROUGH", "WORKS", "Entry", "Prices", "prices_of"]

#: How the ground of a step disorders: not at all, as obstructed (MP-46), by abatis or a trench (MP-56, MP-57).
CALM, ROUGH, WORKS = 0, 1, 2

#: A direction, the number of the hex there, the step's points (infinite: impassable), how its ground disorders.
Entry = tuple[int, int, float, int]


class _OpenMat(dict[int, tuple[Entry, ...]]):
    """The steps from each hex of a mat without features, worked out as they are asked for."""

    def __init__(self, columns: int, rows: int, price: float) -> None:
        self._columns, self._rows, self._price = columns, rows, price

    def __missing__(self, number: int) -> tuple[Entry, ...]:
        found = self[number] = tuple(
            (direction, column * self._rows + row, self._price, CALM)
            for direction, (column, row) in enumerate(around(divmod(number, self._rows)))
            if 0 <= column < self._columns and 0 <= row < self._rows
        )
        return found


_open_mat = lru_cache(maxsize=32)(_OpenMat)


class Prices(dict[int, tuple[Entry, ...]]):
    """The steps from each hex of a board for one kind of walker; ``least`` is the price of the cheapest of all.

    Hexes go by number, column after column: looking numbers up takes half as long as pairs.
    """

    def __init__(self, board: Board, walker: Walker) -> None:
        self._board, self._walker = board, walker
        parameters, grid = board.parameters, board.grid
        weather = 1 + weather_now(board).movement / 100
        bare = parameters.terrain_cost["clear"].get(str(walker.kind))
        open_price = inf if bare is None else bare * weather
        self.least = min(_ground_costs(board, walker), default=inf) * weather
        if board.ground.ways or board.ground.bridges or board.ground.fords:
            self.least = min(self.least, *parameters.road_cost.values())
        self._rows = grid.rows or 1
        self._open = _open_mat(grid.columns or 0, self._rows, open_price)
        self._eventful = board.ground.eventful
        self._priced: dict[Lie, tuple[float, int]] = {}

    def __missing__(self, number: int) -> tuple[Entry, ...]:
        cell, eventful = divmod(number, self._rows), self._eventful
        found = self[number] = tuple(
            [self._entry(cell, entry) if (cell, entry[0]) in eventful else entry for entry in self._open[number]]
        )
        return found

    def _entry(self, cell: Cell, entry: Entry) -> Entry:
        direction, number, _, _ = entry
        lie = lie_of(self._board, cell, direction)
        priced = self._priced.get(lie)
        if priced is None:
            crossing = crossing_of(self._board, self._walker, cell, direction)
            priced = inf if crossing.cost is None else crossing.cost, _calmness(crossing)
            self._priced[lie] = priced
        return direction, number, *priced


def _ground_costs(board: Board, walker: Walker) -> list[float]:
    """What the kinds of ground, and water by boat, cost a kind of walker."""
    costs = (row.get(str(walker.kind)) for row in board.parameters.terrain_cost.values())
    return [board.parameters.boat_cost, *(cost for cost in costs if cost is not None)]


def _calmness(crossing: Crossing) -> int:
    if crossing.by not in ("ground", "boat"):
        return CALM
    return WORKS if crossing.works is not None else ROUGH if crossing.rough else CALM


def prices_of(board: Board, walker: Walker) -> Prices:
    """The prices of a kind of walker on a board, worked out once."""
    kept: dict[Walker, Prices] = board.mat.prices
    if walker not in kept:
        kept[walker] = Prices(board, walker)
    return kept[walker]
