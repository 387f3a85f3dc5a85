"""``risk``: a die on the Actions table, and what the unit therefore does (TY-58 to TY-66)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.tyneside.book import Outcome
from engine.rulesets.tyneside.changes import state
from engine.rulesets.tyneside.nerve.results import effect_of
from engine.rulesets.tyneside.nerve.risk import Risk, outcome_of, risk_of
from engine.rulesets.tyneside.table.facts import platoon_of
from engine.rulesets.tyneside.vocabulary import figures_of, state_of

__all__ = ["risk"]


def risk(game: Game, action: Action) -> Procedure[None]:
    """A unit throws on the Actions table. Raises ActionRefused with every reason."""
    unit, reasons = game.unit(action.unit or ""), Reasons()
    now = state_of(unit)
    reasons.add(not figures_of(unit), f"{unit.id} has no figure left", "TY-40")
    reasons.add(now.hidden, f"{unit.id} is hidden: reveal it first", "TY-82")
    reasons.add(now.result is not None, f"has thrown already this turn: {now.result}", "TY-58")
    return _risk(game, unit, action, allow(action, reasons))


def _risk(game: Game, unit: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not figures_of(unit):
        return
    found = risk_of(game, unit)
    rolled = yield from roll(Roll(purpose=f"{unit.id} on the Actions table", count=1, rule="TY-58"))
    outcome = outcome_of(game, unit, found, rolled.total)
    company = _company(game, unit, outcome)
    rule = "TY-61" if unit.type != "formed" else "TY-62"
    if company is not None:
        outcome, rule = _theirs(company), "TY-63"
    changes = state(
        unit.id, may_charge=outcome.charge, routing=outcome.result == "run", result=outcome.result,
        binding=outcome.binding,
    )  # fmt: skip
    if unit.type == "formed":
        changes += state(unit.id, threw=1 + max((state_of(one).threw or 0 for one in _side(game, unit)), default=0))
    facts = _facts(game, unit, found, outcome) | ({} if company is None else {"company": company.id})
    yield from happen(Event(event="risk", facts=facts, changes=changes, rule=rule))


def _facts(game: Game, unit: Unit, found: Risk, outcome: Outcome) -> dict[str, Any]:
    """What a result says, and where it sends the unit: the players move it."""
    facts: dict[str, Any] = {
        "unit": unit.id, "rf": found.rf, "row": found.row,
        "factors": [{"name": one.name, "effect": one.effect, "rule": one.rule} for one in found.factors],
        "result": outcome.result, "charge": outcome.charge, "binding": outcome.binding,
    }  # fmt: skip
    effect = effect_of(game, unit, outcome)
    return facts | {key: value for key, value in effect.items() if value is not None}


def _company(game: Game, unit: Unit, outcome: Outcome) -> Unit | None:
    """The group whose result an uncommanded squad takes over: the first of its platoon to have one (TY-63)."""
    if unit.type != "formed" or state_of(unit).commanded or outcome.binding:
        return None
    squads = (game.unit(name) for name in platoon_of(game, unit) if name != unit.id)
    thrown = (squad for squad in squads if state_of(squad).result is not None)
    return min(thrown, key=lambda squad: state_of(squad).threw or 0, default=None)


def _side(game: Game, unit: Unit) -> Iterator[Unit]:
    return (one for one in game.units if one.side == unit.side)


def _theirs(squad: Unit) -> Outcome:
    now = state_of(squad)
    return Outcome(result=now.result or "halt", charge=now.may_charge, binding=now.binding)
