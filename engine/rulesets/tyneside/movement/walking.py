"""How far a unit's lead figure gets on a straight way, ground and barriers counted (TY-20 to TY-22)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.moving.moves import room_to_edge, way_between
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.distinct import distinct
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import Going, Ground, ground_of
from engine.geometry.reach.going import walked
from engine.geometry.sight.crossing import along_pieces
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.table.facts import allowance_mm, left_mm
from engine.rulesets.tyneside.table.field import Field, field_of
from engine.rulesets.tyneside.vocabulary import figures_of

__all__ = ["Step", "clear_ground_of", "ground_of_game", "lead_figure", "step_of", "steps_of"]


Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Step:
    """A straight move of a unit as a body: its direction, how far it goes, what that uses of the whole allowance,
    and what stops it before its goal (None: nothing)."""

    direction: Vector
    distance_mm: float
    used_mm: float
    whole_mm: float
    stopped_by: str | None


def lead_figure(figures: Sequence[Figure], goal: tuple[float, float]) -> Figure:
    """The figure nearest to where a unit goes; of equals the first (TY-21)."""
    away = [round(float(np.hypot(one.x_mm - goal[0], one.y_mm - goal[1])), 6) for one in figures]
    return figures[away.index(min(away))]


def ground_of_game(game: Game, whole_mm: float) -> Ground:
    """What the terrain does to a move of so many millimetres in all."""
    kept: dict[float, Ground] = once(game, "ty_grounds", dict)
    if whole_mm not in kept:
        kept[whole_mm] = _ground(game, whole_mm)
    return kept[whole_mm]


def clear_ground_of(game: Game) -> Ground:
    """The ground as horses at full speed have it: nothing but what is open and clear is entered (TY-20)."""
    return once(game, "ty_clear_ground", lambda: _clear_ground(field_of(game)))


def _clear_ground(field: Field) -> Ground:
    return _laid_out(field, [Going(name=patch.id, barred=patch.rough) for patch in field.patches])


def _laid_out(field: Field, goings: Sequence[Going]) -> Ground:
    rings = field.pieces.rings
    return ground_of([ring[0] for ring in rings], goings, [ring[1:] for ring in rings])


def _ground(game: Game, whole_mm: float) -> Ground:
    field, pace = field_of(game), book().pace
    goings = []
    for patch in field.patches:
        kind = patch.ground.going
        goings.append(
            Going(
                name=patch.id,
                factor=1.0 / pace.difficult if kind == "difficult" else None,
                crossing_mm=pace.barrier * whole_mm if kind == "barrier" else 0.0,
                barred=kind == "impassable",
            )
        )
    return _laid_out(field, goings)


def step_of(
    game: Game, unit: Unit, goal: tuple[float, float], *, lead: Figure | None = None, fresh: bool = False
) -> Step:
    """The move of a unit to where its lead figure should come, as far as its allowance and the ground let it.

    ``lead`` is the figure whose way counts, by default the nearest to the goal; ``fresh``: the unit has its whole
    allowance, whatever it has moved.
    """
    figures = figures_of(unit)
    return steps_of(game, unit, [(goal, lead or lead_figure(figures, goal))], fresh=fresh)[0]


def steps_of(
    game: Game, unit: Unit, ways: Sequence[tuple[tuple[float, float], Figure]], *, fresh: bool = False
) -> tuple[Step, ...]:
    """The moves of a unit to each of several goals with the figure whose way counts, as `step_of`: all at once."""
    goals = np.array([goal for goal, _ in ways], dtype=float).reshape(-1, 2)
    starts = np.array([(lead.x_mm, lead.y_mm) for _, lead in ways], dtype=float).reshape(-1, 2)
    clear = _clear(game, starts, goals, (allowance_mm if fresh else left_mm)(game, unit))
    found: dict[int, Step] = {}
    for one in distinct(clear).tolist():
        which = np.flatnonzero(clear == one).tolist()
        whole = allowance_mm(game, unit, clear=one)
        budget = whole if fresh else left_mm(game, unit, clear=one)
        some = [((lead.x_mm, lead.y_mm), goal) for goal, lead in (ways[number] for number in which)]
        found.update(zip(which, _steps(game, figures_of(unit), some, whole, budget), strict=True))
    return tuple(found[number] for number in range(len(ways)))


def _steps(
    game: Game, figures: Sequence[Figure], ways: Sequence[tuple[Vector, Vector]], whole: float, budget: float
) -> Iterator[Step]:
    """Moves from starts to goals, of so much of a whole allowance."""
    ground = ground_of_game(game, whole)
    straight = [way_between(start, goal) or ((0.0, 1.0), 0.0) for start, goal in ways]
    rooms = [room_to_edge(figures, direction, game.table) for direction, _ in straight]
    starts = np.array([start for start, _ in ways])
    aims = np.array([direction for direction, _ in straight])
    fars = np.array([min(length, room) for (_, length), room in zip(straight, rooms, strict=True)])
    went = walked(ground, starts, starts + aims * fars[:, None], np.full(len(ways), budget))
    at = starts + went.share[:, None] * (starts + aims * fars[:, None] - starts)
    short = went.left_mm < 0
    fars = np.where(short, np.hypot(at[:, 0] - starts[:, 0], at[:, 1] - starts[:, 1]), fars)
    used = _used(ground, starts, aims, fars, whole)
    for number, ((direction, length), room) in enumerate(zip(straight, rooms, strict=True)):
        stopped = "the table's edge" if room < length - MM else None
        if short[number]:
            piece = int(went.stopped_by[number])
            stopped = ground.goings[piece].name if piece >= 0 else "the end of the move"
        if length == 0.0:
            yield Step((0.0, 1.0), 0.0, 0.0, whole, None)
        else:
            yield Step(direction, float(fars[number]), float(used[number]), whole, stopped)


def _used(ground: Ground, starts: Array, aims: Array, far_mm: Array, whole_mm: float) -> Array:
    """What ways (n,) use of the allowance; up to a barrier, not over it."""
    plenty = 1e3 * whole_mm + 1e6
    near = np.maximum(0.0, far_mm - MM)
    left = walked(ground, starts, starts + aims * near[:, None], np.full(len(starts), plenty)).left_mm
    return np.where(near > 0, plenty - left + (far_mm - near), far_mm)


def _clear(game: Game, starts: Array, goals: Array, most_mm: float) -> Mask:
    """(n,) which ways, as far as one gets, lead through open clear ground alone, where horses run (TY-20)."""
    ways = goals - starts
    length = np.hypot(ways[:, 0], ways[:, 1])
    share = np.minimum(1.0, most_mm / np.where(length > 0, length, 1.0))
    through = along_pieces(field_of(game).rough, starts, starts + share[:, None] * ways)
    return np.asarray(~(through > MM).any(axis=1), dtype=bool)
