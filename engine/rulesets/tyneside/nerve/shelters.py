"""Where troops left to themselves find cover: how near, how deep, and on what way (TY-61)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.moving.moves import bearing_to, centroid, way_between
from engine.geometry.moving.moves import towards as along
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import bases_of
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.crossing import spans_in
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.tyneside.movement.walking import lead_figure, steps_of
from engine.rulesets.tyneside.table.facts import allowance_mm
from engine.rulesets.tyneside.table.field import field_of
from engine.rulesets.tyneside.vocabulary import figures_of

__all__ = ["Place", "farther_cover", "near_cover"]

Array = NDArray[np.float64]
Place = tuple[float, float]
_Way = tuple[Place, Figure]

#: How far past the rim of cover a base's outline comes.
_INSIDE_MM = 1.0
_FAR_MM = 1e4
#: In such steps it is looked how deep in cover a group stands best.
_DEEPER_MM = 5.0


def near_cover(game: Game, unit: Unit, foe: Place) -> Place | None:
    """The nearest place in or behind covering terrain that a move leads to, ground and barriers counted; in a wood
    and the like so deep that as many of the unit as can be have cover."""
    ways = _ways_to_cover(game, unit, foe)
    steps = steps_of(game, unit, ways, fresh=True)
    ends = [
        (lead.x_mm + step.direction[0] * step.distance_mm, lead.y_mm + step.direction[1] * step.distance_mm)
        for (_, lead), step in zip(ways, steps, strict=True)
    ]
    inside = field_of(game).pieces.contains(np.array(ends).reshape(-1, 2))
    gives = np.array([patch.cover != "none" for patch in field_of(game).patches], dtype=bool)
    held = (inside & gives).any(axis=1).tolist()
    found = [one for one, step in enumerate(steps) if held[one] or step.stopped_by is None]
    if not found:
        return None
    if not held[found[0]]:
        return ways[found[0]][0]
    number = int(np.flatnonzero(inside[found[0]] & gives)[0])
    into = [ways[one] for one in found if inside[one, number]]
    return min(_depths(game, unit, number, into))[2]


def _depths(game: Game, unit: Unit, number: int, ways: Sequence[_Way]) -> Iterator[tuple[int, float, Place]]:
    """Where a unit may come to on ways into a piece of terrain: how many then stand outside it, how far that is."""
    figures, piece = figures_of(unit), field_of(game).piece(number)
    spots = np.array([(one.x_mm, one.y_mm) for one in figures])

    def outside(shift: Array) -> int:
        return len(figures) - int(piece.contains(spots + shift)[:, 0].sum())

    yield outside(np.zeros(2)), 0.0, (ways[0][1].x_mm, ways[0][1].y_mm)
    shifts = [
        (*way, leader)
        for place, lead in ways if (way := way_between((lead.x_mm, lead.y_mm), place))
        for leader in (lead, _foremost(figures, way[0]))
    ]  # fmt: skip
    most = allowance_mm(game, unit)
    goals = [(_on(leader, direction, most), leader) for direction, _, leader in shifts]
    for (direction, length, leader), step in zip(shifts, steps_of(game, unit, goals, fresh=True), strict=True):
        first = min(length, step.distance_mm)
        for far in (*np.arange(first, step.distance_mm, _DEEPER_MM).tolist(), step.distance_mm):
            place = _on(leader, direction, far)
            if lead_figure(figures, place) is leader:
                yield outside(far * np.array(direction)), round(far, 3), place


def _foremost(figures: Sequence[Figure], direction: Vector) -> Figure:
    return max(figures, key=lambda one: one.x_mm * direction[0] + one.y_mm * direction[1])


def _on(figure: Figure, direction: Vector, far_mm: float) -> Place:
    return figure.x_mm + direction[0] * far_mm, figure.y_mm + direction[1] * far_mm


def farther_cover(game: Game, unit: Unit, foe: Place) -> Place | None:
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


def _ways_to_cover(game: Game, unit: Unit, foe: Place) -> list[_Way]:
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
