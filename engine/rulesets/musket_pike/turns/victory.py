"""Who is winning: objectives held, and what the enemy has lost (MP-15, MP-290)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.records.game import Game
from engine.rulesets.musket_pike.parameters import parameters_of
from engine.rulesets.musket_pike.vocabulary import conditions_of, ground_of, side_keys, state_of, stats_of

__all__ = ["OUTCOMES", "Outcome", "Score", "score"]

Outcome = Literal["major-a", "minor-a", "draw", "minor-b", "major-b"]
#: The outcomes of a battle, the best for the first side first.
OUTCOMES: tuple[Outcome, ...] = ("major-a", "minor-a", "draw", "minor-b", "major-b")


class Score(Struct, frozen=True, kw_only=True):
    """The points of both sides in the order of ``sides``, and the outcome that their difference means."""

    points: tuple[float, float]
    outcome: Outcome


def score(game: Game) -> Score:
    """The points of both sides, and what the battle comes to if it ends now."""
    first, second = (side.name for side in game.sides)
    points = _points(game, first, second), _points(game, second, first)
    ahead = points[0] - points[1]
    limits = conditions_of(game).victory
    if not ahead or abs(ahead) < limits.minor:
        return Score(points=points, outcome="draw")
    level = "major" if abs(ahead) >= limits.major else "minor"
    outcome = next(one for one in OUTCOMES if one == f"{level}-{'a' if ahead > 0 else 'b'}")
    return Score(points=points, outcome=outcome)


def _points(game: Game, side: str, enemy: str) -> float:
    """A side's objectives, what the enemy has lost for good, and the enemy's guns that it holds."""
    objectives = [ground_of(piece) for piece in game.terrain if piece.kind == "objective"]
    held = sum(one.points for one in objectives if one.owner == side)
    guns = [unit for unit in game.units if unit.side == enemy and state_of(unit).captured_by == side]
    per_gun = parameters_of(game).men_per_gun
    captured = sum(stats_of(unit).strength * per_gun * stats_of(unit).victory_value / 100 for unit in guns)
    lost = next(side_keys(one).lost for one in game.sides if one.name == enemy)
    return held + lost + captured
