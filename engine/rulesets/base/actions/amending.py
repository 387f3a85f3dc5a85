"""The umpire sets a unit right: what its roster and its state say, whatever the rules would have made of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.errors import UnusableFile
from engine.events import Change, Event, SetStat, SetState, fold
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.chances import said
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["amended"]


def amended(game: Game, ruleset: Ruleset, name: str, state: Mapping[str, Any], stats: Mapping[str, Any]) -> Event:
    """The event that sets these keys of a unit. Raises UnusableFile with what was expected, where the rules know
    no such key or value."""
    unit = game.by_id.get(name)
    if unit is None:
        raise UnusableFile(f"unit: there is no unit {name!r} in the game")
    changes = tuple(_changes(unit, state, stats))
    if not changes:
        raise UnusableFile(f"{name}: {_as_it_is({**stats, **state})}: expected at least one key with another value")
    told = ", ".join(_said(unit, change) for change in changes)
    event = Event(event="amended", facts={"unit": name, "said": told}, changes=changes)
    try:
        ruleset.check(fold((event,), game))
    except UnusableFile as error:
        place = next(number for number, one in enumerate(game.units) if one.id == name)
        raise UnusableFile(re.sub(rf"\bunits\[{place}\]\.?", f"{name}: ", str(error), count=1)) from error
    return event


def _changes(unit: Unit, state: Mapping[str, Any], stats: Mapping[str, Any]) -> Iterator[SetState | SetStat]:
    for key, value in state.items():
        if key not in unit.state or not _same(unit.state[key], value):
            yield SetState(unit=unit.id, key=key, value=value)
    for key, value in stats.items():
        if key not in unit.stats or not _same(unit.stats[key], value):
            yield SetStat(unit=unit.id, key=key, value=value)


def _same(one: Any, other: Any) -> bool:
    """Whether two values are one: true is not 1."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _as_it_is(given: Mapping[str, Any]) -> str:
    """`rep is 4 already`."""
    told = [f"{key} is {_word(value)} already" for key, value in given.items()]
    return ", ".join(told) or "nothing is given"


def _said(unit: Unit, change: Change) -> str:
    """`Reload 1 instead of 0`."""
    if not isinstance(change, SetState | SetStat):
        raise TypeError(f"expected a change of state or stats, got {change!r}")
    known = unit.state if isinstance(change, SetState) else unit.stats
    before = f" instead of {_word(known[change.key])}" if change.key in known else ""
    return f"{said(change.key).lower()} {_word(change.value)}{before}"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ([], ()):
        return "none"
    return ", ".join(map(_word, value)) if isinstance(value, list | tuple) else str(value)
