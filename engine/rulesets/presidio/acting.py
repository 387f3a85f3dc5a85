"""What actions have in common: whether a unit is able to, and what happens once an action is allowed."""

from __future__ import annotations

from collections.abc import Mapping

from engine.events import Change, Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.vocabulary import state_of

__all__ = ["able", "happens"]


def able(unit: Unit, actions: int, rule: str) -> Reasons:
    """What keeps a unit from doing anything that costs so many actions."""
    reasons, now = Reasons(), state_of(unit)
    reasons.add(not on_table(unit), f"{unit.id} has no figures on the table", rule)
    reasons.add(now.morale in ("panicked", "surrendered"), f"{unit.id} has {now.morale}", "PR-203")
    short = now.actions_left < actions
    reasons.add(short, f"needs {actions} action{'s' * (actions > 1)}, has {now.actions_left} left", rule)
    return reasons


def happens(
    game: Game, action: Action, against: tuple[str, ...], event: str, facts: Mapping[str, object],
    changes: tuple[Change, ...], rule: str,
) -> Procedure[None]:  # fmt: skip
    """An action without dice that comes to one event; the umpire's overruling is told before."""
    yield from overruled(game, action, against)
    yield from happen(Event(event=event, facts=facts, changes=changes, rule=rule))
