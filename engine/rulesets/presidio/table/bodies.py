"""Units as bodies: the rectangles that hold them, their quarters, and from where to where fire is measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.facing.aspects import Quarters, Side, quarters, side_middles
from engine.geometry.moving.moves import bearing_to
from engine.geometry.shapes.bases import Bases
from engine.geometry.shapes.units import footprints, mean_bearings
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.table.field import Field, field_of, nearest
from engine.rulesets.presidio.table.sorts import fronted
from engine.rulesets.presidio.vocabulary import conditions_of, figures_of

__all__ = [
    "Aspect", "Range", "aspect_of", "bodies_of", "body_of", "gun_of", "range_of", "shooting_point",
    "shooting_points",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True)
class Range:
    """From the firer's measuring point to the target's centre facing (PR-002, PR-003), in mm, with its sigma."""

    start: tuple[float, float]
    end: tuple[float, float]
    length_mm: float
    sigma_mm: float


@dataclass(frozen=True)
class Aspect:
    """From which side a charger comes (PR-503), and whether the measurement settles that."""

    name: str
    sure: bool


def gun_of(unit: Unit) -> Figure | None:
    """The gun of an artillery unit; None where it has none left, and of other units."""
    if unit.type != "artillery":
        return None
    return next((figure for figure in figures_of(unit) if figure.role == "gun"), None)


def bodies_of(game: Game) -> Bases:
    """(u) the footprints of all units in list order (PR-001); of no size at nan for one not on the table."""
    return once(game, "pr_bodies", lambda: _bodies(field_of(game)))


def body_of(game: Game, unit: Unit) -> Bases:
    """(1) the footprint of one unit (PR-001)."""
    return bodies_of(game).pick(np.array([field_of(game).numbers[unit.id]]))


def _bodies(field: Field) -> Bases:
    """The footprints: along the figures' mean bearing, of a gun its own; towards the nearest enemy where none is
    known."""
    game, count = field.game, len(field.game.units)
    numbers = field.numbers
    guns = {unit.id: gun_of(unit) for unit in game.units}
    whose = [
        numbers[unit.id] if guns[unit.id] in (None, figure) else -1
        for figure, unit in zip(field.figures, field.units, strict=True)
    ]
    known = [np.nan if figure.bearing_deg is None else figure.bearing_deg for figure in field.figures]
    bearing, sigma = mean_bearings(np.array(known, dtype=float), whose, count, field.bases.bearing_sigma_deg)
    for unknown in np.flatnonzero(np.isnan(bearing)).tolist():
        bearing[unknown] = _towards_enemy(field, game.units[unknown])
    return footprints(field.bases, whose, count, bearing, np.nan_to_num(sigma))


def _towards_enemy(field: Field, unit: Unit) -> float:
    """The bearing from a unit's middle to that of the nearest enemy unit; 0 where there is none."""
    mine = field.of_unit[unit.id]
    found = [
        (round(near.distance_mm, 6), enemy.id)
        for enemy in field.game.enemies(unit)
        if (near := nearest(field, mine, field.of_unit[enemy.id])) is not None
    ]
    if not found:
        return 0.0
    theirs = field.of_unit[min(found, key=lambda one: one[0])[1]]
    here, there = (field.bases.centre[which].mean(axis=0) for which in (mine, theirs))
    return bearing_to((float(here[0]), float(here[1])), (float(there[0]), float(there[1])))


@dataclass(frozen=True, eq=False)
class _Ranges:
    """From where to where fire of each unit at each other is measured: (u, u, 2), (u, u, 2)."""

    start: Array
    end: Array


def _ranges(game: Game) -> _Ranges:
    """The measuring points of all pairs; without meaning for units that are not on the table."""
    bodies, count = bodies_of(game), len(game.units)
    bodies = replace(bodies, centre=np.nan_to_num(bodies.centre))
    middles = side_middles(bodies)
    towards = np.maximum(_quarters(game, bodies.centre, bodies).side, 0)
    fronts = np.array([fronted(unit) for unit in game.units], dtype=bool)
    each = np.arange(count)
    start = middles[each[:, None], np.where(fronts[:, None], int(Side.FRONT), towards.T)]
    end = np.empty_like(start)
    for target in range(count):
        side = np.maximum(_quarters(game, start[:, target], bodies.pick([target])).side[:, 0], 0)
        end[:, target] = middles[target, side]
    return _Ranges(start, end)


def _quarters(game: Game, spots: Array, bodies: Bases, sigma_mm: float = 0.0) -> Quarters:
    """In which quarters of footprints points lie (PR-004, R-5)."""
    centre = conditions_of(game).options.quarters == "centre"
    return quarters(spots, bodies, from_centre=centre, sigma_mm=sigma_mm)


def shooting_points(game: Game) -> Array:
    """(u, u, 2) the measuring point of each unit for fire at each other (PR-002): its front's middle; without a
    front that of the side at the target."""
    return once(game, "pr_ranges", lambda: _ranges(game)).start


def shooting_point(game: Game, unit: Unit, target: Unit) -> tuple[float, float]:
    """The measuring point of one unit for fire at another (PR-002)."""
    numbers = field_of(game).numbers
    x, y = shooting_points(game)[numbers[unit.id], numbers[target.id]].tolist()
    return x, y


def range_of(game: Game, unit: Unit, target: Unit) -> Range | None:
    """The range from one unit to another (PR-003); None where either is not on the table."""
    field, numbers = field_of(game), field_of(game).numbers
    if not len(field.of_unit[unit.id]) or not len(field.of_unit[target.id]):
        return None
    pair = numbers[unit.id], numbers[target.id]
    start = shooting_point(game, unit, target)
    x, y = once(game, "pr_ranges", lambda: _ranges(game)).end[pair].tolist()
    sigma = bodies_of(game).sigma_mm
    return Range(start, (x, y), dist(start, (x, y)), float(np.hypot(sigma[pair[0]], sigma[pair[1]])))


def aspect_of(game: Game, charger: Unit, target: Unit) -> Aspect:
    """From where a charge comes in: by the charger's measuring point at its start (PR-503, PR-004)."""
    if not fronted(target):
        return Aspect("front", True)
    body = body_of(game, target)
    spot = np.array([shooting_point(game, charger, target)])
    found = _quarters(game, spot, body, float(body_of(game, charger).sigma_mm[0]))
    names = ("front", "flank", "rear")
    exact = replace(body, sigma_mm=np.zeros(1), bearing_sigma_deg=np.zeros(1))
    name = names[int(_quarters(game, spot, exact).aspect[0, 0])]
    sure = max(int(found.front[0, 0]), int(found.flank[0, 0]), int(found.rear[0, 0])) == Verdict.YES
    return Aspect(name, sure)
