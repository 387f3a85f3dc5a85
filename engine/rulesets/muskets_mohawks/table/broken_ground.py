"""The ground under a unit: woods and water, where nobody is formed, and roads (MM-49, MM-189, MM-191)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.table.bodies import Body
from engine.rulesets.muskets_mohawks.table.land import Ground
from engine.rulesets.muskets_mohawks.table.sheet import Sheet, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["broken_ground", "in_water", "mostly_in", "on_road", "wading"]

Mask = NDArray[np.bool_]

_WATER = ("creek", "ford")


def broken_ground(game: Game, unit: Unit) -> Literal["woods", "water"] | None:
    """The woods or water in which the unit stands, where nobody is formed; a road through a wood is none of it."""
    if unit.type == "gunners" or state_of(unit).in_building is not None:
        return None
    if mostly_in(game, unit, "woods") and not on_road(game, unit):
        return "woods"
    return "water" if in_water(game, unit) else None


def mostly_in(game: Game, unit: Unit, *kinds: str) -> bool:
    """Whether more than half of the unit's figures have their centre in one piece of terrain of these kinds."""
    sheet = sheet_of(game)
    return sheet.memo(("mostly in", unit.id, kinds), lambda: _mostly_in(sheet, unit, kinds), unit)


def _mostly_in(sheet: Sheet, unit: Unit, kinds: tuple[str, ...]) -> bool:
    body = sheet.body(unit)
    return any(2 * int(sheet.standing_in(body, piece).sum()) > len(body) > 0 for piece in sheet.of_kind(*kinds))


def in_water(game: Game, unit: Unit) -> bool:
    """Whether more than half of the unit's figures stand in a creek or ford, where nobody is formed (MM-191)."""
    if all(piece.kind not in _WATER for piece in game.terrain):
        return False  # asked thousands of times, mostly of dry tables
    sheet = sheet_of(game)
    return sheet.memo(("in water", unit.id), lambda: _in_water(sheet, unit), unit)


def _in_water(sheet: Sheet, unit: Unit) -> bool:
    body = sheet.body(unit)
    return any(2 * int(wading(sheet, body, piece).sum()) > len(body) > 0 for piece in sheet.of_kind(*_WATER))


def wading(sheet: Sheet, body: Body, water: Ground) -> Mask:
    """(n,) which of the figures stand in a creek or ford: who is on a bridge over it is dry (MM-192)."""
    wet = sheet.standing_in(body, water)
    for bridge in sheet.of_kind("bridge"):
        wet = wet & ~sheet.standing_in(body, bridge)
    return wet


def on_road(game: Game, unit: Unit) -> bool:
    """Whether every figure's centre is in a road polygon (MM-49)."""
    sheet = sheet_of(game)
    body, on = sheet.body(unit), np.zeros(len(sheet.body(unit)), dtype=bool)
    for road in sheet.of_kind("road"):
        on |= sheet.standing_in(body, road)
    return len(body) > 0 and bool(on.all())
