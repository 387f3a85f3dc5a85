"""What keeps units of this ruleset from acting at all."""

from __future__ import annotations

from engine.errors import ActionRefused
from engine.records.game import Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.fire_reasons import CHARGING_ON
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["refuse_friends", "unable_to_act"]


def refuse_friends(unit: Unit, other: Unit) -> None:
    """No unit acts against its own side, whoever orders it. Raises ActionRefused."""
    if unit.side == other.side:
        raise ActionRefused([f"{other.id} is on the same side as {unit.id}"])


def unable_to_act(unit: Unit) -> Reasons:
    """What keeps a unit from any action of its own."""
    reasons, state = Reasons(), state_of(unit)
    reasons.add(not figures_of(unit), f"{unit.id} has no figures on the table", "MM-44")
    reasons.add(state.activated, "already activated this turn", "MM-44")
    reasons.add(state.charging_on, CHARGING_ON, "MM-148")
    reasons.add(bool(state.in_melee), "in melee", "MM-124")
    return reasons
