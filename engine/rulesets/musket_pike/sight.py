"""Line of sight from hex to hex over ground and units, and who sees whom (MP-65, MP-130 to MP-135, MP-305)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.geometry.grids.sampling import samples_between
from engine.records.game import Cell, Game
from engine.rulesets.musket_pike.board import Board, board_of
from engine.rulesets.musket_pike.troops import Troop
from engine.rulesets.musket_pike.weather import visibility

__all__ = ["CLEAR", "Line", "Sight", "concealed", "shown", "sight_over"]

#: Heights along a line that are equal on paper.
_EQUAL = 1e-9


@dataclass(frozen=True)
class Line:
    """A line of sight: whether it is open, and whether only skirmishers or leaders stand in its way (MP-134)."""

    open: bool
    veiled: bool


CLEAR = Line(open=True, veiled=False)
_LINES = {(is_open, veiled): Line(is_open, veiled) for is_open in (False, True) for veiled in (False, True)}


@dataclass(frozen=True, eq=False)
class Sight:
    """What can be seen over one board."""

    board: Board

    def line(self, cell: Cell, other: Cell) -> Line:
        """The line of sight between two hexes; it is the same both ways. Neighbours always see each other."""
        key = (cell, other) if cell <= other else (other, cell)
        found = self._known.get(key)
        if found is None:
            found = self._lines([key])[key] if self.board.apart(*key) > 1 else CLEAR
            self._known[key] = found
        return found

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
        """The lines between all hexes with units, the lower hex first; others are added as they are asked for."""
        pairs = [pair for pair in combinations(sorted(self.board.stacks), 2) if self.board.apart(*pair) > 1]
        return self._lines(pairs)

    def _lines(self, pairs: list[tuple[Cell, Cell]]) -> dict[tuple[Cell, Cell], Line]:
        if not pairs:
            return {}
        ends = np.array(pairs)
        samples = samples_between(self.board.grid, ends[:, 0], ends[:, 1])
        level, top, blocked, light = self._tables
        here, there = level[tuple(ends[:, 0].T)], level[tuple(ends[:, 1].T)]
        height = (here[:, None] * (1 - samples.along) + there[:, None] * samples.along)[..., None]
        shape = (self.board.grid.columns or 0, self.board.grid.rows or 0)
        column, row = (np.clip(samples.cells[..., axis], 0, shape[axis] - 1) for axis in (0, 1))
        lies_out = ~self.board.grid.contains(samples.cells)
        over = level[column, row] >= height - _EQUAL
        stops = (top[column, row] > height + _EQUAL) | (blocked[column, row] & over) | lies_out
        veils = light[column, row] & over & ~stops
        stopped = (stops.all(axis=-1) & samples.held).any(axis=-1)
        veiled = ((stops | veils).all(axis=-1) & samples.held).any(axis=-1)
        states = zip((~stopped).tolist(), (veiled & ~stopped).tolist(), strict=True)
        return {pair: _LINES[state] for pair, state in zip(pairs, states, strict=True)}

    @cached_property
    def _tables(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """For each hex: its level, its height with what grows there, whether units or light ones stand in it."""
        ground, heights = self.board.ground, self.board.parameters.terrain_height
        shape = (self.board.grid.columns or 0, self.board.grid.rows or 0)
        level = np.zeros(shape)
        _fill(level, ground.levels, self.board)
        rise = np.zeros(shape)
        _fill(rise, {cell: max(heights.get(kind, 0.0), 0.0) for cell, kind in ground.kinds.items()}, self.board)
        blocked, light = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
        for cell, stack in self.board.stacks.items():
            filled = any(not (troop.skirmisher or troop.leader) for troop in stack)
            (blocked if filled else light)[cell] = True
        return level, level + rise, blocked, light


def sight_over(board: Board) -> Sight:
    """What can be seen over a board, worked out once."""
    kept = board.__dict__
    if "mp_sight" not in kept:
        kept["mp_sight"] = Sight(board)
    found: Sight = kept["mp_sight"]
    return found


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


def _fill(table: NDArray[np.float64], values: Mapping[Cell, float], board: Board) -> None:
    for cell, value in values.items():
        if board.grid.holds(cell):
            table[cell] = value
