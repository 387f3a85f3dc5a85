"""How far a unit goes: its base move, the die, its formation, what it does on the way (PR-301 to PR-309)."""

from __future__ import annotations

from typing import Literal

from engine.records.game import Game, Unit
from engine.rulesets.presidio.book import animals, book
from engine.rulesets.presidio.table.sorts import (
    class_of,
    formation_of,
    fronted,
    has_role,
    holds_front,
    mounted,
    rides_freely,
)
from engine.rulesets.presidio.units.guns import crew_alone
from engine.rulesets.presidio.vocabulary import conditions_of, state_of, stats_of

__all__ = ["Pace", "base_in", "halved", "move_cost", "moves_as", "rides_left", "walk_in"]

Pace = Literal["walk", "run"]


def base_in(unit: Unit) -> float:
    """The base move of a unit in inches, without the die (PR-302, PR-304, PR-305, PR-828)."""
    goings, stats = book().going, stats_of(unit)
    if unit.type == "livestock":
        return animals()[stats.beast].move + stats.move
    if unit.type == "wagon":
        return goings.team[str(stats.horses)] + stats.move
    if mounted(unit):
        return goings.mounted + stats.move
    if crew_alone(unit):
        return goings.crew + stats.move
    return book().pace.get(unit.type, 0.0) + stats.move


def moves_as(unit: Unit) -> str:
    """The formation in which a unit moves: skirmish troops leave their line as soon as they do (PR-317)."""
    return "skirmish" if class_of(unit) == "skirmish" and holds_front(unit) else formation_of(unit)


def halved(unit: Unit) -> bool:
    """Whether a unit's move is halved: in line, and in disorder (PR-306, PR-321)."""
    formation = moves_as(unit)
    loses_order = class_of(unit) in ("line", "light", "skirmish")
    return formation in ("line", "extended-line") or (formation == "disorder" and loses_order)


def walk_in(unit: Unit, score: int, *, road: bool = False, crawls: bool = False, less: float = 0.0) -> float:
    """A walk in inches with a die's score, before it is doubled for a run; ``less``: what is spent on the way."""
    goings = book().going
    far = base_in(unit) + score
    if halved(unit):
        far *= goings.half
    if fronted(unit) and moves_as(unit) != "skirmish" and has_role(unit, "drummer"):
        far += goings.drummer
    if road and moves_as(unit) == "column":
        far += goings.road
    return max(far * (goings.crawl if crawls else 1.0) - less, 0.0)


def move_cost(game: Game, unit: Unit, pace: Pace) -> int:
    """The actions of a move; none for riders whose people fight on from the saddle (PR-210, PR-211)."""
    if mounted(unit) and rides_freely(unit, conditions_of(game).year):
        return 0
    return 1 if pace == "walk" else 2


def rides_left(game: Game, unit: Unit) -> int:
    """How many rides a unit has left this turn, that pays none of its actions for them (PR-211)."""
    return {None: 2, "walk": 1, "run": 0}[state_of(unit).moved]
