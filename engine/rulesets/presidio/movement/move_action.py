"""``move``: a unit goes to where its lead figure is sent, as far as the die, its order and the ground let it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures, SetUnit
from engine.geometry.moving.moves import moved, places, turn_between
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.lines import crossing_points
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, GoalMm, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import aim_lost, spent, state, state_where
from engine.rulesets.presidio.movement.jumping import jumps
from engine.rulesets.presidio.movement.moving import Step, lead_figure, move_reasons, movers, step_of
from engine.rulesets.presidio.movement.reacting import reactions
from engine.rulesets.presidio.nerve.morale_action import check_formation
from engine.rulesets.presidio.table.bodies import body_of
from engine.rulesets.presidio.table.field import field_of, on_table
from engine.rulesets.presidio.table.sorts import class_of, formation_of, fronted, is_character, on_roof
from engine.rulesets.presidio.units.arms import loading_left
from engine.rulesets.presidio.units.going import arm_of, breaks_up, entered, on_road
from engine.rulesets.presidio.units.pacing import Pace, move_cost, moves_as, walk_in
from engine.rulesets.presidio.units.scaling import alighted
from engine.rulesets.presidio.vocabulary import MM_PER_IN, Count, Posture, is_artillery, state_of

__all__ = ["MoveKeys", "move"]


class MoveKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``move``: where the lead figure goes, how fast, which way all face then (as they did), the
    posture taken, and how many actions of loading are done on the way."""

    to: GoalMm
    pace: Pace = "walk"
    facing_deg: float | None = None
    posture: Posture | None = None
    reload: Count = 0


def move(game: Game, action: Action, keys: MoveKeys) -> Procedure[None]:
    """A unit moves. Raises ActionRefused with every reason."""
    unit = game.unit(action.unit or "")
    reasons = move_reasons(game, unit, keys.pace)
    reasons.extend(_loading_reasons(unit, keys))
    inside = all(-MM <= at <= size + MM for at, size in zip(keys.to, _size(game), strict=True))
    reasons.add(not inside, f"({keys.to[0]:g}, {keys.to[1]:g}) is off the table", "PR-301")
    down = on_roof(unit) and not _on_a_house(game, keys.to)
    reasons.add(down, f"{unit.id} stands on a roof: it must climb down first", "PR-303")
    return _move(game, unit, keys, action, allow(action, reasons))


def _on_a_house(game: Game, spot: Vector) -> bool:
    field = field_of(game)
    houses = [number for number, patch in enumerate(field.patches) if patch.kind == "house"]
    return bool(field.pieces.pick(houses).contains([spot]).any())


def _size(game: Game) -> tuple[float, float]:
    return game.table.width_mm, game.table.depth_mm


def _loading_reasons(unit: Unit, keys: MoveKeys) -> tuple[tuple[str, str], ...]:
    """What keeps a unit from loading on the way (PR-428)."""
    reasons = Reasons()
    if keys.reload:
        reasons.add(class_of(unit) not in ("light", "skirmish"), "only light troops load on the move", "PR-428")
        left = loading_left(unit)
        reasons.add(keys.reload > left, f"only {left} more to reload", "PR-428")
    return tuple(zip(reasons.texts, reasons.rules, strict=True))


def _move(game: Game, unit: Unit, keys: MoveKeys, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not on_table(unit):
        return
    score = (yield from roll(Roll(purpose=f"{unit.id} moves", count=1, rule="PR-301"))).total
    step = step_of(game, unit, keys.to, _allowance_mm(game, unit, keys, score))
    before = movers(unit)
    lead = lead_figure(before, keys.to)
    start = (lead.x_mm, lead.y_mm)
    end = (start[0] + step.direction[0] * step.distance_mm, start[1] + step.direction[1] * step.distance_mm)
    fallen = yield from jumps(game, unit, before, step.direction, step.distance_mm)
    passed = [friend for friend in _passed(game, unit, start, end) if class_of(friend) == "line"]
    checks = [unit] if class_of(unit) == "line" and any(True for _ in _passed(game, unit, start, end)) else []
    offered = list(reactions(game, unit, before, step.direction, step.distance_mm))
    game = yield from happen(_moved(game, unit, keys, step, start, end))
    if step.stopped_by is not None:
        facts = {"unit": unit.id, "by": step.stopped_by}
        game = yield from happen(Event(event="stopped", facts=facts, rule="PR-315"))
    game = yield from fallen(game)
    for one in (*checks, *passed):
        game, _ = yield from check_formation(game, one.id)
    for enemy, actions in offered:
        offer = {"to": enemy.id, "actions": actions, "by": unit.id}
        game = yield from happen(Event(event="reaction-offered", facts=offer, rule="PR-215"))


def _turns(unit: Unit, keys: MoveKeys) -> bool:
    """Whether a formed unit faces another way after the move (PR-323)."""
    if keys.facing_deg is None or not fronted(unit) or moves_as(unit) == "skirmish":
        return False
    facing = keys.facing_deg
    return any(
        one.bearing_deg is not None and abs(turn_between(one.bearing_deg, facing)) > 1e-3 for one in movers(unit)
    )


def _allowance_mm(game: Game, unit: Unit, keys: MoveKeys, score: int) -> float:
    """How far this move goes in the open (PR-301 to PR-309, PR-323, PR-424, PR-428)."""
    goings, now = book().going, state_of(unit)
    lead = lead_figure(movers(unit), keys.to)
    road = on_road(game, (lead.x_mm, lead.y_mm), keys.to)
    wanted = keys.posture or now.posture
    on_the_way = keys.reload * goings.reload
    if now.fired_moving and not now.fire_paid:
        on_the_way += goings.fire if keys.pace == "walk" else goings.fire_run
    crawls = now.posture == "prone" and wanted == "prone"
    far = walk_in(unit, score, road=road, crawls=crawls, less=on_the_way) * (1 if keys.pace == "walk" else 2)
    if wanted != now.posture:
        far -= goings.prone if "prone" in (wanted, now.posture) else goings.kneel
    if _turns(unit, keys) and not (road and formation_of(unit) == "column"):
        far -= goings.turn
    return max(far, 0.0) * MM_PER_IN


def _moved(game: Game, unit: Unit, keys: MoveKeys, step: Step, start: Vector, end: Vector) -> Event:
    """The event of the move with all that it leaves in the unit's state."""
    now = state_of(unit)
    facing = None if keys.facing_deg is None else keys.facing_deg % 360.0
    cost = move_cost(game, unit, keys.pace)
    far = "run" if keys.pace == "run" or now.moved == "run" or (cost == 0 and now.moved == "walk") else "walk"
    going = alighted(game, movers(unit), moved(movers(unit), step.direction, step.distance_mm))
    changes: list[Change] = [
        PlaceFigures(places=places(going, facing)),
        *spent(unit, cost), *state(unit.id, moved=far),
        *state_where(
            unit, hunkered=False, taking_cover=False, covered_reload=False, position=None, works=None,
            works_actions=0, drill_actions=0, fire_paid=now.fired_moving,
        ),
        *aim_lost(game, unit),
    ]  # fmt: skip
    if keys.posture is not None:
        changes += state(unit.id, posture=keys.posture)
    if keys.reload:
        left = max(loading_left(unit) - keys.reload, 0)
        changes += state(unit.id, reload_left=left)
        if left == 0:
            changes += state(unit.id, fire_mode=None)
    formation = _formation_after(game, unit, start, end)
    if formation != unit.formation:
        changes.append(SetUnit(unit=unit.id, key="formation", value=formation))
    facts = {"unit": unit.id, "distance_mm": step.distance_mm, "pace": keys.pace}
    return Event(event="moved", facts=facts, changes=tuple(changes), rule="PR-301")


def _formation_after(game: Game, unit: Unit, start: Vector, end: Vector) -> str:
    """Woods break formed units up, and skirmish troops leave their line (PR-310 to PR-313, PR-317)."""
    formation = moves_as(unit)
    if formation == formation_of(unit):
        formation = unit.formation
    arm = arm_of(unit)
    if (
        arm != "wheels"
        and not is_artillery(unit)
        and fronted(unit)
        and any(breaks_up(patch, arm) for patch in entered(game, start, end))
    ):
        return "skirmish"
    return formation


def _passed(game: Game, unit: Unit, start: Vector, end: Vector) -> Iterator[Unit]:
    """The friends through whose footprints the lead figure's way leads; single leaders disturb nobody (PR-325)."""
    if is_character(unit):
        return
    for friend in game.units:
        if friend.side != unit.side or friend.id == unit.id or not on_table(friend) or is_character(friend):
            continue
        if state_of(friend).hidden:
            continue
        corners = body_of(game, friend).corners()[0]
        if len(crossing_points(np.array([start]), np.array([end]), corners, np.roll(corners, -1, axis=0))):
            yield friend
