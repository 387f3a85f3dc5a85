"""What a person says of the table, whatever the rules would have made of it: whose turn it is."""

from __future__ import annotations

from engine.errors import UnusableFile
from engine.events import Event, SetTurn
from engine.records.game import MOST_TURNS, Game

__all__ = ["turn_event"]


def turn_event(game: Game, number: int, side: str) -> Event:
    """The event that says whose turn it is. Raises UnusableFile where there is no such side or turn."""
    known = [one.name for one in game.sides]
    if side not in known:
        raise UnusableFile(f"side: expected one of {', '.join(known)}, got {side!r}")
    if not 0 <= number <= MOST_TURNS:
        raise UnusableFile(f"number: expected a turn from 0 to {MOST_TURNS}, got {number}")
    change = SetTurn(number=number, active_side=side)
    return Event(event="turn", facts={"number": number, "side": side}, changes=(change,))
