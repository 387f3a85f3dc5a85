"""The action ``trophies``: whether the victors stop to take them, and taking them (MM-67, MM-82, R-43)."""

from __future__ import annotations

from engine.events import Change, Event, SetStat
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.changes import state, state_where
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import Cause, take_test
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of, stats_of

__all__ = ["carry_out_trophies", "trophies"]

#: A unit of this Reputation or less gains by a trophy (MM-67).
GAINS_UP_TO = 4


def trophies(game: Game, action: Action) -> Procedure[None]:
    """Begins the action: the test after the first victory, or the activation spent on it. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    against = allow(action, _reasons(game, unit))
    if troop(unit, game).reaction not in ("regulars", "irregulars"):
        allow(Action(action=action.action), [f"{unit.id} has no such test"])
    return _take(game, action, against) if state_of(unit).taking_trophies else _test(game, action, against)


def _reasons(game: Game, unit: Unit) -> Reasons:
    reasons, now = Reasons(), state_of(unit)
    reasons.add(not figures_of(unit), "no figures left on the table", "MM-67")
    reasons.add(not troop(unit, game).irregular, "only Indians and other Irregulars take trophies", "MM-67")
    reasons.add(now.trophy, "has taken its trophy", "MM-67")
    reasons.add(bool(now.in_melee), "in melee", "R-43")
    reasons.add(now.retiring, "retiring: must rally first", "R-43")
    if now.taking_trophies:
        reasons.add(now.activated, "already activated this turn", "MM-67")
    else:
        # A melee won is no reason by itself: in a game written by hand it may be the one that asks for the test.
        none = "none are due: only the first melee that it wins brings any, and in its own side's turn"
        reasons.add(now.won_melee and now.trophies_due is False, none, "MM-67")
    return reasons


def _test(game: Game, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    assert action.unit is not None
    tested = yield from take_test(game, action.unit, ["trophies"], Cause(), fired_at=False)
    yield from carry_out_trophies(tested.game, action.unit, tested.result)


def carry_out_trophies(game: Game, unit: str, result: str) -> Procedure[Game]:
    """Notes what the test says."""
    due = state_where(game.unit(unit), trophies_due=False)
    changes = (*state(unit, taking_trophies=result == "take-trophies", won_melee=True), *due)
    return (yield from happen(Event(event=result, facts={"unit": unit}, changes=changes, rule="MM-82")))


def _take(game: Game, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    """The activation spent: the trophy is taken and the unit the better for it (R-43)."""
    game = yield from overruled(game, action, against)
    assert action.unit is not None
    rep = stats_of(game.unit(action.unit)).rep
    changes: list[Change] = [*state(action.unit, taking_trophies=False, trophy=True, activated=True)]
    if rep <= GAINS_UP_TO:
        changes += [SetStat(unit=action.unit, key="rep", value=rep + 1), *state(action.unit, rep_lent=True)]
    facts = {"unit": action.unit, "rep": rep + 1 if rep <= GAINS_UP_TO else rep}
    yield from happen(Event(event="trophy", facts=facts, changes=tuple(changes), rule="R-43"))
