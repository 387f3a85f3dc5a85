"""The actions ``rally`` and ``form-line`` (MM-66, MM-73, MM-81, R-59)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.events import Change, Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.actions import action_reasons
from engine.rulesets.muskets_mohawks.procedures.changes import formed, gun_regained, state
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import Cause, take_test
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction_tables import has_test, rule_of
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import retire_half
from engine.rulesets.muskets_mohawks.table.broken_ground import broken_ground
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, state_of

__all__ = ["RallyKeys", "carry_out_rally", "formation_reasons", "rally", "rally_row"]

TEST = "rally-or-form-line"


class RallyKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``rally`` and ``form-line``."""

    formation: Literal["formed-line", "mob", "unformed"] | None = None


def rally(game: Game, action: Action, keys: RallyKeys) -> Procedure[None]:
    """Begins either action. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = Reasons()
    reasons.extend(action_reasons(game, unit, action.action))
    reasons.extend(formation_reasons(game, unit, keys.formation))
    if not has_test(troop(unit, game).reaction or "", _row(action.action)):
        reasons.add(not reasons, f"{unit.id} has no such test", "MM-66")
        allow(Action(action=action.action), reasons)
    return _rally(game, action, keys, allow(action, reasons))


def _row(action: str) -> str:
    return "rally" if action == "rally" else "form-line"


def rally_row(unit: Unit) -> str:
    """The row of the table that the test is read in: a retiring unit rallies, another forms line."""
    return "rally" if state_of(unit).retiring else "form-line"


def formation_reasons(game: Game, unit: Unit, formation: str | None) -> Reasons:
    """Why the unit may not take a formation where it stands, in this war."""
    reasons, kind, ground = Reasons(), troop(unit, game), broken_ground(game, unit)
    if formation in ("formed-line", "mob") and ground is not None:
        reasons.add(True, f"in {ground} units are unformed", "MM-189" if ground == "woods" else "MM-191")
    elif formation == "formed-line" and not kind.may_form_line:
        reasons.add(True, f"{unit.id} may not stand in a formed line", "MM-26")
    elif formation == "mob" and conditions_of(game).period == "napoleonic" and kind.regular:
        reasons.add(True, "in the Napoleonic wars infantry does not form a mob by choice", "MM-244")
    elif unit.type == "gunners" and formation not in (None, "unformed"):
        reasons.add(True, "gunners stand unformed round their gun", "MM-17")
    return reasons


def _rally(game: Game, action: Action, keys: RallyKeys, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    assert action.unit is not None
    row = _row(action.action)
    tested = yield from take_test(game, action.unit, [TEST], Cause(), fired_at=False, rows=[row])
    yield from carry_out_rally(tested.game, action.unit, row, tested.result, keys.formation)


def carry_out_rally(game: Game, unit: str, row: str, result: str, formation: str | None) -> Procedure[Game]:
    """Does what a rally test says; either way it was the unit's activation (R-59)."""
    rule = rule_of(troop(game.unit(unit), game).reaction or "", row)
    if result == "retire-half":
        game = yield from retire_half(game, unit, rule)
    changes: list[Change] = [*state(unit, activated=True)]
    if result == "form-line":
        changes += formed(unit, "formed-line")
    elif result == "form-up":
        changes += [*state(unit, retiring=False), *formed(unit, formation or _usual(game, game.unit(unit)))]
    elif result == "halt-unformed":
        changes += state(unit, retiring=False)
    if result in ("form-up", "halt-unformed"):
        changes += gun_regained(game.unit(unit))
    facts = {"unit": unit, "result": result}
    return (yield from happen(Event(event="rallied", facts=facts, changes=tuple(changes), rule="R-59")))


def _usual(game: Game, unit: Unit) -> str:
    if unit.type == "gunners" or broken_ground(game, unit) is not None:
        return "unformed"
    return "formed-line" if troop(unit, game).may_form_line else "mob"
