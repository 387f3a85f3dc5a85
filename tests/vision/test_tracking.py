"""Who is who from one look at the table to the next."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from vision.following.tracking import Tracker
from vision.records import BaseSeen, WatchEvent


def base(x_mm: float, y_mm: float, army: str = "british", bearing_deg: float | None = None) -> BaseSeen:
    return BaseSeen(
        army=army, base="foot", x_mm=x_mm, y_mm=y_mm, z_mm=0.0, bearing_deg=bearing_deg,
        sigma_mm=0.3, bearing_sigma_deg=None, confidence=0.9,
    )  # fmt: skip


def touched(x_mm: float, y_mm: float) -> bool:
    return True


def untouched(x_mm: float, y_mm: float) -> bool:
    return False


def looks(*looks_at: list[BaseSeen]) -> list[WatchEvent]:
    """The events of the last look."""
    tracker, events = Tracker(), []
    for number, bases in enumerate(looks_at):
        events = tracker.update(number, number / 2, bases, touched)
    return events


def said(events: list[WatchEvent]) -> set[tuple[str, object, object]]:
    return {(event.event, event.from_mm, event.to_mm) for event in events}


LINE = [base(100.0 + 25.0 * place, 200.0, bearing_deg=0.0) for place in range(6)]

places = st.tuples(st.floats(0, 1800), st.floats(0, 1200))


def apart(chosen: list[tuple[float, float]], least_mm: float) -> bool:
    return all(math.dist(a, b) >= least_mm for a, b in itertools.combinations(chosen, 2))


tables = st.lists(places, min_size=1, max_size=12).filter(lambda chosen: apart(chosen, 25.0))


def test_the_settled_table_is_announced_base_by_base() -> None:
    assert [event.event for event in looks(LINE)] == ["appeared"] * 6
    assert len({event.track for event in looks(LINE)}) == 6


@given(tables, st.permutations(range(12)), st.integers(0, 99))
def test_a_table_that_nobody_touched_says_nothing_in_whatever_order_it_is_seen(
    chosen: list[tuple[float, float]], order: list[int], jitter: int
) -> None:
    before = [base(x, y) for x, y in chosen]
    wobble = [((jitter * (n + 3)) % 7 - 3) * 0.15 for n in range(len(before))]
    after = [base(b.x_mm + w, b.y_mm - w) for b, w in zip(before, wobble, strict=True)]
    assert looks(before, [after[n] for n in order if n < len(after)]) == []


@given(tables, places, st.data())
def test_one_base_that_moves_is_the_only_one_that_is_said_to(
    chosen: list[tuple[float, float]], target: tuple[float, float], data: st.DataObject
) -> None:
    who = data.draw(st.integers(0, len(chosen) - 1))
    rest = [place for n, place in enumerate(chosen) if n != who]
    if not apart([*rest, target], 25.0) or math.dist(target, chosen[who]) < 5.0:
        return
    events = looks([base(*p) for p in chosen], [*(base(*p) for p in rest), base(*target)])
    assert said(events) == {("moved", chosen[who], target)}
    assert events[0].distance_mm == pytest.approx(math.dist(target, chosen[who]), abs=1e-3)


def test_taken_away_and_put_down_are_said_once_each() -> None:
    tracker = Tracker()
    tracker.update(0, 0.0, LINE, touched)
    assert said(tracker.update(9, 4.5, LINE[1:], touched)) == {("removed", (100.0, 200.0), UNSET_PLACE)}
    assert tracker.update(10, 5.0, LINE[1:], touched) == []
    assert said(tracker.update(20, 9.0, [*LINE[1:], base(900.0, 900.0)], touched)) == {
        ("appeared", UNSET_PLACE, (900.0, 900.0))
    }


UNSET_PLACE = WatchEvent(event="settled", frame=0, t_s=0.0).from_mm


def test_a_base_never_turns_into_one_of_the_other_army() -> None:
    events = looks([base(100.0, 100.0)], [base(300.0, 100.0, army="french")])
    assert {event.event for event in events} == {"removed", "appeared"}


def test_what_was_only_missed_where_nothing_changed_still_stands() -> None:
    tracker = Tracker()
    tracker.update(0, 0.0, LINE, touched)
    assert tracker.update(5, 2.5, LINE[1:], untouched) == []
    assert len(tracker.tracks) == 6
    assert tracker.update(6, 3.0, LINE, touched) == []


def test_what_is_found_where_nothing_changed_has_not_come() -> None:
    tracker = Tracker()
    tracker.update(0, 0.0, LINE[1:], touched)
    assert tracker.update(5, 2.5, LINE, untouched) == []
    assert len(tracker.tracks) == 6


def turned(line: list[BaseSeen], turn_deg: float, to: tuple[float, float]) -> list[BaseSeen]:
    """The line carried to a place and turned clockwise as one."""
    t = math.radians(turn_deg)
    cx, cy = sum(b.x_mm for b in line) / len(line), sum(b.y_mm for b in line) / len(line)
    return [
        base(
            to[0] + (b.x_mm - cx) * math.cos(t) + (b.y_mm - cy) * math.sin(t),
            to[1] - (b.x_mm - cx) * math.sin(t) + (b.y_mm - cy) * math.cos(t),
            bearing_deg=((b.bearing_deg or 0.0) + turn_deg) % 360.0,
        )
        for b in line
    ]


@pytest.mark.parametrize("turn_deg", [0, 45, 90, 170, 180, 270, 359])
def test_a_line_picked_up_together_and_turned_keeps_its_order(turn_deg: float) -> None:
    tracker = Tracker()
    began = tracker.update(0, 0.0, LINE, touched)
    after = turned(LINE, turn_deg, (700.0, 600.0))
    events = tracker.update(8, 4.0, after, touched)
    where = {event.track: event.to_mm for event in events}
    assert [where[event.track] for event in began] == [(b.x_mm, b.y_mm) for b in after]


def test_two_lines_that_swap_places_through_each_other_are_two_moves_of_the_least_carrying() -> None:
    near, far = base(100.0, 100.0), base(100.0, 400.0)
    assert looks([near, far], [base(100.0, 130.0), base(100.0, 430.0)])[0].distance_mm == pytest.approx(30.0)


def doubts(*looks_at: list[BaseSeen]) -> list[bool]:
    """Whether each base, in the order of its first place, may have changed places with another."""
    tracker = Tracker()
    for number, bases in enumerate(looks_at):
        tracker.update(number, number / 2, bases, touched)
    return [track.doubtful for track in sorted(tracker.tracks, key=lambda track: track.number)]


def test_one_that_moves_alone_is_known_for_sure() -> None:
    assert doubts(LINE, [*LINE[:5], base(600.0, 500.0, bearing_deg=10.0)]) == [False] * 6


def test_two_alike_that_move_at_once_are_in_doubt_if_each_may_be_the_other() -> None:
    before = [base(100.0, 100.0), base(140.0, 100.0), base(900.0, 900.0)]
    assert doubts(before, [base(300.0, 400.0), base(340.0, 420.0), before[2]]) == [True, True, False]


def test_two_that_move_a_little_each_far_from_one_another_are_known_for_sure() -> None:
    assert doubts([base(100.0, 100.0), base(900.0, 900.0)], [base(160.0, 100.0), base(900.0, 840.0)]) == [False] * 2


def test_a_unit_carried_as_one_is_known_by_its_order() -> None:
    assert doubts(LINE, turned(LINE, 40.0, (700.0, 600.0))) == [False] * 6


def test_of_two_lifted_and_one_put_down_nobody_knows_which() -> None:
    assert doubts([base(100.0, 100.0), base(140.0, 100.0)], [base(300.0, 100.0)]) == [True]


def test_what_fits_a_base_without_paint_best_may_change_from_look_to_look() -> None:
    plain = replace(base(100.0, 100.0), army=None)
    assert looks([plain], [replace(plain, base="skirmisher")]) == []
    assert [e.event for e in looks([plain], [replace(plain, base="skirmisher", x_mm=160.0)])] == ["moved"]
