"""By how much lines miss terrain, or run into it: what the uncertainty of places is held against.

Lengths in millimetres, above 0 what lies between, below 0 the least shift sideways that would free the line.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.distinct import distinct
from engine.geometry.plane.lines import points_to_segments, segments_cross
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.crossing import in_order, lengths_in

__all__ = ["clearance_of", "clearance_of_couples", "from_path", "within_reach"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

_AT_ONCE = 40_000
#: Edges that are nearer to each other than this leave no gap.
_HAIR_MM = 1e-9
#: Makes a side that a path has left count as hardly off the line, so that it is met at the corner on it.
_FAINT = 1e-12


def clearance_of(pieces: Pieces, number: int, start: Array, end: Array) -> Array:
    """(s,) how far lines (s, 2)-(s, 2) pass from one piece; below 0 how far they must be shifted to pass it.

    A line is freed by shifting it sideways, without turning it, until nothing of the piece is met between its ends.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> square = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)]])
    >>> starts, ends = np.array([[-5.0, 3.0], [-5.0, 12.0]]), np.array([[50.0, 3.0], [50.0, 12.0]])
    >>> clearance_of(square, 0, starts, ends).tolist()
    [-3.0, 2.0]
    """
    start, end, _ = in_order(start, end)
    way = np.zeros(len(start))
    edge, edge_end = pieces.edges(number)
    step = max(1, _AT_ONCE // max(1, len(edge)))
    for begin in range(0, len(start), step):
        which = slice(begin, begin + step)
        way[which] = _clearance(pieces, number, start[which], end[which], edge, edge_end)
    return way


def clearance_of_couples(pieces: Pieces, part: Index, start: Array, end: Array) -> Array:
    """(t,) the same of lines (t, 2)-(t, 2) and the piece that ``part`` (t,) numbers for each."""
    way = np.zeros(len(part))
    for number in distinct(part).tolist():
        which = np.flatnonzero(part == number)
        way[which] = clearance_of(pieces, number, start[which], end[which])
    return way


def within_reach(pieces: Pieces, part: Index, start: Array, end: Array, crossing: Mask, reach_mm: Array) -> Mask:
    """(t,) whether lines clear the pieces ``part`` (t,), or run into them, by ``reach_mm`` (t,) or less.

    It is the `clearance_of` each that counts; ``crossing`` (t,) tells which lines run inside of their pieces.
    """
    low, high, _ = in_order(start, end)
    left, right, near, far = _extents(pieces, part, low, high)
    length = np.hypot(*(high - low).T)
    passed = (np.minimum(left, right) < -reach_mm) | (far < -reach_mm) | (near > length + reach_mm)
    across = crossing & (near > 0) & (far < length)  # nothing of the piece lies before or beyond the line
    within: Mask = across & (np.minimum(left, right) <= reach_mm)
    rest = np.flatnonzero(~across & (crossing | ~passed))
    within[rest] = np.abs(clearance_of_couples(pieces, part[rest], low[rest], high[rest])) <= reach_mm[rest]
    return within


def _extents(pieces: Pieces, part: Index, low: Array, high: Array) -> tuple[Array, Array, Array, Array]:
    """(t,) how far pieces reach to the left and to the right of lines, and from where to where along them."""
    if not len(part):
        return np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0)
    along = high - low
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.where(length > 0, length, 1.0)[:, None]
    owner, corner, begins = pieces.spread(part)
    ux, uy = unit[owner, 0], unit[owner, 1]
    x, y = pieces.start[corner, 0] - low[owner, 0], pieces.start[corner, 1] - low[owner, 1]
    side, at = ux * y - uy * x, ux * x + uy * y
    right, near = (np.minimum.reduceat(one, begins) for one in (side, at))
    left, far = (np.maximum.reduceat(one, begins) for one in (side, at))
    return left, -right, near, far


def _clearance(pieces: Pieces, number: int, start: Array, end: Array, edge: Array, edge_end: Array) -> Array:
    crossing = lengths_in(pieces, number, start, end) > MM
    apart = _apart(start, end, edge, edge_end)
    way = np.where(crossing, 0.0, apart)
    rows = np.flatnonzero(crossing)
    if len(rows):
        way[rows] = -_shift_to_free(start[rows], end[rows], edge, edge_end, pieces.pick([number]))
    return way


def _apart(start: Array, end: Array, edge: Array, edge_end: Array) -> Array:
    """(s,) the distances between lines and edges that they do not cross."""
    corners: Array = points_to_segments(np.concatenate([edge, edge_end[-1:]]), start, end).min(axis=0)
    for point in (start, end):
        corners = np.minimum(corners, points_to_segments(point, edge, edge_end).min(axis=1))
    return corners


def _shift_to_free(start: Array, end: Array, edge: Array, edge_end: Array, piece: Pieces | None = None) -> Array:
    """(s,) the least sideways shift after which no edge (and nothing of a piece) lies between the ends of lines."""
    along = end - start
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    unit = along / length
    low, high = _heights_between(start, unit, length, edge, edge_end)
    left = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    shift = np.full(len(start), np.inf)
    for bottom, top, side in ((low, high, left), (-high, -low, -left)):
        reached = np.zeros(len(start))
        for _ in range(2 * len(edge) + 1):
            further = np.where(bottom <= reached[:, None] + _HAIR_MM, top, -np.inf).max(axis=1)
            if piece is not None:
                further = np.maximum(further, _to_next_edge(piece, reached, bottom, (start + end) / 2, side))
            if not (further > reached).any():
                break
            reached = np.maximum(reached, further)
        shift = np.minimum(shift, reached)
    return shift


def _to_next_edge(piece: Pieces, reached: Array, bottom: Array, middle: Array, side: Array) -> Array:
    """(s,) where lines shifted a hair farther than ``reached`` run wholly inside: how far the next edge is."""
    inside = piece.strictly_in(middle + (reached + 2 * _HAIR_MM)[:, None] * side)[:, 0]
    following = np.where(bottom > reached[:, None], bottom, np.inf).min(axis=1)
    return np.where(inside & np.isfinite(following), following, -np.inf)


def _heights_between(start: Array, unit: Array, length: Array, edge: Array, edge_end: Array) -> tuple[Array, Array]:
    """From where to where beside the line (s, e) each edge reaches between the line's ends; inf, -inf for none."""
    x, y, x_end, y_end = (
        part
        for corner in (edge, edge_end)
        for part in (
            unit[:, :1] * (corner[:, 0] - start[:, :1]) + unit[:, 1:] * (corner[:, 1] - start[:, 1:]),
            unit[:, :1] * (corner[:, 1] - start[:, 1:]) - unit[:, 1:] * (corner[:, 0] - start[:, :1]),
        )
    )
    run = np.where(x == x_end, 1.0, x_end - x)
    at = [np.clip(np.where(x == x_end, share, (limit - x) / run), 0.0, 1.0)
          for share, limit in ((0.0, np.zeros_like(length)), (1.0, length))]  # fmt: skip
    heights = [y + share * (y_end - y) for share in at]
    between = (np.maximum(x, x_end) > 0) & (np.minimum(x, x_end) < length)
    return (
        np.where(between, np.minimum(*heights), np.inf),
        np.where(between, np.maximum(*heights), -np.inf),
    )


def from_path(path: Array, start: Array, end: Array) -> tuple[Mask, Array]:
    """Whether lines (s, 2)-(s, 2) go from one side of a path (k, 2) to the other, and how far they pass from it.

    Touching is not crossing: an end on the path, a line through its end or along it, one that meets a bend and
    stays on its side. The distance is below 0 for those that cross: then the least shift, sideways or of an end
    back over the path, that undoes it.

    >>> path = np.array([[5.0, -2.0], [5.0, 3.0]])
    >>> crosses, way = from_path(path, np.zeros((2, 2)), np.array([[10.0, 0.0], [5.0, 0.0]]))
    >>> crosses.tolist(), way.tolist()
    ([True, False], [-2.0, 0.0])
    """
    start, end, _ = in_order(start, end)
    crosses = _changes_sides(path, start, end)
    edge, edge_end = path[:-1], path[1:]
    meets = segments_cross(start, end, edge, edge_end).any(axis=1)
    way = np.where(meets, 0.0, _apart(start, end, edge, edge_end))
    rows = np.flatnonzero(crosses)
    if len(rows):
        shift = _shift_to_free(start[rows], end[rows], edge, edge_end)
        for point in (start, end):
            shift = np.minimum(shift, points_to_segments(point[rows], edge, edge_end).min(axis=1))
        way[rows] = -shift
    return crosses, way


def _changes_sides(path: Array, start: Array, end: Array) -> Mask:
    along = end - start
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.where(length > 0, length, 1.0)[:, None]
    crosses = np.zeros(len(start), dtype=bool)
    last_side, last_at = np.zeros(len(start)), np.zeros(len(start))
    within = np.ones(len(start), dtype=bool)  # what was met since the path last left the line lies between the ends
    for corner in path:
        to = corner - start
        side = unit[:, 0] * to[:, 1] - unit[:, 1] * to[:, 0]
        at = unit[:, 0] * to[:, 0] + unit[:, 1] * to[:, 1]
        on = np.abs(side) <= MM
        here = (at > MM) & (at < length - MM)
        changes = ~on & (last_side * side < 0)
        share = last_side / np.where(changes, last_side - side, 1.0)
        met = last_at + share * (at - last_at)
        direct = within & (met > MM) & (met < length - MM)
        crosses |= changes & direct
        within = np.where(on, within & here, True)
        # A corner on the line keeps the side that the path came from, and stands where the line was met.
        last_at = np.where(on & (last_side != 0), at, np.where(on, last_at, at))
        last_side = np.where(on, last_side * _FAINT, side)
    return crosses
