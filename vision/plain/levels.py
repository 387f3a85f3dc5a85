"""The colours of a base's top and side, of its neighbours' tops and of the table under its shadow that explain the
samples about it best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.plain.matte import Bodies, Samples

__all__ = ["CAP", "levels_of", "mixed", "offsets", "square_of", "weights_of"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]  # the sums are over some hundred samples: that is exact enough, and twice as fast
Ints = NDArray[np.intp]

_ODD = 2.0  # a sample off by so many times the usual counts a quarter
CAP = 9.0  # what is this many sigmas squared off may be anything
_BAND_PULL = 0.5
_OWN, _ALL = 7, 13
_SLOPE_PULL = 12.0
_GROUND_PULLS = np.array([20.0] * 3 + [_BAND_PULL] * 3)


def mixed(
    top: Singles,
    side: Singles,
    beside: Singles,
    table: Singles,
    band: Singles | None,
    at: tuple[Singles, Singles],
    samples: Samples,
) -> list[Singles]:
    """What makes up each channel of a sample, (N, 13, P): top and side, each even and with slopes over the base; a
    neighbour's top; and the table as it was, even and with slopes, and the same in the band about the foot.

    ``top``, ``side``, ``beside`` and ``table`` (N, P) are the shares of each, ``at`` where samples lie about bases.
    """  # fmt: skip
    count, points = top.shape
    mix = np.empty((count, _ALL, points), np.float32)
    ground = np.empty((count, _ALL - _OWN, points), np.float32)
    for first, share, out in ((0, top, mix), (3, side, mix), (0, table, ground)):
        out[:, first] = share
        np.multiply(share, at[0], out=out[:, first + 1])
        np.multiply(share, at[1], out=out[:, first + 2])
    mix[:, _OWN - 1] = beside
    if band is None:
        ground[:, 3:] = 0.0
    else:
        np.multiply(ground[:, :3], band[:, None], out=ground[:, 3:])
    channels = samples.then.shape[1]
    told = []
    for channel in range(channels):
        one = mix if channel == channels - 1 else mix.copy()
        np.multiply(ground, samples.then[:, channel, None], out=one[:, _OWN:])
        told.append(one)
    return told


def offsets(bodies: Bodies, which: Ints, xy: Floats) -> tuple[Singles, Singles]:
    """Where samples (N, P) lie about their bases, right and up the table, in reaches."""
    reach = bodies.reach[which, None]
    dx, dy = (xy[..., 0] - bodies.x[which, None]) / reach, (xy[..., 1] - bodies.y[which, None]) / reach
    return dx.astype(np.float32), dy.astype(np.float32)


def levels_of(mix: Sequence[Singles], samples: Samples, weights: Singles) -> tuple[Floats, Singles]:
    """The levels (N, C, 13) of each channel, and the picture (N, C, P) that they make."""
    count = len(weights)
    total = np.maximum(weights.sum(axis=1, dtype=np.float64), 1e-6)
    pulls, prior = np.zeros((count, _ALL)), np.zeros((count, _ALL))
    pulls[:, 0:_OWN:3] = 1.0
    pulls[:, 1:_OWN:3] = pulls[:, 2:_OWN:3] = _SLOPE_PULL
    prior[:, _OWN] = 1.0
    each = np.arange(_ALL)
    levels = np.empty((count, len(mix), _ALL))
    made = np.empty_like(samples.now)
    for channel, own in enumerate(mix):
        now, then = samples.now[:, channel], samples.then[:, channel]
        weighted = own * weights[:, None]
        normal = (weighted @ own.transpose(0, 2, 1)).astype(np.float64)
        right = (weighted @ now[..., None])[..., 0].astype(np.float64)
        prior[:, 0:_OWN:3] = (np.einsum("np,np->n", now, weights) / total)[:, None]
        pulls[:, _OWN:] = np.einsum("np,np->n", then, then)[:, None] / then.shape[1] * _GROUND_PULLS
        normal[:, each, each] += pulls
        levels[:, channel] = np.linalg.solve(normal, (right + pulls * prior)[..., None])[..., 0]
        made[:, channel] = (levels[:, channel, None].astype(np.float32) @ own)[:, 0]
    return levels, made


def weights_of(off: Singles, seen: NDArray[np.bool_]) -> Singles:
    """How much each sample counts, by how far it is off (N, C, P), against what is usual about its base."""
    square = (off * off).mean(axis=1)
    usual = np.median(square, axis=1, keepdims=True) + np.float32(0.3)
    return np.asarray(seen / np.square(1 + square / (np.float32(_ODD**2) * usual)), dtype=np.float32)


def square_of(mix: Sequence[Singles], samples: Samples, trust: NDArray[np.generic]) -> Singles:
    """How far off (N, P) the best picture of some mixture is, in sigmas squared, capped."""
    weights = trust.astype(np.float32)
    for _ in range(2):
        _, made = levels_of(mix, samples, weights)
        off = samples.now - made
        square = (off * off).mean(axis=1)
        weights = np.asarray(trust / np.square(1 + square / 4), dtype=np.float32)
    return np.asarray(np.minimum(square, np.float32(CAP)), dtype=np.float32)
