"""The exact chances of an action, in words: what its dice can come to before anybody rolls."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from engine.errors import ActionRefused, EngineError, UnknownAction
from engine.events import Event
from engine.odds import odds
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base import Outcome, Ruleset
from webui.errors import BadRequest, Refused
from webui.story import said

__all__ = ["PATIENCE_S", "chances", "percent"]

K = TypeVar("K")
Walked = Callable[[Callable[[Event], Any]], Mapping[Any, Fraction]]

#: How long the table's one thread works on the chances of an action.
PATIENCE_S = 0.6


def chances(
    ruleset: Ruleset, game: Game, action: Action, clock_s: Callable[[], float] = time.thread_time
) -> dict[str, Any]:
    """The chance of each outcome, likeliest counts in order, the simple number first, and what follows from it.

    The table waits for it: what takes more than `PATIENCE_S` of this thread's time is given up. Raises Refused
    then, and where the rules do not allow the action; BadRequest where there is none such.
    """
    wording = ruleset.wording().outcomes
    until_s = clock_s() + PATIENCE_S

    def walked(outcome: Callable[[Event], K | None]) -> Mapping[K | None, Fraction]:
        return odds(game, lambda: ruleset.begin(game, action), outcome, enough=lambda: clock_s() > until_s)

    try:
        found = walked(lambda event: _outcome(event, wording))
    except ActionRefused as error:
        raise Refused("the rules do not allow this", error.reasons) from error
    except UnknownAction as error:
        raise BadRequest(str(error)) from error
    except EngineError as error:
        raise Refused(str(error)) from error
    counted = {key: chance for key, chance in found.items() if key is not None and chance > 0}
    rows = sorted(counted.items(), key=lambda row: _order(row[0]))
    return {
        "outcomes": [
            {"what": _words(wording[event], value), "chance": round(float(chance), 6)}
            for (event, value), chance in rows
        ],
        "sentence": _sentence(counted, wording),
        **_then(action, counted, wording, walked),
    }


def _then(
    action: Action, counted: Mapping[tuple[str, Any], Fraction], wording: Mapping[str, Outcome], walked: Walked
) -> dict[str, Any]:
    """What the likeliest outcomes lead to, of the target; nothing where that is too much to walk in time."""
    later = next((wording[event].then for event, _ in counted), None)
    if later is None or action.target is None:
        return {}

    def told(event: Event) -> Any:
        of_target = event.event == later.event and event.facts.get("unit") == action.target
        return event.facts.get(later.fact) if of_target else None

    try:
        found = walked(told)
    except EngineError:
        return {}
    rows = sorted(
        ((value, chance) for value, chance in found.items() if value is not None), key=lambda row: -row[1]
    )
    outcomes = [
        {"what": later.said.get(str(value), said(str(value))), "chance": round(float(chance), 6)}
        for value, chance in rows
    ]
    if not rows:
        return {}
    return {"then": {"outcomes": outcomes, "sentence": f"{percent(rows[0][1])} {outcomes[0]['what']}"}}


def percent(chance: Fraction) -> str:
    """A chance for people; what can happen is never said to be 0 %, nor what can fail 100 %.

    >>> percent(Fraction(1, 3))
    '33 %'
    >>> percent(Fraction(1, 1000))
    'under 1 %'
    """
    if 0 < chance < Fraction(1, 100):
        return "under 1 %"
    if Fraction(99, 100) < chance < 1:
        return "over 99 %"
    return f"{round(float(chance) * 100)} %"


def _outcome(event: Event, wording: Mapping[str, Outcome]) -> tuple[str, Any] | None:
    if event.event not in wording:
        return None
    fact = event.facts.get(wording[event.event].fact)
    return None if fact is None else (event.event, tuple(fact) if isinstance(fact, list) else fact)


def _order(key: tuple[str, Any]) -> tuple[str, float, str]:
    value = key[1]
    return key[0], float(value) if isinstance(value, int | float) else 0.0, str(value)


def _words(outcome: Outcome, value: Any) -> str:
    if isinstance(value, bool):
        if outcome.one:
            return outcome.one if value else outcome.many
        return f"{said(outcome.fact)}: {'yes' if value else 'no'}"
    if isinstance(value, int) and outcome.one:
        return f"{value} {outcome.one if value == 1 else outcome.many}"
    return said(", ".join(map(str, value)) if isinstance(value, tuple) else str(value))


def _sentence(counted: Mapping[tuple[str, Any], Fraction], wording: Mapping[str, Outcome]) -> str:
    if not counted:
        return "nothing is rolled for this"
    numbers = {key[1]: chance for key, chance in counted.items() if type(key[1]) is int}
    if len(numbers) < len(counted):
        (event, value), chance = max(counted.items(), key=lambda row: row[1])
        return f"{percent(chance)} {_words(wording[event], value)}"
    event = next(iter(counted))[0]
    mean = sum((number * chance for number, chance in numbers.items()), Fraction(0))
    some = sum((chance for number, chance in numbers.items() if number >= 1), Fraction(0))
    return f"{percent(some)}: {_words(wording[event], 1)} or more; {float(mean):.1f} on average"
