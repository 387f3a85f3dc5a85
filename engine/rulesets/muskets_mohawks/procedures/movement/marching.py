"""``march``: a unit moves straight on as a body, where no camera sees the figures moved by hand (MM-44, MM-46)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from engine.events import Change, Event, PlaceFigures
from engine.geometry.moving.moves import centroid, mean_bearing, places, towards, turn_between, way_between
from engine.geometry.moving.passing import clear_of, runs_into
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM, at_most
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, GoalMm, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.move_options import allowance_mm, move_reasons
from engine.rulesets.muskets_mohawks.procedures.changes import formed, state
from engine.rulesets.muskets_mohawks.procedures.movement.fording import held_by_water
from engine.rulesets.muskets_mohawks.procedures.movement.going import after_going, going
from engine.rulesets.muskets_mohawks.procedures.movement.leaving import nearing_reasons
from engine.rulesets.muskets_mohawks.procedures.movement.manoeuvres import manoeuvres
from engine.rulesets.muskets_mohawks.procedures.movement.straight import Way, free_way, through_woods
from engine.rulesets.muskets_mohawks.procedures.nerve.rally import TEST, carry_out_rally
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import Cause, take_test
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, state_of
from engine.rulesets.muskets_mohawks.wording import angle, length

__all__ = ["MarchKeys", "march"]

_NEVER_FORMED = ("gunners", "leader", "wagon")
#: Who turns by less than this faces as he did.
_TURNED_DEG = 0.5


class MarchKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``march``: where the unit's middle goes, and how one that is unformed, or stays, faces then."""

    to: GoalMm
    facing_deg: Annotated[float, Meta(ge=-360, le=360)] | None = None


def march(game: Game, action: Action, keys: MarchKeys) -> Procedure[None]:
    """Begins ``march``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = move_reasons(game, unit)
    way = way_between(centroid(going(unit)), keys.to) if going(unit) else None
    if not reasons and way is not None:
        _judge(game, unit, keys, way, reasons)
    elif not reasons:
        _judge_turn(unit, keys, reasons)
    return _march(game, action, unit, keys, way, allow(action, reasons))


def _judge(game: Game, unit: Unit, keys: MarchKeys, way: tuple[Vector, float], reasons: Reasons) -> None:
    """Why the unit may not go there: too far, off its front, something in the way."""
    direction, far = way
    left = allowance_mm(game, unit)
    reasons.add(not at_most(far, left), f"it is {length(far)} off, and it may move {length(left)}", "MM-46")
    loose = _loose(unit)
    facing = mean_bearing(unit.figures)
    if not loose and facing is not None:
        ahead = towards(facing)
        along = ahead[0] * direction[0] + ahead[1] * direction[1]
        reasons.add(
            along < manoeuvres().ahead_cosine and not _straight_back(unit, direction),
            f"a formed unit goes up to {angle(manoeuvres().ahead_deg)} off its front",
            "MM-44",
        )
    reasons.add(not loose and keys.facing_deg is not None, "a formed unit keeps its facing while it moves", "MM-44")
    friends = [one for one in game.units if one.side == unit.side and one.id != unit.id and one.figures]
    free = free_way(game, unit, direction, far, passing=frozenset(one.id for one in friends))
    text = f"something is in its way after {length(free.distance_mm)}"
    reasons.add(not at_most(far, free.distance_mm), text, "MM-52")
    _judge_friends(unit, friends, way, reasons)
    _judge_ground(game, unit, way, reasons)
    reasons.extend(nearing_reasons(game, unit, way))
    wet = held_by_water(game, unit, figures_of(unit), direction, far)
    reasons.add(wet is not None, wet or "", "MM-191")


def _judge_turn(unit: Unit, keys: MarchKeys, reasons: Reasons) -> None:
    """Why the unit may not turn where it stands: a formed one turns before it goes (MM-44)."""
    facing, moved = mean_bearing(going(unit)), state_of(unit).moved_mm
    stays = keys.facing_deg is None or (facing is not None and turn_between(facing, keys.facing_deg) < _TURNED_DEG)
    reasons.add(stays, "it stands there already, facing that way", "MM-44")
    text = f"has moved {length(moved)} in this activation: a formed unit turns before it goes"
    reasons.add(not _loose(unit) and moved > MM, text, "MM-44")


def _turned(game: Game, unit: Unit, keys: MarchKeys) -> Event:
    """A turn where the unit stands takes half of its move; men who go loose end a move facing any way (MM-44)."""
    moved = state_of(unit).moved_mm
    costs = keys.facing_deg is not None and not (_loose(unit) and moved > MM)
    facts = {"unit": unit.id, "distance_mm": 0.0, "to_mm": list(keys.to), "turned": True}
    changes: tuple[Change, ...] = (
        PlaceFigures(places=places(going(unit), keys.facing_deg)),
        *state(unit.id, moved_mm=moved + (normal_move_mm(game, unit) / 2 if costs else 0.0)),
    )
    return Event(event="marched", facts=facts, changes=changes, rule="MM-44")


def _straight_back(unit: Unit, direction: Vector) -> bool:
    """Whether a line goes straight back, which tries its order (MM-44)."""
    facing = mean_bearing(unit.figures)
    if formation_of(unit) != "formed-line" or facing is None:
        return False
    ahead = towards(facing)
    return ahead[0] * direction[0] + ahead[1] * direction[1] < -1 + 1e-6


def _loose(unit: Unit) -> bool:
    """Whether the unit goes and is gone through as those do who are unformed."""
    return formation_of(unit) == "unformed" or unit.type in _NEVER_FORMED


def _judge_friends(unit: Unit, friends: Sequence[Unit], way: tuple[Vector, float], reasons: Reasons) -> None:
    """A formed unit does not pass another, and nobody ends upon one that he passes (MM-51, MM-52)."""
    figures, (direction, far) = figures_of(unit), way
    for one in friends:
        if one.type == "pef" or state_of(one).in_building is not None:
            continue
        if not _loose(unit) and not _loose(one):
            met = runs_into(figures, one.figures, direction, far)
            reasons.add(met is not None, f"{one.id} is in its way after {length(met or 0.0)}", "MM-51")
        else:
            through = at_most(clear_of(figures, [one.figures], direction, far), far)
            reasons.add(not through, f"it cannot get wholly through {one.id}", "MM-52")


def _judge_ground(game: Game, unit: Unit, way: tuple[Vector, float], reasons: Reasons) -> None:
    """Nobody goes through woods formed, or along a road in line (MM-256)."""
    if _loose(unit):
        return
    sheet, (direction, far) = sheet_of(game), way
    start = sheet.body(unit).centre
    end = start + np.array(direction) * far
    for wood in through_woods(sheet, start, end):
        reasons.add(True, f"nobody goes through woods formed ({wood})", "MM-256")
    for road in sheet.of_kind("road"):
        along = bool(road.shape.contains(start).all() and road.shape.contains(end).all())
        text = f"nobody goes along a road in formed line ({road.id})"
        reasons.add(along and formation_of(unit) == "formed-line", text, "MM-256")


def _march(
    game: Game,
    action: Action,
    unit: Unit,
    keys: MarchKeys,
    way: tuple[Vector, float] | None,
    against: tuple[str, ...],
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if way is None:
        yield from happen(_turned(game, unit, keys))
        return
    distance = way[1]
    gone = Way(direction=way[0], distance_mm=distance).taken(going(unit))
    changes: list[Change] = [PlaceFigures(places=places(gone, keys.facing_deg))]
    changes += [*state(unit.id, moved_mm=state_of(unit).moved_mm + distance), *after_going(game, unit, gone)]
    back = _straight_back(unit, way[0])
    if back:
        changes += formed(unit.id, "unformed")  # until it has shown that it keeps its line
    facts: dict[str, Any] = {"unit": unit.id, "distance_mm": distance, "to_mm": list(keys.to)}
    game = yield from happen(Event(event="marched", facts=facts, changes=tuple(changes), rule="MM-44"))
    if back:
        tested = yield from take_test(game, unit.id, [TEST], Cause(), fired_at=False, rows=["form-line"])
        yield from carry_out_rally(tested.game, unit.id, "form-line", tested.result, None)
