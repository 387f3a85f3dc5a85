"""How far figures and units are from each other: every pair at once, with sigma, verdicts and the line to draw.

All distances are in plan and in table millimetres. The sigma of a distance is what the errors of both positions
come to along the line, the root of the sum of their squares; errors of bearings add what they swing its ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdicts, at_least, at_most
from engine.geometry.drawing import Drawing, line
from engine.geometry.plane.lines import crossing_points, turned_all
from engine.geometry.shapes.bases import Bases, blocks, gaps, paired_gaps
from engine.geometry.shapes.units import by_units

__all__ = [
    "Distances", "UnitDistances", "between_units", "centres", "edges", "front_middles_to_edges",
    "shortest_lines", "show", "show_units",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Distances that differ by less than this are equal: the first of the pairs is then meant.
_EQUAL_MM = 1e-6


@dataclass(frozen=True, eq=False)
class Distances:
    """A table of distances ``value_mm`` (n, m), and the standard deviation of each, ``sigma_mm`` (n, m)."""

    value_mm: Array
    sigma_mm: Array

    def within(self, limit_mm: ArrayLike) -> Verdicts:
        """(n, m) whether each is at most a limit, which counts as within."""
        return at_most(self.value_mm, limit_mm, self.sigma_mm)

    def beyond(self, limit_mm: ArrayLike) -> Verdicts:
        """(n, m) whether each is at least a limit, which counts as beyond."""
        return at_least(self.value_mm, limit_mm, self.sigma_mm)


@dataclass(frozen=True, eq=False)
class UnitDistances(Distances):
    """A table of least distances between units (u, v); ``row`` and ``column`` (u, v) name the figures measured.

    Where a unit has no figure the distance is infinite and the figures are -1. `within` judges by those two
    figures; whether any pair may be within is the greatest, `by_units`, of the verdicts on all pairs.
    """

    row: Index
    column: Index


def edges(first: Bases, second: Bases, *, turns: bool = False) -> Distances:
    """Base edge to base edge, (n, m); 0 where bases touch or overlap.

    With ``turns`` the sigma also has what the errors of bearings do to the corners and edges of rectangles; most
    rulebooks speak of positions alone.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Rect, Round
    >>> two = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=20), Rect(width_mm=40, depth_mm=20)], [0, 0], 0.3)
    >>> edges(two, two).value_mm.tolist(), edges(two, two).sigma_mm.round(3)[0, 1].item()
    ([[0.0, 70.0], [70.0, 0.0]], 0.424)
    """
    sigma = np.hypot(first.sigma_mm[:, None], second.sigma_mm[None, :])
    if turns and (first.bearing_sigma_deg.any() or second.bearing_sigma_deg.any()):
        sigma = np.hypot(sigma, _swing(first, second))
    return Distances(gaps(first, second), sigma)


def centres(first: Bases, second: Bases) -> Distances:
    """Centre to centre, (n, m)."""
    apart = np.hypot(*(np.subtract.outer(first.centre[:, axis], second.centre[:, axis]) for axis in (0, 1)))
    return Distances(apart, np.hypot(first.sigma_mm[:, None], second.sigma_mm[None, :]))


def front_middles_to_edges(first: Bases, second: Bases) -> Distances:
    """From the middle of each base's front edge to the nearest edge of the other, (n, m); 0 from within it.

    The sigma has the part of the first base's bearing, which swings its front edge aside.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> two = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=20)] * 2, [90, 90])
    >>> front_middles_to_edges(two, two).value_mm.round(6).tolist()
    [[0.0, 80.0], [100.0, 0.0]]
    """
    spots = first.front_middle
    value, sigma = np.empty((len(first), len(second))), np.empty((len(first), len(second)))
    arm = (first.half[:, 1] + first.radius) * np.radians(first.bearing_sigma_deg)
    for rows in blocks(*value.shape):
        signed = second.to_points(spots[rows]).T
        value[rows] = np.maximum(signed, 0.0)
        way = _towards(spots[rows], second)
        aside = np.abs(np.einsum("nmj,nj->nm", way, first.right[rows])) * arm[rows, None]
        sigma[rows] = np.sqrt(first.sigma_mm[rows, None] ** 2 + second.sigma_mm[None, :] ** 2 + aside**2)
    return Distances(value, sigma)


def _towards(spots: Array, bases: Bases) -> Array:
    """(n, m, 2) the directions from points (n, 2) to the nearest points of bases; to the centre from within."""
    there = bases.local(spots)
    near = np.clip(there, -bases.half[:, None, :], bases.half[:, None, :])
    away = np.where((there == near).all(axis=-1, keepdims=True), there, there - near)
    length = np.hypot(away[..., 0], away[..., 1])[..., None]
    away = -away / np.where(length > 0, length, 1.0)
    way = away[..., :1] * bases.right[:, None, :] + away[..., 1:] * bases.ahead[:, None, :]
    return np.swapaxes(way, 0, 1)


def _swing(first: Bases, second: Bases) -> Array:
    """(n, m) the sigma that errors of bearings add to base edge to base edge: the arm of the measured points."""
    swing = np.empty((len(first), len(second)))
    for rows in blocks(*swing.shape):
        mine, theirs = np.meshgrid(np.arange(rows.start, rows.stop), np.arange(len(second)), indexing="ij")
        one, other = first.pick(mine.ravel()), second.pick(theirs.ravel())
        starts, ends = shortest_lines(one, other)
        along = ends - starts
        length = np.hypot(*along.T)[:, None]
        along = along / np.where(length > 0, length, 1.0)
        parts = [
            np.abs(along[:, 0] * arm[:, 1] - along[:, 1] * arm[:, 0]) * np.radians(base.bearing_sigma_deg)
            for base, arm in ((one, starts - one.centre), (other, ends - other.centre))
        ]
        swing[rows] = np.hypot(*parts).reshape(mine.shape)
    return swing


def shortest_lines(first: Bases, second: Bases) -> tuple[Array, Array]:
    """The ends (n, 2), (n, 2) of the shortest lines between the outlines of bases of equal index.

    The first end is a point of the first base, the second of the second; where they overlap both ends are one
    point that is in both.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> two = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=20)] * 2, [0, 0])
    >>> [ends.tolist() for ends in shortest_lines(two, two.pick([1, 1]))]
    [[[10.0, 0.0], [100.0, 0.0]], [[90.0, 0.0], [100.0, 0.0]]]
    """
    starts, ends = _core_lines(first, second)
    along = ends - starts
    length = np.hypot(*along.T)
    along = along / np.where(length > 0, length, 1.0)[:, None]
    reach = first.radius + second.radius
    share = np.where(length < reach, length / np.where(reach > 0, reach, 1.0), 1.0)
    one, other = (share * first.radius)[:, None] * along, (share * second.radius)[:, None] * along
    return starts + one, np.where((length < reach)[:, None], starts + one, ends - other)


def _core_lines(first: Bases, second: Bases) -> tuple[Array, Array]:
    """As `shortest_lines`, of rectangles and of the centres of discs."""
    mine, theirs = first.corners(), second.corners()
    starts = np.concatenate([mine, _clipped(first, theirs)], axis=1)
    ends = np.concatenate([_clipped(second, mine), theirs], axis=1)
    apart = np.hypot(*np.moveaxis(ends - starts, -1, 0))
    rows, best = np.arange(len(first)), apart.argmin(axis=1) if len(first) else np.zeros(0, dtype=np.intp)
    start, end = starts[rows, best], ends[rows, best]
    crossed = (apart[rows, best] > _EQUAL_MM) & first.is_rect & second.is_rect
    crossed[crossed] = paired_gaps(first.pick(crossed), second.pick(crossed)) <= 0
    for k in np.flatnonzero(crossed).tolist():  # laid crosswise, no corner of one in the other
        met = crossing_points(mine[k], turned_all(mine[k]), theirs[k], turned_all(theirs[k]))
        start[k] = end[k] = met[0]
    return start, end


def _clipped(bases: Bases, spots: Array) -> Array:
    """(n, k, 2) the points of the rectangles, or the centres of discs, nearest to points (n, k, 2)."""
    there = np.clip(bases.local(spots), -bases.half[:, None, :], bases.half[:, None, :])
    side, deep = there[..., :1] * bases.right[:, None, :], there[..., 1:] * bases.ahead[:, None, :]
    nearest: Array = bases.centre[:, None, :] + side + deep
    return nearest


def between_units(
    distances: Distances, rows: ArrayLike, columns: ArrayLike, shape: tuple[int, int]
) -> UnitDistances:
    """The least distance of any two figures, for each pair of units; of equals the first pair in the lists.

    Arguments as in `engine.geometry.shapes.units.by_units`.

    >>> table = Distances(np.array([[9.0, 4.0], [4.0, 7.0]]), np.zeros((2, 2)))
    >>> nearest = between_units(table, [0, 0], [0, 0], (1, 2))
    >>> nearest.value_mm.tolist(), nearest.row.tolist(), nearest.column.tolist()
    ([[4.0, inf]], [[0, -1]], [[1, -1]])
    """
    value = np.round(distances.value_mm, 6)
    least = by_units(value, rows, columns, shape, True, np.inf)
    count = value.size
    mine, theirs = np.asarray(rows, dtype=np.intp), np.asarray(columns, dtype=np.intp)
    place = np.arange(count).reshape(value.shape)
    if least.size:
        place = np.where(value <= least[mine[:, None], theirs[None, :]], place, count)
    chosen = by_units(place, rows, columns, shape, True, -1)
    row, column = np.divmod(chosen, max(value.shape[1], 1))
    none = chosen < 0
    row, column = np.where(none, -1, row), np.where(none, -1, column)
    if not count:
        return UnitDistances(least, np.zeros(shape), row, column)
    exact = np.where(none, np.inf, distances.value_mm[row, column])
    return UnitDistances(exact, np.where(none, 0.0, distances.sigma_mm[row, column]), row, column)


def show(first: Bases, second: Bases, pairs: Iterable[tuple[int, int]]) -> Drawing:
    """The shortest lines between the edges of chosen pairs of bases, as one would lay a tape."""
    chosen = np.array(list(pairs), dtype=np.intp).reshape(-1, 2)
    starts, ends = shortest_lines(first.pick(chosen[:, 0]), second.pick(chosen[:, 1]))
    return tuple(
        line("measure", [start, end], f"{np.hypot(*(end - start)):.1f} mm")
        for start, end in zip(starts, ends, strict=True)
    )


def show_units(first: Bases, second: Bases, nearest: UnitDistances, one: int, other: int) -> Drawing:
    """The shortest line between two units, by their indices; nothing where either has no figure."""
    row, column = int(nearest.row[one, other]), int(nearest.column[one, other])
    return show(first, second, [(row, column)] if row >= 0 else [])
