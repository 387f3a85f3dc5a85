"""The mat: the commonest colour of the play area, and how far it strays in its own blotches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Mat", "mat_of"]

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_STEPS = 20  # colours are counted in cells of 1/20 of each channel's cube root
_FIRST_REACH = 0.1
_REACH = 11.0  # squared deviations: 99 % of a colour that strays in three directions
_ROUNDS = 4
_CUT_OFF = 1.25  # what leaving out the rest takes from the spread
_LEAST_SPREAD = 0.012
_LEAST_SAMPLES = 200


@dataclass(frozen=True, eq=False)
class Mat:
    """The mat's colour in cube roots of light (3,) BGR, and the inverse (3, 3) of its covariance."""

    centre: Floats32
    precision: Floats32

    def distance(self, roots: Floats32) -> Floats32:
        """How far colours (..., 3) lie from the mat, in its deviations, squared, and how wide those are: (...).

        It may be compared with `vision.terrain.paints.unlikelihood`: both are twice the negative logarithm of how
        often such a colour is seen, but for the same constant.
        """
        away = roots - self.centre
        wide = -float(np.linalg.slogdet(self.precision.astype(np.float64))[1])
        return np.asarray(np.einsum("...i,...i", away @ self.precision, away) + wide, dtype=np.float32)

    def shows(self, roots: Floats32) -> NDArray[np.bool_]:
        """Which colours (N, 3) are the mat's, blotches and all."""
        away = roots - self.centre
        return np.asarray(np.einsum("...i,...i", away @ self.precision, away) < _REACH, dtype=np.bool_)


def mat_of(samples: Floats32, number: NDArray[np.int64] | None = None) -> Mat | None:
    """The mat, from colours (N, 3) of the play area, of which each is seen so often (N,), or once; None where there
    are too few."""
    number = np.ones(len(samples), np.int64) if number is None else number
    if number.sum() < _LEAST_SAMPLES:
        return None
    cells = np.minimum((samples * _STEPS).astype(np.int64), _STEPS - 1)
    counts = np.bincount((cells[:, 0] * _STEPS + cells[:, 1]) * _STEPS + cells[:, 2], number, _STEPS**3)
    grid = _smoothed(counts.reshape(_STEPS, _STEPS, _STEPS).astype(np.float64))
    peak = (np.array(np.unravel_index(int(grid.argmax()), grid.shape)) + 0.5) / _STEPS
    near = np.linalg.norm(samples - peak, axis=1) < _FIRST_REACH
    centre, spread = _moments(samples[near], number[near])
    for _ in range(_ROUNDS):
        away = samples - centre
        near = ((away @ np.linalg.inv(spread)) * away).sum(axis=1) < _REACH
        centre, spread = _moments(samples[near], number[near])
    return Mat(centre.astype(np.float32), np.linalg.inv(spread).astype(np.float32))


def _moments(samples: Floats32, number: NDArray[np.int64]) -> tuple[Floats, Floats]:
    spread = np.cov(samples.T.astype(np.float64), fweights=number) * _CUT_OFF + _LEAST_SPREAD**2 * np.eye(3)
    return number @ samples.astype(np.float64) / max(int(number.sum()), 1), spread


def _smoothed(grid: Floats) -> Floats:
    """Each cell of a cube with half of its neighbours along every axis."""
    for axis in range(3):
        padded = np.pad(grid, [(1, 1) if a == axis else (0, 0) for a in range(3)])
        before, after = np.delete(padded, [-1, -2], axis), np.delete(padded, [0, 1], axis)
        grid = grid + 0.5 * (before + after)
    return grid
