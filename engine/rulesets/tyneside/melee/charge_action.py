"""``charge``: a unit goes into contact, or as far as it gets (TY-70)."""

from __future__ import annotations

from engine.events import Event
from engine.geometry.moving.moves import bearing_to, gap_between
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.tyneside.changes import shifted
from engine.rulesets.tyneside.melee.charging import charge_option
from engine.rulesets.tyneside.movement.move_action import moved_by
from engine.rulesets.tyneside.movement.walking import step_of
from engine.rulesets.tyneside.vocabulary import figures_of

__all__ = ["charge"]


def charge(game: Game, action: Action) -> Procedure[None]:
    """A unit charges another. Raises ActionRefused with every reason."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    option = charge_option(game, unit, target)
    reasons = list(option.why_not)
    if unit.side == target.side:
        reasons.append(f"{target.id} is on the same side as {unit.id}")
    return _charge(game, unit, target, action, allow(action, reasons, option.why_rules))


def _charge(game: Game, unit: Unit, target: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    gap = gap_between(figures_of(unit), figures_of(target))
    if gap is None:
        return
    start = (gap.start.x_mm, gap.start.y_mm)
    goal = (
        start[0] + gap.direction[0] * gap.distance_mm, start[1] + gap.direction[1] * gap.distance_mm,
    )  # fmt: skip
    step = step_of(game, unit, goal, lead=gap.start, fresh=bool(against))
    facing = bearing_to((0.0, 0.0), gap.direction)
    changes = (
        *shifted(figures_of(unit), gap.direction, step.distance_mm, facing), *moved_by(game, unit, step),
    )  # fmt: skip
    result = "contact" if step.distance_mm >= gap.distance_mm - MM else "short"
    facts = {"unit": unit.id, "target": target.id, "result": result, "distance_mm": step.distance_mm}
    yield from happen(Event(event="charge", facts=facts, changes=changes, rule="TY-70"))
