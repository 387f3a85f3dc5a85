"""The ground that a unit's bases span, gaps and all, and where on a straight way one body stands upon another.

It says what `engine.geometry.moving.passing` says of figures, many times sooner: each unit's ground is worked out
once, and most units are told to be aside without drawing anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.moving.passing import BRUSH_MM
from engine.geometry.plane.directions import Vector
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Unit
from engine.rulesets.base.kept import once
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["by_the_way", "upon"]

Array = NDArray[np.float64]

#: Farther than across any table.
_FAR_MM = 1e5
#: The rim of a disc among bases of other kinds is so many points.
_RIM = 32


class _Span(NamedTuple):
    """Points (k, 2) whose hull, widened by a radius in mm, is the ground that bases span."""

    points: Array
    radius_mm: float


class _Spans(NamedTuple):
    """Those of several units: all points (k, 2), where each unit's begin (n,), the radii (n,)."""

    units: tuple[Unit, ...]
    points: Array
    begins: NDArray[np.intp]
    radius_mm: Array


def by_the_way(sheet: Sheet, unit: Unit, direction: Vector, most_mm: float) -> list[Unit]:
    """The other units in the open that a unit may come upon when it goes so far; markers are nobody.

    All others stand aside of its way, behind it or beyond it.
    """
    spans = sheet.memo(("spans",), lambda: _spans_of(sheet.game.units))
    if not spans.units:
        return []
    mine, axes = _span_of(unit), np.array([direction, (direction[1], -direction[0])]).T
    own, theirs = mine.points @ axes, spans.points @ axes
    low, high = (reach.reduceat(theirs, spans.begins, axis=0) for reach in (np.minimum, np.maximum))
    wide = (mine.radius_mm + spans.radius_mm)[:, None]
    reach_mm = own.max(axis=0) + np.array([most_mm, 0.0])
    near = (low - wide < reach_mm) & (high + wide > own.min(axis=0))
    return [spans.units[number] for number in np.flatnonzero(near.all(axis=1)).tolist()
            if spans.units[number].id != unit.id]  # fmt: skip


def _spans_of(units: Sequence[Unit]) -> _Spans:
    there = tuple(one for one in units if one.figures and one.type != "pef" and state_of(one).in_building is None)
    each = [_span_of(one) for one in there]
    begins = np.cumsum([0, *(len(one.points) for one in each)])[:-1]
    points = np.vstack([one.points for one in each]) if each else np.zeros((0, 2))
    return _Spans(there, points, begins, np.array([one.radius_mm for one in each]))


def upon(unit: Unit, other: Unit, direction: Vector, most_mm: float) -> tuple[float, float] | None:
    """From where to where on its way, in mm, a unit would stand upon another; None: not before ``most_mm``.

    >>> from engine.records.game import Figure, Round
    >>> def men(*spots):
    ...     return Unit(id="u", side="s", type="t", formation="mob", weapon="none", figures=tuple(
    ...         Figure(id=str(n), x_mm=x, y_mm=y, base=Round(diameter_mm=20)) for n, (x, y) in enumerate(spots)))
    >>> [round(end) for end in upon(men((0, 0)), men((-30, 100), (30, 100)), (0, 1), 200)]
    [81, 119]
    """
    mine, theirs = _span_of(unit), _span_of(other)
    apart = (theirs.points[:, None] - mine.points[None]).reshape(-1, 2)
    along, across = apart @ np.array(direction), apart @ np.array((direction[1], -direction[0]))
    wide = mine.radius_mm + theirs.radius_mm - BRUSH_MM
    reach = max(wide, 0.0)
    if across.min() > reach or across.max() < -reach or along.max() < -reach or along.min() > most_mm + reach:
        return None
    area = shapely.MultiPoint(np.column_stack([along, across])).convex_hull.buffer(wide, quad_segs=16)
    on = shapely.intersection(shapely.LineString([(0.0, 0.0), (_FAR_MM, 0.0)]), area)
    if on.is_empty or on.length == 0.0 or on.bounds[0] >= most_mm:
        return None
    return float(on.bounds[0]), float(on.bounds[2])


def _span_of(unit: Unit) -> _Span:
    return once(unit, "mm_span", lambda: _spanned(unit))


def _spanned(unit: Unit) -> _Span:
    figures = unit.figures
    bases = bases_of(
        [(f.x_mm, f.y_mm) for f in figures], [f.base for f in figures], [f.bearing_deg for f in figures]
    )
    if not bases.is_rect.any() and np.ptp(bases.radius) == 0.0:
        return _Span(_hull(bases.centre), float(bases.radius[0]))
    turns = np.linspace(0.0, 2 * np.pi, _RIM, endpoint=False)
    rim = np.column_stack([np.cos(turns), np.sin(turns)])
    discs = bases.centre[~bases.is_rect, None] + bases.radius[~bases.is_rect, None, None] * rim[None]
    return _Span(_hull(np.vstack([discs.reshape(-1, 2), bases.corners()[bases.is_rect].reshape(-1, 2)])), 0.0)


def _hull(points: Array) -> Array:
    corners: Array = shapely.get_coordinates(shapely.MultiPoint(points).convex_hull)
    return corners
