"""Which lines may have to do with which things in the way: a coarse choice that leaves none out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.lines import each_to_segment, points_to_segments
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.records import Bodies, Lines, Watch

__all__ = ["lines_by_body", "lines_by_piece", "lines_near", "lines_past", "not_spared"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: A hair more, in millimetres, so that rounding leaves nothing out.
_HAIR_MM = 0.01
_AT_ONCE = 80_000


def lines_by_piece(pieces: Pieces, lines: Lines, reach_mm: float = 0.0) -> Iterator[tuple[int, Index]]:
    """For each piece that has any: the lines that come into the box round it, grown by ``reach_mm``."""
    low, high = np.minimum(lines.start, lines.end), np.maximum(lines.start, lines.end)
    reach = reach_mm + _HAIR_MM
    lowest, highest = pieces.bounds[0] - reach, pieces.bounds[1] + reach
    if not len(lines):
        return
    meets = ((lowest <= high.max(axis=0)) & (highest >= low.min(axis=0))).all(axis=1)
    (low_x, low_y), (high_x, high_y) = np.ascontiguousarray(low.T), np.ascontiguousarray(high.T)
    for number in np.flatnonzero(meets).tolist():
        near = (low_x <= highest[number, 0]) & (high_x >= lowest[number, 0])
        near &= (low_y <= highest[number, 1]) & (high_y >= lowest[number, 1])
        which = np.flatnonzero(near)
        if len(which):
            yield number, which


def lines_by_body(bodies: Bodies, lines: Lines, reach_mm: float = 0.0) -> tuple[Index, Index]:
    """Lines and bodies (t,), (t,) of which the one may come within ``reach_mm`` of the other."""
    found: list[tuple[Index, Index]] = [(np.zeros(0, np.intp), np.zeros(0, np.intp))]
    count = len(bodies)
    step = max(1, _AT_ONCE // max(count, 1))
    reach = bodies.reach_mm + reach_mm + _HAIR_MM
    spots = np.column_stack([bodies.centre, np.ones(count)])
    for begin in range(0, len(lines) if count else 0, step):
        start, end = lines.start[begin : begin + step], lines.end[begin : begin + step]
        along = end - start
        length = np.hypot(along[:, 0], along[:, 1])
        unit = along / np.where(length > 0, length, 1.0)[:, None]
        unit[length <= 0] = (1.0, 0.0)
        across = np.stack([-unit[:, 1], unit[:, 0], unit[:, 1] * start[:, 0] - unit[:, 0] * start[:, 1]])
        near = np.flatnonzero(np.abs(spots @ across) < reach[:, None])
        body, line = np.divmod(near, len(start))
        ahead = ((bodies.centre[body] - start[line]) * unit[line]).sum(axis=1)
        kept = (ahead > -reach[body]) & (ahead < length[line] + reach[body])
        found.append((line[kept] + begin, body[kept]))
    lines_found, bodies_found = zip(*found, strict=True)
    return np.concatenate(lines_found), np.concatenate(bodies_found)


def lines_near(bodies: Bodies, start: Array, end: Array, reach_mm: float = 0.0) -> Mask:
    """(q,) which lines (q, 2)-(q, 2) may come within ``reach_mm`` of any of the bodies; all that do are among them.

    >>> from engine.geometry.shapes.bases import points
    >>> from engine.geometry.sight.records import bodies_of
    >>> start, end = np.zeros((2, 2)), np.array([[9.0, 0.0], [0.0, 9.0]])
    >>> lines_near(bodies_of(points(np.array([[5.0, 1.0]]))), start, end, 2.0).tolist()
    [True, False]
    """
    near = np.zeros(len(start), dtype=bool)
    if not len(bodies):
        return near
    middle = (bodies.centre.min(axis=0) + bodies.centre.max(axis=0)) / 2
    radius = float((np.hypot(*(bodies.centre - middle).T) + bodies.reach_mm).max())
    some = np.flatnonzero(each_to_segment(middle[None], start, end) <= radius + reach_mm + _HAIR_MM)
    reach = (bodies.reach_mm + reach_mm + _HAIR_MM)[:, None]
    near[some] = (points_to_segments(bodies.centre, start[some], end[some]) <= reach).any(axis=0)
    return near


def lines_past(whole: Watch, among: Mask, spot: Array, reach_mm: float) -> tuple[Index, Index]:
    """Lookers (q,) and targets (q,) of those lines ``among`` all (n, m) that may come within a reach of a spot."""
    start, end = whole.lookers - spot, whole.targets - spot
    reach = reach_mm + _HAIR_MM
    across = np.outer(start[:, 0], end[:, 1]) - np.outer(start[:, 1], end[:, 0])
    squared = np.subtract.outer(start[:, 0], end[:, 0]) ** 2 + np.subtract.outer(start[:, 1], end[:, 1]) ** 2
    near = among & (across**2 <= reach**2 * squared + _HAIR_MM)
    for axis in (0, 1):
        for sign in (1.0, -1.0):
            near &= ~np.logical_and.outer(sign * start[:, axis] > reach, sign * end[:, axis] > reach)
    looker, target = np.nonzero(near)
    return looker, target


def not_spared(lines: Lines, line: Index, part: Index, spare_from: Mask | None, spare_to: Mask | None) -> Mask:
    """(t,) which couples of line and part concern each other."""
    concerns = np.ones(len(line), dtype=bool)
    if spare_from is not None:
        concerns &= ~spare_from[lines.looker[line], part]
    if spare_to is not None:
        concerns &= ~spare_to[lines.target[line], part]
    return concerns
