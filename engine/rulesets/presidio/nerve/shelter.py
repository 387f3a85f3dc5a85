"""Cover on the way of a unit that gives ground: where its lead figure would be in it (PR-713, PR-714)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.directions import Vector
from engine.geometry.plane.lines import crossing_points
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import first_contact, outlines_as_blockers, shifted
from engine.geometry.shapes.bases import Bases, bases_of
from engine.records.game import Figure, Game
from engine.rulesets.presidio.table.field import field_of

__all__ = ["foremost", "shelters"]

Array = NDArray[np.float64]

#: Farther beyond a thin thing than any base is large.
_BEYOND_MM = 1000.0


def foremost(figures: Sequence[Figure], way: Vector) -> Figure:
    """The lead figure: the one farthest along the way, the first of equals (PR-301)."""
    return max(figures, key=lambda figure: round(figure.x_mm * way[0] + figure.y_mm * way[1], 6))


def shelters(game: Game, lead: Figure, way: Vector, length_mm: float) -> tuple[float, ...]:
    """How far along its way a figure is in cover, from half of the length on: nearest first.

    In an area with its centre inside, at that half already where it is in by then; behind a thin thing when its
    base has just passed it.
    """
    field = field_of(game)
    base = bases_of([(lead.x_mm, lead.y_mm)], [lead.base], [lead.bearing_deg])
    start, along = base.centre[0], np.array(way)
    half, found = length_mm / 2, []
    for number, patch in enumerate(field.patches):
        if patch.cover == "none":
            continue
        edges = field.pieces.edges(number)
        for enter, leave in _inside(start, along, length_mm + _BEYOND_MM, edges):
            at = _passed(base, along, leave, edges[0]) if patch.line and enter > MM else max(enter, half)
            if (patch.line and enter <= MM) or (not patch.line and leave < half - MM):
                continue
            if half - MM <= at <= length_mm + MM:
                found.append(min(at, length_mm))
    return tuple(sorted(found))


def _inside(
    start: Array, along: Array, length_mm: float, edges: tuple[Array, Array]
) -> Iterator[tuple[float, float]]:
    """Where a straight way goes into an outline and out of it again."""
    met = crossing_points(start[None], (start + length_mm * along)[None], *edges)
    spots = sorted({round(float((spot - start) @ along), 6) for spot in met})
    cuts = [0.0, *spots, length_mm]
    for enter, leave in pairwise(cuts):
        middle = start + (enter + leave) / 2 * along
        if leave > enter and _holds(middle, edges):
            yield enter, leave


def _holds(spot: Array, edges: tuple[Array, Array]) -> bool:
    """Whether a point lies inside an outline: a ray from it crosses it an odd number of times."""
    start, end = edges
    straddles = (start[:, 1] > spot[1]) != (end[:, 1] > spot[1])
    rise = np.where(straddles, end[:, 1] - start[:, 1], 1.0)
    right = (end[:, 0] - start[:, 0]) * (spot[1] - start[:, 1]) / rise + start[:, 0] > spot[0]
    return int((straddles & right).sum()) % 2 == 1


def _passed(base: Bases, along: Array, leave_mm: float, outline: Array) -> float:
    """How far a base goes until it has just passed an outline that its centre leaves so far on."""
    far = leave_mm + _BEYOND_MM
    beyond = shifted(base, far * along)
    met = first_contact(beyond, outlines_as_blockers([outline], ["thin"]), -along)
    return leave_mm if met is None else far - met.distance_mm
