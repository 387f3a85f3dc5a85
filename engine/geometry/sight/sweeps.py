"""Lookers turning round: what is settled by the angles that things cover, and what is left to be looked at."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.sight.blocking import limits
from engine.geometry.sight.covering import NONE, Keys, least_covering, places
from engine.geometry.sight.fans import Fan, fan_of_bodies, fan_of_pieces, joined
from engine.geometry.sight.looking import Seen, held_by, note
from engine.geometry.sight.records import (
    Blocker,
    Crests,
    Limit,
    Lines,
    Opaque,
    Relief,
    Standing,
    Veil,
    Watch,
)

__all__ = ["MOST_PARTS", "Around", "Sweep", "has_fan", "parts_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: About so many couples of targets and columns that cover them are worked on at a time.
_COVERS_AT_ONCE = 200_000
#: More couples of lines and pieces than this are worth looking at in two turns.
_COUPLES_FOR_TWO = 10_000
#: The number of a part takes 16 bits of a key.
MOST_PARTS = 1 << 16


class Around:
    """The targets (m) as they stand round each of some lookers (r): arrays (r, m), by rising direction.

    ``order``: which targets; ``angle`` in radians, ``apart`` in mm.
    """

    def __init__(self, lookers: Array, targets: Array) -> None:
        x, y = (targets[:, axis] - lookers[:, axis : axis + 1] for axis in (0, 1))
        angle = np.arctan2(y, x)
        self.order = np.argsort(angle, axis=1)
        self.angle = np.take_along_axis(angle, self.order, axis=1)
        self.apart = np.take_along_axis(np.hypot(x, y), self.order, axis=1)

    @cached_property
    def rank(self) -> Index:
        """The place (r, m) of each target in that order."""
        rank = np.empty_like(self.order)
        np.put_along_axis(rank, self.order, np.arange(self.order.shape[1])[None], axis=1)
        return rank


class Sweep:
    """Some lookers, and the blockers that are seen as fans: their parts side by side as columns."""

    def __init__(self, whole: Watch, rows: Index, around: Around, fanned: list[int]) -> None:
        self.whole, self.rows, self.around, self.fanned = whole, rows, around, fanned
        self.first = np.cumsum([0, *(parts_of(whole.blockers[number]) for number in fanned)])
        lookers = whole.lookers[rows]
        self.fan = joined([self._fan(whole.blockers[number], lookers) for number in fanned])

    def _fan(self, blocker: Blocker, lookers: Array) -> Fan:
        whole = self.whole
        most = max(float(whole.looker_sigma.max()), float(whole.target_sigma.max()))
        if isinstance(blocker, Standing):
            fan = fan_of_bodies(lookers, blocker.bodies, most)
            if blocker.looker_is is not None:
                fan = fan.without(blocker.looker_is[self.rows][:, None] == np.arange(len(blocker.bases)))
        else:
            assert isinstance(blocker, Opaque | Veil)
            sigma = float(np.hypot(most, blocker.sigma_mm))
            fan = fan_of_pieces(lookers, blocker.pieces, sigma, surely=isinstance(blocker, Opaque))
        return fan.without(None if blocker.spare_from is None else blocker.spare_from[self.rows])

    def run(self, lines: Lines) -> Seen:
        """What is seen along all lines (r * m), row by row."""
        part = self._surely_held()
        seen = Seen.open(len(lines))
        held = np.flatnonzero(part >= 0)
        by = np.searchsorted(self.first, part[held], "right") - 1
        seen.verdict[held], seen.taken[held] = Verdict.NO, True
        seen.by[held] = np.array(self.fanned)[by]
        seen.part[held] = part[held] - self.first[by]
        line, column = self._maybe_held(np.flatnonzero(part < 0))
        order = 0
        for number, blocker in enumerate(self.whole.blockers):
            if number in self.fanned:
                own = (column >= self.first[order]) & (column < self.first[order + 1])
                own &= seen.verdict[line] > Verdict.NO
                _note_couples(seen, number, lines, blocker, (line[own], column[own] - self.first[order]))
                order += 1
            elif parts_of(blocker):
                still = np.flatnonzero(seen.verdict > Verdict.NO)
                note(seen, number, held_by(lines.pick(still), blocker), still)
        return seen

    def _surely_held(self) -> Index:
        """(r * m) the column that surely hides each target, or -1."""
        fan, (rows, count) = self.fan, self.around.angle.shape
        settles = (fan.sure_high >= fan.sure_low) & np.isfinite(fan.far_mm)
        column = np.flatnonzero(settles.any(axis=0))
        low, high = fan.sure_low[:, column], np.where(settles, fan.sure_high, -np.inf)[:, column]
        begin, end = places(self.around.angle, low, high)
        far = np.where(settles, fan.far_mm, 0.0)[:, column]
        key = np.ceil(far * 256).astype(np.int64) << 16 | column
        found = least_covering(*self._past_own_targets(column, begin, end, key), count)
        hides = (found != NONE) & ((found >> 16) <= self.around.apart * 256)
        part = np.full((rows, count), -1, dtype=np.intp)
        np.put_along_axis(part, self.around.order, np.where(hides, found & 0xFFFF, -1), axis=1)
        spared = self._spared_by_target()
        if spared is not None:
            target = np.arange(count)
            part[spared[target, part] & (part >= 0)] = -1
        return part.ravel()

    def _past_own_targets(self, columns: Index, begin: Index, end: Index, key: Keys) -> tuple[Index, Index, Keys]:
        """The intervals without the place of the target whose own base a column is: cut in two there."""
        own = np.full(self.first[-1], -1, dtype=np.intp)
        for order, number in enumerate(self.fanned):
            blocker = self.whole.blockers[number]
            if isinstance(blocker, Standing) and blocker.target_is is not None:
                among = np.flatnonzero(blocker.target_is >= 0)
                own[self.first[order] + blocker.target_is[among]] = among
        own = own[columns]
        column = np.flatnonzero(own >= 0)
        if not len(column):
            return begin, end, key
        count = self.around.order.shape[1]
        place = self.around.rank[:, own[column]]
        low, high = begin[:, column], end[:, column]
        place = np.where(place < low, place + count, place)
        cut = place < high
        end = end.copy()
        end[:, column] = np.where(cut, place, high)
        return (
            np.concatenate([begin, np.where(cut, place + 1, 0)], axis=1),
            np.concatenate([end, np.where(cut, high, 0)], axis=1),
            np.concatenate([key, key[:, column]], axis=1),
        )

    def _spared_by_target(self) -> Mask | None:
        """(m, k) which columns do not concern lines to which targets; None where all do."""
        parts, some = [], False
        for order, number in enumerate(self.fanned):
            blocker = self.whole.blockers[number]
            spared = np.zeros((self.around.order.shape[1], self.first[order + 1] - self.first[order]), dtype=bool)
            assert isinstance(blocker, Opaque | Standing | Veil)
            if blocker.spare_to is not None:
                spared, some = spared | blocker.spare_to, True
            if isinstance(blocker, Standing) and blocker.target_is is not None:
                spared |= blocker.target_is[:, None] == np.arange(spared.shape[1])
                some = True
            parts.append(spared)
        return np.concatenate(parts, axis=1) if some else None

    def _maybe_held(self, open_lines: Index) -> tuple[Index, Index]:
        """Lines and columns (t,), (t,) of which the one may be held up by the other, by line, then by column."""
        fan, (rows, count) = self.fan, self.around.angle.shape
        begin, end = places(self.around.angle, fan.low, fan.high)
        length = end - begin
        opened = np.zeros(rows * count, dtype=bool)
        opened[open_lines] = True
        length[~opened.reshape(rows, count).any(axis=1)] = 0
        ends = np.cumsum(length.sum(axis=1))
        found: list[tuple[Index, Index]] = [(np.zeros(0, np.intp), np.zeros(0, np.intp))]
        first = 0
        while first < rows:  # as many lookers at once as do not take too much memory, but one at least
            most = (ends[first - 1] if first else 0) + _COVERS_AT_ONCE
            last = max(first + 1, int(np.searchsorted(ends, most, "right")))
            found.append(self._covered(slice(first, last), begin, length, opened))
            first = last
        lines, columns_found = zip(*found, strict=True)
        return np.concatenate(lines), np.concatenate(columns_found)

    def _covered(self, some: slice, begin: Index, length: Index, opened: Mask) -> tuple[Index, Index]:
        """As `_maybe_held`, for some of the lookers: every target within the angle under which a column is seen,
        that is not nearer than the column."""
        (_, count), columns = self.around.angle.shape, begin.shape[1]
        lengths = length[some].ravel()
        interval = np.repeat(np.arange(len(lengths)), lengths)
        place = np.arange(len(interval)) + np.repeat(begin[some].ravel() - (np.cumsum(lengths) - lengths), lengths)
        place -= count * (place >= count)
        row = interval // columns
        place += row * count
        kept = np.flatnonzero(self.fan.near_mm[some].ravel()[interval] <= self.around.apart[some].ravel()[place])
        interval, place, row = interval[kept], place[kept], row[kept]
        line = (row + some.start) * count + self.around.order[some].ravel()[place]
        key = line * columns + (interval - row * columns)
        key = np.sort(key[opened[line]])
        found: tuple[Index, Index] = np.divmod(key, columns)
        return found


def _note_couples(seen: Seen, number: int, lines: Lines, blocker: Blocker, couples: tuple[Index, Index]) -> None:
    """Enters what one blocker does to lines; of a veil first one piece for each line, which mostly settles it."""
    (line, part), every = couples, np.arange(len(lines))
    if isinstance(blocker, Veil) and len(line) > _COUPLES_FOR_TWO:
        first = np.concatenate([[True], line[1:] != line[:-1]])
        note(seen, number, held_by(lines, blocker, (line[first], part[first])), every)
        rest = ~first & (seen.verdict[line] > Verdict.NO)
        line, part = line[rest], part[rest]
    note(seen, number, held_by(lines, blocker, (line, part)), every)


def has_fan(blocker: Blocker) -> bool:
    """Whether angles tell which lines a blocker may hold up. A veil that only those inside mind is told by their
    places."""
    return isinstance(blocker, Opaque | Standing) or (isinstance(blocker, Veil) and limits(blocker.through_mm))


def parts_of(blocker: Blocker) -> int:
    """How many parts a blocker has."""
    match blocker:
        case Opaque() | Veil() | Relief():
            return len(blocker.pieces)
        case Standing():
            return len(blocker.bases)
        case Crests():
            return len(blocker.paths)
        case Limit():
            return 1
