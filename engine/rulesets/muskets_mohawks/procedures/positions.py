"""Defensive positions: houses, fieldworks and gullies in which a unit that nobody plays stays (MM-225, MM-231)."""

from __future__ import annotations

import numpy as np

from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.defences import defended
from engine.rulesets.muskets_mohawks.procedures.np_ways import foe_of
from engine.rulesets.muskets_mohawks.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["holds_position"]


def holds_position(game: Game, unit: Unit, tactics: str | None) -> bool:
    """Whether the unit defends and stands in a house, behind fieldworks or, more than half of it, in a gully."""
    if tactics != "defend" or not figures_of(unit):
        return False
    if state_of(unit).in_building is not None:
        return True
    foe, works = foe_of(game, unit), sheet_of(game).of_kind("fieldworks")
    named = None if foe is None else defended(game, unit, figures_of(foe))
    return any(piece.id == named for piece in works) or _in_a_gully(game, unit)


def _in_a_gully(game: Game, unit: Unit) -> bool:
    spots = np.array([(one.x_mm, one.y_mm) for one in figures_of(unit)])
    return any(2 * int(piece.shape.contains(spots).sum()) > len(spots) for piece in sheet_of(game).of_kind("gully"))
