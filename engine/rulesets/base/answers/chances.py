"""The exact chances of an action, in words: what its dice can come to before anybody rolls.

A ruleset may foretell an action's chances in its own way (`Ruleset.foretold`); of any other every way of the dice
is walked, and what is counted over stands in its ``wording.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import floor
from typing import Any, TypeVar

from engine.errors import ActionRefused, EngineError
from engine.events import Event
from engine.odds import odds
from engine.play import first_roll
from engine.records.action import Action
from engine.records.chances import Chances, Likely, Part
from engine.records.game import Game
from engine.rulesets.base.ruleset import Outcome, Ruleset

__all__ = [
    "chances", "in_short", "lengths_in_short", "likely", "numbers_in_short", "percent",
    "said",
]  # fmt: skip

K = TypeVar("K")
#: Chances that are summed as floats come to 1 only so nearly.
_NOISE = 1e-12
Chance = Any  # a Fraction where dice are walked, a float where spreads are folded
#: What is counted: the event that settles it, which of its facts, and the value.
_Counted = tuple[str, str, Any]
_Named = Mapping[tuple[str, str], Outcome]
Walked = Callable[[Callable[[Event], Any]], Mapping[Any, Chance]]


def chances(ruleset: Ruleset, game: Game, action: Action, enough: Callable[[], bool] = lambda: False) -> Chances:
    """The chance of each outcome, likeliest counts in order, the simple number first, and what follows from it.

    Raises ActionRefused, UnknownAction, and TooManyOutcomes: also as soon as ``enough`` says that nobody waits.
    """
    foretold = None if action.override else ruleset.foretold(game, action)
    if foretold is not None:
        return foretold
    wording = {
        event: one
        for event, one in ruleset.wording().outcomes.items()
        if not one.actions or action.action in one.actions
    }
    named = {(event, one.fact): one for event, outcome in wording.items() for one in outcome.each}

    def walked(outcome: Callable[[Event], K | None]) -> Mapping[K | None, Chance]:
        return odds(game, lambda: ruleset.begin(game, action), outcome, enough=enough)

    found = walked(lambda event: _outcome(event, wording, action.target))
    counted = {key: chance for key, chance in found.items() if key is not None and chance > 0}
    if not counted:
        rolled = first_roll(game, ruleset.begin(game, action)) is not None
        return Chances(outcomes=(), sentence="" if rolled else "nothing is rolled for this")
    rows = sorted(counted.items(), key=lambda row: _order(row[0]))
    lengths = {value: chance for (_, fact, value), chance in rows if fact.endswith("_mm")}
    if len(lengths) == len(rows):
        part = lengths_in_short(lengths, ruleset.mm_per_unit, ruleset.unit_of_length)
        return Chances(outcomes=part.outcomes, sentence=part.sentence)
    return Chances(
        outcomes=likely((_words(named[event, fact], value), chance) for (event, fact, value), chance in rows),
        sentence=_sentence(counted, named),
        then=_then(action, counted, named, walked),
    )


def _then(action: Action, counted: Mapping[_Counted, Chance], named: _Named, walked: Walked) -> tuple[Part, ...]:
    """What the likeliest outcomes lead to, of the target; nothing where that is too much to walk in time."""
    later = next((named[event, fact].then for event, fact, _ in counted), None)
    if later is None or action.target is None:
        return ()

    def told(event: Event) -> Any:
        of_target = event.event == later.event and event.facts.get("unit") == action.target
        return event.facts.get(later.fact) if of_target else None

    try:
        found = walked(told)
    except ActionRefused:
        raise
    except EngineError:
        return ()
    part = in_short({value: chance for value, chance in found.items() if value is not None}, later.said)
    return () if part is None else (part,)


def in_short(spread: Mapping[Any, Chance], words: Mapping[str, str]) -> Part | None:
    """A part whose outcomes are words: the likeliest is its sentence; None where there is nothing."""
    rows = sorted(((value, chance) for value, chance in spread.items() if chance > 0), key=lambda row: -row[1])
    if not rows:
        return None
    told = likely((words.get(str(value), said(str(value))), chance) for value, chance in rows)
    return Part(outcomes=told, sentence=f"{percent(rows[0][1])} {told[0].what}")


def numbers_in_short(spread: Mapping[int, Chance], outcome: Outcome, *, average: bool = True) -> Part:
    """A part whose outcomes are numbers: the chance of one or more, and how many there are on average.

    Without ``average`` it is short enough for more to stand beside it.
    """
    mean = sum(number * float(chance) for number, chance in spread.items())
    some = sum((chance for number, chance in spread.items() if number >= 1), 0)
    return Part(
        outcomes=likely((_words(outcome, number), spread[number]) for number in sorted(spread)),
        sentence=f"{percent(some)}: {_words(outcome, 1)} or more" + (f"; {mean:.1f} on average" if average else ""),
    )


def lengths_in_short(spread: Mapping[float, Chance], mm_per_unit: float, sign: str) -> Part:
    """A part whose outcomes are lengths in mm: the least, and the chance of the most, in the players' unit.

    >>> lengths_in_short({101.6: 0.5, 127.0: 0.5}, 25.4, "in").sentence
    'at least 4.0 in; 50 % 5.0 in; 4.5 in on average'
    """
    told = {mm: f"{mm / mm_per_unit:.1f} {sign}" for mm in sorted(spread)}
    least, most = min(spread), max(spread)
    mean = sum(mm * float(chance) for mm, chance in spread.items()) / mm_per_unit
    return Part(
        outcomes=likely((words, spread[mm]) for mm, words in told.items()),
        sentence=f"{told[least]} in any case"
        if least == most
        else f"at least {told[least]}; {percent(spread[most])} {told[most]}; {mean:.1f} {sign} on average",
    )


def likely(outcomes: Iterable[tuple[str, Chance]]) -> tuple[Likely, ...]:
    """Outcomes, each with its chance in whole millionths, that together come to what they came to before.

    What rounding down leaves over goes to those that lost most by it, the first of equal ones (largest remainder).
    What would become 0 or 1 by rounding, and is neither, keeps its chance.

    >>> [one.chance for one in likely((word, 1 / 3) for word in ("hit", "miss", "jam"))]
    [0.333334, 0.333333, 0.333333]
    >>> [one.chance for one in likely([("ten", 1e-8), ("none", 1 - 1e-8)])]
    [1e-08, 0.99999999]
    """
    rows = [(what, float(chance) * 1_000_000) for what, chance in outcomes]
    told = [floor(exact) for _, exact in rows]
    lost = sorted(range(len(rows)), key=lambda one: told[one] - rows[one][1])
    for one in lost[: round(sum(exact for _, exact in rows)) - sum(told)]:
        told[one] += 1
    return tuple(
        Likely(what=what, chance=_kept(exact, part)) for (what, exact), part in zip(rows, told, strict=True)
    )


def _kept(exact: float, part: int) -> float:
    """A chance of so many millionths, or of ``part`` where rounding made no certainty of it."""
    certain = part == 0 or (part == 1_000_000 and exact < part * (1 - _NOISE))
    return (exact if certain else part) / 1_000_000


def percent(chance: Chance) -> str:
    """A chance for people; what can happen is never said to be 0 %, nor what can fail 100 %.

    >>> percent(1 / 3)
    '33 %'
    >>> percent(0.001), percent(1.7e-8)
    ('under 1 %', 'under 1 %')
    """
    share = float(chance)
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1 - _NOISE:
        return "over 99 %"
    return f"{round(share * 100)} %"


def said(key: str) -> str:
    """A key as people write a word: ``leader_passed`` → ``leader passed``."""
    return key.removesuffix("_mm").removesuffix("_deg").replace("_", " ").replace("-", " ")


def _outcome(event: Event, wording: Mapping[str, Outcome], target: str | None) -> _Counted | None:
    for one in wording[event.event].each if event.event in wording else ():
        value: Any = one.words or event.facts.get(one.fact)
        if value is not None:
            value = round(value, 1) if one.fact.endswith("_mm") else value
            if isinstance(value, str):
                of_target = target is not None and event.facts.get("unit") == target
                value = (one.enemy if of_target else one.said).get(value, value)
            return event.event, one.fact, tuple(value) if isinstance(value, list) else value
    return None


def _order(key: _Counted) -> tuple[str, float, str]:
    event, _, value = key
    return event, float(value) if isinstance(value, int | float) else 0.0, str(value)


def _words(outcome: Outcome, value: Any) -> str:
    if isinstance(value, bool):
        if outcome.one:
            return outcome.one if value else outcome.many
        return f"{said(outcome.fact)}: {'yes' if value else 'no'}"
    if isinstance(value, int) and outcome.one:
        return f"{value} {outcome.one if value == 1 else outcome.many}"
    if isinstance(value, tuple) and outcome.one:
        return f"{' and '.join(value)} {outcome.one if len(value) == 1 else outcome.many}"
    return said(", ".join(map(str, value)) if isinstance(value, tuple) else str(value))


def _sentence(counted: Mapping[_Counted, Chance], named: _Named) -> str:
    numbers = {value: chance for (_, _, value), chance in counted.items() if type(value) is int}
    if len(numbers) < len(counted):
        (event, fact, value), chance = max(counted.items(), key=lambda row: row[1])
        return f"{percent(chance)} {_words(named[event, fact], value)}"
    return numbers_in_short(numbers, named[next(iter(counted))[:2]]).sentence
