"""What the rules ask of the table: distances, aspects, cover, contact, the lie of the ground under a unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.facing.aspects import Aspect
from engine.geometry.plane.tolerance import MM, at_most
from engine.geometry.shapes.bases import gaps
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.seeing import cover
from engine.rulesets.muskets_mohawks.seeing.viewing import view_from, view_of
from engine.rulesets.muskets_mohawks.table.approaches import approach, distances_mm
from engine.rulesets.muskets_mohawks.table.bodies import Body
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM, Sheet, sheet_of
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import (
    MM_PER_INCH,
    conditions_of,
    figures_of,
    formation_of,
    gun_of,
    state_of,
)

Array = NDArray[np.float64]

__all__ = [
    "Nearest", "aspect_from", "aspect_of", "at_gun", "contacts_of", "enemies_on_table", "enemy_distances_mm",
    "facing_deg", "half_strength", "has_only_a_front", "in_contact", "in_cover", "may_have_cover",
    "nearest_enemy", "nearest_figures", "nearest_first", "nearest_pair", "normal_move_mm", "unit_distance_mm",
]  # fmt: skip

_MOVE_FOOT_MM, _MOVE_HORSE_MM, _MOVE_PEF_MM = 8 * MM_PER_INCH, 12 * MM_PER_INCH, 16 * MM_PER_INCH
_GUN_PER_CREW_MM = 0.5 * MM_PER_INCH


@dataclass(frozen=True)
class Nearest:
    """The two figures of two units that are nearest to each other: ids, distance and its sigma in mm."""

    figure: str
    other: str
    distance_mm: float
    sigma_mm: float


def in_cover(game: Game, unit: Unit, *, cause_xy: tuple[float, float] | None, fired_at: bool) -> str | None:
    """The kind of cover that more than half of the unit's figures have (R-08), else None.

    ``cause_xy`` is where the lines come from (the cause's centroid for a reaction test; None: no lines, so no
    crest or wall counts); ``fired_at``: prone figures count.
    """
    sheet = sheet_of(game)
    body = sheet.body(unit)
    origins = None if cause_xy is None else np.broadcast_to(np.array(cause_xy, dtype=float), (len(body), 2))
    return cover.kind_of_most(cover.covers(sheet, body, origins, fired_at=fired_at), len(body))


def may_have_cover(game: Game, unit: Unit) -> bool:
    """Whether any of the unit's figures has cover where it stands, from some line if not from all (R-08)."""
    sheet = sheet_of(game)
    return cover.any_cover(sheet, sheet.body(unit))


def nearest_pair(sheet: Sheet, one: Body, other: Body) -> Nearest | None:
    """The nearest two figures of two bodies, the first of equals; None where either has no figure."""
    if not len(one) or not len(other):
        return None
    between = sheet.gaps(one.bases, other.bases)
    i, j = np.unravel_index(int(between.round(6).argmin()), between.shape)
    sigma = float(np.hypot(one.sigma_mm[i], other.sigma_mm[j]))
    return Nearest(one.ids[i], other.ids[j], float(between[i, j]), sigma)


def nearest_figures(sheet: Sheet, one: Unit, other: Unit) -> Nearest | None:
    """The nearest two figures of two units, guns not counted; None where either has none."""
    return sheet.memo(("nearest", one.id, other.id), lambda: _nearest(sheet, one, other), one, other)


def _nearest(sheet: Sheet, one: Unit, other: Unit) -> Nearest | None:
    if view_of(sheet, one, other) is None:
        return nearest_pair(sheet, sheet.body(one), sheet.body(other))
    way = approach(sheet, one, other)
    return None if way is None else Nearest(way.figure, way.other, way.distance_mm, way.sigma_mm)


def unit_distance_mm(game: Game, one: Unit, other: Unit) -> float | None:
    """The shortest distance between figures of two units (guns do not count), or None."""
    found = nearest_figures(sheet_of(game), one, other)
    return None if found is None else found.distance_mm


def enemy_distances_mm(game: Game, unit: Unit) -> Mapping[str, float | None]:
    """As `unit_distance_mm` for every enemy unit, by id."""
    sheet = sheet_of(game)
    return sheet.memo(("enemies", unit.id), lambda: _enemy_distances_mm(sheet, unit), unit)


def _enemy_distances_mm(sheet: Sheet, unit: Unit) -> Mapping[str, float | None]:
    view, enemies = view_from(sheet, unit), sheet.game.enemies(unit)
    known = {} if view is None else distances_mm(sheet, unit, view)
    if len(known) == len(enemies):
        return known
    return {
        enemy.id: known[enemy.id] if enemy.id in known else unit_distance_mm(sheet.game, unit, enemy)
        for enemy in enemies
    }


def enemies_on_table(game: Game, unit: Unit) -> tuple[Unit, ...]:
    """The enemy units that have figures on the table; markers of possible forces are no figures (MM-211)."""
    return tuple(enemy for enemy in game.enemies(unit) if figures_of(enemy) and enemy.type != "pef")


def nearest_enemy(game: Game, unit: Unit) -> Nearest | None:
    """The nearest enemy figure to any figure of the unit, or None."""
    sheet = sheet_of(game)
    return sheet.memo(("nearest enemy", unit.id), lambda: _nearest_enemy(sheet, unit), unit)


def _nearest_enemy(sheet: Sheet, unit: Unit) -> Nearest | None:
    there = (enemy for enemy in nearest_first(sheet.game, unit) if figures_of(enemy) and enemy.type != "pef")
    enemy = next(there, None)
    return None if enemy is None else nearest_figures(sheet, unit, enemy)


def nearest_first(game: Game, unit: Unit) -> tuple[Unit, ...]:
    """The enemy units, nearest first; those without figures last."""
    return sheet_of(game).memo(("near", unit.id), lambda: _nearest_first(game, unit), unit)


def _nearest_first(game: Game, unit: Unit) -> tuple[Unit, ...]:
    apart = [np.inf if one is None else one for one in enemy_distances_mm(game, unit).values()]
    enemies = game.enemies(unit)
    return tuple(enemies[number] for number in sorted(range(len(apart)), key=apart.__getitem__))


def facing_deg(unit: Unit) -> float | None:
    """The unit's mean facing (MM-09), or None where no bearing is known."""
    from engine.geometry.plane.directions import mean_bearing

    return mean_bearing(f.bearing_deg for f in figures_of(unit) if f.bearing_deg is not None)


def aspect_from(game: Game, points: Array, target: Unit) -> str:
    """``front``, ``flank`` or ``rear`` of the target for attackers at points (n, 2) (MM-09 to MM-12, R-06)."""
    body = sheet_of(game).body(target)
    if not len(points) or has_only_a_front(sheet_of(game), target) or body.facing_deg is None:
        return "front"
    return _by_most(body.strips.as_measured(points)[:, 0])


def aspect_of(game: Game, unit: Unit, target: Unit, rows: Sequence[int] | None = None) -> str:
    """As `aspect_from` for the figures of a unit, or for some of them by number, where they stand."""
    sheet = sheet_of(game)
    view = view_of(sheet, unit, target)
    if view is None:
        centres = sheet.body(unit).centre
        return aspect_from(game, centres if rows is None else centres[list(rows)], target)
    if has_only_a_front(sheet, target):
        return "front"
    places = view.aspects[view.rows[unit.id], view.column_number[target.id]]
    return _by_most(places if rows is None else places[list(rows)])


def has_only_a_front(sheet: Sheet, target: Unit) -> bool:
    """Squares, possible forces, units in buildings and those that face nowhere have no flank (MM-12)."""
    if formation_of(target) == "square" or target.type == "pef" or state_of(target).in_building is not None:
        return True
    return sheet.body(target).facing_deg is None


def _by_most(places: NDArray[np.int8]) -> str:
    """The aspect of most of the attackers, as `Aspect` counts."""
    behind, before = int((places == Aspect.REAR).sum()), int((places == Aspect.FRONT).sum())
    if 2 * behind > len(places):
        return "rear"
    return "flank" if 2 * (len(places) - before) > len(places) else "front"


def in_contact(game: Game, one: Unit, other: Unit) -> bool:
    """Whether two units touch: bases at most 3 mm apart (MM-124)."""
    sheet = sheet_of(game)
    first, second = sheet.body(one), sheet.body(other)
    if not len(first) or not len(second):
        return False
    if one.side == other.side and sheet.owns(one, other):  # the whole side's together: `order` asks of every two
        return (one.id, other.id) in contacts_of(sheet, one.side)
    return at_most(float(gaps(first.bases, second.bases).min()), CONTACT_MM)


def contacts_of(sheet: Sheet, side: str) -> frozenset[tuple[str, str]]:
    """The units of a side that touch each other, two by two, each with itself among them."""
    return sheet.memo(("contacts", side), lambda: _contacts(sheet, side))


def _contacts(sheet: Sheet, side: str) -> frozenset[tuple[str, str]]:
    """As `contacts_of`; those of units that are as they were are known from an earlier game."""
    bodies = [body for unit in sheet.game.units if unit.side == side and len(body := sheet.body(unit))]
    before, fresh, known = sheet.earlier(("contacts", side)), bodies, frozenset[tuple[str, str]]()
    moved = None if before is None else sheet.moved_since(before.game)
    if before is not None and moved is not None:
        fresh = [body for body in bodies if body.unit.id in moved]
        known = frozenset(pair for pair in before.value if moved.isdisjoint(pair))
    if not fresh:
        return known
    near = gaps(sheet.together(fresh).bases, sheet.together(bodies).bases) <= CONTACT_MM + MM
    starts, others = (np.cumsum([0, *(len(body) for body in some[:-1])]) for some in (fresh, bodies))
    touching = np.logical_or.reduceat(np.logical_or.reduceat(near, starts, axis=0), others, axis=1)
    pairs = [(fresh[i].unit.id, bodies[j].unit.id) for i, j in np.argwhere(touching).tolist()]
    return known | frozenset(pairs) | frozenset((other, one) for one, other in pairs)


def at_gun(game: Game, unit: Unit) -> bool:
    """Whether gunners are at their gun: a crew figure within 2 in of it, the gun not left (MM-136)."""
    return unit.type == "gunners" and sheet_of(game).memo(("at gun", unit.id), lambda: _at_gun(game, unit), unit)


def _at_gun(game: Game, unit: Unit) -> bool:
    gun = gun_of(unit)
    crew = figures_of(unit)
    if gun is None or not crew or state_of(unit).left_gun:
        return False
    from engine.rulesets.muskets_mohawks.table.bodies import body_of

    between = sheet_of(game).gaps(body_of(game, unit, crew).bases, body_of(game, unit, (gun,)).bases)
    return at_most(float(between.min()), 2 * MM_PER_INCH)


def half_strength(unit: Unit) -> bool:
    """Whether the unit is at half strength or less (MM-61, R-28)."""
    start = state_of(unit).start_strength or 0
    return 2 * len(figures_of(unit)) <= start


def normal_move_mm(game: Game, unit: Unit) -> float:
    """The normal move (MM-46), halved for snow (MM-194), before anything is taken off."""
    state, kind = state_of(unit), troop(unit, game)
    if unit.type == "pef":
        return _MOVE_PEF_MM
    if unit.type == "gunners" and not state.limbered and not state.left_gun:
        move = _GUN_PER_CREW_MM * len(figures_of(unit))
    elif kind.cavalry or (unit.type == "leader" and is_mounted_leader(unit)):
        move = _MOVE_HORSE_MM
    else:
        move = _MOVE_FOOT_MM
    return move / 2 if conditions_of(game).snow_slows else move


def is_mounted_leader(unit: Unit) -> bool:
    """Whether a ``leader`` unit is on horseback: by its state or by its figure."""
    return bool(state_of(unit).mounted) or any(figure.mounted for figure in figures_of(unit))


def crew_of(unit: Unit) -> tuple[Figure, ...]:
    """The figures that can serve a gun: those of an artillery unit but the gun (R-35)."""
    return figures_of(unit) if unit.type == "gunners" else ()
