"""What of a unit's charge at another its option is told from: for whole sides at once, and one by one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.options.fire_facts import aspects_by_most
from engine.rulesets.muskets_mohawks.options.shooting import any_sight_borderline, nearest_of, sight_reasons
from engine.rulesets.muskets_mohawks.seeing import cover
from engine.rulesets.muskets_mohawks.seeing.outlook import Outlook
from engine.rulesets.muskets_mohawks.seeing.shelter import shelter_of
from engine.rulesets.muskets_mohawks.seeing.sight import pairs
from engine.rulesets.muskets_mohawks.table.approaches import Approach, approach, nearest_lookers
from engine.rulesets.muskets_mohawks.table.facts import aspect_of
from engine.rulesets.muskets_mohawks.table.facts_of_two import FactsOfTwo
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import formation_of

__all__ = ["CHARGE", "ChargeFacts", "cover_against", "faces"]

Mask = NDArray[np.bool_]
Reason = tuple[str, str]


class ChargeFacts(NamedTuple):
    """What one unit's charge at another comes to, whatever else speaks against it.

    The way to it, None where either has no figure; from where it comes; the target's cover against it; why nobody
    sees the target, as text and row; which limits of arc and sight are in doubt.
    """

    way: Approach | None
    aspect: str
    cover: str | None
    unseen: tuple[Reason, ...]
    doubts: tuple[str, ...]


def _of_two(sheet: Sheet, unit: Unit, target: Unit) -> ChargeFacts:
    """The facts of a unit's charge at another, worked out of the two alone."""
    way, aspect = approach(sheet, unit, target), aspect_of(sheet.game, unit, target)
    if way is None:
        return ChargeFacts(None, aspect, None, (), ())
    seen, arc = pairs(sheet, unit, target), faces(unit)
    return ChargeFacts(
        way, aspect, cover_against(sheet, unit, target, way), tuple(sight_reasons(seen, arc=arc)),
        tuple(any_sight_borderline(seen, arc=arc)),
    )  # fmt: skip


def faces(unit: Unit) -> bool:
    """Whether it matters which way the unit faces when it charges (MM-126)."""
    return formation_of(unit) != "unformed"


def cover_against(sheet: Sheet, unit: Unit, target: Unit, way: Approach) -> str | None:
    """The target's cover against lines from the charging figure nearest to it; prone is none (R-08)."""
    body, chargers = sheet.body(target), sheet.body(unit)
    start = chargers.centre[chargers.ids.index(way.figure)]
    origins = np.broadcast_to(start, (len(body), 2))
    return cover.kind_of_most(cover.covers(sheet, body, origins, fired_at=False), len(body))


@dataclass(frozen=True, eq=False)
class _SideCharges:
    """The charges of a whole side at its enemies; lists by the numbers of the units."""

    sheet: Sheet
    side: str
    outlook: Outlook

    def of(self, unit: Unit, target: Unit) -> ChargeFacts:
        """The facts of two units."""
        view = self.outlook.view
        one, other = view.row_number[unit.id], view.column_number[target.id]
        return ChargeFacts(
            approach(self.sheet, unit, target), self._aspects[one][other], self._covers[one][other],
            tuple(self.outlook.reasons(one, other, arc=faces(unit))),
            self._doubts(unit, target) if self._hangs[one][other] else (),
        )  # fmt: skip

    @cached_property
    def _aspects(self) -> list[list[str]]:
        """From where the whole of each unit comes."""
        view = self.outlook.view
        everyone = np.ones((len(view.lookers), len(view.columns)), dtype=bool)
        return aspects_by_most(self.sheet, self.outlook, everyone)

    @cached_property
    def _covers(self) -> list[list[str | None]]:
        view = self.outlook.view
        shelter = shelter_of(self.sheet, self.side, self.outlook)
        nearest: NDArray[np.intp] = nearest_lookers(self.sheet, self.side, view)[:, view.column_unit]
        return shelter.kinds(np.ones(nearest.shape, dtype=bool), nearest, fired_at=False)

    @cached_property
    def _settled(self) -> tuple[Mask, Mask]:
        view, units = self.outlook.view, self.sheet.game.by_id
        arc = np.array([faces(units[name]) for name in view.rows], dtype=bool)[view.row_unit][:, None]
        return self.outlook.settled(np.ones(view.gap_mm.shape, dtype=bool), arc)

    @cached_property
    def _hangs(self) -> list[list[bool]]:
        """Whether it hangs on limits in doubt if anybody sees anybody."""
        outlook, (settled, unsettled) = self.outlook, self._settled
        hangs: list[list[bool]] = (outlook.any_of(unsettled) & ~outlook.any_of(settled)).tolist()
        return hangs

    def _doubts(self, unit: Unit, target: Unit) -> tuple[str, ...]:
        view, (_, unsettled) = self.outlook.view, self._settled
        rows, columns = view.rows[unit.id], view.columns[target.id]
        i, j = nearest_of(unsettled[rows, columns], view.gap_mm[rows, columns])
        looker, other = rows.start + i, columns.start + j
        return tuple(self.outlook.doubts(self.sheet, self.side, looker, other, arc=faces(unit)))


#: The facts of a unit's charge at another.
CHARGE = FactsOfTwo("charge", _of_two, _SideCharges)
