"""Places that say nothing of the game any more: an undo reaches back over what the camera and people placed since.

Figures that an action brought onto the table (reinforcements, recovered men) may have been seen to move before the
action is undone. Their places then say nothing, until the action stands again. Neither do those of figures that
the action moved: they were seen where it had led them, and stand in the game again where they stood before it, to
be set back there by hand. Where it is done again, what was seen of them while it was undone says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from engine.events import AddFigures, AddUnit, Change, Event, PlaceFigures
from engine.keeping.entry import PLACING, Entry
from engine.records.game import Game

__all__ = ["figures_placed", "of_figures_here", "placed_by", "to_set_back", "unsaid", "without"]

#: By the number of an entry that only says where figures stand: those of whom it says nothing any more.
Unsaid = Mapping[int, frozenset[str]]


def of_figures_here(events: Iterable[Event], game: Game) -> tuple[Event, ...]:
    """The events without the places of figures that a game does not hold; without those that said nothing else."""
    here = frozenset(figure.id for unit in game.units for figure in unit.figures)
    return _kept_of(events, lambda figure: figure in here)


def without(events: Iterable[Event], figures: frozenset[str]) -> tuple[Event, ...]:
    """The events without the places of these figures; without those that said nothing else."""
    return _kept_of(events, lambda figure: figure not in figures)


def placed_by(entry: Entry) -> frozenset[str]:
    """The figures that an entry says the places of, those that it brings onto the table among them."""
    return frozenset(figure for event in entry.events for figure in figures_placed(event))


def figures_placed(event: Event) -> frozenset[str]:
    """The figures that an event says the places of, those that it brings onto the table among them."""
    return frozenset(figure for change in event.changes for figure in _placed(change))


def unsaid(course: Sequence[Entry], dead_after: Callable[[Sequence[Entry]], frozenset[int]]) -> Unsaid:
    """What is not said any more of the figures that an entry moved which has been undone, or done again, since.

    ``dead_after`` gives the numbers of the entries that are taken back after the first ones of a course.
    """
    undone = {entry.undoes for entry in course if entry.undoes is not None}
    moved = {entry.number: found for entry in course if entry.number in undone and (found := placed_by(entry))}
    if not moved:
        return {}
    now, then = dead_after(course), frozenset[int]()
    turned = {number: moved[number] for number in sorted(now & set(moved))}
    said: dict[int, frozenset[str]] = {}
    for place, entry in enumerate(course):
        if entry.undoes is not None:
            then = dead_after(course[: place + 1])
            turned = {number: moved[number] for number in sorted((now ^ then) & set(moved))}
        elif entry.kind in PLACING:
            figures = frozenset[str]().union(*(found for number, found in turned.items() if number < entry.number))
            if figures:
                said[entry.number] = figures
    return said


def to_set_back(course: Sequence[Entry], said: Unsaid) -> frozenset[str]:
    """The figures that were last placed where an entry had led them that does not stand so any more."""
    if not said:
        return frozenset()
    last: dict[str, bool] = {}
    for entry in course:
        if entry.kind in PLACING:
            last |= {figure: figure in said.get(entry.number, ()) for figure in placed_by(entry)}
    return frozenset(figure for figure, gone in last.items() if gone)


def _placed(change: Change) -> Iterable[str]:
    if isinstance(change, PlaceFigures):
        return (place.figure for place in change.places)
    if isinstance(change, AddFigures):
        return (figure.id for figure in change.figures)
    return (figure.id for figure in change.unit.figures) if isinstance(change, AddUnit) else ()


def _kept_of(events: Iterable[Event], keeps: Callable[[str], bool]) -> tuple[Event, ...]:
    left = (_left_of(event, keeps) for event in events)
    return tuple(event for event in left if event is not None)


def _left_of(event: Event, keeps: Callable[[str], bool]) -> Event | None:
    changes = tuple(one for change in event.changes if (one := _kept(change, keeps)) is not None)
    if changes == event.changes:
        return event
    return replace(event, changes=changes) if changes else None


def _kept(change: Change, keeps: Callable[[str], bool]) -> Change | None:
    if not isinstance(change, PlaceFigures) or all(keeps(place.figure) for place in change.places):
        return change
    places = tuple(place for place in change.places if keeps(place.figure))
    return replace(change, places=places) if places else None
