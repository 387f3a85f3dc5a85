"""The changes that the procedures of this ruleset make, in few words."""

from __future__ import annotations

from typing import Any

from engine.events import Change, SetState
from engine.records.game import Game, Unit
from engine.rulesets.presidio.vocabulary import state_of

__all__ = ["aim_lost", "spent", "state", "state_where"]


def state(unit: str, **values: Any) -> tuple[SetState, ...]:
    """The unit's state gets these values, each written even where it is the default."""
    return tuple(SetState(unit=unit, key=key, value=value) for key, value in values.items())


def state_where(unit: Unit, **values: Any) -> tuple[SetState, ...]:
    """Like `state`, but only those that differ from what the unit has: for side effects of another action."""
    now = state_of(unit)
    return state(unit.id, **{key: value for key, value in values.items() if getattr(now, key) != value})


def spent(unit: Unit, actions: int) -> tuple[Change, ...]:
    """The unit has so many actions less, not below none; those put aside go last (PR-207 to PR-209).

    What is left is written even where an action is free.
    """
    now = state_of(unit)
    left = max(now.actions_left - actions, 0)
    return (*state(unit.id, actions_left=left), *state_where(unit, held=min(now.held, left)))


def aim_lost(game: Game, unit: Unit) -> tuple[SetState, ...]:
    """Whoever moves is no longer fired at with correction, nor fires so: misses count anew (PR-913)."""
    return tuple(
        change
        for one in game.units
        if one.id == unit.id or state_of(one).last_target == unit.id
        for change in state_where(one, misses=0)
    )
