"""Drawn plays: hands do what is said of them, and what a watch tells is held against that."""

from __future__ import annotations

from dataclasses import replace as replace_fields
from functools import cache

import numpy as np
import pytest
import shapely
from msgspec.structs import replace

from benchmarks.accuracy.layout import footprint
from benchmarks.accuracy.plays import Play, draw_play, frames_of
from benchmarks.accuracy.watched import score_watch
from vision.records import WatchEvent

SEEDS = range(1, 5)
drawn = cache(draw_play)


def perfect(play: Play) -> list[WatchEvent]:
    """What a perfect program tells of a play."""
    told = []
    for hand in play.incursions:
        told.append(WatchEvent(event="disturbed", frame=hand.first_frame, t_s=0.0))
        told.append(WatchEvent(event="settled", frame=hand.last_frame + 1, t_s=0.0))
    for true in play.events:
        at, to = (true.base.x_mm, true.base.y_mm), true.to_mm
        event = WatchEvent(
            event="moved" if to else "removed", frame=true.clear_frame, t_s=0.0, army=true.base.army,
            base=true.base.base, from_mm=at,
        )  # fmt: skip
        told.append(replace(event, to_mm=to, distance_mm=float(np.hypot(*np.subtract(to, at)))) if to else event)
    return told


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_gives_the_same_play(seed: int) -> None:
    again = draw_play(seed)
    assert (again.tables, again.events, again.incursions) == (
        drawn(seed).tables,
        drawn(seed).events,
        drawn(seed).incursions,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_before_and_after_a_play_is_what_its_events_say(seed: int) -> None:
    play = drawn(seed)
    places = {base.id: (base.x_mm, base.y_mm) for base in play.tables[0].bases}
    for event in play.events:
        assert places[event.base.id] == (event.base.x_mm, event.base.y_mm)
        if event.to_mm is None:
            del places[event.base.id]
        else:
            places[event.base.id] = event.to_mm
    assert places == {base.id: (base.x_mm, base.y_mm) for base in play.tables[-1].bases}


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_put_down_upon_another(seed: int) -> None:
    table = drawn(seed).tables[-1]
    stands = [footprint(base, table.base_kind(base)) for base in table.bases]
    for first, second in shapely.STRtree(stands).query(stands, "intersects").T:
        if first < second:
            assert shapely.area(shapely.intersection(stands[first], stands[second])) < 1.0


def test_hands_come_and_go_and_between_them_the_table_rests() -> None:
    play = drawn(1)
    over = [table.hand_mm is not None for table in play.tables]
    expected = [any(hand.first_frame <= n <= hand.last_frame for hand in play.incursions) for n in range(len(over))]
    assert over == expected
    assert not over[-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_perfect_watch_is_without_fault(seed: int) -> None:
    play = drawn(seed)
    result = score_watch(play, perfect(play))
    assert (result.found, result.false, result.late) == (len(play.events), (), 0)
    assert result.hands_told == result.hands == len(play.incursions)
    assert result.line("play").count("missed") == 0


def test_what_is_told_too_early_elsewhere_or_not_at_all_is_missed() -> None:
    play = next(play for play in map(drawn, SEEDS) if any(e.to_mm for e in play.events))
    told = perfect(play)
    n = next(n for n, e in enumerate(told) if e.event == "moved")
    early = replace(told[n], frame=0)
    elsewhere = replace(told[n], to_mm=(0.0, 0.0))
    for wrong in (early, elsewhere):
        result = score_watch(play, [*told[:n], wrong, *told[n + 1 :]])
        assert len(result.missed) == len(result.false) == 1
    assert len(score_watch(play, told[:n] + told[n + 1 :]).missed) == 1


def test_nobody_need_tell_whose_a_base_without_paint_is() -> None:
    play = drawn(1)
    unpainted = replace_fields(
        play, events=tuple(replace_fields(e, base=replace(e.base, plain=True)) for e in play.events)
    )
    told = [replace(one, army=None) for one in perfect(play)]
    assert score_watch(unpainted, told).found == len(play.events)
    assert score_watch(play, told).found == 0


def test_the_table_announced_before_the_first_hand_is_free() -> None:
    play = drawn(1)
    first = WatchEvent(event="appeared", frame=0, t_s=0.0, army="a", base="foot", to_mm=(1.0, 1.0))
    late = replace(first, frame=len(play.tables) - 1)
    assert score_watch(play, [first, *perfect(play)]).false == ()
    assert score_watch(play, [late, *perfect(play)]).false == (late,)


def test_frames_are_numbered_and_half_a_second_apart() -> None:
    frames = frames_of(drawn(1), 1)
    first, second = next(frames), next(frames)
    assert (first.number, second.number, second.t_s) == (0, 1, 0.5)
    assert first.image.shape == second.image.shape
