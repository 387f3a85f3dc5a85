"""What each kind of blocker does to lines: couples of a line and a part of the blocker, with verdicts of seeing."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts, all_of, at_least, at_most, settled
from engine.geometry.plane.distinct import distinct
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight import bodies, clearance, crossing
from engine.geometry.sight.near import lines_by_body, lines_by_piece, not_spared
from engine.geometry.sight.records import Crests, Limit, Lines, Opaque, Relief, Standing, Veil

__all__ = [
    "Holds",
    "held_by_crests",
    "held_by_limit",
    "held_by_relief",
    "held_by_standing",
    "held_by_terrain",
    "limits",
    "of_pairs",
]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Holds:
    """Couples (t,): the line, the part of the blocker, whether the line passes it; ``takes``: whether it does not
    if everything is just as it was measured."""

    line: Index
    part: Index
    passes: Verdicts
    takes: Mask

    @classmethod
    def joined(cls, found: list[Holds]) -> Holds:
        """Several in one."""
        if not found:
            return cls(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.int8), np.zeros(0, bool))
        return cls(*(np.concatenate([getattr(one, own.name) for one in found]) for own in fields(cls)))

    def pick(self, which: Index | Mask) -> Holds:
        """Some of the couples."""
        return Holds(self.line[which], self.part[which], self.passes[which], self.takes[which])


def held_by_terrain(lines: Lines, blocker: Opaque | Veil, couples: tuple[Index, Index] | None = None) -> Holds:
    """Lines against opaque terrain or terrain that allows a depth of seeing: all, or chosen couples."""
    line, part = _terrain_couples(lines, blocker) if couples is None else couples
    concerns = not_spared(lines, line, part, blocker.spare_from, blocker.spare_to)
    line, part = line[concerns], part[concerns]
    if isinstance(blocker, Veil):
        return _held_by_veil(lines, blocker, line, part)
    some = lines.pick(line)
    inside = crossing.lengths_of_couples(blocker.pieces, part, some.start, some.end)
    takes = inside > MM
    return _those_held(line, part, settled(~takes, _opaque_doubt(some, blocker, part, inside)), takes)


def _held_by_veil(lines: Lines, blocker: Veil, line: Index, part: Index) -> Holds:
    """As `held_by_terrain`; what no limit asks for is not measured."""
    ends = _Ends(lines, blocker.pieces).of(line, part)
    within = ends[0][0] | ends[1][0]
    found = []
    if limits(blocker.into_mm, blocker.out_mm, blocker.inside_mm):
        which = np.flatnonzero(within)
        deep = [(inside[which], depth[which]) for inside, depth in ends]
        some, its = lines.pick(line[which]), part[which]
        run = np.zeros(len(which))
        if blocker.depth == "along" or limits(blocker.inside_mm):
            run = crossing.lengths_of_couples(blocker.pieces, its, some.start, some.end)
        found.append(_those_held(line[which], its, *_ending_in_veil(some, blocker, run, deep)))
    if limits(blocker.through_mm):
        which = np.flatnonzero(~within)
        some, its = lines.pick(line[which]), part[which]
        found.append(_those_held(line[which], its, *_through_veil(some, blocker, its)))
    return Holds.joined(found)


def _through_veil(lines: Lines, blocker: Veil, part: Index) -> tuple[Verdicts, Mask]:
    """(q,) whether lines that run right through pieces pass, and whether they do not as measured.

    To one side or the other a line may run through less or more, or past: that too must not change it.
    """
    most = of_pairs(blocker.through_mm, lines)
    sigma, beside = np.hypot(lines.sigma_mm, blocker.sigma_mm), _sideways(lines, blocker.sigma_mm)
    passes, beyond = np.zeros(len(lines), dtype=np.int8), np.ones(len(lines), dtype=bool)
    rest = _not_surely_deeper(lines, blocker.pieces, part, beside, most + SIGMAS * sigma + MM)
    starts, ends = _and_beside(lines.pick(rest), beside[rest])
    run = crossing.lengths_of_couples(
        blocker.pieces, np.tile(part[rest], len(starts)), starts.reshape(-1, 2), ends.reshape(-1, 2)
    ).reshape(len(starts), -1)
    passes[rest], beyond[rest] = _within(run[0], most[rest], sigma[rest], run[0] > MM)
    differs = ((run > most[rest] + MM) != beyond[rest]).any(axis=0)
    passes[rest[differs]] = Verdict.BORDERLINE
    return passes, beyond


def _not_surely_deeper(lines: Lines, pieces: Pieces, part: Index, beside: Array, most: Array) -> Index:
    """Those lines that begin and end outside of pieces and do not run deeper than ``most`` (q,) mm in any disc that
    lies within these: all others do so in the pieces, though they be shifted by ``beside`` (q,) mm."""
    along = lines.end - lines.start
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), MM)
    ux, uy = (along / length[:, None]).T
    x, y = lines.start.T
    rest = np.arange(len(lines))
    for spot, radius in pieces.cores:
        (to_x, to_y), own = spot[part[rest]].T, radius[part[rest]]
        to_x, to_y, across, aside = to_x - x[rest], to_y - y[rest], uy[rest], beside[rest]
        ahead = to_x * ux[rest] + to_y * across
        away = np.abs(to_y * ux[rest] - to_x * across) + aside
        deeper = np.maximum(own - aside, 0.0) ** 2 - away**2 > (most[rest] / 2) ** 2
        rest = rest[~(deeper & (ahead > 0) & (ahead < length[rest]))]
    return rest


def _sideways(lines: Lines, own: float) -> Array:
    """(q,) two sigma of how far lines lie to one side, in mm, of things with a sigma of their ``own``."""
    sigma: Array = SIGMAS * np.hypot(np.maximum(lines.sigma_start, lines.sigma_end), own)
    return sigma


def _and_beside(lines: Lines, beside: Array) -> tuple[Array, Array]:
    """The starts and ends of lines as they are, and shifted to either side (3, q, 2); (1, q, 2) if none is."""
    if not beside.any():
        return lines.start[None], lines.end[None]
    along = lines.end - lines.start
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), MM)
    left = np.stack([-along[:, 1], along[:, 0]], axis=1) * (beside / length)[:, None]
    ways = np.array([0.0, 1.0, -1.0])[:, None, None] * left
    return lines.start + ways, lines.end + ways


def limits(*most_mm: float | Array) -> bool:
    """Whether any of these limits forbids anything."""
    return any(bool(np.isfinite(most).any()) for most in most_mm)


def _opaque_doubt(lines: Lines, blocker: Opaque, part: Index, inside: Array) -> Mask:
    """(q,) whether lines pass a piece, or run into it, by less than two sigma."""
    sigma = np.hypot(np.maximum(lines.sigma_start, lines.sigma_end), blocker.sigma_mm)
    doubt = np.zeros(len(lines), dtype=bool)
    unsure = np.flatnonzero(sigma > 0)
    doubt[unsure] = clearance.within_reach(
        blocker.pieces, part[unsure], lines.start[unsure], lines.end[unsure], inside[unsure] > MM,
        SIGMAS * sigma[unsure],
    )  # fmt: skip
    return doubt


def _terrain_couples(lines: Lines, blocker: Opaque | Veil) -> tuple[Index, Index]:
    """Lines and pieces (t,), (t,) of which the one may come into the other's surroundings."""
    if isinstance(blocker, Veil) and not limits(blocker.through_mm):
        return _couples_with_ends(lines, blocker)
    near = list(lines_by_piece(blocker.pieces, lines, SIGMAS * _greatest_sigma(lines, blocker.sigma_mm)))
    line = np.concatenate([np.zeros(0, np.intp), *(which for _, which in near)])
    number = np.array([number for number, _ in near], dtype=np.intp)
    return line, np.repeat(number, [len(which) for _, which in near])


def _couples_with_ends(lines: Lines, blocker: Veil) -> tuple[Index, Index]:
    """Lines and pieces in which they begin or end."""
    found = []
    for depth, row in _Ends(lines, blocker.pieces).at:
        inside = depth >= 0
        somewhere: Mask = np.any(inside, axis=1)
        line = np.flatnonzero(somewhere[row])
        which, part = np.nonzero(inside[row[line]])
        found.append(line[which] * len(blocker.pieces) + part)
    line, part = np.divmod(distinct(np.concatenate(found)), max(len(blocker.pieces), 1))
    return line, part


def past_opaque(lines: Lines, blocker: Opaque, number: int) -> tuple[Verdicts, Mask]:
    """(q,) whether lines pass one opaque piece, and whether it takes them away as measured."""
    inside = crossing.lengths_in(blocker.pieces, number, lines.start, lines.end)
    takes = inside > MM
    return settled(~takes, _opaque_doubt(lines, blocker, np.full(len(lines), number), inside)), takes


def held_by_standing(lines: Lines, blocker: Standing, couples: tuple[Index, Index] | None = None) -> Holds:
    """Lines against bases: all, or chosen couples of line and base."""
    body = blocker.bodies
    if couples is None:
        reach = SIGMAS * _greatest_sigma(lines, float(body.sigma_mm.max(initial=0.0)))
        couples = lines_by_body(body, lines, reach)
    line, part = couples
    concerns = not_spared(lines, line, part, blocker.spare_from, blocker.spare_to)
    for own, whose in ((blocker.looker_is, lines.looker), (blocker.target_is, lines.target)):
        if own is not None:
            concerns &= own[whose[line]] != part
    line, part = line[concerns], part[concerns]
    depth, share = bodies.inroads(body, part, lines.start[line], lines.end[line])
    sigma = np.sqrt(
        ((1 - share) * lines.sigma_start[line]) ** 2
        + (share * lines.sigma_end[line]) ** 2
        + body.sigma_mm[part] ** 2
    )
    takes = depth > MM
    return _those_held(line, part, settled(~takes, (sigma > 0) & (np.abs(depth) <= SIGMAS * sigma)), takes)


def held_by_crests(lines: Lines, blocker: Crests) -> Holds:
    """Lines against crest lines."""
    found = []
    sigma = np.hypot(np.maximum(lines.sigma_start, lines.sigma_end), blocker.sigma_mm)
    reach = SIGMAS * float(sigma.max(initial=0.0)) + MM
    low, high = np.minimum(lines.start, lines.end) - reach, np.maximum(lines.start, lines.end) + reach
    for number, path in enumerate(blocker.paths):
        near = np.flatnonzero(((low <= path.max(axis=0)) & (high >= path.min(axis=0))).all(axis=1))
        part = np.full(len(near), number)
        near = near[not_spared(lines, near, part, blocker.spare_from, blocker.spare_to)]
        crosses, way = clearance.from_path(path, lines.start[near], lines.end[near])
        doubt = (sigma[near] > 0) & (np.abs(way) <= SIGMAS * sigma[near])
        found.append(_those_held(near, np.full_like(near, number), settled(~crosses, doubt), crosses))
    return Holds.joined(found)


def held_by_relief(lines: Lines, blocker: Relief) -> Holds:
    """Lines against blocks of heights: held where the line of sight runs below a block's top."""
    found = []
    for number, near in lines_by_piece(blocker.pieces, lines, SIGMAS * _greatest_sigma(lines, blocker.sigma_mm)):
        part = np.full(len(near), number)
        near = near[not_spared(lines, near, part, blocker.spare_from, blocker.spare_to)]
        some = lines.pick(near)
        top = blocker.pieces.height_mm[number]
        under = np.minimum(blocker.eye_mm[some.looker], blocker.seen_mm[some.target]) < top - MM
        beside, hits = past_opaque(some, Opaque(blocker.pieces, blocker.sigma_mm), number)
        low = np.flatnonzero(under & (beside < Verdict.YES))
        near, beside, hits, some = near[low], beside[low], hits[low], some.pick(low)
        above, over = _above(some, blocker, number)
        passes = np.maximum(above, beside)
        found.append(_those_held(near, np.full_like(near, number), passes, hits & (over < -MM)))
    return Holds.joined(found)


def _above(lines: Lines, blocker: Relief, number: int) -> tuple[Verdicts, Array]:
    """(q,) whether lines that run over a block, or come near it, run above its top all the way, and by how much."""
    eye, seen = blocker.eye_mm[lines.looker], blocker.seen_mm[lines.target]
    apart = np.hypot(*(lines.end - lines.start).T)
    slope = np.abs(seen - eye) / np.where(apart > 0, apart, 1.0)
    sigma = slope * np.hypot(np.maximum(lines.sigma_start, lines.sigma_end), blocker.sigma_mm)
    starts, ends = _and_beside(lines, _sideways(lines, blocker.sigma_mm))
    first, last = (
        share.reshape(len(starts), -1)
        for share in crossing.spans_in(blocker.pieces, number, starts.reshape(-1, 2), ends.reshape(-1, 2))
    )
    over = np.minimum(eye + first * (seen - eye), eye + last * (seen - eye)) - blocker.pieces.height_mm[number]
    met = ~np.isnan(over)
    each = at_least(np.where(met, over, np.inf), 0.0, sigma)
    above = np.where((each == each[0]).all(axis=0), each[0], np.int8(Verdict.BORDERLINE))
    # What lies so near to the line that only a part of two sigma brings it there is not known to be passed above.
    return np.where(met.any(axis=0), above, np.int8(Verdict.NO)), over[0]


def held_by_limit(lines: Lines, blocker: Limit) -> Holds:
    """Lines longer than can be seen."""
    apart = np.hypot(*(lines.end - lines.start).T)
    value = apart if blocker.distance_mm is None else of_pairs(blocker.distance_mm, lines)
    sigma = lines.sigma_mm if blocker.sigma_mm is None else of_pairs(blocker.sigma_mm, lines)
    passes, takes = _within(value, of_pairs(blocker.most_mm, lines), sigma)
    return _those_held(np.arange(len(lines)), np.zeros(len(lines), np.intp), passes, takes)


class _Ends:
    """Which ends of lines stand in which pieces, and how deep."""

    def __init__(self, lines: Lines, pieces: Pieces) -> None:
        starts, ends = lines.sites or (None, None)
        self.at = [
            _depths(pieces, lines.looker, lines.start, starts), _depths(pieces, lines.target, lines.end, ends)
        ]  # fmt: skip

    def of(self, line: Index, part: Index) -> list[tuple[Mask, Array]]:
        """For lookers and for targets (t,): whether they are in the pieces, and their depth."""
        deep = [depth[row[line], part] for depth, row in self.at]
        return [(one >= 0, one) for one in deep]


def _depths(pieces: Pieces, owner: Index, point: Array, sites: Array | None) -> tuple[Array, Index]:
    """Depths (u, p), below 0 outside, and which row (q,) is each point's: its owner's, where sites are known."""
    spots, row = (point, np.arange(len(owner))) if sites is None else (sites, owner)
    depth = np.where(pieces.contains(spots), 0.0, -1.0)
    inside = np.nonzero(depth == 0)
    depth[inside] = pieces.to_rim(spots[inside[0]], inside[1])
    return depth, row


def _within(value: Array, most: Array, sigma: Array, concerns: Mask | bool = True) -> tuple[Verdicts, Mask]:
    """(q,) whether values are within limits, where these concern them, and whether they are beyond as measured."""
    beyond: Mask = concerns & ~(value <= most + MM)
    return np.where(concerns, at_most(value, most, sigma), np.int8(Verdict.YES)), beyond


def _ending_in_veil(
    lines: Lines, blocker: Veil, inside: Array, ends: list[tuple[Mask, Array]]
) -> tuple[Verdicts, Mask]:
    """Lines that begin or end inside of it; ``inside`` (q,) is how much of them runs there."""
    (looker_in, looker_deep), (target_in, target_deep) = ends
    sigma = np.hypot(lines.sigma_mm, blocker.sigma_mm)
    own = [np.hypot(one, blocker.sigma_mm) for one in (lines.sigma_start, lines.sigma_end)]
    along = blocker.depth == "along"
    found = [
        _within(value, of_pairs(most, lines), doubt, concerns)
        for value, most, doubt, concerns in (
            (inside if along else looker_deep, blocker.out_mm, sigma if along else own[0], looker_in & ~target_in),
            (inside if along else target_deep, blocker.into_mm, sigma if along else own[1], target_in & ~looker_in),
            (inside, blocker.inside_mm, sigma, inside > 0),
        )
        if limits(most)
    ]
    passes, beyond = zip(*found, strict=True)
    return all_of(*passes), np.logical_or.reduce(beyond)


def _those_held(line: Index, part: Index, passes: Verdicts, takes: Mask) -> Holds:
    """The couples that do not pass."""
    held = np.flatnonzero(passes < Verdict.YES)
    return Holds(line[held], part[held], passes[held], takes[held])


def of_pairs(value: float | Array, lines: Lines) -> Array:
    """A number or an array (n, m) as (q,)."""
    if np.ndim(value) == 0:
        return np.full(len(lines), float(value))
    table = np.asarray(value, dtype=float)
    looker = lines.looker if table.shape[0] > 1 else np.zeros_like(lines.looker)
    target = lines.target if table.shape[1] > 1 else np.zeros_like(lines.target)
    picked: Array = table[looker, target]
    return picked


def _greatest_sigma(lines: Lines, own: float) -> float:
    most = max(float(lines.sigma_start.max(initial=0.0)), float(lines.sigma_end.max(initial=0.0)))
    return float(np.hypot(most, own))
