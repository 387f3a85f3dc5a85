"""Figures that are set back by hand after an undo: nobody makes a move with them."""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from engine.events import Event, PlaceFigures
from engine.moved.ways import Ways, returning
from engine.records.game import Game
from webui.camera.memory import Memory
from webui.camera.muster import has_arrived

__all__ = ["but_for_returning", "units_to_set_back"]


def but_for_returning(event: Event, game: Game, ways: Ways, memory: Memory, owed: Set[str]) -> Event:
    """A ``moved`` event with the fact ``returning`` where the figures are being set back; any other as it is.

    ``owed`` are the figures that are still to be set back. They may come there in several looks, one figure after
    another, and a little beside: what counts is that each comes nearer.
    """
    if event.event != "moved":
        return event
    unit = game.unit(event.facts["unit"])
    way = ways.get(unit.id)
    way = way if way is not None and way.turn == (game.turn.number, game.turn.active_side) else None
    begun = way is not None and way.returning
    now = {p.figure: (p.x_mm, p.y_mm) for one in event.changes if isinstance(one, PlaceFigures) for p in one.places}
    was = {name: (memory[name].x_mm, memory[name].y_mm) for name in now if name in memory}
    if not (begun or owed & now.keys()) or not returning(way, unit, was, now):
        return event
    return replace(event, facts={**event.facts, "returning": True})


def units_to_set_back(game: Game, memory: Memory, owed: Set[str]) -> tuple[str, ...]:
    """The units of which figures are ``owed`` and were last seen elsewhere than the game has them."""
    return tuple(
        unit.id
        for unit in game.units
        if any(one.id in owed & memory.keys() and not has_arrived(one, memory[one.id]) for one in unit.figures)
    )
