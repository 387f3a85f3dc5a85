"""Rims of many star-shaped regions at once: how far straight ways lead in each direction, and what ends them.

A star is what is seen from one origin: in each direction as far as its allowance, the first thing in the way and
the table's edge let it. All stars are worked out together, as arrays in which each ray and each thing in the way
has the number of its star; only rays within the angle under which a thing is seen are held against it.

The rim's points are exact; between two of them it is drawn straight. Rays stand wherever a thing begins or ends to
hide what is behind it, all along the circle of the allowance, and closer where the rim is bent or goes from one
thing to another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.lines import points_to_segments
from engine.geometry.reach.going import Ground, left_along
from engine.geometry.reach.rays import Discs, Strips

__all__ = ["Corners", "Met", "Pace", "Rims", "Sectors", "Sides", "corners_and_sides", "rims", "together"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: How far the drawing may leave the circle of the allowance, and how far apart rays stand at most.
_ROUND_MM, _STEP_RAD = 0.08, np.radians(4.0)
_SLIVER_RAD = 1e-7
#: Into how many a gap between rays is cut where they end at different things; at one disc, twice as many at most.
_FINER = 8
#: How far the drawing may leave the rim of a disc.
_BENT_MM = 0.05
#: How much farther than what ends the rays about it something must be to be surely hidden.
_HIDDEN_MM = 0.5
#: What is seen farther than that beside a sector does not concern it.
_BESIDE_RAD = 1e-3
#: What lies between the bearings of one star and those of the next, so that all can be sorted as one row.
_APART_RAD = 16.0
_TURN = 2 * np.pi


@dataclass(frozen=True, eq=False)
class Corners:
    """Discs, and with no radius the mere ends of sides: ``centre`` (k, 2) as seen from the origin of star number
    ``star`` (k,), ``radius`` (k,) in mm."""

    centre: Array
    radius: Array
    star: Index


@dataclass(frozen=True, eq=False)
class Sides:
    """Strips about segments (k, 2)-(k, 2) as seen from the origin of star number ``star`` (k,), ``half`` (k,) mm to
    either side."""

    start: Array
    end: Array
    half: Array
    star: Index


@dataclass(frozen=True)
class Pace:
    """Ground to be paid for along the way of a point (2,), with an allowance."""

    ground: Ground
    origin: Array
    budget_mm: float


@dataclass(frozen=True, eq=False)
class Sectors:
    """What is asked of s stars: how far at most, ``half_rad`` either side of a bearing; ``room`` (s, 4) how far it
    is to the table's left, near, right and far edge; ``paces`` what ground leaves of it, None where it is open."""

    far_mm: Array
    middle_rad: Array
    half_rad: Array
    room: Array
    paces: tuple[Pace | None, ...] = ()

    def __len__(self) -> int:
        return len(self.far_mm)

    @property
    def full(self) -> Mask:
        """(s,) which of them go all round."""
        every: Mask = np.asarray(self.half_rad >= np.pi, dtype=bool)
        return every


@dataclass(frozen=True, eq=False)
class Rims:
    """Rays (r,) of all stars, by star and rising: ``bearing_rad``, how far each leads, and its ``star``."""

    bearing_rad: Array
    distance_mm: Array
    star: Index

    @property
    def points(self) -> Array:
        """(r, 2) where the rays end, from each star's own origin."""
        ends: Array = self.distance_mm[:, None] * _towards(self.bearing_rad)
        return ends

    def of_each(self, count: int) -> list[slice]:
        """Which rays are those of each of so many stars."""
        bounds = np.searchsorted(self.star, np.arange(count + 1)).tolist()
        return [slice(first, last) for first, last in pairwise(bounds)]


def corners_and_sides(
    origins: Array, far_mm: Array, start: Array, end: Array, radius: Array
) -> tuple[Corners, Sides]:
    """Rounded segments (k, 2)-(k, 2) as each of origins (s, 2) sees them that has them within reach."""
    long = (start != end).any(axis=1)
    last = long.copy()
    last[:-1] &= (end[:-1] != start[1:]).any(axis=1) | (radius[:-1] != radius[1:])
    ends, rounding = np.concatenate([start, end[last]]), np.concatenate([radius, radius[last]])
    away = np.hypot(*(ends[None] - origins[:, None]).transpose(2, 0, 1)) - rounding
    star, number = np.nonzero(away <= far_mm[:, None])
    corners = Corners(ends[number] - origins[star], rounding[number], star)
    gap = points_to_segments(origins, start[long], end[long]) - radius[long]
    star, number = np.nonzero(gap <= far_mm[:, None])
    number = np.flatnonzero(long)[number]
    return corners, Sides(start[number] - origins[star], end[number] - origins[star], radius[number], star)


#: What is in the way of some stars.
Met = tuple[Corners, Sides]


def together(parts: Sequence[tuple[Met, Sectors]]) -> tuple[Corners, Sides, Sectors]:
    """What is in the way and what is asked of several sets of stars, which do not mind each other, as one."""
    if len(parts) == 1:
        (corners, sides), sectors = parts[0]
        return corners, sides, sectors
    first = np.cumsum([0, *(len(sectors) for _, sectors in parts)]).tolist()

    asked = [sectors for _, sectors in parts]
    paces: tuple[Pace | None, ...] = ()
    if any(one.paces for one in asked):
        paces = tuple(pace for one in asked for pace in (one.paces or (None,) * len(one)))
    centre, radius = _columns([one for (one, _), _ in parts], ("centre", "radius"))
    start, end, half = _columns([one for (_, one), _ in parts], ("start", "end", "half"))
    far_mm, middle_rad, half_rad, room = _columns(asked, ("far_mm", "middle_rad", "half_rad", "room"))
    stars = [
        np.concatenate([one[which].star + number for (one, _), number in zip(parts, first, strict=False)])
        for which in (0, 1)
    ]
    every = Sectors(far_mm, middle_rad, half_rad, room, paces)
    return Corners(centre, radius, stars[0]), Sides(start, end, half, stars[1]), every


def _columns(ones: Sequence[object], names: Sequence[str]) -> list[Array]:
    return [np.concatenate([getattr(one, name) for one in ones]) for name in names]


def _towards(bearing_rad: Array) -> Array:
    return np.stack([np.sin(bearing_rad), np.cos(bearing_rad)], axis=-1)


def _wrapped(turn: Array) -> Array:
    wrapped: Array = (turn + np.pi) % _TURN - np.pi
    return wrapped


@dataclass(frozen=True, eq=False)
class _Things:
    """Discs or strips, of numbers from ``first`` on, and from where to where in the row of all rays each is seen:
    ``low`` and ``high`` (k,) are turns off the star's middle, told from those of other stars by `_APART_RAD`."""

    shapes: Discs | Strips
    low: Array
    high: Array
    first: int

    def pairs(self, row: Array) -> tuple[Index, Index]:
        """Which rays of a row run within the angle under which which things are seen."""
        low, high = np.concatenate([self.low, self.low - _TURN]), np.concatenate([self.high, self.high - _TURN])
        begin = np.searchsorted(row, low, side="left")
        count = np.searchsorted(row, high, side="right") - begin
        which = np.repeat(np.tile(np.arange(len(self.low)), 2), count)
        ray = np.arange(len(which)) + np.repeat(begin - np.cumsum(count) + count, count)
        return ray, which


@dataclass(frozen=True, eq=False)
class _Scene:
    """What is asked, what is in the way, and at which turns off their star's middle the corners are seen, so far to
    either side."""

    sectors: Sectors
    corners: Corners
    towards: Array
    spread: Array
    radius: Array
    things: tuple[_Things, _Things]

    @property
    def count(self) -> int:
        """The number of things; numbers from there on stand for what ground leaves."""
        return self.things[1].first + len(self.things[1].low)


def _scene(corners: Corners, sides: Sides, sectors: Sectors) -> _Scene:
    towards, spread = _seen(corners.centre, corners.radius)
    towards = _wrapped(towards - sectors.middle_rad[corners.star])
    within = np.flatnonzero(np.abs(towards) <= sectors.half_rad[corners.star] + spread + _BESIDE_RAD)
    if len(within) < len(towards):
        towards, spread = towards[within], spread[within]
        corners = Corners(corners.centre[within], corners.radius[within], corners.star[within])
    solid = np.flatnonzero(corners.radius > 0)
    discs = Discs.of(corners.centre[solid], corners.radius[solid])
    margin = spread[solid] + 4 * _SLIVER_RAD
    low = corners.star[solid] * _APART_RAD + _wrapped(towards[solid] - margin)
    (begin, wide), (finish, broad) = _seen(sides.start, sides.half), _seen(sides.end, sides.half)
    swing = _wrapped(finish - begin)
    least = np.minimum(-wide, swing - broad) - 4 * _SLIVER_RAD
    most = np.maximum(wide, swing + broad) + 4 * _SLIVER_RAD
    begin = _wrapped(begin + least - sectors.middle_rad[sides.star])
    middle, half = _wrapped(begin + (most - least) / 2), (most - least) / 2
    within = np.flatnonzero(np.abs(middle) <= sectors.half_rad[sides.star] + half + _BESIDE_RAD)
    if len(within) < len(begin):
        begin, least, most = begin[within], least[within], most[within]
        sides = Sides(sides.start[within], sides.end[within], sides.half[within], sides.star[within])
    strips = Strips.of(sides.start, sides.end, sides.half)
    begin = sides.star * _APART_RAD + begin
    things = _Things(discs, low, low + 2 * margin, 0), _Things(strips, begin, begin + most - least, len(solid))
    return _Scene(sectors, corners, towards, spread, discs.radius, things)


def _seen(centre: Array, radius: Array) -> tuple[Array, Array]:
    """At which bearings discs (k, 2) are seen from the origin, and how far either side."""
    away = np.maximum(np.hypot(centre[:, 0], centre[:, 1]), 1e-12)
    return np.arctan2(centre[:, 0], centre[:, 1]), np.arcsin(np.minimum(radius / away, 1.0))


def rims(corners: Corners, sides: Sides, sectors: Sectors) -> Rims:
    """How far each of s stars reaches in enough directions to draw it.

    >>> nothing = corners_and_sides(np.zeros((1, 2)), np.full(1, 9.0), *np.zeros((2, 0, 2)), np.zeros(0))
    >>> found = rims(*nothing, Sectors(np.full(1, 9.0), np.zeros(1), np.full(1, np.pi), np.full((1, 4), np.inf)))
    >>> len(found.star), set(found.distance_mm.tolist())
    (90, {9.0})
    """
    scene = _scene(corners, sides, sectors)
    rays = _Rays.along(scene, *_ordered(*_first_turns(scene), sectors))
    rays = rays.joined(_Rays.along(scene, *_ordered(*_corner_turns(scene, rays), sectors)))
    rays = rays.joined(_Rays.along(scene, *_between(scene, rays.turn, rays.star, rays.distance, rays.kind)))
    return Rims(rays.turn + sectors.middle_rad[rays.star], rays.distance, rays.star)


@dataclass(frozen=True, eq=False)
class _Rays:
    """Rays (r,): how far off their star's middle they turn, their star, how far they lead, what ends them."""

    turn: Array
    star: Index
    distance: Array
    kind: Array

    @classmethod
    def along(cls, scene: _Scene, turn: Array, star: Index) -> _Rays:
        """Rays of some turns."""
        return cls(turn, star, *_look(scene, turn, star))

    def joined(self, more: _Rays) -> _Rays:
        """With more of them, by star and rising, each once."""
        if not len(more.turn):
            return self
        parts = zip(*((one.turn, one.star, one.distance, one.kind) for one in (self, more)), strict=True)
        turn, star, distance, kind = (np.concatenate(part) for part in parts)
        order = _by_star_and_turn(star, turn)
        order = order[_fresh(turn[order], star[order])]
        return _Rays(turn[order], star[order], distance[order], kind[order])


def _ordered(turn: Array, star: Index, sectors: Sectors) -> tuple[Array, Index]:
    """The turns within the stars' sectors, each once, by star and rising."""
    turn, half = _wrapped(turn), sectors.half_rad[star]
    within = np.abs(turn) <= half + 1e-9
    turn, star = np.clip(turn, -half, half)[within], star[within]
    order = _by_star_and_turn(star, turn)
    turn, star = turn[order], star[order]
    fresh = _fresh(turn, star)
    return turn[fresh], star[fresh]


def _fresh(turn: Array, star: Index) -> Mask:
    """(r,) which rays in a row are not the one before once more."""
    fresh = np.ones(len(turn), dtype=bool)
    fresh[1:] = (turn[1:] != turn[:-1]) | (star[1:] != star[:-1])
    return fresh


def _by_star_and_turn(star: Index, turn: Array) -> Index:
    """The order of rays by star, then by turn: exact, so that no star depends on how many others there are."""
    order = np.argsort(turn, kind="stable")
    number = star[order]
    short = number.astype(np.uint16) if len(number) and number.max() < 1 << 16 else number  # sorts much faster
    return order[np.argsort(short, kind="stable")]


def _first_turns(scene: _Scene) -> tuple[Array, Index]:
    """Where rays stand whatever is in the way, as turns off their star's middle."""
    sectors, number = scene.sectors, np.arange(len(scene.sectors))
    step = np.minimum(np.sqrt(8 * _ROUND_MM / np.maximum(sectors.far_mm, 1e-9)), _STEP_RAD)
    steps = np.maximum(2, np.ceil(2 * sectors.half_rad / step).astype(np.intp) + 1)
    fan = np.repeat(number, steps)
    place = np.arange(len(fan)) - np.repeat(np.cumsum(steps) - steps, steps)
    even = -sectors.half_rad[fan] + place * (2 * sectors.half_rad / (steps - 1))[fan]
    turns, stars = [even, np.zeros(len(number))], [fan, number]
    for found, of in (_at_edges(sectors), *_at_ground(sectors)):
        turns.append(found - sectors.middle_rad[of])
        stars.append(of)
    return np.concatenate(turns), np.concatenate(stars)


def _corner_turns(scene: _Scene, rays: _Rays) -> tuple[Array, Index]:
    """Turns to either side of where corners begin and end to hide what is behind; not of those out of reach, nor of
    those hidden themselves: where one ray and the next end at one thing, it hides what is farther between them."""
    corners, far = scene.corners, scene.sectors.far_mm
    away = np.hypot(corners.centre[:, 0], corners.centre[:, 1])
    touched = np.sqrt(np.maximum(away**2 - corners.radius**2, 0.0)) - _HIDDEN_MM
    row, last = rays.star * _APART_RAD + rays.turn, len(rays.turn) - 1
    after = np.minimum(np.arange(len(row)) + 1, last)
    closed = (rays.kind == rays.kind[after]) & (rays.kind >= 0) & (rays.kind < scene.count)
    closed &= rays.star == rays.star[after]
    behind = np.where(closed, np.maximum(rays.distance, rays.distance[after]), far[rays.star])
    turns, stars = [], []
    for side in (-1.0, 1.0):
        turn = _wrapped(scene.towards + side * scene.spread)
        place = np.clip(np.searchsorted(row, corners.star * _APART_RAD + turn, "right") - 1, 0, last)
        kept = np.flatnonzero(touched <= behind[place])
        for aside in (-_SLIVER_RAD, _SLIVER_RAD):
            turns.append(turn[kept] + aside)
            stars.append(corners.star[kept])
    return np.concatenate(turns), np.concatenate(stars)


def _at_edges(sectors: Sectors) -> tuple[Array, Index]:
    """The bearings of the table's corners, and of where its edges come within reach."""
    near = np.flatnonzero(sectors.room.min(axis=1) < sectors.far_mm)
    left, low, right, high = sectors.room[near].T
    with np.errstate(invalid="ignore"):
        corners = [np.arctan2(x, y) for x in (-left, right) for y in (-low, high)]
    found, of = [*corners], [near] * 4
    for edge, bearing in enumerate((-np.pi / 2, np.pi, np.pi / 2, 0.0)):
        share = sectors.room[near, edge] / sectors.far_mm[near]
        met = share < 1.0
        swing = np.arccos(share[met])
        found += [bearing - swing, bearing + swing]
        of += [near[met]] * 2
    return np.concatenate(found), np.concatenate(of)


def _at_ground(sectors: Sectors) -> list[tuple[Array, Index]]:
    """The bearings of the corners of pieces that cost."""
    found = []
    for number, pace in enumerate(sectors.paces):
        if pace is not None:
            to = pace.ground.start - pace.origin
            bearing = np.arctan2(to[:, 0], to[:, 1])
            every = np.concatenate([bearing - _SLIVER_RAD, bearing + _SLIVER_RAD])
            found.append((every, np.full(len(every), number)))
    return found


def _look(scene: _Scene, turn: Array, star: Index) -> tuple[Array, Array]:
    """How far rays lead, and what ends each: the number of a disc or a strip; -1: the allowance or the edge."""
    sectors = scene.sectors
    directions = _towards(turn + sectors.middle_rad[star])
    across, along = directions.T.copy()
    distance, kind = sectors.far_mm[star], np.full(len(turn), -1.0)
    for things in scene.things:
        ray, which = things.pairs(star * _APART_RAD + turn)
        if len(ray):
            met = things.shapes.pick(which).met(across[ray], along[ray])
            nearest = distance.copy()
            np.minimum.at(nearest, ray, met)
            first = (met < distance[ray]) & (met == nearest[ray])
            kind[ray[first]] = which[first] + things.first
            distance = nearest
    if np.isfinite(sectors.room).any():
        room = sectors.room[star]
        with np.errstate(divide="ignore", invalid="ignore"):
            across = np.where(directions > 0, room[:, 2:], room[:, :2]) / np.abs(directions)
        across = np.where(directions == 0, np.inf, across)
        distance = np.minimum(distance, across.min(axis=1))
    for number, pace in enumerate(sectors.paces):
        if pace is not None:
            mine = slice(*np.searchsorted(star, [number, number + 1]).tolist())
            gone = left_along(pace.ground, pace.origin, directions[mine], pace.budget_mm)
            other = scene.count + np.round(gone % 1, 3)
            kind[mine] = np.where(gone < distance[mine] - 1e-9, other, kind[mine])
            distance[mine] = np.minimum(distance[mine], gone)
    return distance, kind


def _between(scene: _Scene, turn: Array, star: Index, distance: Array, kind: Array) -> tuple[Array, Index]:
    """More turns, where one ray and the next end at different things or at one disc."""
    last = np.searchsorted(star, np.arange(len(scene.sectors)), side="right") - 1
    full, after = scene.sectors.full, np.arange(1, len(turn) + 1)
    after[last] = np.where(full, np.append(0, last[:-1] + 1), last)
    gap = turn[after] - turn
    gap[last[full]] += _TURN
    wide, same = gap > 4 * _SLIVER_RAD, kind == kind[after]
    parts = np.where(wide & ~same, _FINER, 1)
    bent = np.flatnonzero(wide & same & (kind >= 0) & (kind < len(scene.radius)))
    far, near = distance[after[bent]], distance[bent]
    chord = np.sqrt(np.maximum(near**2 + far**2 - 2 * near * far * np.cos(gap[bent]), 0.0))
    most = np.sqrt(8 * _BENT_MM * scene.radius[kind[bent].astype(np.intp)])
    parts[bent] = np.clip(np.ceil(chord / most), 1, 2 * _FINER)
    here = np.repeat(np.arange(len(turn)), parts - 1)
    share = (np.arange(len(here)) - np.repeat(np.cumsum(parts - 1) - parts, parts - 1)) / parts[here]
    one, other = distance[here], distance[after[here]]
    on_chord = np.arctan2(share * other * np.sin(gap[here]), one + share * (other * np.cos(gap[here]) - one))
    return turn[here] + np.where(same[here], on_chord, share * gap[here]), star[here]
