"""Threat and zones of control: what the enemy's presence does to a hex (MP-72, MP-80, MP-81, MP-84)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.geometry.grids.flat import beyond, steps_apart
from engine.records.game import Cell
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["controlled", "controllers", "threat_at", "threatens", "zone_of", "zones_against"]

#: No unit threatens a hex farther away than that.
_FARTHEST = 6


def threat_at(board: Board, cell: Cell, side: str) -> float:
    """The threat that a side's enemies exert on a hex."""
    known: dict[Cell, float] = board.once(("threat", side), dict)
    if cell not in known:
        known[cell] = sum(_exerted(board, enemy, cell) for enemy in board.enemies(side))
    return known[cell]


def _exerted(board: Board, troop: Troop, cell: Cell) -> float:
    """The threat of one unit on a hex: by kind, strength and distance, in the hexes that it faces."""
    away = steps_apart(troop.hex, cell)
    if not 0 < away <= _FARTHEST or not threatens(troop) or not _threat_faces(board, troop, cell):
        return 0.0
    if troop.horse:
        return (3 if away <= 2 else 2 if away <= 4 else 1) * troop.strength / 100
    if troop.gun:
        return float((2 if away <= 2 else 1 if away <= 4 else 0) * troop.strength)
    return (2 if away == 1 else 1 if away == 2 else 0) * troop.strength / 100


def threatens(troop: Troop) -> bool:
    """Whether a unit exerts threat at all (MP-81, R16)."""
    return (troop.foot or troop.horse or troop.gun) and troop.steady and not troop.state.uncrewed


def _threat_faces(board: Board, troop: Troop, cell: Cell) -> bool:
    all_round = troop.block and not board.options.block_has_flanks
    return all_round or board.faces(troop, cell)


def zone_of(board: Board, troop: Troop) -> tuple[Cell, ...]:
    """The hexes of a unit's zone of control on the map: the two frontal ones, of a block all six (MP-84)."""
    if not _controls(troop) or troop.facing is None:
        return ()
    sides = range(6) if troop.block else (troop.facing, (troop.facing + 1) % 6)
    ground, grid = board.ground, board.grid
    return tuple(
        cell
        for side in sides
        if grid.holds(cell := beyond(troop.hex, side)) and "high-wall" not in ground.side(troop.hex, side)
    )


def _controls(troop: Troop) -> bool:
    if troop.gun:
        return troop.formation == "unlimbered" and not troop.state.uncrewed and not troop.state.routed
    return (troop.horse or (troop.foot and not troop.skirmisher)) and not troop.state.routed


def zones_against(board: Board, side: str) -> Mapping[Cell, tuple[str, ...]]:
    """The hexes in zones of control of a side's enemies, each with the units whose zones they are."""
    return board.once(("zones", side), lambda: _zones_against(board, side))


def _zones_against(board: Board, side: str) -> Mapping[Cell, tuple[str, ...]]:
    found: dict[Cell, tuple[str, ...]] = {}
    for enemy in board.enemies(side):
        for cell in zone_of(board, enemy):
            found[cell] = (*found.get(cell, ()), enemy.id)
    return found


def controlled(board: Board, cell: Cell, side: str) -> bool:
    """Whether a hex lies in a zone of control of a side's enemies."""
    return cell in zones_against(board, side)


def controllers(board: Board, cell: Cell, side: str) -> tuple[str, ...]:
    """The enemies of a side in whose zones of control a hex lies."""
    return zones_against(board, side).get(cell, ())
