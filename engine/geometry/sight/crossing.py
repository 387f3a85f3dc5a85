"""Straight lines through one piece of terrain: how much of each runs inside, from where to where.

A line that only touches (along an edge, through a corner) runs no length inside. Lines are worked out in one
direction whatever way they are asked for, so that both ends get the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.distinct import distinct, runs
from engine.geometry.shapes.pieces import Pieces

__all__ = [
    "Stretches",
    "along_pieces",
    "in_order",
    "lengths_in",
    "lengths_of_couples",
    "lengths_without",
    "spans_in",
    "stretches_in",
]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: A corner this close to a line, in millimetres, lies on it.
ON_MM = 1e-7
#: At most so many corners times lines are worked on at a time: within a processor's cache, and too few for the
#: linear algebra below numpy to start threads of its own, which stall where others want the processor too.
_AT_ONCE = 80_000
#: Fewer edges than this for each piece, over all lines, are taken at once.
_FEW = 1_500


@dataclass(frozen=True, eq=False)
class Stretches:
    """Lines (s,) cut at an outline: shares (s, c + 1) of their length in rising order, and whether each stretch
    (s, c) between two of them runs inside."""

    share: Array
    inside: Mask


def lengths_in(pieces: Pieces, number: int, start: Array, end: Array) -> Array:
    """(s,) how many mm of each line (s, 2)-(s, 2) run inside one piece.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> square = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)]])
    >>> ends = np.array([[50.0, 5.0], [15.0, 10.0], [-5.0, 5.0]])
    >>> lengths_in(square, 0, np.array([[-5.0, 5.0], [-5.0, 10.0], [-5.0, 5.0]]), ends).tolist()
    [10.0, 0.0, 0.0]
    """
    length = np.zeros(len(start))
    step = max(1, _AT_ONCE // max(1, int(pieces.first[number + 1] - pieces.first[number])))
    for begin in range(0, len(start), step):
        which = slice(begin, begin + step)
        run = _Run(pieces, number, start[which], end[which])
        length[which] = run.lengths()
    return length


def lengths_of_couples(pieces: Pieces, part: Index, start: Array, end: Array) -> Array:
    """(t,) how many mm of each line (t, 2)-(t, 2) run inside the piece that ``part`` (t,) numbers for it.

    Many lines of a piece are taken together, few at once over all pieces.
    """
    counts = np.diff(pieces.first)[part]
    if counts.sum() <= _FEW * len(pieces):
        return _lengths_at_once(pieces, part, start, end)
    length = np.zeros(len(part))
    order = np.argsort(part, kind="stable")
    begins = runs(part[order])
    for number, which in zip(part[order][begins].tolist(), np.split(order, begins[1:]), strict=True):
        length[which] = lengths_in(pieces, number, start[which], end[which])
    return length


def _lengths_at_once(pieces: Pieces, part: Index, start: Array, end: Array) -> Array:
    """As `_Run` does it, each line with the edges of its own piece."""
    low, high, _ = in_order(start, end)
    along = high - low
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.where(length > 0, length, 1.0)[:, None]
    owner, edge, _ = pieces.spread(part)
    (x, y), (ux, uy) = low[owner].T, unit[owner].T
    (ax, ay), (bx, by) = pieces.start[edge].T, pieces.end[edge].T
    side, side_end = ux * (ay - y) - uy * (ax - x), ux * (by - y) - uy * (bx - x)
    left, left_end = side > ON_MM, side_end > ON_MM
    met = np.flatnonzero(left != left_end)
    share = side[met] / (side[met] - side_end[met])
    spot = pieces.start[edge[met]] + share[:, None] * (pieces.end[edge[met]] - pieces.start[edge[met]])
    to = spot - low[owner[met]]
    at = np.clip(to[:, 0] * ux[met] + to[:, 1] * uy[met], 0.0, length[owner[met]])
    inside: Array = np.bincount(owner[met], np.where(left[met], -at, at), minlength=len(part)).astype(float)
    on = np.flatnonzero((np.abs(side) <= ON_MM) & (np.abs(side_end) <= ON_MM))
    if len(on):
        limit = length[owner[on]]
        begin = np.clip((ax - x)[on] * ux[on] + (ay - y)[on] * uy[on], 0.0, limit)
        close = np.clip((bx - x)[on] * ux[on] + (by - y)[on] * uy[on], 0.0, limit)
        inside -= np.bincount(owner[on], np.maximum(close - begin, 0.0), minlength=len(part))
    np.maximum(inside, 0.0, out=inside)
    return inside


def spans_in(pieces: Pieces, number: int, start: Array, end: Array) -> tuple[Array, Array]:
    """Where each line (s, 2)-(s, 2) first enters and last leaves one piece, as shares of its length: (s,), (s,);
    both nan where it does not run inside."""
    first, last = np.full(len(start), np.nan), np.full(len(start), np.nan)
    inside = np.flatnonzero(lengths_in(pieces, number, start, end) > ON_MM)
    cut = stretches_in(pieces, number, start[inside], end[inside])
    count = cut.inside.shape[1]
    rows = np.arange(len(inside))
    first[inside] = cut.share[rows, cut.inside.argmax(axis=1)]
    last[inside] = cut.share[rows, count - cut.inside[:, ::-1].argmax(axis=1)]
    return first, last


def stretches_in(pieces: Pieces, number: int, start: Array, end: Array) -> Stretches:
    """Each line (s, 2)-(s, 2) cut where it meets the outline of one piece; a stretch along the rim is outside."""
    low, high, turned = in_order(start, end)
    edge, edge_end = pieces.edges(number)
    share, inside = _cut(low, high, edge, edge_end)
    share[turned] = 1 - share[turned, ::-1]
    inside[turned] = inside[turned, ::-1]
    return Stretches(share, inside)


def lengths_without(pieces: Pieces, number: int, openings: Pieces, start: Array, end: Array) -> Array:
    """(s,) how many mm of each line (s, 2)-(s, 2) run inside one piece and in none of the openings.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> river = pieces_of([[(0, 0), (9, 0), (9, 10), (0, 10)]])
    >>> ford = pieces_of([[(0, -1), (9, -1), (9, 4), (0, 4)]])
    >>> lengths_without(river, 0, ford, np.array([[5.0, -5.0]]), np.array([[5.0, 15.0]])).round(6).tolist()
    [6.0]
    """
    length = lengths_in(pieces, number, start, end)
    for line in np.flatnonzero(length > ON_MM).tolist():
        one = slice(line, line + 1)
        cuts = [stretches_in(pieces, number, start[one], end[one]).share]
        cuts += [stretches_in(openings, part, start[one], end[one]).share for part in range(len(openings))]
        share = distinct(np.concatenate(cuts, axis=1))
        middle = start[line] + ((share[:-1] + share[1:]) / 2)[:, None] * (end[line] - start[line])
        counted = pieces.pick([number]).strictly_in(middle)[:, 0] & ~openings.contains(middle).any(axis=1)
        length[line] = np.diff(share) @ counted * np.hypot(*(end[line] - start[line]))
    return length


def along_pieces(pieces: Pieces, start: Array, end: Array) -> Array:
    """(s, p) how many mm of each line (s, 2)-(s, 2) run inside each piece."""
    length, (least, most) = np.zeros((len(start), len(pieces))), pieces.bounds
    low, high = np.minimum(start, end), np.maximum(start, end)
    line, part = np.nonzero(((low[:, None] <= most) & (high[:, None] >= least)).all(axis=2))
    length[line, part] = lengths_of_couples(pieces, part, start[line], end[line])
    return length


def may_meet(pieces: Pieces, number: int, start: Array, end: Array, reach_mm: float = 0.0) -> Mask:
    """(s,) which lines' boxes overlap the box round a piece, grown by ``reach_mm``."""
    low, high = pieces.bounds[0][number] - reach_mm, pieces.bounds[1][number] + reach_mm
    near: Mask = (np.minimum(start[:, 0], end[:, 0]) <= high[0]) & (np.maximum(start[:, 0], end[:, 0]) >= low[0])
    near &= (np.minimum(start[:, 1], end[:, 1]) <= high[1]) & (np.maximum(start[:, 1], end[:, 1]) >= low[1])
    return near


def in_order(start: Array, end: Array) -> tuple[Array, Array, Mask]:
    """The ends (s, 2) of lines with the lesser first, so that both directions give one answer; which were
    exchanged."""
    turned = (end[:, 0] < start[:, 0]) | ((end[:, 0] == start[:, 0]) & (end[:, 1] < start[:, 1]))
    return np.where(turned[:, None], end, start), np.where(turned[:, None], start, end), turned


class _Run:
    """Lines against one piece: the sides on which its corners lie, (k, s).

    The line is taken as shifted a hair to its left: a corner on it counts as right of it. Then it crosses edges
    only from side to side, an even number of them, and what it runs along an edge with the inside to the left is
    taken off again.
    """

    def __init__(self, pieces: Pieces, number: int, start: Array, end: Array) -> None:
        self.following = pieces.following[number]
        self.corner, _ = pieces.edges(number)
        self.low, high, _ = in_order(start, end)
        along = high - self.low
        self.length = np.hypot(along[:, 0], along[:, 1])
        self.unit = along / np.where(self.length > 0, self.length, 1.0)[:, None]
        offset = self.unit[:, 0] * self.low[:, 1] - self.unit[:, 1] * self.low[:, 0]
        lines = np.stack([-self.unit[:, 1], self.unit[:, 0], -offset])
        self.side = np.column_stack([self.corner, np.ones(len(self.corner))]) @ lines

    def lengths(self) -> Array:
        """The length (s,) in mm that each line runs in the piece."""
        left = self.side > ON_MM
        edge, row = np.divmod(np.flatnonzero(left != left[self.following]), len(self.low))
        at = np.clip(self._met(row, edge), 0.0, self.length[row])
        leaves = np.where(left[edge, row], -1.0, 1.0)  # outer rings run anticlockwise, holes clockwise
        length: Array = np.bincount(row, weights=leaves * at, minlength=len(self.low)).astype(float)
        on = ~left & (self.side >= -ON_MM)
        if on.any():
            self._take_off_rims(length, on)
        return np.maximum(length, 0.0)

    def _met(self, row: Index, edge: Index) -> Array:
        """How far along their lines the edges are met."""
        other = self.following[edge]
        side, across = self.side[edge, row], self.side[other, row]
        begin, end = self.corner[edge], self.corner[other]
        met = begin + (end - begin) * (side / (side - across))[:, None]
        return self._along(row, met)

    def _along(self, row: Index, place: Array) -> Array:
        to, unit = place - self.low[row], self.unit[row]
        along: Array = to[:, 0] * unit[:, 0] + to[:, 1] * unit[:, 1]
        return along

    def _take_off_rims(self, length: Array, on: Mask) -> None:
        edge, row = np.nonzero(on & on[self.following])
        begin, end = self._along(row, self.corner[edge]), self._along(row, self.corner[self.following[edge]])
        limit = self.length[row]
        ahead = np.clip(end, 0.0, limit) - np.clip(begin, 0.0, limit)
        length -= np.bincount(row, weights=np.maximum(ahead, 0.0), minlength=len(length))


def _cut(low: Array, high: Array, edge: Array, edge_end: Array) -> tuple[Array, Mask]:
    """Shares (s, c + 1) and whether each stretch (s, c) is inside, by the middle of each stretch."""
    along = high - low
    length = np.hypot(along[:, 0], along[:, 1])
    unit = (along / np.where(length > 0, length, 1.0)[:, None])[:, None]
    to, to_end = edge[None] - low[:, None], edge_end[None] - low[:, None]
    side = unit[..., 0] * to[..., 1] - unit[..., 1] * to[..., 0]
    side_end = unit[..., 0] * to_end[..., 1] - unit[..., 1] * to_end[..., 0]
    side, side_end = (np.where(np.abs(one) <= ON_MM, 0.0, one) for one in (side, side_end))
    begin, end = (unit[..., 0] * one[..., 0] + unit[..., 1] * one[..., 1] for one in (to, to_end))
    parallel = side == side_end
    crossed = begin + (end - begin) * (side / np.where(parallel, 1.0, side - side_end))
    on, on_end = side == 0, side_end == 0
    meets = np.concatenate(
        [
            np.where((side * side_end < 0) & ~parallel, crossed, np.nan),
            np.where(on, begin, np.nan),
            np.where(on_end, end, np.nan),
        ],
        axis=1,
    )
    limit = length[:, None]
    meets = np.where((meets > 0) & (meets < limit), meets, np.broadcast_to(limit, meets.shape))
    share = np.sort(np.concatenate([np.zeros_like(limit), meets, limit], axis=1), axis=1)
    share = share[:, : max(2, int((share < limit).sum(axis=1).max(initial=0)) + 1)]
    inside = _inside((share[:, :-1] + share[:, 1:]) / 2, side, side_end, begin, end)
    inside &= np.diff(share, axis=1) > 1e-9
    return share / np.where(limit > 0, limit, 1.0), inside


def _inside(middle: Array, side: Array, side_end: Array, begin: Array, end: Array) -> Mask:
    """Whether points of lines lie strictly inside: edges crossed from there on, on both sides of the line."""
    within = np.ones(middle.shape, dtype=bool)
    for left, left_end in ((side > 0, side_end > 0), (side >= 0, side_end >= 0)):
        crosses = left != left_end
        met = begin + (end - begin) * (side / np.where(crosses, side - side_end, 1.0))
        within &= ((met[:, None] > middle[..., None]) & crosses[:, None]).sum(axis=2) % 2 == 1
    return within
