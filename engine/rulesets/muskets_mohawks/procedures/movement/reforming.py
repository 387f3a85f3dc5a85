"""The action ``reform``: another formation, and half of the move; into and out of square (MM-44, MM-246)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.events import Change, Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.move_options import move_reasons
from engine.rulesets.muskets_mohawks.procedures.changes import formed, state
from engine.rulesets.muskets_mohawks.procedures.nerve.rally import formation_reasons
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, formation_of, state_of
from engine.rulesets.muskets_mohawks.wording import length

__all__ = ["ReformKeys", "reform"]

_NEVER = ("gunners", "leader", "wagon", "pef")


class ReformKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``reform``."""

    formation: Literal["formed-line", "mob", "unformed", "square"]


def reform(game: Game, action: Action, keys: ReformKeys) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = move_reasons(game, unit, in_square=True)
    moved = state_of(unit).moved_mm
    reasons.add(moved > 0, f"has moved {length(moved)} in this activation", "MM-44")
    reasons.add(unit.type in _NEVER, f"a {unit.type} has no formation to change", "MM-44")
    reasons.add(state_of(unit).in_building is not None, "inside a building units are unformed", "MM-172")
    reasons.add(formation_of(unit) == keys.formation, f"in {keys.formation} already", "MM-44")
    reasons.extend(formation_reasons(game, unit, keys.formation))
    _judge(game, unit, keys.formation, reasons)
    return _reform(game, action, unit, keys.formation, allow(action, reasons))


def _judge(game: Game, unit: Unit, formation: str, reasons: Reasons) -> None:
    """What the formation itself asks for: a line of the unformed a test, a square a line, and the wars' habits."""
    kind, now, conditions = troop(unit, game), formation_of(unit), conditions_of(game)
    tests = formation == "formed-line" and now == "unformed"
    reasons.add(tests, "who is unformed tests whether it forms line", "MM-66")
    if formation == "square":
        reasons.add(not conditions.squares, "squares are not in use in this game", "MM-246")
        reasons.add(not (kind.regular and kind.infantry), "only Regular infantry forms square", "MM-246")
        reasons.add(now != "formed-line", "a square is formed from a formed line", "MM-246")
    foot = conditions.period == "napoleonic" and kind.regular and kind.infantry and unit.type != "light"
    text = "in the Napoleonic wars only light infantry leaves its order by choice"
    reasons.add(foot and formation == "unformed", text, "MM-244")


def _reform(game: Game, action: Action, unit: Unit, formation: str, against: tuple[str, ...]) -> Procedure[None]:
    """A square takes the whole turn (MM-246), any other formation half of the move (MM-44)."""
    yield from overruled(game, action, against)
    changes: list[Change] = [*formed(unit.id, formation)]
    if formation == "square":
        changes += state(unit.id, activated=True)
    else:
        changes += state(unit.id, moved_mm=normal_move_mm(game, unit) / 2)
    facts = {"unit": unit.id, "formation": formation}
    rule = "MM-246" if "square" in (formation, formation_of(unit)) else "MM-44"
    yield from happen(Event(event="reformed", facts=facts, changes=tuple(changes), rule=rule))
