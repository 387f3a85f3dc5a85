"""The run of a charge: how far straight at its target the ground and defended barriers let it (PR-502, PR-517)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.geometry.cover import base_gaps
from engine.geometry.moving.moves import Gap, advance_to_gap, gap_between, room_to_edge
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import first_contact, outlines_as_blockers
from engine.geometry.reach.going import walk
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.movement.moving import held_barriers, movers
from engine.rulesets.presidio.table.field import field_of
from engine.rulesets.presidio.units.going import arm_of, ground_for
from engine.rulesets.presidio.vocabulary import figures_of

__all__ = ["Run", "lead_of", "left_after", "run_at"]


@dataclass(frozen=True)
class Run:
    """A straight run at a unit: its direction, how far it goes, how far apart the two are, whether it comes home:
    into contact, or up to the barrier that the other defends."""

    direction: Vector
    distance_mm: float
    gap_mm: float
    home: bool


def run_at(game: Game, unit: Unit, target: Unit, reach_mm: float) -> Run | None:
    """How far a unit gets straight at another with so much of a move; None where either has no figures."""
    figures, foes = movers(unit), _men(target)
    gap = gap_between(figures, foes)
    if gap is None:
        return None
    goal = gap.distance_mm
    for stop in _barriers(game, unit, target, gap):
        goal = min(goal, stop)
    goal = min(goal, room_to_edge(figures, gap.direction, game.table))
    barred = min(_held_by_others(game, unit, target, gap), default=math.inf)
    far = _passable_mm(game, unit, gap, min(goal, barred), reach_mm)
    home = far >= goal - MM
    if home and goal >= gap.distance_mm - MM:
        far = advance_to_gap(figures, foes, gap.direction, 0.0, goal)
    return Run(gap.direction, far, gap.distance_mm, home)


def lead_of(unit: Unit, target: Unit) -> Vector:
    """Where the centre of the figure stands whose way counts: of the one nearest to a charge's target."""
    gap = gap_between(movers(unit), _men(target))
    return (0.0, 0.0) if gap is None else (gap.start.x_mm, gap.start.y_mm)


def left_after(game: Game, unit: Unit, lead: Vector, way: Vector, reach_mm: float) -> float:
    """What is left of a move after a straight way from a place, with what the ground cost (PR-310 to PR-315)."""
    if math.hypot(*way) <= MM:
        return reach_mm
    ends = np.array([lead, (lead[0] + way[0], lead[1] + way[1])])
    remains, _, _ = walk(ground_for(game, arm_of(unit)), ends, reach_mm + 1e-6)
    return max(float(remains[-1]), 0.0)


def _men(unit: Unit) -> tuple[Figure, ...]:
    """Those of a unit whom one can fight: not its gun, unless nothing else is left."""
    figures = figures_of(unit)
    return tuple(figure for figure in figures if figure.role not in ("gun", "limber", "wagon")) or figures


def _passable_mm(game: Game, unit: Unit, gap: Gap, goal_mm: float, reach_mm: float) -> float:
    """How much of a way of a length the move and the ground allow (PR-310 to PR-315)."""
    start = np.array([gap.start.x_mm, gap.start.y_mm])
    ends = np.array([start, start + goal_mm * np.array(gap.direction)])
    if goal_mm <= MM:
        return 0.0
    remains, at, _ = walk(ground_for(game, arm_of(unit)), ends, reach_mm + 1e-6)
    return goal_mm if remains[-1] >= 0 else float(np.hypot(*(at - start)))


def _held_by_others(game: Game, unit: Unit, target: Unit, gap: Gap) -> Iterator[float]:
    """Where the nearest figure meets a barrier on its way that other enemies hold (PR-517)."""
    field = field_of(game)
    foes = [
        number for number, other in enumerate(field.units)
        if other.side != unit.side and other.id != target.id and not field.marker[number]
    ]  # fmt: skip
    mine = [number for number in field.of_unit[unit.id].tolist() if field.figures[number].id == gap.start.id]
    for far, _ in held_barriers(field, mine, foes, gap.direction):
        if far < gap.distance_mm - MM:
            yield far


def _barriers(game: Game, unit: Unit, target: Unit, gap: Gap) -> Iterator[float]:
    """Where the nearest figure meets a barrier with defenders of the target within an inch of it (PR-517)."""
    field = field_of(game)
    theirs = field.bases.pick(field.of_unit[target.id])
    base = bases_of([(gap.start.x_mm, gap.start.y_mm)], [gap.start.base], [gap.start.bearing_deg])
    for number, patch in enumerate(field.patches):
        if not patch.line or patch.barrier == "none":
            continue
        held = base_gaps(theirs, field.pieces.pick([number])) <= book().mm("defended") + MM
        if not held.any():
            continue
        outline = field.pieces.edges(number)[0]
        met = first_contact(base, outlines_as_blockers([outline], [patch.id]), np.array(gap.direction))
        if met is not None and met.distance_mm < gap.distance_mm - MM:
            yield met.distance_mm
