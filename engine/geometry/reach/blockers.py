"""What stands in the way of a move: outlines of terrain and bases of figures, as segments rounded by a radius.

Every blocker is the set of points within ``rounding`` of some segments: the sides of an outline (rounding 0), the
centre of a round base (a segment of no length, its radius), the sides of a rectangular one. What keeps others at a
distance is the same with a greater rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.plane.distinct import distinct, numbered
from engine.geometry.shapes.bases import Bases

__all__ = [
    "NOTHING",
    "Blockers",
    "Solid",
    "bases_as_blockers",
    "discs",
    "enclosed_by",
    "joined",
    "opened",
    "outlines_as_blockers",
    "polygonal",
    "valid",
]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
Geometries = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Solid:
    """Shapes of one name, as `Blockers` has them: ``start``, ``end`` (k, 2), ``rounding``, ``shape`` (k,)."""

    name: str
    start: Array
    end: Array
    rounding: Array
    shape: Index

    @cached_property
    def mark(self) -> bytes:
        """What tells it from all others of another form or place, whatever they are called."""
        shape = self.shape - self.shape[0]
        return b"".join(part.tobytes() for part in (self.start, self.end, self.rounding, shape))

    @cached_property
    def box(self) -> Array:
        """(4,) its least x and y, its greatest x and y."""
        margin = self.rounding[:, None]
        low, high = np.minimum(self.start, self.end) - margin, np.maximum(self.start, self.end) + margin
        return np.concatenate([low.min(axis=0), high.max(axis=0)])

    def drawn(self, quad_segs: int, wider_mm: float = 0.0) -> BaseGeometry:
        """The ground that it covers, widened all round, as shapely draws it (arcs are polylines)."""
        single = np.bincount(self.shape - self.shape.min())[self.shape - self.shape.min()] == 1
        parts = discs(self.start[single], self.rounding[single] + wider_mm, quad_segs)
        for shape in distinct(self.shape[~single]).tolist():
            mine = self.shape == shape
            core = enclosed_by(self.start[mine], self.end[mine])
            if core is None:
                core = shapely.MultiLineString(np.stack([self.start[mine], self.end[mine]], axis=1).tolist())
            grown = float(self.rounding[mine].max()) + wider_mm
            parts.append(shapely.buffer(core, grown, quad_segs=quad_segs) if grown > 0 else core)
        return parts[0] if len(parts) == 1 else shapely.union_all(parts)


@dataclass(frozen=True, eq=False)
class Blockers:
    """Shapes that bodies may touch but not cross.

    ``start``, ``end`` (k, 2) segments in table mm, ``rounding`` (k,) in mm, ``shape`` (k,) which shape each belongs
    to; ``names`` has the name of every shape.
    """

    start: Array
    end: Array
    rounding: Array
    shape: Index
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rounding)

    def pick(self, which: Mask | Index) -> Blockers:
        """Some of the segments, by mask or index; the names stay."""
        return Blockers(self.start[which], self.end[which], self.rounding[which], self.shape[which], self.names)

    def near(self, points: Array, reach_mm: float) -> Blockers:
        """The shapes that come within ``reach_mm`` of the box round points (n, 2), whole."""
        if not len(self) or not len(points):
            return self.pick(np.zeros(len(self), dtype=bool))
        low, high = points.min(axis=0) - reach_mm, points.max(axis=0) + reach_mm
        least, most = self._boxes
        met = ((least <= high) & (most >= low)).all(axis=1)[self.shape]
        if met.all():
            return self
        some = self.pick(met)
        some.__dict__["_boxes"] = self._boxes  # its shapes are whole: their boxes are the same
        some.__dict__["solids"] = self.solids  # what is too far to matter changes nothing that is cut
        return some

    def whole(self, shapes: Mask) -> Blockers:
        """Some of the shapes (s,); where they are cut, so is all else that bears their names."""
        some = self.pick(shapes[self.shape])
        wanted = {self.names[number] for number in some.shape.tolist()}
        some.__dict__["_boxes"] = self._boxes
        some.__dict__["solids"] = tuple(solid for solid in self.solids if solid.name in wanted)
        return some

    @cached_property
    def _parts(self) -> tuple[Blockers, ...]:
        """What it was joined from, if so."""
        return ()

    @cached_property
    def solids(self) -> tuple[Solid, ...]:
        """What bears one name, as one thing, by the order of their first shapes; what was joined stays apart."""
        if self._parts:
            return tuple(chain.from_iterable(part.solids for part in self._parts))
        first: dict[str, int] = {}
        number = np.array([first.setdefault(name, len(first)) for name in self.names], dtype=np.intp)
        owner = number[self.shape]
        order = np.argsort(owner, kind="stable")
        bounds = np.searchsorted(owner[order], np.arange(len(first) + 1)).tolist()
        parts = zip(first, pairwise(bounds), strict=True)
        return tuple(
            Solid(name, self.start[which], self.end[which], self.rounding[which], self.shape[which])
            for name, which in ((name, order[slice(*bound)]) for name, bound in parts)
            if len(which)
        )

    @cached_property
    def _boxes(self) -> tuple[Array, Array]:
        """(s, 2) the least and the greatest x and y of every shape; inside out for one without segments."""
        least, most = np.full((len(self.names), 2), np.inf), np.full((len(self.names), 2), -np.inf)
        margin = self.rounding[:, None]
        np.minimum.at(least, self.shape, np.minimum(self.start, self.end) - margin)
        np.maximum.at(most, self.shape, np.maximum(self.start, self.end) + margin)
        return least, most

    def holding(self, points: Array) -> Mask:
        """(n, s) which points (n, 2) lie inside the outline of which shape; round bases have none.

        >>> square = outlines_as_blockers([[(0, 0), (4, 0), (4, 4), (0, 4)]], ["pond"])
        >>> square.holding(np.array([[1.0, 1.0], [9.0, 1.0]])).tolist()
        [[True], [False]]
        """
        x, y = points[:, None, 0], points[:, None, 1]
        start, end = self.start[None], self.end[None]
        straddles = (start[..., 1] > y) != (end[..., 1] > y)
        rise = np.where(straddles, end[..., 1] - start[..., 1], 1.0)
        left = straddles & (x < (end[..., 0] - start[..., 0]) * (y - start[..., 1]) / rise + start[..., 0])
        count = np.zeros((len(points), len(self.names)), dtype=np.intp)
        rows, columns = np.nonzero(left)
        np.add.at(count, (rows, self.shape[columns]), 1)
        inside: Mask = count % 2 == 1
        return inside

    @cached_property
    def enclosed(self) -> Geometries:
        """(s,) what the outline of each shape encloses, without its holes; None for those that have none."""
        found: Geometries = np.full(len(self.names), None, dtype=object)
        order = np.argsort(self.shape, kind="stable")
        start, end, shape = self.start[order], self.end[order], self.shape[order]
        broken = (start[1:] != end[:-1]).any(axis=1) & (shape[1:] == shape[:-1])
        count = np.bincount(shape, minlength=len(self.names))
        several = np.bincount(shape[1:][broken], minlength=len(self.names)) > 0
        ring = (count > 2) & ~several
        mine = ring[shape]
        outlines = shapely.linearrings(start[mine], indices=numbered(shape[mine]))
        found[ring] = valid(shapely.polygons(outlines))
        for number in np.flatnonzero((count > 2) & several).tolist():
            found[number] = enclosed_by(start[shape == number], end[shape == number])
        return found

    def area(self, quad_segs: int = 8, wider_mm: float = 0.0) -> BaseGeometry:
        """The ground that the shapes cover, widened all round, as shapely draws it (arcs are polylines)."""
        return shapely.union_all([solid.drawn(quad_segs, wider_mm) for solid in self.solids])


def discs(middles: Array, radius: Array, quad_segs: int, meeting: BaseGeometry | None = None) -> list[BaseGeometry]:
    """Discs about points (k, 2), all of one radius (k,) together; only those that meet a geometry, if one is given.

    >>> near, far = discs(np.array([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0]]), np.array([1.0, 1.0, 2.0]), 8)
    >>> near.bounds, far.bounds
    ((-1.0, -1.0, 2.0, 1.0), (7.0, -2.0, 11.0, 2.0))
    """
    found: list[BaseGeometry] = []
    shapely.prepare(meeting)
    for size in distinct(radius).tolist():
        points = shapely.points(middles[radius == size])
        points = points if meeting is None else points[shapely.dwithin(meeting, points, size)]
        if len(points):
            found.append(shapely.buffer(shapely.multipoints(points), size, quad_segs=quad_segs))
    return found


def valid(shapes: Any) -> Any:
    """Geometries with their crossing rings put right, polygons only."""
    return shapely.make_valid(shapes, method="structure", keep_collapsed=False)


def polygonal(shape: BaseGeometry) -> BaseGeometry:
    """The polygons of a geometry, without the lines and points that cutting leaves where things only touch."""
    if shapely.get_type_id(shape) in (3, 6):
        return shape
    parts = shapely.get_parts(shape)
    return shapely.union_all(parts[np.isin(shapely.get_type_id(parts), (3, 6))])


def enclosed_by(start: Array, end: Array) -> BaseGeometry | None:
    """What rings of segments (k, 2)-(k, 2) enclose, the first without the others, which are its holes; or None.

    >>> square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    >>> enclosed_by(square, np.roll(square, -1, axis=0)).area
    16.0
    """
    rings = [shapely.Polygon(ring) for ring in _rings(start, end)]
    if not rings:
        return None
    whole = valid(rings[0])
    core: BaseGeometry = whole if len(rings) == 1 else whole.difference(shapely.union_all(valid(rings[1:])))
    return core


def _rings(start: Array, end: Array) -> list[Array]:
    """The closed rings of segments that follow one another, those of no length left out."""
    breaks = np.flatnonzero((start[1:] != end[:-1]).any(axis=1)) + 1
    return [ring for ring in np.split(start, breaks) if len(ring) > 2]


#: No blockers at all.
NOTHING = Blockers(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0), np.zeros(0, dtype=np.intp), ())


def outlines_as_blockers(
    outlines: Sequence[Iterable[Sequence[float]]],
    names: Sequence[str],
    holes: Sequence[Sequence[Iterable[Sequence[float]]]] = (),
    keep_away_mm: float = 0.0,
) -> Blockers:
    """Polygons as blockers: outlines (k, 2) in either direction, each with its holes, and a name each.

    >>> len(outlines_as_blockers([[(0, 0), (4, 0), (4, 4)]], ["rock"])), len(outlines_as_blockers([], []))
    (3, 0)
    """
    starts, ends, shapes = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros(0, dtype=np.intp)]
    for number, outline in enumerate(outlines):
        for ring in (outline, *(holes[number] if number < len(holes) else ())):
            corners = np.asarray(list(ring), dtype=float).reshape(-1, 2)
            starts.append(corners)
            ends.append(np.concatenate([corners[1:], corners[:1]]))
            shapes.append(np.full(len(corners), number, dtype=np.intp))
    start = np.concatenate(starts)
    return Blockers(
        start, np.concatenate(ends), np.full(len(start), keep_away_mm), np.concatenate(shapes), tuple(names)
    )


def opened(
    outlines: Sequence[Array], names: Sequence[str], openings: Sequence[Array], wider_mm: float = 0.0
) -> Blockers:
    """Polygons (k, 2) as blockers with openings taken out that are widened all round.

    An opening without area opens nothing; without openings the polygons are blockers as they are.

    >>> river, bridge = np.array([[0.0, 0], [9, 0], [9, 2], [0, 2]]), np.array([[4.0, -1], [5, -1], [5, 3], [4, 3]])
    >>> sorted({round(float(x), 6) for x in opened([river], ["river"], [bridge], 0.5).start[:, 0]})
    [0.0, 3.5, 5.5, 9.0]
    """
    wide = [shapely.Polygon(opening).buffer(wider_mm) for opening in openings if len(opening) > 2]
    if not wide:
        return outlines_as_blockers(outlines, names)
    gaps = shapely.union_all(wide)
    rings, holes, named = [], [], []
    for outline, name in zip(outlines, names, strict=True):
        whole = shapely.Polygon(outline).buffer(0) if len(outline) > 2 else shapely.Polygon()
        for part in shapely.get_parts(whole.difference(gaps)):
            if shapely.get_type_id(part) == 3 and not part.is_empty:
                rings.append(shapely.get_coordinates(part.exterior)[:-1])
                holes.append([shapely.get_coordinates(hole)[:-1] for hole in part.interiors])
                named.append(name)
    return outlines_as_blockers(rings, named, holes)


def bases_as_blockers(bases: Bases, names: Sequence[str], keep_away_mm: float = 0.0) -> Blockers:
    """Figures' bases as blockers, a shape each; ``keep_away_mm`` holds others off by that much.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> bases_as_blockers(bases_of([(5, 5)], [Round(diameter_mm=20)], [0]), ["sentry"], 30).rounding.tolist()
    [40.0]
    """
    number = np.arange(len(bases))
    discs, rects = number[~bases.is_rect], number[bases.is_rect]
    corners = bases.corners()[rects]
    start = np.concatenate([bases.centre[discs], corners.reshape(-1, 2)])
    end = np.concatenate([bases.centre[discs], np.roll(corners, -1, axis=1).reshape(-1, 2)])
    rounding = np.concatenate([bases.radius[discs], np.zeros(4 * len(rects))]) + keep_away_mm
    return Blockers(start, end, rounding, np.concatenate([discs, np.repeat(rects, 4)]), tuple(names))


def joined(parts: Sequence[Blockers]) -> Blockers:
    """Several sets of blockers as one."""
    parts = [part for part in parts if len(part)]
    if not parts:
        return NOTHING
    if len(parts) == 1:
        return parts[0]
    firsts = np.cumsum([0, *(len(part.names) for part in parts)])
    whole = Blockers(
        np.concatenate([part.start for part in parts]),
        np.concatenate([part.end for part in parts]),
        np.concatenate([part.rounding for part in parts]),
        np.concatenate([part.shape + first for part, first in zip(parts, firsts[:-1], strict=True)]),
        tuple(chain.from_iterable(part.names for part in parts)),
    )
    whole.__dict__["_parts"] = tuple(parts)
    return whole
