"""Where the Actions table sends a unit: at the enemy, to cover, away, or half a move back (TY-61, TY-62, TY-64).

A place is where the unit's lead figure should come to, as the action ``move`` has it; the others keep their places.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.geometry.moving.moves import (
    away,
    centroid,
    gap_between,
    mean_bearing,
    room_to_edge,
    way_between,
)
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.tyneside.movement.walking import lead_figure
from engine.rulesets.tyneside.nerve.shelters import Place, farther_cover, near_cover
from engine.rulesets.tyneside.table.facts import allowance_mm, nearest_figures
from engine.rulesets.tyneside.table.field import field_of
from engine.rulesets.tyneside.table.sight import enemies_in_sight
from engine.rulesets.tyneside.vocabulary import figures_of, state_of

__all__ = ["Place", "nearest_enemy", "order_mm"]


def nearest_enemy(game: Game, unit: Unit, *, formed: bool = False) -> Unit | None:
    """The nearest enemy that a unit sees; with none in sight the nearest that is no hidden marker.

    ``formed``: formed infantry in sight comes before all others (TY-66).
    """
    seen = sorted(enemies_in_sight(game, unit), key=lambda one: round(one[1].distance_mm, 6))
    if seen:
        ranked = [enemy for enemy, _ in seen]
        return next((enemy for enemy in ranked if formed and enemy.type == "formed"), ranked[0])
    field, found = field_of(game), []
    for enemy in game.enemies(unit):
        near = nearest_figures(field, field.of_unit[unit.id], field.of_unit[enemy.id])
        if near is not None and not state_of(enemy).hidden:
            found.append((round(near.distance_mm, 6), enemy))
    return min(found, key=lambda one: one[0])[1] if found else None


def order_mm(game: Game, unit: Unit, result: str, enemy: Unit | None) -> Place | None:
    """Where a result of the Actions table sends a unit, given the nearest enemy; None where it stays or none is.

    ``advance`` goes towards the nearest enemy, up to its bases; ``cover`` to the nearest cover within a move, else
    away from all enemies; ``withdraw`` to the nearest cover on a way that leads off from the enemy, else away;
    ``run`` a whole move and ``half-back`` half a move straight away from him.
    """
    if game.by_id.get(unit.id) is not unit or (enemy is not None and game.by_id.get(enemy.id) is not enemy):
        return _on_table(game, _order(game, unit, result, enemy))
    kept: dict[tuple[str, str, str | None], Place | None] = once(game, "ty_orders", dict)
    key = (unit.id, result, None if enemy is None else enemy.id)
    if key not in kept:
        kept[key] = _on_table(game, _order(game, unit, result, enemy))
    return kept[key]


def _on_table(game: Game, place: Place | None) -> Place | None:
    if place is None:
        return None
    x, y = place
    return min(max(x, 0.0), game.table.width_mm), min(max(y, 0.0), game.table.depth_mm)


def _order(game: Game, unit: Unit, result: str, enemy: Unit | None) -> Place | None:
    figures = figures_of(unit)
    if not figures or enemy is None or not figures_of(enemy):
        return None
    whole = allowance_mm(game, unit)
    if result == "advance":
        return _forward(game, figures, figures_of(enemy), whole)
    if result in ("run", "half-back"):
        return _back(game, figures, figures_of(enemy), whole if result == "run" else whole / 2.0)
    if result == "cover":
        near = near_cover(game, unit, centroid(figures_of(enemy)))
        return near or _back(game, figures, _all_enemies(game, unit), whole)
    if result == "withdraw":
        far = farther_cover(game, unit, centroid(figures_of(enemy)))
        return _back(game, figures, figures_of(enemy), whole) if far is None else _towards(figures, far, whole)
    return None


def _forward(game: Game, figures: Sequence[Figure], enemies: Sequence[Figure], most_mm: float) -> Place | None:
    gap = gap_between(figures, enemies)
    if gap is None:
        return None
    far = min(most_mm, gap.distance_mm)
    return gap.start.x_mm + gap.direction[0] * far, gap.start.y_mm + gap.direction[1] * far


def _back(game: Game, figures: Sequence[Figure], enemies: Sequence[Figure], most_mm: float) -> Place:
    """Straight away from the enemies' middle, as far as the table goes: where the foremost on that way comes to."""
    direction = away(centroid(figures), centroid(enemies), mean_bearing(figures))
    far = min(most_mm, room_to_edge(figures, direction, game.table))
    lead = max(figures, key=lambda one: one.x_mm * direction[0] + one.y_mm * direction[1])
    return lead.x_mm + direction[0] * far, lead.y_mm + direction[1] * far


def _all_enemies(game: Game, unit: Unit) -> tuple[Figure, ...]:
    return tuple(f for one in game.enemies(unit) if not state_of(one).hidden for f in figures_of(one))


def _towards(figures: Sequence[Figure], place: Place, most_mm: float) -> Place:
    """The place, or as far on the straight way to it as a move goes."""
    lead = lead_figure(figures, place)
    start = (lead.x_mm, lead.y_mm)
    way = way_between(start, place)
    if way is None:
        return place
    direction, length = way
    far = min(length, most_mm)
    return start[0] + direction[0] * far, start[1] + direction[1] * far
