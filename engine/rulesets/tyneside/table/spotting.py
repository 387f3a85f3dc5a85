"""Whether there is anything to throw for: a unit near the edge of concealing ground, not yet revealed (TY-45)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.tyneside.table.barring import woods_of
from engine.rulesets.tyneside.table.facts import as_target
from engine.rulesets.tyneside.table.field import Field, field_of
from engine.rulesets.tyneside.vocabulary import conditions_of, figures_of, state_of

__all__ = ["concealed", "spot_reasons"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


def concealed(field: Field, lookers: Index, targets: Index) -> Mask:
    """(n, m) which targets stand in concealing ground that a looker is not in himself (TY-44, TY-45)."""
    inside = field.inside[:, woods_of(field)]
    return np.asarray((inside[targets][None] & ~inside[lookers][:, None]).any(axis=2), dtype=bool)


def spot_reasons(game: Game, unit: Unit, target: Unit) -> Reasons:
    """Everything that speaks against a throw for seeing a unit."""
    reasons, now = Reasons(), state_of(target)
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "TY-45")
    for one in (unit, target):
        reasons.add(not figures_of(one), f"{one.id} has no figure left", "TY-40")
    if figures_of(unit) and figures_of(target):
        field = field_of(game)
        aimed = np.union1d(as_target(game, target), field.of_unit[target.id])
        near = concealed(field, field.of_unit[unit.id], aimed).any()
        reasons.add(not near, f"nobody of {target.id} is hidden from {unit.id} in woods, brush or crops", "TY-46")
    thrown = now.spotted_cm
    reasons.add(thrown is not None, f"thrown for already this turn: seen at {thrown or 0:g} cm", "TY-45")
    shown = now.fired and not conditions_of(game).options.firing_still_throws
    reasons.add(shown, f"{target.id} has fired and is seen without a throw", "TY-45")
    return reasons
