"""A unit that wheels: its figures are turned with it, though their round bases show no turn of their own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.events import fold
from tests.webui.toys import GAME, TABLE, everyone
from vision.records import BaseSeen
from webui.camera.memory import Memory, pose_of
from webui.camera.muster import muster
from webui.camera.wheels import turn_between

MEMORY: Memory = {figure.id: pose_of(unit.id, figure, 0.4) for unit in GAME.units for figure in unit.figures}
Floats = NDArray[np.float64]
LINE = np.array([(26.0 * k, 0.0) for k in range(6)])


def wheeled(places: Floats, turn_deg: float, about: tuple[float, float] = (0.0, 0.0)) -> Floats:
    """Places turned clockwise, as seen from above."""
    angle = math.radians(turn_deg)
    turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
    return np.asarray((places - about) @ turn.T + about, dtype=np.float64)


def after(bases: list[BaseSeen]) -> list[float | None]:
    """Which way the figures of the first unit face once its bases are seen so, none of which shows its front."""
    seen = [replace(one, bearing_deg=None, bearing_sigma_deg=None) for one in bases]
    events = muster(GAME, MEMORY, seen, TABLE).events
    return [figure.bearing_deg for figure in fold(events, GAME).units[0].figures]


def with_the_first_at(places: Floats) -> list[BaseSeen]:
    bases = everyone(GAME)
    for place, (x, y) in enumerate(places.tolist()):
        bases[place] = replace(bases[place], x_mm=x, y_mm=y)
    return bases


FIRST = np.array([(figure.x_mm, figure.y_mm) for figure in GAME.units[0].figures])


@pytest.mark.parametrize("turn_deg", [-60.0, -20.0, 6.0, 45.0])
def test_figures_face_as_their_line_was_wheeled(turn_deg: float) -> None:
    about = (float(FIRST[0, 0]), float(FIRST[0, 1]))
    faces = after(with_the_first_at(wheeled(FIRST, turn_deg, about)))
    assert faces == pytest.approx([turn_deg % 360.0] * len(FIRST), abs=0.1)


def test_a_line_that_advances_or_sidles_faces_as_before() -> None:
    assert set(after(with_the_first_at(FIRST + np.array((40.0, 150.0))))) == {0.0}


def test_figures_that_went_each_its_way_face_as_before() -> None:
    scattered = wheeled(FIRST, 40.0) + [(0, 0), (60, 20), (-50, 70), (30, -80), (90, 40)][: len(FIRST)]
    assert set(after(with_the_first_at(scattered))) == {0.0}


def test_what_a_base_shows_of_its_front_comes_first() -> None:
    bases = with_the_first_at(wheeled(FIRST, 45.0))
    events = muster(GAME, MEMORY, [replace(one, bearing_deg=10.0) for one in bases], TABLE).events
    assert {figure.bearing_deg for figure in fold(events, GAME).units[0].figures} == {10.0}


@given(
    st.floats(-179.0, 179.0),
    st.tuples(st.floats(-400.0, 400.0), st.floats(-400.0, 400.0)),
    st.lists(st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)), min_size=6, max_size=6),
)
def test_the_turn_is_told_to_what_the_places_are_out_by(
    turn_deg: float, by_mm: tuple[float, float], out_mm: list[tuple[float, float]]
) -> None:
    told = turn_between(LINE, wheeled(LINE, turn_deg) + by_mm + out_mm)
    if told is None:
        assert abs(turn_deg) < 5.0
    else:
        assert told[0] == pytest.approx(turn_deg, abs=1.5)
        assert 0.0 < told[1] < 1.5


@pytest.mark.parametrize(
    "now",
    [LINE, LINE + np.array((5.0, 5.0)), LINE[:2], LINE * (1.0, 0.0) + [(0, 15.0 * (k % 2)) for k in range(6)]],
    ids=["still", "carried", "two", "broken-up"],
)
def test_no_turn_is_told_of_what_was_not_turned_as_one(now: Floats) -> None:
    assert turn_between(LINE[: len(now)], now) is None


def test_bases_in_one_heap_tell_no_turn() -> None:
    assert turn_between(LINE * 0.01, wheeled(LINE * 0.01, 90.0)) is None
