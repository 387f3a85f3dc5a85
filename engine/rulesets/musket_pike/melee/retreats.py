"""Where the losers of a melee go, and what becomes of those who have nowhere to go (MP-85, MP-89, MP-202)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from engine.geometry.grids.flat import beyond, direction_between
from engine.records.game import Cell
from engine.rulesets.musket_pike.movement.crossings import crossing_of, walker_of
from engine.rulesets.musket_pike.movement.stacking import crowd_bars
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.zones import controlled

__all__ = ["Room", "retreat_hex", "room_in", "stays_with_guns"]

#: The directions of a retreat from the attackers' step: straight on, then 60 degrees right and left, then 120.
_TURNS = (0, 1, -1, 2, -2)


class Room(Enum):
    """Whether a unit may retreat into a hex: freely, over light enemies there, or not."""

    FREE = "free"
    OVER = "over"
    NONE = "none"


def retreat_hex(
    board: Board, troop: Troop, direction: int, named: Cell | None = None, first: Cell | None = None
) -> tuple[Cell, Room] | None:
    """Where a unit retreats to from an attack in a direction, and whether over light enemies; None: nowhere.

    It goes to the named hex, else to where the first of its stack went, else to the first of the order that has
    room; to one of light enemies only where there is no other.
    """
    cells = list(dict.fromkeys(_candidates(troop, direction, named, first)))
    rooms = {cell: room_in(board, troop, cell) for cell in cells}
    for wanted in (Room.FREE, Room.OVER):
        for cell in cells:
            if rooms[cell] is wanted:
                return cell, wanted
    return None


def _candidates(troop: Troop, direction: int, named: Cell | None, first: Cell | None) -> Iterator[Cell]:
    if named is not None:
        yield named
    if first is not None:
        yield first
    for turn in _TURNS:
        yield beyond(troop.hex, direction + turn)


def room_in(board: Board, troop: Troop, cell: Cell) -> Room:
    """Whether a unit may retreat into a hex."""
    direction = direction_between(troop.hex, cell)
    if direction is None or not board.grid.holds(cell):
        return Room.NONE
    ahead = troop.facing is not None and (direction - troop.facing) % 6 in (0, 1)
    crossing = crossing_of(board, walker_of(troop), troop.hex, direction)
    bridged = crossing.by == "bridge" and any(not other.leader for other in board.friends_at(cell, troop.side))
    barred = ahead or crossing.cost is None or (bridged and not troop.leader)
    if barred or controlled(board, cell, troop.side) or any(crowd_bars(board, (troop,), cell)):
        return Room.NONE
    enemies = board.enemies_at(cell, troop.side)
    if not enemies:
        return Room.FREE
    return Room.OVER if all(_gives_way(board, troop, enemy) for enemy in enemies) else Room.NONE


def _gives_way(board: Board, troop: Troop, enemy: Troop) -> bool:
    """Whether a retreating unit runs an enemy over: leaders, wagons, skirmishers but in some cases (MP-202)."""
    if enemy.leader or enemy.wagon:
        return troop.fights
    sheltered = troop.state.routed and board.ground.kind(enemy.hex) == "chateau"
    return enemy.skirmisher and troop.fights and not board.options.no_retreat_overruns and not sheltered


def stays_with_guns(troop: Troop) -> bool:
    """Whether a unit does not retreat: guns in action or without a crew (MP-89)."""
    return troop.gun and (troop.formation == "unlimbered" or troop.state.uncrewed)
