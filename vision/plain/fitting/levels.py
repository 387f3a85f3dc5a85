"""The colours of a base's top and side, of its neighbours' tops and of the table under its shadow that explain the
samples about it best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.plain.picture.matte import Bodies, Samples

__all__ = ["CAP", "Mix", "levels_of", "mixed", "offsets", "square_of", "weights_of"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]  # the sums are over some hundred samples: that is exact enough, and twice as fast
Ints = NDArray[np.intp]

_ODD = 2.0  # a sample off by so many times the usual counts a quarter
CAP = 9.0  # what is this many sigmas squared off may be anything
_BAND_PULL = 0.5
_OWN, _ALL = 7, 13
_SIDE, _SIDE_PULL = 3, 0.3  # of what the side is off the colour that the light on it makes of the top's
_SLOPE_PULL = 12.0
_GROUND_PULLS = np.array([20.0] * 3 + [_BAND_PULL] * 3)
_FALLEN_PULL = 0.03


@dataclass(frozen=True, eq=False)
class Mix:
    """What makes up each channel of a sample, (N, 13, P) for each ``channel``: the top, and the side, each even and
    with slopes over the base; a neighbour's top; and the table as it was, even and with slopes, and the same in the
    band about the foot; and where they are known, as the fourteenth, the shadows of figures.

    Where sides are ``lit``, the top is what of the side, too, shows its colour, and the side how far it is off.
    """

    channels: list[Singles]
    lit: bool


def mixed(
    top: Singles,
    side: Singles,
    lit: Singles | None,
    beside: Singles,
    table: Singles,
    band: Singles | None,
    at: tuple[Singles, Singles],
    samples: Samples,
) -> Mix:
    """What makes up samples of which top, side, what is ``beside`` and table have such shares (N, P), and of which
    sides show so much of the top's colour, ``lit``; ``at`` is where samples lie about bases."""
    count, points = top.shape
    mix = np.empty((count, _ALL + (samples.fallen is not None), points), np.float32)
    ground = np.empty((count, _ALL - _OWN, points), np.float32)
    for first, share, out in ((0, top if lit is None else top + lit, mix), (_SIDE, side, mix), (0, table, ground)):
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
        np.multiply(ground, samples.then[:, channel, None], out=one[:, _OWN:_ALL])
        if samples.fallen is not None:
            np.multiply(samples.fallen, samples.then[:, channel], out=one[:, _ALL])
        told.append(one)
    return Mix(told, lit is not None)


def offsets(bodies: Bodies, which: Ints, xy: Floats) -> tuple[Singles, Singles]:
    """Where samples (N, P) lie about their bases, right and up the table, in reaches."""
    reach = bodies.reach[which, None]
    dx, dy = (xy[..., 0] - bodies.x[which, None]) / reach, (xy[..., 1] - bodies.y[which, None]) / reach
    return dx.astype(np.float32), dy.astype(np.float32)


def levels_of(mix: Mix, samples: Samples, weights: Singles) -> tuple[Floats, Singles]:
    """The levels (N, C, 13 or 14) of each channel, and the picture (N, C, P) that they make."""
    count = len(weights)
    total = np.maximum(weights.sum(axis=1, dtype=np.float64), 1e-6)
    parts = mix.channels[0].shape[1]
    pulls, prior = np.zeros((count, parts)), np.zeros((count, parts))
    pulls[:, 0:_OWN:3] = 1.0
    if mix.lit:
        pulls[:, _SIDE] = _SIDE_PULL
    pulls[:, 1:_OWN:3] = pulls[:, 2:_OWN:3] = _SLOPE_PULL
    prior[:, _OWN] = 1.0
    each = np.arange(parts)
    levels = np.empty((count, len(mix.channels), parts))
    made = np.empty_like(samples.now)
    for channel, own in enumerate(mix.channels):
        now, then = samples.now[:, channel], samples.then[:, channel]
        weighted = own * weights[:, None]
        normal = (weighted @ own.transpose(0, 2, 1)).astype(np.float64)
        right = (weighted @ now[..., None])[..., 0].astype(np.float64)
        prior[:, 0:_OWN:3] = (np.einsum("np,np->n", now, weights) / total)[:, None]
        if mix.lit:
            prior[:, _SIDE] = 0.0
        square = np.einsum("np,np->n", then, then)[:, None] / then.shape[1]
        pulls[:, _OWN:_ALL], pulls[:, _ALL:] = square * _GROUND_PULLS, square * _FALLEN_PULL
        normal[:, each, each] += pulls
        levels[:, channel] = np.linalg.solve(normal, (right + pulls * prior)[..., None])[..., 0]
        made[:, channel] = (levels[:, channel, None].astype(np.float32) @ own)[:, 0]
    return levels, made


def weights_of(off: Singles, seen: NDArray[np.bool_]) -> Singles:
    """How much each sample counts, by how far it is off (N, C, P), against what is usual about its base."""
    square = (off * off).mean(axis=1)
    usual = np.median(square, axis=1, keepdims=True) + np.float32(0.3)
    return np.asarray(seen / np.square(1 + square / (np.float32(_ODD**2) * usual)), dtype=np.float32)


def square_of(mix: Mix, samples: Samples, trust: NDArray[np.generic]) -> Singles:
    """How far off (N, P) the best picture of some mixture is, in sigmas squared, capped."""
    weights = trust.astype(np.float32)
    for _ in range(2):
        _, made = levels_of(mix, samples, weights)
        off = samples.now - made
        square = (off * off).mean(axis=1)
        weights = np.asarray(trust / np.square(1 + square / 4), dtype=np.float32)
    return np.asarray(np.minimum(square, np.float32(CAP)), dtype=np.float32)
