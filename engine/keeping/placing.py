"""Places of figures that are not there any more: an undo reaches back over what the camera and people placed since.

Figures that an action brought onto the table (reinforcements, recovered men) may have been seen to move before the
action is undone. Their places then say nothing, until the action stands again.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from engine.events import Change, Event, PlaceFigures
from engine.records.game import Game

__all__ = ["of_figures_here"]


def of_figures_here(events: Iterable[Event], game: Game) -> tuple[Event, ...]:
    """The events without the places of figures that a game does not hold; without those that said nothing else."""
    here = frozenset(figure.id for unit in game.units for figure in unit.figures)
    left = (_left_of(event, here) for event in events)
    return tuple(event for event in left if event is not None)


def _left_of(event: Event, here: frozenset[str]) -> Event | None:
    changes = tuple(one for change in event.changes if (one := _kept(change, here)) is not None)
    if changes == event.changes:
        return event
    return replace(event, changes=changes) if changes else None


def _kept(change: Change, here: frozenset[str]) -> Change | None:
    if not isinstance(change, PlaceFigures) or all(place.figure in here for place in change.places):
        return change
    places = tuple(place for place in change.places if place.figure in here)
    return replace(change, places=places) if places else None
