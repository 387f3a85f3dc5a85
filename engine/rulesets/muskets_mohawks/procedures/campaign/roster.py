"""The roster between encounters: Reps, strengths, recovery, replacements, desertion (MM-38, MM-168 to MM-240)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, SetStat
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import (
    army_list,
    campaign_table,
    side_campaign,
)
from engine.rulesets.muskets_mohawks.procedures.changes import state, state_where
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, state_of, stats_of

__all__ = [
    "BattleKeys", "ChangeKeys", "RepKeys", "after_battle", "desertion", "field_strength", "generate_rep",
    "rep_change", "replace_leader", "replacements",
]  # fmt: skip

LOWEST_REP, HIGHEST_REP = 2, 6
_NOT_LED = ("civilian", "wagon", "pef")


class RepKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``generate-rep``."""

    kind: Literal["unit", "leader"]


class BattleKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``after-battle``."""

    won: bool


class ChangeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``rep-change``."""

    success: bool


def generate_rep(game: Game, action: Action, keys: RepKeys) -> Procedure[None]:
    """Begins ``generate-rep``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = Reasons()
    listed = keys.kind == "unit" and conditions_of(game).period != "fiw"
    text = "in this period units take their Rep from the army lists; only Leaders are rolled"
    reasons.add(listed, text, "MM-241")
    return _generate(game, action, unit, keys.kind, allow(action, reasons))


def replace_leader(game: Game, action: Action) -> Procedure[None]:
    """Begins ``replace-leader``: the new Leader's Rep (MM-236, R-64)."""
    return _generate(game, action, game.unit(action.unit or ""), "leader", ())


def _generate(game: Game, action: Action, unit: Unit, kind: str, against: Sequence[str]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    rolled = yield from roll(Roll(purpose=f"Rep of {unit.id} ({kind})", count=1, rule="MM-38"))
    total = rolled.total + (_unit_bonus(unit) if kind == "unit" else _leader_bonus(game, unit))
    rep = 3 if total <= 1 else 4 if total <= 4 else 5
    key = "rep" if kind == "unit" else "leader_rep"
    facts = {"unit": unit.id, "kind": kind, "total": total, "rep": rep}
    changes: tuple[Change, ...] = (SetStat(unit=unit.id, key=key, value=rep),)
    if kind == "unit" and conditions_of(game).evening.play is not None:
        changes = (*changes, *state(unit.id, rep_rolled=True))
    yield from happen(Event(event="rep", facts=facts, changes=changes, rule="MM-38"))


def _unit_bonus(unit: Unit) -> int:
    return int(campaign_table("rep").get(unit.type, 0))


def _leader_bonus(game: Game, unit: Unit) -> int:
    """One more for NCOs, irregular Leaders and war chiefs, and what the army's list adds (MM-39, MM-241)."""
    stats = stats_of(unit)
    listed = army_list(game, side_campaign(game, unit.side).army).get("mod", 0)
    if unit.type == "leader":
        return listed + (1 if stats.rank == "war-chief" or stats.nco else 0)
    return listed + (0 if unit.type in _NOT_LED else 1)


def field_strength(game: Game, action: Action) -> Procedure[None]:
    """Begins ``field-strength`` (MM-24)."""
    return _field_strength(game.unit(action.unit or ""))


def _field_strength(unit: Unit) -> Procedure[None]:
    stats = stats_of(unit)
    rolled = yield from roll(Roll(purpose=f"field strength of {unit.id}", count=1, rule="MM-24"))
    strength = max(0, (stats.paper_strength or 0) - max(0, stats.rep - rolled.total))
    facts = {"unit": unit.id, "strength": strength}
    changes = state(unit.id, strength=strength, start_strength=strength)
    yield from happen(Event(event="field-strength", facts=facts, changes=changes, rule="MM-24"))


def after_battle(game: Game, action: Action, keys: BattleKeys) -> Procedure[None]:
    """Begins ``after-battle`` (MM-168, MM-169)."""
    return _after_battle(game.unit(action.unit or ""), keys.won)


def _after_battle(unit: Unit, won: bool) -> Procedure[None]:
    now, rep = state_of(unit), stats_of(unit).rep
    lost = (now.start_strength or 0) if now.runaway else now.casualties
    base = 0 if now.runaway else (now.strength or 0)
    passed: int | None = None
    returned = 0
    if lost:
        dice = 1 if now.runaway else 2
        purpose = f"recovery of {unit.id}"
        rolled = yield from roll(Roll(purpose=purpose, count=dice, success=f"<={rep}", rule="MM-168"))
        passed = rolled.passed
        returned = lost if passed >= 2 else math.ceil(lost / 2) if passed == 1 and won else 0
    facts = {"unit": unit.id, "passed": passed, "returned": returned, "strength": base + returned}
    changes = state(unit.id, strength=base + returned, casualties=lost - returned)
    yield from happen(Event(event="after-battle", facts=facts, changes=changes, rule="MM-169"))


def rep_change(game: Game, action: Action, keys: ChangeKeys) -> Procedure[None]:
    """Begins ``rep-change`` (MM-237, MM-238)."""
    return _rep_change(game.unit(action.unit or ""), keys.success)


def _rep_change(unit: Unit, success: bool) -> Procedure[None]:
    now = state_of(unit)
    lent = 1 if now.rep_lent else 0  # a trophy's Rep is for the game only (MM-67)
    rep = stats_of(unit).rep - lent
    fought = now.scored_casualty or now.meleed
    broken = now.runaway or now.below_half
    change, rule = 0, "MM-237"
    if broken:
        rule = "MM-238"
        rolled = yield from roll(Roll(purpose=f"{unit.id}: Rep may fall", count=1, rule=rule))
        change = -1 if rolled.total == 1 and rep > LOWEST_REP else 0
    elif success and fought and not now.retired:
        rolled = yield from roll(Roll(purpose=f"{unit.id}: Rep may rise", count=1, rule=rule))
        change = 1 if (rolled.total > rep or rolled.total == 6) and rep < HIGHEST_REP else 0
    facts = {"unit": unit.id, "change": change, "rep": rep + change}
    changes: tuple[Change, ...] = ()
    if change or lent:
        changes = (SetStat(unit=unit.id, key="rep", value=rep + change), *state_where(unit, rep_lent=False))
    yield from happen(Event(event="rep-change", facts=facts, changes=changes, rule=rule))


def replacements(game: Game, action: Action) -> Procedure[None]:
    """Begins ``replacements`` (MM-239). Raises ActionRefused without a territory (R-60) or a level."""
    unit = game.unit(action.unit or "")
    campaign = side_campaign(game, unit.side)
    reasons = Reasons()
    unsettled = f"who contests the territory is not settled for {unit.side}"
    reasons.add(campaign.territory is None, unsettled, "MM-201")
    reasons.add(campaign.investment_level is None, f"{unit.side} has no investment level", "MM-208")
    allow(Action(action="replacements"), reasons)
    return _replacements(game, unit)


def _replacements(game: Game, unit: Unit) -> Procedure[None]:
    campaign, stats = side_campaign(game, unit.side), stats_of(unit)
    leader = yield from roll(
        Roll(purpose=f"Leader of {unit.id}", count=1, success=f"<={stats.leader_rep}", rule="MM-239")
    )
    level = yield from roll(
        Roll(purpose=f"investment of {unit.side}", count=1, success=f"<={campaign.investment_level}", rule="MM-239")
    )
    passed = leader.passed + level.passed
    strength, paper = state_of(unit).strength or 0, stats.paper_strength or 0
    whole = max(0, paper - strength)
    added, available = 0, True
    if 2 * strength > paper:
        added = (2 if campaign.territory == "controlling" else 1) if passed == 2 else 0
    elif passed == 1:
        added = 1
    else:
        added, available = whole, passed == 2
    facts = {
        "unit": unit.id, "passed": passed, "added": added, "available": available, "strength": strength + added,
    }  # fmt: skip
    changes = state(unit.id, strength=strength + added, **({} if available else {"misses_month": True}))
    yield from happen(Event(event="replacements", facts=facts, changes=changes, rule="MM-239"))


def desertion(game: Game, action: Action) -> Procedure[None]:
    """Begins ``desertion`` (MM-240, R-42)."""
    return _desertion(game, game.unit(action.unit or ""))


def _desertion(game: Game, unit: Unit) -> Procedure[None]:
    rep = side_campaign(game, unit.side).commander_rep
    rolled = yield from roll(Roll(purpose=f"desertion from {unit.id}", count=2, success=f"<={rep}", rule="MM-240"))
    strength = state_of(unit).strength or 0
    lost = min(strength, 2 - rolled.passed)
    facts: dict[str, Any] = {
        "unit": unit.id, "passed": rolled.passed, "lost": lost, "strength": strength - lost,
    }  # fmt: skip
    changes = state(unit.id, strength=strength - lost)
    yield from happen(Event(event="desertion", facts=facts, changes=changes, rule="MM-240"))
