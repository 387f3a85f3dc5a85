"""``move``: a unit goes as a body to where its lead figure is sent, as far as it gets (TY-20 to TY-23)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.events import Change, Event
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, GoalMm, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.tyneside.changes import left_position, shifted, state
from engine.rulesets.tyneside.movement.moving import move_reasons
from engine.rulesets.tyneside.movement.walking import Step, step_of
from engine.rulesets.tyneside.vocabulary import figures_of, state_of

__all__ = ["MoveKeys", "move", "moved_by"]


class MoveKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``move``: where the lead figure goes, and which way all face then (as they did)."""

    to: GoalMm
    facing_deg: float | None = None


def move(game: Game, action: Action, keys: MoveKeys) -> Procedure[None]:
    """A unit moves, and stops where its move or the ground ends it. Raises ActionRefused with every reason."""
    unit = game.unit(action.unit or "")
    reasons, table = move_reasons(game, unit), game.table
    inside = all(-MM <= at <= size + MM for at, size in zip(keys.to, (table.width_mm, table.depth_mm), strict=True))
    reasons.add(not inside, f"({keys.to[0]:g}, {keys.to[1]:g}) is off the table", "TY-20")
    return _move(game, unit, keys, action, allow(action, reasons))


def _move(game: Game, unit: Unit, keys: MoveKeys, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not figures_of(unit):
        return
    step = step_of(game, unit, keys.to, fresh=bool(against))
    facing = None if keys.facing_deg is None else keys.facing_deg % 360.0
    changes = (*shifted(figures_of(unit), step.direction, step.distance_mm, facing), *moved_by(game, unit, step))
    facts = {"unit": unit.id, "distance_mm": step.distance_mm, "used_mm": step.used_mm}
    yield from happen(Event(event="moved", facts=facts, changes=changes, rule="TY-20"))
    if step.stopped_by is not None:
        facts = {"unit": unit.id, "by": step.stopped_by}
        yield from happen(Event(event="stopped", facts=facts, rule="TY-22"))


def moved_by(game: Game, unit: Unit, step: Step) -> tuple[Change, ...]:
    """How much of its move a unit has used this turn: half for at most half of the allowance, else full (TY-20)."""
    if step.distance_mm <= MM:
        return ()
    share: Literal["half", "full"] = "full"
    if state_of(unit).moved == "none" and step.used_mm <= step.whole_mm / 2.0 + MM:
        share = "half"
    return (*state(unit.id, moved=share), *left_position(game, unit, step.direction, step.distance_mm))
