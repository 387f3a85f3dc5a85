"""Where along a line sight ends, by what, and the shapes that show it on the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict, Verdicts
from engine.geometry.drawing import Area, Drawing, Line, Spot, area, line, spot
from engine.geometry.plane.distinct import distinct
from engine.geometry.plane.lines import segments_cross, signed_area
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight import crossing
from engine.geometry.sight.blocking import of_pairs
from engine.geometry.sight.looking import held_by
from engine.geometry.sight.records import Blocker, Bodies, Crests, Limit, Lines, Opaque, Relief, Standing, Veil

__all__ = ["Stops", "sight_drawing", "stops_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Stops:
    """Everything that holds lines up, in order along each line; couples (t,).

    ``line``, ``by`` (which blocker) and ``part`` of it; ``passes`` whether the line passes it (no or borderline);
    ``share``: from which share of the line's length on.
    """

    line: Index
    by: Index
    part: Index
    passes: Verdicts
    share: Array


def stops_of(lines: Lines, blockers: Sequence[Blocker]) -> Stops:
    """Everything that stands in the way of lines, whatever else does so too.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> houses = Opaque(pieces_of([[(60, -5), (70, -5), (70, 5), (60, 5)], [(25, -5), (30, -5), (30, 5), (25, 5)]]))
    >>> found = stops_of(all_lines([[0, 0]], [[100, 0]]), [houses])
    >>> found.part.tolist(), found.share.tolist()
    ([1, 0], [0.25, 0.6])
    """
    found = [(np.zeros(0, np.intp),) * 3 + (np.zeros(0, np.int8), np.zeros(0))]
    for number, blocker in enumerate(blockers):
        held = held_by(lines, blocker)
        share = _shares(lines, blocker, held.line, held.part)
        found.append((held.line, np.full(len(held.line), number, dtype=np.intp), held.part, held.passes, share))
    line, by, part, passes, share = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((share, line))
    return Stops(line[order], by[order], part[order], passes[order], share[order])


def _shares(lines: Lines, blocker: Blocker, line: Index, part: Index) -> Array:
    """(t,) at which share of its length each line meets what holds it up."""
    start, end = lines.start[line], lines.end[line]
    match blocker:
        case Opaque() | Relief():
            return _runs(blocker.pieces, start, end, part)[0]
        case Veil():
            return _where_too_deep(lines, blocker, line, part)
        case Standing():
            return entries(blocker.bodies, part, start, end)
        case Crests():
            return np.array([_met(blocker.paths[p], a, b) for p, a, b in zip(part, start, end, strict=True)])
        case Limit():
            apart = np.hypot(*(end - start).T)
            most = of_pairs(blocker.most_mm, lines.pick(line))
            return np.clip(most / np.where(apart > 0, apart, 1.0), 0.0, 1.0)


def _where_too_deep(lines: Lines, blocker: Veil, line: Index, part: Index) -> Array:
    """Where a line comes into the terrain; where it starts inside, where it comes out or runs too far within."""
    start, end = lines.start[line], lines.end[line]
    first, last = _runs(blocker.pieces, start, end, part)
    apart = np.hypot(*(end - start).T)
    deep = of_pairs(blocker.inside_mm, lines.pick(line)) / np.where(apart > 0, apart, 1.0)
    return np.where(first > 0, first, np.where(last < 1, last, np.minimum(deep, 1.0)))


def _runs(pieces: Pieces, start: Array, end: Array, part: Index) -> tuple[Array, Array]:
    """(t,), (t,) where lines go into pieces and come out of them; where they only pass, where nearest to them."""
    into, out = np.full(len(part), np.nan), np.full(len(part), np.nan)
    for number in distinct(part).tolist():
        which = np.flatnonzero(part == number)
        into[which], out[which] = crossing.spans_in(pieces, number, start[which], end[which])
        missed = which[np.isnan(into[which])]
        into[missed] = out[missed] = _nearest(pieces, number, start[missed], end[missed])
    return into, out


def _nearest(pieces: Pieces, number: int, start: Array, end: Array) -> Array:
    """Where lines that only pass a piece come nearest to one of its corners."""
    corner, _ = pieces.edges(number)
    along = (end - start)[:, None]
    to = corner[None] - start[:, None]
    squared = np.maximum((along**2).sum(axis=2), 1e-12)
    share = np.clip((to * along).sum(axis=2) / squared, 0.0, 1.0)
    apart = np.hypot(*np.moveaxis(to - share[..., None] * along, 2, 0))
    chosen: Array = share[np.arange(len(start)), apart.argmin(axis=1)] if len(start) else np.zeros(0)
    return chosen


def _met(path: Array, start: Array, end: Array) -> float:
    """At which share a line first meets a path, or comes nearest to it."""
    meets = np.flatnonzero(segments_cross(start[None], end[None], path[:-1], path[1:])[0])
    along, across, to = end - start, path[meets + 1] - path[meets], path[meets] - start
    turn = along[0] * across[:, 1] - along[1] * across[:, 0]
    straight = turn != 0
    shares = (to[:, 0] * across[:, 1] - to[:, 1] * across[:, 0])[straight] / turn[straight]
    if len(shares):
        return float(np.clip(shares.min(), 0.0, 1.0))
    to = path - start
    share = np.clip(to @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
    return float(share[np.hypot(*(to - share[:, None] * along).T).argmin()])


def entries(bodies: Bodies, which: Index, start: Array, end: Array) -> Array:
    """(t,) at which share of their length lines first meet bodies; where they only pass, where nearest to them."""
    centre, round_mm = bodies.centre[which], bodies.round_mm[which]
    nearest = _disc_entry(centre, round_mm, start, end)
    rect = np.flatnonzero(bodies.is_rect[which])
    if len(rect):
        sine, cosine = (turn(bodies.bearing_rad[which[rect]]) for turn in (np.sin, np.cos))
        begin, close = (
            np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=1)
            for x, y in ((point[rect] - centre[rect]).T for point in (start, end))
        )
        half, grown = bodies.half[which[rect]], round_mm[rect]
        wide = np.stack([grown, np.zeros_like(grown)], axis=1)
        found = [_box_entry(half + wide, begin, close), _box_entry(half + wide[:, ::-1], begin, close)]
        for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            found.append(_disc_entry(half * np.array([across, along]), grown, begin, close, missed=np.inf))
        first = np.min(found, axis=0)
        nearest[rect] = np.where(np.isinf(first), nearest[rect], first)
    return nearest


def _disc_entry(centre: Array, radius: Array, start: Array, end: Array, missed: float | None = None) -> Array:
    along, to = end - start, centre - start
    squared = np.maximum((along**2).sum(axis=1), 1e-12)
    middle = (to * along).sum(axis=1) / squared
    across = (to[:, 0] * along[:, 1] - to[:, 1] * along[:, 0]) ** 2 / squared
    half = np.sqrt(np.maximum(radius**2 - across, 0.0) / squared)
    meets = (across < radius**2) & (middle + half > 0) & (middle - half < 1)
    otherwise = np.clip(middle, 0.0, 1.0) if missed is None else np.full(len(middle), missed)
    return np.where(meets, np.clip(middle - half, 0.0, 1.0), otherwise)


def _box_entry(half: Array, start: Array, end: Array) -> Array:
    along = end - start
    still = along == 0
    safe = np.where(still, 1.0, along)
    low, high = (-half - start) / safe, (half - start) / safe
    into, out = np.minimum(low, high), np.maximum(low, high)
    within = np.abs(start) < half
    into = np.where(still, np.where(within, -np.inf, np.inf), into).max(axis=1)
    out = np.where(still, np.where(within, np.inf, -np.inf), out).min(axis=1)
    meets = (into < out) & (into < 1) & (out > 0)
    return np.where(meets, np.clip(into, 0.0, 1.0), np.inf)


def sight_drawing(lines: Lines, index: int, blockers: Sequence[Blocker]) -> Drawing:
    """What shows one of the lines: its open stretch, where it is stopped and by what, the stretch from there on.

    >>> from engine.geometry.sight.looking import all_lines
    >>> [shape.part for shape in sight_drawing(all_lines([[0, 0]], [[9, 0]]), 0, [])]
    ['clear']
    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> house = Opaque(pieces_of([[(4, -1), (6, -1), (6, 1), (4, 1)]], names=["mill"]))
    >>> shown = sight_drawing(all_lines([[0, 0]], [[10, 0]]), 0, [house])
    >>> [shape.part for shape in shown], shown[2].at_mm, shown[3].text
    (['clear', 'stopped', 'hit', 'blocker'], (4.0, 0.0), 'mill')
    """
    one = lines.pick(np.array([index]))
    start, end = one.start[0], one.end[0]
    found = stops_of(one, blockers)
    if not len(found.share):
        return (line("clear", [start, end]),)
    surely = np.flatnonzero(found.passes == Verdict.NO)
    first = int(surely[0]) if len(surely) else 0
    at = start + found.share[first] * (end - start)
    blocker, part = blockers[found.by[first]], int(found.part[first])
    return (
        line("clear", [start, at]),
        line("stopped" if len(surely) else "doubt", [at, end]),
        spot("hit" if len(surely) else "doubt", at),
        *_shape_of(blocker, part),
    )


def _shape_of(blocker: Blocker, part: int) -> tuple[Line | Area | Spot, ...]:
    match blocker:
        case Opaque() | Veil() | Relief():
            return _areas_of(blocker.pieces, part)
        case Standing():
            body = blocker.bases.pick([part])
            if body.is_rect[0]:
                return (area("blocker", body.corners()[0]),)
            return (spot("blocker", body.centre[0], float(body.radius[0])),)
        case Crests():
            return (line("blocker", blocker.paths[part]),)
        case Limit():
            return ()


def _areas_of(pieces: Pieces, part: int) -> tuple[Area, ...]:
    """A piece as areas; holes are left out where it falls into several."""
    outer = [ring for ring in pieces.rings[part] if signed_area(ring) >= 0]
    holes = [ring for ring in pieces.rings[part] if signed_area(ring) < 0]
    return tuple(area("blocker", ring, holes if len(outer) == 1 else (), pieces.names[part]) for ring in outer)
