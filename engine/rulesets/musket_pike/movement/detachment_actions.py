"""Skirmishers and squadrons go out and come back (MP-69, MP-70, MP-73)."""

from __future__ import annotations

from functools import partial

from engine.events import AddUnit, Change, Event, RemoveUnit, SetStat
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.musket_pike.acting import if_allowed
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.movement.detachments import deploy_bars, detachment, recall_bars, rejoined_state
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["deploy_skirmishers", "deploy_squadron", "recall_skirmishers", "recall_squadron"]


def deploy_skirmishers(game: Game, action: Action) -> Procedure[None]:
    """Foot sends out skirmishers. Raises ActionRefused with every reason."""
    return if_allowed(game, action, partial(deploy_bars, kind="skirmisher"), partial(_deploy, kind="skirmisher"))


def deploy_squadron(game: Game, action: Action) -> Procedure[None]:
    """Cavalry detaches a squadron. Raises ActionRefused with every reason."""
    return if_allowed(game, action, partial(deploy_bars, kind="squadron"), partial(_deploy, kind="squadron"))


def _deploy(game: Game, troop: Troop, kind: str) -> Procedure[None]:
    board = board_of(game)
    out = detachment(board, troop, kind)
    men: int = out.stats["strength"]
    changes: tuple[Change, ...] = (
        SetStat(unit=troop.id, key="strength", value=troop.strength - men),
        *state(troop.id, mp_used=_paid(board, troop)),
        AddUnit(unit=out),
    )
    facts = {"unit": troop.id, "men": men, "to": out.id}
    yield from happen(
        Event(event="deployed", facts=facts, changes=changes, rule="MP-69" if kind == "skirmisher" else "MP-73")
    )


def _paid(board: Board, troop: Troop) -> float:
    return round(troop.state.mp_used + board.parameters.formation_cost.get("skirmishers", 0.0), 9)


def recall_skirmishers(game: Game, action: Action) -> Procedure[None]:
    """Skirmishers rejoin their parent. Raises ActionRefused with every reason."""
    return if_allowed(game, action, partial(recall_bars, kind="skirmisher"), _recall)


def recall_squadron(game: Game, action: Action) -> Procedure[None]:
    """A squadron rejoins its parent. Raises ActionRefused with every reason."""
    return if_allowed(game, action, partial(recall_bars, kind="squadron"), _recall)


def _recall(game: Game, troop: Troop) -> Procedure[None]:
    board = board_of(game)
    parent = board.troops.get(troop.stats.parent or "")
    if parent is None:
        return
    changes: tuple[Change, ...] = (
        SetStat(unit=parent.id, key="strength", value=parent.strength + troop.strength),
        *rejoined_state(board, parent, troop),
        RemoveUnit(unit=troop.id),
    )
    facts = {"unit": troop.id, "to": parent.id, "men": troop.strength}
    yield from happen(Event(event="recalled", facts=facts, changes=changes, rule="MP-70"))
