"""Line of sight from hex to hex over ground and units, and who sees whom (MP-65, MP-130 to MP-135, MP-305)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from engine.geometry.grids.sampling import samples_between
from engine.records.game import Cell, Game
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.weather import visibility

__all__ = ["CLEAR", "Line", "Sight", "concealed", "shown", "sight_over"]

#: Heights along a line that are equal on paper.
_EQUAL = 1e-9


@dataclass(frozen=True)
class Line:
    """A line of sight: whether it is open, and whether only skirmishers or leaders stand in its way (MP-134)."""

    open: bool
    veiled: bool


CLEAR = Line(open=True, veiled=False)
Heights = NDArray[np.float64]
_LINES = {(is_open, veiled): Line(is_open, veiled) for is_open in (False, True) for veiled in (False, True)}


@dataclass(frozen=True, eq=False)
class Sight:
    """What can be seen over one board."""

    board: Board

    def line(self, cell: Cell, other: Cell) -> Line:
        """The line of sight between two hexes; it is the same both ways. Neighbours always see each other."""
        found = self._known.get((cell, other))
        if found is not None:
            return found
        key = (cell, other) if cell <= other else (other, cell)
        found = self._known.get(key)
        if found is None:
            found = self._lines([key])[key] if self.board.apart(*key) > 1 else CLEAR
            self._known[key] = found
        return found

    def doubts(self, troop: Troop, target: Troop) -> tuple[str, ...]:
        """Which units may stand in the line of sight between two or beside it, in words (MP-03, MP-133)."""
        uncertain = self.board.between_hexes
        if not uncertain.keys() - {troop.id, target.id} or self.board.apart(troop.hex, target.hex) <= 1:
            return ()
        samples = samples_between(self.board.grid, np.array([troop.hex]), np.array([target.hex]))
        line = {(column, row) for column, row in samples.cells.reshape(-1, 2).tolist()}
        return tuple(
            f"whether {name} stands in the line of sight: {stand.doubts[0]}"
            for name, stand in uncertain.items()
            if name not in (troop.id, target.id) and (stand.hex in line) != (stand.other_hex in line)
        )

    def sees(self, troop: Troop, other: Troop) -> bool:
        """Whether a unit has another in line of sight, and within visibility (MP-305)."""
        limit = visibility(self.board)
        near = limit is None or self.board.apart(troop.hex, other.hex) <= limit
        return near and self.line(troop.hex, other.hex).open

    def seen_by(self, side: str) -> frozenset[str]:
        """The enemy units that some unit of a side sees, worked out once."""
        if side not in self._seen:
            own, enemies = self.board.own(side), self.board.enemies(side)
            seen = (enemy.id for enemy in enemies if any(self.sees(troop, enemy) for troop in own))
            self._seen[side] = frozenset(seen)
        return self._seen[side]

    @cached_property
    def _seen(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _known(self) -> dict[tuple[Cell, Cell], Line]:
        """The lines between hexes with units of different sides, the lower hex first; others come as asked for."""
        stacks, names = self.board.stacks, {troop.side for troop in self.board.troops.values()}
        sides, cells = {name: 1 << number for number, name in enumerate(names)}, sorted(stacks)
        held = np.array([reduce(or_, (sides[troop.side] for troop in stacks[cell])) for cell in cells], dtype=int)
        one, other = np.triu_indices(len(cells), 1)
        both = held[one] | held[other]
        mixed = np.flatnonzero(both & (both - 1))
        pairs = [(cells[i], cells[j]) for i, j in zip(one[mixed].tolist(), other[mixed].tolist(), strict=True)]
        return self._lines(pairs)

    def _lines(self, pairs: list[tuple[Cell, Cell]]) -> dict[tuple[Cell, Cell], Line]:
        """The lines of pairs of hexes on the map."""
        if not pairs:
            return {}
        ends = np.array(pairs) + 1
        level, stop, veil = self._heights
        samples = samples_between(self.board.grid, ends[:, 0] - 1, ends[:, 1] - 1)
        here, there = level[tuple(ends[:, 0].T)], level[tuple(ends[:, 1].T)]
        height = here[samples.line] * (1 - samples.along) + there[samples.line] * samples.along
        column, row = samples.cells[..., 0] + 1, samples.cells[..., 1] + 1
        stopped, veiled = np.zeros(len(pairs), dtype=bool), np.zeros(len(pairs), dtype=bool)
        for table, found in ((stop, stopped), (veil, veiled)):
            found[samples.line[height < table[column, row].min(axis=0)]] = True
        states = zip((~stopped).tolist(), (veiled & ~stopped).tolist(), strict=True)
        return {pair: _LINES[state] for pair, state in zip(pairs, states, strict=True)}

    @cached_property
    def _heights(self) -> tuple[Heights, Heights, Heights]:
        """For each hex, with a rim of one round the map: its level, and below which height a line that runs through
        it is stopped, and is stopped or veiled: by the ground, what grows there, units, or the end of the map.

        Ground and growth stop what runs lower, units also what runs level with their feet.
        """
        ground, rises, board = self.board.ground, self.board.parameters.terrain_height, self.board
        shape = ((board.grid.columns or 0) + 2, (board.grid.rows or 0) + 2)
        level, rise = np.zeros(shape), np.zeros(shape)
        _fill(level, ground.levels, board)
        _fill(rise, {cell: max(rises.get(kind, 0.0), 0.0) for cell, kind in ground.kinds.items()}, board)
        stop = np.full(shape, np.inf)
        stop[1:-1, 1:-1] = (level + rise - _EQUAL)[1:-1, 1:-1]
        veil, feet = stop.copy(), level + 2 * _EQUAL
        for (column, row), stack in board.stacks.items():
            at, filled = (column + 1, row + 1), any(not (troop.skirmisher or troop.leader) for troop in stack)
            for table in (stop, veil) if filled else (veil,):
                table[at] = max(table[at], feet[at])
        return level, stop, veil


def sight_over(board: Board) -> Sight:
    """What can be seen over a board, worked out once."""
    return board.once("sight", lambda: Sight(board))


def shown(board: Board, side: str) -> tuple[Troop, ...]:
    """The enemies of a side that its answers tell of: all, or in the fog of war those that it sees (MP-305)."""
    enemies = board.enemies(side)
    if not board.conditions.fog_of_war:
        return enemies
    seen = sight_over(board).seen_by(side)
    return tuple(enemy for enemy in enemies if enemy.id in seen)


def concealed(game: Game, side: str | None) -> frozenset[str]:
    """The units that a side does not see in the fog of war; None: those that either side's enemies do not see."""
    board = board_of(game)
    if not board.conditions.fog_of_war:
        return frozenset()
    sides = [one.name for one in game.sides] if side is None else [side]
    return frozenset(
        enemy.id for own in sides for enemy in board.enemies(own) if enemy.id not in sight_over(board).seen_by(own)
    )


def _fill(table: Heights, values: Mapping[Cell, float], board: Board) -> None:
    for cell, value in values.items():
        if board.grid.holds(cell):
            table[cell[0] + 1, cell[1] + 1] = value
