"""Defensive positions: houses, works, gullies that a unit that nobody plays keeps, or retakes (MM-225, MM-231)."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from engine.geometry.moving.moves import bases_to_area
from engine.geometry.plane.tolerance import MM, at_most
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.options.charge_options import charge_options
from engine.rulesets.muskets_mohawks.procedures.movement.defences import defended
from engine.rulesets.muskets_mohawks.procedures.solo.np_closing import foe_of
from engine.rulesets.muskets_mohawks.seeing.sight import bodies_pairs
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.table.land import Ground
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, state_of

__all__ = ["Lost", "position_of", "to_retake"]

#: Who has taken works stands at them, on whichever side: so near.
_AT_WORKS_MM = 1 * MM_PER_INCH


class Lost(Struct, frozen=True, kw_only=True):
    """A position that was lost, by id, the enemy who stands there, and whether the unit may charge him now."""

    position: str
    enemy: str
    charges: bool


def position_of(game: Game, unit: Unit, tactics: str | None) -> str | None:
    """What a unit on the defence holds: its house, the works it is behind, a gully that most of it is in; by id."""
    if tactics != "defend" or not figures_of(unit):
        return None
    inside = state_of(unit).in_building
    if inside is not None:
        return inside
    foe, sheet = foe_of(game, unit), sheet_of(game)
    named = None if foe is None else defended(game, unit, figures_of(foe))
    works = (piece.id for piece in sheet.of_kind("fieldworks") if piece.id == named)
    gullies = (piece.id for piece in sheet.of_kind("gully") if _most_at(unit, piece, MM))
    return next(works, None) or next(gullies, None)


def to_retake(game: Game, unit: Unit) -> Lost | None:
    """The position that a unit attacks to retake (MM-231).

    Another unit of its side has lost it to an enemy who stands there, in the unit's sight and within its move.
    """
    land, reach = sheet_of(game).land, normal_move_mm(game, unit)
    for other in game.units:
        piece = land.piece(state_of(other).holds) if other.side == unit.side and other.id != unit.id else None
        if piece is None or _occupies(other, piece):
            continue
        near = at_most(min(bases_to_area(figures_of(unit), piece.outline)), reach)
        taker = next((foe.id for foe in game.enemies(unit) if near and _taken(game, unit, foe, piece)), None)
        if taker is not None:
            may = any(option.legal for option in charge_options(game, unit) if option.target == taker)
            return Lost(position=piece.id, enemy=taker, charges=may)
    return None


def _taken(game: Game, unit: Unit, enemy: Unit, piece: Ground) -> bool:
    """Whether an enemy holds a piece and a unit sees him there."""
    sheet = sheet_of(game)
    if not _occupies(enemy, piece):
        return False
    return bool(bodies_pairs(sheet, sheet.body(unit), sheet.body(enemy)).clear.any())


def _occupies(unit: Unit, piece: Ground) -> bool:
    if not figures_of(unit):
        return False
    if piece.terrain.kind == "building":
        return state_of(unit).in_building == piece.id
    return _most_at(unit, piece, _AT_WORKS_MM if piece.terrain.kind == "fieldworks" else MM)


def _most_at(unit: Unit, piece: Ground, within_mm: float) -> bool:
    """Whether more than half of a unit's figures stand in a piece, or so near it; in a gully by their centres."""
    figures = figures_of(unit)
    if piece.terrain.kind == "gully":
        inside = piece.shape.contains(np.array([(one.x_mm, one.y_mm) for one in figures]))
        return 2 * int(inside.sum()) > len(figures)
    gaps = bases_to_area(figures, piece.outline)
    return 2 * sum(at_most(gap, within_mm) for gap in gaps) > len(figures)
