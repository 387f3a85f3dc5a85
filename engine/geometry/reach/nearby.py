"""What a body could come to touch by its manoeuvres at all: a coarse choice that leaves nothing out.

Fewer things in the way are worked out sooner; and where none of these has changed, neither has the ground in reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.directions import unit_vector
from engine.geometry.plane.distinct import runs
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.regions import Manoeuvre, Straight, farthest_mm
from engine.geometry.shapes.bases import Bases

__all__ = ["Going", "met_by", "nearby"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: More than what drawn ground may leave the true rim by.
_HAIR_MM = 5.0


@dataclass(frozen=True, eq=False)
class Going:
    """Bases about to move so far at most, by some manoeuvres as one body; by none: each by itself, any way."""

    bases: Bases
    facing_deg: float
    manoeuvres: Sequence[Manoeuvre]
    allowance_mm: float

    @cached_property
    def rectangles(self) -> Array:
        """(r, 6) rectangles that together hold all that the bases come to: the direction of one side, from where it
        lies along that and to its right, and to where."""
        if self.manoeuvres:
            return np.array([_rectangle(self, manoeuvre) for manoeuvre in self.manoeuvres])
        margin = self.allowance_mm + 2 * float(self.bases.circumradius.max())
        low, high = self.bases.centre.min(axis=0) - margin, self.bases.centre.max(axis=0) + margin
        return np.array([[0.0, 1.0, low[1], low[0], high[1], high[0]]])


def nearby(
    blockers: Blockers, bases: Bases, facing_deg: float, manoeuvres: Sequence[Manoeuvre], allowance_mm: float
) -> Blockers:
    """The shapes, whole, that may lie on the ground that bases come to by one of the manoeuvres.

    >>> from engine.geometry.shapes.bases import bases_of
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
    return blockers.whole(met_by(blockers, [Going(bases, facing_deg, manoeuvres, allowance_mm)])[0])


def met_by(blockers: Blockers, every: Sequence[Going]) -> Mask:
    """(n, s) which shapes may lie on the ground that each of several comes to.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.reach.blockers import bases_as_blockers
    >>> from engine.records.game import Round
    >>> one, other = (bases_of([at], [Round(diameter_mm=20)], [0]) for at in ((0, 0), (0, 80)))
    >>> stones, ahead = bases_as_blockers(other, ["stone"]), [Straight()]
    >>> met_by(stones, [Going(one, facing, ahead, 100.0) for facing in (0.0, 180.0)]).tolist()
    [[True], [False]]
    """
    met = np.zeros((len(every), len(blockers.names)), dtype=bool)
    if not len(blockers):
        return met
    some = [number for number, one in enumerate(every) if len(one.bases)]
    if not some:
        return met
    owner = np.repeat(some, [len(every[number].rectangles) for number in some])
    way, low, high = np.split(np.concatenate([every[number].rectangles for number in some]), (2, 4), axis=1)
    found = np.ones((len(way), len(blockers.names)), dtype=bool)
    for axis, along in enumerate((way, np.stack([way[:, 1], -way[:, 0]], axis=-1))):
        least, most = _extents(blockers, along)
        found &= (least <= high[:, axis, None]) & (most >= low[:, axis, None])
    np.logical_or.at(met, owner, found)
    return met


def _rectangle(one: Going, manoeuvre: Manoeuvre) -> list[float]:
    """The rectangle, along the manoeuvre's bearing, that holds all it leads to."""
    far = farthest_mm(one.bases, one.facing_deg, manoeuvre, one.allowance_mm)
    if isinstance(manoeuvre, Straight):
        bearing, turn = one.facing_deg + manoeuvre.turn_deg, min(manoeuvre.half_deg, 180.0)
        aside = far * float(np.sin(np.radians(min(turn, 90.0))))
    else:
        bearing, turn, aside = one.facing_deg, manoeuvre.most_deg, far
    back = 0.0 if turn <= 90.0 else far
    way, margin = unit_vector(bearing), one.bases.circumradius + _HAIR_MM
    ends = []
    for direction, more, less in ((way, far, back), (np.array([way[1], -way[0]]), aside, aside)):
        at = one.bases.centre @ direction
        ends.append((float((at - margin).min() - less), float((at + margin).max() + more)))
    (low, high), (left, right) = ends
    return [float(way[0]), float(way[1]), low, left, high, right]


def _extents(blockers: Blockers, ways: Array) -> tuple[Array, Array]:
    """(r, s), (r, s) from where to where along unit vectors (r, 2) each shape reaches."""
    low, high = (np.full((len(ways), len(blockers.names)), end) for end in (np.inf, -np.inf))
    start, end = ways @ blockers.start.T, ways @ blockers.end.T
    order = np.argsort(blockers.shape, kind="stable")
    begins = runs(blockers.shape[order])
    present = blockers.shape[order][begins]
    low[:, present] = np.minimum.reduceat((np.minimum(start, end) - blockers.rounding)[:, order], begins, axis=1)
    high[:, present] = np.maximum.reduceat((np.maximum(start, end) + blockers.rounding)[:, order], begins, axis=1)
    return low, high
