"""Where the orders of a unit that nobody plays lead it: into range, to cover, round a flank, off (MM-227).

A way is straight, as long as the unit's move lets it be, and ends before what cannot be entered and before others.
"""

from __future__ import annotations

import math

from engine.geometry.moving.moves import (
    advance_to_gap,
    away,
    bearing_to,
    centroid,
    mean_bearing,
    room_to_edge,
    towards,
    way_between,
)
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.options.charge_options import charge_options
from engine.rulesets.muskets_mohawks.procedures.movement.leaving import OUT, to_own_edge_mm
from engine.rulesets.muskets_mohawks.procedures.movement.straight import ROOM_MM, Way, free_way, in_order
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import full_move_mm, way_to_cover
from engine.rulesets.muskets_mohawks.procedures.solo.np_closing import foe_of, into_range, left_mm, on_table
from engine.rulesets.muskets_mohawks.table.facts import in_cover
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, gun_of, state_of

__all__ = ["FIRES", "from_flank", "order_of_half", "sent", "to_cover", "way_of", "withdrawing"]

#: Orders to fire, from where the unit stands or from cover that it goes to before.
FIRES = ("fire", "stand-and-fire", "prone-and-fire", "cover-and-fire")

#: A flank is gone round so far off.
_ROUND_MM = 12 * MM_PER_INCH


def order_of_half(game: Game, unit: Unit) -> str:
    """Of those who split, the later half of the side's units goes round a flank, the others to cover (MM-230)."""
    names = [one.id for one in game.units if one.side == unit.side and figures_of(one) and one.type != "pef"]
    later = 2 * names.index(unit.id) >= len(names) and len(names) > 1
    return "encircle" if later else "cover-and-fire"


def from_flank(game: Game, unit: Unit, order: str) -> str | None:
    """Whom horse that has gone round a flank attacks: the nearest that it may charge from there (MM-230)."""
    if order != "encircle" or not troop(unit, game).cavalry:
        return None
    found = (one for one in charge_options(game, unit) if one.legal and one.aspect in ("flank", "rear"))
    return next((one.target for one in found), None)


def sent(game: Game, unit: Unit, order: str, flank: str | None = None) -> Way | None:
    """As `way_of`, but a crew that has left its gun goes back to it first, and water holds who comes to it.

    Who retires does so straight away, through water too (R-35, MM-191).
    """
    if order == "retire":
        return way_of(game, unit, order)
    back = state_of(unit).left_gun and order not in FIRES
    return in_order(game, unit, to_gun(game, unit) if back else way_of(game, unit, order, flank))


def way_of(game: Game, unit: Unit, order: str, flank: str | None = None) -> Way | None:
    """Where an order leads the unit; None where it stays."""
    if order in ("advance", "unlimber"):
        return into_range(game, unit)
    if order == "encircle":
        return encircling(game, unit, flank)
    if order == "cover-and-fire":
        return to_cover(game, unit)
    foe = foe_of(game, unit)
    if order != "retire" or foe is None:
        return None
    figures = figures_of(unit)
    direction = away(centroid(figures), centroid(figures_of(foe)), mean_bearing(figures))
    most = min(full_move_mm(game, unit), room_to_edge(figures, direction, game.table))
    return Way(direction=direction, distance_mm=most)


def to_gun(game: Game, unit: Unit) -> Way | None:
    """Back to the gun that the crew has left (R-35)."""
    gun, crew = gun_of(unit), figures_of(unit)
    there = None if gun is None else way_between(centroid(crew), (gun.x_mm, gun.y_mm))
    if gun is None or there is None:
        return None
    far = advance_to_gap(crew, [gun], there[0], ROOM_MM, left_mm(game, unit))
    return free_way(game, unit, there[0], far)


def to_cover(game: Game, unit: Unit) -> Way | None:
    """To the nearest cover in reach, away from the enemy (R-56); None where it has some, or there is none."""
    foe = foe_of(game, unit)
    if foe is None:
        return None
    xy = centroid(figures_of(foe))
    if in_cover(game, unit, cause_xy=xy, fired_at=False) is not None:
        return None
    found = way_to_cover(game, unit, xy, left_mm(game, unit))
    return None if found is None else free_way(game, unit, found[0], found[1])


def encircling(game: Game, unit: Unit, flank: str | None) -> Way | None:
    """Round the enemy's ``left`` or ``right`` flank, as he faces; else the nearer one that lies on the table."""
    foe = foe_of(game, unit)
    if foe is None:
        return None
    here, there = centroid(figures_of(unit)), centroid(figures_of(foe))
    facing = mean_bearing(figures_of(foe))
    x, y = towards(bearing_to(there, here) if facing is None else facing)
    off = max(math.dist(there, (one.x_mm, one.y_mm)) for one in figures_of(foe)) + _ROUND_MM
    goals = {"left": (there[0] - y * off, there[1] + x * off), "right": (there[0] + y * off, there[1] - x * off)}
    inside = [name for name, spot in goals.items() if on_table(game, spot)] or list(goals)
    name = flank if flank in goals else min(inside, key=lambda one: round(math.dist(here, goals[one]), 6))
    goal = way_between(here, goals[name])
    return None if goal is None else free_way(game, unit, goal[0], min(goal[1], left_mm(game, unit)))


def withdrawing(game: Game, unit: Unit) -> Way:
    """Back the way that it came: to cover on it, else straight to its edge, and off (MM-228)."""
    out = OUT[game.side(unit.side).edge]
    left, room = left_mm(game, unit), to_own_edge_mm(game, unit)
    if room <= left:
        return Way(direction=out, distance_mm=room, off=True)
    cover = to_cover(game, unit)
    if cover is not None and cover.direction[0] * out[0] + cover.direction[1] * out[1] > 0.5:
        return cover
    return free_way(game, unit, out, left)
