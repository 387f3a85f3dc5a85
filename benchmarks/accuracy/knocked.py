"""What is told of a drawn play of knocks, held against what happened."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import UNSET

from benchmarks.accuracy.knocks import Knock, KnockPlay, apart_px, draw_knocks, frames_of_knocks
from benchmarks.accuracy.plays import empty_of_drawn
from calibration.camera import CameraModel
from calibration.errors import JobFailed
from vision.following.watching import Watch
from vision.measure import Measurer
from vision.records import WatchEvent
from vision.simulated import BasePlaced

_PLACED_PX = 0.5  # the pose has been found again when the table is seen this well where it is (rms)
_MATCH_MM = 8.0

HEADING = (
    f"{'':12s} {'px':>5s} {'noticed':>7s} {'found':>5s} {'pose px':>11s} {'false':>5s} {'strayed':>7s} "
    f"{'move':>4s} {'off mm':>6s} {'s':>5s}"
)


@dataclass(frozen=True)
class Glimpse:
    """What the watch held for true after a frame."""

    events: tuple[WatchEvent, ...]
    camera: CameraModel | None
    places: dict[int, tuple[float, float]]


def knocked(seed: int, what: str) -> Iterator[str]:
    """The play of a seed, watched: a row under `HEADING` for each knock."""
    play = draw_knocks(seed, what)
    table, lens = play.drawn.table.table, play.drawn.camera.intrinsics
    watch = Watch(Measurer(table, lens, empty_of_drawn(play.drawn, seed)))
    glimpses, began_s = [], time.process_time()
    for frame in frames_of_knocks(play, seed):
        try:
            events = tuple(watch.take(frame))
        except JobFailed:
            events = ()
        places = {track.number: (track.seen.x_mm, track.seen.y_mm) for track in watch.tracks}
        glimpses.append(Glimpse(events, watch.camera, places))
    seconds = (time.process_time() - began_s) / len(play.knocks)
    for n, knock in enumerate(play.knocks):
        end = play.knocks[n + 1].frame if n + 1 < len(play.knocks) else len(play.tables)
        yield f"{what}-{seed}-{n + 1}".ljust(12) + " " + _row(play, knock, glimpses[:end], seconds)


def _row(play: KnockPlay, knock: Knock, glimpses: Sequence[Glimpse], seconds: float) -> str:
    """How many frames late it was noticed, and its pose found; what was told; the move."""
    virtual, since = play.drawn.table, glimpses[knock.frame :]
    before = glimpses[knock.frame - 1]
    noticed = _first(any(e.event == "disturbed" for e in g.events) or g.camera is not before.camera for g in since)
    off = [math.inf if g.camera is None else apart_px(g.camera, knock.camera, virtual) for g in since]
    rest = knock.moved_frame - knock.frame - 1 if knock.moved else len(since)
    told = [e for g in since for e in g.events if e.event in ("moved", "removed", "appeared")]
    moves = [e for e in told if _is_move(e, knock)]
    known = knock.moved is not None and any(_near(at, knock.moved[0]) for at in before.places.values())
    if knock.moved is not None and not known:  # it was overlooked from the first: to the watch it has come
        moves = [e for e in told if e.event == "appeared" and e.to_mm and _near(e.to_mm, knock.moved[1])]
    false = [e for e in told if e not in moves[:1]]
    last = since[rest - 1].places
    ways = [math.dist(place, last[k]) for k, place in before.places.items() if k in last]
    ways = ways or [math.nan]
    row = f"{knock.shift_px:5.1f} {_late(noticed):>7s} {_late(_first(px <= _PLACED_PX for px in off)):>5s} "
    row += f"{off[0]:5.2f} {off[rest - 1]:5.2f} {len(false):5d} {np.max(ways):7.2f} "
    row += f"{len(moves)}/{int(knock.moved is not None)}  {_off_mm(moves, knock):6.2f}"
    faults = [f"false {e.event} {e.army}/{e.base} at +{e.frame - knock.frame}" for e in false]
    said = ["" if knock.what == "bump" else knock.what, "; ".join(faults[:6])]
    return " ".join([row, f"{seconds:5.0f}", *(words for words in said if words)])


def _first(those: Iterable[bool]) -> int | None:
    return next((n for n, one in enumerate(those) if one), None)


def _late(frames: int | None) -> str:
    return "never" if frames is None else f"+{frames}"


def _is_move(event: WatchEvent, knock: Knock) -> bool:
    """Whether an event is the move that happened."""
    if knock.moved is None or event.event != "moved" or event.frame < knock.moved_frame - 1:
        return False
    ends = zip(knock.moved, (event.from_mm, event.to_mm), strict=True)
    return all(at is not UNSET and _near(at, base) for base, at in ends)


def _near(at: tuple[float, float], base: BasePlaced) -> bool:
    return math.dist(at, (base.x_mm, base.y_mm)) <= _MATCH_MM


def _off_mm(moves: Sequence[WatchEvent], knock: Knock) -> float:
    """By how much the distance that was told is wrong; NaN where none was."""
    if knock.moved is None or not moves or moves[0].distance_mm is UNSET:
        return math.nan
    one, other = knock.moved
    return abs(moves[0].distance_mm - math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)))
