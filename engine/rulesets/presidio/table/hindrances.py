"""What takes sight from figures to figures: bases, blocks, woods, the dark (PR-006, PR-404 to PR-407)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.tolerance import MM
from engine.geometry.sight import Blocker, Limit, Relief, Standing, Veil
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.field import Field
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, state_of

__all__ = ["Hindrances"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


class Hindrances:
    """The blockers of lines from some figures (n,) to others (m,), by their numbers in the field.

    Units in ``through`` (by id) stand in nobody's way.
    """

    def __init__(self, field: Field, lookers: Index, targets: Index, through: frozenset[str] = frozenset()) -> None:
        self.field, self.lookers, self.targets, self.through = field, lookers, targets, through
        self.light = conditions_of(field.game).light

    def all(self) -> tuple[Blocker, ...]:
        """All of them."""
        dark = () if self.dark is None else (self.dark,)
        return (self.bases[1], self.blocks[1], *(veil for _, veil in self.woods), *dark)

    @cached_property
    def bases(self) -> tuple[Index, Standing]:
        """Who stands in the way, but for comrades and for those whom looker or target overlooks (PR-006)."""
        field = self.field
        shown = [
            number for number, unit in enumerate(field.units)
            if unit.id not in self.through and not field.marker[number]
        ]  # fmt: skip
        standing = np.array(shown, dtype=np.intp)
        ground, over = field.ground_mm, book().mm("higher")
        spared = [
            (ground[ends][:, None] >= ground[standing][None, :] + over - MM)
            | (field.whose[ends][:, None] == field.whose[standing][None, :])
            for ends in (self.lookers, self.targets)
        ]
        bases = field.bases.pick(standing)
        return standing, Standing(bases, spare_from=spared[0], spare_to=spared[1])

    @cached_property
    def blocks(self) -> tuple[list[int], Relief]:
        """What stands higher than the line between the eyes, but for what either is on, in or posted at."""
        field = self.field
        which = [number for number, patch in enumerate(field.patches) if patch.block_mm > 0]
        eyes = field.eyes_mm
        return which, Relief(
            field.pieces.pick(which), eyes[self.lookers], eyes[self.targets],
            spare_from=self._spared(self.lookers, which), spare_to=self._spared(self.targets, which),
        )  # fmt: skip

    def _spared(self, figures: Index, which: list[int]) -> Mask:
        """(n, k) which pieces do not stop those who are inside, or posted at an opening of them."""
        field = self.field
        posted = [state_of(field.units[one]).position not in (None, "ladder") for one in figures.tolist()]
        spared = field.inside[figures][:, which]
        if not any(posted):
            return spared
        posts = np.array([field.patches[number].posts for number in which], dtype=bool)
        near = field.piece_gaps[figures][:, which] <= book().mm("defended") + MM
        return np.asarray(spared | (posts[None, :] & near & np.array(posted, dtype=bool)[:, None]), dtype=bool)

    @cached_property
    def woods(self) -> tuple[tuple[int, Veil], ...]:
        """Woods by their number: 2 in out of them, so much within, half of it into them, nothing right through."""
        through = np.inf if conditions_of(self.field.game).options.see_through_woods else 0.0
        found = []
        for number, patch in enumerate(self.field.patches):
            if patch.woods:
                deep = patch.ground.vision * MM_PER_IN
                veil = Veil(
                    self.field.pieces.pick([number]), into_mm=deep / 2, out_mm=book().mm("out_of_woods"),
                    inside_mm=deep, through_mm=through,
                )  # fmt: skip
                found.append((number, veil))
        return tuple(found)

    def ways(self, number: int, inside: Mask) -> Iterator[tuple[str, str, Mask]]:
        """The rows by which woods stop lines (k,), whose ends stand inside or not (2, k), in words."""
        looker, target = inside
        deep, out = self.field.patches[number].ground.vision, book().limits["out_of_woods"]
        yield "PR-405", f"no more than {deep:g} in is seen within", looker & target
        yield "PR-404", f"one fires out of it from {out:g} in deep at most", looker & ~target
        yield "PR-406", f"no more than {deep / 2:g} in is seen into it", ~looker & target
        yield "PR-406", "one does not see through it", ~looker & ~target

    @cached_property
    def _far(self) -> float:
        """How far one sees over open ground by night or dusk, in inches."""
        conditions = conditions_of(self.field.game)
        return book().night["full" if conditions.light == "dusk" else conditions.moon]

    @cached_property
    def _hidden(self) -> Mask:
        """Which of the targets are in woods (m,)."""
        woods = np.array([patch.woods for patch in self.field.patches], dtype=bool)
        return np.asarray((self.field.inside[self.targets] & woods).any(axis=1), dtype=bool)

    @property
    def darkness(self) -> str:
        """How near one must be to be seen by night or dusk, in words."""
        into = f", {self._far / 2:g} in into woods" if self._hidden.any() else ""
        return f"beyond the {self._far:g} in that one sees by {self.light}{into}"

    @cached_property
    def dark(self) -> Limit | None:
        """How far anybody sees by night or dusk, base outline to base outline; half as far into woods (PR-407)."""
        conditions, field = conditions_of(self.field.game), self.field
        if conditions.light == "day":
            return None
        pairs = np.ix_(self.lookers, self.targets)
        most = np.where(self._hidden, self._far / 2, self._far)[None, :] * MM_PER_IN
        most = most + np.zeros((len(self.lookers), 1))
        return Limit(most, field.edges.value_mm[pairs], field.edges.sigma_mm[pairs])
