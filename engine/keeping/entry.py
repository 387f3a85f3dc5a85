"""One entry of a journal: something that happened, as it is kept and written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from engine.dice import Rolled
from engine.events import Event, SetTurn, event_from
from engine.records.action import Action, action_builtins, action_from
from engine.result import rolled_from

__all__ = ["PLACING", "SENT", "Entry", "entry_from", "told_under"]

#: Kinds of entries that only say where figures stand; an undo reaches back over them.
PLACING = frozenset({"camera", "place"})
#: The kind of the entries that say that the game went out to a distant opponent.
SENT = "mail"


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
