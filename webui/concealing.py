"""What a seat may know: the game without the troops that are hidden from it, and what follows from that alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.records.action import Action, action_builtins
from engine.records.game import Game
from engine.rulesets.base import Ruleset
from webui.errors import BadRequest, Refused
from webui.seats import Seat

__all__ = ["concealed", "demand_known", "entry_for", "known_game", "refused_for", "said_for"]


def concealed(ruleset: Ruleset, game: Game, seat: Seat) -> frozenset[str]:
    """The units that are hidden from a seat, by id; a spectator sees what neither side hides."""
    return frozenset() if seat.kind == "umpire" else ruleset.concealed(game, seat.side)


def known_game(game: Game, hidden: frozenset[str]) -> Game:
    """The game as somebody knows it who has not seen those units: as if they were not there."""
    return replace(game, units=tuple(unit for unit in game.units if unit.id not in hidden)) if hidden else game


def entry_for(entry: dict[str, Any], game: Game, hidden: frozenset[str]) -> dict[str, Any]:
    """An entry of the log for somebody from whom units are hidden: that something happened, where it names them."""
    if not hidden or not _names(game, hidden).search(msgspec.json.encode(entry).decode()):
        return entry
    kept = {
        key: entry[key]
        for key in ("number", "at", "turn", "side", "kind", "undone", "undoes", "follows", "aside", "overruled")
    }
    told = "Something that you do not see" if entry["kind"] != "begin" else "The game begins"
    return {**kept, "title": told, "lines": [], "rules": [], "action": None, "rolls": [], "events": []}


def demand_known(action: Action, game: Game, hidden: frozenset[str]) -> None:
    """Refuses an action that names what its player cannot know. Raises BadRequest, as for what is not there."""
    if hidden and _names(game, hidden).search(msgspec.json.encode(action_builtins(action)).decode()):
        raise BadRequest("the action names what is not on the table")


def refused_for(error: Refused, game: Game, hidden: frozenset[str]) -> Refused:
    """A refusal for somebody from whom units are hidden: its reasons without those that name them."""
    return Refused(said_for(str(error), game, hidden), [said_for(text, game, hidden) for text in error.reasons])


def said_for(text: str, game: Game, hidden: frozenset[str]) -> str:
    """A short text, or words that say nothing where it names hidden units."""
    return "something that you do not see" if hidden and _names(game, hidden).search(text) else text


def _names(game: Game, hidden: Iterable[str]) -> re.Pattern[str]:
    """Whatever a text may call hidden units by: their ids, their names, their figures."""
    words: set[str] = set()
    for name in hidden:
        unit = game.unit(name)
        words |= {unit.id, *(figure.id for figure in unit.figures), *([unit.name] if unit.name else [])}
    return re.compile("|".join(re.escape(msgspec.json.encode(word).decode()[1:-1]) for word in sorted(words)))
