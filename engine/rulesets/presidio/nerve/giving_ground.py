"""Units that give ground: falling back, retreating, running away (PR-711, PR-713 to PR-715, PR-204)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from msgspec.structs import replace

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures, SetUnit
from engine.geometry.moving.moves import (
    away,
    bearing_to,
    centroid,
    mean_bearing,
    moved,
    places,
    room_to_edge,
    towards,
)
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach.going import walk
from engine.play import Procedure, happen, roll
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import aim_lost, state, state_where
from engine.rulesets.presidio.nerve.shelter import foremost, shelters
from engine.rulesets.presidio.table.field import on_table, units_apart
from engine.rulesets.presidio.table.sorts import class_of, formation_of, fronted, has_role, on_roof
from engine.rulesets.presidio.units.going import arm_of, ground_for
from engine.rulesets.presidio.units.leading import officer_over
from engine.rulesets.presidio.units.pacing import base_in, moves_as
from engine.rulesets.presidio.units.scaling import alighted
from engine.rulesets.presidio.vocabulary import (
    MM_PER_IN,
    conditions_of,
    figures_of,
    is_artillery,
    state_of,
)

__all__ = [
    "Giving",
    "ground_given",
    "rally_number",
    "rally_off_the_edge",
    "rolled_mm",
    "runs_off",
    "towards_nearest",
    "way_off",
    "went",
]

Giving = Literal["fall-back", "retreat", "panic"]

_EDGES = {"south": 180.0, "north": 0.0, "west": 270.0, "east": 90.0}
_SAYS = {"fall-back": "falls back", "retreat": "retreats", "panic": "runs away"}
_ROWS = {"fall-back": "PR-713", "retreat": "PR-714", "panic": "PR-715"}


def rolled_mm(unit: Unit, score: int, giving: Giving) -> float:
    """How far a die brings a unit that gives ground: a walk, or else a run.

    Lines go at half, and so do disordered units of line class; others run at full speed (PR-306, PR-321).
    """
    going = book().going
    crew = giving == "panic" and is_artillery(unit) and formation_of(unit) != "limbered"
    inches = ((going.crew if crew else base_in(unit)) + score) * (1 if giving == "fall-back" else 2)
    formed = giving == "fall-back" and fronted(unit)
    in_line = formed and moves_as(unit) in ("line", "extended-line")
    slow = class_of(unit) == "line" and formation_of(unit) in ("line", "extended-line", "disorder")
    if in_line or slow:
        inches *= going.half
    if formed and has_role(unit, "drummer"):
        inches += going.drummer
    return max(inches, 0.0) * MM_PER_IN


def way_off(game: Game, unit: Unit, source: Unit | None) -> Vector:
    """Where to: straight away from an enemy, along with a friend who goes, else to the own edge (PR-711)."""
    mine = centroid(figures_of(unit))
    if source is None or not source.figures:
        return towards(_EDGES[game.side(unit.side).edge])
    if source.side != unit.side:
        return away(mine, centroid(source.figures), mean_bearing(figures_of(unit)))
    facing = mean_bearing(source.figures)
    if facing is None:
        return towards(_EDGES[game.side(unit.side).edge])
    return towards(facing if state_of(source).failed == "panic" else (facing + 180.0) % 360.0)


@dataclass(frozen=True)
class Ground:
    """How far a unit gives ground, which figures, and whether they come to the table's edge."""

    figures: tuple[Figure, ...]
    distance_mm: float
    at_edge: bool


def ground_given(game: Game, unit: Unit, way: Vector, length_mm: float, giving: Giving) -> Ground:
    """How far along a way: to cover on its second half, unless in panic; to the table's edge at most."""
    figures = _who(unit, giving)
    if not figures:
        return Ground(figures, 0.0, False)
    lead = foremost(figures, way)
    distance = _passable_mm(game, unit, lead, way, length_mm, giving)
    found = () if giving == "panic" else shelters(game, lead, way, length_mm)
    found = tuple(one for one in found if one <= distance + MM)
    if found:
        furthest = giving == "retreat" and conditions_of(game).options.retreat_cover == "furthest"
        distance = found[-1] if furthest else found[0]
    room = room_to_edge(figures, way, game.table)
    return Ground(figures, min(distance, room), distance >= room - MM)


def _passable_mm(game: Game, unit: Unit, lead: Figure, way: Vector, length_mm: float, giving: Giving) -> float:
    """How much of a way the ground lets a unit go (PR-310 to PR-315); a crew that leaves its gun goes on foot."""
    ground = ground_for(game, "foot" if giving == "panic" and is_artillery(unit) else arm_of(unit))
    ends = np.array([[lead.x_mm, lead.y_mm], [lead.x_mm + way[0] * length_mm, lead.y_mm + way[1] * length_mm]])
    remains, at, _ = walk(ground, ends, length_mm + 1e-6)
    return length_mm if remains[-1] >= 0 else float(np.hypot(*(at - ends[0])))


def _who(unit: Unit, giving: Giving) -> tuple[Figure, ...]:
    """All of it; in panic guns and limbers stay where they are (PR-715)."""
    left = ("gun", "limber") if giving == "panic" and is_artillery(unit) else ()
    return tuple(figure for figure in figures_of(unit) if figure.role not in left)


def runs_off(game: Game, name: str, giving: Giving, source: str | None) -> Procedure[Game]:
    """A unit gives ground after a check: the movement die, the way, and at the edge the attempt to rally."""
    unit = game.unit(name)
    if not figures_of(unit):
        return game
    score = (yield from roll(Roll(purpose=f"{name} {_SAYS[giving]}", count=1, rule=_ROWS[giving]))).total
    cause = None if source is None else game.unit(source)
    way = way_off(game, unit, cause)
    ground = ground_given(game, unit, way, rolled_mm(unit, score, giving), giving)
    left = moved_off(game, unit, ground.figures, way, ground.distance_mm, giving)
    stood = state(name, stood_at=[[one.x_mm, one.y_mm] for one in figures_of(unit)])
    game = yield from happen(replace(left, changes=(*left.changes, *stood)))
    if ground.at_edge and giving != "fall-back":
        game = yield from rally_off_the_edge(game, name, giving)
    return game


def moved_off(
    game: Game, unit: Unit, figures: Sequence[Figure], way: Vector, distance_mm: float, giving: Giving
) -> Event:
    """The event of giving ground: facing the enemy, in panic away from him; nobody is in contact any more."""
    facing = bearing_to((0.0, 0.0), way)
    if giving != "panic":
        facing = (facing + 180.0) % 360.0
    going = alighted(game, figures, moved(figures, way, distance_mm))
    if on_roof(unit):
        going = tuple(replace(figure, z_mm=0.0) for figure in going)
    changes: tuple[Change, ...] = (PlaceFigures(places=places(going, facing)),)
    facts = {"unit": unit.id, "distance_mm": distance_mm, "why": _SAYS[giving]}
    return Event(event="moved", facts=facts, changes=(*changes, *apart(game, unit)), rule=_ROWS[giving])


def disordered(unit: Unit) -> tuple[Change, ...]:
    """The unit is in disorder (PR-321)."""
    return () if unit.formation == "disorder" else (SetUnit(unit=unit.id, key="formation", value="disorder"),)


def apart(game: Game, unit: Unit) -> tuple[Change, ...]:
    """The unit is up and in melee with nobody any more; it has left whatever sheltered it."""
    return (*parted(game, unit), *state_where(unit, charging=False), *went(game, unit))


def went(game: Game, unit: Unit) -> tuple[Change, ...]:
    """What going anywhere on its feet leaves behind: posture, shelter, the aim of guns."""
    return (*state_where(unit, posture="standing"), *left_shelter(unit), *aim_lost(game, unit))


def left_shelter(unit: Unit) -> tuple[Change, ...]:
    """Cover, posts and works that the unit had taken are behind it, and what it drilled at is broken off."""
    return state_where(
        unit, hunkered=False, taking_cover=False, covered_reload=False, position=None, works=None, works_actions=0,
        drill_actions=0, drill=None,
    )  # fmt: skip


def parted(game: Game, unit: Unit) -> tuple[Change, ...]:
    """The melees of a unit are over."""
    found = list(state(unit.id, engaged_with=[])) if state_of(unit).engaged_with else []
    for other in game.units:
        held = state_of(other).engaged_with
        if unit.id in held:
            found += state(other.id, engaged_with=[name for name in held if name != unit.id])
    return tuple(found)


def rally_number(game: Game, unit: Unit) -> int:
    """What a panicked unit needs on a d6: 6 less the best officer's or chief's command within 2 in (PR-202)."""
    return 6 - officer_over(game, unit)


def towards_nearest(game: Game, unit: Unit) -> float | None:
    """The bearing to the middle of the nearest enemy unit, whom those who rally face; None without one (PR-203)."""
    found = [
        (near.distance_mm, enemy)
        for enemy in game.enemies(unit)
        if not state_of(enemy).hidden and (near := units_apart(game, unit, enemy)) is not None
    ]
    if not found:
        return None
    enemy = min(found, key=lambda one: round(one[0], 6))[1]
    return bearing_to(centroid(figures_of(unit)), centroid(figures_of(enemy)))


def rally_off_the_edge(game: Game, name: str, giving: Giving) -> Procedure[Game]:
    """One attempt at the edge of the table, none for a side's last unit in panic (PR-204, PR-714, PR-715)."""
    unit = game.unit(name)
    last = all(one.id == name or one.side != unit.side or not on_table(one) for one in game.units)
    if not (last and giving == "panic"):
        need = rally_number(game, unit)
        request = Roll(purpose=f"{name} rallies at the edge", count=1, success=f">={need}", rule="PR-204")
        if (yield from roll(request)).passed:
            turned = PlaceFigures(places=places(_who(unit, giving), towards_nearest(game, unit)))
            changes = (*state(name, morale="disordered"), *disordered(unit), turned)
            return (yield from happen(Event(event="rallied", facts={"unit": name}, changes=changes, rule="PR-204")))
    changes = state(name, morale="off-board", actions_left=0, held=0)
    return (yield from happen(Event(event="off-board", facts={"unit": name}, changes=changes, rule="PR-204")))
