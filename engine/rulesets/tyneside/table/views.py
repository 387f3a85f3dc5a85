"""What one unit sees of another, as a record: who sees whose whole base, what takes sight away (TY-41)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdicts
from engine.geometry.plane.distinct import distinct
from engine.rulesets.base.answers.reasons import in_one
from engine.rulesets.tyneside.table.field import Field
from engine.rulesets.tyneside.vocabulary import Cover

__all__ = ["COVERS", "Stop", "View"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: Covers by their rank.
COVERS: tuple[Cover, ...] = ("none", "soft", "hard")


@dataclass(frozen=True)
class Stop:
    """What takes sight away from lines (k,) of a view, or may do so: the thing in words, the row, how surely,
    whether it is terrain, and what was measured of one of the lines, in words against its limit."""

    lines: Index
    passes: Verdicts
    text: str
    rule: str
    terrain: bool = True
    measure: Callable[[int], str] | None = None


@dataclass(frozen=True, eq=False)
class View:
    """What figures of one unit see of another: ``lookers`` (n,) and ``targets`` (m,) number them in the field.

    ``stops``: all that takes sight away as measured; ``throw``: what nobody sees before it is spotted; ``doubts``:
    what may take it away or not. ``cover`` (n, m): the rank in `COVERS` of each target's cover from each looker;
    ``cover_doubts``: what of it the measurement cannot settle, in words, by line (TY-42).
    """

    field: Field
    lookers: Index
    targets: Index
    stops: tuple[Stop, ...]
    throw: tuple[Stop, ...]
    doubts: tuple[Stop, ...]
    cover: NDArray[np.int8]
    cover_doubts: tuple[tuple[int, str], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """How many look, at how many."""
        return len(self.lookers), len(self.targets)

    @cached_property
    def open(self) -> Mask:
        """(n, m) who would see whose whole base were all spotted, as measured (TY-41 to TY-44)."""
        return self._past(self.stops)

    @cached_property
    def sees(self) -> Mask:
        """(n, m) who sees whose whole base, as measured (TY-41 to TY-46)."""
        return self._past((*self.stops, *self.throw))

    @cached_property
    def behind_ground(self) -> Index:
        """(k,) the lines, numbered row by row, that terrain stops."""
        lines = [stop.lines for stop in self.stops if stop.terrain]
        return distinct(np.concatenate(lines)) if lines else np.zeros(0, dtype=np.intp)

    def _past(self, stops: tuple[Stop, ...]) -> Mask:
        left = np.ones(len(self.lookers) * len(self.targets), dtype=bool)
        for stop in stops:
            left[stop.lines] = False
        return left.reshape(self.shape)

    def apart(self) -> Array:
        """(n, m) how far they are from each other in mm."""
        table: Array = self.field.apart.value_mm[np.ix_(self.lookers, self.targets)]
        return table

    def why_not(self) -> Iterator[tuple[str, str]]:
        """In words, with its row, what takes sight away from those lines that are not open; the commonest first."""
        by_rule: dict[str, list[str]] = {}
        for stop in sorted((*self.stops, *self.throw), key=lambda one: -len(one.lines)):
            by_rule.setdefault(stop.rule, []).append(stop.text)
        for rule, texts in by_rule.items():
            yield in_one(texts), rule

    def in_doubt(self) -> tuple[str, ...]:
        """In words what the measurement cannot settle of who sees whom, a line for each thing."""
        return self._in_doubt

    @cached_property
    def _in_doubt(self) -> tuple[str, ...]:
        return tuple(self._told())

    def _told(self) -> Iterator[str]:
        for stop in self.doubts:
            nearest = int(stop.lines[self.apart().ravel()[stop.lines].argmin()])
            one, two = divmod(nearest, len(self.targets))
            pair = f"{self.field.names(self.lookers)[one]} to {self.field.names(self.targets)[two]}"
            more = f", and {len(stop.lines) - 1} more" if len(stop.lines) > 1 else ""
            measured = "" if stop.measure is None else stop.measure(nearest)
            yield f"whether {stop.text}: {', '.join(filter(None, [pair, measured]))}{more}"
