"""``rally``: panicked men stand again, or run on (PR-202 to PR-204)."""

from __future__ import annotations

from engine.dice import Roll
from engine.events import Event, PlaceFigures
from engine.geometry.moving.moves import places
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.nerve.giving_ground import disordered, rally_number, runs_off, towards_nearest
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.vocabulary import figures_of, state_of

__all__ = ["rally"]


def rally(game: Game, action: Action) -> Procedure[None]:
    """A panicked unit tries to rally; failing, it runs on at once. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = Reasons()
    reasons.add(not on_table(unit), f"{unit.id} has no figures on the table", "PR-202")
    reasons.add(state_of(unit).morale != "panicked", f"{unit.id} has not panicked", "PR-202")
    ran = state_of(unit).failed == "panic" and state_of(unit).actions_left == 0
    reasons.add(ran, f"{unit.id} has run already this turn", "PR-203")
    return _rally(game, unit, action, allow(action, reasons))


def _rally(game: Game, unit: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not on_table(unit):
        return
    need = rally_number(game, unit)
    rolled = yield from roll(Roll(purpose=f"{unit.id} rallies", count=1, success=f">={need}", rule="PR-202"))
    if rolled.passed:
        facing = towards_nearest(game, unit)
        turned = PlaceFigures(places=places(figures_of(unit), facing))
        changes = (*state(unit.id, morale="disordered"), *disordered(unit), turned)
        facts = {"unit": unit.id, "required": need}
        yield from happen(Event(event="rallied", facts=facts, changes=changes, rule="PR-203"))
        return
    changes = (*spent(unit, state_of(unit).actions_left), *state(unit.id, failed="panic"))
    facts = {"unit": unit.id, "required": need}
    game = yield from happen(Event(event="rally-failed", facts=facts, changes=changes, rule="PR-203"))
    yield from runs_off(game, unit.id, "panic", None)
