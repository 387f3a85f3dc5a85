"""The squares of a game: where each unit stands and faces, what the ground is, who is how far from whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from msgspec import convert

from engine.geometry.certainty import SIGMAS
from engine.geometry.grids import SquareGrid, stand
from engine.geometry.grids.grazing import grazing
from engine.geometry.plane.directions import bearing_of, off
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.records.game import Cell, Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.palouse.book import Book, Ground, Kind
from engine.rulesets.palouse.vocabulary import Conditions, TerrainKeys, conditions_of, on_table, state_of

__all__ = ["Board", "Stand", "Step", "board_of"]

Step = tuple[Cell, Cell]

_EDGE_STEPS: Mapping[str, Cell] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


@dataclass(frozen=True)
class Stand:
    """Where a unit stands: its square, its centre in table mm, the bearing it faces, and how sure that is.

    ``cells`` are all squares that it may stand in, its own first; ``doubt`` says so in words if several.
    """

    cell: Cell
    centre_mm: tuple[float, float]
    bearing_deg: float
    sigma_mm: float
    bearing_sigma_deg: float
    cells: tuple[Cell, ...]
    doubt: str | None


@dataclass(frozen=True)
class Graze:
    """A square that the line of fire may go through or not: how far the line is from the corner that decides."""

    cell: Cell
    apart_mm: float
    sigma_mm: float


@dataclass(frozen=True, eq=False)
class Board:
    """One game on its squares, by the tables of a book."""

    game: Game
    book: Book

    @cached_property
    def grid(self) -> SquareGrid:
        """The squares of the table. Raises ValueError where it has none."""
        grid = self.game.table.grid
        if grid is None:
            raise ValueError("expected a game with a grid; check() refuses others")
        return SquareGrid(grid.size_mm, grid.columns, grid.rows, grid.origin_mm)

    @cached_property
    def conditions(self) -> Conditions:
        """The game's conditions."""
        return conditions_of(self.game)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units on the table, in list order."""
        return tuple(unit for unit in self.game.units if on_table(unit))

    @cached_property
    def stands(self) -> Mapping[str, Stand]:
        """Where the units on the table stand, by id; those without a place are left out."""
        return {unit.id: self._stand(unit) for unit in self.units if unit.square is not None or unit.figures}

    def kind(self, unit: Unit) -> Kind:
        """The unit's type."""
        return self.book.types[unit.type]

    def _stand(self, unit: Unit) -> Stand:
        if unit.square is not None:
            x, y = self.grid.centres(unit.square)
            facing = state_of(unit).bearing_deg
            return Stand(unit.square, (float(x), float(y)), facing, 0.0, 0.0, (unit.square,), None)
        figure = unit.figures[0]
        sigma = self.game.sigma_mm(figure)
        there = stand(self.grid, bases_of([(figure.x_mm, figure.y_mm)], [figure.base], [0.0]), sigma)
        cells: tuple[Cell, ...] = (_cell(there.cell[0]),)
        doubt = None
        if there.settled[0] == 1:
            cells = (*cells, _cell(there.next_cell[0]))
        if there.settled[0] == 1 or not self.grid.holds(cells[0]):
            cells = self._cells_about((figure.x_mm, figure.y_mm), sigma, *cells)
        if len(cells) > 1:
            away, others = float(there.to_edge_mm[0]), [str(list(one)) for one in cells]
            named = f"{', '.join(others[:-1])} or {others[-1]}"
            doubt = f"square {named}: {away:.1f} ± {sigma:.1f} mm from the edge"
        bearing = state_of(unit).bearing_deg if figure.bearing_deg is None else figure.bearing_deg
        turn_sigma = figure.bearing_sigma_deg
        if turn_sigma is None:
            turn_sigma = self.game.measured.bearing_sigma_deg
        return Stand(cells[0], (figure.x_mm, figure.y_mm), bearing, sigma, turn_sigma, cells, doubt)

    def _cells_about(self, centre: tuple[float, float], sigma_mm: float, *first: Cell) -> tuple[Cell, ...]:
        """The squares within two sigma of a place, the ``first`` first: near a corner there are four.

        Only those of the board, where there are any: who stands on its outer edge is in the square within. One
        alone where sigma is 0.
        """
        off_by = np.array([0.0, -1.0, 1.0]) * (SIGMAS * sigma_mm + 2 * MM)
        spots = np.stack(np.meshgrid(off_by, off_by), axis=-1).reshape(-1, 2) + np.array(centre)
        about = tuple(dict.fromkeys([*first, *(_cell(one) for one in self.grid.cells_at(spots))]))
        on_board = tuple(one for one in about if self.grid.holds(one)) or about[:1]
        return on_board if sigma_mm > 0 else on_board[:1]

    @cached_property
    def _kinds_at(self) -> Mapping[Cell, frozenset[str]]:
        found: dict[Cell, set[str]] = {}
        for piece in self.game.terrain:
            for cell in convert(piece.extra, TerrainKeys).squares:
                found.setdefault(cell, set()).add(piece.kind)
            if piece.polygon_mm is not None:
                for cell in self._cells_in(piece.polygon_mm):
                    found.setdefault(cell, set()).add(piece.kind)
        return {cell: frozenset(kinds) for cell, kinds in found.items()}

    def _cells_in(self, polygon: tuple[tuple[float, float], ...]) -> list[Cell]:
        columns, rows = self.grid.columns or 0, self.grid.rows or 0
        cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
        inside = pieces_of([np.array(polygon)]).contains(self.grid.centres(cells))[:, 0]
        return [_cell(cell) for cell in cells[inside]]

    @cached_property
    def _edges(self) -> Mapping[Step, frozenset[str]]:
        """The kinds on the edges between squares, by the two squares in order."""
        found: dict[Step, set[str]] = {}
        for piece in self.game.terrain:
            for column, row, name in convert(piece.extra, TerrainKeys).edges:
                across, up = _EDGE_STEPS[name]
                found.setdefault(_edge((column, row), (column + across, row + up)), set()).add(piece.kind)
        return {edge: frozenset(kinds) for edge, kinds in found.items()}

    def kinds_at(self, cell: Cell) -> frozenset[str]:
        """The kinds of terrain in a square; none of them: it is open."""
        return self._kinds_at.get(cell, frozenset())

    def ground_at(self, cell: Cell) -> tuple[Ground, ...]:
        """What the kinds of terrain in a square do."""
        return tuple(self.book.kinds[kind] for kind in sorted(self.kinds_at(cell)))

    def kinds_on(self, cell: Cell, other: Cell) -> frozenset[str]:
        """The kinds of terrain on the edge between two squares that share one."""
        return self._edges.get(_edge(cell, other), frozenset())

    def bounds(self, one: Unit, other: Unit) -> int:
        """How many bounds lie between two units (PA-02)."""
        return self.steps(self.stands[one.id].cell, self.stands[other.id].cell)

    def steps(self, cell: Cell, other: Cell) -> int:
        """How many bounds lie between two squares (PA-02)."""
        across, up = abs(cell[0] - other[0]), abs(cell[1] - other[1])
        return max(across, up) if self.conditions.options.diagonals == "one" else across + up

    def angle(self, unit: Unit, target: Unit) -> tuple[float, float]:
        """The angle between a unit's facing and the line of centres, 0 to 180 degrees, and its sigma (PA-30)."""
        here, there = self.stands[unit.id], self.stands[target.id]
        way = np.subtract(there.centre_mm, here.centre_mm)
        length = float(np.hypot(*way))
        if length == 0:
            return 0.0, 0.0
        sideways = float(np.degrees(np.arctan2(np.hypot(here.sigma_mm, there.sigma_mm), length)))
        turn = float(off(bearing_of(way), np.array(here.bearing_deg)))
        return turn, float(np.hypot(sideways, here.bearing_sigma_deg))

    @cached_property
    def _occupants(self) -> Mapping[Cell, Unit]:
        return {self.stands[unit.id].cell: unit for unit in reversed(self.units) if unit.id in self.stands}

    def occupant(self, cell: Cell) -> Unit | None:
        """The unit in a square, or None."""
        return self._occupants.get(cell)

    def between(self, unit: Unit, target: Unit) -> list[Cell]:
        """The squares strictly between two units that the line of their centres goes through (PA-40)."""
        here, there = self.stands[unit.id], self.stands[target.id]
        cells = self.grid.cells_along(here.centre_mm, there.centre_mm)
        return [cell for cell in cells if cell not in (here.cell, there.cell)]

    def grazed(self, unit: Unit, target: Unit) -> Iterator[Graze]:
        """The squares between two units of which the measurement cannot tell whether the line goes through them."""
        here, there = self.stands[unit.id], self.stands[target.id]
        if here.sigma_mm == there.sigma_mm == 0:
            return
        spans = [np.arange(min(ends), max(ends) + 1) for ends in zip(here.cell, there.cell, strict=True)]
        box = np.stack(np.meshgrid(*spans), axis=-1).reshape(-1, 2)
        box = box[[_cell(one) not in (here.cell, there.cell) for one in box]]
        found = grazing(self.grid.outlines(box), here.centre_mm, there.centre_mm)
        sigma = np.hypot((1 - found.share) * here.sigma_mm, found.share * there.sigma_mm)
        for number in np.flatnonzero(found.shift_mm <= SIGMAS * sigma).tolist():
            yield Graze(_cell(box[number]), float(found.shift_mm[number]), float(sigma[number]))

    def doubtful(self, *but: Unit) -> Iterator[Unit]:
        """The units on the table, but for some, that may stand in one square or another."""
        others = (unit for unit in self.units if unit.id in self.stands and unit not in but)
        yield from (unit for unit in others if self.stands[unit.id].doubt is not None)

    def commander_of(self, side: str) -> Unit | None:
        """The unit that the side's commander is with, or None."""
        return next((unit for unit in self.units if unit.side == side and state_of(unit).commander), None)

    def commander_doubt(self, unit: Unit) -> str | None:
        """That a unit may be within a bound of its commander or not, in words; None where that is sure (PA-54)."""
        commander = self.commander_of(unit.side)
        if commander is None or commander.id == unit.id or not {unit.id, commander.id} <= self.stands.keys():
            return None
        here, there = self.stands[unit.id], self.stands[commander.id]
        near = {self.steps(cell, other) <= 1 for cell in here.cells for other in there.cells}
        if len(near) == 1:
            return None
        return f"whether it is within a bound of {commander.id}: {there.doubt or here.doubt}"

    def near_commander(self, unit: Unit) -> bool:
        """Whether the unit is within a bound of its commander's, or is it (PA-54, PA-61)."""
        commander = self.commander_of(unit.side)
        return commander is not None and unit.id in self.stands and self.bounds(unit, commander) <= 1


def board_of(game: Game, book: Book) -> Board:
    """The board of a game; kept beside the immutable record."""
    boards: dict[int, Board] = once(game, "pa_boards", dict)  # a board keeps its book, and so that book's id
    if id(book) not in boards:
        boards[id(book)] = Board(game, book)
    return boards[id(book)]


def _edge(cell: Cell, other: Cell) -> Step:
    return (cell, other) if cell <= other else (other, cell)


def _cell(pair: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Cell:
    return int(pair[0]), int(pair[1])
