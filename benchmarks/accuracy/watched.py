"""What is told of a drawn play, held against what happened."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from msgspec import UNSET

from benchmarks.accuracy.plays import (
    Incursion,
    Play,
    TrueEvent,
    draw_play,
    empty_of_play,
    frame_name,
    frames_of,
    name_of_play,
)
from benchmarks.accuracy.scoring import MATCH_MM, assign, spread
from calibration.errors import JobFailed
from vision.following.watching import watch
from vision.records import WatchEvent

_LATE = 3  # frames after the hand has gone in which an event is still in time

HEADING = f"{'':10s} {'events':>7s} {'false':>5s} {'late':>4s} {'hands':>6s} {'rms':>5s} {'frames':>6s} {'s':>6s}"


@dataclass(frozen=True)
class Watched:
    """The score of one play."""

    asked: int
    found: int
    late: int
    missed: tuple[TrueEvent, ...]
    false: tuple[WatchEvent, ...]
    hands_told: int
    hands: int
    off_mm: tuple[float, ...]
    frames: int
    seconds: float

    def line(self, name: str) -> str:
        """One row under `HEADING`, and what is wrong in words."""
        figures = (f"{self.found}/{self.asked}", len(self.false), self.late, f"{self.hands_told}/{self.hands}")
        events, false, late, hands = figures
        row = f"{name:10s} {events:>7s} {false:>5d} {late:>4d} {hands:>6s} {spread(self.off_mm)[0]:>5.2f} "
        row += f"{self.frames:>6d} {self.seconds:>6.1f}"
        faults = [f"missed {e.event} {e.base.army}/{e.base.base} ({e.base.id})" for e in self.missed]
        faults += [f"false {e.event} {e.army}/{e.base} at frame {e.frame}" for e in self.false]
        return row + ("   " if faults else "") + "; ".join(faults[:12])


def watched(seed: int, folder: Path | None = None) -> Watched:
    """The play of a seed, watched; by the frames that a folder of plays keeps of it, if there are any."""
    play = draw_play(seed)
    kept = None if folder is None else folder / name_of_play(seed)
    kept = kept if kept is not None and (kept / frame_name(len(play.tables) - 1)).exists() else None
    began_s = time.process_time()
    table, lens = play.drawn.table.table, play.drawn.camera.intrinsics
    try:
        told = list(watch(frames_of(play, seed, kept), table, lens, empty_of_play(play, seed, kept)))
    except JobFailed:
        told = []
    return score_watch(play, told, time.process_time() - began_s)


def score_watch(play: Play, told: Sequence[WatchEvent], seconds: float = math.nan) -> Watched:
    """The events of a play held against what was told; what is announced before the first hand is free."""
    first = min((i.first_frame for i in play.incursions), default=len(play.tables))
    events = [e for e in told if e.event in ("moved", "removed", "appeared")]
    events = [e for e in events if not (e.event == "appeared" and e.frame <= first)]
    costs = np.array([[_apart(true, one) for one in events] for true in play.events])
    pairs = assign(costs.reshape(len(play.events), len(events)), MATCH_MM)
    found, used = {t for t, _ in pairs}, {s for _, s in pairs}
    hands = [_told(hand, told) for hand in play.incursions]
    return Watched(
        asked=len(play.events),
        found=len(pairs),
        late=sum(events[s].frame > play.events[t].clear_frame + _LATE for t, s in pairs),
        missed=tuple(e for n, e in enumerate(play.events) if n not in found),
        false=tuple(e for n, e in enumerate(events) if n not in used),
        hands_told=sum(hands),
        hands=len(hands),
        off_mm=tuple(float(costs[t, s]) for t, s in pairs),
        frames=len(play.tables),
        seconds=seconds,
    )


def _apart(true: TrueEvent, told: WatchEvent) -> float:
    """How far off an event's places are; infinite for another event, or one told before it can be known."""
    army = None if true.base.plain else true.base.army  # nothing tells whose a base without paint is
    same = (true.event, army, true.base.base) == (told.event, told.army, told.base)
    if not same or told.frame < true.earliest_frame:
        return math.inf
    ends = [((true.base.x_mm, true.base.y_mm), told.from_mm), (true.to_mm, told.to_mm)]
    return max(
        math.inf if place is UNSET else math.hypot(place[0] - at[0], place[1] - at[1])
        for at, place in ends
        if at is not None
    )


def _told(hand: Incursion, told: Sequence[WatchEvent]) -> bool:
    """Whether a hand's coming and going were both told, in time."""
    came = any(e.event == "disturbed" and abs(e.frame - hand.first_frame) <= 2 for e in told)
    went = any(e.event == "settled" and 0 <= e.frame - hand.last_frame <= _LATE + 1 for e in told)
    return came and went
