"""The action ``fast-move``: how far a unit may hurry (MM-47 to MM-49, MM-194)."""

from __future__ import annotations

from typing import Any

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.muskets_mohawks.options.action_dice import fast_modifiers
from engine.rulesets.muskets_mohawks.options.actions import action_reasons
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import roll_leader
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, state_of, stats_of

__all__ = ["fast_move", "is_non_player"]


@of_tables
def fast_moves() -> dict[str, Any]:
    """How many times the normal move a fast one is."""
    return table(__package__, "fast_move.toml")


def fast_move(game: Game, action: Action) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    return _fast_move(game, action, unit, allow(action, action_reasons(game, unit, "fast-move")))


def is_non_player(game: Game, unit: Unit) -> bool:
    """Whether the rules run the unit: it has tactics, or it is not on the side of the human who is named."""
    named = game.conditions.get("player_side")
    return state_of(unit).tactics is not None or (named is not None and named != unit.side)


def _fast_move(game: Game, action: Action, unit: Unit, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    best = 1 if conditions_of(game).snow_slows else 2
    count = 2 + sum(one.extra["value"] for one in fast_modifiers(game, unit))
    success = f"<={stats_of(unit).rep}"
    rolled = yield from roll(Roll(purpose=f"{unit.id} moves fast", count=count, success=success, rule="MM-47"))
    passed = min(best, rolled.passed)
    row, move = fast_moves()[f"pass-{passed}"], normal_move_mm(game, unit)
    unformed: float | None = row["unformed"] * move
    formed: float | None = row["formed"] * move if "formed" in row else None
    if formed is not None and is_non_player(game, unit):
        orderly = yield from roll_leader(game, unit, "MM-47")
        unformed, formed = (None, formed) if orderly else (unformed, None)
    facts = {"unit": unit.id, "passed": passed, "unformed_mm": unformed, "formed_mm": formed}
    changes = state(unit.id, activated=True)
    yield from happen(Event(event="fast-move", facts=facts, changes=changes, rule="MM-47"))
