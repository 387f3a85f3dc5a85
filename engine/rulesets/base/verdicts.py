"""How a game has ended, where its rules say so: who has won, and why; kept in the game's ``conditions``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from engine.events import SetCondition
from engine.records.game import Game

__all__ = ["KEY", "Verdict", "decided", "undecided", "verdict_line", "verdict_of"]

#: The key of ``conditions`` under which a verdict is kept.
KEY = "verdict"


class Verdict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The end of a game: the sides that have ``won`` (none: a draw), why in words, the rule that says so.

    ``level`` is how great a victory it is, where the rules tell several apart; ``points`` are each side's.
    """

    won: tuple[str, ...]
    why: str
    rule: str
    level: str = ""
    points: Mapping[str, float] = {}


def verdict_of(game: Game) -> Verdict | None:
    """How a game has ended; None while it goes on."""
    kept = game.conditions.get(KEY)
    return None if kept is None else msgspec.convert(kept, Verdict)


def decided(verdict: Verdict) -> tuple[SetCondition, ...]:
    """The game is over."""
    built: dict[str, Any] = msgspec.to_builtins(verdict)
    return (SetCondition(key=KEY, value=built),)


def undecided(game: Game) -> tuple[SetCondition, ...]:
    """The game goes on, or another begins; nothing where it did anyway."""
    return () if game.conditions.get(KEY) is None else (SetCondition(key=KEY, value=None),)


def verdict_line(verdict: Verdict) -> str:
    """A verdict in a sentence.

    >>> verdict_line(Verdict(won=("british",), why="the French retire", rule="PA-73"))
    'The game is over: british have won: the French retire'
    >>> verdict_line(Verdict(won=(), why="both retire", rule="PA-73"))
    'The game is over: a draw: both retire'
    """
    return f"The game is over: {_won(verdict.won, verdict.level)}: {verdict.why}"


def _won(sides: Iterable[str], level: str) -> str:
    named = " and ".join(sides)
    if not named:
        return "a draw"
    return f"{named} have won a {level} victory" if level else f"{named} have won"
