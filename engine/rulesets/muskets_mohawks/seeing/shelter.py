"""The cover of all enemies of a side at once, as `cover.kind_of_most` says it for one unit (R-08)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from engine.rulesets.muskets_mohawks.seeing.cover import (
    INSIDE,
    KINDS,
    LOW,
    behind,
    crests,
    over_crest,
    standing_in,
    within_an_inch,
)
from engine.rulesets.muskets_mohawks.seeing.obstacles import touches
from engine.rulesets.muskets_mohawks.seeing.outlook import Outlook
from engine.rulesets.muskets_mohawks.table.bodies import Body
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["Shelter", "shelter_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


def shelter_of(sheet: Sheet, side: str, outlook: Outlook) -> Shelter:
    """The shelter of the enemies in an outlook of a side; kept with the game."""
    return sheet.memo(("shelter", side, *outlook.view.units), lambda: Shelter(sheet, outlook))


@dataclass(frozen=True, eq=False)
class Shelter:
    """What may cover the targets (m,) of a view; nobody of them is in a building."""

    sheet: Sheet
    outlook: Outlook

    @cached_property
    def _inside(self) -> dict[str, Mask]:
        """By kind, who stands in it (m,)."""
        targets = self.outlook.view.targets
        found = {kind: standing_in(self.sheet, targets, kind) for kind in INSIDE}
        return {kind: mask for kind, mask in found.items() if mask.any()}

    @cached_property
    def _prone(self) -> Mask:
        """(m,) who lies down."""
        view, units = self.outlook.view, self.sheet.game.by_id
        return np.array([state_of(units[name]).prone for name in view.columns], dtype=bool)[view.column_unit]

    @cached_property
    def _lines(self) -> list[tuple[str, Mask, Callable[[Body, Array], Mask]]]:
        """What covers only from lines that cross it: its kind, whom (m,) it can cover, and from which lines."""
        targets = self.outlook.view.targets
        found: list[tuple[str, Mask, Callable[[Body, Array], Mask]]] = []
        for crest in crests(self.sheet):
            found.append(("crest", touches(targets.bases, crest), partial(over_crest, crest)))
        for kind in LOW:
            for piece in self.sheet.of_kind(kind):
                near = within_an_inch(piece.shape, targets.bases, targets.centre)
                found.append((kind, near, partial(behind, piece.shape)))
        return [one for one in found if one[1].any()]

    @property
    def has_lines(self) -> bool:
        """Whether it matters for anybody where the lines come from."""
        return bool(self._lines)

    def kinds(self, seen: Mask, origin: Index, *, fired_at: bool) -> list[list[str | None]]:
        """By the numbers of the units, what covers more than half of the figures seen (u, m).

        ``origin`` (u, m) is from which looker the line to each comes (where none `has_lines` it does not matter);
        ``fired_at``: prone figures count.
        """
        count = self.outlook.counted(seen)
        covered: dict[str, Mask] = {}
        if fired_at and self._prone.any():
            covered["prone"] = seen & self._prone
        covered |= {kind: seen & mask for kind, mask in self._inside.items()}
        for kind, whom, crosses in self._lines:
            mask = self._from_lines(seen & whom, origin, crosses)
            covered[kind] = covered[kind] | mask if kind in covered else mask
        if not covered:
            return [[None] * count.shape[1]] * count.shape[0]
        most = 2 * self.outlook.counted(np.logical_or.reduce(list(covered.values()))) > count
        kinds = sorted(covered, key=KINDS.index)
        greatest = np.stack([self.outlook.counted(covered[kind]) for kind in kinds]).argmax(axis=0)
        return [
            [kinds[number] if holds else None for number, holds in zip(*both, strict=True)]
            for both in zip(greatest.tolist(), most.tolist(), strict=True)
        ]

    def _from_lines(self, wanted: Mask, origin: Index, crosses: Callable[[Body, Array], Mask]) -> Mask:
        view, found = self.outlook.view, np.zeros(wanted.shape, dtype=bool)
        one, other = np.nonzero(wanted)
        if len(one):
            body = view.targets.pick(other.tolist())
            found[one, other] = crosses(body, view.lookers.centre[origin[one, other]])
        return found
