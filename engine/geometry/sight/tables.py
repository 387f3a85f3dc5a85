"""Every looker against every target at once: what fans settle is settled, the rest is looked at line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.side_by_side import side_by_side
from engine.geometry.sight.looking import Seen, look
from engine.geometry.sight.records import Blocker, Lines, Watch
from engine.geometry.sight.sweeps import MOST_PARTS, Around, Sweep, has_fan, parts_of

__all__ = ["lines_of", "watch", "watch_each", "watch_groups", "watch_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]

#: Lookers worked on at a time, and how many lines make a second thread worth its start.
_ROWS, _LINES_FOR_TWO = 128, 20_000
#: Fewer lines than this are looked at one by one: fans would not pay.
_LINES_FOR_FANS = 1_500


def watch_of(
    lookers: ArrayLike,
    targets: ArrayLike,
    blockers: Sequence[Blocker],
    looker_sigma: ArrayLike = 0.0,
    target_sigma: ArrayLike = 0.0,
) -> Watch:
    """A watch from anything that makes arrays: spots (n, 2), in mm; sigmas in mm may be single numbers."""
    spots = [np.asarray(one, dtype=float).reshape(-1, 2) for one in (lookers, targets)]
    sigma = [
        np.broadcast_to(np.asarray(one, dtype=float), (len(at),))
        for one, at in zip((looker_sigma, target_sigma), spots, strict=True)
    ]
    return Watch(spots[0], spots[1], sigma[0], sigma[1], tuple(blockers))


def watch(whole: Watch, threads: int = 2) -> Seen:
    """Who of the lookers sees whom of the targets: arrays (n, m), as `look` would give line by line.

    Of several things that block a line the one that is given is one of them, not always the first.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.sight.records import Opaque
    >>> house = Opaque(pieces_of([[(4, -1), (6, -1), (6, 1), (4, 1)]]))
    >>> watch(watch_of([[0, 0], [10, 0]], [[10, 0], [10, 10]], [house])).verdict.tolist()
    [[0, 2], [2, 2]]
    """
    return watch_groups(whole, [range(len(whole.blockers))], threads)[0]


def watch_each(whole: Watch, threads: int = 2) -> tuple[Seen, ...]:
    """As `watch`, for each of the blockers as if it were the only one, which then has the number 0.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.geometry.sight.records import Opaque
    >>> house, shed = (Opaque(pieces_of([[(x, -1), (x + 1, -1), (x + 1, 1), (x, 1)]])) for x in (4, 20))
    >>> [one.verdict.tolist() for one in watch_each(watch_of([[0, 0]], [[10, 0]], [house, shed]))]
    [[[0]], [[2]]]
    """
    return watch_groups(whole, [(number,) for number in range(len(whole.blockers))], threads)


def watch_groups(whole: Watch, groups: Sequence[Sequence[int]], threads: int = 2) -> tuple[Seen, ...]:
    """As `watch`, past each group of some of the blockers, by their numbers; `Seen.by` counts in the group."""
    n, m = whole.shape
    past = [tuple(whole.blockers[number] for number in group) for group in groups]
    found = tuple(Seen.open(n * m).reshaped(n, m) for _ in past)
    threads = threads if n * m > _LINES_FOR_TWO else 1
    chunks = np.array_split(np.arange(n), -(-n // (_ROWS * threads)) * threads) if n else []  # as much for each

    def fill(rows: Index) -> None:
        for seen, part in zip(found, _rows_seen(whole, past, rows), strict=True):
            seen.enter(rows, part)

    side_by_side(fill, chunks, threads)
    return found


def lines_of(whole: Watch, looker: Index, target: Index) -> Lines:
    """The lines from chosen lookers (q,) to chosen targets (q,)."""
    return Lines(
        whole.lookers[looker], whole.targets[target], looker, target,
        whole.looker_sigma[looker], whole.target_sigma[target], (whole.lookers, whole.targets),
    )  # fmt: skip


def _rows_seen(whole: Watch, groups: Sequence[tuple[Blocker, ...]], rows: Index) -> list[Seen]:
    """What some of the lookers see past each group of blockers, (r, m)."""
    count = len(whole.targets)
    lines = lines_of(whole, np.repeat(rows, count), np.tile(np.arange(count), len(rows)))
    around: Around | None = None
    found = []
    for blockers in groups:
        fanned = [number for number, one in enumerate(blockers) if parts_of(one) and has_fan(one)]
        parts = sum(parts_of(blockers[number]) for number in fanned)
        if len(lines) < _LINES_FOR_FANS or not 0 < parts < MOST_PARTS:
            seen = look(lines, blockers)
        else:
            around = around or Around(whole.lookers[rows], whole.targets)
            seen = Sweep(replace(whole, blockers=blockers), rows, around, fanned).run(lines)
        found.append(seen.reshaped(len(rows), count))
    return found
