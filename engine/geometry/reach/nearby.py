"""What a body could come to touch by its manoeuvres at all: a coarse choice that leaves nothing out.

Fewer things in the way are worked out sooner; and where none of these has changed, neither has the ground in reach.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.directions import unit_vector
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.regions import Manoeuvre, Straight

__all__ = ["nearby"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: More than what drawn ground may leave the true rim by.
_HAIR_MM = 5.0


def nearby(
    blockers: Blockers, bases: Bases, facing_deg: float, manoeuvres: Sequence[Manoeuvre], allowance_mm: float
) -> Blockers:
    """The shapes, whole, that may lie on the ground that bases come to by one of the manoeuvres.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.geometry.reach.blockers import bases_as_blockers
    >>> from engine.records.game import Round
    >>> disc = Round(diameter_mm=20)
    >>> one, others = bases_of([(0, 0)], [disc], [0]), bases_of([(0, 80), (0, -80), (80, -80)], [disc] * 3, [0] * 3)
    >>> ways = [Straight(half_deg=45.0), Straight(turn_deg=180.0)]
    >>> found = nearby(bases_as_blockers(others, ["ahead", "behind", "aside"]), one, 0.0, ways, 100.0)
    >>> [found.names[number] for number in found.shape]
    ['ahead', 'behind']
    """
    if not len(blockers) or not len(bases):
        return blockers
    met = np.zeros(len(blockers.names), dtype=bool)
    for manoeuvre in manoeuvres:
        met |= _met(blockers, bases, facing_deg, manoeuvre, allowance_mm)
    return blockers.pick(met[blockers.shape])


def _met(blockers: Blockers, bases: Bases, facing_deg: float, manoeuvre: Manoeuvre, allowance_mm: float) -> Mask:
    """(s,) which shapes lie in the rectangle, along the manoeuvre's bearing, that holds all it leads to."""
    far = max(0.0, allowance_mm - manoeuvre.cost_mm) * manoeuvre.factor
    if isinstance(manoeuvre, Straight):
        bearing, turn = facing_deg + manoeuvre.turn_deg, min(manoeuvre.half_deg, 180.0)
        ahead, aside = far, far * float(np.sin(np.radians(min(turn, 90.0))))
    else:  # the outer end's arc is measured; others, farther from the pivot behind it, may swing farther
        bearing, turn, ahead, aside = facing_deg, manoeuvre.most_deg, np.inf, np.inf
    back = 0.0 if turn <= 90.0 else np.inf
    margin = bases.circumradius + _HAIR_MM
    met = np.ones(len(blockers.names), dtype=bool)
    for way, more, less in (
        (unit_vector(bearing), ahead, back),
        (unit_vector(bearing + 90.0), aside, aside),
    ):
        at = bases.centre @ way
        low, high = _extents(blockers, way)
        met &= (low <= (at + margin).max() + more) & (high >= (at - margin).min() - less)
    return met


def _extents(blockers: Blockers, way: Array) -> tuple[Array, Array]:
    """(s,), (s,) from where to where along a unit vector each shape reaches."""
    low, high = np.full(len(blockers.names), np.inf), np.full(len(blockers.names), -np.inf)
    start, end = blockers.start @ way, blockers.end @ way
    np.minimum.at(low, blockers.shape, np.minimum(start, end) - blockers.rounding)
    np.maximum.at(high, blockers.shape, np.maximum(start, end) + blockers.rounding)
    return low, high
