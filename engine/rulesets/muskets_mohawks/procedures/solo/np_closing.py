"""Closing with the nearest enemy: into range, on past what hides him, round what bars the way (MM-229)."""

from __future__ import annotations

import math

import numpy as np

from engine.events import Change, Event, PlaceFigures, SetState, apply
from engine.geometry.detours import corners_round
from engine.geometry.moves import Vector, advance_to_gap, bearing_to, centroid, places, way_between
from engine.geometry.tolerance import MM, at_most
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.options.fire_options import fire_options
from engine.rulesets.muskets_mohawks.options.fire_reasons import holding_markers
from engine.rulesets.muskets_mohawks.procedures.changes import formed
from engine.rulesets.muskets_mohawks.procedures.movement.going import going
from engine.rulesets.muskets_mohawks.procedures.movement.straight import Way, barred_by, free_way, in_order
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import (
    MM_PER_INCH,
    figures_of,
    formation_of,
    state_of,
    weapon_of,
)

__all__ = ["foe_of", "into_range", "left_mm", "on_table"]

#: A canister's reach, which guns go for; who has no missile weapon goes as near as a charge begins.
_CANISTER_MM, _NEAR_MM = 18 * MM_PER_INCH, 12 * MM_PER_INCH
#: How finely a way is looked over for a place to shoot from; what bars a way is kept so clear of.
_LOOK_MM, _CLEAR_MM = 2 * MM_PER_INCH, 15.0


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
    reach = _CANISTER_MM if unit.type == "gunners" else weapon_of(unit).range_mm or _NEAR_MM
    left, direction = left_mm(game, unit), there[0]
    far = advance_to_gap(figures_of(unit), figures_of(foe), direction, reach, left)
    way = free_way(game, unit, direction, far)
    if left <= 0.0 or at_most(left, way.distance_mm) or _ready(game, unit, foe, way):
        return way
    return _round(game, unit, foe, left) or _until_ready(game, unit, foe, way, left)


def _until_ready(game: Game, unit: Unit, foe: Unit, way: Way, left: float) -> Way:
    """On along a way until the unit could shoot, or as far as it comes."""
    while way.distance_mm < left:
        farther = free_way(game, unit, way.direction, min(left, way.distance_mm + _LOOK_MM))
        if farther.distance_mm <= way.distance_mm + MM or _ready(game, unit, foe, farther):
            return farther
        way = farther
    return way


def _ready(game: Game, unit: Unit, foe: Unit, way: Way) -> bool:
    """Whether the unit might shoot from the end of a way, or stands so near that it charges next (MM-229)."""
    taken = in_order(game, unit, way) or way
    gone = taken.taken(going(unit))
    turned = formation_of(unit) == "unformed" or taken.loose or taken.distance_mm <= 0.0  # who stays turns
    facing = bearing_to(centroid(gone), centroid(figures_of(foe))) if turned and gone else None
    fresh = {"activated": False, "moved_mm": 0.0, "limbered": False}
    changes: tuple[Change, ...] = (
        PlaceFigures(places=places(gone, facing)),
        *(formed(unit.id, "unformed") if taken.loose else ()),
        *(SetState(unit=unit.id, key=key, value=value) for key, value in fresh.items()),
    )
    there = apply(game, Event(event="np-plays", changes=changes))
    return any(option.legal for option in fire_options(there, there.unit(unit.id)))


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
