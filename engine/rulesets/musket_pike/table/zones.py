"""Threat and zones of control: what the enemy's presence does to a hex (MP-72, MP-80, MP-81, MP-84)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.geometry.grids.flat import beyond, steps_apart
from engine.records.game import Cell
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["controlled", "controllers", "threat_at", "threatens", "zone_of", "zones_against"]


def threat_at(board: Board, cell: Cell, side: str) -> float:
    """The threat that a side's enemies exert on a hex."""
    known: dict[Cell, float] = board.once(("threat", side), dict)
    if cell not in known:
        known[cell] = sum(_exerted(board, enemy, cell) for enemy in board.enemies(side))
    return known[cell]


def _exerted(board: Board, troop: Troop, cell: Cell) -> float:
    """The threat of one unit on a hex: by kind, strength and distance, in the hexes that it faces."""
    away, threat = steps_apart(troop.hex, cell), board.parameters.threat
    bands = threat.riders if troop.horse else threat.guns if troop.gun else threat.foot
    worth = next((band.worth for band in bands if 0 < away <= band.hexes), 0.0)
    if not worth or not threatens(troop) or not _threat_faces(board, troop, cell):
        return 0.0
    return worth * troop.strength / (1 if troop.gun else 100)


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
