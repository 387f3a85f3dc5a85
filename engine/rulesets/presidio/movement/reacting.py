"""Who may react to a move while it happens: those who put actions aside and see it before them (PR-215)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.geometry.moving.approach import front_zone, nearest_approach
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.bodies import body_of
from engine.rulesets.presidio.table.field import field_of, on_table
from engine.rulesets.presidio.table.sorts import fronted
from engine.rulesets.presidio.vocabulary import conditions_of, state_of

__all__ = ["reactions"]

_FRONT_DEG = 45.0


def reactions(
    game: Game, unit: Unit, figures: Sequence[Figure], direction: Vector, distance_mm: float
) -> Iterator[tuple[Unit, int]]:
    """The enemies to whose front a move of figures as they stood comes near, and how many actions each may use."""
    field = field_of(game)
    moving = bases_of(
        [(one.x_mm, one.y_mm) for one in figures],
        [one.base for one in figures],
        [one.bearing_deg for one in figures],
    )
    way = np.array(direction) * distance_mm
    for enemy in game.enemies(unit):
        held = _may_use(enemy)
        if not held:
            continue
        zone = None
        if fronted(enemy):
            centre = conditions_of(game).options.quarters == "centre"
            reach = 4 * (game.table.width_mm + game.table.depth_mm)
            zone = front_zone(body_of(game, enemy), 0, _FRONT_DEG, reach, from_centre=centre)
        apart = nearest_approach(moving, way, field.bases.pick(field.of_unit[enemy.id]), zone)
        if apart <= book().mm("reaction") + MM:
            yield enemy, min(held, 2 if apart <= book().mm("reaction_close") + MM else 1)


def _may_use(unit: Unit) -> int:
    """How many actions a unit has put aside that it can still use."""
    now = state_of(unit)
    if not on_table(unit) or now.hidden or now.morale in ("panicked", "surrendered"):
        return 0
    return min(now.held, now.actions_left)
