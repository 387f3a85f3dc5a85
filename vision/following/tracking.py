"""Which base is which from one look to the next: permanence and assignment in millimetres, never motion alone.

A base that nobody touched stays itself; those that went are assigned to those that came, so that a group picked up
together is put down together. What only the measurement missed has not been removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
from msgspec import UNSET, Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.records import BaseSeen, WatchEvent

__all__ = ["Track", "Tracker"]

Points = NDArray[np.float64]

#: A base has moved from this distance on, or from three sigma of both looks if that is more.
_MOVED_MM = 2.0
_SIGMAS = 3.0
#: A group was carried as one where a turn and a shift explain its new places to this rms.
_RIGID_MM = 8.0
#: Who went where is clear when any two by changing places would have gone this many times as far.
_CLEARLY = 1.5


class Track(Struct, frozen=True, kw_only=True):
    """A base that is followed: its number, and how it was seen last where it stood.

    ``doubtful`` is whether it may have changed places with another of its kind: where two that look alike were
    moved at once, no motion tells which is which, and a person who knows should be asked.
    """

    number: int
    seen: BaseSeen
    doubtful: bool = False


class Tracker:
    """Follows the bases of one table from look to look; starts with none."""

    def __init__(self) -> None:
        self._tracks: tuple[Track, ...] = ()
        self._next = 1

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The bases that stand on the table, as far as is known."""
        return self._tracks

    def update(
        self, frame: int, t_s: float, bases: Sequence[BaseSeen], changed: Callable[[float, float], bool]
    ) -> list[WatchEvent]:
        """Takes a look at the settled table in and says what moved, came and went since the last.

        ``changed`` tells of a place (x_mm, y_mm) whether the picture there differs from that of the last look: what
        was missed where nothing changed still stands, and what was found there has not come.
        """
        first = not self._tracks
        stayed, gone, come = _split(self._tracks, bases)
        kept: list[Track] = [replace(track, seen=seen) for track, seen in stayed]
        missed = [track for track in gone if not changed(track.seen.x_mm, track.seen.y_mm)]
        gone = [track for track in gone if track not in missed]
        overlooked = [seen for seen in come if not first and not changed(seen.x_mm, seen.y_mm)]
        come = [seen for seen in come if seen not in overlooked]
        events: list[WatchEvent] = []
        for track, seen, doubtful in _pairs(gone, come):
            gone.remove(track)
            come.remove(seen)
            kept.append(replace(track, seen=seen, doubtful=track.doubtful or doubtful))
            events.append(_moved(frame, t_s, track, seen))
        for track in gone:
            events.append(
                _event("removed", frame, t_s, track, from_mm=_place(track.seen), sigma=track.seen.sigma_mm)
            )
        for seen in come:
            kept.append(self._begin(seen))
            events.append(_event("appeared", frame, t_s, kept[-1], to_mm=_place(seen), sigma=seen.sigma_mm))
        self._tracks = (*kept, *missed, *(self._begin(seen) for seen in overlooked))
        return events

    def _begin(self, seen: BaseSeen) -> Track:
        self._next += 1
        return Track(number=self._next - 1, seen=seen)


def _split(
    tracks: Sequence[Track], bases: Sequence[BaseSeen]
) -> tuple[list[tuple[Track, BaseSeen]], list[Track], list[BaseSeen]]:
    """Those that stayed where they were, nearest first; the tracks that went; the bases that came."""
    gone, come = list(tracks), list(bases)
    near = sorted(
        (
            (_apart(track.seen, seen), at, to)
            for at, track in enumerate(tracks)
            for to, seen in enumerate(bases)
            if _kind(track.seen) == _kind(seen) and _apart(track.seen, seen) <= _gate_mm(track.seen, seen)
        ),
    )
    stayed: list[tuple[Track, BaseSeen]] = []
    for _, at, to in near:
        if tracks[at] in gone and bases[to] in come:
            stayed.append((tracks[at], bases[to]))
            gone.remove(tracks[at])
            come.remove(bases[to])
    return stayed, gone, come


def _pairs(gone: Sequence[Track], come: Sequence[BaseSeen]) -> Iterator[tuple[Track, BaseSeen, bool]]:
    """Who went where, and whether that is in doubt: within each army and kind of base the assignment that asks for
    the least carrying."""
    for kind in dict.fromkeys(_kind(track.seen) for track in gone):
        left = [track for track in gone if _kind(track.seen) == kind]
        there = [seen for seen in come if _kind(seen) == kind]
        if not there:
            continue
        before, after = _points([track.seen for track in left]), _points(there)
        rows, columns = linear_sum_assignment(_squares(before, after))
        carried = _carried(left, there, rows, columns)
        if carried is None:
            doubtful = _in_doubt(before[rows], after[columns], len(left) + len(there) - 2 * len(rows))
        else:
            rows, columns = carried
            doubtful = [False] * len(rows)
        for row, column, doubt in zip(rows, columns, doubtful, strict=True):
            yield left[row], there[column], doubt


def _in_doubt(before: Points, after: Points, spare: int) -> list[bool]:
    """Which of several that went from ``before`` to ``after`` (N, 2) may as well have gone where another went.

    ``spare`` is how many more went or came than are paired: with any, each may be another.
    """
    if spare:
        return [True] * len(before)
    ways = np.hypot(*(before[:, None] - after[None]).transpose(2, 0, 1))
    own = np.diag(ways)
    swapped = ways + ways.T
    np.fill_diagonal(swapped, np.inf)
    return [bool(doubt) for doubt in (swapped < _CLEARLY * (own[:, None] + own)).any(axis=1)]


def _carried(
    left: Sequence[Track], there: Sequence[BaseSeen], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """The assignment of a group that was carried and turned as one, by the turn that its fronts made; else None."""
    if len(left) != len(there) or len(left) < 2:
        return None
    turns = [
        there[column].bearing_deg - left[row].seen.bearing_deg
        for row, column in zip(rows, columns, strict=True)
        if there[column].bearing_deg is not None and left[row].seen.bearing_deg is not None
    ]
    if len(turns) < len(left):
        return None
    turn = np.angle(np.exp(1j * np.radians(turns)).mean())
    cos, sin = np.cos(turn), np.sin(turn)
    before, after = _points([track.seen for track in left]), _points(there)
    # Bearings run clockwise: a turn by t takes (x, y) to (x cos t + y sin t, -x sin t + y cos t).
    expected = (before - before.mean(0)) @ np.array([[cos, -sin], [sin, cos]]) + after.mean(0)
    squares = _squares(expected, after)
    found = linear_sum_assignment(squares)
    return found if float(np.sqrt(squares[found].mean())) <= _RIGID_MM else None


def _squares(before: Points, after: Points) -> Points:
    apart: Points = ((before[:, None] - after[None]) ** 2).sum(axis=2)
    return apart


def _points(bases: Sequence[BaseSeen]) -> Points:
    return np.array([_place(seen) for seen in bases], dtype=np.float64).reshape(-1, 2)


def _place(seen: BaseSeen) -> tuple[float, float]:
    return (seen.x_mm, seen.y_mm)


def _kind(seen: BaseSeen) -> tuple[str | None, str | None]:
    """What a base can be told by; the kind of one without paint is only the one that fits best."""
    return (seen.army, None if seen.army is None else seen.base)


def _apart(one: BaseSeen, other: BaseSeen) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def _gate_mm(one: BaseSeen, other: BaseSeen) -> float:
    return max(_MOVED_MM, _SIGMAS * float(np.hypot(one.sigma_mm, other.sigma_mm)))


def _moved(frame: int, t_s: float, track: Track, seen: BaseSeen) -> WatchEvent:
    event = _event("moved", frame, t_s, track, from_mm=_place(track.seen), to_mm=_place(seen))
    sigma_mm = float(np.hypot(track.seen.sigma_mm, seen.sigma_mm))
    return replace(event, distance_mm=round(_apart(track.seen, seen), 3), sigma_mm=round(sigma_mm, 3))


def _event(
    name: Literal["moved", "appeared", "removed"],
    frame: int,
    t_s: float,
    track: Track,
    *,
    from_mm: tuple[float, float] | None = None,
    to_mm: tuple[float, float] | None = None,
    sigma: float | None = None,
) -> WatchEvent:
    return WatchEvent(
        event=name, frame=frame, t_s=t_s, track=track.number, army=track.seen.army, base=track.seen.base,
        from_mm=UNSET if from_mm is None else from_mm, to_mm=UNSET if to_mm is None else to_mm,
        sigma_mm=UNSET if sigma is None else sigma,
    )  # fmt: skip
