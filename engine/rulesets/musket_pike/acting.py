"""What one unit on the map does unless the rules forbid it: the frame of many actions."""

from __future__ import annotations

from collections.abc import Callable

from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["if_allowed"]

Does = Callable[[Game, Troop], Procedure[None]]


def if_allowed(game: Game, action: Action, bars: Callable[[Board, Troop], Reasons], does: Does) -> Procedure[None]:
    """What a unit on the map does unless the rules forbid it. Raises ActionRefused with every reason."""
    board, reasons = board_of(game), Reasons()
    troop = board.troops.get(action.unit or "")
    if troop is None:
        reasons.add(True, f"{action.unit} is off the map", "MP-01")
    else:
        reasons = bars(board, troop)
    return _does(game, action, allow(action, reasons), does)


def _does(game: Game, action: Action, against: tuple[str, ...], does: Does) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    troop = board_of(game).troops.get(action.unit or "")
    if troop is not None:
        yield from does(game, troop)
