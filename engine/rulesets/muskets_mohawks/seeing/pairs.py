"""What figures see of others, pair by pair: what is clear, what takes sight away, what is in doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.tolerance import DEG
from engine.geometry.sight import Lines
from engine.rulesets.muskets_mohawks.seeing.obstacles import Obstacle
from engine.rulesets.muskets_mohawks.seeing.views import Names, View, in_the_way_of
from engine.rulesets.muskets_mohawks.table.bodies import Body

__all__ = ["ARC_DEG", "Pairs", "Part"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

ARC_DEG = 45.0

#: The rows and the columns of some lookers and looked at.
Part = tuple[slice, slice]
_ALL: Part = (slice(0, None), slice(0, None))


@dataclass(frozen=True, eq=False)
class Pairs:
    """Lookers (n) against the looked at (m); all arrays (n, m), ``start`` and ``end`` (n, m, 2).

    ``blocked`` has, for each row that takes sight away, the pairs that it takes as measured; ``doubtful_by`` those
    for which the measurement does not settle it; ``part`` which part of the row's obstacle is in the way, or one
    of several. The obstacles' own tables may be those of a whole side's ``view``, in which the looked at begin at
    ``first_column`` and the two ``units`` have numbers; or else those of a ``whole`` of which this is a part, where
    the lookers begin at ``first_row``. A whole has the rows and columns of all its ``parts``.
    """

    lookers: Body
    seen: Body
    start: Array
    end: Array
    gap_mm: Array
    off_deg: Array
    sigma_mm: Array
    arc_sigma_deg: Array
    obstacles: Mapping[str, Obstacle]
    blocked: Mapping[str, Mask]
    doubtful_by: Mapping[str, Mask]
    part: Mapping[str, NDArray[np.int32]]
    first_column: int = 0
    view: View | None = None
    units: tuple[int, int] = (0, 0)
    whole: Pairs | None = None
    first_row: int = 0
    parts: tuple[Part, ...] = ()

    def behind(self, rule: str) -> tuple[str, ...]:
        """What takes sight away by a row from the nearest two figures that it does so for: friends or terrain."""
        if self.view is not None:
            return self.view.behind(rule).get(self.units, ())
        whole = self if self.whole is None else self.whole
        return whole._behind(rule)[self.first_row, self.first_column]

    def _behind(self, rule: str) -> Mapping[tuple[int, int], Names]:
        """As `behind`, for each part from which the row takes sight, by where it begins."""
        if rule not in self._named:
            gap = np.where(self.blocked[rule], self.gap_mm.round(6), np.inf)
            parts = [one for one in self.parts or (_ALL,) if np.isfinite(gap[one].min())]
            nearest = [divmod(int(gap[one].argmin()), gap[one].shape[1]) for one in parts]
            begins = [(rows.start, columns.start) for rows, columns in parts]
            row, column = (np.array(begins) + np.array(nearest)).T
            lines = Lines(
                self.start[row, column], self.end[row, column], row, column,
                self.lookers.sigma_mm[row], self.seen.sigma_mm[column],
            )  # fmt: skip
            self._named[rule] = dict(zip(begins, in_the_way_of(lines, self.obstacles[rule]), strict=True))
        return self._named[rule]

    @cached_property
    def _named(self) -> dict[str, Mapping[tuple[int, int], Names]]:
        return {}

    def part_of(self, lookers: Body, seen: Body, first_row: int, first_column: int) -> Pairs:
        """Those of some of the lookers and of the looked at, which begin at a row and a column."""
        part = slice(first_row, first_row + len(lookers)), slice(first_column, first_column + len(seen))
        blocked, doubtful = (
            {rule: mask[part] for rule, mask in one.items()} for one in (self.blocked, self.doubtful_by)
        )
        return Pairs(
            lookers, seen, self.start[part], self.end[part], self.gap_mm[part], self.off_deg[part],
            self.sigma_mm[part], self.arc_sigma_deg[part], self.obstacles,
            {rule: mask for rule, mask in blocked.items() if mask.any()},
            {rule: mask for rule, mask in doubtful.items() if mask.any()},
            {rule: one[part] for rule, one in self.part.items()},
            first_column=first_column, whole=self, first_row=first_row,
        )  # fmt: skip

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
            maybe &= ~mask | self.doubtful_by.get(rule, False)
        return maybe

    @cached_property
    def doubtful(self) -> Mask:
        """Some limit of sight is in doubt."""
        doubtful = np.zeros(self.gap_mm.shape, dtype=bool)
        for mask in self.doubtful_by.values():
            doubtful |= mask
        return doubtful
