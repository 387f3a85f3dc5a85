"""The keys of an action, checked one by one."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from engine.errors import UnknownAction, UnusableFile
from engine.records.action import Action
from engine.records.game import Game
from engine.records.reading import convert

__all__ = ["NoKeys", "check_names", "keys_of"]

K = TypeVar("K", bound=Struct)


class NoKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An action without keys of its own."""


def keys_of(action: Action, record: type[K]) -> K:
    """The ruleset's keys of an action, typed. Raises UnknownAction with the key's name."""
    known = record.__struct_fields__
    for key in action.extra:
        if key not in known:
            allowed = f"its own keys are: {', '.join(known)}" if known else "it has no keys of its own"
            raise UnknownAction(f"{action.action}: {key}: unknown key; {allowed}")
    try:
        return convert(dict(action.extra), record, action.action)
    except UnusableFile as error:
        raise UnknownAction(str(error).replace("the whole file: ", "")) from error


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
            known = ", ".join(sorted(game.by_id)) or "none"
            raise UnknownAction(f"{action.action}: {key}: expected one of {known}, got {given!r}")
