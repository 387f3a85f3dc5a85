"""Looking again after a few figures moved: only what may have changed is worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.looking import Seen, held_by, look, note
from engine.geometry.sight.near import lines_by_body, lines_past
from engine.geometry.sight.records import Blocker, Standing, Watch
from engine.geometry.sight.tables import lines_of, watch_groups

__all__ = ["Again", "flipped", "watch_again", "watch_each_again"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Again(Seen):
    """As `Seen`; ``changed`` (n, m): which lines were looked along again. Of the others nothing has changed."""

    changed: Mask


def watch_again(before: Watch, seen: Seen, now: Watch) -> Again:
    """What `watch` gives for ``now``, from what was ``seen`` ``before``.

    Lookers, targets and bases in the way keep their numbers. Only the rows and columns of those that moved, and the
    lines that what moved blocks now or blocked then, are looked along again; where anything else differs, all are.

    >>> start = Watch(np.zeros((1, 2)), np.array([[9.0, 0.0]]), np.zeros(1), np.zeros(1), ())
    >>> from engine.geometry.sight.tables import watch
    >>> watch_again(start, watch(start), replace(start, targets=np.array([[5.0, 5.0]]))).verdict.tolist()
    [[2]]
    """
    return _again(before, (seen,), now, [range(len(now.blockers))])[0]


def watch_each_again(before: Watch, seen: Sequence[Seen], now: Watch) -> tuple[Again, ...]:
    """What `watch_each` gives for ``now``, from what each blocker let be ``seen`` ``before``.

    >>> start = Watch(np.zeros((1, 2)), np.array([[9.0, 0.0]]), np.zeros(1), np.zeros(1), ())
    >>> watch_each_again(start, (), start)
    ()
    """
    return _again(before, seen, now, [(number,) for number in range(len(now.blockers))])


def _again(before: Watch, seen: Sequence[Seen], now: Watch, groups: Sequence[Sequence[int]]) -> tuple[Again, ...]:
    """As `watch_groups`; a group with a blocker that differs by more than figures is looked past anew."""
    change = _Change.between(before, now)
    known = [place for place, group in enumerate(groups) if change.tells(group)]
    other = [place for place in range(len(groups)) if place not in known]
    anew = watch_groups(now, [groups[place] for place in other]) if other else ()
    found = {place: _all_changed(one) for place, one in zip(other, anew, strict=True)}
    kept = _rows_and_columns(now, [seen[place] for place in known], [groups[place] for place in known], change)
    for place, one in zip(known, kept, strict=True):
        _look_past_moved(one, before, now, groups[place], change)
        found[place] = one
    return tuple(found[place] for place in range(len(groups)))


def _all_changed(seen: Seen) -> Again:
    return Again(seen.verdict, seen.by, seen.part, seen.taken, np.ones(seen.verdict.shape, dtype=bool))


def _rows_and_columns(
    now: Watch, seen: Sequence[Seen], groups: Sequence[Sequence[int]], change: _Change
) -> list[Again]:
    """What was seen, with the rows and columns of those that moved as they are now."""
    fresh = [
        Again(
            one.verdict.copy(), one.by.copy(), one.part.copy(), one.taken.copy(), np.zeros(now.shape, dtype=bool)
        )
        for one in seen
    ]  # fmt: skip
    rows, columns = np.flatnonzero(change.lookers), np.flatnonzero(change.targets)
    rest = np.flatnonzero(~change.lookers)
    if len(rows) and fresh:
        for one, part in zip(fresh, watch_groups(_part(now, rows, None), groups), strict=True):
            _enter(one, np.ix_(rows, np.arange(now.shape[1])), part)
    if len(columns) and len(rest) and fresh:
        for one, part in zip(fresh, watch_groups(_part(_flipped(now), columns, rest), groups), strict=True):
            _enter(one, np.ix_(rest, columns), part.turned)
    return fresh


class _Change:
    """Which lookers (n,), targets (m,) and, of each blocker, which bases differ; None: it differs in more."""

    def __init__(self, lookers: Mask, targets: Mask, bases: list[Index | None]) -> None:
        self.lookers, self.targets, self.bases = lookers, targets, bases

    @classmethod
    def between(cls, before: Watch, now: Watch) -> _Change:
        """How two watches differ; of other shapes, or with other blockers, nothing of them is taken as the same."""
        if before.shape != now.shape or len(before.blockers) != len(now.blockers):
            none = np.zeros(now.shape[0], dtype=bool), np.zeros(now.shape[1], dtype=bool)
            return cls(*none, [None] * len(now.blockers))
        lookers = (before.lookers != now.lookers).any(axis=1) | (before.looker_sigma != now.looker_sigma)
        targets = (before.targets != now.targets).any(axis=1) | (before.target_sigma != now.target_sigma)
        change = cls(lookers, targets, [])
        for pair in zip(before.blockers, now.blockers, strict=True):
            change.bases.append(change.of_blocker(*pair))
        return change

    def tells(self, group: Sequence[int]) -> bool:
        """Whether it is known how each of a group of blockers differs."""
        return bool(self.bases or not group) and all(self.bases[number] is not None for number in group)

    def of_blocker(self, old: Blocker, new: Blocker) -> Index | None:
        """The bases that differ; marks the lookers and targets that a blocker has to do with in another way."""
        none = np.zeros(0, dtype=np.intp)
        if old is new:
            return none
        if type(old) is not type(new):
            return None
        for name in ("spare_from", "spare_to", "eye_mm", "seen_mm", "looker_is", "target_is"):
            whose = self.targets if name in ("spare_to", "seen_mm", "target_is") else self.lookers
            if not _rows_differ(getattr(old, name, None), getattr(new, name, None), whose):
                return None
        if isinstance(old, Standing) and isinstance(new, Standing):
            return _bases_that_differ(old, new)
        alike = all(
            self._same(getattr(old, name), getattr(new, name))
            for name in ("pieces", "paths", "sigma_mm", "into_mm", "out_mm", "inside_mm", "through_mm", "depth",
                         "most_mm", "distance_mm")
            if hasattr(old, name)
        )  # fmt: skip
        return none if alike else None

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


def _bases_that_differ(old: Standing, new: Standing) -> Index | None:
    """Which bases stand otherwise than they did; None where there are more or fewer of them."""
    if len(old.bases) != len(new.bases):
        return None
    differ = np.zeros(len(new.bases), dtype=bool)
    for name in ("centre", "half", "bearing_rad", "round_mm", "sigma_mm"):
        unlike = getattr(old.bodies, name) != getattr(new.bodies, name)
        differ |= unlike if unlike.ndim == 1 else unlike.any(axis=1)
    return np.flatnonzero(differ)


def _look_past_moved(seen: Again, before: Watch, now: Watch, group: Sequence[int], change: _Change) -> None:
    """Lines of those who stayed: what moved may have left them, or have come into them."""
    moved = [
        (place, now.blockers[number], before.blockers[number], bases)
        for place, number in enumerate(group)
        if (bases := change.bases[number]) is not None and len(bases)
    ]
    if not moved:
        return
    stayed = ~change.lookers[:, None] & ~change.targets[None, :]
    left = np.zeros(now.shape, dtype=bool)
    for place, new, _, bases in moved:
        assert isinstance(new, Standing)
        of_moved = np.isin(np.arange(len(new.bases)), bases)
        left |= (seen.by == place) & of_moved[seen.part]
    left &= stayed
    again = np.nonzero(left)
    now = replace(now, blockers=tuple(now.blockers[number] for number in group))
    _enter(seen, again, look(lines_of(now, *again), now.blockers))
    for place, new, old, bases in moved:
        assert isinstance(new, Standing)
        assert isinstance(old, Standing)
        _look_past(seen, now, stayed & ~left, place, (old, new), bases)


def _look_past(
    seen: Again, now: Watch, among: Mask, place: int, standing: tuple[Standing, Standing], bases: Index
) -> None:
    """Enters what some bases do to lines where they stand now; lines near to where they stood have changed too.

    Of those in doubt it is not told whether what left them took the sight: they are looked along anew.
    """
    bodies = [one.bodies.pick(bases) for one in standing]
    sigma = [now.looker_sigma, now.target_sigma, *(one.sigma_mm for one in bodies)]
    reach = SIGMAS * float(np.sqrt(sum(float(one.max(initial=0.0)) ** 2 for one in sigma)))
    spots = np.concatenate([one.centre for one in bodies])
    middle = (spots.min(axis=0) + spots.max(axis=0)) / 2
    far = np.hypot(*(spots - middle).T) + np.concatenate([one.reach_mm for one in bodies]) + reach
    looker, target = lines_past(now, among & (seen.verdict > Verdict.NO), middle, float(far.max()))
    doubtful = seen.verdict[looker, target] == Verdict.BORDERLINE
    anew = looker[doubtful], target[doubtful]
    _enter(seen, anew, look(lines_of(now, *anew), now.blockers))
    looker, target = looker[~doubtful], target[~doubtful]
    lines = lines_of(now, looker, target)
    line, body = lines_by_body(bodies[1], lines, reach)
    held = held_by(lines, standing[1], (line, bases[body]))
    some = seen.pick((looker, target))
    note(some, place, held, np.arange(len(lines)))
    _enter(seen, (looker, target), some)


def _enter(seen: Again, where: tuple[Index, ...], part: Seen) -> None:
    seen.enter(where, part)
    seen.changed[where] = True


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
