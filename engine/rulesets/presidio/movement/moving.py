"""How a unit may move, where it gets to, and what keeps it from moving (PR-301 to PR-325)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.moving.moves import room_to_edge, way_between
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.lines import crossing_points
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import bases_as_blockers, first_contact, outlines_as_blockers, spokes_region
from engine.geometry.reach.going import walk
from engine.records.answer import MoveOption
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.field import Field, field_of, on_table
from engine.rulesets.presidio.table.sorts import class_of, formation_of, mounted
from engine.rulesets.presidio.units.going import arm_of, ground_for
from engine.rulesets.presidio.units.guns import crew_alone, crew_of
from engine.rulesets.presidio.units.pacing import Pace, move_cost, rides_left, walk_in
from engine.rulesets.presidio.units.scaling import scaled
from engine.rulesets.presidio.vocabulary import MM_PER_IN, figures_of, is_artillery, state_of

__all__ = ["Step", "held_barriers", "lead_figure", "move_option", "move_reasons", "movers", "reach_of", "step_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """A straight move of a unit as a body: its direction, how far it goes, and what stops it before its goal."""

    direction: Vector
    distance_mm: float
    stopped_by: str | None


def movers(unit: Unit) -> tuple[Figure, ...]:
    """The figures that go with a unit: horse-holders stay where they are (PR-213), guns without their crew."""
    if crew_alone(unit):
        return crew_of(unit)
    figures = figures_of(unit)
    return tuple(figure for figure in figures if figure.role != "horse-holder") or figures


def lead_figure(figures: Sequence[Figure], goal: Vector) -> Figure:
    """The figure nearest to where a unit goes; of equals the first (PR-301)."""
    away = [round(float(np.hypot(one.x_mm - goal[0], one.y_mm - goal[1])), 6) for one in figures]
    return figures[away.index(min(away))]


def step_of(game: Game, unit: Unit, goal: Vector, allowance_mm: float) -> Step:
    """The move of a unit to where its lead figure should come, as far as it gets (PR-301, PR-310 to PR-315)."""
    figures = movers(unit)
    lead = lead_figure(figures, goal)
    start = (lead.x_mm, lead.y_mm)
    way = way_between(start, goal)
    if way is None:
        return Step((0.0, 1.0), 0.0, None)
    direction, length = way
    far, stopped = length, None
    for limit, by in _limits(game, unit, figures, direction):
        if limit < far - MM:
            far, stopped = limit, by
    ground = ground_for(game, arm_of(unit), scaled(game, figures))
    ends = np.array([start, (start[0] + direction[0] * far, start[1] + direction[1] * far)])
    remains, at, piece = walk(ground, ends, allowance_mm)
    if remains[-1] < 0:
        far = float(np.hypot(*(at - ends[0])))
        stopped = ground.goings[piece].name if piece >= 0 else "the end of its move"
    return Step(direction, far, stopped)


def _limits(game: Game, unit: Unit, figures: Sequence[Figure], direction: Vector) -> Iterator[tuple[float, str]]:
    """How far a unit can go before the table's edge, an enemy base or a held barrier ends its way."""
    yield room_to_edge(figures, direction, game.table), "the table's edge"
    field, names = field_of(game), {figure.id for figure in figures}
    foes = [
        number for number, other in enumerate(field.units) if other.side != unit.side and not field.marker[number]
    ]
    if not foes or state_of(unit).hidden:
        return
    mine = [number for number, figure in enumerate(field.figures) if figure.id in names]
    blockers = bases_as_blockers(field.bases.pick(foes), field.names(foes))
    met = first_contact(field.bases.pick(mine), blockers, np.array(direction))
    if met is not None:
        yield met.distance_mm, field.figures[foes[met.shape]].id
    yield from held_barriers(field, mine, foes, direction)


def held_barriers(
    field: Field, mine: Sequence[int], foes: Sequence[int], direction: Vector
) -> Iterator[tuple[float, str]]:
    """Where some men come to a barrier that one of their foes beyond it holds within an inch (PR-517)."""
    limit, fit = book().mm("defended") + MM, [foe for foe in foes if _holds(field.units[foe])]
    for number, patch in enumerate(field.patches):
        held = [foe for foe in fit if field.piece_gaps[foe, number] <= limit]
        if not patch.line or patch.barrier == "none" or not held:
            continue
        edges = field.pieces.edges(number)
        beyond = field.bases.centre[held]
        for one in mine:
            if field.inside[one, number]:
                continue
            centre = field.bases.centre[[one]]
            if not len(crossing_points(np.repeat(centre, len(held), axis=0), beyond, *edges)):
                continue
            met = first_contact(
                field.bases.pick([one]), outlines_as_blockers([edges[0]], [patch.id]), np.array(direction)
            )
            if met is not None and (met.distance_mm > MM or _leads_over(centre, direction, field, edges)):
                yield met.distance_mm, patch.id


def _holds(unit: Unit) -> bool:
    """Whether men of a unit hold what they stand behind: not those who are beaten, and beasts never."""
    return state_of(unit).morale not in ("panicked", "surrendered") and class_of(unit) != "beast"


def _leads_over(centre: Array, direction: Vector, field: Field, edges: tuple[Array, Array]) -> bool:
    """Whether the way of one who stands against a barrier leads over it, and not off it."""
    far = field.game.table.width_mm + field.game.table.depth_mm
    return bool(len(crossing_points(centre, centre + far * np.array([direction]), *edges)))


def move_reasons(game: Game, unit: Unit, pace: Pace) -> Reasons:
    """What keeps a unit from moving of its own will."""
    reasons, state = Reasons(), state_of(unit)
    reasons.add(not on_table(unit), f"{unit.id} has no figures on the table", "PR-301")
    reasons.add(state.morale in ("panicked", "surrendered"), f"{unit.id} has {state.morale}", "PR-203")
    reasons.add(bool(state.engaged_with), "is in melee: it must break off", "PR-516")
    disordered = formation_of(unit) == "disorder" and class_of(unit) == "line"
    reasons.add(disordered, "a disordered line must reform before it moves", "PR-321")
    reasons.add(is_artillery(unit) and not crew_alone(unit), "guns move by hand or limber", "PR-930")
    cost = move_cost(game, unit, pace)
    if cost:
        short = f"needs {cost} action{'s' * (cost > 1)}, has {state.actions_left} left"
        reasons.add(state.actions_left < cost, short, "PR-210")
    else:
        rides = 1 if pace == "walk" else 2
        reasons.add(rides_left(game, unit) < rides, "has ridden twice this turn", "PR-211")
    return reasons


def move_option(game: Game, unit: Unit) -> MoveOption:
    """The farthest and the shortest that one walk in the open can be, and where that brings the unit."""
    reasons = move_reasons(game, unit, "walk")
    crawls = state_of(unit).posture == "prone"
    most, least = (walk_in(unit, score, crawls=crawls) * MM_PER_IN for score in (6, 1))
    paces: tuple[Pace, ...] = ("walk", "run")
    modes = tuple(pace for pace in paces if not move_reasons(game, unit, pace))
    figures = [figure.id for figure in movers(unit)]
    outline, rings = reach_of(game, unit, figures, most if modes else 0.0)
    extra = {
        "min_mm": least, "roll": {"count": 1, "die": "d6"}, "legal": not reasons, "why_not": list(reasons.texts),
        "why_rules": list(reasons.rules), "reach_polygons_mm": rings, "mounted": mounted(unit),
    }  # fmt: skip
    return MoveOption(allowance_mm=most, modes=modes, reach_mm=outline, extra=extra)


def reach_of(
    game: Game, unit: Unit, figures: Collection[str], allowance_mm: float
) -> tuple[tuple[Vector, ...], list[list[object]]]:
    """What figures' bases get to, each going first, ground counted; and the same with its holes."""
    field = field_of(game)
    moving = on_table(unit) and allowance_mm > MM
    which = [number for number, figure in enumerate(field.figures) if moving and figure.id in figures]
    bases = field.bases.pick(np.array(which, dtype=np.intp))
    over = scaled(game, [field.figures[number] for number in which])
    ground = ground_for(game, arm_of(unit), over).near(bases.centre, allowance_mm)
    region = spokes_region(bases, allowance_mm, ground, (game.table.width_mm, game.table.depth_mm))
    return region.outline_mm, [[outline, *holes] for outline, holes in region.rings_mm]
