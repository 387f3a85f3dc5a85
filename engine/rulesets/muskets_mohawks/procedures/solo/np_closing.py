"""Closing with the nearest enemy: into range, on past what hides him, round what bars the way (MM-229)."""

from __future__ import annotations

import math

import numpy as np

from engine.geometry.moving.moves import (
    advance_to_gap,
    bearing_to,
    centroid,
    mean_bearing,
    turn_between,
    way_between,
)
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM, at_most
from engine.geometry.reach.detours import corners_round
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.options.fire_reasons import holding_markers
from engine.rulesets.muskets_mohawks.procedures.movement.going import going
from engine.rulesets.muskets_mohawks.procedures.movement.straight import Way, barred_by, free_way, in_order
from engine.rulesets.muskets_mohawks.seeing.sight import bodies_pairs
from engine.rulesets.muskets_mohawks.table.bodies import body_of
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import (
    MM_PER_INCH,
    conditions_of,
    figures_of,
    formation_of,
    gun_of,
    state_of,
    weapon_of,
)

__all__ = ["faces", "foe_of", "into_range", "left_mm", "off_front", "on_table"]

#: A canister's reach, which guns go for; who has no missile weapon goes as near as a charge begins.
_CANISTER_MM, _NEAR_MM = 18 * MM_PER_INCH, 12 * MM_PER_INCH
#: How finely a way is looked over for a place to shoot from; what bars a way is kept so clear of.
_LOOK_MM, _CLEAR_MM = 2 * MM_PER_INCH, 15.0
#: How far off its front a unit shoots (MM-83), and a gun points.
_ARC_DEG, _POINTED_DEG = 45.001, 1.0


def foe_of(game: Game, unit: Unit) -> Unit | None:
    """The enemy unit whose figures are nearest; markers are none."""
    foes = [foe for foe in game.enemies(unit) if figures_of(foe) and foe.type != "pef"]
    here = centroid(figures_of(unit))
    return min(foes, key=lambda foe: min(math.dist(here, (f.x_mm, f.y_mm)) for f in figures_of(foe)), default=None)


def left_mm(game: Game, unit: Unit) -> float:
    """What is left of its move; none with reload markers (MM-111), lying down, in square (MM-246) or in a house."""
    now = state_of(unit)
    held = holding_markers(unit) or now.prone or formation_of(unit) == "square" or now.in_building is not None
    return 0.0 if held else max(0.0, normal_move_mm(game, unit) - now.moved_mm)


def into_range(game: Game, unit: Unit) -> Way | None:
    """Towards the nearest enemy until it is in range of what the unit shoots with, and may shoot (R-63)."""
    foe = foe_of(game, unit)
    there = None if foe is None else way_between(centroid(figures_of(unit)), centroid(figures_of(foe)))
    if foe is None or there is None:
        return None
    left, direction = left_mm(game, unit), there[0]
    far = advance_to_gap(figures_of(unit), figures_of(foe), direction, _reach_mm(game, unit), left)
    way = free_way(game, unit, direction, far)
    if left <= 0.0 or at_most(left, way.distance_mm) or _ready(game, unit, foe, way):
        return way
    return _round(game, unit, foe, left) or _until_ready(game, unit, foe, way, left)


def _until_ready(game: Game, unit: Unit, foe: Unit, way: Way, left: float) -> Way:
    """On along a way until the unit could shoot, or as far as it comes."""
    free = free_way(game, unit, way.direction, left)
    while way.distance_mm < free.distance_mm:
        way = Way(direction=way.direction, distance_mm=min(free.distance_mm, way.distance_mm + _LOOK_MM))
        if _ready(game, unit, foe, way):
            break
    return way


def _ready(game: Game, unit: Unit, foe: Unit, way: Way) -> bool:
    """Whether the unit would see the enemy in range from the end of a way.

    Who stands there facing him already cannot shoot from there, or it would have had orders to.
    """
    taken = in_order(game, unit, way) or way
    stays = taken.distance_mm <= 0.0
    if (stays and faces(game, unit)) or state_of(foe).in_melee:
        return False
    sheet, gone = sheet_of(game), taken.taken(figures_of(unit))
    found = bodies_pairs(sheet, body_of(game, unit, gone), sheet.body(foe))
    seen = found.clear & (found.gap_mm <= _reach_mm(game, unit) + MM)
    if formation_of(unit) != "unformed" and not taken.loose and not stays:
        seen &= found.off_deg <= _ARC_DEG
    return bool(seen.any())


def _reach_mm(game: Game, unit: Unit) -> float:
    """How far it shoots; who cannot goes as near as a charge begins."""
    if conditions_of(game).nothing_fires:
        return _NEAR_MM
    return _CANISTER_MM if unit.type == "gunners" else weapon_of(unit).range_mm or _NEAR_MM


def faces(game: Game, unit: Unit) -> bool:
    """Whether the nearest enemy is within 45 degrees of the unit's front; guns point straight at him."""
    off = off_front(game, unit)
    return off is None or off <= (_ARC_DEG if unit.type != "gunners" else _POINTED_DEG)


def off_front(game: Game, unit: Unit) -> float | None:
    """How far round the nearest enemy is from where the unit, or its gun, points, in degrees; None: not known."""
    foe, gun = foe_of(game, unit), gun_of(unit)
    pointing = figures_of(unit) if gun is None else [gun]
    facing = mean_bearing(pointing)
    if foe is None or facing is None:
        return None
    return turn_between(facing, bearing_to(centroid(pointing), centroid(figures_of(foe))))


def _round(game: Game, unit: Unit, foe: Unit, left: float) -> Way | None:
    """Round the ground that bars the straight way to the enemy; None where nothing does, or no way leads round."""
    figures, goal = going(unit), centroid(figures_of(foe))
    middle = centroid(figures)
    spread = np.array([(one.x_mm - middle[0], one.y_mm - middle[1]) for one in figures])
    barring = barred_by(game, unit, spread + goal)
    land, half = sheet_of(game).land, float(np.hypot(*spread.T).max()) + _CLEAR_MM
    outlines = [piece.outline for name in barring if (piece := land.piece(name)) is not None]
    for corner in corners_round(outlines, middle, goal, half) if outlines else ():
        there = way_between(middle, corner)
        if there is None or not on_table(game, corner) or barred_by(game, unit, spread + corner):
            continue
        way = free_way(game, unit, there[0], min(left, there[1]))
        if way.distance_mm > _CLEAR_MM:
            return way
    return None


def on_table(game: Game, spot: Vector) -> bool:
    """Whether a point lies on the table, its edge too."""
    return 0.0 <= spot[0] <= game.table.width_mm and 0.0 <= spot[1] <= game.table.depth_mm
