"""Which entries of a journal stand after undos and branches, and the game that they come to.

The game is the fold of the events of the entries that stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from engine.events import Event, SetTurn, apply, fold
from engine.keeping.branches import course_of
from engine.keeping.entry import PLACING, SENT, Entry
from engine.keeping.placing import of_figures_here, to_set_back, unsaid, without
from engine.records.game import Game

__all__ = ["events_on", "game_of", "redoable", "set_back", "standing", "superseded", "turn_said_by", "undoable"]


def standing(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries of the present course that no standing undo takes back, oldest first, and no undos among them.

    An undo of an undo lets the first entry stand again. That figures were seen where an undone entry had led them
    does not stand.
    """
    course = course_of(entries)
    dead, said = _taken_back(course), unsaid(course, _taken_back)
    return tuple(
        replace(entry, events=without(entry.events, said[entry.number])) if entry.number in said else entry
        for entry in course
        if entry.undoes is None and entry.follows is None and entry.number not in dead
    )


def set_back(entries: Sequence[Entry]) -> frozenset[str]:
    """The figures that people have still to set back on the table, for what had moved them was undone.

    One that was placed anywhere since is none of them.
    """
    course = course_of(entries)
    return to_set_back(course, unsaid(course, _taken_back))


def _taken_back(entries: Sequence[Entry]) -> frozenset[int]:
    dead: set[int] = set()
    for entry in reversed(entries):
        if entry.undoes is not None and entry.number not in dead:
            dead.add(entry.undoes)
    return frozenset(dead)


def superseded(entries: Sequence[Entry]) -> frozenset[int]:
    """The numbers of the entries that began a game in which nothing was done before the next began in its place.

    So it is while a table is being set up: rules are chosen and the table's size is said one after the other.
    """
    told = [entry for entry in entries if entry.kind not in PLACING]
    return frozenset(one.number for one, after in pairwise(told) if one.kind == after.kind == "begin")


def turn_said_by(entries: Sequence[Entry]) -> Entry:
    """The newest standing entry that says whose turn it is; the one with which the game began where none does."""
    stand = standing(entries)
    said = (one for one in reversed(stand) if any(isinstance(c, SetTurn) for e in one.events for c in e.changes))
    return next(said, stand[0])


def undoable(entries: Sequence[Entry]) -> Entry | None:
    """The newest standing entry that can be undone; what only says where figures stand is passed over.

    What a distant opponent has been sent stands: his log has it, too.
    """
    for entry in reversed(standing(entries)):
        if entry.kind not in PLACING:
            return None if entry.kind in ("begin", SENT) else entry
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
    """The events of an entry as a game takes them: who was placed may be gone (`engine.keeping.placing`)."""
    if game is None or entry.kind not in PLACING:
        return entry.events
    return of_figures_here(entry.events, game)
