"""How far bases stand outside the ground that an answer gives as within a unit's reach."""

from __future__ import annotations

from collections.abc import Iterable

import shapely
from shapely.geometry.base import BaseGeometry

from engine.records.answer import MoveOption
from engine.records.game import Figure, Round

__all__ = ["outside_mm"]


def outside_mm(figures: Iterable[Figure], option: MoveOption) -> float:
    """How far the base that is farthest out lies beyond the ground in reach, in mm; 0 where no ground is given.

    Of a rectangular base the circle counts that fits into it: it may have been turned.
    """
    ground = _ground(option)
    if ground is None:
        return 0.0
    by_size: dict[float, list[Figure]] = {}
    for figure in figures:
        by_size.setdefault(_inner_mm(figure), []).append(figure)
    return max((_farthest_mm(ground, radius, some) for radius, some in by_size.items()), default=0.0)


def _farthest_mm(ground: BaseGeometry, radius: float, figures: list[Figure]) -> float:
    room = ground.buffer(-radius)
    if room.is_empty:
        return 0.0
    return float(shapely.distance(shapely.points([(f.x_mm, f.y_mm) for f in figures]), room).max())


def _inner_mm(figure: Figure) -> float:
    base = figure.base
    return base.diameter_mm / 2.0 if isinstance(base, Round) else min(base.width_mm, base.depth_mm) / 2.0


def _ground(option: MoveOption) -> BaseGeometry | None:
    polygons = option.extra.get("reach_polygons_mm") or ([[option.reach_mm]] if option.reach_mm else [])
    parts = [shapely.Polygon(rings[0], rings[1:]).buffer(0.0) for rings in polygons if len(rings[0]) > 2]
    return shapely.union_all(parts) if parts else None
