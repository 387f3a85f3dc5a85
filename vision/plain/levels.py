"""The colours of a base's top and side, of its neighbours' tops and of the table under its shadow that explain the
samples about it best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.plain.matte import Bodies, Matte, Samples

__all__ = ["CAP", "columns_of", "levels_of", "offsets", "square_of", "weights_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_ODD = 2.0  # a sample off by so many times the usual counts a quarter
CAP = 9.0  # what is this many sigmas squared off may be anything
_BAND_PULL = 0.5


def columns_of(of: Matte, dx: Floats, dy: Floats) -> Floats:
    """What makes up a sample (N, P, 7): top and side, each even and with slopes over the base; a neighbour's
    top."""
    return np.stack([of.top, of.top * dx, of.top * dy, of.side, of.side * dx, of.side * dy, of.beside], axis=-1)


def offsets(bodies: Bodies, which: Ints, xy: Floats) -> tuple[Floats, Floats]:
    """Where samples (N, P) lie about their bases, right and up the table, in reaches."""
    reach = bodies.reach[which, None]
    return (xy[..., 0] - bodies.x[which, None]) / reach, (xy[..., 1] - bodies.y[which, None]) / reach


def levels_of(
    columns: Floats, table: Floats, band: Floats, dx: Floats, dy: Floats, samples: Samples, weights: Floats
) -> tuple[Floats, Floats]:
    """The levels (N, 3, 10) of each channel, and the picture (N, P, 3) that they make."""
    single = np.float32  # the sums are over some hundred samples: that is exact enough, and twice as fast
    columns, table, weights = columns.astype(single), table.astype(single), weights.astype(single)
    about = np.stack([np.ones_like(table), dx.astype(single), dy.astype(single)], axis=-1)
    about = np.concatenate([about, about * band.astype(single)[..., None]], axis=-1) * table[..., None]
    count = columns.shape[-1]
    weighted = columns * weights[..., None]
    normal = np.zeros((len(columns), count + 6, count + 6))
    normal[:, :count, :count] = weighted.transpose(0, 2, 1) @ columns
    pulls, prior = np.zeros((len(columns), count + 6)), np.zeros((len(columns), count + 6))
    pulls[:, 0:count:3] = 1.0
    pulls[:, 1:count:3] = pulls[:, 2:count:3] = 12.0
    prior[:, count] = 1.0
    levels, made = [], []
    for channel in range(samples.now.shape[-1]):
        now, then = samples.now[..., channel, None].astype(single), samples.then[..., channel, None].astype(single)
        ground = about * then
        crossed = weighted.transpose(0, 2, 1) @ ground
        normal[:, :count, count:], normal[:, count:, :count] = crossed, crossed.transpose(0, 2, 1)
        by_ground = (ground * weights[..., None]).transpose(0, 2, 1)
        normal[:, count:, count:] = by_ground @ ground
        prior[:, 0:count:3] = np.average(now[..., 0], axis=1, weights=weights + single(1e-6))[:, None]
        pulls[:, count:] = (then**2).mean(axis=1) * np.array([20.0] * 3 + [_BAND_PULL] * 3)
        right = np.concatenate([(weighted.transpose(0, 2, 1) @ now)[..., 0], (by_ground @ now)[..., 0]], axis=1)
        solved = np.linalg.solve(normal + pulls[:, :, None] * np.eye(count + 6), (right + pulls * prior)[..., None])
        levels.append(solved[..., 0])
        fitted = solved.astype(single)
        made.append((columns @ fitted[:, :count] + ground @ fitted[:, count:])[..., 0])
    return np.stack(levels, axis=1), np.stack(made, axis=-1)


def weights_of(off: Floats, seen: NDArray[np.bool_]) -> Floats:
    """How much each sample counts, by how far it is off (N, P, 3), against what is usual about its base."""
    square = (off**2).mean(axis=-1)
    usual = np.median(square, axis=1, keepdims=True) + 0.3
    return np.asarray(seen / (1.0 + square / (_ODD**2 * usual)) ** 2)


def square_of(
    columns: Floats,
    table: Floats,
    band: Floats,
    dx: Floats,
    dy: Floats,
    samples: Samples,
    trust: NDArray[np.generic],
) -> Floats:
    """How far off (N, P) the best picture of some columns is, in sigmas squared, capped."""
    weights = trust.astype(np.float64)
    for _ in range(2):
        _, made = levels_of(columns, table, band, dx, dy, samples, weights)
        square = ((samples.now - made) ** 2).mean(axis=-1)
        weights = trust / (1.0 + square / 4.0) ** 2
    return np.asarray(np.minimum(square, CAP), dtype=np.float64)
