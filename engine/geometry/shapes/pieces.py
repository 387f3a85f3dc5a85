"""Terrain as arrays: the outlines of many pieces at once, and which points lie in which.

A piece is one or more rings: outer ones run anticlockwise, holes clockwise. An outline that crosses itself is read
by the even-odd rule; one without area (a line, a point) holds nothing but its own rim. Lengths in millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.plane.distinct import without_repeats
from engine.geometry.plane.lines import each_to_segment, nearest_on_segments, segments_cross, signed_area
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.strips import strip_rings
from engine.records.game import Terrain

__all__ = ["Pieces", "pieces_from", "pieces_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: A corner sharper than that is a needle's; a piece is thin where a corner comes that near to another edge.
_SHARP_RAD, _THIN_MM = np.radians(3.0), 0.1
#: Where in the box round a piece, as shares of its sides, the middles of its cores are looked for, and how many.
_INNER, _CORES = np.linspace(0.1, 0.9, 7), 3


@dataclass(frozen=True, eq=False)
class Pieces:
    """``p`` pieces of terrain: their rings, the height of their tops above the table (p,), their names."""

    rings: tuple[tuple[Array, ...], ...]
    height_mm: Array
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rings)

    @cached_property
    def first(self) -> Index:
        """(p + 1,) where each piece's edges begin in `start` and `end`."""
        counts = [sum(len(ring) for ring in rings) for rings in self.rings]
        return np.concatenate([[0], np.cumsum(counts, dtype=np.intp)]).astype(np.intp)

    @cached_property
    def start(self) -> Array:
        """(e, 2) where the edges begin, piece after piece."""
        return _stacked([ring for rings in self.rings for ring in rings])

    @cached_property
    def end(self) -> Array:
        """(e, 2) where the edges end."""
        return _stacked([np.roll(ring, -1, axis=0) for rings in self.rings for ring in rings])

    @cached_property
    def following(self) -> tuple[Index, ...]:
        """For each piece (k,) the edge of the same piece that begins where each edge ends."""
        return tuple(_following(rings) for rings in self.rings)

    @cached_property
    def piece(self) -> Index:
        """(e,) which piece each edge belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest x and y of each piece: (p, 2), (p, 2)."""
        low = [np.min(np.concatenate(rings), axis=0) for rings in self.rings]
        high = [np.max(np.concatenate(rings), axis=0) for rings in self.rings]
        return np.array(low, dtype=float).reshape(-1, 2), np.array(high, dtype=float).reshape(-1, 2)

    @cached_property
    def cores(self) -> tuple[tuple[Array, Array], ...]:
        """Discs within each piece, apart from each other: centres (p, 2) and radii (p,) in mm, 0 for none."""
        if not len(self):
            return ()
        low, high = self.bounds
        inner = np.stack(np.meshgrid(_INNER, _INNER), axis=-1).reshape(-1, 1, 2)
        spots, all_ = low + inner * (high - low), np.arange(len(self))
        flat, own = spots.reshape(-1, 2), np.tile(all_, len(spots))
        deep = np.where(self._inside(flat, own), self.to_rim(flat, own), 0.0).reshape(len(spots), -1)
        found, worth = [], deep
        for _ in range(_CORES):
            best = worth.argmax(axis=0)
            found.append((spots[best, all_], deep[best, all_]))
            worth = np.minimum(worth, np.hypot(*(spots - found[-1][0]).transpose(2, 0, 1)))
        return tuple(found)

    @cached_property
    def convex(self) -> Mask:
        """(p,) whether each piece is convex."""
        return np.array([len(rings) == 1 and _is_convex(rings[0]) for rings in self.rings], dtype=bool)

    @cached_property
    def whole(self) -> Mask:
        """(p,) whether each piece hangs together: one outer ring with an area."""
        return np.array([sum(signed_area(ring) > 0 for ring in rings) == 1 for rings in self.rings], dtype=bool)

    @cached_property
    def stout(self) -> Mask:
        """(p,) whether no corner of a piece is a needle's, and none comes so near to another edge of it that what
        runs through there could be said only to touch it.

        >>> pieces_of([[(0, 0), (9, 0), (9, 9)], [(0, 0), (99, 0), (99, 1)]]).stout.tolist()
        [True, False]
        """
        stout = np.ones(len(self), dtype=bool)
        if not len(self.start):
            return stout
        parts = [one + first for one, first in zip(self.following, self.first[:-1], strict=True)]
        following, along = np.concatenate(parts), self.end - self.start
        length = np.hypot(along[:, 0], along[:, 1])
        back = -(along * along[following]).sum(axis=1)
        stout[self.piece[back >= np.cos(_SHARP_RAD) * length * length[following]]] = False
        corner, edge, _ = self.spread(self.piece)
        other = (edge != corner) & (following[edge] != corner)
        corner, edge = corner[other], edge[other]
        near = each_to_segment(self.start[corner], self.start[edge], self.end[edge]) < _THIN_MM
        stout[self.piece[corner[near]]] = False
        return stout

    def edges(self, number: int) -> tuple[Array, Array]:
        """One piece's edges: where they begin and end, (k, 2) each."""
        which = slice(self.first[number], self.first[number + 1])
        return self.start[which], self.end[which]

    def pick(self, index: ArrayLike) -> Pieces:
        """Some of the pieces, by index or mask."""
        which = np.arange(len(self))[np.asarray(index, dtype=None if np.size(index) else np.intp)]
        return Pieces(
            tuple(self.rings[i] for i in which), self.height_mm[which], tuple(self.names[i] for i in which)
        )

    def contains(self, points: ArrayLike, allowance: float = MM) -> Mask:
        """(n, p) whether points (n, 2) lie in the pieces; within ``allowance`` mm of the rim counts.

        >>> square = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)]])
        >>> square.contains([[5, 5], [10, 3], [10.01, 3]]).ravel().tolist()
        [True, True, False]
        """
        spots = np.asarray(points, dtype=float).reshape(-1, 2)
        inside = np.zeros((len(spots), len(self)), dtype=bool)
        low, high = self.bounds
        near = ((spots[:, None] >= low - allowance) & (spots[:, None] <= high + allowance)).all(axis=2)
        row, piece = np.nonzero(near)
        inside[row, piece] = self._inside(spots[row], piece) | (self.to_rim(spots[row], piece) <= allowance)
        return inside

    def strictly_in(self, points: ArrayLike) -> Mask:
        """(n, p) whether points (n, 2) lie in the pieces, where the rim decides nothing: by the even-odd rule."""
        spots = np.asarray(points, dtype=float).reshape(-1, 2)
        inside = np.zeros((len(spots), len(self)), dtype=bool)
        low, high = self.bounds
        row, piece = np.nonzero(((spots[:, None] >= low) & (spots[:, None] <= high)).all(axis=2))
        inside[row, piece] = self._inside(spots[row], piece)
        return inside

    def to_outline(self, points: ArrayLike) -> Array:
        """(n, p) the shortest distances from points (n, 2), inside or out, to the pieces' outlines.

        >>> square = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)]])
        >>> square.to_outline([[5, 3], [13, 14]]).ravel().tolist()
        [3.0, 5.0]
        """
        spots = np.asarray(points, dtype=float).reshape(-1, 2)
        row, piece = np.divmod(np.arange(len(spots) * len(self)), max(len(self), 1))
        return self.to_rim(spots[row], piece).reshape(len(spots), len(self))

    def nearest_on_rim(self, number: int, points: ArrayLike) -> Array:
        """(n, 2) the points of one piece's outline nearest to points (n, 2).

        >>> square = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)]])
        >>> square.nearest_on_rim(0, [[5, 3], [13, 14]]).tolist()
        [[5.0, 0.0], [10.0, 10.0]]
        """
        spots = np.asarray(points, dtype=float).reshape(-1, 2)
        near = nearest_on_segments(spots, *self.edges(number))
        apart = np.hypot(near[..., 0] - spots[:, None, 0], near[..., 1] - spots[:, None, 1])
        chosen: Array = near[np.arange(len(spots)), apart.argmin(axis=1)]
        return chosen

    def depth(self, points: ArrayLike) -> Array:
        """(n, p) how far points (n, 2) lie within the pieces, from the rim; 0 outside."""
        inside = self.contains(points)
        spots = np.asarray(points, dtype=float).reshape(-1, 2)
        row, piece = np.nonzero(inside)
        deep = np.zeros(inside.shape)
        deep[row, piece] = self.to_rim(spots[row], piece)
        return deep

    def spread(self, piece: Index) -> tuple[Index, Index, Index]:
        """For each piece (n,) asked for, its edges: whose they are and which (e,), and where each one's run begins
        (n,)."""
        counts = np.diff(self.first)[piece]
        begins = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(piece)), counts)
        edge = np.arange(len(owner)) - np.repeat(begins - self.first[piece], counts)
        return owner, edge, begins

    def _inside(self, spots: Array, piece: Index) -> Mask:
        owner, edge, _ = self.spread(piece)
        (x, y), start, end = spots[owner].T, self.start[edge], self.end[edge]
        straddles = (start[:, 1] > y) != (end[:, 1] > y)
        owner, x, y, start, end = owner[straddles], x[straddles], y[straddles], start[straddles], end[straddles]
        at = start[:, 0] + (end[:, 0] - start[:, 0]) * ((y - start[:, 1]) / (end[:, 1] - start[:, 1]))
        odd: Mask = np.bincount(owner[x < at], minlength=len(spots)) % 2 == 1
        return odd

    def to_rim(self, spots: Array, piece: Index) -> Array:
        """(t,) the distances from points (t, 2) to the outline of one piece (t,) each."""
        if not len(spots):
            return np.zeros(0)
        owner, edge, begins = self.spread(piece)
        nearest: Array = np.minimum.reduceat(
            each_to_segment(spots[owner], self.start[edge], self.end[edge]), begins
        )
        return nearest


def pieces_of(
    outlines: Sequence[ArrayLike], height_mm: ArrayLike | None = None, names: Sequence[str] | None = None
) -> Pieces:
    """Pieces from outlines (k, 2) each, in either direction, the first corner repeated or not.

    >>> bow = pieces_of([[(0, 0), (10, 10), (10, 0), (0, 10)]])
    >>> bow.contains([[9, 5], [5, 9]]).ravel().tolist(), len(pieces_of([]))
    ([True, False], 0)
    """
    rings = tuple(_rings_of(np.asarray(outline, dtype=float).reshape(-1, 2)) for outline in outlines)
    height = np.zeros(len(rings)) if height_mm is None else np.asarray(height_mm, dtype=float)
    return Pieces(
        rings, np.broadcast_to(height, (len(rings),)), tuple(names or (str(i) for i in range(len(rings))))
    )


def pieces_from(terrain: Sequence[Terrain]) -> Pieces:
    """The pieces of a game's terrain; a polyline becomes a strip of its width."""
    rings = tuple(
        _strip(piece) if piece.polygon_mm is None else _rings_of(np.array(piece.polygon_mm, dtype=float))
        for piece in terrain
    )
    height = np.array([piece.height_mm for piece in terrain], dtype=float)
    return Pieces(rings, height, tuple(piece.id for piece in terrain))


def _strip(piece: Terrain) -> tuple[Array, ...]:
    outline, *within = strip_rings(piece.polyline_mm or ((0.0, 0.0),), piece.width_mm or 1.0)
    return (*_rings_of(outline), *within)


def _stacked(rings: Sequence[Array]) -> Array:
    return np.concatenate(rings) if rings else np.zeros((0, 2))


def _following(rings: tuple[Array, ...]) -> Index:
    runs, begins = [], 0
    for ring in rings:
        runs.append(begins + (np.arange(len(ring)) + 1) % len(ring))
        begins += len(ring)
    return np.concatenate(runs)


def _rings_of(outline: Array) -> tuple[Array, ...]:
    ring = without_repeats(outline, closed=True)
    if not len(ring):
        return (np.full((1, 2), np.nan),)
    if len(ring) < 3 or _is_convex(ring) or not _meets_itself(ring):
        return (ring if signed_area(ring) >= 0 else ring[::-1],)
    return tuple(_even_odd(ring)) or (ring,)


def _even_odd(ring: Array) -> list[Array]:
    """The rings of what a ray out of it crosses the ring an odd number of times from."""
    from shapely import LineString, get_parts, polygonize, union_all

    faces = get_parts(polygonize([union_all([LineString(np.concatenate([ring, ring[:1]]))])]))
    spots = np.array([face.representative_point().coords[0] for face in faces]).reshape(-1, 2)
    inside = Pieces(((ring,),), np.zeros(1), ("",)).strictly_in(spots)[:, 0]
    shapes = [part.normalize().reverse() for part in get_parts(union_all(faces[inside]))]
    return [np.array(edge.coords[:-1], dtype=float) for part in shapes for edge in (part.exterior, *part.interiors)]


def _is_convex(ring: Array) -> bool:
    """Whether a ring turns one way only, and once round."""
    along = np.roll(ring, -1, axis=0) - ring
    ahead = np.roll(along, -1, axis=0)
    turn = np.arctan2(
        along[:, 0] * ahead[:, 1] - along[:, 1] * ahead[:, 0], along[:, 0] * ahead[:, 0] + along[:, 1] * ahead[:, 1]
    )
    straight = 1e-12
    one_way = bool((turn >= -straight).all() or (turn <= straight).all())
    return len(ring) > 2 and one_way and abs(abs(turn.sum()) - 2 * np.pi) < 1e-6 and abs(turn).max() < 3.14159


def _meets_itself(ring: Array) -> bool:
    """Whether edges that are no neighbours touch."""
    count = len(ring)
    meets = segments_cross(ring, np.roll(ring, -1, axis=0), ring, np.roll(ring, -1, axis=0))
    apart = (np.arange(count)[:, None] - np.arange(count)[None, :]) % count
    return bool((meets & (apart > 1) & (apart < count - 1)).any())
