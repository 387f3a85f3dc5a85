"""The courses of a game: a journal whose game went on from an earlier point holds more than one.

Entries are numbered as they were written. An entry follows the one before it, or, where it says so, an earlier one:
from there the game went on otherwise. Nothing of the other course is lost, and going on from its last entry comes
back to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.keeping.entry import Entry


class Course(Struct, frozen=True, kw_only=True):
    """A course that the game has left: its entries' numbers, and the entry of the present course it leaves at."""

    numbers: tuple[int, ...]
    leaves: int

    @property
    def tip(self) -> int:
        """The last entry: the game goes on there for whoever comes back to it."""
        return self.numbers[-1]


def course_of(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries that led to the last of these, oldest first: those of other courses are left out."""
    if all(entry.follows is None for entry in entries):
        return tuple(entries)
    places = {entry.number: place for place, entry in enumerate(entries)}
    found: list[Entry] = []
    place = len(entries) - 1
    while place >= 0:
        entry = entries[place]
        found.append(entry)
        place = place - 1 if entry.follows is None else places[entry.follows]
    return tuple(reversed(found))


def other_courses(entries: Sequence[Entry]) -> tuple[Course, ...]:
    """The courses that the game has left, the one left last first; entries are a whole journal."""
    present = {entry.number for entry in course_of(entries)}
    tips = {_tip(entries, entry.number - 1) for entry in entries if entry.follows is not None}
    ways = {tip: tuple(entry.number for entry in course_of(entries[:tip])) for tip in tips - present}
    found: list[Course] = []
    for tip, way in sorted(ways.items(), reverse=True):
        if any(tip in other and tip != end for end, other in ways.items()):
            continue  # that course went on later
        shared = [number for number in way if number in present]
        found.append(Course(numbers=way[len(shared) :], leaves=shared[-1]))
    return tuple(found)


def _tip(entries: Sequence[Entry], number: int) -> int:
    """The last entry of a course in which something happened: one that only goes on elsewhere is none."""
    while (follows := entries[number - 1].follows) is not None:
        number = follows
    return number
