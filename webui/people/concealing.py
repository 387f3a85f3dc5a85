"""What a seat may know: the game without the troops that are hidden from it, and what follows from that alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import EngineError, UnknownAction, UnusableFile
from engine.records.action import Action, action_builtins
from engine.records.game import Game, Unit
from engine.rulesets.base.ruleset import Ruleset
from engine.unfinished import play_so_far
from engine.words.story import name_of
from webui.errors import BadRequest, Refused
from webui.people.seats import Seat

__all__ = [
    "KNOWN_TO", "Known", "concealed", "demand_known", "entry_for", "known_game", "known_to", "refused_for",
    "said_for",
]  # fmt: skip

#: The fact of an event that names the one side which is told of it.
KNOWN_TO = "known_to"


class Known(Struct, frozen=True, kw_only=True):
    """What a seat knows of a game: the units ``hidden`` from it, and the game without them and others' secrets."""

    seat: Seat
    hidden: frozenset[str]
    game: Game


def known_to(ruleset: Ruleset, game: Game, seat: Seat) -> Known:
    """What a seat knows of a game; the umpire all of it."""
    if seat.kind == "umpire":
        return Known(seat=seat, hidden=frozenset(), game=game)
    hidden = concealed(ruleset, game, seat)
    return Known(seat=seat, hidden=hidden, game=known_game(ruleset.veiled(game, seat.side), hidden))


def concealed(ruleset: Ruleset, game: Game, seat: Seat) -> frozenset[str]:
    """The units that are hidden from a seat, by id; a spectator sees what neither side hides."""
    return frozenset() if seat.kind == "umpire" else ruleset.concealed(game, seat.side)


def known_game(game: Game, hidden: frozenset[str]) -> Game:
    """The game as somebody knows it who has not seen those units: as if they were not there, nor named."""
    if not hidden:
        return game
    seen = (unit for unit in game.units if unit.id not in hidden)
    units = tuple(_without_names(unit, hidden) for unit in seen)
    return replace(game, units=units, conditions=_unlisted(game.conditions, hidden))


def _without_names(unit: Unit, hidden: frozenset[str]) -> Unit:
    """A unit whose facts (its commander, whom it fires at …) name none of those units."""
    return replace(unit, stats=_unnamed(unit.stats, hidden), state=_unnamed(unit.state, hidden))


def _unnamed(facts: Mapping[str, Any], hidden: frozenset[str]) -> dict[str, Any]:
    known = {key: one for key, one in facts.items() if not (isinstance(one, str) and one in hidden)}
    return {key: _unlisted(one, hidden) for key, one in known.items()}


def _unlisted(value: Any, hidden: frozenset[str]) -> Any:
    """Facts of a unit, or of a game's conditions, without those units in any list, or table by unit."""
    if isinstance(value, Mapping):
        return {key: _unlisted(one, hidden) for key, one in value.items() if key not in hidden}
    if isinstance(value, list | tuple):
        return [_unlisted(one, hidden) for one in value if not (isinstance(one, str) and one in hidden)]
    return value


def entry_for(entry: dict[str, Any], game: Game, hidden: frozenset[str], seat: Seat) -> dict[str, Any]:
    """An entry of the log for a seat: only that something happened, where it may not know what."""
    if not _tells_of(entry, game, hidden) and not _secret(entry, seat):
        return entry
    kept = {
        key: entry[key]
        for key in ("number", "at", "turn", "side", "kind", "undone", "undoes", "follows", "aside", "overruled")
    }
    told = "Something that you do not see" if entry["kind"] != "begin" else "The game begins"
    return {**kept, "title": told, "lines": [], "rules": [], "action": None, "rolls": [], "events": []}


def _secret(entry: dict[str, Any], seat: Seat) -> bool:
    """Whether an entry tells what one side alone knows, and it is not this seat's."""
    told = [event[KNOWN_TO] for event in entry["events"] if KNOWN_TO in event]
    return seat.kind != "umpire" and any(side != seat.side for side in told)


def demand_known(ruleset: Ruleset, game: Game, seat: Seat, action: Action) -> None:
    """Refuses an action that its player cannot mean by what he knows, as if what is hidden from him were not there.

    Raises BadRequest: what is said of a wrong name does not list, nor know, the names of hidden units.
    """
    known = known_to(ruleset, game, seat)
    if not known.hidden:
        return
    try:
        play_so_far(known.game, lambda: ruleset.begin(known.game, action), ())
    except (UnknownAction, UnusableFile) as error:
        raise BadRequest(str(error)) from error
    except EngineError:
        pass  # whether it is allowed is for the whole game to say
    if _tells_of(action_builtins(action), game, known.hidden):
        raise BadRequest("the action names what is not on the table")


def refused_for(error: Refused, game: Game, hidden: frozenset[str]) -> Refused:
    """A refusal for somebody from whom units are hidden: its reasons without those that name them."""
    return Refused(said_for(str(error), game, hidden), [said_for(text, game, hidden) for text in error.reasons])


def said_for(text: str, game: Game, hidden: frozenset[str]) -> str:
    """A short text, or words that say nothing where it names hidden units."""
    return "something that you do not see" if _tells_of(text, game, hidden) else text


def _tells_of(value: Any, game: Game, hidden: frozenset[str]) -> bool:
    """Whether any text in a plain value, however deep, names one of those units."""
    naming = _naming(game, hidden)

    def tells(one: Any) -> bool:
        if isinstance(one, str):
            return naming(one)
        if isinstance(one, Mapping):
            return any(naming(key) or tells(inner) for key, inner in one.items())
        return isinstance(one, list | tuple) and any(map(tells, one))

    return bool(hidden) and tells(value)


def _naming(game: Game, hidden: frozenset[str]) -> Callable[[str], bool]:
    """Tells whether a text names one of those units, by its id, its name or a figure, even one that has fallen.

    All units' names are looked for, the longest first: who is called ``1st Foot`` is not the hidden ``Foot``.
    """
    secret = {word for name in hidden for word in _called(game.unit(name))}
    words = secret | {word for unit in game.units for word in _called(unit)}
    named = re.compile(
        rf"(?<![\w-])({'|'.join(re.escape(word) for word in sorted(words, key=len, reverse=True))})(-\d+)?(?![\w-])"
    )
    return lambda text: any(found[1] in secret for found in named.finditer(text))


def _called(unit: Unit) -> tuple[str, ...]:
    return unit.id, *(figure.id for figure in unit.figures), name_of(unit)
