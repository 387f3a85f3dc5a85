"""Cover: terrain that stands between a shooter and a target, that the target stands in, or that hides it.

Which of it counts, and for how much, a ruleset decides. Lengths in mm, arrays over lines (q,) and pieces (p,).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict, Verdicts, at_most, settled
from engine.geometry.drawing import Area, Drawing, Line, Spot, area, line, spot
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight import crossing
from engine.geometry.sight.bodies import inroads
from engine.geometry.sight.clearance import clearance_of
from engine.geometry.sight.records import Bodies, Lines, Opaque, bodies_of
from engine.geometry.sight.visible import visible

__all__ = [
    "Between", "area_share", "base_gaps", "between", "covered", "hidden_behind", "show_between", "standing_in",
    "unit_share",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Between:
    """Terrain across lines, all (q, p): whether a line ``crosses`` a piece; from what share of its length on
    (``first``) until where (``last``), nan where it does not; ``to_target_mm`` and ``to_shooter_mm``: how far the
    piece is from the bases at the ends (or from the ends, where there are no bases); ``leaves_mm`` how far from the
    target's the line leaves the piece for the last time, inf where it does not cross."""

    crosses: Verdicts
    first: Array
    last: Array
    to_target_mm: Array
    to_shooter_mm: Array
    leaves_mm: Array
    sigma_target: Array
    sigma_shooter: Array


def between(
    lines: Lines, pieces: Pieces, shooters: Bases | None = None, targets: Bases | None = None, sigma_mm: float = 0.0
) -> Between:
    """What stands across lines of fire, and how near to either end; a line along an edge does not cross.

    ``shooters`` and ``targets`` are the bases that ``lines.looker`` and ``lines.target`` number.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.shapes.strips import strip_outline
    >>> from engine.geometry.sight import all_lines
    >>> wall = pieces_of([strip_outline([(80, -30), (80, 30)], 4)])
    >>> found = between(all_lines([[0, 0]], [[100, 0]]), wall)
    >>> found.crosses.tolist(), found.first.round(6).tolist(), found.to_target_mm.tolist()
    ([[2]], [[0.78]], [[18.0]])
    """
    count = (len(lines), len(pieces))
    first, last = np.full(count, np.nan), np.full(count, np.nan)
    crosses = np.zeros(count, dtype=np.int8)
    sigma = np.hypot(np.maximum(lines.sigma_start, lines.sigma_end), sigma_mm)
    reach = 2 * float(sigma.max(initial=0.0)) + MM
    for number in range(len(pieces)):
        near = np.flatnonzero(crossing.may_meet(pieces, number, lines.start, lines.end, reach))
        start, end = lines.start[near], lines.end[near]
        first[near, number], last[near, number] = crossing.spans_in(pieces, number, start, end)
        inside = crossing.lengths_in(pieces, number, start, end) > MM
        doubt = np.zeros(len(near), dtype=bool)
        unsure = np.flatnonzero(sigma[near] > 0)
        if len(unsure):
            way = clearance_of(pieces, number, start[unsure], end[unsure])
            doubt[unsure] = np.abs(way) <= 2 * sigma[near][unsure]
        crosses[near, number] = settled(inside, doubt)
    to_shooter = _from_ends(lines.start, lines.looker, shooters, pieces)
    to_target = _from_ends(lines.end, lines.target, targets, pieces)
    spread = [np.repeat(np.hypot(one, sigma_mm)[:, None], len(pieces), axis=1)
              for one in (lines.sigma_end, lines.sigma_start)]  # fmt: skip
    leaves = np.full(count, np.inf)
    line, piece = np.nonzero(~np.isnan(last))
    spot = lines.start[line] + last[line, piece, None] * (lines.end[line] - lines.start[line])
    leaves[line, piece] = _from_spots(spot, lines, line, targets)
    return Between(crosses, first, last, to_target, to_shooter, leaves, *spread)


def covered(
    found: Between, within_mm: float, touching_mm: float | None = None, *, where_crossed: bool = False
) -> Verdicts:
    """(q, p) whether a piece across a line covers the target: at most ``within_mm`` from it.

    With ``touching_mm`` it does not where the shooter is that near to it: he fires over what he stands at. With
    ``where_crossed`` it is the place where the line crosses it that must be so near.
    """
    apart = found.leaves_mm if where_crossed else found.to_target_mm
    near = at_most(apart, within_mm, found.sigma_target)
    verdict = np.minimum(found.crosses, near)
    if touching_mm is not None:
        away = 2 - at_most(found.to_shooter_mm, touching_mm, found.sigma_shooter)
        verdict = np.minimum(verdict, away)
    return np.asarray(verdict, dtype=np.int8)


def show_between(lines: Lines, index: int, pieces: Pieces, found: Between) -> Drawing:
    """One line of fire, the pieces that it crosses and where, with how far each is from the target.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.shapes.strips import strip_outline
    >>> from engine.geometry.sight import all_lines
    >>> wall, fire = pieces_of([strip_outline([(80, -30), (80, 30)], 4)]), all_lines([[0, 0]], [[100, 0]])
    >>> [shape.text for shape in show_between(fire, 0, wall, between(fire, wall))]
    ['', '', '18 mm off the target']
    """
    start, way = lines.start[index], lines.end[index] - lines.start[index]
    shown: list[Area | Line | Spot] = [line("clear", [start, lines.end[index]])]
    for number in np.flatnonzero(found.crosses[index] > Verdict.NO).tolist():
        sure = found.crosses[index, number] == Verdict.YES
        shown += [area("blocker" if sure else "doubt", ring) for ring in pieces.rings[number]]
        share = found.last[index, number]
        words = f"{found.to_target_mm[index, number]:.0f} mm off the target"
        shown.append(
            spot("hit" if sure else "doubt", start + (1.0 if np.isnan(share) else share) * way, text=words)
        )
    return tuple(shown)


def _from_ends(ends: Array, owner: Index, bases: Bases | None, pieces: Pieces) -> Array:
    """(q, p) how far pieces are from bases, or from the ends of lines; 0 where they meet."""
    if bases is not None:
        return base_gaps(bases, pieces)[owner]
    apart = pieces.to_outline(ends)
    return np.where(pieces.contains(ends), 0.0, apart)


def _from_spots(spot: Array, lines: Lines, line: Index, bases: Bases | None) -> Array:
    """(t,) how far points (t, 2) on lines (t,) are from the bases at their ends, or from the ends."""
    if bases is None:
        to = lines.end[line] - spot
        away: Array = np.hypot(to[:, 0], to[:, 1])
        return away
    depth, _ = inroads(bodies_of(bases), lines.target[line], spot, spot)
    return np.maximum(-depth, 0.0)


def base_gaps(bases: Bases, pieces: Pieces) -> Array:
    """(n, p) the shortest distances between bases and pieces; 0 where they meet.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.records.game import Round
    >>> square = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)]])
    >>> base_gaps(bases_of([(-20, 5), (5, 5)], [Round(diameter_mm=10)] * 2, [0, 0]), square).tolist()
    [[15.0], [0.0]]
    """
    body = bodies_of(bases)
    inside = pieces.contains(bases.centre)
    count = (len(bases), len(pieces.start))
    base, edge = np.divmod(np.arange(count[0] * count[1]), max(count[1], 1))
    depth, _ = inroads(body, base, pieces.start[edge], pieces.end[edge])
    if not len(pieces) or not len(bases):
        return np.zeros((len(bases), len(pieces)))
    apart = np.minimum.reduceat(np.maximum(-depth.reshape(count), 0.0), pieces.first[:-1], axis=1)
    return np.where(inside, 0.0, apart)


def standing_in(bases: Bases, pieces: Pieces, sigma_mm: ArrayLike = 0.0) -> Verdicts:
    """(n, p) whether the centres of bases lie in pieces; the rim counts.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.records.game import Round
    >>> square = pieces_of([[(0, 0), (10, 0), (10, 10), (0, 10)]])
    >>> two = bases_of([(10, 5), (11, 5)], [Round(diameter_mm=10)] * 2, [0, 0])
    >>> standing_in(two, square).tolist(), standing_in(two, square, 1.0).tolist()
    ([[2], [0]], [[1], [1]])
    """
    inside = pieces.contains(bases.centre)
    sigma = np.broadcast_to(np.asarray(sigma_mm, dtype=float), (len(bases),))[:, None]
    doubt = (sigma > 0) & (pieces.to_outline(bases.centre) <= 2 * sigma)
    return settled(inside, doubt)


def area_share(bases: Bases, pieces: Pieces) -> Array:
    """(n, p) what share of each base's area lies in each piece, exactly.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.records.game import Rect, Round
    >>> half = pieces_of([[(0, -50), (50, -50), (50, 50), (0, 50)]])
    >>> two = bases_of([(0, 0), (0, 0)], [Round(diameter_mm=10), Rect(width_mm=20, depth_mm=10)], [0, 30])
    >>> area_share(two, half).round(9).tolist()
    [[0.5], [0.5]]
    """
    share = np.zeros((len(bases), len(pieces)))
    body = bodies_of(bases)
    low, high = pieces.bounds
    reach = body.reach_mm[:, None, None]
    centre = bases.centre[:, None]
    near: Mask = np.all((centre + reach >= low) & (centre - reach <= high), axis=2)
    for number in np.flatnonzero(near.any(axis=0)).tolist():
        edge, edge_end = pieces.edges(number)
        for rect in (False, True):
            which = np.flatnonzero(near[:, number] & (bases.is_rect == rect))
            some = body.pick(which)
            area = _in_rects(some, edge, edge_end) if rect else _in_discs(some, edge, edge_end)
            share[which, number] = np.clip(area, 0.0, 1.0) + 0.0  # no -0.0
    return share


def _in_discs(body: Bodies, edge: Array, edge_end: Array) -> Array:
    """(n,) shares of discs: each edge and the centre span a triangle, part of it in the disc, part a sector."""
    radius = body.round_mm[:, None]
    a, b = edge[None] - body.centre[:, None], edge_end[None] - body.centre[:, None]
    along = b - a
    squared = (along**2).sum(axis=2)
    half = (along * a).sum(axis=2)
    root = half**2 - squared * ((a**2).sum(axis=2) - radius**2)
    safe = np.where(squared > 0, squared, 1.0)
    spread = np.sqrt(np.maximum(root, 0.0)) / safe
    enters = np.clip(-half / safe - spread, 0.0, 1.0)
    leaves = np.clip(-half / safe + spread, 0.0, 1.0)
    p, q = a + enters[..., None] * along, a + leaves[..., None] * along
    doubled = _cross(p, q) + radius**2 * (_turn(a, p) + _turn(q, b))
    share: Array = doubled.sum(axis=1) / (2 * np.pi * radius[:, 0] ** 2)
    return share


def _cross(a: Array, b: Array) -> Array:
    cross: Array = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return cross


def _turn(a: Array, b: Array) -> Array:
    turn: Array = np.arctan2(_cross(a, b), (a * b).sum(axis=-1))
    return turn


def _in_rects(body: Bodies, edge: Array, edge_end: Array) -> Array:
    """(n,) shares of rectangles: under each edge, cut to the rectangle, lies a strip down to its near side."""
    sine, cosine = np.sin(body.bearing_rad)[:, None], np.cos(body.bearing_rad)[:, None]
    wide, deep = body.half[:, :1], body.half[:, 1:]
    ends = []
    for point in (edge, edge_end):
        x, y = point[:, 0] - body.centre[:, :1], point[:, 1] - body.centre[:, 1:]
        ends.append((x * cosine - y * sine, x * sine + y * cosine))
    (x, y), (x_end, y_end) = ends
    run = np.where(x == x_end, 1.0, x_end - x)
    cut = [np.clip((side - x) / run, 0.0, 1.0) for side in (-wide, wide)]
    enters, leaves = np.minimum(*cut), np.maximum(*cut)
    rise = y_end - y
    flat = np.where(rise == 0, 1.0, rise)
    bends = [np.clip(np.where(rise == 0, enters, (side - y) / flat), enters, leaves) for side in (-deep, deep)]
    marks = np.sort(np.stack([enters, *bends, leaves]), axis=0)
    height = np.clip(y + marks * rise, -deep, deep) + deep
    width = np.diff(marks, axis=0) * (x_end - x)
    strips = (width * (height[:-1] + height[1:]) / 2).sum(axis=0)
    share: Array = -strips.sum(axis=1) / (4 * wide[:, 0] * deep[:, 0])
    return share


def hidden_behind(lines: Lines, targets: Bases, pieces: Pieces, sigma_mm: float = 0.0) -> Verdicts:
    """(q, p) whether all of a target's base is hidden from where the line starts by one piece alone."""
    verdict = np.zeros((len(lines), len(pieces)), dtype=np.int8)
    for number in range(len(pieces)):
        reach = float(bodies_of(targets).reach_mm.max(initial=0.0))
        near = np.flatnonzero(crossing.may_meet(pieces, number, lines.start, lines.end, reach))
        seen = visible(lines.pick(near), targets, [Opaque(pieces.pick([number]), sigma_mm)])
        verdict[near, number] = 2 - seen.some
    return verdict


def unit_share(figures: ArrayLike, more_than: float, *, strictly: bool = True) -> Verdict:
    """Whether more than a share (or at least it: not ``strictly``) of a unit's figures have what verdicts (n,) say.

    >>> unit_share([2, 2, 0], 0.5).name, unit_share([2, 1, 0], 0.5).name, unit_share([2, 0], 0.5).name
    ('YES', 'BORDERLINE', 'NO')
    >>> unit_share([2, 0], 0.5, strictly=False).name, unit_share([], 0.5).name
    ('YES', 'NO')
    """
    each = np.asarray(figures, dtype=np.int8)
    if not len(each):
        return Verdict.NO
    limit = more_than * len(each)
    enough = [count > limit + 1e-9 if strictly else count >= limit - 1e-9
              for count in (int((each == Verdict.YES).sum()), int((each >= Verdict.BORDERLINE).sum()))]  # fmt: skip
    return Verdict.YES if enough[0] else Verdict.BORDERLINE if enough[1] else Verdict.NO
