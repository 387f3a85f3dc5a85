"""How the figures of units stand together: ranks and files, the front line, gaps, spacing, coherence.

All units are worked out at once: figures (n,) with a unit number each, counted from 0. What a line, a column or a
mob is, is the rulebook's to say: see `engine.geometry.formations.patterns`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts, at_most, settled
from engine.geometry.drawing import Drawing, line
from engine.geometry.formations.contacts import contact_graph
from engine.geometry.plane.directions import off
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, gaps, paired_gaps
from engine.geometry.shapes.units import greatest, groups, mean_bearings, of_each, reaches

__all__ = [
    "FrontLines", "Neighbours", "Rows", "Spacing", "bearing_spread", "coherence", "front_lines", "neighbour_gaps",
    "rows_across", "show_front_line", "spacing",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rows:
    """Figures sorted into rows one behind the other along a direction: ranks from the front, files from the left.

    ``row`` (n,) counts from 0 in each unit, -1 for figures of none; ``count`` (u,) is how many rows each unit
    has; ``settled`` (u,) whether the measurement leaves no step between two rows in doubt.
    """

    row: Index
    count: Index
    settled: Verdicts

    def sizes(self, units: ArrayLike) -> NDArray[np.intp]:
        """(u, r) how many figures each row of each unit holds; 0 beyond a unit's last row."""
        of = np.asarray(units, dtype=np.intp)
        sizes = np.zeros((len(self.count), int(self.count.max(initial=0))), dtype=np.intp)
        np.add.at(sizes, (of[of >= 0], self.row[of >= 0]), 1)
        return sizes


def rows_across(
    bases: Bases, units: ArrayLike, bearing_deg: Array, step_mm: ArrayLike, *, or_equal: bool = True
) -> Rows:
    """The rows of each unit seen along bearings (u,): where centres lie more than a step apart a new row begins.

    Ranks are the rows along a unit's bearing, the foremost first; files those along its bearing less 90 degrees,
    the left one first. ``step_mm`` is one number or (u,); a distance of exactly the step is still one row, but for
    ``or_equal`` False.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> two = bases_of([(0, 0), (25, 3), (0, 25)], [Round(diameter_mm=25)] * 3, [0] * 3)
    >>> rows_across(two, [0] * 3, np.array([0.0]), 12.5).row.tolist()
    [1, 1, 0]
    """
    of, count = np.asarray(units, dtype=np.intp), len(bearing_deg)
    turn = np.radians(bearing_deg)
    along = (bases.centre * of_each(np.stack([np.sin(turn), np.cos(turn)], axis=-1), of)).sum(axis=-1)
    order = np.lexsort((-along, of))
    order = order[of[order] >= 0]
    same = np.diff(of[order], prepend=-1) == 0
    step = np.broadcast_to(np.asarray(step_mm, dtype=float), (count,))[of[order]]
    gap = -np.diff(along[order], prepend=0.0)
    new = same & (gap > step + MM if or_equal else gap >= step - MM)
    doubt = _may_begin(-along[order], of[order], bases.sigma_mm[order], step, or_equal=or_equal) & same
    number = np.cumsum(new)
    _, starts, present = groups(of[order])
    row = np.full(len(of), -1, dtype=np.intp)
    row[order] = number - np.repeat(number[starts], np.diff(np.append(starts, len(order))))
    rows, doubtful = np.zeros(count, dtype=np.intp), np.zeros(count, dtype=bool)
    if len(present):
        rows[present] = np.maximum.reduceat(row[order], starts) + 1
        doubtful[present] = np.logical_or.reduceat(doubt, starts)
    return Rows(row, rows, settled(np.ones(count, dtype=bool), doubtful))


def _may_begin(back: Array, of: Index, sigma: Array, step: Array, *, or_equal: bool) -> Mask:
    """(k,) whether a row may begin at each figure or not, by how far back they stand, in order within each unit.

    None begins where two across are near enough for sure; one may where two perhaps are, and none surely.
    """
    surely, perhaps = np.zeros(len(of) + 1, dtype=np.intp), np.zeros(len(of) + 1, dtype=np.intp)
    most = 2 * SIGMAS * float(sigma.max(initial=0.0))
    for places in range(1, len(of) if most > 0 else 0):
        one = np.flatnonzero(of[places:] == of[:-places])
        other = one + places
        gap, error = back[other] - back[one], np.hypot(sigma[one], sigma[other])
        if not (gap <= step[one] + most + MM).any():
            break
        far = gap > step[one] + MM if or_equal else gap >= step[one] - MM
        doubtful = (error > 0) & (np.abs(gap - step[one]) <= SIGMAS * error)
        for found, near in ((surely, ~far & ~doubtful), (perhaps, ~far | doubtful)):
            found += np.bincount(one[near] + 1, minlength=len(found)) - np.bincount(
                other[near] + 1, minlength=len(found)
            )
    may: Mask = (np.cumsum(perhaps) > 0)[:-1] & (np.cumsum(surely) == 0)[:-1]
    return may


@dataclass(frozen=True, eq=False)
class FrontLines:
    """The front lines of ``u`` units: ``left`` and ``right`` (u, 2) their ends, as the unit faces, ``bearing_deg``
    (u,) square to them, ``width_mm`` (u,) how far apart the ends are, ``bearing_sigma_deg`` and ``sigma_mm`` (u,).

    nan for a unit without figures.
    """

    left: Array
    right: Array
    bearing_deg: Array
    bearing_sigma_deg: Array
    width_mm: Array
    sigma_mm: Array


def front_lines(bases: Bases, units: ArrayLike, facing_deg: Array, leading: NDArray[np.bool_]) -> FrontLines:
    """The lines that fit the centres of leading figures (n,) best, moved on to the foremost edge of their bases.

    The line is the one with the least squares of distances from it; it faces to the side of ``facing_deg`` (u,),
    which also holds where one figure leads, or several on a spot. Its ends are as far out as the leading bases.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> row = bases_of([(0, 0), (25, 25), (50, 50)], [Round(diameter_mm=20)] * 3, [0] * 3)
    >>> found = front_lines(row, [0] * 3, np.array([0.0]), np.ones(3, dtype=bool))
    >>> found.bearing_deg.round(6).tolist(), found.width_mm.round(3).tolist()
    ([315.0], [90.711])
    """
    of, count = np.where(leading, np.asarray(units, dtype=np.intp), -1), len(facing_deg)
    own = of >= 0
    number = np.bincount(of[own], minlength=count)
    many = np.maximum(number, 1)
    middle = np.stack([np.bincount(of[own], bases.centre[own, k], minlength=count) / many for k in (0, 1)], axis=-1)
    to = bases.centre - of_each(middle, of)
    squares = (to[:, 0] ** 2 - to[:, 1] ** 2, 2 * to[:, 0] * to[:, 1])
    twice = [np.bincount(of[own], part[own], minlength=count) for part in squares]
    # The direction of the greatest spread has half the angle of the doubled spreads.
    spread = np.hypot(*twice)
    lined = spread > MM**2
    bearing = np.where(lined, -np.degrees(np.arctan2(twice[1], twice[0])) / 2, facing_deg)
    bearing = np.where(off(bearing, facing_deg) > 90.0, bearing + 180.0, bearing) % 360.0
    turn = np.radians(bearing)
    right, ahead = np.stack([np.cos(turn), -np.sin(turn)], -1), np.stack([np.sin(turn), np.cos(turn)], -1)
    reach = [greatest(reaches(bases, of_each(way, of)), of, count)[0] for way in (ahead, right, -right)]
    front, far, back = (np.where(number > 0, part, np.nan) for part in reach)
    left_end, right_end = (front[:, None] * ahead + side[:, None] * right for side in (-back, far))
    errors = np.sqrt(np.bincount(of[own], bases.sigma_mm[own] ** 2, minlength=count) / many)
    loose = np.sqrt(np.bincount(of[own], bases.bearing_sigma_deg[own] ** 2, minlength=count)) / many
    turning = np.sqrt(np.bincount(of[own], bases.sigma_mm[own] ** 2 * (to[own] ** 2).sum(axis=1), minlength=count))
    bearing_sigma = np.where(lined, np.degrees(turning / np.where(lined, spread, 1.0)), loose)
    return FrontLines(left_end, right_end, bearing, bearing_sigma, far + back, errors)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Figures side by side in a row: ``left`` and ``right`` (k,), the gap between their edges in mm with its sigma,
    and in base widths (the mean width of the two) with its sigma."""

    left: Index
    right: Index
    gap_mm: Array
    sigma_mm: Array
    gap_widths: Array
    sigma_widths: Array


def neighbour_gaps(bases: Bases, units: ArrayLike, facing_deg: Array, rows: Rows) -> Neighbours:
    """The gaps between neighbours in each rank of each unit, from the left; 0 where bases touch or overlap.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> three = bases_of([(50, 0), (0, 0), (25, 0)], [Round(diameter_mm=20)] * 3, [0] * 3)
    >>> found = neighbour_gaps(three, [0] * 3, np.zeros(1), rows_across(three, [0] * 3, np.zeros(1), 10))
    >>> found.left.tolist(), found.gap_widths.tolist()
    ([1, 2], [0.25, 0.25])
    """
    of = np.asarray(units, dtype=np.intp)
    turn = np.radians(facing_deg)
    across = (bases.centre * of_each(np.stack([np.cos(turn), -np.sin(turn)], -1), of)).sum(axis=-1)
    order = np.lexsort((across, rows.row, of))
    order = order[of[order] >= 0]
    left, right = order[:-1], order[1:]
    beside = (of[left] == of[right]) & (rows.row[left] == rows.row[right])
    left, right = left[beside], right[beside]
    one, other = bases.pick(left), bases.pick(right)
    gap, sigma = paired_gaps(one, other), np.hypot(one.sigma_mm, other.sigma_mm)
    width = np.maximum((one.width + other.width) / 2, MM)
    return Neighbours(left, right, gap, sigma, gap / width, sigma / width)


@dataclass(frozen=True, eq=False)
class Spacing:
    """How far each figure (n,) is from the nearest other of its unit, edge to edge: ``gap_mm``, ``sigma_mm`` and
    ``nearest``, whose index is -1, with an infinite gap, where there is no other."""

    gap_mm: Array
    sigma_mm: Array
    nearest: Index


def spacing(bases: Bases, units: ArrayLike) -> Spacing:
    """The nearest neighbour of each figure in its own unit, the first of equals.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> three = bases_of([(0, 0), (30, 0), (70, 0)], [Round(diameter_mm=20)] * 3, [0] * 3)
    >>> spacing(three, [0, 0, 1]).gap_mm.tolist(), spacing(three, [0, 0, 0]).nearest.tolist()
    ([10.0, 10.0, inf], [1, 0, 1])
    """
    gap, nearest = np.full(len(bases), np.inf), np.full(len(bases), -1, dtype=np.intp)
    order, starts, _ = groups(units)
    for member in np.split(order, starts[1:]) if len(starts) else []:
        own = bases.pick(member)
        table = gaps(own, own)
        np.fill_diagonal(table, np.inf)
        best = np.round(table, 6).argmin(axis=1)
        gap[member] = table[np.arange(len(member)), best]
        nearest[member] = np.where(np.isfinite(gap[member]), member[best], -1)
    sigma = np.where(nearest >= 0, np.hypot(bases.sigma_mm, np.append(bases.sigma_mm, 0.0)[nearest]), 0.0)
    return Spacing(gap, sigma, nearest)


def coherence(bases: Bases, units: ArrayLike, count: int, within_mm: float) -> tuple[Verdicts, Verdicts, Verdicts]:
    """Whether figures keep together: (n,) each within a distance of another of its unit, edge to edge; (u,) all of
    a unit's are; (u,) they are one chain, all joined by such steps. A figure alone keeps together with itself.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> four = bases_of([(0, 0), (25, 0), (200, 0), (225, 0)], [Round(diameter_mm=20)] * 4, [0] * 4)
    >>> [verdicts.tolist() for verdicts in coherence(four, [0] * 4, 1, 25.4)]
    [[2, 2, 2, 2], [2], [0]]
    """
    of = np.asarray(units, dtype=np.intp)
    number = np.bincount(of[of >= 0], minlength=count)
    same = (of[:, None] == of[None, :]) & (of >= 0)[:, None]
    graph = contact_graph(bases, within_mm, same)
    each = np.full(len(bases), int(Verdict.NO), dtype=np.int8)
    for end in (graph.one, graph.other):
        np.maximum.at(each, end, graph.verdict)
    each[(of >= 0) & (np.append(number, 0)[of] == 1)] = Verdict.YES
    every = np.full(count, int(Verdict.YES), dtype=np.int8)
    np.minimum.at(every, of[of >= 0], each[of >= 0])
    yes, maybe = (_one_part(graph.parts(least), of, count) for least in (Verdict.YES, Verdict.BORDERLINE))
    return each, every, settled(yes, maybe & ~yes)


def _one_part(part: Index, of: Index, count: int) -> NDArray[np.bool_]:
    """(u,) whether all figures of a unit are in one part."""
    least, most = np.full(count, len(part)), np.full(count, -1)
    np.minimum.at(least, of[of >= 0], part[of >= 0])
    np.maximum.at(most, of[of >= 0], part[of >= 0])
    return np.asarray(most <= least)


def bearing_spread(
    bearing_deg: Array, units: ArrayLike, count: int, within_deg: float, sigma_deg: ArrayLike = 0.0
) -> tuple[Array, Verdicts]:
    """(u,) how far any figure is off its unit's mean bearing at most, and whether all face one way within a limit.

    Bearings that are not known (nan) do not count; where all cancel out the spread is 180.

    >>> bearing_spread(np.array([350.0, 10.0, np.nan]), [0, 0, 0], 1, 10.0)[0].round(6).tolist()
    [10.0]
    """
    of = np.asarray(units, dtype=np.intp)
    mean, _ = mean_bearings(bearing_deg, units, count, sigma_deg)
    known = ~np.isnan(bearing_deg) & (of >= 0)
    own = np.append(mean, np.nan)[of]
    away = np.where(np.isnan(own), 180.0, off(bearing_deg, own))
    sigma = np.broadcast_to(np.asarray(sigma_deg, dtype=float), away.shape)
    verdicts = np.full(count, int(Verdict.YES), dtype=np.int8)
    np.minimum.at(verdicts, of[known], at_most(away[known], within_deg, sigma[known]))
    spread = greatest(np.where(known, away, 0.0), np.where(known, of, -1), count)[0]
    return np.maximum(spread, 0.0), verdicts


def show_front_line(found: FrontLines, index: int) -> Drawing:
    """One unit's front line; nothing for a unit without figures."""
    ends = np.stack([found.left[index], found.right[index]])
    return () if np.isnan(ends).any() else (line("zone", ends, f"front {found.width_mm[index]:.0f} mm"),)
