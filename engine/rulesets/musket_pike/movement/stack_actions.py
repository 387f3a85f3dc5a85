"""``stack-top`` and ``stack-bottom``: a unit changes its place in its stack (MP-53)."""

from __future__ import annotations

from functools import partial

from engine.events import AddUnit, Event, RemoveUnit
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.acting import if_allowed
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.permits import order_bars
from engine.rulesets.musket_pike.table.troops import Troop, allowance

__all__ = ["stack_bottom", "stack_top"]


def stack_top(game: Game, action: Action) -> Procedure[None]:
    """A unit goes to the top of its stack. Raises ActionRefused with every reason."""
    return if_allowed(game, action, _place_bars, partial(_restack, top=True))


def stack_bottom(game: Game, action: Action) -> Procedure[None]:
    """A unit goes to the bottom of its stack. Raises ActionRefused with every reason."""
    return if_allowed(game, action, _place_bars, partial(_restack, top=False))


def _place_bars(board: Board, troop: Troop) -> Reasons:
    reasons = order_bars(board, troop)
    reasons.add(len(board.at(troop.hex)) < 2, "is alone in its hex", "MP-53")
    return reasons


def _restack(game: Game, troop: Troop, top: bool) -> Procedure[None]:
    """Units are listed from the top: those that come to stand behind are listed anew, at the end."""
    board = board_of(game)
    whole = allowance(troop, board.parameters)
    used = min(whole, troop.state.mp_used + whole / 2)
    used = max(used, troop.state.mp_used)
    paid = state(troop.id, mp_used=round(used, 9))
    behind = [other.id for other in board.at(troop.hex) if other.id != troop.id] if top else [troop.id]
    facts = {"unit": troop.id, "place": "top" if top else "bottom"}
    game = yield from happen(Event(event="restacked", facts=facts, changes=paid, rule="MP-53"))
    moved = tuple(change for name in behind for change in (RemoveUnit(unit=name), AddUnit(unit=game.unit(name))))
    yield from happen(Event(event="order", facts={"units": behind}, changes=moved, rule="MP-53"))
