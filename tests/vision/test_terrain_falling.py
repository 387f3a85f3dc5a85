"""Lamps that fall off over a table: mat and markers tell of them, and pieces are found in their light."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from tests.vision.small_table import camera
from tests.vision.test_terrain import FIELD, HILL, RIVER, SECOND, WALL, WIDE, WOOD, best, everywhere, laid
from vision.simulated import Renderer, VirtualTable
from vision.terrain import find_terrain
from vision.terrain.falling import falling_off

Floats = NDArray[np.float64]

BLOCKS = (80, 120)
PLACES = np.array([(-4.0, -4.0), (60.0, -4.0), (124.0, -4.0), (124.0, 84.0), (60.0, 84.0), (-4.0, 84.0)])
PIECES = (("woods", WOOD), ("woods", SECOND), ("hill", HILL), ("river", RIVER), ("wall", WALL), ("field", FIELD))
slopes = st.floats(-0.3, 0.3)


def curved(at: Floats, by: tuple[float, ...]) -> Floats:
    """A lamp's light at blocks (..., 2)."""
    x, y = (at / 120.0 - 0.5)[..., 0], (at / 120.0 - 0.5)[..., 1]
    return np.asarray(by[0] * x + by[1] * y + by[2] * x * x + by[3] * x * y + by[4] * y * y)


def told(mat: Floats, whites: Floats, bare: NDArray[np.bool_]) -> Floats:
    """The light over blocks (R, C) whose mat is as light as that (R, C), and whites (K,) so."""
    light = np.where(bare, mat, 0.0).astype(np.float32)
    hues = np.repeat(light[..., None], 3, axis=2)
    return falling_off(hues, light, bare, PLACES, np.repeat(whites[:, None], 3, axis=1)).mean(axis=2)


def at_blocks() -> Floats:
    return np.stack(np.meshgrid(np.arange(BLOCKS[1]), np.arange(BLOCKS[0])), axis=-1).astype(np.float64)


@given(st.tuples(slopes, slopes, slopes, slopes, slopes), st.integers(0, 10))
def test_any_curved_slope_is_told_under_woods_too(by: tuple[float, ...], seed: int) -> None:
    """Oracle: the slope that was put there."""
    rng = np.random.default_rng(seed)
    bare = np.ones(BLOCKS, np.bool_)
    row, column = rng.integers(0, 50), rng.integers(0, 80)
    bare[row : row + 30, column : column + 40] = False
    true = curved(at_blocks(), by)
    off = told(true - 0.2 + rng.normal(0, 0.02, BLOCKS), curved(PLACES, by), bare) - true
    assert np.abs(off - np.median(off)).max() < 0.01


def test_a_blotch_of_the_mat_that_no_white_bears_out_is_no_lamp() -> None:
    blotch = 0.07 * np.exp(-np.square((at_blocks() - (30.0, 40.0)) / 25.0).sum(axis=2))
    assert np.std(told(blotch, np.zeros(len(PLACES)), np.ones(BLOCKS, np.bool_))) < 0.5 * np.std(blotch)


def test_a_marker_in_a_shadow_does_not_bend_the_light() -> None:
    whites = np.array([0.0, 0.0, -0.2, 0.0, 0.0, 0.0])
    assert np.abs(told(np.zeros(BLOCKS), whites, np.ones(BLOCKS, np.bool_))).max() < 0.02


@pytest.mark.parametrize("middle", [(0.5, 0.5), (0.75, 0.4), (0.2, 0.2)])
@pytest.mark.parametrize("steep", [2.5, 6.0, 9.0])
def test_each_piece_is_found_under_a_lamp_that_hangs_over_the_table(
    steep: float, middle: tuple[float, float]
) -> None:
    """The markers lie round its edge, and cannot tell how much lighter it is between them."""
    world = everywhere()
    frame = Renderer(camera()).render(world)
    rows, columns = np.mgrid[: frame.shape[0], : frame.shape[1]] / frame.shape[1]
    off = (columns - middle[0]) ** 2 + (rows - middle[1] * frame.shape[0] / frame.shape[1]) ** 2
    light = (frame / 255.0) ** 2.2 * np.exp(-steep * off)[..., None]
    lit = np.asarray(np.rint(255.0 * light ** (1 / 2.2)), dtype=np.uint8)
    pieces = find_terrain(lit, camera(), world.table, find_markers(grey_of(lit), "DICT_4X4_100"))
    assert sorted(piece.kind for piece in pieces) == sorted(kind for kind, _ in PIECES)
    assert [(k, best(pieces, k, c)) for k, c in PIECES if best(pieces, k, c) < (0.8 if k == "wall" else 0.93)] == []


def test_a_bare_mat_under_such_a_lamp_is_no_terrain() -> None:
    world = VirtualTable(table=WIDE, terrain=(laid("woods", WOOD),))
    frame = Renderer(camera()).render(world)
    across = np.linspace(-1.0, 1.0, frame.shape[1])[None, :, None]
    lit = np.asarray(np.rint(frame * np.exp(-0.3 * across**2)), dtype=np.uint8)
    pieces = find_terrain(lit, camera(), WIDE, find_markers(grey_of(lit), "DICT_4X4_100"))
    assert [piece.kind for piece in pieces] == ["woods"]


def test_without_a_marker_the_blotches_of_a_mat_are_no_light() -> None:
    """A hill was lost to them."""
    world = everywhere()
    assert "hill" in [
        piece.kind for piece in find_terrain(Renderer(camera()).render(world), camera(), world.table, ())
    ]
