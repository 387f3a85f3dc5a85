"""Which bases touch: the graph of bases in contact and its parts, and which edge of a base is touched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts, at_most, settled
from engine.geometry.drawing import Drawing, line
from engine.geometry.facing.aspects import Side, quarters
from engine.geometry.plane.distinct import numbered
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, gaps, paired_gaps, to_segments

__all__ = ["Contacts", "Graph", "contact_edges", "contact_graph", "parts", "show_graph"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Kinds = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Graph:
    """The pairs of ``n`` bases that are, or may be, near enough: ``one`` < ``other`` (k,), their gap and its sigma
    in mm, and the verdict on each."""

    count: int
    one: Index
    other: Index
    gap_mm: Array
    sigma_mm: Array
    verdict: Verdicts

    def parts(self, least: Verdict = Verdict.YES) -> Index:
        """(n,) the number of the connected part that each base is in, counted from 0 in the order of the bases.

        ``least`` says which links count: those that are sure, or with ``BORDERLINE`` those that may be, too.
        """
        linked = self.verdict >= least
        return parts(self.count, self.one[linked], self.other[linked])


def contact_graph(bases: Bases, within_mm: float, same: NDArray[np.bool_] | None = None) -> Graph:
    """Which bases are at most ``within_mm`` apart, edge to edge; ``same`` (n, n) limits it to some pairs.

    Bases that overlap by more than two sigma touch for sure. Only pairs whose centres are near enough are measured.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> row = bases_of([(0, 0), (90, 0), (20, 0)], [Round(diameter_mm=20)] * 3, [0] * 3)
    >>> graph = contact_graph(row, 1.0)
    >>> list(zip(graph.one.tolist(), graph.other.tolist())), graph.parts().tolist()
    ([(0, 2)], [0, 1, 0])
    """
    one, other = _near(bases, within_mm, same)
    first, second = bases.pick(one), bases.pick(other)
    gap = paired_gaps(first, second, signed=True)
    sigma = np.hypot(first.sigma_mm, second.sigma_mm)
    verdict = at_most(gap, within_mm, sigma)
    kept = verdict > Verdict.NO
    return Graph(len(bases), one[kept], other[kept], np.maximum(gap[kept], 0.0), sigma[kept], verdict[kept])


def _near(bases: Bases, within_mm: float, same: NDArray[np.bool_] | None) -> tuple[Index, Index]:
    """The pairs whose circles round them may be near enough: a sweep along x, so that most are never met."""
    reach = bases.circumradius + SIGMAS * bases.sigma_mm + within_mm / 2 + MM
    low, high = bases.centre[:, 0] - reach, bases.centre[:, 0] + reach
    order = np.argsort(low, kind="stable")
    last = np.searchsorted(low[order], high[order], side="right")
    number = last - np.arange(len(order)) - 1
    first = np.repeat(np.arange(len(order)), number)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(number) - number, number)
    one, other = np.minimum(order[first], order[second]), np.maximum(order[first], order[second])
    apart = np.hypot(*(bases.centre[one] - bases.centre[other]).T)
    near = apart <= reach[one] + reach[other]
    if same is not None:
        near &= same[one, other]
    chosen = np.lexsort((other[near], one[near]))
    return one[near][chosen], other[near][chosen]


def parts(count: int, one: Index, other: Index) -> Index:
    """(n,) the connected parts of a graph of ``count`` nodes with links (k,) to (k,), numbered from 0 in order.

    >>> parts(4, np.array([2]), np.array([0])).tolist()
    [0, 1, 0, 2]
    """
    root = np.arange(count)
    while True:
        least = np.minimum(root[one], root[other])
        before = root.copy()
        np.minimum.at(root, root[one], least)
        np.minimum.at(root, root[other], least)
        root = root[root]
        if (root == before).all():
            break
    return numbered(root)


def show_graph(bases: Bases, graph: Graph) -> Drawing:
    """The links of a graph as lines from centre to centre; those in doubt as such."""
    return tuple(
        line("hit" if verdict == Verdict.YES else "doubt", bases.centre[[i, j]])
        for i, j, verdict in zip(graph.one, graph.other, graph.verdict, strict=True)
    )


@dataclass(frozen=True, eq=False)
class Contacts:
    """Which edge chargers (m) touch of rectangles (n): ``side`` (n, m, values of `Side`) as measured, ``touching``
    whether they touch at all, ``settled`` whether it is that edge."""

    side: Kinds
    touching: Verdicts
    settled: Verdicts


def contact_edges(rects: Bases, chargers: Bases, within_mm: float = 0.0) -> Contacts:
    """Which edge of rectangles each charger touches, with a gap of at most ``within_mm``.

    A charger that touches several, at a corner or along the whole of one edge, touches the one in whose quarter,
    cut by rays at 45 degrees off the corners, its centre lies. A side other than ``NONE`` is given wherever the
    measurement leaves contact possible.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Rect
    >>> square = Rect(width_mm=20, depth_mm=20)
    >>> one = bases_of([(0, 0)], [square], [0])
    >>> found = contact_edges(one, bases_of([(3, 20), (21, 0), (0, -60)], [square] * 3, [0] * 3), 1.0)
    >>> [Side(each).name for each in found.side[0]]
    ['FRONT', 'RIGHT', 'NONE']
    """
    corners = rects.corners()[:, [3, 2, 1, 0]]  # front left, front right, rear right, rear left
    ends = np.roll(corners, -1, axis=1)
    away = to_segments(chargers, corners.reshape(-1, 2), ends.reshape(-1, 2)).T.reshape(
        len(rects), 4, len(chargers)
    )
    quarter = quarters(chargers.centre, rects, sigma_mm=chargers.sigma_mm)
    side, nearest = quarter.side.T, away.min(axis=1)
    sigma = np.hypot(rects.sigma_mm[:, None], chargers.sigma_mm[None, :])
    own = np.take_along_axis(away, side[:, None].astype(np.intp), axis=1)[:, 0]
    edge = np.where(own <= nearest + MM, side, away.argmin(axis=1)).astype(np.int8)
    rivals = (away <= (nearest + np.maximum(SIGMAS * sigma, MM))[:, None]).sum(axis=1) > 1
    doubt = (sigma > 0) & rivals & ~((edge == side) & quarter.settled.T)
    touching = at_most(gaps(rects, chargers, signed=True), within_mm, sigma)
    edge = np.where(touching == Verdict.NO, np.int8(Side.NONE), edge)
    return Contacts(edge, touching, settled(np.ones(edge.shape, dtype=bool), doubt))
