"""Where a piece of artillery can be brought, by hand or by its team, and how far (PR-930)."""

from __future__ import annotations

from engine.records.answer import MoveOption
from engine.records.game import Game, Unit
from engine.rulesets.presidio.acting import able
from engine.rulesets.presidio.artillery.gun_moves import gun_rate
from engine.rulesets.presidio.movement.moving import reach_of
from engine.rulesets.presidio.table.bodies import gun_of
from engine.rulesets.presidio.vocabulary import MM_PER_IN

__all__ = ["gun_move_option"]


def gun_move_option(game: Game, unit: Unit) -> MoveOption:
    """The farthest and the shortest that one walk of a piece can be, and where that brings it."""
    reasons, rate, gun = able(unit, 1, "PR-210"), gun_rate(game, unit), gun_of(unit)
    reasons.add(rate is None or gun is None, "this piece is not moved so", "PR-930")
    most, least = (0.0 if rate is None else max(rate + score, 0.0) * MM_PER_IN for score in (6, 1))
    modes = tuple(
        pace for pace, cost in (("walk", 1), ("run", 2)) if not reasons and not able(unit, cost, "PR-210")
    )
    outline, rings = reach_of(game, unit, () if gun is None else (gun.id,), most if modes else 0.0)
    extra = {
        "min_mm": least, "roll": {"count": 1, "die": "d6"}, "legal": not reasons, "why_not": list(reasons.texts),
        "why_rules": list(reasons.rules), "reach_polygons_mm": rings, "mounted": False,
    }  # fmt: skip
    return MoveOption(allowance_mm=most, modes=modes, reach_mm=outline, extra=extra)
