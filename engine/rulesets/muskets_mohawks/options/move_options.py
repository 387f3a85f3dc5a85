"""What ``ask`` says about moving: how far, in which ways, and the ground within reach (MM-44 to MM-50)."""

from __future__ import annotations

from engine.geometry.plane.tolerance import MM, at_least
from engine.geometry.reach import Region
from engine.records.answer import MoveOption
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.fire_reasons import CHARGING_ON, holding_markers, markers
from engine.rulesets.muskets_mohawks.options.reaching import reach_of
from engine.rulesets.muskets_mohawks.options.shooting import range_borderline
from engine.rulesets.muskets_mohawks.table.facts import nearest_enemy, normal_move_mm
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.table.told import Told
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, formation_of, state_of
from engine.rulesets.muskets_mohawks.wording import length

__all__ = ["allowance_mm", "fast_borderline", "fast_reasons", "move_option", "move_reasons"]

#: How far every enemy must be for a fast move (MM-48).
FAST_FROM_MM = 24 * MM_PER_INCH


def move_option(game: Game, unit: Unit) -> MoveOption:
    """How far the unit may still move, in which ways, and the polygon that it can reach."""
    left = allowance_mm(game, unit)
    reach, enemy = reach_of(game, unit, left), nearest_enemy(game, unit)
    told: Told[MoveOption] = Told(sheet_of(game), "moves", unit)
    return told.option(unit, "", (reach, enemy), lambda: _move_option(game, unit, left, reach))


def _move_option(game: Game, unit: Unit, left: float, reach: Region | None) -> MoveOption:
    reasons = move_reasons(game, unit)
    polygons = () if reach is None else reach.rings_mm
    return MoveOption(
        allowance_mm=left,
        modes=_modes(game, unit, reasons, left),
        reach_mm=polygons[0][0] if polygons else (),
        extra={
            "reach_polygons_mm": [[outline, *holes] for outline, holes in polygons],
            "why_not": list(reasons.texts),
            "why_rules": list(reasons.rules),
            "borderline": list(fast_borderline(game, unit)),
        },
    )


def move_reasons(game: Game, unit: Unit, *, in_square: bool = False) -> Reasons:
    """Why the unit may not move at all; ``in_square``: but for standing in square, which it may want to leave."""
    reasons, state = Reasons(), state_of(unit)
    reasons.add(not figures_of(unit), "no figures left on the table", "MM-46")
    reasons.add(state.activated, "already activated this turn", "MM-46")
    stunned = unit.type == "leader" and (state.stunned or any(one.status == "stunned" for one in unit.figures))
    reasons.add(stunned, "the Leader is stunned and loses this activation", "R-26")
    reasons.add(state.charging_on, CHARGING_ON, "MM-148")
    held = holding_markers(unit)
    reasons.add(held > 0, f"not loaded: {markers(held)}", "MM-111")
    reasons.add(state.prone, "prone: may only stand up", "MM-50")
    reasons.add(bool(state.in_melee), "in melee", "MM-46")
    reasons.add(state.retiring, "retiring: must rally first", "MM-56")
    reasons.add(state.taking_trophies, "spends this activation taking trophies", "MM-67")
    reasons.add(formation_of(unit) == "square" and not in_square, "a square cannot move", "MM-246")
    return reasons


def allowance_mm(game: Game, unit: Unit) -> float:
    """What is left of the normal move (MM-46), in millimetres; 0 where the unit may not move."""
    if move_reasons(game, unit):
        return 0.0
    return max(0.0, normal_move_mm(game, unit) - state_of(unit).moved_mm)


def _modes(game: Game, unit: Unit, reasons: Reasons, left: float) -> tuple[str, ...]:
    if state_of(unit).prone and reasons.rules == ("MM-50",):
        return ("stand",)
    if reasons or left <= MM:
        return ()
    formation = formation_of(unit)
    if unit.type == "gunners":
        modes: tuple[str, ...] = ("any",)
    elif formation == "unformed":
        modes = ("any", "reform")
    else:
        modes = ("ahead", "wheel", "turn", "reform", *(("back",) if formation == "formed-line" else ()))
    return modes if fast_reasons(game, unit) else (*modes, "fast")


def fast_reasons(game: Game, unit: Unit) -> Reasons:
    """Why the unit may not try a fast move (MM-48)."""
    reasons, kind = move_reasons(game, unit), troop(unit, game)
    reasons.add(not (kind.infantry or kind.cavalry), "only infantry and cavalry move fast", "MM-48")
    moved = state_of(unit).moved_mm
    reasons.add(moved > 0, f"has moved {length(moved)} in this activation", "MM-44")
    enemy = nearest_enemy(game, unit)
    if enemy is not None:
        text = f"an enemy is {length(enemy.distance_mm)} away, nearer than {length(FAST_FROM_MM)}"
        reasons.add(not at_least(enemy.distance_mm, FAST_FROM_MM), text, "MM-48")
    return reasons


def fast_borderline(game: Game, unit: Unit) -> tuple[str, ...]:
    """The limit of a fast move in words, where the measurement cannot settle it."""
    enemy, kind = nearest_enemy(game, unit), troop(unit, game)
    if enemy is None or not (kind.infantry or kind.cavalry):
        return ()
    return tuple(range_borderline(enemy.distance_mm, enemy.sigma_mm, FAST_FROM_MM, "nearest enemy"))
