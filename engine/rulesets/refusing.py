"""Refusing an action that the rules do not allow, unless the umpire overrules them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import ActionRefused
from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game

__all__ = ["allow", "overruled"]


def allow(action: Action, reasons: Sequence[str]) -> tuple[str, ...]:
    """The reasons that the umpire overrules. Raises ActionRefused with all of them where he does not."""
    if reasons and not action.override:
        raise ActionRefused(reasons)
    return tuple(reasons)


def overruled(game: Game, action: Action, reasons: Sequence[str]) -> Procedure[Game]:
    """Says in the log that the umpire overruled the rules; nothing where there was nothing to overrule."""
    if not reasons:
        return game
    facts = {"action": action.action, "unit": action.unit, "reasons": list(reasons)}
    return (yield from happen(Event(event="overruled", facts=facts)))
