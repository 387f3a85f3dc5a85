"""Whether any point of one base sees any point of another: exactly, by the lines that touch two things.

Among all free lines between two bases take one that cannot be turned any further the one way. It is kept from
turning by at least two things that it touches: the bases' own outlines, corners and discs of what stands in the
way, or places where those stand over the rims of bases. So if any line is free, one of these finitely many is; all
are tried. (The free lines are a closed set, for touching blocks nothing; one that touches one thing only can be
rolled on about it.)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Drawing, line
from engine.geometry.plane.distinct import distinct_rows
from engine.geometry.shapes.bases import Bases
from engine.geometry.sight.covers import Covers, covers_of
from engine.geometry.sight.looking import look
from engine.geometry.sight.records import Bodies, Lines, Opaque, Standing, bodies_of

__all__ = ["any_sees_any", "free_line", "show_free_line"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]

_HAIR_MM = 1e-9
_MOST_MIDDLES = 40


def any_sees_any(
    lookers: Bases, targets: Bases, couples: tuple[Index, Index], blockers: Sequence[Opaque | Standing],
    sigma_mm: float = 0.0,
) -> NDArray[np.int8]:  # fmt: skip
    """(q,) whether any point of a base sees any point of another, for couples of them, as verdicts.

    With a ``sigma_mm`` of places the answer is yes where some line passes everything by more than two sigma, no
    where all the lines that touch two things are blocked by more, else borderline.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.records.game import Round
    >>> two = bases_of([(0, 0), (100, 0)], [Round(diameter_mm=20)] * 2, [0, 0])
    >>> house = Opaque(pieces_of([[(45, -5), (55, -5), (55, 50), (45, 50)]]))
    >>> any_sees_any(two, two, (np.array([0]), np.array([1])), [house]).tolist()
    [2]
    """
    found = [
        free_line(lookers, i, targets, j, blockers, sigma_mm)[0]
        for i, j in zip(couples[0].tolist(), couples[1].tolist(), strict=True)
    ]
    return np.array(found, dtype=np.int8)


def free_line(
    lookers: Bases,
    looker: int,
    targets: Bases,
    target: int,
    blockers: Sequence[Opaque | Standing],
    sigma_mm: float = 0.0,
) -> tuple[Verdict, Array, Array]:
    """Whether a line is free between two bases, and the freest one found (2,), (2,): its ends on the two bases."""
    ends = [bodies_of(one.pick([which])) for one, which in ((lookers, looker), (targets, target))]
    covers = _covers_about(ends, looker, target, blockers, sigma_mm)
    critical = _lines_through(*_touching_two(*_things(ends, covers)), ends)
    straight = _lines_through(ends[0].centre, ends[1].centre, ends)
    start, end = (np.concatenate(parts) for parts in zip(straight, critical, strict=True))
    verdict = _passes(start, end, looker, target, blockers, sigma_mm)
    if sigma_mm > 0 and verdict.max(initial=0) == Verdict.BORDERLINE:
        free = np.flatnonzero(verdict == Verdict.BORDERLINE)[:_MOST_MIDDLES]
        one, other = (index.ravel() for index in np.meshgrid(free, free))
        start = np.concatenate([start, (start[one] + start[other]) / 2])
        end = np.concatenate([end, (end[one] + end[other]) / 2])
        verdict = _passes(start, end, looker, target, blockers, sigma_mm)
    if not len(verdict):
        return Verdict.NO, ends[0].centre[0], ends[1].centre[0]
    best = int(verdict.argmax())
    return Verdict(int(verdict[best])), start[best], end[best]


def show_free_line(
    lookers: Bases, looker: int, targets: Bases, target: int, blockers: Sequence[Opaque | Standing],
    sigma_mm: float = 0.0,
) -> Drawing:  # fmt: skip
    """The freest line between two bases, as open, as stopped or as in doubt; no more than one is needed."""
    verdict, start, end = free_line(lookers, looker, targets, target, blockers, sigma_mm)
    if verdict == Verdict.YES:
        return (line("clear", [start, end]),)
    return (line("doubt" if verdict == Verdict.BORDERLINE else "stopped", [start, end]),)


def _passes(
    start: Array, end: Array, looker: int, target: int, blockers: Sequence[Opaque | Standing], sigma_mm: float
) -> NDArray[np.int8]:
    count = len(start)
    sigma = np.full(count, sigma_mm)
    lines = Lines(start, end, np.full(count, looker), np.full(count, target), sigma, sigma)
    return look(lines, blockers).verdict


def _covers_about(
    ends: list[Bodies], looker: int, target: int, blockers: Sequence[Opaque | Standing], sigma_mm: float
) -> Covers:
    """What stands near the ground between two bases."""
    sigma = np.array([sigma_mm])
    line = Lines(ends[0].centre, ends[1].centre, np.array([looker]), np.array([target]), sigma, sigma)
    reach = float(max(one.reach_mm[0] for one in ends))
    return Covers.joined([covers_of(line, blocker, reach) for blocker in blockers])


def _things(ends: list[Bodies], covers: Covers) -> tuple[Array, Array]:
    """Centres (k, 2) and radii (k,) of all that a line may touch; corners have no radius."""
    corners = [covers.edge, *(_corners(one) for one in ends)]
    discs = [covers.disc, *(one.centre for one in ends if not one.is_rect[0])]
    radii = [covers.radius, *(one.round_mm for one in ends if not one.is_rect[0])]
    rims = [_on_rims(one, covers) for one in ends]
    points = distinct_rows(np.concatenate([*corners, *rims]).round(12))
    return np.concatenate([points, *discs]), np.concatenate([np.zeros(len(points)), *radii])


def _corners(body: Bodies) -> Array:
    if not body.is_rect[0]:
        return np.zeros((0, 2))
    sine, cosine = np.sin(body.bearing_rad[0]), np.cos(body.bearing_rad[0])
    x, y = (body.half[0] * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])).T
    corners: Array = body.centre[0] + np.stack([x * cosine + y * sine, -x * sine + y * cosine], axis=1)
    return corners


def _on_rims(body: Bodies, covers: Covers) -> Array:
    """(k, 2) where the outlines of things in the way cross the rim of a base."""
    corners = _corners(body)
    edges = [(a, b) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    found = [_edges_on_edge(covers.edge, covers.edge_end, a, b) for a, b in edges]
    found += [_edge_on_discs(a, b, covers.disc, covers.radius) for a, b in edges]
    if not len(corners):
        centre, radius = body.centre[0], float(body.round_mm[0])
        for a, b in zip(covers.edge, covers.edge_end, strict=True):
            found.append(_edge_on_discs(a, b, centre[None], np.array([radius])))
        found.append(_discs_on_disc(covers.disc, covers.radius, centre, radius))
    return np.concatenate([np.zeros((0, 2)), *found])


def _edges_on_edge(edge: Array, edge_end: Array, a: Array, b: Array) -> Array:
    along, across, to = edge_end - edge, b - a, a - edge
    turn = along[:, 0] * across[1] - along[:, 1] * across[0]
    safe = np.where(turn != 0, turn, 1.0)
    share = (to[:, 0] * across[1] - to[:, 1] * across[0]) / safe
    other = (to[:, 0] * along[:, 1] - to[:, 1] * along[:, 0]) / safe
    meets = (turn != 0) & (share >= 0) & (share <= 1) & (other >= 0) & (other <= 1)
    crossed: Array = edge[meets] + share[meets, None] * along[meets]
    return crossed


def _edge_on_discs(a: Array, b: Array, centre: Array, radius: Array) -> Array:
    along, to = b - a, a - centre
    squared = max(float(along @ along), 1e-300)
    half = to @ along
    root = half**2 - squared * ((to**2).sum(axis=1) - radius**2)
    meets = root >= -2 * _HAIR_MM * radius * squared  # what touches meets once, rounding or not
    shares = [(-half + sign * np.sqrt(np.maximum(root, 0.0))) / squared for sign in (-1.0, 1.0)]
    spots = [a + share[meets & (share >= 0) & (share <= 1)][:, None] * along for share in shares]
    return np.concatenate(spots)


def _discs_on_disc(centre: Array, radius: Array, other: Array, other_radius: float) -> Array:
    to = other - centre
    apart = np.hypot(to[:, 0], to[:, 1])
    least, most = np.abs(radius - other_radius) - _HAIR_MM, radius + other_radius + _HAIR_MM
    meets = (apart > 0) & (apart <= most) & (apart >= least)
    to, apart, radius, centre = to[meets], apart[meets], radius[meets], centre[meets]
    along = (apart**2 + radius**2 - other_radius**2) / (2 * np.where(apart > 0, apart, 1.0))
    across = np.sqrt(np.maximum(radius**2 - along**2, 0.0))
    unit = to / np.where(apart > 0, apart, 1.0)[:, None]
    left = np.stack([-unit[:, 1], unit[:, 0]], axis=1) * across[:, None]
    middle = centre + along[:, None] * unit
    return np.concatenate([middle + left, middle - left])


def _touching_two(centre: Array, radius: Array) -> tuple[Array, Array]:
    """Two points (t, 2) of each line that touches two of the things: all four common tangents of each couple."""
    one, other = np.triu_indices(len(centre), 1)
    to = centre[other] - centre[one]
    apart = np.hypot(to[:, 0], to[:, 1])
    unit = to / np.where(apart > 0, apart, 1.0)[:, None]
    left = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    starts, ends = [], []
    for side in (1.0, -1.0):
        reach = radius[one] + side * radius[other]  # how far the other centre lies along the normal
        exists = (apart > 0) & (np.abs(reach) <= apart)
        share = np.where(exists, reach / np.where(apart > 0, apart, 1.0), 0.0)
        for turn in (1.0, -1.0):
            normal = share[:, None] * unit + turn * np.sqrt(np.maximum(1 - share**2, 0.0))[:, None] * left
            touch = (centre[one] + radius[one][:, None] * normal)[exists]
            starts.append(touch)
            ends.append(touch + np.stack([-normal[exists, 1], normal[exists, 0]], axis=1))
    return np.concatenate(starts), np.concatenate(ends)


def _lines_through(a: Array, b: Array, ends: list[Bodies]) -> tuple[Array, Array]:
    """The stretches between the two bases of the lines through points ``a`` and ``b`` (t, 2) that meet both."""
    along = b - a
    length = np.hypot(along[:, 0], along[:, 1])
    along = np.where(length[:, None] > 0, along / np.where(length > 0, length, 1.0)[:, None], [1.0, 0.0])
    (low, high), (other_low, other_high) = (_stretch_in(body, a, along) for body in ends)
    meets = (low <= high) & (other_low <= other_high)
    ahead = high <= other_low
    begin = np.where(ahead, high, np.where(other_high <= low, low, np.maximum(low, other_low)))
    close = np.where(ahead, other_low, np.where(other_high <= low, other_high, begin))
    a, along = a[meets], along[meets]
    return a + begin[meets, None] * along, a + close[meets, None] * along


def _stretch_in(body: Bodies, start: Array, along: Array) -> tuple[Array, Array]:
    """From where to where lines run in a base; the first is greater where they miss it."""
    to = start - body.centre[0]
    if not body.is_rect[0]:
        middle = -(to * along).sum(axis=1)
        across = to[:, 0] * along[:, 1] - to[:, 1] * along[:, 0]
        radius = body.round_mm[0]
        half = np.sqrt(np.maximum(radius**2 - across**2, 0.0))
        half = np.where(np.abs(across) <= radius + _HAIR_MM, half, -1.0)
        return middle - half, middle + half
    sine, cosine = np.sin(body.bearing_rad[0]), np.cos(body.bearing_rad[0])
    x, y = (np.stack([p[:, 0] * cosine - p[:, 1] * sine, p[:, 0] * sine + p[:, 1] * cosine]) for p in (to, along))
    half_size = body.half[0][:, None]
    still = np.abs(y) < 1e-12
    safe = np.where(still, 1.0, y)
    one, other = (-half_size - x) / safe, (half_size - x) / safe
    within = np.abs(x) <= half_size + _HAIR_MM
    low = np.where(still, np.where(within, -np.inf, np.inf), np.minimum(one, other)).max(axis=0)
    high = np.where(still, np.where(within, np.inf, -np.inf), np.maximum(one, other)).min(axis=0)
    # A line through a corner alone meets the base.
    touches = (low > high) & (low <= high + _HAIR_MM)
    return np.where(touches, high, low), high
