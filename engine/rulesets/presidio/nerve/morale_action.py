"""``morale`` and ``formation-check``: the dice of nerve and of order, and what follows (PR-701 to PR-731)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.changes import state, state_where
from engine.rulesets.presidio.fight_book import Result, fight_book
from engine.rulesets.presidio.nerve.giving_ground import Giving, disordered, parted, runs_off
from engine.rulesets.presidio.nerve.morale import (
    Cause,
    Raw,
    Situation,
    base_number,
    check_of,
    must_surrender,
    raw_result,
    situation_of,
)
from engine.rulesets.presidio.units.leading import command_over
from engine.rulesets.presidio.vocabulary import figures_of, state_of

__all__ = ["MoraleKeys", "check_formation", "check_nerve", "formation_check", "morale"]

_GIVING: Mapping[Result, Giving] = MappingProxyType(
    {"fall-back": "fall-back", "retreat": "retreat", "panic": "panic"}
)


class _Effect(Struct, frozen=True, kw_only=True):
    """What a result does to a unit: actions that it loses or keeps at most, whether its order, its state."""

    loses: int = 0
    keeps: int | None = None
    disorders: bool = False
    state: Mapping[str, Any] = {}


_EFFECTS: Mapping[Result, _Effect] = MappingProxyType(
    {
        "pass": _Effect(),
        "hold": _Effect(),
        "flinch": _Effect(loses=1),
        "hunker-down": _Effect(loses=2, state={"hunkered": True}),
        "disordered": _Effect(loses=1, disorders=True, state={"morale": "disordered"}),
        "fall-back": _Effect(keeps=1, state={"failed": "fall-back"}),
        "retreat": _Effect(keeps=0, disorders=True, state={"morale": "disordered", "failed": "retreat"}),
        "panic": _Effect(keeps=0, disorders=True, state={"morale": "panicked", "failed": "panic"}),
        "surrender": _Effect(keeps=0, state={"morale": "surrendered", "failed": "panic"}),
    }
)
#: What is different where the situation is such.
_OTHERWISE: Mapping[tuple[Situation, Result], _Effect] = MappingProxyType(
    {
        ("charging", "disordered"): _Effect(disorders=True, state={"morale": "disordered"}),
        ("charging", "fall-back"): _Effect(
            keeps=1, disorders=True, state={"morale": "disordered", "failed": "fall-back"}
        ),
        ("led-line", "fall-back"): _Effect(loses=1, state={"failed": "fall-back"}),
    }
)


class MoraleKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"from_": "from"}):
    """The keys of ``morale``: because of whom, and why."""

    from_: str | None = None
    cause: Cause = "casualties"


def morale(game: Game, action: Action, keys: MoraleKeys) -> Procedure[None]:
    """A unit checks its nerve. Raises ActionRefused, UnusableFile for a unit that there is not."""
    unit = game.unit(action.unit or "")
    if keys.from_ is not None:
        game.unit(keys.from_)
    return _morale(game, unit, keys, action, allow(action, _against(unit)))


def _against(unit: Unit) -> Reasons:
    reasons, state_now = Reasons(), state_of(unit)
    reasons.add(not figures_of(unit), f"{unit.id} has no figure left", "PR-701")
    gone = state_now.morale in ("surrendered", "off-board")
    reasons.add(gone, f"{unit.id} is {state_now.morale}", "PR-701")
    return reasons


def _morale(game: Game, unit: Unit, keys: MoraleKeys, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    yield from check_nerve(game, unit.id, keys.from_, keys.cause)


def formation_check(game: Game, action: Action) -> Procedure[None]:
    """A unit checks whether it keeps its order. Raises ActionRefused (PR-708)."""
    unit = game.unit(action.unit or "")
    return _formation_check(game, unit, action, allow(action, _against(unit)))


def _formation_check(game: Game, unit: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    yield from check_formation(game, unit.id)


def _open_ended(purpose: str, rule: str) -> Procedure[tuple[int, ...]]:
    """A d6 and, after a 6, another (PR-701)."""
    first = (yield from roll(Roll(purpose=purpose, count=1, rule=rule))).total
    if first != fight_book().morale.again:
        return (first,)
    return first, (yield from roll(Roll(purpose=f"{purpose}: again, added", count=1, rule=rule))).total


def check_formation(game: Game, name: str) -> Procedure[tuple[Game, bool]]:
    """The formation check of a unit: the game after it and whether the unit kept its order (PR-708)."""
    unit = game.unit(name)
    command, required = command_over(game, unit), base_number(unit)
    needed = f"{max(1, required - command)} or more keeps its order"
    dice = yield from _open_ended(f"formation check of {name}, {needed}", "PR-708")
    total = sum(dice) + command
    kept = total >= required
    changes = () if kept else (*disordered(unit), *state_where(unit, morale="disordered"))
    facts = {"unit": name, "passed": kept, "required": required, "total": total}
    event = Event(event="formation-check", facts=facts, changes=changes, rule="PR-708")
    return (yield from happen(event)), kept


def check_nerve(game: Game, name: str, source: str | None, cause: Cause) -> Procedure[tuple[Game, Result]]:
    """A morale check with all that follows: the game after it and what came of it."""
    unit, enemy = game.unit(name), None if source is None else game.unit(source)
    check = check_of(game, unit, enemy, cause)
    now = state_of(unit)
    facts: dict[str, Any] = {"unit": name, "required": check.required, "cover": check.cover, "cause": cause}
    facts["modifiers"] = [f"{one.name} {one.effect}" for one in check.modifiers]
    if now.leaderless and not now.leader_lost and cause == "casualties":
        raw: Raw = "panic"
        result: Result = "surrender" if must_surrender(game, unit, cause) else "panic"
        facts |= {"total": None, "raw": raw, "result": result}
        changes = _changes(unit, result, "open")
        return (yield from _comes_to(game, name, source, result, facts, changes, "PR-106"))
    holds = max(1, check.required - check.bonus)
    dice = yield from _open_ended(f"morale of {name}, {holds} or more holds", "PR-701")
    total = sum(dice) + check.bonus
    heroic = len(dice) == 2 and dice[1] == fight_book().morale.again
    raw = "pass" if heroic else raw_result(check.required - total)
    gained: tuple[Change, ...] = ()
    if heroic:
        gained = state(name, level_bonus=1, casualties_ignored=now.casualties)
    where = situation_of(game, unit, cause, check.cover, raw)
    game, result = yield from _settled(game, unit, cause, raw, where)
    facts |= {"total": total, "raw": raw, "result": result}
    changes = (*_changes(unit, result, where), *gained)
    return (yield from _comes_to(game, name, source, result, facts, changes, "PR-709"))


def _settled(game: Game, unit: Unit, cause: Cause, raw: Raw, where: Situation) -> Procedure[tuple[Game, Result]]:
    """What the raw result comes to where the unit stands, with the formation check that this may ask (PR-710)."""
    results: tuple[Result, ...] = fight_book().morale.results[where].get(raw, ("pass",))
    if len(results) > 1:
        game, kept = yield from check_formation(game, unit.id)
        results = results[:1] if kept else results[1:]
    surrenders = results[0] == "panic" and must_surrender(game, unit, cause)
    return game, "surrender" if surrenders else results[0]


def _comes_to(
    game: Game, name: str, source: str | None, result: Result, facts: Mapping[str, Any],
    changes: tuple[Change, ...], rule: str,
) -> Procedure[tuple[Game, Result]]:  # fmt: skip
    """The event of the check with what it does to the unit, then where the unit goes."""
    changes = (*changes, *state_where(game.unit(name), leader_lost=False))
    game = yield from happen(Event(event="morale", facts=facts, changes=changes, rule=rule))
    if result == "surrender":
        over = parted(game, game.unit(name))
        game = yield from happen(Event(event="surrendered", facts={"unit": name}, changes=over, rule="PR-712"))
    giving = _GIVING.get(result)
    if giving is not None:
        game = yield from runs_off(game, name, giving, source)
    return game, result


def _changes(unit: Unit, result: Result, where: Situation) -> tuple[Change, ...]:
    """What a result takes from the unit: actions, order, nerve (PR-710, PR-713 to PR-716)."""
    effect = _OTHERWISE.get((where, result), _EFFECTS[result])
    now = state_of(unit)
    left = max(now.actions_left - effect.loses, 0)
    left = left if effect.keeps is None else min(left, effect.keeps)
    spent = state(unit.id, actions_left=left)
    held = state_where(unit, held=min(now.held, left))
    return (*spent, *held, *(disordered(unit) if effect.disorders else ()), *state(unit.id, **effect.state))
