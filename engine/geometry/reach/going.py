"""What ground costs: pieces that slow or speed up, that take a price for crossing, or where no move may end.

Costs are millimetres of the allowance. They are counted along the way of one measured point (a rulebook says which:
the lead figure's centre, say). Inside a piece each millimetre costs 1 / factor; entering it costs ``crossing_mm``
and leaves the share ``keeps`` of what is then left. Of several pieces over one spot the last one listed that names
a factor counts, as if painted over the others: list a road after the wood that it runs through.

A point on a side lies outside the piece. A way along a side pays for that ground beside it which costs less to
enter, else for the faster one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.geometry.plane.lines import each_to_segment
from engine.geometry.plane.tolerance import MM

__all__ = ["OPEN", "Going", "Ground", "Walk", "cuts_of", "ground_of", "left_along", "walk", "walked"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: So near a side a point lies on it, and so far beside it one looks what ground is there.
_ON_SIDE_MM, _BESIDE_MM = 1e-6, 1e-4


class Going(Struct, frozen=True, kw_only=True):
    """What one piece of terrain does to a move; the defaults do nothing.

    ``factor``: the share of the normal speed inside (0.5 halves it, 1.5 is a road); None has no say.
    ``crossing_mm``: the price of entering, once for each time; with less left the move stops before it.
    ``keeps``: the share of what is left on entering (0.5 halves it; 0 ends the move at the edge).
    ``barred``: it cannot be entered by the measured point. ``may_end``: whether a move may end inside.
    """

    name: str = ""
    factor: float | None = None
    crossing_mm: float = 0.0
    keeps: float = 1.0
    barred: bool = False
    may_end: bool = True


@dataclass(frozen=True, eq=False)
class Ground:
    """Pieces of terrain as sides (k, 2)-(k, 2), ``piece`` (k,) rising; ``goings`` has an entry for each piece."""

    start: Array
    end: Array
    piece: Index
    goings: tuple[Going, ...]

    def __len__(self) -> int:
        return len(self.goings)

    def near(self, points: Array, reach_mm: float) -> Ground:
        """The pieces whose box comes within ``reach_mm`` of the box round points (n, 2)."""
        if not len(self) or not len(points):
            return OPEN
        low, high = points.min(axis=0) - reach_mm, points.max(axis=0) + reach_mm
        firsts = np.searchsorted(self.piece, np.arange(len(self)))
        least = np.minimum.reduceat(np.minimum(self.start, self.end), firsts, axis=0)
        most = np.maximum.reduceat(np.maximum(self.start, self.end), firsts, axis=0)
        met = ((least <= high) & (most >= low)).all(axis=1)
        kept = met[self.piece]
        number = np.cumsum(met) - 1
        goings = tuple(going for going, one in zip(self.goings, met.tolist(), strict=True) if one)
        return Ground(self.start[kept], self.end[kept], number[self.piece[kept]], goings)

    def inside(self, points: Array) -> Mask:
        """(n, p) which points (n, 2) lie inside which pieces, and not on a side of them.

        >>> wood = ground_of([[(0, 0), (4, 0), (4, 4), (0, 4)]], [Going(factor=0.5)])
        >>> wood.inside(np.array([[1.0, 1.0], [9.0, 1.0], [0.0, 1.0]])).tolist()
        [[True], [False], [False]]
        """
        return np.asarray(self.held(points) & ~self.on_side(points), dtype=bool)

    def on_side(self, points: Array) -> Mask:
        """(n, p) which points (n, 2) lie on a side of which pieces."""
        found = np.zeros((len(points), len(self)), dtype=bool)
        side = self.end - self.start
        length = np.hypot(side[:, 0], side[:, 1])
        off = points[:, None, 1] * side[:, 0] - points[:, None, 0] * side[:, 1]
        off -= self.start[:, 1] * side[:, 0] - self.start[:, 0] * side[:, 1]
        point, number = np.nonzero(np.abs(off) <= _ON_SIDE_MM * length)
        near: Mask = each_to_segment(points[point], self.start[number], self.end[number]) <= _ON_SIDE_MM
        found[point[near], self.piece[number[near]]] = True
        return found

    def beside(self, points: Array, along: Array) -> tuple[Mask, Mask]:
        """(n, p), (n, p) the pieces to the left and to the right of points (n, 2), looking along vectors (n, 2)."""
        aside = np.stack([-along[:, 1], along[:, 0]], axis=-1)
        aside *= _BESIDE_MM / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-12)[:, None]
        return self.held(points + aside), self.held(points - aside)

    def speeds(self, points: Array, along: Array) -> Array:
        """(n,) the speed at points (n, 2) of ways along vectors (n, 2)."""
        speed = self.factors(self.inside(points))
        rim = np.flatnonzero(self.on_side(points).any(axis=1))
        if len(rim):
            left, right = self.beside(points[rim], along[rim])
            speed[rim] = self.factors(self.cheaper(left, right, np.zeros(left.shape, dtype=bool)))
        return speed

    def cheaper(self, one: Mask, other: Mask, before: Mask) -> Mask:
        """(n, p) of the pieces (n, p) to either side of ways those of the cheaper side, for one who was in some."""
        dear = np.array(
            [going.crossing_mm > 0 or going.keeps < 1 or going.barred for going in self.goings], dtype=bool
        )
        price, other_price = ((side & ~before & dear).sum(axis=1) for side in (one, other))
        speed, other_speed = self.factors(one), self.factors(other)
        change, other_change = ((side ^ before).sum(axis=1) for side in (one, other))
        better = (other_price < price) | (other_price == price) & (
            (other_speed > speed) | (other_speed == speed) & (other_change < change)
        )
        return np.where(better[:, None], other, one)

    def held(self, points: Array) -> Mask:
        """(n, p) which points (n, 2) lie inside which pieces; a point on a side may count as either."""
        if not len(self):
            return np.zeros((len(points), 0), dtype=bool)
        x, y = points[:, None, 0], points[:, None, 1]
        straddles = (self.start[:, 1] > y) != (self.end[:, 1] > y)
        rise = np.where(straddles, self.end[:, 1] - self.start[:, 1], 1.0)
        left = straddles & (
            x < (self.end[:, 0] - self.start[:, 0]) * (y - self.start[:, 1]) / rise + self.start[:, 0]
        )
        firsts = np.searchsorted(self.piece, np.arange(len(self)))
        inside: Mask = np.add.reduceat(left.astype(np.intp), firsts, axis=1) % 2 == 1
        return inside

    def factors(self, inside: Mask) -> Array:
        """(...) the speed where ``inside`` (..., p) tells in which pieces one is."""
        speed = np.ones(inside.shape[:-1])
        for number, going in enumerate(self.goings):
            if going.factor is not None:
                speed = np.where(inside[..., number], going.factor, speed)
        return speed

    @property
    def fastest(self) -> float:
        """The greatest factor anywhere, at least 1."""
        return max([1.0, *(going.factor for going in self.goings if going.factor is not None)])

    @property
    def closed(self) -> list[int]:
        """The numbers of the pieces in which no move may end."""
        return [number for number, going in enumerate(self.goings) if not going.may_end or going.barred]

    def no_end(self, points: Array) -> Mask:
        """(n,) whether a move may not end at points (n, 2)."""
        banned: Mask = np.asarray(self.inside(points)[:, self.closed].any(axis=1), dtype=bool)
        return banned


#: Ground without any terrain.
OPEN = Ground(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, dtype=np.intp), ())


def ground_of(
    outlines: Sequence[Iterable[Sequence[float]]],
    goings: Sequence[Going],
    holes: Sequence[Sequence[Iterable[Sequence[float]]]] = (),
) -> Ground:
    """Ground from outlines (k, 2) in either direction, what each is, and the holes of each.

    >>> len(ground_of([], []))
    0
    """
    if not outlines:
        return OPEN
    starts, ends, pieces = [], [], []
    for number, outline in enumerate(outlines):
        for ring in (outline, *(holes[number] if number < len(holes) else ())):
            corners = np.asarray(list(ring), dtype=float).reshape(-1, 2)
            starts.append(corners)
            ends.append(np.roll(corners, -1, axis=0))
            pieces.append(np.full(len(corners), number, dtype=np.intp))
    return Ground(np.concatenate(starts), np.concatenate(ends), np.concatenate(pieces), tuple(goings))


@dataclass(frozen=True, eq=False)
class Walk:
    """What straight ways leave of the allowance: ``left_mm`` (m,), below 0 where the end is not reached;
    ``share`` (m,) how much of each way can be gone; ``stopped_by`` (m,) the piece that may not be entered, or -1;
    ``inside`` (m, p) the pieces in which a way comes to its end.
    """

    left_mm: Array
    share: Array
    stopped_by: Index
    inside: Mask


def cuts_of(ground: Ground, starts: Array, ends: Array) -> Array:
    """(m, s) where ways meet the pieces' sides, as rising shares from 0 to 1, filled up with 1."""
    return _cuts_and_sides(ground, starts, ends)[0]


def _cuts_and_sides(ground: Ground, starts: Array, ends: Array) -> tuple[Array, Index]:
    """What `cuts_of` tells, and the numbers of the ways that may run along a side."""
    side, way = (ground.end - ground.start)[None], (ends - starts)[:, None]
    to = ground.start[None] - starts[:, None]
    cross = way[..., 0] * side[..., 1] - way[..., 1] * side[..., 0]
    flat = np.abs(cross) < 1e-12
    safe = np.where(flat, 1.0, cross)
    share = (to[..., 0] * side[..., 1] - to[..., 1] * side[..., 0]) / safe
    off = to[..., 0] * way[..., 1] - to[..., 1] * way[..., 0]
    on_side = off / safe
    met = ~flat & (on_side >= -1e-9) & (on_side <= 1 + 1e-9) & (share > 1e-12) & (share < 1 - 1e-12)
    most = int(met.sum(axis=1).max(initial=0))
    ordered = np.sort(np.where(met, share, 1.0), axis=1)[:, :most]
    hair = _ON_SIDE_MM * np.hypot(way[..., 0], way[..., 1])
    along = np.flatnonzero(((np.abs(off) <= hair) & (np.abs(off - cross) <= hair)).any(axis=1))
    return np.concatenate([np.zeros((len(starts), 1)), ordered, np.ones((len(starts), 1))], axis=1), along


def walked(ground: Ground, starts: Array, ends: Array, budget_mm: Array, inside: Mask | None = None) -> Walk:
    """What straight ways from points (m, 2) to points (m, 2) leave of allowances (m,).

    ``inside`` (m, p): the pieces that one is in already on setting out, for ways that carry on others; where it is
    left out, those that the starts lie in.

    >>> wood = ground_of([[(0, 10), (9, 10), (9, 30), (0, 30)]], [Going(factor=0.5, crossing_mm=1.0)])
    >>> walk = walked(wood, np.array([[5.0, 0.0]]), np.array([[5.0, 20.0]]), np.array([50.0]))
    >>> walk.left_mm.tolist()
    [19.0]
    """
    count = len(starts)
    budget = np.broadcast_to(np.asarray(budget_mm, dtype=float), (count,)).copy()
    length = np.hypot(ends[:, 0] - starts[:, 0], ends[:, 1] - starts[:, 1])
    stopped = np.full(count, -1, dtype=np.intp)
    if not len(ground):
        gone = np.where(length > 0, budget / np.where(length > 0, length, 1.0), 1.0)
        return Walk(_left(budget - length), np.clip(gone, 0.0, 1.0), stopped, np.zeros((count, 0), dtype=bool))
    shares, along = _cuts_and_sides(ground, starts, ends)
    middles = (shares[:, :-1] + shares[:, 1:]) / 2
    spots = starts[:, None] + middles[..., None] * (ends - starts)[:, None]
    within = ground.held(spots.reshape(-1, 2)).reshape(*middles.shape, len(ground))
    rim = np.zeros(middles.shape, dtype=bool)
    rim[along] = ground.on_side(spots[along].reshape(-1, 2)).any(axis=1).reshape(-1, middles.shape[1])
    before = ground.inside(starts) if inside is None else inside
    going, share = np.ones(count, dtype=bool), np.zeros(count)
    for part in range(middles.shape[1]):
        stretch = (shares[:, part + 1] - shares[:, part]) * length
        real = stretch > 1e-9
        if len(on := np.flatnonzero(rim[:, part])):
            left, right = ground.beside(spots[on, part], (ends - starts)[on])
            within[on, part] = ground.cheaper(left, right, before[on])
        budget, stops = _entered(ground, budget, within[:, part] & ~before & real[:, None])
        stopped = np.where(going & (stops >= 0), stops, stopped)
        going &= stops < 0
        price = stretch / ground.factors(within[:, part])
        able = going & (budget >= price - MM)
        partly = np.clip(budget / np.where(price > 0, price, 1.0), 0.0, 1.0)
        step = np.where(able, 1.0, np.where(going, partly, 0.0))
        share += step * (shares[:, part + 1] - shares[:, part])
        budget, going = np.where(able, np.maximum(budget - price, 0.0), budget), able
        before = np.where(real[:, None], within[:, part], before)
    return Walk(np.where(going, budget, -1.0), np.where(going, 1.0, share), stopped, before)


def _left(budget: Array) -> Array:
    return np.where(budget >= -MM, np.maximum(budget, 0.0), -1.0)


def _entered(ground: Ground, budget: Array, entered: Mask) -> tuple[Array, Index]:
    """What is left after entering pieces (m, p), and the piece (m,) that cannot be entered, or -1."""
    stops = np.full(len(budget), -1, dtype=np.intp)
    for number, going in enumerate(ground.goings):
        if not going.barred and going.crossing_mm == 0 and going.keeps == 1:
            continue
        here = entered[:, number]
        short = here & ((budget < going.crossing_mm - MM) | going.barred | (going.keeps <= 0))
        stops = np.where(short & (stops < 0), number, stops)
        paid = np.maximum(budget - going.crossing_mm, 0.0) * going.keeps
        budget = np.where(here & ~short, paid, budget)
    return budget, stops


def walk(ground: Ground, points: Array, budget_mm: float) -> tuple[Array, Array, int]:
    """Along a polyline (k, 2): what is left after each of its legs (below 0: not reached), the point (2,) where the
    move ends, and the piece that stopped it, or -1.

    >>> left, end, _ = walk(OPEN, np.array([[0.0, 0.0], [0.0, 30.0], [40.0, 30.0]]), 50.0)
    >>> left.tolist(), end.tolist()
    ([20.0, -1.0], [20.0, 30.0])
    """
    left, inside = [], ground.inside(points[:1])
    at, stopped = points[0], -1
    for start, end in pairwise(points):
        if budget_mm < 0:
            left.append(-1.0)
            continue
        step = walked(ground, start[None], end[None], np.array([budget_mm]), inside)
        budget_mm, at = float(step.left_mm[0]), start + step.share[0] * (end - start)
        stopped, inside = int(step.stopped_by[0]), step.inside
        left.append(budget_mm)
    return np.array(left), at, stopped


def left_along(ground: Ground, origin: Array, directions: Array, budget_mm: float) -> Array:
    """(m,) how far one gets from a point (2,) along unit vectors (m, 2) with an allowance, in mm of the table.

    >>> left_along(OPEN, np.zeros(2), np.array([[0.0, 1.0]]), 80.0).tolist()
    [80.0]
    """
    far = budget_mm * ground.fastest
    starts = np.broadcast_to(origin, directions.shape)
    share = walked(ground, starts, origin + far * directions, np.full(len(directions), budget_mm)).share
    reached: Array = share * far
    return reached
