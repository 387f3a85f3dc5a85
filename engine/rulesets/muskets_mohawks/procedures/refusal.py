"""Refusing an action that the rules do not allow, unless the umpire overrules them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import ActionRefused
from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of
from engine.rulesets.muskets_mohawks.wording import Reasons

__all__ = ["allow", "overruled", "refuse_friends", "unable_to_act"]


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


def refuse_friends(unit: Unit, other: Unit) -> None:
    """No unit acts against its own side, whoever orders it. Raises ActionRefused."""
    if unit.side == other.side:
        raise ActionRefused([f"{other.id} is on the same side as {unit.id}"])


def unable_to_act(unit: Unit) -> Reasons:
    """What keeps a unit from any action of its own."""
    reasons, state = Reasons(), state_of(unit)
    reasons.add(not figures_of(unit), f"{unit.id} has no figures on the table", "MM-44")
    reasons.add(state.activated, "already activated this turn", "MM-44")
    reasons.add(bool(state.in_melee), "in melee", "MM-124")
    return reasons
