"""Riders who jump: a die for each at each light barrier on his way, and who falls (PR-214, PR-312, R-8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.dice import Roll
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.sight.crossing import lengths_in
from engine.play import Procedure, roll
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.table.field import field_of
from engine.rulesets.presidio.table.patches import Patch
from engine.rulesets.presidio.units.casualties import lost, morale_due
from engine.rulesets.presidio.units.going import jumped
from engine.rulesets.presidio.vocabulary import conditions_of, stats_of

__all__ = ["jumps"]

_EXPERT, _OTHERS = 1, 4


def jumps(
    game: Game, unit: Unit, figures: Sequence[Figure], direction: Vector, distance_mm: float
) -> Procedure[Callable[[Game], Procedure[Game]]]:
    """The dice of the riders who jump on a straight move; what makes those fall who fail, once all have moved."""
    fallen: list[tuple[str, str]] = []
    for figure in figures:
        if not figure.mounted:
            continue
        for patch in _jumped_by(game, figure, direction, distance_mm):
            down, rule = yield from _jump(game, unit, figure, patch)
            if down:
                fallen.append((figure.id, rule))
                break

    def fall(after: Game) -> Procedure[Game]:
        for name, rule in fallen:
            after = yield from lost(after, unit.id, name, "fell", rule)
        if fallen and after.unit(unit.id).figures:
            after = yield from morale_due(after, unit.id)
        return after

    return fall


def _jumped_by(game: Game, figure: Figure, direction: Vector, distance_mm: float) -> list[Patch]:
    """The barriers that a rider's own way crosses, in list order."""
    field = field_of(game)
    start = np.array([[figure.x_mm, figure.y_mm]])
    end = start + distance_mm * np.array([direction])
    within = field.pieces.contains(np.concatenate([start, end]), allowance=0.0)
    return [
        patch
        for number, patch in enumerate(field.patches)
        if jumped(patch) and not within[:, number].any() and lengths_in(field.pieces, number, start, end)[0] > MM
    ]


def _jump(game: Game, unit: Unit, figure: Figure, patch: Patch) -> Procedure[tuple[bool, str]]:
    """Whether a rider falls at a barrier, and the row: a d12 for fences of 3 to 4 ft, else a d6 and another."""
    how = conditions_of(game).options.jump
    fence = patch.kind == "fence" and 3.0 <= patch.height_ft <= 4.0
    purpose = f"{figure.id} jumps {patch.id}"
    if how == "d12" or (how == "both" and fence):
        stats = stats_of(unit)
        expert = stats.people in ("spanish", "mexican") if stats.expert_riders is None else stats.expert_riders
        rolled = yield from roll(Roll(purpose=purpose, count=1, die="d12", rule="PR-214"))
        return rolled.total <= (_EXPERT if expert else _OTHERS), "PR-214"
    if (yield from roll(Roll(purpose=purpose, count=1, rule="PR-312"))).total > 1:
        return False, "PR-312"
    again = yield from roll(Roll(purpose=f"{purpose}: again", count=1, rule="PR-312"))
    return again.total == 1, "PR-312"
