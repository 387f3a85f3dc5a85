"""Who sees whom: lines of sight past everything that may stand in the way, chosen lines or a whole table's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict, Verdicts
from engine.geometry.sight import blocking
from engine.geometry.sight.blocking import Holds
from engine.geometry.sight.records import Blocker, Crests, Limit, Lines, Opaque, Relief, Standing, Veil

__all__ = ["Seen", "all_lines", "held_by", "look", "note"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Seen:
    """What was seen: arrays of the shape of the lines.

    ``verdict``: whether the line is open. ``by``: the number of the first blocker that takes sight away (or puts it
    in doubt where none takes it), -1 for none; ``part``: which of its parts does. ``taken``: whether sight is taken
    away if everything is just as it was measured.
    """

    verdict: Verdicts
    by: NDArray[np.int16]
    part: NDArray[np.int32]
    taken: NDArray[np.bool_]

    @classmethod
    def open(cls, count: int) -> Seen:
        """So many lines that nothing holds up."""
        return cls(
            np.full(count, Verdict.YES, dtype=np.int8), np.full(count, -1, dtype=np.int16),
            np.full(count, -1, dtype=np.int32), np.zeros(count, dtype=bool),
        )  # fmt: skip

    def pick(self, which: tuple[Index | slice, ...]) -> Seen:
        """Some of it, as numpy picks."""
        return Seen(self.verdict[which], self.by[which], self.part[which], self.taken[which])

    def enter(self, which: Index | tuple[Index | slice, ...], part: Seen) -> None:
        """Enters what was seen along some of the lines."""
        self.verdict[which], self.by[which] = part.verdict, part.by
        self.part[which], self.taken[which] = part.part, part.taken

    @property
    def turned(self) -> Seen:
        """The same with lookers and targets exchanged."""
        return Seen(self.verdict.T, self.by.T, self.part.T, self.taken.T)

    def reshaped(self, *shape: int) -> Seen:
        """The same in another shape."""
        return Seen(
            self.verdict.reshape(shape), self.by.reshape(shape), self.part.reshape(shape), self.taken.reshape(shape)
        )  # fmt: skip


def all_lines(
    lookers: ArrayLike, targets: ArrayLike, looker_sigma: ArrayLike = 0.0, target_sigma: ArrayLike = 0.0
) -> Lines:
    """The lines from every looker (n, 2) to every target (m, 2), row by row.

    >>> len(all_lines([[0, 0], [1, 0]], [[5, 5], [6, 6], [7, 7]])), len(all_lines([], []))
    (6, 0)
    """
    start, end = (np.asarray(one, dtype=float).reshape(-1, 2) for one in (lookers, targets))
    n, m = len(start), len(end)
    sigma = [
        np.broadcast_to(np.asarray(one, dtype=float), (k,)) for one, k in ((looker_sigma, n), (target_sigma, m))
    ]
    looker, target = np.repeat(np.arange(n), m), np.tile(np.arange(m), n)
    return Lines(
        start[looker], end[target], looker, target, sigma[0][looker], sigma[1][target], (start, end)
    )  # fmt: skip


def look(lines: Lines, blockers: Sequence[Blocker]) -> Seen:
    """What each line meets, (q,); a line that one blocker surely takes away is not held against later ones.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> house = Opaque(pieces_of([[(4, -1), (6, -1), (6, 1), (4, 1)]]))
    >>> look(all_lines([[0, 0]], [[10, 0], [10, 2.5], [10, 10]]), [house]).verdict.tolist()
    [0, 2, 2]
    """
    seen = Seen.open(len(lines))
    for number, blocker in enumerate(blockers):
        still = np.flatnonzero(seen.verdict > Verdict.NO)
        if not len(still):
            break
        note(seen, number, held_by(lines.pick(still), blocker), still)
    return seen


def held_by(lines: Lines, blocker: Blocker, couples: tuple[Index, Index] | None = None) -> Holds:
    """Everything of one blocker that holds lines up or may do so.

    For terrain and bases chosen ``couples`` of lines and parts may be named: only they are looked at.
    """
    match blocker:
        case Opaque() | Veil():
            return blocking.held_by_terrain(lines, blocker, couples)
        case Standing():
            return blocking.held_by_standing(lines, blocker, couples)
        case Crests():
            return blocking.held_by_crests(lines, blocker)
        case Relief():
            return blocking.held_by_relief(lines, blocker)
        case Limit():
            return blocking.held_by_limit(lines, blocker)


def note(seen: Seen, number: int, held: Holds, lines: Index) -> None:
    """Enters what holds lines up: the worst verdict counts, of equal ones the first part of the first blocker."""
    if not len(held.line):
        return
    key = held.passes.astype(np.int64) << 32 | held.part
    worst = np.full(len(lines), np.int64(Verdict.YES) << 32)
    np.minimum.at(worst, held.line, key)
    which = np.flatnonzero(worst >> 32 < Verdict.YES)
    at, passes, part = lines[which], worst[which] >> 32, worst[which] & 0xFFFFFFFF
    verdict, by = seen.verdict[at], seen.by[at]
    sooner = (number < by) | ((number == by) & (part < seen.part[at]))  # where bases came into a line later
    wins = (passes < verdict) | ((passes == verdict) & sooner)
    seen.verdict[at[wins]], seen.by[at[wins]], seen.part[at[wins]] = passes[wins], number, part[wins]
    seen.taken[lines[held.line[held.takes]]] = True
