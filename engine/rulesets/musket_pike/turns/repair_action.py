"""``repair``: pioneers go to work on the bridge before them, or stop (MP-76)."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from engine.events import Event
from engine.geometry.grids.flat import beyond
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Cell, Game
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.acting import if_allowed
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.permits import order_bars
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["RepairKeys", "bridge_before", "repair"]


class RepairKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``repair``: whether the pioneers go to work or stop."""

    on: bool


def repair(game: Game, action: Action, keys: RepairKeys) -> Procedure[None]:
    """Pioneers go to work on the bridge before them, or stop. Raises ActionRefused with every reason."""
    return if_allowed(game, action, _repair_bars if keys.on else _stop_bars, partial(_repair, on=keys.on))


def _repair_bars(board: Board, troop: Troop) -> Reasons:
    reasons = order_bars(board, troop)
    reasons.add(troop.type != "pioneer", "only pioneers repair bridges", "MP-76")
    reasons.add(not troop.steady, f"is {'routed' if troop.state.routed else 'disordered'}", "MP-76")
    reasons.add(bridge_before(board, troop) is None, "has no bridge free of enemies before it", "MP-76")
    return reasons


def bridge_before(board: Board, troop: Troop) -> Cell | None:
    """The hex of the bridge in one of a unit's two frontal hexes, free of enemies; None: there is none (MP-76)."""
    if troop.facing is None:
        return None
    for direction in (troop.facing, troop.facing + 1):
        cell = beyond(troop.hex, direction)
        if cell in board.ground.bridges and not board.enemies_at(cell, troop.side):
            return cell
    return None


def _stop_bars(board: Board, troop: Troop) -> Reasons:
    reasons = order_bars(board, troop)
    reasons.add(not troop.state.repairing, "it is not at work on a bridge", "MP-76")
    return reasons


def _repair(_game: Game, troop: Troop, on: bool) -> Procedure[None]:
    facts = {"unit": troop.id, "on": on}
    yield from happen(Event(event="repair", facts=facts, changes=state(troop.id, repairing=on), rule="MP-76"))
