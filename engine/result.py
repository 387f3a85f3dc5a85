"""``vedette-result/1``: what ``resolve`` prints: the rolls, the events, and the game after them."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.dice import Roll, Rolled
from engine.events import event_from
from engine.play import Played
from engine.records.game import game_builtins, game_from
from engine.records.reading import convert, demand_format

RESULT_FORMAT = "vedette-result/1"


def result_builtins(played: Played) -> dict[str, Any]:
    """A result as the plain value of its file."""
    return {
        "format": RESULT_FORMAT,
        "rolls": [rolled.to_builtins() for rolled in played.rolls],
        "events": [event.to_builtins() for event in played.events],
        "game": game_builtins(played.game),
    }


def result_json(played: Played) -> bytes:
    """A result as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(result_builtins(played)), indent=1) + b"\n"


def result_from(raw: Any, source: str = "the result") -> Played:
    """The reverse of `result_builtins`. Raises UnusableFile."""
    raw = demand_format(raw, RESULT_FORMAT, source)
    rolls = convert(raw.get("rolls", []), list[dict[str, Any]], source, "rolls")
    events = convert(raw.get("events", []), list[dict[str, Any]], source, "events")
    return Played(
        rolls=tuple(rolled_from(one, source) for one in rolls),
        events=tuple(event_from(one) for one in events),
        game=game_from(raw.get("game"), source),
    )


def rolled_from(raw: dict[str, Any], source: str = "the roll") -> Rolled:
    """A roll that `engine.dice.Rolled.to_builtins` wrote; what only served the odds before it was thrown (``also``,
    ``cuts``) is not in it. Raises UnusableFile."""
    scores = convert(raw.get("scores"), tuple[int, ...], source, "scores")
    request = {"purpose": raw.get("for"), "die": raw.get("die"), "success": raw.get("success")}
    request |= {"each": raw.get("each", False), "rule": raw.get("rule")}
    roll = convert({**request, "count": len(scores)}, Roll, source)
    return Rolled(roll=roll, scores=scores)
