"""Creeks and fords on the way: to the edge, in, out, each an activation (MM-191, MM-192)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from engine.geometry.moving.moves import bases_to_area, moved
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM, at_most
from engine.geometry.shapes.pieces import pieces_from
from engine.geometry.sight.crossing import lengths_without
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.table.approaches import through_rivers
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, state_of

__all__ = ["Bank", "bank_of", "dry_way_mm", "forced_off_ford", "held_by_water", "through_water", "water_at"]

Bank = Literal["edge", "inside"]

#: Who stands so near the water is at its edge (R-19).
_EDGE_MM = 1 * MM_PER_INCH
_STEP_MM = 5.0
_WATER = ("creek", "ford")


def water_at(game: Game, unit: Unit) -> Bank | None:
    """Whether some of the unit's figures stand in a creek or ford, or near enough to go in next."""
    figures = figures_of(unit)
    if not figures:
        return None
    centres = [(one.x_mm, one.y_mm) for one in figures]
    if _water_on(game, centres, centres) is not None:
        return "inside"
    for piece in sheet_of(game).of_kind(*_WATER):
        if at_most(min(bases_to_area(figures, piece.outline)), _EDGE_MM):
            return "edge"
    return None


def bank_of(game: Game, unit: Unit) -> Bank | None:
    """How far the unit has come in crossing, by what is noted of it and where it stands now.

    Who was moved away from the bank by hand has come to none; who was put into the water is in it.
    """
    if not sheet_of(game).of_kind(*_WATER):
        return None
    now, noted = water_at(game, unit), state_of(unit).at_edge_since
    return "inside" if now == "inside" else None if noted is None else now


def held_by_water(
    game: Game, unit: Unit, figures: Sequence[Figure], direction: Vector, far_mm: float, *, fresh: bool = False
) -> str | None:
    """Why water does not let the unit's figures go so far in this activation; None where they may.

    ``fresh``: what it has moved in its own turn does not matter, as of a charge by reaction.
    """
    now = state_of(unit)
    was = bank_of(game, unit)
    gone = moved(figures, direction, far_mm)
    starts, ends = ([(one.x_mm, one.y_mm) for one in some] for some in (figures, gone))
    water = _water_on(game, starts, ends)
    ends_inside = _water_on(game, ends, ends) is not None
    begun = now.moved_mm > MM and not fresh
    if was == "inside":
        return "it has come into the water: out of it in its next activation" if begun and not ends_inside else None
    if water is None:
        return None
    if was is None or begun:
        return f"{water}: one activation leads to the water's edge, the next into it"
    return None if ends_inside else f"{water}: one activation leads into the water, the next out of it"


def through_water(game: Game, figures: Sequence[Figure], direction: Vector, far_mm: float) -> bool:
    """Whether a straight way leads some of the figures into a creek or ford, through it or out of it."""
    starts, ends = ([(one.x_mm, one.y_mm) for one in some] for some in (figures, moved(figures, direction, far_mm)))
    return _water_on(game, starts, ends) is not None


def forced_off_ford(game: Game, unit: Unit, gone: Sequence[Figure]) -> bool:
    """Whether a unit of whom some stand in a ford goes so that most of its men come into the river (MM-192).

    ``gone`` are its figures where they end, straight from where they stand.
    """
    sheet, figures = sheet_of(game), figures_of(unit)
    fords = sheet.of_kind("ford")
    if not fords or not any(bool(sheet.standing_in(sheet.body(unit), ford).any()) for ford in fords):
        return False
    there = {one.id: one for one in gone}
    starts = np.array([(one.x_mm, one.y_mm) for one in figures], dtype=float)
    ends = np.array([(there[one.id].x_mm, there[one.id].y_mm) for one in figures], dtype=float)
    return 2 * int(through_rivers(sheet, starts, ends).sum()) > len(figures)


def dry_way_mm(game: Game, unit: Unit, direction: Vector, far_mm: float) -> float:
    """How much of a straight way water lets the unit go in this activation."""
    while far_mm > 0.0 and held_by_water(game, unit, figures_of(unit), direction, far_mm) is not None:
        far_mm = max(0.0, far_mm - _STEP_MM)
    return far_mm


def _water_on(game: Game, starts: Sequence[Vector], ends: Sequence[Vector]) -> str | None:
    """The first creek or ford that straight ways lead through, but for bridges over it; a way may be a point."""
    land = sheet_of(game).land
    waters = land.of_kind(*_WATER)
    if not waters:
        return None
    first, last = np.array(starts, dtype=float), np.array(ends, dtype=float)
    if np.allclose(first, last):  # a point is as a very short way
        last = first + np.array([0.0, 4 * MM])
    pieces = land.memo("waters", lambda: pieces_from([piece.terrain for piece in waters]))
    bridges = land.memo("bridges", lambda: pieces_from([piece.terrain for piece in land.of_kind("bridge")]))
    for number, piece in enumerate(waters):
        if bool((lengths_without(pieces, number, bridges, first, last) > MM).any()):
            return piece.id
    return None
