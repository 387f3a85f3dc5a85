"""The action ``reload``: small arms, and guns that may fumble it (MM-111, MM-112, MM-123, R-36)."""

from __future__ import annotations

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.muskets_mohawks.options.action_dice import hands
from engine.rulesets.muskets_mohawks.options.actions import action_reasons
from engine.rulesets.muskets_mohawks.procedures.changes import state, state_where
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["reload"]


def reload(game: Game, action: Action) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    return _reload(game, action, unit, allow(action, action_reasons(game, unit, "reload")))


def _reload(game: Game, action: Action, unit: Unit, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    removed, rule = 1, "MM-112"
    if unit.type == "gunners":
        rule = "MM-123"
        rolled = yield from roll(
            Roll(purpose=f"{unit.id} reloads the gun", count=1, success=f"<={hands(unit)}", rule=rule)
        )
        removed = rolled.passed
    before = state_of(unit).reload_markers
    removed = min(removed, before)
    facts = {"unit": unit.id, "removed": removed, "markers": before - removed}
    changes = (
        *state(unit.id, reload_markers=before - removed, activated=True),
        *state_where(unit, firing_at=None),  # it has ceased fire, and is not bound again (MM-110)
    )
    yield from happen(Event(event="reload", facts=facts, changes=changes, rule=rule))
