"""Frames compared at a glance: noise and a lamp change nothing; that and where a base was nudged is told."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from tests.vision.small_table import base, camera, table
from vision.renewing.glance import glance_at
from vision.simulated import Effects, Renderer

SET_UP = table(base("b1", 200.0, 150.0), base("f1", 420.0, 300.0, army="french"))


RENDERER = Renderer(camera(), Effects())


@cache
def frame(nudged_mm: float = 0.0, take: int = 1) -> NDArray[np.uint8]:
    """The table with one base nudged; every take has noise of its own."""
    bases = (replace(SET_UP.bases[0], x_mm=200.0 + nudged_mm), SET_UP.bases[1])
    return RENDERER.render(replace(SET_UP, bases=bases)).copy()


@pytest.mark.parametrize("take", [2, 3, 4])
def test_noise_is_no_change(take: int):
    changed = glance_at(frame()).changed_to(glance_at(frame(take=take)))
    assert changed is not None
    assert not changed.any()


@pytest.mark.parametrize("nudged_mm", [1.0, 2.0, 30.0])
def test_a_nudged_base_is_a_change_where_it_stands_and_nowhere_else(nudged_mm: float):
    before = glance_at(frame())
    changed = before.changed_to(glance_at(frame(nudged_mm, take=2)))
    assert changed is not None
    rows, columns = np.nonzero(before.pixels(changed))
    x, y = camera().project([[200.0 + nudged_mm / 2, 150.0, 10.0]])[0]
    assert len(rows)
    assert np.hypot(columns - x, rows - y).max() < 45.0 + 1.2 * nudged_mm


@given(st.floats(0.88, 1.12))
def test_a_lamp_that_dims_or_brightens_is_no_change(brighter: float):
    lit = np.clip(frame(take=2) * brighter, 0, 255).astype(np.uint8)
    changed = glance_at(frame()).changed_to(glance_at(lit))
    assert changed is not None
    assert changed.mean() < 0.002


@pytest.mark.parametrize("brighter", [0.6, 1.4])
def test_in_quite_another_light_nothing_can_be_compared(brighter: float):
    lit = np.clip(frame(take=2) * brighter, 0, 255).astype(np.uint8)
    assert glance_at(frame()).changed_to(glance_at(lit)) is None


def test_nor_can_pictures_of_different_sizes():
    assert glance_at(frame()).changed_to(glance_at(frame()[:-8])) is None


def test_what_was_measured_again_is_compared_with_what_it_then_looked_like():
    before, after = glance_at(frame()), glance_at(frame(30.0, take=2))
    changed = before.changed_to(after)
    assert changed is not None
    again = before.renewed(after, changed).changed_to(glance_at(frame(30.0, take=3)))
    assert again is not None
    assert again.sum() < 0.02 * changed.sum()


@pytest.mark.parametrize(("width", "cell_px"), [(640, 1), (720, 2), (1280, 2), (1920, 4), (3840, 8)])
def test_cells_grow_with_the_picture(width: int, cell_px: int):
    glance = glance_at(np.zeros((width * 3 // 4, width, 3), np.uint8))
    assert glance.cell_px == cell_px
    mask = np.zeros(glance.cells.shape[:2], dtype=np.bool_)
    mask[3, 5] = True
    rows, columns = np.nonzero(glance.pixels(mask))
    assert (rows.min(), columns.min(), len(rows)) == (3 * cell_px, 5 * cell_px, cell_px**2)
