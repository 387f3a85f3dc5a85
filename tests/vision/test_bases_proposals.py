"""Where bases may stand is told tile by tile through Fourier transforms: the same places as by the plain sum over
every cell of every ring at every turn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.bases.proposing.proposals import propose
from vision.bases.proposing.templates import templates_for
from vision.bases.shapes import Outline

CELL_MM, RIM_MM = 2.0, 2.6
ROUND, WIDE = Outline("foot", True, 12.5, 12.5, 3.0), Outline("horse", False, 12.5, 25.0, 3.0)
LARGE = Outline("element", False, 60.0, 40.0, 3.0)


def painted(outline: Outline, shape: tuple[int, int], seed: int) -> np.ndarray:
    """A likeness map (H, W) of such bases here and there, in grain, and strewn with twigs that join all of them."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[: shape[0], : shape[1]] * CELL_MM
    like = np.zeros(shape)
    for row, column, turn in rng.uniform(0, 1, (24, 3)) * [shape[0] * CELL_MM, shape[1] * CELL_MM, np.pi]:
        x, y = columns - column, rows - row
        away = outline.distance(x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn))
        like[(away < 0.3) & (away > -RIM_MM)] = rng.uniform(0.5, 1.0)
    like[::18], like[:, ::18] = np.maximum(like[::18], 0.35), np.maximum(like[:, ::18], 0.35)
    return np.clip(like + rng.normal(0, 0.05, shape), -0.2, 1.2).astype(np.float32)


def templates(outline: Outline) -> list[np.ndarray]:
    """Both templates of every turn, back from their spectra."""
    of = templates_for(1, outline, CELL_MM, RIM_MM)
    both = np.roll(np.fft.ifft2(of.spectra), (of.half, of.half), axis=(1, 2))[
        :, : 2 * of.half + 1, : 2 * of.half + 1
    ]
    return [side.astype(np.float32) for pair in both for side in (pair.real, pair.imag)]


def plain_sum(thin: np.ndarray, outline: Outline) -> np.ndarray:
    """The best of all templates at every cell."""
    return np.max([cv2.filter2D(thin, -1, t, borderType=cv2.BORDER_CONSTANT) for t in templates(outline)], axis=0)


@pytest.mark.parametrize("outline", [ROUND, WIDE, LARGE], ids=lambda outline: outline.name)
@pytest.mark.parametrize("shape", [(150, 310), (90, 60)])
def test_the_best_places_are_those_of_the_plain_sum(outline: Outline, shape: tuple[int, int]) -> None:
    like = painted(outline, shape, seed=7)
    (found,) = propose(like, np.ones(shape, dtype=bool), [outline], CELL_MM, RIM_MM)
    thin = np.rint(np.clip((like - 0.1) / 0.9, 0, 1) * 255).astype(np.float32) / 255  # nothing is painted all over
    plainly = plain_sum(thin, outline)
    rows, columns = np.rint([found.rows, found.columns]).astype(int) + 1
    wider = np.pad(plainly, 2, constant_values=-1.0)
    around = np.max([wider[rows + n, columns + k] for n in (0, 1, 2) for k in (0, 1, 2)], axis=0)
    np.testing.assert_allclose(found.scores, around, atol=1e-4)
    highest = (plainly >= cv2.dilate(plainly, np.ones((25, 25), np.uint8))) & (plainly > 0.2)
    assert highest.sum() >= 3
    for row, column in zip(*np.nonzero(highest), strict=True):
        assert np.hypot(found.rows - row, found.columns - column).min() < 1.0


def test_a_template_takes_as_much_as_it_gives() -> None:
    """A ring sums to one, and what may not be painted beside it to less: a painted field is no base."""
    sums = [template.sum() for template in templates(WIDE)]
    assert sums == pytest.approx([0.4, 0.5] * (len(sums) // 2), abs=1e-3)


def test_where_nothing_is_painted_nothing_is_proposed() -> None:
    (found,) = propose(np.zeros((80, 80), np.float32), np.ones((80, 80), dtype=bool), [ROUND], CELL_MM, RIM_MM)
    assert len(found.rows) == len(found.scores) == 0
