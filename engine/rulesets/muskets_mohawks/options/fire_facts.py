"""What of a unit's fire at another its options are told from: for whole sides at once, and one by one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geometry.distances import Distances, between_units
from engine.geometry.facing.aspects import Aspect
from engine.geometry.plane.tolerance import MM
from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.options.shooting import (
    AT_THE_BANK,
    NOBODY_IN_RANGE,
    at_the_bank,
    hanging,
    may_fire,
    no_shooter_reasons,
    shot,
    sight_borderline,
)
from engine.rulesets.muskets_mohawks.seeing.outlook import Outlook
from engine.rulesets.muskets_mohawks.seeing.shelter import shelter_of
from engine.rulesets.muskets_mohawks.table.facts import has_only_a_front
from engine.rulesets.muskets_mohawks.table.facts_of_two import FactsOfTwo
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import weapon_of

__all__ = ["FIRE", "FireFacts", "aspects_by_most"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
Reason = tuple[str, str]


class FireFacts(NamedTuple):
    """What one unit's small-arm fire at another comes to, whatever else speaks against it.

    Who fires and who is seen, by id; the range and its sigma in mm, None where there is no figure; from where the
    target is shot at; its cover; why nobody fires, as text and row; which limits of arc and sight are in doubt.
    """

    shooters: tuple[str, ...]
    targets_seen: tuple[str, ...]
    nearest: tuple[float, float] | None
    aspect: str
    cover: str | None
    unseen: tuple[Reason, ...]
    doubts: tuple[str, ...]


def _of_two(sheet: Sheet, unit: Unit, target: Unit) -> FireFacts:
    """The facts of a unit's fire at another, worked out of the two alone."""
    found = shot(sheet, unit, target)
    return FireFacts(
        found.shooters, found.targets_seen, found.nearest, found.aspect, found.cover,
        tuple(no_shooter_reasons(found)), tuple(sight_borderline(found.pairs, found.may_fire, arc=True)),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _SideFire:
    """The fire of a whole side at its enemies; masks of figures are (n, m), lists by the numbers of the units."""

    sheet: Sheet
    side: str
    outlook: Outlook

    def of(self, unit: Unit, target: Unit) -> FireFacts:
        """The facts of two units."""
        view = self.outlook.view
        one, other = view.row_number[unit.id], view.column_number[target.id]
        shooters = self._shooters.get((one, other), ())
        return FireFacts(
            shooters, self._targets_seen.get((one, other), ()), self._nearest[one][other],
            self._aspects[one][other], self._covers[one][other],
            () if shooters else tuple(self._unseen(one, other)),
            self._doubts(one, other) if self._hangs[one][other] else (),
        )  # fmt: skip

    @cached_property
    def _allowed(self) -> Mask:
        """(n, v) who may fire at all at each unit."""
        view, units = self.outlook.view, self.sheet.game.by_id
        armed = np.concatenate([may_fire(self.sheet, units[name]) for name in view.rows])
        banks = [at_the_bank(self.sheet, view.lookers, units[name]) for name in view.columns]
        return armed[:, None] & np.stack(banks, axis=1)

    @cached_property
    def _may_fire(self) -> Mask:
        allowed: Mask = self._allowed[:, self.outlook.view.column_unit]
        return self.outlook.clear & self.outlook.in_arc & allowed

    @cached_property
    def _firing(self) -> Mask:
        """The pairs with arc and sight that count."""
        firing = self._may_fire
        if self.sheet.conditions.options.range_per_figure:
            view, units = self.outlook.view, self.sheet.game.by_id
            reach = np.array([weapon_of(units[name]).range_mm for name in view.rows])[view.row_unit]
            near = self.outlook.by_target(firing & (view.gap_mm <= reach[:, None] + MM))
            firing = firing & near[:, view.column_unit]
        return firing

    @cached_property
    def _fires(self) -> Mask:
        """(n, v) who fires at which unit."""
        return self.outlook.by_target(self._firing)

    @cached_property
    def _seen(self) -> Mask:
        """(u, m) who is seen by the shooters of which unit."""
        return self.outlook.by_looker(self._firing)

    @cached_property
    def _any(self) -> Mask:
        """(u, v) whether anybody fires."""
        return self.outlook.by_target(self._seen)

    @cached_property
    def _shooters(self) -> dict[tuple[int, int], tuple[str, ...]]:
        view = self.outlook.view
        row, other = np.nonzero(self._fires)
        return _named(view.row_unit[row], other, row, view.lookers.ids)

    @cached_property
    def _targets_seen(self) -> dict[tuple[int, int], tuple[str, ...]]:
        view = self.outlook.view
        one, column = np.nonzero(self._seen)
        return _named(one, view.column_unit[column], column, view.targets.ids)

    @cached_property
    def _nearest(self) -> list[list[tuple[float, float]]]:
        """The range and its sigma: between a shooter and a figure that it sees, else between the units."""
        view = self.outlook.view
        whole = ~self._any[view.row_unit][:, view.column_unit]
        table = Distances(np.where(self._firing | whole, view.gap_mm, np.inf), view.sigma_mm)
        found = between_units(table, view.row_unit, view.column_unit, self._any.shape)
        both = zip(found.value_mm.tolist(), found.sigma_mm.tolist(), strict=True)
        return [list(zip(*row, strict=True)) for row in both]

    @cached_property
    def _aspects(self) -> list[list[str]]:
        """From where the targets are shot at (MM-12): the majority of the shooters, else of the whole unit."""
        counted = self._fires | ~self._any[self.outlook.view.row_unit]
        return aspects_by_most(self.sheet, self.outlook, counted)

    @cached_property
    def _covers(self) -> list[list[str | None]]:
        """The cover of the figures seen, each against its nearest shooter."""
        view, shelter = self.outlook.view, shelter_of(self.sheet, self.side, self.outlook)
        nearest = np.zeros(self._seen.shape, dtype=np.intp)
        if shelter.has_lines:
            gap, starts = np.where(self._firing, view.gap_mm.round(6), np.inf), self.outlook.row_starts
            least = np.minimum.reduceat(gap, starts, axis=0)[view.row_unit]
            first = np.where(gap <= least, np.arange(len(gap))[:, None], len(gap))
            nearest = np.minimum.reduceat(first, starts, axis=0)
        return shelter.kinds(self._seen, nearest, fired_at=True)

    @cached_property
    def _anybody(self) -> list[list[bool]]:
        found: list[list[bool]] = self.outlook.any_of(self._may_fire).tolist()
        return found

    def _unseen(self, one: int, other: int) -> list[Reason]:
        """Why nobody fires: arc, sight, the creek's bank."""
        if not self.outlook.sees(one, other, arc=True):
            return self.outlook.reasons(one, other, arc=True)
        return [NOBODY_IN_RANGE if self._anybody[one][other] else AT_THE_BANK]

    @cached_property
    def _settled(self) -> tuple[Mask, Mask]:
        view = self.outlook.view
        arc = np.ones((len(view.lookers), 1), dtype=bool)
        return self.outlook.settled(self._allowed[:, view.column_unit], arc)

    @cached_property
    def _hangs(self) -> list[list[bool]]:
        """Whether it hangs on limits in doubt who counts as looking or seen."""
        outlook, (settled, unsettled) = self.outlook, self._settled
        looks = outlook.by_target(unsettled) & ~outlook.by_target(settled)
        seen = outlook.by_looker(unsettled) & ~outlook.by_looker(settled)
        hangs: list[list[bool]] = (outlook.by_looker(looks) | outlook.by_target(seen)).tolist()
        return hangs

    def _doubts(self, one: int, other: int) -> tuple[str, ...]:
        lines: list[str] = []
        for line in self._lines_in_doubt[one][other]:
            lines += self.outlook.doubts(self.sheet, self.side, *line, arc=True)
        return tuple(dict.fromkeys(lines))

    @cached_property
    def _lines_in_doubt(self) -> list[list[list[tuple[int, int]]]]:
        """The pairs of figures on whose limits it hangs; these limits are worked out together."""
        view, (settled, unsettled) = self.outlook.view, self._settled

        def of(rows: slice, columns: slice) -> list[tuple[int, int]]:
            block = rows, columns
            lines = hanging(settled[block], unsettled[block], view.gap_mm[block])
            return [(rows.start + i, columns.start + j) for i, j in lines]

        parts = zip(view.rows.values(), self._hangs, strict=True)
        found = [
            [of(rows, columns) if hangs else [] for columns, hangs in zip(view.columns.values(), row, strict=True)]
            for rows, row in parts
        ]
        self.outlook.learn_doubts(self.sheet, self.side, list(chain.from_iterable(chain.from_iterable(found))))
        return found


#: The facts of a unit's fire at another.
FIRE = FactsOfTwo("fire", _of_two, _SideFire)


def aspects_by_most(sheet: Sheet, outlook: Outlook, counted: Mask) -> list[list[str]]:
    """By the numbers of the units: from where most of the lookers that count (n, v) come to each target."""
    view, places = outlook.view, outlook.view.aspects

    def number(mask: Mask) -> Index:
        return np.add.reduceat(mask.astype(np.intp), outlook.row_starts, axis=0)

    whole, before = number(counted), number(counted & (places == Aspect.FRONT))
    behind = number(counted & (places == Aspect.REAR))
    aspect = np.where(2 * (whole - before) > whole, Aspect.FLANK, Aspect.FRONT)
    aspect = np.where(2 * behind > whole, Aspect.REAR, aspect)
    aspect[:, [has_only_a_front(sheet, sheet.game.by_id[name]) for name in view.columns]] = Aspect.FRONT
    words = [Aspect(code).name.lower() for code in range(len(Aspect))]
    return [[words[code] for code in row] for row in aspect.tolist()]


def _named(one: Index, other: Index, figure: Index, ids: tuple[str, ...]) -> dict[tuple[int, int], tuple[str, ...]]:
    """The ids of figures by the numbers of two units, in their order."""
    found: dict[tuple[int, int], list[str]] = {}
    for key, number in zip(zip(one.tolist(), other.tolist(), strict=True), figure.tolist(), strict=True):
        found.setdefault(key, []).append(ids[number])
    return {key: tuple(names) for key, names in found.items()}
