"""Which wall or fieldworks a unit defends (R-32)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.geometry.moving.moves import bases_to_area, centroid, may_meet, meets
from engine.geometry.plane.tolerance import at_most
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, state_of

__all__ = ["defended"]

_NEAR_MM = 1 * MM_PER_INCH
#: Works said to be defended are, while some figure stands so near them.
_AT_WORKS_MM = 2 * MM_PER_INCH


def defended(game: Game, unit: Unit, attackers: Sequence[Figure], held: Collection[str] = ()) -> str | None:
    """The wall or fieldworks between the unit and its attackers: named by the unit, or near and crossed.

    ``held`` are those that the attackers themselves defend: who came over them is not behind them.
    """
    figures, named = figures_of(unit), state_of(unit).behind
    if named is not None and not _left(game, figures, named):
        return named
    if not figures or not attackers:
        return None
    start, end = centroid(attackers), centroid(figures)
    for piece in sheet_of(game).of_kind("wall", "fieldworks"):
        if piece.id in held or not may_meet(piece.bounds, start, end):
            continue
        near = sum(at_most(distance, _NEAR_MM) for distance in bases_to_area(figures, piece.outline))
        if 2 * near > len(figures) and meets(piece.outline, start, end):
            return piece.id
    return None


def _left(game: Game, figures: Sequence[Figure], named: str) -> bool:
    """Whether the unit, moved by hand perhaps, has gone from the works that it is said to defend."""
    piece = sheet_of(game).land.piece(named)
    if piece is None or not figures:
        return False
    return not at_most(min(bases_to_area(figures, piece.outline)), _AT_WORKS_MM)
