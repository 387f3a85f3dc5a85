"""Looking again after a few figures moved: only what may have changed is worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.pieces import Pieces
from engine.geometry.sight.looking import Seen, held_by, look, note
from engine.geometry.sight.near import lines_by_body
from engine.geometry.sight.records import Blocker, Standing
from engine.geometry.sight.tables import Watch, lines_of, watch

__all__ = ["flipped", "watch_again"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


def watch_again(before: Watch, seen: Seen, now: Watch) -> Seen:
    """What `watch` gives for ``now``, from what was ``seen`` ``before``.

    Lookers, targets and bases in the way keep their numbers. Only the rows and columns of those that moved, and the
    lines that what moved blocks now or blocked then, are looked along again; where anything else differs, all are.

    >>> start = Watch(np.zeros((1, 2)), np.array([[9.0, 0.0]]), np.zeros(1), np.zeros(1), ())
    >>> watch_again(start, watch(start), replace(start, targets=np.array([[5.0, 5.0]]))).verdict.tolist()
    [[2]]
    """
    change = _Change.between(before, now)
    if change is None:
        return watch(now)
    fresh = Seen(seen.verdict.copy(), seen.by.copy(), seen.part.copy())
    rest = np.flatnonzero(~change.lookers)
    rows, columns = np.flatnonzero(change.lookers), np.flatnonzero(change.targets)
    if len(rows):
        _enter(fresh, np.ix_(rows, np.arange(now.shape[1])), watch(_part(now, rows, None)))
    if len(columns) and len(rest):
        _enter(fresh, np.ix_(rest, columns), _turned(watch(_part(_flipped(now), columns, rest))))
    _look_past_moved(fresh, now, change)
    return fresh


class _Change:
    """Which lookers (n,), targets (m,) and, of each blocker, which bases differ."""

    def __init__(self, lookers: Mask, targets: Mask, bases: list[Index]) -> None:
        self.lookers, self.targets, self.bases = lookers, targets, bases

    @classmethod
    def between(cls, before: Watch, now: Watch) -> _Change | None:
        """The changes, or None where more than figures differ."""
        if before.shape != now.shape or len(before.blockers) != len(now.blockers):
            return None
        lookers = (before.lookers != now.lookers).any(axis=1) | (before.looker_sigma != now.looker_sigma)
        targets = (before.targets != now.targets).any(axis=1) | (before.target_sigma != now.target_sigma)
        change = cls(lookers, targets, [])
        ok = all(change.add(*pair) for pair in zip(before.blockers, now.blockers, strict=True))
        return change if ok else None

    def add(self, old: Blocker, new: Blocker) -> bool:
        """Enters the differences of one blocker; False where they are not of figures alone."""
        self.bases.append(np.zeros(0, dtype=np.intp))
        if old is new:
            return True
        if type(old) is not type(new):
            return False
        for name in ("spare_from", "spare_to", "eye_mm", "seen_mm", "looker_is", "target_is"):
            whose = self.targets if name in ("spare_to", "seen_mm", "target_is") else self.lookers
            if not _rows_differ(getattr(old, name, None), getattr(new, name, None), whose):
                return False
        if isinstance(old, Standing) and isinstance(new, Standing):
            return self._add_bases(old, new)
        return all(
            self._same(getattr(old, name), getattr(new, name))
            for name in ("pieces", "paths", "sigma_mm", "into_mm", "out_mm", "inside_mm", "through_mm", "depth",
                         "most_mm", "distance_mm")
            if hasattr(old, name)
        )  # fmt: skip

    def _add_bases(self, old: Standing, new: Standing) -> bool:
        if len(old.bases) != len(new.bases):
            return False
        names = ("centre", "half", "bearing_rad", "round_mm", "sigma_mm")
        differ = np.zeros(len(new.bases), dtype=bool)
        for name in names:
            unlike = getattr(old.bodies, name) != getattr(new.bodies, name)
            differ |= unlike if unlike.ndim == 1 else unlike.any(axis=1)
        self.bases[-1] = np.flatnonzero(differ)
        return True

    def _same(self, old: Any, new: Any) -> bool:
        """Whether two values are alike but in the rows and columns of those that changed."""
        if old is new:
            return True
        if isinstance(old, Pieces):
            return (
                np.array_equal(old.first, new.first)
                and np.array_equal(old.start, new.start, equal_nan=True)
                and np.array_equal(old.height_mm, new.height_mm)
            )
        if isinstance(old, tuple):
            return len(old) == len(new) and all(np.array_equal(*pair) for pair in zip(old, new, strict=True))
        unlike = np.asarray(old != new) if np.shape(old) == np.shape(new) else np.ones((1, 1), dtype=bool)
        if unlike.ndim == 2 and unlike.shape == (len(self.lookers), len(self.targets)):
            unlike = unlike[~self.lookers][:, ~self.targets]
        return not unlike.any()


def _rows_differ(old: Any, new: Any, whose: Mask) -> bool:
    """Marks in ``whose`` the rows that differ; False where the values cannot be compared row by row."""
    if old is new:
        return True
    if old is None or new is None or np.shape(old) != np.shape(new):
        return False
    unlike = np.asarray(old) != np.asarray(new)
    whose |= unlike if unlike.ndim == 1 else unlike.any(axis=1)
    return True


def _look_past_moved(seen: Seen, now: Watch, change: _Change) -> None:
    """Lines of those who stayed: what moved may have left them, or have come into them."""
    stayed = np.ix_(np.flatnonzero(~change.lookers), np.flatnonzero(~change.targets))
    left = np.zeros(seen.verdict.shape, dtype=bool)
    for number, bases in enumerate(change.bases):
        if len(bases):
            left |= (seen.by == number) & np.isin(seen.part, bases)
    free = np.zeros_like(left)
    free[stayed] = True
    again = np.nonzero(left & free)
    _enter(seen, again, look(lines_of(now, *again), now.blockers))
    for number, bases in enumerate(change.bases):
        blocker = now.blockers[number]
        if len(bases) and isinstance(blocker, Standing):
            looker, target = np.nonzero(free & ~left & (seen.verdict > Verdict.NO))
            lines = lines_of(now, looker, target)
            moved = blocker.bodies.pick(bases)
            reach = 2 * float(np.hypot(lines.sigma_mm.max(initial=0.0), moved.sigma_mm.max(initial=0.0)))
            line, body = lines_by_body(moved, lines, reach)
            held = held_by(lines, blocker, (line, bases[body]))
            some = Seen(*(getattr(seen, name)[looker, target] for name in ("verdict", "by", "part")))
            note(some, number, held, np.arange(len(lines)))
            _enter(seen, (looker, target), some)


def _enter(seen: Seen, where: tuple[Index, ...], part: Seen) -> None:
    seen.verdict[where], seen.by[where], seen.part[where] = part.verdict, part.by, part.part


def _turned(seen: Seen) -> Seen:
    return Seen(seen.verdict.T, seen.by.T, seen.part.T)


def _part(whole: Watch, rows: Index, columns: Index | None) -> Watch:
    """Some of the lookers, and some of the targets."""
    columns = np.arange(whole.shape[1]) if columns is None else columns
    return Watch(
        whole.lookers[rows], whole.targets[columns], whole.looker_sigma[rows], whole.target_sigma[columns],
        tuple(_blocker_part(blocker, rows, columns) for blocker in whole.blockers),
    )  # fmt: skip


def _blocker_part(blocker: Blocker, rows: Index, columns: Index) -> Blocker:
    changes: dict[str, Any] = {}
    value: Any
    for names, which in (
        (("spare_from", "looker_is", "eye_mm"), rows),
        (("spare_to", "target_is", "seen_mm"), columns),
    ):
        for name in names:
            value = getattr(blocker, name, None)
            if value is not None:
                changes[name] = value[which]
    for name in _OF_PAIRS:
        value = getattr(blocker, name, None)
        if value is not None and np.ndim(value) == 2:
            across = rows if value.shape[0] > 1 else slice(None)
            changes[name] = value[across][:, columns if value.shape[1] > 1 else slice(None)]
    return replace(blocker, **changes) if changes else blocker


#: What may be given for each pair of a looker and a target.
_OF_PAIRS = ("into_mm", "out_mm", "inside_mm", "through_mm", "most_mm", "distance_mm", "sigma_mm")
_EXCHANGED: Sequence[tuple[str, str]] = (
    ("spare_from", "spare_to"), ("looker_is", "target_is"), ("eye_mm", "seen_mm"), ("into_mm", "out_mm"),
)  # fmt: skip


def _flipped(whole: Watch) -> Watch:
    return Watch(
        whole.targets, whole.lookers, whole.target_sigma, whole.looker_sigma,
        tuple(flipped(blocker) for blocker in whole.blockers),
    )  # fmt: skip


def flipped(blocker: Blocker) -> Blocker:
    """The same blocker for looking the other way along the same lines."""
    changes: dict[str, Any] = {}
    for one, other in _EXCHANGED:
        if hasattr(blocker, one):
            changes[one], changes[other] = getattr(blocker, other), getattr(blocker, one)
    for name in _OF_PAIRS:
        value: Any = changes.get(name, getattr(blocker, name, None))
        if value is not None and np.ndim(value) == 2:
            changes[name] = np.asarray(value).T
    return replace(blocker, **changes) if changes else blocker
