"""`vedette watch` on a simulated table: hands come and go, and only what has really happened is told."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from calibration.errors import JobFailed
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.following.changes import Difference
from vision.following.watching import watch
from vision.records import WatchEvent
from vision.simulated import Effects, Renderer, VirtualTable
from vision.sources import Frame

LINE = tuple(base(f"b{n}", 150.0 + 25.6 * n, 180.0) for n in range(5))
LOOSE = (base("f1", 150.0, 330.0, army="french"), base("f2", 450.0, 330.0, army="french"))
START = table(*LINE, *LOOSE)


def hand(at: VirtualTable, x_mm: float, y_mm: float) -> VirtualTable:
    return replace(at, hand_mm=(x_mm, y_mm))


def without(*names: str) -> VirtualTable:
    return replace(START, bases=tuple(b for b in START.bases if b.id not in names))


def with_moved(dx_mm: float, dy_mm: float, *names: str) -> VirtualTable:
    moved = (replace(b, x_mm=b.x_mm + dx_mm, y_mm=b.y_mm + dy_mm) if b.id in names else b for b in START.bases)
    return replace(START, bases=tuple(moved))


def shot(*tables: VirtualTable) -> Iterator[Frame]:
    renderer = Renderer(camera(), Effects(jpeg_quality=0))
    for number, one in enumerate(tables):
        yield Frame(number=number, t_s=number / 2, image=renderer.render(one))


def told(*tables: VirtualTable) -> list[WatchEvent]:
    """The events after those that announce the table."""
    return [e for e in watch(shot(*tables), TABLE, LENS) if not (e.event == "appeared" and e.frame == 0)]


def kinds(events: list[WatchEvent]) -> list[tuple[str, int]]:
    return [(event.event, event.frame) for event in events]


def test_the_settled_table_is_announced_and_lies_still() -> None:
    events = list(watch(shot(START, START, START, START), TABLE, LENS))
    assert kinds(events) == [("appeared", 0)] * 7


def test_a_figure_that_a_hand_moves_is_told_once_when_the_hand_has_gone() -> None:
    after = with_moved(120.0, -60.0, "f1")
    carried = hand(without("f1"), 220, 290)
    events = told(START, START, hand(START, 150, 320), carried, hand(after, 280, 255), after, after)
    assert kinds(events) == [("disturbed", 2), ("settled", 6), ("moved", 6)]
    moved = events[-1]
    assert (moved.army, moved.base) == ("french", "foot")
    assert moved.from_mm == pytest.approx((150, 330), abs=1.0)
    assert moved.to_mm == pytest.approx((270, 270), abs=1.0)
    assert moved.distance_mm == pytest.approx(np.hypot(120, 60), abs=1.0)
    assert moved.sigma_mm is not None


def test_nothing_has_happened_when_a_hand_touched_nothing() -> None:
    events = told(START, hand(START, 150, 250), hand(START, 300, 260), hand(START, 300, 260), START, START)
    assert kinds(events) == [("disturbed", 1), ("settled", 5)]


def test_a_figure_that_comes_back_where_it_was_has_not_moved() -> None:
    events = told(START, hand(without("f2"), 450, 300), hand(without("f2"), 300, 100), START, START)
    assert kinds(events) == [("disturbed", 1), ("settled", 4)]


def test_a_resting_arm_is_waited_for() -> None:
    resting = hand(without("b0", "b1"), 200, 200)
    events = told(START, *[resting] * 8, START, START)
    assert kinds(events) == [("disturbed", 1), ("settled", 10)]


def test_what_is_taken_away_and_put_down_is_told() -> None:
    fewer = without("b4")
    more = replace(fewer, bases=(*fewer.bases, base("f3", 500.0, 90.0, army="french")))
    events = told(START, hand(fewer, 250, 160), fewer, fewer, hand(more, 500, 80), more, more)
    assert kinds(events) == [
        ("disturbed", 1), ("settled", 3), ("removed", 3), ("disturbed", 4), ("settled", 6), ("appeared", 6),
    ]  # fmt: skip
    assert events[2].from_mm == pytest.approx((252.4, 180), abs=1.0)
    assert events[5].to_mm == pytest.approx((500, 90), abs=1.0)


def test_the_moment_between_two_arms_is_used() -> None:
    after = with_moved(0.0, 70.0, "f2")
    events = told(START, hand(START, 450, 300), hand(after, 450, 370), after, hand(after, 150, 300), after, after)
    assert [e.event for e in events] == ["disturbed", "settled", "moved", "disturbed", "settled"]
    assert events[2].frame == 3


def test_a_line_carried_as_one_keeps_its_order() -> None:
    after = with_moved(90.0, 60.0, "b0", "b1", "b2", "b3", "b4")
    events = told(START, hand(after, 300, 200), after, after)
    ways = sorted(e.distance_mm for e in events if e.event == "moved" and isinstance(e.distance_mm, float))
    assert ways == pytest.approx([np.hypot(90, 60)] * 5, abs=1.5)


def test_a_table_that_is_never_seen_cannot_be_watched() -> None:
    with pytest.raises(JobFailed):
        list(watch((Frame(n, n / 2, np.full((540, 720, 3), 90, np.uint8)) for n in range(3)), TABLE, LENS))


def test_covered_markers_only_postpone_the_first_look() -> None:
    blind = Frame(0, 0.0, np.full((540, 720, 3), 90, np.uint8))
    clear = [replace_number(frame, frame.number + 1) for frame in shot(START, START, START)]
    events = list(watch([blind, *clear], TABLE, LENS))
    assert [e.event for e in events].count("appeared") == 7


def replace_number(frame: Frame, number: int) -> Frame:
    return Frame(number=number, t_s=number / 2, image=frame.image)


def test_a_picture_that_only_grew_darker_has_not_changed() -> None:
    renderer = Renderer(camera())
    before = renderer.render(START)
    darker = np.clip(renderer.render(START) * 0.8, 0, 255).astype(np.uint8)
    around = camera().project([(150 + 11 * np.cos(a), 330 + 11 * np.sin(a), 0) for a in np.linspace(0, 6, 12)])
    assert Difference(before, darker).share(around) < 0.05
    assert Difference(before, renderer.render(without("f1"))).share(around) > 0.5


def test_people_beside_the_table_do_not_disturb_it() -> None:
    def with_feet(frame: Frame) -> Frame:
        image = frame.image.copy()
        image[-25:, 40 * frame.number : 40 * frame.number + 150] = (40, 60, 30 + 20 * frame.number)
        return Frame(number=frame.number, t_s=frame.t_s, image=image)

    events = list(watch(map(with_feet, shot(START, START, START, START)), TABLE, LENS))
    assert kinds(events) == [("appeared", 0)] * 7
