"""Whether there is anything to throw for: a unit near the edge of concealing ground, not yet revealed (TY-45)."""

from __future__ import annotations

from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.tyneside.vocabulary import conditions_of, figures_of, state_of

__all__ = ["spot_reasons"]


def spot_reasons(game: Game, unit: Unit, target: Unit) -> Reasons:
    """Everything that speaks against a throw for seeing a unit."""
    reasons, now = Reasons(), state_of(target)
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "TY-45")
    for one in (unit, target):
        reasons.add(not figures_of(one), f"{one.id} has no figure left", "TY-40")
    thrown = now.spotted_cm
    reasons.add(thrown is not None, f"thrown for already this turn: seen at {thrown or 0:g} cm", "TY-45")
    shown = now.fired and not conditions_of(game).options.firing_still_throws
    reasons.add(shown, f"{target.id} has fired and is seen without a throw", "TY-45")
    return reasons
