"""Infantry in line that tries to form square against charging horse (MM-246 to MM-248, optional)."""

from __future__ import annotations

from engine.dice import Roll
from engine.events import Event
from engine.geometry.plane.tolerance import round_up
from engine.play import Procedure, happen, roll
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.changes import formed
from engine.rulesets.muskets_mohawks.table.facts import unit_distance_mm
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, conditions_of, stats_of

__all__ = ["least_score", "square_reasons", "try_square"]


def square_reasons(game: Game, charger: Unit, target: Unit) -> Reasons:
    """Why the target may not try to form square."""
    reasons, kind = Reasons(), troop(target, game)
    reasons.add(not conditions_of(game).squares, "squares are not in use in this game", "MM-246")
    reasons.add(not troop(charger, game).cavalry, "squares are formed against cavalry", "MM-247")
    reasons.add(not (kind.regular and kind.infantry), "only Regular infantry forms square", "MM-246")
    reasons.add(target.formation != "formed-line", "a square is formed from a formed line", "MM-247")
    return reasons


def try_square(game: Game, charger: str, target: str) -> Procedure[Game]:
    """One die and the Rep, less the inches between the units: 0 or more forms the square (MM-247)."""
    rolled = yield from roll(Roll(purpose=f"{target} forms square", count=1, rule="MM-247"))
    total = rolled.total - least_score(game, game.unit(charger), game.unit(target))
    formation = "square" if total >= 0 else "unformed"
    facts = {"unit": target, "total": total, "formation": formation}
    return (yield from happen(Event(event="square", facts=facts, changes=formed(target, formation), rule="MM-247")))


def least_score(game: Game, charger: Unit, target: Unit) -> int:
    """The least score of the die that forms the square; it may be more, or less, than a die can show (MM-247)."""
    distance = unit_distance_mm(game, charger, target) or 0.0
    return round_up(distance / MM_PER_INCH) - stats_of(target).rep
