"""Heights of the ground, what a block hides behind it, and gaps too narrow to see through."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import SIGMAS
from engine.geometry.distances import shortest_lines
from engine.geometry.drawing import Drawing, line
from engine.geometry.plane.lines import points_to_segments
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, gaps
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.crossing import spans_in
from engine.geometry.sight.records import Crests, Lines

__all__ = [
    "dead_ground_mm", "dead_ground_sigma_mm", "eye_heights", "ground_heights", "narrow_gaps", "show_dead_ground",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]


def ground_heights(pieces: Pieces, points: ArrayLike) -> Array:
    """(n,) how high the ground is at points (n, 2): the highest top of the pieces they lie in, else 0.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> hills = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)], [(4, 4), (6, 4), (6, 6), (4, 6)]], [25, 50])
    >>> ground_heights(hills, [[1, 1], [5, 5], [11, 5]]).tolist()
    [25.0, 50.0, 0.0]
    """
    inside = pieces.contains(points)
    height: Array = np.max(np.where(inside, pieces.height_mm, 0.0), axis=1, initial=0.0)
    return height


def eye_heights(pieces: Pieces, points: ArrayLike, above_ground_mm: ArrayLike) -> Array:
    """(n,) the heights above the table of eyes that are so high above the ground at points (n, 2)."""
    height: Array = ground_heights(pieces, points) + np.asarray(above_ground_mm, dtype=float)
    return height


def dead_ground_mm(lines: Lines, pieces: Pieces, eye_mm: ArrayLike, seen_mm: ArrayLike = 0.0) -> Array:
    """(q, p) how far along each line, beyond each block, things of height ``seen_mm`` stay hidden; 0 where nothing
    is, inf where everything is. ``eye_mm`` (q,) is the height of what looks.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> block = pieces_of([[(40, -10), (50, -10), (50, 10), (40, 10)]], [30])
    >>> dead_ground_mm(all_lines([[0, 0]], [[200, 0]]), block, [60.0]).tolist()
    [[50.0]]
    """
    count = (len(lines), len(pieces))
    eye, seen = (np.broadcast_to(np.asarray(one, dtype=float), (len(lines),)) for one in (eye_mm, seen_mm))
    length = np.hypot(*(lines.end - lines.start).T)
    hidden = np.zeros(count)
    for number in range(len(pieces)):
        _, last = spans_in(pieces, number, lines.start, lines.end)
        over, top = last * length, pieces.height_mm[number]
        falls = np.where(eye > top, over * (top - seen) / np.where(eye > top, eye - top, 1.0), np.inf)
        hidden[:, number] = np.where(np.isnan(last) | (seen >= top), 0.0, falls)
    return hidden


def dead_ground_sigma_mm(lines: Lines, pieces: Pieces, eye_mm: ArrayLike, seen_mm: ArrayLike = 0.0) -> Array:
    """(q, p) the sigma of `dead_ground_mm` by those of the lines' ends; 0 where nothing or everything is hidden.

    Where the line leaves the block at a slant, errors across the line count by what they shift that place along it.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> block = pieces_of([[(40, -10), (50, -10), (50, 10), (40, 10)]], [30])
    >>> dead_ground_sigma_mm(all_lines([[0, 0]], [[200, 0]], 0.5), block, [60.0]).tolist()
    [[0.5]]
    """
    eye, seen = (np.broadcast_to(np.asarray(one, dtype=float), (len(lines),)) for one in (eye_mm, seen_mm))
    way = lines.end - lines.start
    sigma = np.zeros((len(lines), len(pieces)))
    for number in range(len(pieces)):
        _, last = spans_in(pieces, number, lines.start, lines.end)
        top = pieces.height_mm[number]
        some = np.flatnonzero(~np.isnan(last) & (seen < top) & (eye > top))
        share = last[some]
        slant = _slants(pieces, number, lines.start[some] + share[:, None] * way[some], way[some])
        # The place where the line leaves shifts by these for an error of either end, along it and across it.
        own = np.hypot(1.0, slant * (1 - share)) * lines.sigma_start[some]
        other = np.where(share < 1, slant * share, 1.0) * lines.sigma_end[some]
        sigma[some, number] = np.hypot(own, other) * (top - seen[some]) / (eye[some] - top)
    return sigma


def _slants(pieces: Pieces, number: int, spots: Array, way: Array) -> Array:
    """(q,) the tangents of the angles between lines and the squares of the edges that hold points (q, 2)."""
    edge, edge_end = pieces.edges(number)
    nearest = points_to_segments(spots, edge, edge_end).argmin(axis=1)
    along = (edge_end - edge)[nearest]
    across = np.abs(way[:, 0] * along[:, 1] - way[:, 1] * along[:, 0])
    slant: Array = np.abs((way * along).sum(axis=1)) / np.where(across > 0, across, 1.0)
    return slant


def show_dead_ground(lines: Lines, pieces: Pieces, eye_mm: ArrayLike, index: int, seen_mm: float = 0.0) -> Drawing:
    """One line, with the stretches of it that lie hidden behind blocks, and how long they are.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> block = pieces_of([[(40, -10), (50, -10), (50, 10), (40, 10)]], [30])
    >>> [shape.text for shape in show_dead_ground(all_lines([[0, 0]], [[200, 0]]), block, [60.0], 0)]
    ['', '50 mm dead ground']
    """
    one, eye = lines.pick(np.array([index])), np.broadcast_to(np.asarray(eye_mm, dtype=float), (len(lines),))
    start, way = one.start[0], one.end[0] - one.start[0]
    length = float(np.hypot(*way))
    hidden = dead_ground_mm(one, pieces, eye[[index]], seen_mm)[0]
    shown = [line("clear", [start, one.end[0]])]
    for number in np.flatnonzero(hidden > 0).tolist():
        last = float(spans_in(pieces, number, one.start, one.end)[1][0])
        stop = min(last + float(hidden[number]) / length, 1.0)
        words = f"{hidden[number]:.0f} mm dead ground" if np.isfinite(hidden[number]) else "dead ground"
        shown.append(line("stopped", [start + last * way, start + stop * way], words))
    return tuple(shown)


def narrow_gaps(
    bases: Bases, least_mm: float, sigma_mm: ArrayLike = 0.0
) -> tuple[Crests, Index, Index, NDArray[np.bool_]]:
    """The gaps between bases that are too narrow to see through: less than ``least_mm`` wide.

    As crests that close them, from centre to centre by the shortest way between the outlines; the two bases of
    each; and whether the width is within two sigma of the least. Together with the bases themselves, as `Standing`,
    they stop every line that would pass between.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> three = bases_of([(0, 0), (30, 0), (80, 0)], [Round(diameter_mm=25)] * 3, [0, 0, 0])
    >>> shut, one, other, _ = narrow_gaps(three, 10.0)
    >>> one.tolist(), other.tolist(), shut.paths[0].tolist()
    ([0], [1], [[0.0, 0.0], [12.5, 0.0], [17.5, 0.0], [30.0, 0.0]])
    """
    width = gaps(bases, bases)
    sigma = np.broadcast_to(np.asarray(sigma_mm, dtype=float), (len(bases),))
    spread = np.hypot(sigma[:, None], sigma[None, :])
    doubt = (spread > 0) & (np.abs(width - least_mm) <= SIGMAS * spread)
    shut = np.triu((width < least_mm - MM) | doubt, 1)
    one, other = np.nonzero(shut)
    if not len(one):
        return Crests(()), one, other, np.zeros(0, dtype=bool)
    first, second = bases.pick(one), bases.pick(other)
    start, end = shortest_lines(first, second)
    paths = np.stack([first.centre, start, end, second.centre], axis=1)
    return Crests(tuple(paths)), one, other, doubt[one, other]
