"""Facts of several bases as they are drawn: which are meant, what is in doubt, ranks, gaps, edges touched."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import ArrayLike

from engine.geometry.certainty import SIGMAS, Verdict
from engine.geometry.distances import edges, shortest_lines
from engine.geometry.drawing import Area, Drawing, Line, Part, Spot, arc_points, area, line, spot
from engine.geometry.facing.aspects import Side
from engine.geometry.formations.contacts import Contacts
from engine.geometry.formations.ranks import Neighbours, Rows
from engine.geometry.shapes.bases import Bases
from engine.geometry.sight.records import Lines

__all__ = [
    "show_bases",
    "show_contact_edges",
    "show_doubt",
    "show_gaps",
    "show_limit",
    "show_move",
    "show_rows",
    "show_swept",
]

_LIMIT_PARTS: dict[Verdict, Part] = {
    Verdict.YES: "clear",
    Verdict.BORDERLINE: "doubt",
    Verdict.NO: "stopped",
}
_LIMIT_WORDS = {Verdict.YES: "within", Verdict.BORDERLINE: "borderline", Verdict.NO: "beyond"}


def show_bases(bases: Bases, verdicts: ArrayLike, yes: Part = "hit", texts: Sequence[str] = ()) -> Drawing:
    """The outlines of bases (n,) for which a statement holds, or may hold: those as in doubt; with words for each.

    >>> from engine.geometry.shapes.bases import points
    >>> [shape.part for shape in show_bases(points([[0, 0], [9, 0], [18, 0]]), [2, 1, 0])]
    ['hit', 'doubt']
    """
    found: list[Area | Spot] = []
    for k in np.flatnonzero(np.asarray(verdicts) > Verdict.NO).tolist():
        part = yes if np.asarray(verdicts)[k] == Verdict.YES else "doubt"
        text = texts[k] if len(texts) else ""
        if bases.is_rect[k]:
            found.append(area(part, bases.corners()[k], text=text))
        else:
            found.append(spot(part, bases.centre[k], float(bases.radius[k]), text))
    return tuple(found)


def show_doubt(bases: Bases) -> Drawing:
    """Within what circles the centres of bases lie, as far as the measurement tells: of two sigmas."""
    return tuple(
        spot("doubt", centre, SIGMAS * float(sigma))
        for centre, sigma in zip(bases.centre, bases.sigma_mm, strict=True)
        if sigma > 0
    )


def show_limit(first: Bases, second: Bases, pairs: Sequence[tuple[int, int]], limit_mm: float) -> Drawing:
    """The shortest lines of pairs of bases against a limit: within it, beyond it, or borderline, with the figures.

    >>> from engine.geometry.shapes.bases import points
    >>> one, two = points([[0, 0]], 0.0, 1.0), points([[0, 99]])
    >>> show_limit(one, two, [(0, 0)], 100.0)[0].text
    '99.0 ± 1.0 mm of 100.0: borderline'
    """
    found = edges(first, second)
    verdicts = found.within(limit_mm)
    shown: list[Line] = []
    for i, j in pairs:
        starts, ends = shortest_lines(first.pick([i]), second.pick([j]))
        verdict = Verdict(int(verdicts[i, j]))
        words = (
            f"{found.value_mm[i, j]:.1f} ± {found.sigma_mm[i, j]:.1f} mm of {limit_mm:.1f}: {_LIMIT_WORDS[verdict]}"
        )
        shown.append(line(_LIMIT_PARTS[verdict], [starts[0], ends[0]], words))
    return tuple(shown)


def show_swept(lines: Lines, index: int, targets: Bases) -> Drawing:
    """The area between where a line starts and the whole of the base that it goes to.

    >>> from engine.geometry.shapes.bases import points
    >>> from engine.geometry.sight.looking import all_lines
    >>> show_swept(all_lines([[0, 0]], [[0, 90]]), 0, points([[0, 90]]))[0].part
    'zone'
    """
    base = targets.pick([int(lines.target[index])])
    rim = base.corners()[0]
    if not base.is_rect[0]:
        rim = arc_points(base.centre[0], float(base.radius[0]), 0.0, 360.0)
    hull = shapely.convex_hull(shapely.MultiPoint(np.concatenate([lines.start[[index]], rim])))
    return (area("zone", shapely.get_coordinates(hull)[:-1]),)


def show_rows(bases: Bases, rows: Rows, units: ArrayLike, unit: int, word: str = "rank") -> Drawing:
    """The rows of one unit as lines through the centres of their figures, numbered from 1, with how many stand
    in each."""
    of = np.asarray(units, dtype=np.intp)
    shown: list[Line] = []
    for number in range(int(rows.count[unit])):
        centres = bases.centre[np.flatnonzero((of == unit) & (rows.row == number))]
        across = centres - centres.mean(axis=0)
        main = np.linalg.svd(across, full_matrices=False)[2][0] if len(centres) > 1 else np.array([1.0, 0.0])
        order = np.argsort(across @ (main if main[np.abs(main).argmax()] > 0 else -main), kind="stable")
        way = centres[order] if len(centres) > 1 else np.repeat(centres, 2, axis=0)
        shown.append(line("zone", way, f"{word} {number + 1}: {len(centres)}"))
    return tuple(shown)


def show_gaps(bases: Bases, neighbours: Neighbours) -> Drawing:
    """The gaps between neighbours in a rank as lines between their edges, each in base widths."""
    starts, ends = shortest_lines(bases.pick(neighbours.left), bases.pick(neighbours.right))
    return tuple(
        line("measure", [start, end], f"{widths:.1f}")
        for start, end, widths in zip(starts, ends, neighbours.gap_widths, strict=True)
    )


def show_move(before: Bases, after: Bases) -> Drawing:
    """How bases went, each from where its centre was to where it is, the first with how far.

    >>> from engine.geometry.shapes.bases import points
    >>> [shape.text for shape in show_move(points([[0, 0], [9, 0]]), points([[0, 40], [9, 40]]))]
    ['40.0 mm', '']
    """
    far = np.hypot(*(after.centre - before.centre).T)
    return tuple(
        line("path", [start, end], f"{mm:.1f} mm" if number == 0 else "")
        for number, (start, end, mm) in enumerate(zip(before.centre, after.centre, far, strict=True))
    )


def show_contact_edges(rects: Bases, found: Contacts) -> Drawing:
    """The edges of rectangles that chargers touch, by name; in doubt where the measurement leaves it open."""
    shown: list[Line] = []
    ends = {Side.FRONT: (3, 2), Side.RIGHT: (2, 1), Side.REAR: (1, 0), Side.LEFT: (0, 3)}
    for i, j in np.argwhere(found.side != Side.NONE).tolist():
        side = Side(int(found.side[i, j]))
        sure = min(int(found.settled[i, j]), int(found.touching[i, j])) == Verdict.YES
        shown.append(line("hit" if sure else "doubt", rects.corners()[i][list(ends[side])], side.name.lower()))
    return tuple(shown)
