"""What a person says of the table, whatever the rules made of it: whose turn it is, where figures stand."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.errors import UnusableFile
from engine.events import Event, Place, PlaceFigures, SetTurn
from engine.records.game import MOST_TURNS, Game

__all__ = ["FARTHEST_MM", "placed_at", "placed_event", "turn_event"]

#: Nothing of a table lies farther out than this.
FARTHEST_MM = 20_000.0


def turn_event(game: Game, number: int, side: str) -> Event:
    """The event that says whose turn it is. Raises UnusableFile where there is no such side or turn."""
    known = [one.name for one in game.sides]
    if side not in known:
        raise UnusableFile(f"side: expected one of {', '.join(known)}, got {side!r}")
    if not 0 <= number <= MOST_TURNS:
        raise UnusableFile(f"number: expected a turn from 0 to {MOST_TURNS}, got {number}")
    change = SetTurn(number=number, active_side=side)
    return Event(event="turn", facts={"number": number, "side": side}, changes=(change,))


def placed_at(game: Game, name: str, x_mm: float, y_mm: float, bearing_deg: float | None = None) -> Place:
    """Where a person puts a figure, in table millimetres; without a bearing it keeps its own.

    A person's word is exact: sigma 0. Raises UnusableFile where there is no such figure, or no table there.
    """
    figure = next((one for unit in game.units for one in unit.figures if one.id == name), None)
    if figure is None:
        raise UnusableFile(f"figures: there is no figure {name!r} in the game")
    for key, value in (("x_mm", x_mm), ("y_mm", y_mm)):
        if not abs(value) <= FARTHEST_MM:
            raise UnusableFile(f"figures: {name}: {key}: expected a point on the table, got {value}")
    if bearing_deg is not None and not math.isfinite(bearing_deg):
        raise UnusableFile(f"figures: {name}: bearing_deg: expected degrees, got {bearing_deg}")
    return Place(
        figure=name, x_mm=x_mm, y_mm=y_mm, z_mm=figure.z_mm, sigma_mm=0.0,
        bearing_deg=figure.bearing_deg if bearing_deg is None else bearing_deg % 360.0,
    )  # fmt: skip


def placed_event(game: Game, places: Sequence[Place]) -> Event:
    """The event that puts figures where a person says that they stand. Raises UnusableFile for one that is not."""
    owners = {figure.id: unit.id for unit in game.units for figure in unit.figures}
    for place in places:
        if place.figure not in owners:
            raise UnusableFile(f"figures: there is no figure {place.figure!r} in the game")
    facts = {"units": sorted({owners[place.figure] for place in places}), "figures": len(places)}
    return Event(event="placed", facts=facts, changes=(PlaceFigures(places=tuple(places)),))
