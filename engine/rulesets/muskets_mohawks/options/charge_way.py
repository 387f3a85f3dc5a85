"""Whom a charge comes upon before the unit that it is aimed at (MM-148)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.geometry.moving.moves import centroid, way_between
from engine.geometry.moving.passing import BRUSH_MM, runs_into
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["met_on_the_way"]


def met_on_the_way(game: Game, unit: Unit, target: Unit) -> Unit | None:
    """The enemy that stands between a charger and its target, the first of several; None: the way is free.

    The way is that of a man in the charger's middle towards the target's; who is in a building is not met.
    """
    figures, others = figures_of(unit), figures_of(target)
    way = way_between(centroid(figures), centroid(others)) if figures and others else None
    if way is None:
        return None
    direction, length = way
    x, y = centroid(figures)
    middle = [replace(figures[0], x_mm=x, y_mm=y)]
    reach = runs_into(middle, others, direction, length)
    found: list[tuple[float, Unit]] = []
    for other in game.enemies(unit):
        if other.id == target.id or other.type == "pef" or state_of(other).in_building is not None:
            continue
        far = runs_into(middle, figures_of(other), direction, (length if reach is None else reach) - BRUSH_MM)
        if far is not None:
            found.append((far, other))
    return min(found, key=lambda one: one[0])[1] if found else None
