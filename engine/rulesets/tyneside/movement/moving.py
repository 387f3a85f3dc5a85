"""What ``ask`` says about moving: how far, why not, and the ground within reach (TY-20 to TY-23)."""

from __future__ import annotations

import numpy as np

from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import Region, either_region, spokes_region
from engine.records.answer import MoveOption
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.tyneside.movement.walking import clear_ground_of, ground_of_game
from engine.rulesets.tyneside.table.facts import allowance_mm, left_mm
from engine.rulesets.tyneside.table.field import field_of
from engine.rulesets.tyneside.vocabulary import figures_of, state_of

__all__ = ["ELSEWHERE", "move_option", "move_reasons"]

#: Results of the Actions table that send a unit somewhere (TY-60).
ELSEWHERE = ("cover", "withdraw", "run", "half-back", "deploy")


def move_reasons(game: Game, unit: Unit) -> Reasons:
    """Why the unit may not move at all."""
    reasons, state, here = Reasons(), state_of(unit), bool(figures_of(unit))
    reasons.add(not here, f"{unit.id} has no figures left", "TY-40")
    reasons.add(here and state.moved == "full", "has moved a full move this turn", "TY-20")
    reasons.add(state.activity == "loading", "loads this turn: that takes a halted turn", "TY-34")
    # Its own ``fired`` from an enemy's turn is no bar: what it shot then was no part of this turn's sequence.
    shot = here and state.fired and game.turn.active_side in (None, unit.side)
    reasons.add(shot, "has fired this turn: a side moves before it shoots", "TY-09")
    return reasons


def move_option(game: Game, unit: Unit) -> MoveOption:
    """A unit's allowance, what is left of it, and where its lead figure gets to in a straight line."""
    reasons = move_reasons(game, unit)
    whole = allowance_mm(game, unit)
    left = 0.0 if reasons else left_mm(game, unit)
    region = _reach(game, unit, whole, left)
    return MoveOption(
        allowance_mm=whole, modes=("any",) if left > MM else (), reach_mm=region.outline_mm,
        extra={
            "left_mm": left, "legal": not reasons, "why_not": list(reasons.texts), "why_rules": list(reasons.rules),
            "reach_polygons_mm": [[outline, *holes] for outline, holes in region.rings_mm],
        },
    )  # fmt: skip


def _reach(game: Game, unit: Unit, whole: float, left: float) -> Region:
    """What its figures' bases get to, each going first; ground and barriers counted (TY-21, TY-22).

    Horses get farther on ways that are open and clear all along than on others (TY-20).
    """
    field = field_of(game)
    bases = field.bases.pick(field.of_unit[unit.id] if left > MM else np.zeros(0, dtype=np.intp))
    table = (game.table.width_mm, game.table.depth_mm)
    walks = allowance_mm(game, unit, clear=False)
    if left <= MM or walks == whole:
        return spokes_region(bases, left, ground_of_game(game, whole).near(bases.centre, whole), table)
    runs = spokes_region(bases, left, clear_ground_of(game).near(bases.centre, left), table)
    over = ground_of_game(game, walks).near(bases.centre, walks)
    return either_region(runs, spokes_region(bases, left_mm(game, unit, clear=False), over, table))
