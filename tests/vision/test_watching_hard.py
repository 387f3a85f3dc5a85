"""`vedette watch` where it is hard: figures alike that change places, wheels, resting arms, lamps, bumps, a cap on
the lens. Each sequence is filmed by the simulated camera."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from calibration.camera import CameraModel
from tests.long_runs import some
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.following.watching import Watch
from vision.measure import Measurer
from vision.records import WatchEvent
from vision.simulated import BasePlaced, Effects, Renderer, TerrainPlaced, VirtualTable
from vision.simulated.camera import camera_over
from vision.sources import Frame

LINE = tuple(base(f"b{n}", 150.0 + 25.6 * n, 180.0) for n in range(5))
LOOSE = (base("f1", 150.0, 330.0, army="french"), base("f2", 450.0, 330.0, army="french"))
START = table(*LINE, *LOOSE)
BUMPED = camera_over((303.0, 184.0, 820.0), (306.0, 231.0), LENS)

Shot = VirtualTable | tuple[VirtualTable, CameraModel] | np.ndarray


def film(*shots: Shot, step_s: float = 0.5) -> Iterator[Frame]:
    """A frame every so often: of a table, of a table by another camera, or a picture as it is."""
    renderers: dict[int, Renderer] = {}
    usual = camera()
    for number, shot in enumerate(shots):
        if isinstance(shot, np.ndarray):
            image = shot
        else:
            at, by = shot if isinstance(shot, tuple) else (shot, usual)
            image = renderers.setdefault(id(by), Renderer(by, Effects(jpeg_quality=0))).render(at)
        yield Frame(number=number, t_s=number * step_s, image=image)


def watched(*shots: Shot, step_s: float = 0.5) -> tuple[Watch, list[WatchEvent]]:
    """The watch and its events, but for those that announce the table."""
    watch = Watch(Measurer(TABLE, LENS))
    events = [event for frame in film(*shots, step_s=step_s) for event in watch.take(frame)]
    events += watch.end()
    return watch, [e for e in events if not (e.event == "appeared" and e.frame == 0)]


def hand(at: VirtualTable, x_mm: float, y_mm: float) -> VirtualTable:
    return replace(at, hand_mm=(x_mm, y_mm))


def without(*names: str) -> VirtualTable:
    return replace(START, bases=tuple(b for b in START.bases if b.id not in names))


def placed(at: VirtualTable, *bases: BasePlaced) -> VirtualTable:
    """A table on which some bases stand elsewhere."""
    new = {b.id: b for b in bases}
    return replace(at, bases=tuple(new.get(b.id, b) for b in at.bases))


def moves(events: Sequence[WatchEvent]) -> list[WatchEvent]:
    return [e for e in events if e.event not in ("disturbed", "settled")]


def close(place: object, x_mm: float, y_mm: float, within_mm: float = 1.5) -> bool:
    return isinstance(place, tuple) and math.dist(place, (x_mm, y_mm)) < within_mm


def test_two_alike_put_down_where_the_other_stood_have_not_moved_as_far_as_can_be_seen() -> None:
    lifted = hand(without("f1", "f2"), 300, 300)
    swapped = placed(START, replace(LOOSE[0], x_mm=450.0), replace(LOOSE[1], x_mm=150.0))
    _, events = watched(START, lifted, lifted, hand(swapped, 300, 250), swapped, swapped)
    assert moves(events) == []


def test_two_alike_moved_at_once_and_crosswise_are_told_as_moves_but_in_doubt() -> None:
    lifted = hand(without("f1", "f2"), 300, 300)
    after = placed(START, replace(LOOSE[0], x_mm=310.0, y_mm=300.0), replace(LOOSE[1], x_mm=290.0, y_mm=350.0))
    watch, events = watched(START, lifted, lifted, after, after)
    assert [e.event for e in moves(events)] == ["moved", "moved"]
    assert sum(track.doubtful for track in watch.tracks) == 2
    assert not any(track.doubtful for track in watch.tracks if track.seen.army == "british")


def test_a_unit_that_wheels_keeps_every_figure_apart() -> None:
    turn = math.radians(35.0)
    wheeled = tuple(
        replace(
            b,
            x_mm=LINE[0].x_mm + 25.6 * n * math.cos(turn),
            y_mm=180.0 - 25.6 * n * math.sin(turn),
            bearing_deg=35.0,
        )
        for n, b in enumerate(LINE)
    )
    after = placed(START, *wheeled)
    _, events = watched(START, hand(without("b1", "b2", "b3", "b4"), 230, 170), hand(after, 230, 120), after, after)
    told = moves(events)
    assert [e.event for e in told] == ["moved"] * 4, "the pivot has not moved"
    for before, now in zip(LINE[1:], wheeled[1:], strict=True):
        (event,) = [e for e in told if close(e.from_mm, before.x_mm, before.y_mm)]
        assert close(event.to_mm, now.x_mm, now.y_mm)


def test_under_an_arm_that_rests_for_long_nothing_has_happened() -> None:
    resting = hand(START, 200, 200)
    _, events = watched(START, START, *[resting] * 12, START, START, START, step_s=2.0)
    assert moves(events) == []
    assert [e.event for e in events] == ["disturbed", "settled"]


def test_beside_an_arm_that_rests_for_long_a_move_is_told() -> None:
    after = placed(START, replace(LOOSE[1], y_mm=390.0))
    _, events = watched(
        START, START, hand(without("f2"), 450, 330), *[hand(after, 200, 150)] * 8, after, after, step_s=2.0
    )
    (event,) = moves(events)
    assert event.event == "moved"
    assert close(event.from_mm, 450, 330)
    assert close(event.to_mm, 450, 390)


@pytest.mark.parametrize("light", [0.55, 1.35])
def test_a_lamp_that_is_switched_moves_nothing(light: float) -> None:
    lit = [frame.image for frame in film(*[START] * 3)]
    other = [np.clip(image * light, 0, 255).astype(np.uint8) for image in lit]
    _, events = watched(*lit, *other, *lit)
    assert moves(events) == []


@pytest.mark.parametrize("edges", some(1, [(0.6, 1.35), (0.55, 1.05), (1.4, 0.9)]))
def test_after_a_lamp_on_one_side_was_switched_a_move_is_told_as_before(edges: tuple[float, float]) -> None:
    after = placed(START, replace(LOOSE[0], x_mm=240.0, y_mm=280.0))
    light = np.linspace(*edges, LENS.width_px)[None, :, None]

    def lit(*shots: Shot) -> list[np.ndarray]:
        return [np.clip(frame.image * light, 0, 255).astype(np.uint8) for frame in film(*shots)]

    _, events = watched(START, START, *lit(*[START] * 3, hand(after, 240, 250), *[after] * 3))
    (event,) = moves(events)
    assert event.event == "moved"
    assert close(event.from_mm, 150, 330)
    assert close(event.to_mm, 240, 280)


def test_a_camera_that_is_bumped_while_a_figure_is_moved_tells_only_the_move() -> None:
    after = placed(START, replace(LOOSE[0], x_mm=240.0, y_mm=280.0))
    _, events = watched(
        START, START, hand(without("f1"), 150, 300), (hand(after, 240, 250), BUMPED),
        (after, BUMPED), (after, BUMPED), (after, BUMPED),
    )  # fmt: skip
    (event,) = moves(events)
    assert event.event == "moved"
    assert close(event.from_mm, 150, 330)
    assert close(event.to_mm, 240, 280)


def test_a_camera_that_is_bumped_by_itself_tells_nothing_and_is_found_again() -> None:
    watch, events = watched(START, START, (START, BUMPED), (START, BUMPED), (START, BUMPED))
    assert moves(events) == []
    assert [e.event for e in events] == ["disturbed", "settled"]
    assert watch.camera is not None
    assert watch.camera.position_mm == pytest.approx(BUMPED.position_mm, abs=2.0)


def test_a_figure_put_on_a_hill_is_told_where_it_stands() -> None:
    hill = TerrainPlaced(
        kind="hill", polygon_mm=((380.0, 40.0), (560.0, 40.0), (560.0, 200.0), (380.0, 200.0)), slope_mm=12.0
    )
    start = replace(START, terrain=(hill,))
    after = placed(start, replace(LOOSE[1], x_mm=470.0, y_mm=120.0))
    up = hand(replace(start, bases=tuple(b for b in start.bases if b.id != "f2")), 450, 250)
    _, events = watched(start, up, hand(after, 470, 100), after, after)
    (event,) = moves(events)
    assert close(event.from_mm, 450, 330)
    assert close(event.to_mm, 470, 120)


@pytest.mark.parametrize("level", [0, 255])
def test_a_cap_on_the_lens_takes_nothing_away(level: int) -> None:
    cap = np.full((LENS.height_px, LENS.width_px, 3), level, np.uint8)
    _, events = watched(START, START, *[cap] * 8, START, START, START, step_s=2.0)
    assert moves(events) == []


def test_a_cap_that_stays_on_for_good_takes_nothing_away() -> None:
    cap = np.zeros((LENS.height_px, LENS.width_px, 3), np.uint8)
    _, events = watched(START, START, *[cap] * 30, step_s=5.0)
    assert moves(events) == []
