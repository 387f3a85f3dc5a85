"""Several players on a side: its commander hands units out, and each orders his own alone.

Who commands what stands in the journal, so that it outlives the program and can be taken back.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.events import Event
from engine.keeping.entries import standing
from engine.keeping.entry import Entry
from engine.records.game import Game
from webui.errors import BadRequest

__all__ = ["KIND", "Officer", "appointment", "officers_of"]

#: The kind of the entries that hand units out.
KIND = "officers"


class Officer(Struct, frozen=True, kw_only=True):
    """A player under a side's commander, and the units that he orders."""

    side: str
    name: str
    units: tuple[str, ...]


def officers_of(entries: Sequence[Entry]) -> tuple[Officer, ...]:
    """Who commands what now: the last word on each unit counts; whoever has none left is no officer."""
    held: dict[str, tuple[str, str]] = {}
    for entry in standing(entries):
        for event in entry.events if entry.kind == KIND else ():
            side, name, units = event.facts["side"], event.facts["officer"], event.facts["units"]
            held = {unit: holder for unit, holder in held.items() if holder != (side, name)}
            held |= dict.fromkeys(units, (side, name))
    names = dict.fromkeys(held.values())
    return tuple(
        Officer(side=side, name=name, units=tuple(unit for unit, holder in held.items() if holder == (side, name)))
        for side, name in names
    )


def appointment(game: Game, side: str, name: str, units: Sequence[str]) -> Event:
    """A commander gives a player these units of his side, and takes all others from him. Raises BadRequest."""
    if side not in [one.name for one in game.sides]:
        raise BadRequest(f"side: expected one of {', '.join(one.name for one in game.sides)}, got {side!r}")
    if not name.strip() or ":" in name:
        raise BadRequest("name: expected the player's name, without a colon")
    for unit in units:
        if unit not in game.by_id or game.unit(unit).side != side:
            raise BadRequest(f"units: {unit!r} is no unit of {side}")
    return Event(
        event="officer", facts={"side": side, "officer": name.strip(), "units": list(dict.fromkeys(units))}
    )
