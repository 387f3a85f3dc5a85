"""The facts of one unit's small-arm fire at another: who fires, who is seen, how far, what is in doubt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.lines import turned
from engine.geometry.plane.tolerance import MM, at_most
from engine.geometry.shapes.bases import to_segments
from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.seeing import cover
from engine.rulesets.muskets_mohawks.seeing.doubts import pair_borderline
from engine.rulesets.muskets_mohawks.seeing.pairs import Pairs
from engine.rulesets.muskets_mohawks.seeing.sight import pairs
from engine.rulesets.muskets_mohawks.seeing.unseen import blocked_text, out_of_arc
from engine.rulesets.muskets_mohawks.table.bodies import Body
from engine.rulesets.muskets_mohawks.table.broken_ground import wading
from engine.rulesets.muskets_mohawks.table.facts import aspect_from, aspect_of
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, state_of, weapon_of

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_BANK_MM = 1 * MM_PER_INCH

#: Why nobody fires though somebody sees, as text and row.
AT_THE_BANK = "in a creek or ford it may be fired at only from within 1 in (25.4 mm)", "MM-191"
NOBODY_IN_RANGE = "no figure by itself has a target that it sees within range", "R-02"


@dataclass(frozen=True, eq=False)
class Shot:
    """A unit's fire at another: ``firing`` (n, m) are the pairs with arc and sight that count."""

    sheet: Sheet
    pairs: Pairs
    may_fire: Mask
    firing: Mask

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The indices of the figures that fire."""
        return np.flatnonzero(self.firing.any(axis=1))

    @cached_property
    def columns(self) -> NDArray[np.intp]:
        """The indices of the target figures seen."""
        return np.flatnonzero(self.firing.any(axis=0))

    @cached_property
    def shooters(self) -> tuple[str, ...]:
        """The figures that count as firing."""
        return tuple(self.pairs.lookers.ids[i] for i in self.rows)

    @cached_property
    def targets_seen(self) -> tuple[str, ...]:
        """The target figures seen by at least one of them."""
        return tuple(self.pairs.seen.ids[j] for j in self.columns)

    @cached_property
    def _firing_gaps(self) -> Array:
        """(n, m) the distances of the pairs that count, to a millionth so that equals stay equal; else infinite."""
        gaps: Array = np.where(self.firing, self.pairs.gap_mm.round(6), np.inf)
        return gaps

    @cached_property
    def nearest(self) -> tuple[float, float] | None:
        """The range and its sigma in mm: between a shooter and a figure that it sees, else between the units."""
        gap = self._firing_gaps if self.firing.any() else self.pairs.gap_mm.round(6)
        if not gap.size:
            return None
        i, j = np.unravel_index(int(gap.argmin()), gap.shape)
        return float(self.pairs.gap_mm[i, j]), float(self.pairs.sigma_mm[i, j])

    @cached_property
    def aspect(self) -> str:
        """From where the target is shot at (MM-12): the majority of the shooters, else of the whole unit."""
        lookers = self.pairs.lookers.unit
        if self.sheet.building_of(lookers) is None:
            return aspect_of(self.sheet.game, lookers, self.pairs.seen.unit, self.rows.tolist() or None)
        gap = self._firing_gaps
        places = [self.pairs.start[i, int(gap[i].argmin())] for i in self.rows]
        spots = np.array(places).reshape(-1, 2) if places else self.sheet.body(lookers).centre
        return aspect_from(self.sheet.game, spots, self.pairs.seen.unit)

    @cached_property
    def cover(self) -> str | None:
        """The kind of cover of more than half of the figures seen (R-08), each against its nearest shooter."""
        columns = self.columns
        if not len(columns):
            return None
        gap = self._firing_gaps[:, columns]
        origins = self.pairs.start[gap.argmin(axis=0), columns]
        body = self.pairs.seen.pick(columns.tolist())
        return cover.kind_of_most(cover.covers(self.sheet, body, origins, fired_at=True), len(body))


def shot(sheet: Sheet, unit: Unit, target: Unit) -> Shot:
    """The fire of a unit at another, whatever speaks against it."""
    return sheet.memo(("shot", unit.id, target.id), lambda: _shot(sheet, unit, target), unit, target)


def _shot(sheet: Sheet, unit: Unit, target: Unit) -> Shot:
    seen = pairs(sheet, unit, target)
    allowed = may_fire(sheet, unit) & at_the_bank(sheet, sheet.body(unit), target)
    firing = seen.clear & seen.in_arc & allowed[:, None]
    if sheet.conditions.options.range_per_figure and firing.size:
        reach = weapon_of(unit).range_mm
        firing &= np.any(firing & (seen.gap_mm <= reach + MM), axis=1)[:, None]
    return Shot(sheet, seen, allowed, firing)


def may_fire(sheet: Sheet, unit: Unit) -> Mask:
    """(n,) the figures that carry arms to fire; in a building the first half of them (MM-172)."""
    body = sheet.body(unit)
    armed = np.array([figure.role not in ("holder", "pef") for figure in body.figures], dtype=bool)
    if state_of(unit).in_building is not None:
        armed &= np.cumsum(armed) <= (int(armed.sum()) + 1) // 2
    return armed


def at_the_bank(sheet: Sheet, body: Body, target: Unit) -> Mask:
    """(n,) who may fire at a unit in a creek or ford: bases within 1 in of its outline, or in it (MM-191, R-19)."""
    allowed = np.ones(len(body), dtype=bool)
    other = sheet.body(target)
    if state_of(target).in_building is not None:
        return allowed
    for water in sheet.of_kind("creek", "ford"):
        if 2 * int(wading(sheet, other, water).sum()) > len(other):
            ends = turned(water.outline)
            near = to_segments(body.bases, water.outline, ends).min(axis=1, initial=np.inf)
            allowed &= (near <= _BANK_MM + MM) | sheet.standing_in(body, water)
    return allowed


def no_shooter_reasons(found: Shot) -> list[tuple[str, str]]:
    """Why nobody fires, as text and row: arc, sight, the creek's bank."""
    seen = found.pairs
    if not seen.gap_mm.size or found.firing.any():
        return []
    reasons = sight_reasons(seen, arc=True)
    clear = seen.clear & seen.in_arc
    if clear.any() and not found.may_fire[np.any(clear, axis=1)].any():
        reasons.append(AT_THE_BANK)
    elif clear.any():
        reasons.append(NOBODY_IN_RANGE)
    return reasons


def sight_reasons(seen: Pairs, *, arc: bool, among: Mask | None = None) -> list[tuple[str, str]]:
    """Why no pair has sight (and arc, where ``arc``), as text and row; empty where one has.

    ``among`` (m,) says which of the figures looked at matter, where any does.
    """
    everyone = np.ones(seen.gap_mm.shape, dtype=bool)
    wanted = everyone if among is None or not among.any() else everyone & among[None, :]
    counted = wanted & seen.in_arc if arc else wanted
    if (seen.clear & counted).any():
        return []
    reasons = []
    if not counted.any():
        reasons.append(out_of_arc(float(seen.off_deg.min())))
        if (seen.clear & wanted).any():
            return reasons
        counted = wanted
    for rule, mask in seen.blocked.items():
        if (mask & counted).any():
            nearest_mm = float(np.where(counted, seen.gap_mm, np.inf).min())
            reasons.append((blocked_text(rule, seen.behind(rule), nearest_mm), rule))
    return reasons


def range_borderline(value_mm: float, sigma_mm: float, limit_mm: float, what: str = "range") -> list[str]:
    """The limit in words where the measurement cannot settle it: within two sigma, and sigma above 0."""
    if sigma_mm <= 0 or abs(value_mm - limit_mm) > 2 * sigma_mm:
        return []
    side = "within" if at_most(value_mm, limit_mm) else "beyond"
    return [f"{what} {value_mm:.1f} ± {sigma_mm:.1f} mm against {limit_mm:.1f} mm: measured as {side}"]


def sight_borderline(seen: Pairs, allowed: Mask, *, arc: bool) -> list[str]:
    """The limits of arc and sight in words on which it hangs who counts as looking or seen.

    A figure with another pair that is settled does not hang on anything.
    """
    lines: list[str] = []
    for looker, other in hanging(*_settled(seen, allowed, arc=arc), seen.gap_mm):
        lines += pair_borderline(seen, looker, other, arc=arc)
    return list(dict.fromkeys(lines))


def hanging(settled: Mask, unsettled: Mask, gap_mm: Array) -> list[tuple[int, int]]:
    """The pairs of (n, m) on which it hangs who counts as looking or seen: the nearest for each in doubt."""
    chosen: dict[tuple[int, int], None] = {}
    for i in np.flatnonzero(unsettled.any(axis=1) & ~settled.any(axis=1)).tolist():
        chosen[(i, int(np.where(unsettled[i], gap_mm[i], np.inf).argmin()))] = None
    for j in np.flatnonzero(unsettled.any(axis=0) & ~settled.any(axis=0)).tolist():
        chosen[(int(np.where(unsettled[:, j], gap_mm[:, j], np.inf).argmin()), j)] = None
    return list(chosen)


def any_sight_borderline(seen: Pairs, *, arc: bool) -> list[str]:
    """The limits of arc and sight in words on which it hangs whether anybody sees anybody: those of the nearest
    pair in doubt, where no pair is settled."""
    settled, unsettled = _settled(seen, np.ones(len(seen.lookers), dtype=bool), arc=arc)
    if settled.any() or not unsettled.any():
        return []
    return pair_borderline(seen, *nearest_of(unsettled, seen.gap_mm), arc=arc)


def nearest_of(mask: Mask, gap_mm: Array) -> tuple[int, int]:
    """The nearest pair of (n, m) for which a mask holds."""
    row, column = divmod(int(np.where(mask, gap_mm, np.inf).argmin()), mask.shape[1])
    return row, column


def _settled(seen: Pairs, allowed: Mask, *, arc: bool) -> tuple[Mask, Mask]:
    """The pairs that see whatever the error of measurement, and those that may."""
    open_pairs, in_doubt = seen.maybe_clear & allowed[:, None], seen.doubtful
    if arc:
        open_pairs, in_doubt = open_pairs & (seen.in_arc | seen.arc_doubt), in_doubt | seen.arc_doubt
    return open_pairs & ~in_doubt, open_pairs & in_doubt
