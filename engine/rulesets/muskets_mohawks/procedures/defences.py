"""Which wall or fieldworks a unit defends (R-32)."""

from __future__ import annotations

from collections.abc import Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from engine.geometry.moves import bases_to_area, centroid
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, state_of

__all__ = ["defended"]

_NEAR_MM = 1 * MM_PER_INCH


def defended(game: Game, unit: Unit, attackers: Sequence[Figure]) -> str | None:
    """The wall or fieldworks between the unit and its attackers: named by the unit, or near and crossed."""
    named = state_of(unit).behind
    if named is not None:
        return named
    figures = figures_of(unit)
    if not figures or not attackers:
        return None
    line = shapely.LineString([centroid(attackers), centroid(figures)])
    for piece in game.terrain:
        if piece.kind not in ("wall", "fieldworks"):
            continue
        area = _area(piece.polygon_mm, piece.polyline_mm, piece.width_mm)
        near = sum(distance <= _NEAR_MM + 0.001 for distance in bases_to_area(figures, area))
        if 2 * near > len(figures) and shapely.intersects(line, area):
            return piece.id
    return None


def _area(
    polygon: Sequence[tuple[float, float]] | None,
    polyline: Sequence[tuple[float, float]] | None,
    width_mm: float | None,
) -> BaseGeometry:
    if polygon is not None:
        return shapely.Polygon(polygon)
    return shapely.LineString(polyline or []).buffer((width_mm or 1.0) / 2.0, cap_style="flat")
