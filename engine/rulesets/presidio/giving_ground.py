"""Units that give ground: falling back, retreating, running away (PR-711, PR-713 to PR-715, PR-204)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures, SetUnit
from engine.geometry.moves import (
    Vector,
    away,
    bearing_to,
    centroid,
    mean_bearing,
    moved,
    places,
    room_to_edge,
    towards,
)
from engine.geometry.tolerance import MM
from engine.play import Procedure, happen, roll
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import state, state_where
from engine.rulesets.presidio.field import on_table
from engine.rulesets.presidio.leading import officer_over
from engine.rulesets.presidio.shelter import foremost, shelters
from engine.rulesets.presidio.sorts import class_of, has_role, holds_front, mounted
from engine.rulesets.presidio.vocabulary import (
    MM_PER_IN,
    conditions_of,
    figures_of,
    is_artillery,
    state_of,
    stats_of,
)

__all__ = ["Giving", "ground_given", "rally_number", "rally_off_the_edge", "rolled_mm", "runs_off", "way_off"]

Giving = Literal["fall-back", "retreat", "panic"]

_EDGES = {"south": 180.0, "north": 0.0, "west": 270.0, "east": 90.0}
_SAYS = {"fall-back": "falls back", "retreat": "retreats", "panic": "runs away"}
_ROWS = {"fall-back": "PR-713", "retreat": "PR-714", "panic": "PR-715"}


def rolled_mm(unit: Unit, score: int, giving: Giving) -> float:
    """How far a die brings a unit that gives ground: a walk, or else a run.

    Lines go at half, and so do disordered units of line class; others run at full speed (PR-306, PR-321).
    """
    stats, going = stats_of(unit), book().going
    base = going.mounted if mounted(unit) else book().pace.get(unit.type, book().pace["leader"])
    inches = (base + stats.move + score) * (1 if giving == "fall-back" else 2)
    slow = class_of(unit) == "line" and unit.formation in ("line", "extended-line", "disorder")
    if slow or (holds_front(unit) and giving == "fall-back"):
        inches = inches * going.half + (going.drummer if has_role(unit, "drummer") else 0.0)
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
class _Ground:
    """How far a unit gives ground, which figures, and whether they come to the table's edge."""

    figures: tuple[Figure, ...]
    distance_mm: float
    at_edge: bool


def ground_given(game: Game, unit: Unit, way: Vector, length_mm: float, giving: Giving) -> _Ground:
    """How far along a way: to cover on its second half, unless in panic; to the table's edge at most."""
    figures = _who(unit, giving)
    distance = length_mm
    if giving != "panic" and figures:
        found = shelters(game, foremost(figures, way), way, length_mm)
        furthest = giving == "retreat" and conditions_of(game).options.retreat_cover == "furthest"
        distance = (found[-1] if furthest else found[0]) if found else length_mm
    room = room_to_edge(figures, way, game.table) if figures else 0.0
    return _Ground(figures, min(distance, room), distance >= room - MM)


def _who(unit: Unit, giving: Giving) -> tuple[Figure, ...]:
    """All of it; in panic guns and limbers stay where they are (PR-715)."""
    left = ("gun", "limber") if giving == "panic" and is_artillery(unit) else ()
    return tuple(figure for figure in figures_of(unit) if figure.role not in left)


def runs_off(game: Game, name: str, giving: Giving, source: str | None) -> Procedure[Game]:
    """A unit gives ground after a check: the movement die, the way, and at the edge the attempt to rally."""
    unit = game.unit(name)
    score = (yield from roll(Roll(purpose=f"{name} {_SAYS[giving]}", count=1, rule=_ROWS[giving]))).total
    cause = None if source is None else game.unit(source)
    way = way_off(game, unit, cause)
    ground = ground_given(game, unit, way, rolled_mm(unit, score, giving), giving)
    game = yield from happen(moved_off(unit, ground.figures, way, ground.distance_mm, giving))
    if ground.at_edge and giving != "fall-back":
        game = yield from rally_off_the_edge(game, name, giving)
    return game


def moved_off(unit: Unit, figures: Sequence[Figure], way: Vector, distance_mm: float, giving: Giving) -> Event:
    """The event of giving ground: facing the enemy, in panic away from him; nobody is in contact any more."""
    facing = bearing_to((0.0, 0.0), way)
    if giving != "panic":
        facing = (facing + 180.0) % 360.0
    changes: tuple[Change, ...] = (PlaceFigures(places=places(moved(figures, way, distance_mm), facing)),)
    facts = {"unit": unit.id, "distance_mm": distance_mm, "why": _SAYS[giving]}
    return Event(event="moved", facts=facts, changes=(*changes, *apart(unit)), rule=_ROWS[giving])


def disordered(unit: Unit) -> tuple[Change, ...]:
    """The unit is in disorder (PR-321)."""
    return () if unit.formation == "disorder" else (SetUnit(unit=unit.id, key="formation", value="disorder"),)


def apart(unit: Unit) -> tuple[Change, ...]:
    """The unit is in melee with nobody any more, and stands."""
    engaged = state(unit.id, engaged_with=[]) if state_of(unit).engaged_with else ()
    return (*engaged, *state_where(unit, hunkered=False, taking_cover=False, charging=False))


def rally_number(game: Game, unit: Unit) -> int:
    """What a panicked unit needs on a d6: 6 less the best officer's or chief's command within 2 in (PR-202)."""
    return 6 - officer_over(game, unit)


def rally_off_the_edge(game: Game, name: str, giving: Giving) -> Procedure[Game]:
    """One attempt at the edge of the table, none for a side's last unit in panic (PR-204, PR-714, PR-715)."""
    unit = game.unit(name)
    last = all(one.id == name or one.side != unit.side or not on_table(one) for one in game.units)
    if not (last and giving == "panic"):
        need = rally_number(game, unit)
        request = Roll(purpose=f"{name} rallies at the edge", count=1, success=f">={need}", rule="PR-204")
        if (yield from roll(request)).passed:
            changes = (*state(name, morale="disordered"), *disordered(unit))
            return (yield from happen(Event(event="rallied", facts={"unit": name}, changes=changes, rule="PR-204")))
    changes = state(name, morale="off-board", actions_left=0, held=0)
    return (yield from happen(Event(event="off-board", facts={"unit": name}, changes=changes, rule="PR-204")))
