"""Refusing an action that the rules do not allow, unless the umpire overrules them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import ActionRefused
from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.answers.reasons import Reasons

__all__ = ["allow", "overruled"]


def allow(action: Action, reasons: Reasons | Sequence[str], rules: Sequence[str] = ()) -> tuple[str, ...]:
    """The reasons that the umpire overrules. Raises ActionRefused with all of them where he does not.

    ``rules`` names the row of each reason, where they are plain texts.
    """
    texts, rows = (reasons.texts, reasons.rules) if isinstance(reasons, Reasons) else (tuple(reasons), rules)
    if texts and not action.override:
        raise ActionRefused(texts, rows)
    return texts


def overruled(game: Game, action: Action, reasons: Sequence[str]) -> Procedure[Game]:
    """Says in the log that the umpire overruled the rules; nothing where there was nothing to overrule."""
    if not reasons:
        return game
    facts = {"action": action.action, "unit": action.unit, "reasons": list(reasons)}
    return (yield from happen(Event(event="overruled", facts=facts)))
