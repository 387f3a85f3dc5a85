"""Where the orders of a unit that nobody plays lead it: into range, to cover, round a flank, off (MM-227).

A way is straight, as long as the unit's move lets it be, and ends before what cannot be entered and before others.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from msgspec import Struct

from engine.geometry.moves import (
    Vector,
    advance_to_gap,
    away,
    centroid,
    mean_bearing,
    moved,
    room_to_edge,
    way_between,
)
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.options.fire_reasons import holding_markers
from engine.rulesets.muskets_mohawks.procedures.movement.fording import dry_way_mm
from engine.rulesets.muskets_mohawks.procedures.movement.leaving import OUT, to_own_edge_mm
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import full_move_mm, way_to_cover
from engine.rulesets.muskets_mohawks.table.approaches import impassable
from engine.rulesets.muskets_mohawks.table.facts import in_cover, normal_move_mm
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import (
    MM_PER_INCH,
    figures_of,
    formation_of,
    gun_of,
    state_of,
    weapon_of,
)

__all__ = [
    "AHEAD", "FIRES", "Way", "dry", "foe_of", "free_way", "order_of_half", "sent", "to_cover", "way_of",
    "withdrawing",
]  # fmt: skip

#: Orders to fire, from where the unit stands or from cover that it goes to before.
FIRES = ("fire", "stand-and-fire", "prone-and-fire", "cover-and-fire")

#: A canister's reach, which guns go for; who has no missile weapon goes as near as a charge begins.
_CANISTER_MM, _NEAR_MM = 18 * MM_PER_INCH, 12 * MM_PER_INCH
#: Friends and others are left so much room; a flank is gone round so far off.
_ROOM_MM, _ROUND_MM = 2.0, 12 * MM_PER_INCH
_STEP_MM = 10.0
#: The cosine of the angle that a formed unit may leave its front by (MM-44).
AHEAD = math.cos(math.radians(45.0)) - 1e-9


class Way(Struct, frozen=True, kw_only=True):
    """A straight way: its direction, its length in mm, and whether it ends off the table."""

    direction: Vector
    distance_mm: float
    off: bool = False

    def taken(self, figures: Sequence[Figure]) -> tuple[Figure, ...]:
        """The figures at its end."""
        return moved(figures, self.direction, self.distance_mm)


def foe_of(game: Game, unit: Unit) -> Unit | None:
    """The enemy unit whose figures are nearest; markers are none."""
    foes = [foe for foe in game.enemies(unit) if figures_of(foe) and foe.type != "pef"]
    here = centroid(figures_of(unit))
    return min(foes, key=lambda foe: min(math.dist(here, (f.x_mm, f.y_mm)) for f in figures_of(foe)), default=None)


def order_of_half(game: Game, unit: Unit) -> str:
    """Of those who split, the later half of the side's units goes round a flank, the others to cover (MM-230)."""
    names = [one.id for one in game.units if one.side == unit.side and figures_of(one) and one.type != "pef"]
    later = 2 * names.index(unit.id) >= len(names) and len(names) > 1
    return "encircle" if later else "cover-and-fire"


def sent(game: Game, unit: Unit, order: str, flank: str | None = None) -> Way | None:
    """As `way_of`, but a crew that has left its gun goes back to it first, and water holds who comes to it.

    Who retires does so straight away, through water too (R-35, MM-191).
    """
    if order == "retire":
        return way_of(game, unit, order)
    back = state_of(unit).left_gun and order not in FIRES
    return dry(game, unit, to_gun(game, unit) if back else way_of(game, unit, order, flank))


def dry(game: Game, unit: Unit, way: Way | None) -> Way | None:
    """As much of a way as water lets the unit go in this activation (MM-191)."""
    if way is None or way.off:
        return way
    return Way(direction=way.direction, distance_mm=dry_way_mm(game, unit, way.direction, way.distance_mm))


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


def left_mm(game: Game, unit: Unit) -> float:
    """What is left of its move; none with reload markers (MM-111), lying down, in square (MM-246) or in a house."""
    now = state_of(unit)
    held = holding_markers(unit) or now.prone or formation_of(unit) == "square" or now.in_building is not None
    return 0.0 if held else max(0.0, normal_move_mm(game, unit) - now.moved_mm)


def into_range(game: Game, unit: Unit) -> Way | None:
    """Towards the nearest enemy until it is in range of what the unit shoots with."""
    foe = foe_of(game, unit)
    if foe is None:
        return None
    weapon = weapon_of(unit)
    reach = _CANISTER_MM if unit.type == "gunners" else weapon.range_mm or _NEAR_MM
    there = way_between(centroid(figures_of(unit)), centroid(figures_of(foe)))
    if there is None:
        return None
    far = advance_to_gap(figures_of(unit), figures_of(foe), there[0], reach, left_mm(game, unit))
    return free_way(game, unit, there[0], far)


def to_gun(game: Game, unit: Unit) -> Way | None:
    """Back to the gun that the crew has left (R-35)."""
    gun, crew = gun_of(unit), figures_of(unit)
    there = None if gun is None else way_between(centroid(crew), (gun.x_mm, gun.y_mm))
    if gun is None or there is None:
        return None
    far = advance_to_gap(crew, [gun], there[0], _ROOM_MM, left_mm(game, unit))
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
    """Round the enemy's flank, ``left`` or ``right`` as the unit looks at him; else the first on the table."""
    foe = foe_of(game, unit)
    if foe is None:
        return None
    here, there = centroid(figures_of(unit)), centroid(figures_of(foe))
    ahead = way_between(here, there)
    if ahead is None:
        return None
    (dx, dy), _ = ahead
    widest = max(math.dist(there, (one.x_mm, one.y_mm)) for one in figures_of(foe))
    off = widest + _ROUND_MM
    goals = {
        "left": (there[0] - dy * off, there[1] + dx * off), "right": (there[0] + dy * off, there[1] - dx * off),
    }  # fmt: skip
    table = game.table
    inside = [
        name for name, (x, y) in goals.items() if 0 <= x <= table.width_mm and 0 <= y <= table.depth_mm
    ] or list(goals)
    name = flank if flank in goals else inside[0]
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


def free_way(game: Game, unit: Unit, direction: Vector, most_mm: float, passing: Collection[str] = ()) -> Way:
    """As much of a way as nobody and nothing bars, but for the units that it is ``passing``."""
    figures = figures_of(unit)
    far = min(most_mm, room_to_edge(figures, direction, game.table))
    for other in game.units:
        if other.id != unit.id and other.id not in passing and other.figures and other.type != "pef":
            far = min(far, advance_to_gap(figures, other.figures, direction, _ROOM_MM, far))
    start = np.array([(one.x_mm, one.y_mm) for one in figures], dtype=float).reshape(-1, 2)
    sheet = sheet_of(game)
    while far > 0.0 and impassable(sheet, start, start + np.array(direction) * far):
        far = max(0.0, far - _STEP_MM)
    return Way(direction=direction, distance_mm=far)
