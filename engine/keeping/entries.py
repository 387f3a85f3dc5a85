"""The entries of a journal, each one thing that happened, and which of them stand after undos and branches.

The game is the fold of the events of the entries that stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.dice import Rolled
from engine.events import Event, SetTurn, apply, event_from, fold
from engine.keeping.branches import course_of
from engine.moved.placing import of_figures_here
from engine.records.action import Action, action_builtins, action_from
from engine.records.game import Game
from engine.records.result import rolled_from

__all__ = [
    "PLACING", "Entry", "entry_from", "events_on", "game_of", "redoable", "standing", "told_under", "undoable",
]  # fmt: skip

#: Kinds of entries that only say where figures stand; an undo reaches back over them.
PLACING = frozenset({"camera", "place"})


class Entry(Struct, frozen=True, kw_only=True):
    """One entry of the journal.

    ``at`` is the time it happened, ISO 8601, from the caller's clock; ``kind`` is ``begin``, ``action``,
    ``turn``, ``camera``, ``place``, ``undo``, ``branch`` or a word of the caller's; ``undoes`` is the number of the
    entry that an undo takes back; ``follows`` that of the entry that the game goes on from, where that is not the
    one before; ``overruled`` says that the umpire had it done against the rules.
    """

    number: int
    at: str
    kind: str
    events: tuple[Event, ...] = ()
    rolls: tuple[Rolled, ...] = ()
    action: Action | None = None
    turn: int | None = None
    side: str | None = None
    undoes: int | None = None
    follows: int | None = None
    overruled: bool = False

    def to_builtins(self) -> dict[str, Any]:
        """The entry as the journal and ``vedette log export`` write it."""
        built = {
            "number": self.number,
            "at": self.at,
            "kind": self.kind,
            "turn": self.turn,
            "side": self.side,
            "action": None if self.action is None else action_builtins(self.action),
            "rolls": [rolled.to_builtins() for rolled in self.rolls],
            "events": [event.to_builtins() for event in self.events],
            "undoes": self.undoes,
            "overruled": self.overruled,
        }
        return built if self.follows is None else {**built, "follows": self.follows}


def told_under(entry: Entry) -> int | None:
    """The turn that an entry is told under: the one that it begins, where the turn passes before all else of it."""
    first = entry.events[0].changes if entry.events else ()
    begun = next((change.number for change in first if isinstance(change, SetTurn)), None)
    return entry.turn if begun is None else begun


def entry_from(raw: Mapping[str, Any]) -> Entry:
    """The reverse of `Entry.to_builtins`. Raises UnusableFile."""
    action = raw.get("action")
    return Entry(
        number=raw["number"],
        at=raw["at"],
        kind=raw["kind"],
        events=tuple(event_from(one) for one in raw["events"]),
        rolls=tuple(rolled_from(one) for one in raw["rolls"]),
        action=None if action is None else action_from(action, f"entry {raw['number']}"),
        turn=raw.get("turn"),
        side=raw.get("side"),
        undoes=raw.get("undoes"),
        follows=raw.get("follows"),
        overruled=raw.get("overruled", False),
    )


def standing(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries of the present course that no standing undo takes back, oldest first, and no undos among them.

    An undo of an undo lets the first entry stand again.
    """
    course = course_of(entries)
    dead = _taken_back(course)
    return tuple(
        entry for entry in course if entry.undoes is None and entry.follows is None and entry.number not in dead
    )


def _taken_back(entries: Sequence[Entry]) -> frozenset[int]:
    dead: set[int] = set()
    for entry in reversed(entries):
        if entry.undoes is not None and entry.number not in dead:
            dead.add(entry.undoes)
    return frozenset(dead)


def undoable(entries: Sequence[Entry]) -> Entry | None:
    """The newest standing entry that can be undone; what only says where figures stand is passed over."""
    for entry in reversed(standing(entries)):
        if entry.kind not in PLACING:
            return None if entry.kind == "begin" else entry
    return None


def redoable(entries: Sequence[Entry]) -> Entry | None:
    """The entry that the last undo took back, as long as nothing but placing has followed the undo."""
    course = course_of(entries)
    dead = _taken_back(course)
    for entry in reversed(course):
        if entry.number in dead or entry.kind in PLACING:
            continue
        if entry.undoes is None:
            return None
        if entries[entry.undoes - 1].undoes is None:
            return entry
        # A redo: what was undone before it may be redone as well.
    return None


def game_of(entries: Sequence[Entry]) -> Game:
    """The game that the standing entries lead to. Raises UnusableFile where no game has begun."""
    game: Game | None = None
    for entry in standing(entries):
        for event in events_on(entry, game):
            game = apply(game, event)
    return fold((), game)


def events_on(entry: Entry, game: Game | None) -> tuple[Event, ...]:
    """The events of an entry as a game takes them: who was placed may be gone (`engine.moved.placing`)."""
    if game is None or entry.kind not in PLACING:
        return entry.events
    return of_figures_here(entry.events, game)
