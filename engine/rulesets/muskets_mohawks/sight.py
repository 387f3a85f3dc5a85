"""Who sees whom (MM-83 to MM-91): every pair of figures of two units at once, with what stands between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry import bases as base_geometry
from engine.geometry import polygons
from engine.geometry.bases import Bases
from engine.geometry.directions import bearing_of, off
from engine.geometry.lines import turned
from engine.geometry.tolerance import DEG, MM
from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.sheet import CONTACT_MM, Body, Ground, Sheet
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

ARC_DEG = 45.0
WOOD_EDGE_MM = 1 * MM_PER_INCH
FAR_MM, NEAR_MM = 12 * MM_PER_INCH, 6 * MM_PER_INCH


@dataclass(frozen=True, eq=False)
class Doubt:
    """A limit of sight that the measurement may not settle: pairs (n, m) in doubt, their value and sigma."""

    what: str
    rule: str
    pairs: Mask
    value_mm: Array
    sigma_mm: Array
    limit_mm: Array


@dataclass(frozen=True, eq=False)
class Pairs:
    """Lookers (n) against the looked at (m); all arrays (n, m), ``start`` and ``end`` (n, m, 2).

    ``blocked`` has, for each row that takes sight away, the pairs that it takes; ``behind`` names the friends or
    pieces of terrain that do so.
    """

    lookers: Body
    seen: Body
    start: Array
    end: Array
    gap_mm: Array
    off_deg: Array
    sigma_mm: Array
    arc_sigma_deg: Array
    blocked: Mapping[str, Mask]
    behind: Mapping[str, tuple[str, ...]]
    doubts: tuple[Doubt, ...]

    @cached_property
    def in_arc(self) -> Mask:
        """Within 45 degrees of the looker's front (MM-83)."""
        arc: Mask = self.off_deg <= ARC_DEG + DEG
        return arc

    @cached_property
    def clear(self) -> Mask:
        """Nothing takes the sight away."""
        clear = np.ones(self.gap_mm.shape, dtype=bool)
        for mask in self.blocked.values():
            clear &= ~mask
        return clear

    @cached_property
    def arc_doubt(self) -> Mask:
        """The arc is not settled by the measurement."""
        doubt: Mask = (self.arc_sigma_deg > 0) & (np.abs(self.off_deg - ARC_DEG) <= 2 * self.arc_sigma_deg)
        return doubt

    @cached_property
    def maybe_clear(self) -> Mask:
        """Clear, or kept from it only by limits in doubt."""
        maybe = np.ones(self.gap_mm.shape, dtype=bool)
        for rule, mask in self.blocked.items():
            excused = [doubt.pairs for doubt in self.doubts if doubt.rule == rule]
            maybe &= ~mask | (np.logical_or.reduce(excused) if excused else False)
        return maybe

    @cached_property
    def doubtful(self) -> Mask:
        """Some limit of sight is in doubt."""
        doubtful = np.zeros(self.gap_mm.shape, dtype=bool)
        for doubt in self.doubts:
            doubtful |= doubt.pairs
        return doubtful


def pairs(sheet: Sheet, looker: Unit, target: Unit, *, over_figures: bool = False) -> Pairs:
    """Every figure of a unit against every figure of another; ``over_figures``: figures do not block (MM-32).

    From or to a building it is the nearest point of the outline that counts, and there is no arc (R-18).
    """
    return sheet.memo(
        ("pairs", looker.id, target.id, over_figures),
        lambda: bodies_pairs(sheet, sheet.body(looker), sheet.body(target), over_figures=over_figures),
        looker,
        target,
    )


def bodies_pairs(sheet: Sheet, lookers: Body, seen: Body, *, over_figures: bool = False) -> Pairs:
    """As `pairs`, for chosen figures of the two units."""
    count = (len(lookers), len(seen))
    house, other_house = sheet.building_of(lookers.unit), sheet.building_of(seen.unit)
    start, end = _ends(lookers, seen, house, other_house)
    flat_start, flat_end = start.reshape(-1, 2), end.reshape(-1, 2)
    gap = _gaps(sheet, lookers, seen, house, other_house, flat_start, flat_end)
    apart = np.hypot(*(end - start).transpose(2, 0, 1))
    sigma = np.hypot(lookers.sigma_mm[:, None], seen.sigma_mm[None, :])
    turn = off(lookers.bearing_deg[:, None], bearing_of(end - start))
    turn = np.where(np.isnan(turn) | (apart < MM) | (house is not None), 0.0, turn)
    arc_sigma = np.hypot(
        np.degrees(np.arctan2(sigma, np.maximum(apart, MM))), lookers.bearing_sigma_deg[:, None]
    ) * (house is None)
    look = _Look(sheet, lookers, seen, flat_start, flat_end, gap, sigma)
    look.dark_and_weather()
    look.woods()
    look.crests(house, other_house)
    look.buildings({piece.id for piece in (house, other_house) if piece is not None})
    if not over_figures:
        look.figures()
    return Pairs(
        lookers, seen, start, end, gap, turn, sigma, arc_sigma,
        {rule: mask.reshape(count) for rule, mask in look.blocked.items()},
        {rule: tuple(dict.fromkeys(names)) for rule, names in look.behind.items()}, tuple(look.doubts),
    )  # fmt: skip


def _ends(lookers: Body, seen: Body, house: Ground | None, other_house: Ground | None) -> tuple[Array, Array]:
    count = (len(lookers), len(seen), 2)
    start = np.broadcast_to(lookers.centre[:, None], count)
    end = np.broadcast_to(seen.centre[None], count)
    if other_house is not None:
        towards = start if house is None else np.broadcast_to(house.outline.mean(axis=0), count)
        end = polygons.nearest_on_outline(other_house.outline, towards.reshape(-1, 2)).reshape(count)
    if house is not None:
        start = polygons.nearest_on_outline(house.outline, end.reshape(-1, 2)).reshape(count)
    return start, end


def _gaps(
    sheet: Sheet, lookers: Body, seen: Body, house: Ground | None, other_house: Ground | None,
    start: Array, end: Array,
) -> Array:  # fmt: skip
    if house is None and other_house is None:
        return sheet.gaps(lookers.bases, seen.bases)
    count = (len(lookers), len(seen))
    apart = np.hypot(*(end - start).T).reshape(count)
    if sheet.conditions.options.measure == "edge":
        if house is not None and other_house is None:
            apart = np.broadcast_to(_to_bases(house, seen.bases)[None], count)
        elif other_house is not None and house is None:
            apart = np.broadcast_to(_to_bases(other_house, lookers.bases)[:, None], count)
    return np.array(apart)


def _to_bases(house: Ground, bases: Bases) -> Array:
    ends = turned(house.outline)
    distance: Array = base_geometry.to_segments(bases, house.outline, ends).min(axis=1)
    return distance


class _Look:
    """What stands between flattened pairs of figures, gathered row by row."""

    def __init__(
        self, sheet: Sheet, lookers: Body, seen: Body, start: Array, end: Array, gap: Array, sigma: Array
    ) -> None:
        self.sheet, self.lookers, self.seen = sheet, lookers, seen
        self.start, self.end, self.gap, self.sigma = start, end, gap, sigma
        self.shape = gap.shape
        self.indoors = any(sheet.building_of(body.unit) is not None for body in (lookers, seen))
        self.blocked: dict[str, Mask] = {}
        self.behind: dict[str, list[str]] = {}
        self.doubts: list[Doubt] = []
        ends = np.concatenate([start, end]) if len(start) else np.zeros((1, 2))
        self.low, self.high = ends.min(axis=0) - 100, ends.max(axis=0) + 100
        lit = np.zeros(len(seen), dtype=bool)
        for area in sheet.of_kind("lit-area"):
            lit |= sheet.standing_in(seen, area)
        self.dark = np.broadcast_to((sheet.conditions.light == "night") & ~lit[None, :], self.shape).ravel()

    def block(self, rule: str, mask: Mask, *names: str) -> None:
        """Notes the pairs that a row takes away and what is in their way."""
        if mask.any():
            self.blocked[rule] = self.blocked.get(rule, np.zeros(len(self.start), dtype=bool)) | mask
            self.behind.setdefault(rule, []).extend(names)

    def doubt(self, what: str, rule: str, value: Array, sigma: Array, limit: Array, concerns: Mask) -> None:
        """Notes the pairs in which a limit is within two sigma of what was measured."""
        near = concerns & (sigma > 0) & (np.abs(value - limit) <= 2 * sigma)
        if near.any():
            flat = [np.broadcast_to(part, near.shape).reshape(self.shape) for part in (value, sigma, limit)]
            self.doubts.append(Doubt(what, rule, near.reshape(self.shape), *flat))

    def dark_and_weather(self) -> None:
        """Night, inclement weather and falling snow limit every pair (MM-86, MM-87)."""
        conditions = self.sheet.conditions
        foul = conditions.level is not None or conditions.snow_falls
        if not foul and not self.dark.any():
            return
        near = self.dark if foul else np.zeros_like(self.dark)
        limit = np.where(near, NEAR_MM, np.where(self.dark | foul, FAR_MM, np.inf))
        gap, rule = self.gap.ravel(), "MM-87" if foul else "MM-86"
        self.block(rule, gap > limit + MM)
        self.doubt("sight", rule, gap, self.sigma.ravel(), limit, np.isfinite(limit))

    def woods(self) -> None:
        """Woods: the visibility inside, the edge of an inch, and no more than an inch right through."""
        inclement = self.sheet.conditions.level is not None
        limit = np.where(self.dark | inclement, NEAR_MM, FAR_MM)
        for wood in self.sheet.of_kind("woods"):
            if not wood.may_meet(self.low, self.high):
                continue
            inside = self.lengths_in(wood)
            from_in, to_in = self.ends_in(wood)
            touches = from_in | to_in
            self.block("MM-88", touches & (inside > limit + MM), wood.id)
            self.doubt(f"sight in {wood.id}", "MM-88", inside, self.sigma.ravel(), limit, touches & (inside > 0))
            self.block("MM-89", ~touches & (inside > WOOD_EDGE_MM + MM), wood.id)
            self._edge(wood, from_in & ~to_in, self.start, np.repeat(self.lookers.sigma_mm, len(self.seen)))
            self._edge(wood, to_in & ~from_in, self.end, np.tile(self.seen.sigma_mm, len(self.lookers)))

    def lengths_in(self, piece: Ground) -> Array:
        """How much of each line lies in a piece of terrain, in mm; the same from either side."""
        kept = not self.indoors and self.sheet.owns(self.lookers.unit, self.seen.unit)
        back = self.sheet.known(("lengths", piece.id, self.seen.ids, self.lookers.ids))
        if kept and back is not None:
            return np.ascontiguousarray(back.reshape(self.shape[::-1]).T).ravel()
        low, high = piece.bounds
        below, above = np.minimum(self.start, self.end) <= high, np.maximum(self.start, self.end) >= low
        near = below[:, 0] & below[:, 1] & above[:, 0] & above[:, 1]
        lengths = np.zeros(len(self.start))
        lengths[near] = polygons.lengths_inside(piece.outline, self.start[near], self.end[near])
        if kept:
            self.sheet.keep(("lengths", piece.id, self.lookers.ids, self.seen.ids), lengths)
        return lengths

    def ends_in(self, wood: Ground) -> tuple[Mask, Mask]:
        """Which lines begin and which end in a wood; for figures in the open this is worked out once a figure."""
        if self.indoors:
            return polygons.contains(wood.outline, self.start), polygons.contains(wood.outline, self.end)
        begins, ends = self.sheet.standing_in(self.lookers, wood), self.sheet.standing_in(self.seen, wood)
        return np.repeat(begins, len(self.seen)), np.tile(ends, len(self.lookers))

    def _edge(self, wood: Ground, concerns: Mask, points: Array, sigma: Array) -> None:
        if concerns.any():
            depth = polygons.to_outline(wood.outline, points)
            self.block("MM-89", concerns & (depth > WOOD_EDGE_MM + MM), wood.id)
            self.doubt(f"depth in {wood.id}", "MM-89", depth, sigma, np.array(WOOD_EDGE_MM), concerns)

    def crests(self, house: Ground | None, other_house: Ground | None) -> None:
        """A crest blocks between its two sides, but not for figures that touch it (MM-90)."""
        for hill in self.sheet.of_kind("hill"):
            if hill.crest is None or not hill.may_meet(self.low, self.high):
                continue
            crossing = polygons.crosses_line(hill.crest, self.start, self.end)
            near = touches(self.lookers.bases, hill.crest) & (house is None)
            far = touches(self.seen.bases, hill.crest) & (other_house is None)
            self.block("MM-90", crossing & ~(near[:, None] | far[None, :]).ravel(), hill.id)

    def buildings(self, occupied: set[str]) -> None:
        """Buildings block sight through them, but for those that either side occupies (MM-91)."""
        for house in self.sheet.of_kind("building"):
            if house.id not in occupied and house.may_meet(self.low, self.high):
                through = self.lengths_in(house) > MM
                self.block("MM-91", through, house.id)

    def figures(self) -> None:
        """Friendly figures (or all: R-04) with a margin of a tenth of their width (MM-85, R-03)."""
        others = self.sheet.blockers(self.lookers.unit)
        near = ((others.centre >= self.low) & (others.centre <= self.high)).all(axis=1)
        if not len(self.start) or not near.any():
            return
        others = others.pick(np.flatnonzero(near).tolist())
        distance = base_geometry.to_segments(others.bases, self.start, self.end)
        within = distance < (0.1 * others.bases.width - MM)[:, None]
        grid = within.reshape(len(others), *self.shape)
        names = np.array(others.ids)
        grid &= (names[:, None] != np.array(self.lookers.ids)[None, :])[:, :, None]
        grid &= (names[:, None] != np.array(self.seen.ids)[None, :])[:, None, :]
        friends = {figure.id for unit in self.sheet.game.units if unit.side == self.lookers.unit.side
                   for figure in unit.figures}  # fmt: skip
        own = np.array([name in friends for name in others.ids])
        for rule, which in (("MM-85", own), ("R-04", ~own)):
            blocking = grid & which[:, None, None]
            self.block(rule, blocking.any(axis=0).ravel(), *names[blocking.any(axis=(1, 2))].tolist())


def touches(bases: Bases, path: Array) -> Mask:
    """(n,) whether bases lie within 3 mm of a crest line (k, 2) (R-16)."""
    near: Mask = base_geometry.to_segments(bases, path[:-1], path[1:]).min(axis=1) <= CONTACT_MM + MM
    return near
