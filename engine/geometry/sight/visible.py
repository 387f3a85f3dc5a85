"""How much of a base is seen from a point: exactly, by the intervals of directions that other things cover.

The share is that of the directions in which the base lies. Terrain that is opaque and bases count; what else may
take sight away (depths of woods, night) is asked along lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts
from engine.geometry.drawing import Area, Drawing, area
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases
from engine.geometry.sight import rays
from engine.geometry.sight.covers import Covers, covers_of
from engine.geometry.sight.records import Bodies, Lines, Opaque, Standing, bodies_of

__all__ = ["Hidden", "Visible", "hidden_intervals", "show_visible", "visible"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: Outlines that coincide do not hide each other.
_HAIR_MM = 1e-9
#: Stretches as near to each other as this, in radians, touch: the arithmetic alone can part them so far.
_SEAM_RAD = 1e-9
#: Points along the rim of a base where a stretch of directions is drawn.
_FAN_STEPS = 25


@dataclass(frozen=True, eq=False)
class Visible:
    """How much of each base is seen, (q,): the ``share`` of its directions, and between which shares it lies within
    two sigma; ``whole``: whether all of the base is seen, ``some``: whether any part is."""

    share: Array
    least: Array
    most: Array
    whole: Verdicts
    some: Verdicts


@dataclass(frozen=True, eq=False)
class Hidden:
    """Stretches (h,) of directions that are hidden, in order, not overlapping: whose line each belongs to, between
    which directions it lies (radians, from the line's own), and how uncertain its two ends are."""

    line: Index
    low: Array
    high: Array
    low_doubt: Array
    high_doubt: Array


def visible(lines: Lines, targets: Bases, blockers: Sequence[Opaque | Standing]) -> Visible:
    """How much is seen of the bases numbered ``lines.target`` from where lines start; they end at the centres.

    Who stands within a base sees all of it that nothing else hides.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> from engine.records.game import Round
    >>> base = bases_of([(100, 0)], [Round(diameter_mm=25)], [0])
    >>> half = Standing(bases_of([(50, 25)], [Round(diameter_mm=50)], [0]))
    >>> visible(all_lines([[0, 0]], base.centre), base, [half]).share.round(6).tolist()
    [0.5]
    """
    body = bodies_of(targets).pick(lines.target)
    low, high = _Frame(lines, body).between
    shadows = _shadows_on(lines, body, blockers)
    width = high - low
    safe = np.where(width > 0, width, 1.0)

    def seen(hidden: Hidden) -> Array:
        """The share that stays."""
        start, stop = np.maximum(hidden.low, low[hidden.line]), np.minimum(hidden.high, high[hidden.line])
        gone = np.bincount(hidden.line, np.maximum(stop - start, 0.0), minlength=len(lines))
        return np.clip(1 - gone / safe, 0.0, 1.0)

    share, most, least = (seen(shadows.united(wider)) for wider in (0.0, -SIGMAS, SIGMAS))
    # What would hide or leave a thousandth of a millimetre of the base does not count.
    hair = MM / np.maximum(np.hypot(*(lines.end - lines.start).T) * safe, MM)
    return Visible(
        share, least, most,
        _between(least >= 1 - hair, most >= 1 - hair, share >= 1 - hair),
        _between(least > hair, most > hair, share > hair),
    )  # fmt: skip


def _between(surely: Mask, perhaps: Mask, nominal: Mask) -> Verdicts:
    settled = np.where(surely & nominal, Verdict.YES, np.where(~perhaps & ~nominal, Verdict.NO, Verdict.BORDERLINE))
    return settled.astype(np.int8)


def hidden_intervals(lines: Lines, body: Bodies, blockers: Sequence[Opaque | Standing]) -> Hidden:
    """What is hidden of one base (q,) for each line."""
    return _shadows_on(lines, body, blockers).united(0.0)


@dataclass(frozen=True, eq=False)
class _Shadows:
    """Stretches (t,) of directions that parts of things hide, with the doubt of their ends, and (v,) how deep in
    things lines start that hide everything from within."""

    line: Index
    thing: Index
    low: Array
    high: Array
    doubt: Array
    start_line: Index
    start_thing: Index
    start_deep: Array
    start_sigma: Array

    def united(self, wider: float) -> Hidden:
        """What they hide together, each thing taken by so many doubts wider, or with less than 0 narrower.

        The parts of a thing keep together; that one thing stands a little otherwise may open a seam to the next.
        """
        begins_in = self.start_deep + wider * self.start_sigma > MM
        line, low, high = self.line, self.low, self.high
        doubts = self.doubt, self.doubt
        if wider < 0 and len(line):
            things = 1 + max(int(self.thing.max()), int(self.start_thing.max(initial=0)))
            key = line * things + self.thing
            # Where the start may as well lie outside of a thing, nothing of it surely hides.
            perhaps = (self.start_deep > MM) & ~begins_in
            sure = ~np.isin(key, self.start_line[perhaps] * things + self.start_thing[perhaps])
            own, number = np.unique(key[sure], return_inverse=True)
            each = _united(number, low[sure], high[sure], (doubts[0][sure], doubts[1][sure]))
            line, doubts = own[each.line] // things, (each.low_doubt, each.high_doubt)
            low, high = each.low, each.high
        low, high = low - wider * doubts[0], high + wider * doubts[1]
        kept = np.flatnonzero(high > low)
        within = self.start_line[begins_in]
        settled = np.zeros(len(within))
        return _united(
            np.concatenate([line[kept], within]),
            np.concatenate([low[kept], settled - np.pi]),
            np.concatenate([high[kept], settled + np.pi]),
            (np.concatenate([doubts[0][kept], settled]), np.concatenate([doubts[1][kept], settled])),
        )


def _shadows_on(lines: Lines, body: Bodies, blockers: Sequence[Opaque | Standing]) -> _Shadows:
    """What is hidden of one base (q,) for each line, thing by thing."""
    reach = float((np.hypot(body.half[:, 0], body.half[:, 1]) + body.round_mm).max(initial=0.0))
    covers = Covers.joined([covers_of(lines, blocker, reach) for blocker in blockers])
    frame = _Frame(lines, body)
    pieces = [
        frame.hidden_by_discs(covers.disc_line, covers.disc, covers.radius),
        frame.hidden_by_edges(covers.edge_line, covers.edge, covers.edge_end),
    ]
    counts = np.repeat([one[1].shape[1] for one in pieces], [len(one[0]) for one in pieces])
    owner, thing = (
        np.concatenate(both)
        for both in ((covers.disc_line, covers.edge_line), (covers.disc_thing, covers.edge_thing))
    )
    start, stop = (np.concatenate([one[which].ravel() for one in pieces]) for which in (1, 2))
    sigma = np.hypot(np.concatenate([covers.disc_sigma, covers.edge_sigma]), lines.sigma_start[owner])
    near = np.concatenate([one[3] for one in pieces])
    doubt = np.repeat(np.arctan2(sigma, np.maximum(near, MM)), counts)
    kept = stop > start
    within = np.flatnonzero(~frame.around[covers.start_line])
    inside = covers.start_line[within]
    return _Shadows(
        np.repeat(owner, counts)[kept], np.repeat(thing, counts)[kept], start[kept], stop[kept], doubt[kept],
        inside, covers.start_thing[within], covers.start_deep[within],
        np.hypot(covers.start_sigma[within], lines.sigma_start[inside]),
    )  # fmt: skip


def _united(line: Index, low: Array, high: Array, doubts: tuple[Array, Array]) -> Hidden:
    """Stretches of each line, with the doubts of their ends, run together where they touch."""
    order = np.lexsort((low, line))
    line, low, high = line[order], low[order], high[order]
    by_high = np.lexsort((high, line))
    rank = np.empty(len(order), np.intp)
    rank[by_high] = np.arange(len(order))
    last = by_high[np.maximum.accumulate(rank)] if len(order) else order
    reached = high[last]  # the highest end so far
    fresh = np.ones(len(low), dtype=bool)
    fresh[1:] = (line[1:] != line[:-1]) | (low[1:] > reached[:-1] + _SEAM_RAD)
    begins = np.flatnonzero(fresh)
    ends = np.append(begins[1:], len(low))[: len(begins)] - 1
    return Hidden(line[begins], low[begins], reached[ends], doubts[0][order[begins]], doubts[1][order[last[ends]]])


def _inside(corners: Array) -> Mask:
    """(q,) whether the origin lies in convex outlines (q, 4, 2), or on their rim."""
    after = np.roll(corners, -1, axis=1)
    turn = corners[..., 0] * after[..., 1] - corners[..., 1] * after[..., 0]
    inside: Mask = np.all(turn >= 0, axis=1) | np.all(turn <= 0, axis=1)
    return inside


class _Frame:
    """Lines seen from their starts, each along the x axis: the base at its end."""

    def __init__(self, lines: Lines, body: Bodies) -> None:
        self.lines, self.body = lines, body
        along = lines.end - lines.start
        length = np.hypot(along[:, 0], along[:, 1])
        unit = along / np.where(length > 0, length, 1.0)[:, None]
        self.unit = np.where(length[:, None] > 0, unit, np.array([1.0, 0.0]))
        self.centre = np.stack([length, np.zeros(len(lines))], axis=1)
        sine, cosine = np.sin(body.bearing_rad), np.cos(body.bearing_rad)
        corners = []
        for across, ahead in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
            x, y = across * body.half[:, 0], ahead * body.half[:, 1]
            corners.append(body.centre + np.stack([x * cosine + y * sine, -x * sine + y * cosine], axis=1))
        self.corners = self.turned(np.arange(len(lines))[:, None], np.stack(corners, axis=1))
        self.around = np.where(body.is_rect, _inside(self.corners), length <= body.round_mm)

    @cached_property
    def between(self) -> tuple[Array, Array]:
        """(q,), (q,) between which directions, from the line's own, each base lies; all round from within it."""
        disc = rays.cover_of_disc(self.centre, self.body.round_mm)
        corners = np.arctan2(self.corners[..., 1], self.corners[..., 0])
        low = np.where(self.body.is_rect, corners.min(axis=1), disc[0])
        high = np.where(self.body.is_rect, corners.max(axis=1), disc[1])
        return np.where(self.around, -np.pi, low), np.where(self.around, np.pi, high)

    def turned(self, line: Index, points: Array) -> Array:
        """Points of the table as their lines see them."""
        to, unit = points - self.lines.start[line], self.unit[line]
        x = to[..., 0] * unit[..., 0] + to[..., 1] * unit[..., 1]
        y = to[..., 1] * unit[..., 0] - to[..., 0] * unit[..., 1]
        return np.stack([x, y], axis=-1)

    def hidden_by_discs(self, line: Index, centre: Array, radius: Array) -> tuple[Index, Array, Array, Array]:
        """The lines (t,), stretches (t, s) hidden by discs, and how near (t,) the discs are."""
        centre = self.turned(line, centre)
        low, high = rays.cover_of_disc(centre, radius)
        corners, after = self.corners[line], np.roll(self.corners[line], -1, axis=1)
        meets = [rays.circles_meet(centre, radius, self.centre[line], self.body.round_mm[line])]
        meets += [rays.edge_meets_circle(corners[:, i], after[:, i], centre, radius) for i in range(4)]
        start, stop = self._cut(line, low, high, meets)
        middle = (start + stop) / 2
        hides = rays.to_disc(middle, centre, radius) < self._to_base(line, middle) - _HAIR_MM
        apart = np.hypot(centre[:, 0], centre[:, 1])
        return line, start, np.where(hides, stop, start), np.sqrt(np.maximum(apart**2 - radius**2, 0.0))

    def hidden_by_edges(self, line: Index, edge: Array, edge_end: Array) -> tuple[Index, Array, Array, Array]:
        """As `hidden_by_discs`, for straight edges."""
        edge, edge_end = self.turned(line, edge), self.turned(line, edge_end)
        low, high = rays.cover_of_edge(edge, edge_end)
        corners, after = self.corners[line], np.roll(self.corners[line], -1, axis=1)
        meets = [rays.edge_meets_circle(edge, edge_end, self.centre[line], self.body.round_mm[line])]
        meets += [rays.edges_meet(edge, edge_end, corners[:, i], after[:, i]) for i in range(4)]
        start, stop = self._cut(line, low, high, meets)
        middle = (start + stop) / 2
        hides = rays.to_edge(middle, edge, edge_end) < self._to_base(line, middle) - _HAIR_MM
        near = np.minimum(np.hypot(edge[:, 0], edge[:, 1]), np.hypot(edge_end[:, 0], edge_end[:, 1]))
        return line, start, np.where(hides, stop, start), near

    def _to_base(self, line: Index, angle: Array) -> Array:
        """How far rays (t, s) run before they meet the base; inf where they miss it."""
        corners, after = self.corners[line], np.roll(self.corners[line], -1, axis=1)
        nearest = rays.to_disc(angle, self.centre[line], self.body.round_mm[line])
        for i in range(4):
            nearest = np.minimum(nearest, rays.to_edge(angle, corners[:, i], after[:, i]))
        # Rays beside the base matter only where doubt widens what hides it: there its centre's distance counts.
        nearest = np.where(np.isinf(nearest), self.centre[line][:, :1], nearest)
        return np.where(self.around[line][:, None], 0.0, nearest)

    def _cut(self, line: Index, low: Array, high: Array, meets: list[Array]) -> tuple[Array, Array]:
        """Intervals (t,) cut where outlines meet and where the base begins and ends: stretches (t, c).

        Directions are the same a whole turn on: each interval is taken where it is nearest to the base.
        """
        ends = [one[line][:, None] for one in self.between]
        on = _whole_turns((ends[0] + ends[1])[:, 0] / 2 - (low + high) / 2)
        low, high = low + on, high + on
        at = np.concatenate(meets, axis=1)
        at = np.concatenate([at + _whole_turns(((low + high) / 2)[:, None] - at), *ends], axis=1)
        at = np.clip(at, low[:, None], high[:, None])
        cut = np.sort(np.concatenate([low[:, None], at, high[:, None]], axis=1), axis=1)
        return cut[:, :-1], cut[:, 1:]


def _whole_turns(angle: Array) -> Array:
    turns: Array = 2 * np.pi * np.round(angle / (2 * np.pi))
    return turns


def show_visible(lines: Lines, index: int, targets: Bases, blockers: Sequence[Opaque | Standing]) -> Drawing:
    """What shows how much of a base is seen: the directions in which it is seen, with the share, and those in which
    it is hidden, out to the base.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.sight.looking import all_lines
    >>> from engine.records.game import Round
    >>> base = bases_of([(100, 0)], [Round(diameter_mm=25)], [0])
    >>> [shape.text for shape in show_visible(all_lines([[0, 0]], base.centre), 0, base, [])]
    ['100 % seen']
    """
    one = lines.pick(np.array([index]))
    body = bodies_of(targets).pick(one.target)
    frame, hidden = _Frame(one, body), hidden_intervals(one, body, blockers)
    low, high = (float(end[0]) for end in frame.between)
    cuts = np.clip(np.stack([hidden.low, hidden.high], axis=1).ravel(), low, high)
    bounds = np.concatenate([[low], cuts, [high]])
    words = f"{100 * visible(one, targets, blockers).share[0]:.0f} % seen"
    shown: list[Area] = []
    for number, (begin, end) in enumerate(pairwise(bounds.tolist())):
        if end - begin <= 2 * _HAIR_MM:
            continue
        angle = np.linspace(begin + _HAIR_MM, end - _HAIR_MM, _FAN_STEPS)
        far = np.minimum(frame._to_base(np.zeros(1, np.intp), angle[None])[0], frame.centre[0, 0])
        unit = one.start[0] + far[:, None] * _turned_back(frame.unit[0], angle)
        seen = number % 2 == 0
        shown.append(area("clear" if seen else "stopped", [one.start[0], *unit], text=words if seen else ""))
        words = "" if seen else words
    return tuple(shown)


def _turned_back(unit: Array, angle: Array) -> Array:
    """(k, 2) unit vectors of the table so many radians anticlockwise of one (2,)."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack([unit[0] * cosine - unit[1] * sine, unit[1] * cosine + unit[0] * sine], axis=-1)
