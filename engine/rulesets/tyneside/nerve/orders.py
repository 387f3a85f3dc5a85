"""Where the Actions table sends a unit: at the enemy, to cover, away, or half a move back (TY-61, TY-62, TY-64).

A place is where the unit's lead figure should come to, as the action ``move`` has it; the others keep their places.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.moving.moves import (
    away,
    bearing_to,
    centroid,
    gap_between,
    mean_bearing,
    room_to_edge,
    way_between,
)
from engine.geometry.moving.moves import towards as along
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.crossing import spans_in
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.tyneside.movement.walking import lead_figure, steps_of
from engine.rulesets.tyneside.table.facts import allowance_mm, nearest_figures
from engine.rulesets.tyneside.table.field import field_of
from engine.rulesets.tyneside.table.sight import enemies_in_sight
from engine.rulesets.tyneside.vocabulary import figures_of, state_of

__all__ = ["Place", "nearest_enemy", "order_mm"]

Array = NDArray[np.float64]
Place = tuple[float, float]

#: How far past the rim of cover a base's outline comes.
_INSIDE_MM = 1.0
_FAR_MM = 1e4


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
        near = _near_cover(game, unit, centroid(figures_of(enemy)))
        return near or _back(game, figures, _all_enemies(game, unit), whole)
    if result == "withdraw":
        far = _farther_cover(game, unit, centroid(figures_of(enemy)))
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


def _near_cover(game: Game, unit: Unit, foe: Place) -> Place | None:
    """The nearest place in or behind covering terrain that a move leads to, ground and barriers counted."""
    ways = _ways_to_cover(game, unit, foe)
    steps = steps_of(game, unit, ways, fresh=True)
    ends = [
        (lead.x_mm + step.direction[0] * step.distance_mm, lead.y_mm + step.direction[1] * step.distance_mm)
        for (_, lead), step in zip(ways, steps, strict=True)
    ]
    field = field_of(game)
    gives = np.array([patch.cover != "none" for patch in field.patches], dtype=bool)
    covered = (field.pieces.contains(np.array(ends).reshape(-1, 2)) & gives).any(axis=1).tolist()
    found = zip(ways, steps, covered, strict=True)
    return next((place for (place, _), step, held in found if held or step.stopped_by is None), None)


def _farther_cover(game: Game, unit: Unit, foe: Place) -> Place | None:
    """The nearest place in or behind covering terrain on a way that leads off from the enemy and over no river."""
    ways = [(place, lead) for place, lead in _ways_to_cover(game, unit, foe) if _leads_off(lead, place, foe)]
    closed = {patch.id for patch in field_of(game).patches if patch.ground.going == "impassable"}
    steps = steps_of(game, unit, ways, fresh=True)
    found = zip(ways, steps, strict=True)
    return next((place for (place, _), step in found if step.stopped_by not in closed), None)


def _leads_off(lead: Figure, place: Place, foe: Place) -> bool:
    """Whether a figure's way to a place leads away from an enemy from its start, and is one at all."""
    way = place[0] - lead.x_mm, place[1] - lead.y_mm
    towards = way[0] * (foe[0] - lead.x_mm) + way[1] * (foe[1] - lead.y_mm)
    return bool(np.hypot(*way) > MM and towards <= 0)


def _ways_to_cover(game: Game, unit: Unit, foe: Place) -> list[tuple[Place, Figure]]:
    """The places on the table in or behind covering terrain, nearest first, each with the figure that leads there.

    Places that differ by less than a centimetre count as equally near: the middle of the unit then goes there.
    """
    figures = figures_of(unit)
    here = centroid(figures)
    found: list[tuple[float, float, Place]] = []
    for figure, place in _shelters(game, figures, foe):
        if 0 <= place[0] <= game.table.width_mm and 0 <= place[1] <= game.table.depth_mm:
            off_middle = float(np.hypot(figure.x_mm - here[0], figure.y_mm - here[1]))
            way = float(np.hypot(place[0] - figure.x_mm, place[1] - figure.y_mm))
            found.append((round(way, -1), round(off_middle, 3), place))
    return [(place, lead_figure(figures, place)) for *_, place in sorted(found)]


def _shelters(game: Game, figures: Sequence[Figure], foe: Place) -> Sequence[tuple[Figure, Place]]:
    """The place of each figure in or behind each covering piece of terrain; kept beside the game."""
    kept: dict[object, list[tuple[Figure, Place]]] = once(game, "ty_shelters", dict)
    key = (foe, *((figure.id, figure.x_mm, figure.y_mm, figure.bearing_deg) for figure in figures))
    if key in kept:
        return kept[key]
    found: list[tuple[Figure, Place]] = []
    for number, patch in enumerate(field_of(game).patches):
        if patch.cover == "none" or patch.ground.going == "impassable":
            continue
        within = patch.ground.sight == "woods" or patch.ground.inside or patch.ground.going == "difficult"
        piece = field_of(game).piece(number)
        found += zip(figures, _into(piece, figures) if within else _behind(piece, figures, foe), strict=True)
    return kept.setdefault(key, found)


def _into(piece: Pieces, figures: Sequence[Figure]) -> Sequence[Place]:
    """The nearest places in a piece where each figure's whole base is past the rim, or where it stands if in it."""
    spots = np.array([(figure.x_mm, figure.y_mm) for figure in figures])
    rims, held = piece.nearest_on_rim(0, spots).tolist(), piece.contains(spots)[:, 0].tolist()
    deep: list[Place] = []
    for figure, (x, y), inside in zip(figures, rims, held, strict=True):
        start = (figure.x_mm, figure.y_mm)
        way = None if inside else way_between(start, (x, y))
        if way is None:
            deep.append(start)
            continue
        direction, length = way
        far = length + _half(figure, direction) + _INSIDE_MM
        deep.append((start[0] + direction[0] * far, start[1] + direction[1] * far))
    held = piece.contains(deep)[:, 0].tolist()
    return [
        place if inside or place == (figure.x_mm, figure.y_mm) else (x, y)
        for place, inside, figure, (x, y) in zip(deep, held, figures, rims, strict=True)
    ]


def _behind(piece: Pieces, figures: Sequence[Figure], foe: Place) -> Sequence[Place]:
    """The places behind a barrier as the enemy sees it, nearest to where each figure would cross it."""
    edges = piece.nearest_on_rim(0, np.array([(figure.x_mm, figure.y_mm) for figure in figures]))
    ways = [along(bearing_to(foe, (x, y))) for x, y in edges.tolist()]
    _, last = spans_in(piece, 0, edges, edges + np.array(ways) * _FAR_MM)
    found: list[Place] = []
    for figure, (x, y), direction, share in zip(figures, edges.tolist(), ways, last.tolist(), strict=True):
        through = 0.0 if np.isnan(share) else share * _FAR_MM
        past = through + _half(figure, direction) + _INSIDE_MM
        found.append((x + direction[0] * past, y + direction[1] * past))
    return found


def _half(figure: Figure, direction: Vector) -> float:
    """How far a figure's base reaches from its centre in a direction."""
    if isinstance(figure.base, Round):
        return figure.base.diameter_mm / 2
    base = bases_of([(0.0, 0.0)], [figure.base], [figure.bearing_deg])
    return float(base.support(np.array(direction))[0])
