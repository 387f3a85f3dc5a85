"""What a whole side sees of its enemies: for every pair of units at once what `sight.Pairs` has for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.plane.tolerance import DEG
from engine.rulesets.muskets_mohawks.seeing.doubts import Doubts, doubts_of_side, pair_borderline
from engine.rulesets.muskets_mohawks.seeing.pairs import ARC_DEG, Pairs
from engine.rulesets.muskets_mohawks.seeing.sight import whole_pairs
from engine.rulesets.muskets_mohawks.seeing.unseen import blocked_text, out_of_arc
from engine.rulesets.muskets_mohawks.seeing.views import View
from engine.rulesets.muskets_mohawks.table.sheet import Sheet

__all__ = ["Outlook", "outlook_of"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Flags = list[list[bool]]
Numbers = list[list[float]]


def outlook_of(sheet: Sheet, side: str, view: View, rows: tuple[str, ...], columns: tuple[str, ...]) -> Outlook:
    """The outlook of some of a side's units on some others, as its view has them; kept with the game."""
    return sheet.memo(("outlook", side, rows, columns), lambda: Outlook(view.part(rows, columns)))


@dataclass(frozen=True, eq=False)
class Outlook:
    """A view by units: masks of figures are (n, m), lists are by the numbers of the units."""

    view: View

    @cached_property
    def row_starts(self) -> NDArray[np.intp]:
        """(u,) where each unit of the lookers begins."""
        return np.array([part.start for part in self.view.rows.values()], dtype=np.intp)

    @cached_property
    def column_starts(self) -> NDArray[np.intp]:
        """(v,) where each unit of the targets begins."""
        return np.array([part.start for part in self.view.columns.values()], dtype=np.intp)

    def by_target(self, mask: Mask) -> Mask:
        """(n, v) of a mask (n, m): whether it holds for any figure of the target."""
        found: Mask = np.logical_or.reduceat(mask, self.column_starts, axis=1)
        return found

    def by_looker(self, mask: Mask) -> Mask:
        """(u, m) of a mask (n, m): whether it holds for any figure of the looking unit."""
        found: Mask = np.logical_or.reduceat(mask, self.row_starts, axis=0)
        return found

    def any_of(self, mask: Mask) -> Mask:
        """(u, v) of a mask (n, m): whether it holds for any two figures of two units."""
        return self.by_target(self.by_looker(mask))

    def counted(self, mask: Mask) -> NDArray[np.intp]:
        """(u, v) of a mask (u, m): for how many figures of the target it holds."""
        found: NDArray[np.intp] = np.add.reduceat(mask.astype(np.intp), self.column_starts, axis=1)
        return found

    def least(self, table: Array) -> Array:
        """(u, v) the least of a table (n, m) for two units."""
        rows = np.minimum.reduceat(table, self.row_starts, axis=0)
        found: Array = np.minimum.reduceat(rows, self.column_starts, axis=1)
        return found

    @cached_property
    def in_arc(self) -> Mask:
        """Within 45 degrees of the looker's front (MM-83)."""
        arc: Mask = self.view.off_deg <= ARC_DEG + DEG
        return arc

    @cached_property
    def clear(self) -> Mask:
        """Nothing takes the sight away."""
        clear = np.ones(self.view.gap_mm.shape, dtype=bool)
        for mask in self.view.blocked.values():
            clear &= ~mask
        return clear

    @cached_property
    def arc_doubt(self) -> Mask:
        """The arc is not settled by the measurement."""
        sigma = self.view.arc_sigma_deg
        doubt: Mask = (sigma > 0) & (np.abs(self.view.off_deg - ARC_DEG) <= 2 * sigma)
        return doubt

    @cached_property
    def _in_doubt(self) -> Mapping[str, Mask]:
        return {rule: seen.verdict == Verdict.BORDERLINE for rule, seen in self.view.seen.items()}

    @cached_property
    def maybe_clear(self) -> Mask:
        """Clear, or kept from it only by limits in doubt."""
        maybe = np.ones(self.view.gap_mm.shape, dtype=bool)
        for rule, mask in self.view.blocked.items():
            maybe &= ~mask | self._in_doubt[rule]
        return maybe

    @cached_property
    def doubtful(self) -> Mask:
        """Some limit of sight is in doubt."""
        doubtful = np.zeros(self.view.gap_mm.shape, dtype=bool)
        for mask in self._in_doubt.values():
            doubtful |= mask
        return doubtful

    def settled(self, allowed: Mask, arc: Mask) -> tuple[Mask, Mask]:
        """The pairs of figures that see whatever the error of measurement, and those that may.

        ``allowed`` (n, m) may look at all; for lookers in ``arc`` (n, 1) it matters which way they face.
        """
        open_pairs = self.maybe_clear & allowed & (self.in_arc | self.arc_doubt | ~arc)
        in_doubt = self.doubtful | (self.arc_doubt & arc)
        return open_pairs & ~in_doubt, open_pairs & in_doubt

    def doubts(self, sheet: Sheet, side: str, looker: int, other: int, *, arc: bool) -> list[str]:
        """As `pair_borderline` of two figures of the side's view."""
        seen, known = self._doubts(sheet, side)
        return pair_borderline(seen, *self.view.in_whole(looker, other), arc=arc, known=known)

    def learn_doubts(self, sheet: Sheet, side: str, lines: Sequence[tuple[int, int]]) -> None:
        """Puts the limits of sight between pairs of figures into words all at once, which `doubts` asks for."""
        self._doubts(sheet, side)[1].learn([self.view.in_whole(*line) for line in lines])

    def _doubts(self, sheet: Sheet, side: str) -> tuple[Pairs, Doubts]:
        seen = whole_pairs(sheet, side, self.view.whole or self.view)
        return seen, sheet.memo(("tells", side), lambda: doubts_of_side(sheet, side, seen))

    @cached_property
    def _any_clear(self) -> Flags:
        found: Flags = self.any_of(self.clear).tolist()
        return found

    @cached_property
    def _clear_in_arc(self) -> Flags:
        found: Flags = self.any_of(self.clear & self.in_arc).tolist()
        return found

    @cached_property
    def _any_in_arc(self) -> Flags:
        found: Flags = self.any_of(self.in_arc).tolist()
        return found

    @cached_property
    def _least_off_deg(self) -> Numbers:
        found: Numbers = self.least(self.view.off_deg).tolist()
        return found

    @cached_property
    def _behind(self) -> Mapping[bool, tuple[Mapping[str, Flags], Numbers]]:
        """For those in arc (true), and for all: from whom each row takes sight, and how near the nearest is."""
        told = {}
        for arc in (False, True):
            blocked = {
                rule: self.any_of(mask & self.in_arc if arc else mask).tolist()
                for rule, mask in self.view.blocked.items()
                if mask.any()
            }
            gap = np.where(self.in_arc, self.view.gap_mm, np.inf) if arc else self.view.gap_mm
            told[arc] = (blocked, self.least(gap).tolist())
        return told

    def sees(self, one: int, other: int, *, arc: bool) -> bool:
        """Whether any figure of a unit sees any of another (in its arc, where ``arc``), by their numbers."""
        return (self._clear_in_arc if arc else self._any_clear)[one][other]

    def reasons(self, one: int, other: int, *, arc: bool) -> list[tuple[str, str]]:
        """As `shooting.sight_reasons` of two units, by their numbers."""
        if self.sees(one, other, arc=arc):
            return []
        found: list[tuple[str, str]] = []
        if arc and not self._any_in_arc[one][other]:
            found.append(out_of_arc(self._least_off_deg[one][other]))
            if self._any_clear[one][other]:
                return found
            arc = False
        blocked, nearest = self._behind[arc]
        for rule, pairs in blocked.items():
            if pairs[one][other]:
                names = self.view.behind(rule).get((one, other), ())
                nearest_mm = 0.0 if names else nearest[one][other]  # which is not said beside names
                found.append((blocked_text(rule, names, nearest_mm), rule))
        return found
