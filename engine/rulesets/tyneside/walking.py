"""How far a unit's lead figure gets on a straight way, ground and barriers counted (TY-20 to TY-22)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.geometry.moves import Vector, room_to_edge, way_between
from engine.geometry.reach import Going, Ground, ground_of
from engine.geometry.reach.going import walk
from engine.geometry.sight.crossing import along_pieces
from engine.geometry.tolerance import MM
from engine.records.game import Figure, Game, Unit
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.facts import allowance_mm, left_mm
from engine.rulesets.tyneside.field import field_of
from engine.rulesets.tyneside.vocabulary import figures_of

__all__ = ["Step", "ground_of_game", "lead_figure", "step_of"]


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
    field, pace = field_of(game), book().pace
    rings = field.pieces.rings
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
    return ground_of([ring[0] for ring in rings], goings, [ring[1:] for ring in rings])


def step_of(
    game: Game, unit: Unit, goal: tuple[float, float], *, lead: Figure | None = None, fresh: bool = False
) -> Step:
    """The move of a unit to where its lead figure should come, as far as its allowance and the ground let it.

    ``lead`` is the figure whose way counts, by default the nearest to the goal; ``fresh``: the unit has its whole
    allowance, whatever it has moved.
    """
    figures = figures_of(unit)
    lead = lead or lead_figure(figures, goal)
    start = (lead.x_mm, lead.y_mm)
    clear = _clear(game, start, goal)
    whole = allowance_mm(game, unit, clear=clear)
    budget = whole if fresh else left_mm(game, unit, clear=clear)
    way = way_between(start, goal)
    if way is None:
        return Step((0.0, 1.0), 0.0, 0.0, whole, None)
    direction, length = way
    ground = ground_of_game(game, whole)
    room = room_to_edge(figures, direction, game.table)
    far, stopped = min(length, room), "the table's edge" if room < length - MM else None
    end = np.array(start) + np.array(direction) * far
    remains, at, piece = walk(ground, np.array([start, end]), budget)
    if remains[-1] < 0:
        far = float(np.hypot(*(at - np.array(start))))
        stopped = ground.goings[piece].name if piece >= 0 else "the end of its move"
    return Step(direction, far, _used(ground, start, direction, far, whole), whole, stopped)


def _used(ground: Ground, start: tuple[float, float], direction: Vector, far_mm: float, whole_mm: float) -> float:
    """What a way uses of the allowance; up to a barrier, not over it."""
    plenty = 1e3 * whole_mm + 1e6
    near = max(0.0, far_mm - MM)
    ends = np.array([start, np.array(start) + np.array(direction) * near])
    return plenty - float(walk(ground, ends, plenty)[0][-1]) + (far_mm - near) if near else far_mm


def _clear(game: Game, start: tuple[float, float], goal: tuple[float, float]) -> bool:
    """Whether a way leads through open clear ground alone, where horses run (TY-20)."""
    field = field_of(game)
    rough = [p.ground.going != "normal" or p.enclosed for p in field.patches]
    if not any(rough):
        return True
    length = along_pieces(field.pieces.pick(np.array(rough)), np.array([start]), np.array([goal]))
    return not bool((length > MM).any())
