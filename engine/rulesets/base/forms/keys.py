"""The actions of a ruleset and their keys, checked one by one before anything is rolled."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from engine.errors import UnknownAction, UnusableFile
from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game
from engine.records.reading import convert
from engine.rulesets.base.fitting import expected

__all__ = ["Entry", "NoKeys", "begin", "check_names", "keys_of", "plain"]

K = TypeVar("K", bound=Struct)

#: How a missing key is told; a key within another follows it after a point.
_MISSING = re.compile(r"(?P<within>\.)?(?P<key>\w+): (?P<expected>expected .*), found no such key$")


class NoKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An action without keys of its own."""


class Entry(Struct, frozen=True, kw_only=True):
    """An action: how it begins, the record of its keys, whether it has a unit and a target (None: it may)."""

    begin: Callable[[Game, Action, Any], Procedure[None]]
    keys: type[Struct] = NoKeys
    unit: bool = True
    target: bool | None = False


def plain(begin: Callable[[Game, Action], Procedure[None]], **more: Any) -> Entry:
    """An action without keys of its own."""
    return Entry(begin=lambda game, action, _keys: begin(game, action), **more)


def begin(entries: Mapping[str, Entry], game: Game, action: Action) -> Procedure[None]:
    """The procedure of an action among a ruleset's ``entries``. Raises UnknownAction, ActionRefused."""
    entry = entries.get(action.action)
    if entry is None:
        near = difflib.get_close_matches(action.action, entries, n=1)
        told = f"there is no {action.action!r}; did you mean {near[0]}?" if near else None
        raise UnknownAction(f"action: {told or expected(sorted(entries), action.action)}")
    keys = keys_of(action, entry.keys)
    check_names(game, action, unit=entry.unit, target=entry.target)
    return entry.begin(game, action, keys)


def keys_of(action: Action, record: type[K]) -> K:
    """The ruleset's keys of an action, typed. Raises UnknownAction with the key's name."""
    known = record.__struct_encode_fields__
    for key in action.extra:
        if key not in known:
            allowed = f"its own keys are: {', '.join(known)}" if known else "it has no keys of its own"
            raise UnknownAction(f"{action.action}: {key}: unknown key; {allowed}")
    try:
        return convert(dict(action.extra), record, action.action)
    except UnusableFile as error:
        told = str(error).replace("the whole file: ", "")
        raise UnknownAction(_MISSING.sub(_still, told)) from error


def _still(missing: re.Match[str]) -> str:
    """`path: still to be given, expected a list`, within another key `stops[1]: at_mm: still …`."""
    return f"{': ' if missing['within'] else ''}{missing['key']}: still to be given, {missing['expected']}"


def check_names(game: Game, action: Action, *, unit: bool, target: bool | None) -> None:
    """Whether ``unit`` and ``target`` are given as the action needs, and are units of the game.

    ``target`` None: it may be given or not. Raises UnknownAction.
    """
    for key, given, wanted in (("unit", action.unit, unit), ("target", action.target, target)):
        if wanted and given is None:
            raise UnknownAction(f"{action.action}: {key}: expected the id of a unit, found no such key")
        if wanted is False and given is not None:
            raise UnknownAction(f"{action.action}: {key}: unknown key, this action has none")
        if given is not None and given not in game.by_id:
            raise UnknownAction(f"{action.action}: {key}: {expected(sorted(game.by_id) or ['none'], given)}")
