"""Every looker against every target at once: what fans settle is settled, the rest is looked at line by line."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.sight.covering import NONE, Keys, least_covering, places
from engine.geometry.sight.fans import Fan, fan_of_bodies, fan_of_pieces, joined
from engine.geometry.sight.looking import Seen, held_by, look, note
from engine.geometry.sight.records import Blocker, Crests, Limit, Lines, Opaque, Relief, Standing, Veil

__all__ = ["Watch", "lines_of", "watch", "watch_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

#: Lookers worked on at a time, and how many lines make a second thread worth its start.
_ROWS, _LINES_FOR_TWO = 128, 20_000
#: Fewer lines than this are looked at one by one: fans would not pay.
_LINES_FOR_FANS = 1_500
_COVERS_AT_ONCE = 100_000
#: The number of a part takes 16 bits of a key.
_MOST_PARTS = 1 << 16


@dataclass(frozen=True, eq=False)
class Watch:
    """Lookers (n, 2) and targets (m, 2), the sigmas (n,), (m,) of their places, and what stands in their way."""

    lookers: Array
    targets: Array
    looker_sigma: Array
    target_sigma: Array
    blockers: tuple[Blocker, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """How many look, and how many are looked at."""
        return len(self.lookers), len(self.targets)


def watch_of(
    lookers: ArrayLike,
    targets: ArrayLike,
    blockers: Sequence[Blocker],
    looker_sigma: ArrayLike = 0.0,
    target_sigma: ArrayLike = 0.0,
) -> Watch:
    """A watch from anything that makes arrays; sigmas may be single numbers."""
    spots = [np.asarray(one, dtype=float).reshape(-1, 2) for one in (lookers, targets)]
    sigma = [
        np.broadcast_to(np.asarray(one, dtype=float), (len(at),))
        for one, at in zip((looker_sigma, target_sigma), spots, strict=True)
    ]
    return Watch(spots[0], spots[1], sigma[0], sigma[1], tuple(blockers))


def watch(whole: Watch, threads: int = 2) -> Seen:
    """Who of the lookers sees whom of the targets: arrays (n, m), as `look` would give line by line.

    Of several things that block a line the one that is given is one of them, not always the first.

    >>> from engine.geometry.pieces import pieces_of
    >>> house = Opaque(pieces_of([[(4, -1), (6, -1), (6, 1), (4, 1)]]))
    >>> watch(watch_of([[0, 0], [10, 0]], [[10, 0], [10, 10]], [house])).verdict.tolist()
    [[0, 2], [2, 2]]
    """
    n, m = whole.shape
    seen = Seen(*(np.empty((n, m), dtype=kind) for kind in (np.int8, np.int16, np.int32)))
    chunks = [np.arange(begin, min(begin + _ROWS, n)) for begin in range(0, n, _ROWS)]

    def fill(rows: Index) -> None:
        part = _rows_seen(whole, rows)
        seen.verdict[rows], seen.by[rows], seen.part[rows] = part.verdict, part.by, part.part

    if threads > 1 and n * m > _LINES_FOR_TWO:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(fill, chunks))
    else:
        for rows in chunks:
            fill(rows)
    return seen


def lines_of(whole: Watch, looker: Index, target: Index) -> Lines:
    """The lines from chosen lookers (q,) to chosen targets (q,)."""
    return Lines(
        whole.lookers[looker], whole.targets[target], looker, target,
        whole.looker_sigma[looker], whole.target_sigma[target],
    )  # fmt: skip


def _rows_seen(whole: Watch, rows: Index) -> Seen:
    """What some of the lookers see, (r, m)."""
    count = len(whole.targets)
    lines = lines_of(whole, np.repeat(rows, count), np.tile(np.arange(count), len(rows)))
    fanned = [
        number
        for number, one in enumerate(whole.blockers)
        if isinstance(one, Opaque | Standing | Veil) and _parts(one)
    ]
    parts = sum(_parts(whole.blockers[number]) for number in fanned)
    if len(lines) < _LINES_FOR_FANS or not 0 < parts < _MOST_PARTS:
        return look(lines, whole.blockers).reshaped(len(rows), count)
    seen = _Sweep(whole, rows, fanned).run(lines)
    return seen.reshaped(len(rows), count)


class _Sweep:
    """Some lookers, and the blockers that are seen as fans: their parts side by side as columns."""

    def __init__(self, whole: Watch, rows: Index, fanned: list[int]) -> None:
        self.whole, self.rows, self.fanned = whole, rows, fanned
        lookers = whole.lookers[rows]
        x, y = (whole.targets[:, axis] - lookers[:, axis : axis + 1] for axis in (0, 1))
        angle = np.arctan2(y, x)
        self.order = np.argsort(angle, axis=1)
        self.angle = np.take_along_axis(angle, self.order, axis=1)
        self.apart = np.take_along_axis(np.hypot(x, y), self.order, axis=1)
        self.first = np.cumsum([0, *(_parts(whole.blockers[number]) for number in fanned)])
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
        seen = Seen(
            np.full(len(lines), Verdict.YES, dtype=np.int8),
            np.full(len(lines), -1, dtype=np.int16),
            np.full(len(lines), -1, dtype=np.int32),
        )
        held = np.flatnonzero(part >= 0)
        by = np.searchsorted(self.first, part[held], "right") - 1
        seen.verdict[held] = Verdict.NO
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
            elif _parts(blocker):
                still = np.flatnonzero(seen.verdict > Verdict.NO)
                note(seen, number, held_by(lines.pick(still), blocker), still)
        return seen

    def _surely_held(self) -> Index:
        """(r * m) the column that surely hides each target, or -1."""
        fan, (rows, count) = self.fan, self.angle.shape
        settles = (fan.sure_high >= fan.sure_low) & np.isfinite(fan.far_mm)
        column = np.flatnonzero(settles.any(axis=0))
        low, high = fan.sure_low[:, column], np.where(settles, fan.sure_high, -np.inf)[:, column]
        begin, end = places(self.angle, low, high)
        far = np.where(settles, fan.far_mm, 0.0)[:, column]
        key = np.ceil(far * 256).astype(np.int64) << 16 | column
        found = least_covering(*self._past_own_targets(column, begin, end, key), count)
        hides = (found != NONE) & ((found >> 16) <= self.apart * 256)
        part = np.full((rows, count), -1, dtype=np.intp)
        np.put_along_axis(part, self.order, np.where(hides, found & 0xFFFF, -1), axis=1)
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
        count = self.order.shape[1]
        rank = np.empty_like(self.order)
        np.put_along_axis(rank, self.order, np.arange(count)[None], axis=1)
        place = rank[:, own[column]]
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
            spared = np.zeros((self.order.shape[1], self.first[order + 1] - self.first[order]), dtype=bool)
            assert isinstance(blocker, Opaque | Standing | Veil)
            if blocker.spare_to is not None:
                spared, some = spared | blocker.spare_to, True
            if isinstance(blocker, Standing) and blocker.target_is is not None:
                spared |= blocker.target_is[:, None] == np.arange(spared.shape[1])
                some = True
            parts.append(spared)
        return np.concatenate(parts, axis=1) if some else None

    def _maybe_held(self, open_lines: Index) -> tuple[Index, Index]:
        """Lines and columns (t,), (t,) of which the one may be held up by the other."""
        fan, (_, count) = self.fan, self.angle.shape
        begin, end = places(self.angle, fan.low, fan.high)
        begin, length = begin.astype(np.int32), (end - begin).astype(np.int32)
        near = fan.near_mm
        row, target = np.divmod(open_lines, count)
        rank = np.empty_like(self.order)
        np.put_along_axis(rank, self.order, np.arange(count)[None], axis=1)
        place = rank[row, target].astype(np.int32)
        apart = self.apart[row, place]
        found: list[tuple[Index, Index]] = [(np.zeros(0, np.intp), np.zeros(0, np.intp))]
        columns = begin.shape[1]
        step = max(1, _COVERS_AT_ONCE // max(columns, 1))
        for first in range(0, len(open_lines), step):
            which = slice(first, first + step)
            past = place[which, None] - begin[row[which]]
            past += count * (past < 0)
            covered = past < length[row[which]]
            covered &= near[row[which]] <= apart[which, None]
            line, column = np.divmod(np.flatnonzero(covered), columns)
            found.append((open_lines[first + line], column))
        lines, columns_found = zip(*found, strict=True)
        return np.concatenate(lines), np.concatenate(columns_found)


def _note_couples(seen: Seen, number: int, lines: Lines, blocker: Blocker, couples: tuple[Index, Index]) -> None:
    """Enters what one blocker does to lines; of a veil first one piece for each line, which mostly settles it."""
    (line, part), every = couples, np.arange(len(lines))
    if isinstance(blocker, Veil) and len(line):
        first = np.concatenate([[True], line[1:] != line[:-1]])
        note(seen, number, held_by(lines, blocker, (line[first], part[first])), every)
        rest = ~first & (seen.verdict[line] > Verdict.NO)
        line, part = line[rest], part[rest]
    note(seen, number, held_by(lines, blocker, (line, part)), every)


def _parts(blocker: Blocker) -> int:
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
