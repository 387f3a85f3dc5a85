"""A blurred step from dark to light, fitted to samples on both sides of many edges at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

__all__ = ["BLUR", "HALF", "MID", "OFFSET", "TILT", "Steps", "fit_steps"]

Points = NDArray[np.float64]
Singles = NDArray[np.float32]

#: What stands where in a fitted step (7,); the last two are how mid and half change along the edge.
MID, HALF, OFFSET, TILT, BLUR, MID_SLOPE, HALF_SLOPE = range(7)

_STEPS = 8
_FARTHEST = 0.6  # no edge is sought farther from where it was first seen than this share of the reach, or 2 px
_STILL_PX = 0.0025  # what moves less is at rest
_LEAST_BLUR_PX = 0.25
_USUAL_BLUR_PX = 0.9
_HALF_SQRT = np.float32(np.sqrt(0.5))
_PEAK = np.float32(np.sqrt(2 / np.pi))


@dataclass(frozen=True, eq=False)
class Steps:
    """Samples of E edges, K each: ``light`` (E, K) from 0 to 1, how far ``across`` the edge they lie in px,
    and their ``position`` along it from -1 to 1."""

    light: Singles
    across: Singles
    position: Singles

    def of(self, some: NDArray[np.intp]) -> Steps:
        """Some of the edges, by number."""
        return Steps(self.light[some], self.across[some], self.position[some])


def fit_steps(steps: Steps, start: Points | None = None) -> tuple[Points, Points]:
    """Fits light = mid + half * erf((across - offset - tilt * position) / blur) to all edges, robustly.

    ``mid`` and ``half`` may change along the edge, as uneven light makes them: mid + mid_slope * position. Sets out
    from ``start`` (E, 7) where that is given. Answers (mid, half, offset, tilt, blur, mid_slope, half_slope) as
    (E, 7), and the noise (E,) of an edge's ends in px.
    """
    fitted = _first_guess(steps) if start is None else start.copy()
    sigma = np.zeros(len(fitted))
    reach = steps.across.max(axis=1).astype(np.float64)
    farthest = np.maximum(_FARTHEST * reach, 2.0)
    live = np.arange(len(fitted))
    for _ in range(_STEPS):
        change, sigma[live] = _change(steps if len(live) == len(fitted) else steps.of(live), fitted[live])
        _move(fitted, live, change, reach[live], farthest[live])
        live = live[np.abs(change[:, OFFSET:BLUR]).max(axis=1) >= _STILL_PX]
        if not len(live):
            break
    return fitted, sigma


def _first_guess(steps: Steps) -> Points:
    """Where the step is first sought: in the middle, from the darker to the lighter side, whichever is which."""
    low, high = np.percentile(steps.light, [10, 90], axis=1)
    side = np.where(steps.across > 0, steps.light, np.where(steps.across < 0, -steps.light, 0)).sum(axis=1)
    guess = np.zeros((len(steps.light), 7))
    guess[:, MID] = (low + high) / 2
    guess[:, HALF] = np.maximum((high - low) / 2, 1e-3) * np.where(side > 0, 1, -1)
    guess[:, BLUR] = _USUAL_BLUR_PX
    return guess


def _change(steps: Steps, fitted: Points) -> tuple[Points, Points]:
    """The Gauss-Newton step (E, 7) and the noise of the ends (E,)."""
    mid, half, offset, tilt, blur, mid_slope, half_slope = fitted.T.astype(np.float32)[:, :, None]
    position = steps.position
    z = (steps.across - offset - tilt * position) / blur
    step = erf(z * _HALF_SQRT)
    here = half + half_slope * position
    slope = here * _PEAK * np.exp(-0.5 * z * z) / blur
    residual = steps.light - mid - mid_slope * position - here * step
    weight = 1 / (1 + (residual / (np.abs(half) + np.float32(1e-6))) ** 2)
    slopes = np.empty((len(fitted), 7, residual.shape[1]), np.float32)
    slopes[:, MID], slopes[:, HALF] = 1, step
    np.negative(slope, out=slopes[:, OFFSET])
    np.multiply(slopes[:, OFFSET], position, out=slopes[:, TILT])
    np.multiply(slopes[:, OFFSET], z, out=slopes[:, BLUR])
    slopes[:, MID_SLOPE] = position
    np.multiply(step, position, out=slopes[:, HALF_SLOPE])
    weighted = slopes * weight[:, None, :]
    normal = (weighted @ slopes.transpose(0, 2, 1)).astype(np.float64) + 1e-6 * np.eye(7)
    right = (weighted @ residual[:, :, None]).astype(np.float64)
    spread = np.linalg.inv(normal)
    freedom = np.maximum(weight.sum(axis=1) - 7, 1)
    scale = np.sqrt((weight * residual**2).sum(axis=1) / freedom)
    sigma = scale * np.sqrt(np.maximum(spread[:, OFFSET, OFFSET] + spread[:, TILT, TILT], 0))
    return (spread @ right)[:, :, 0], sigma


def _move(fitted: Points, live: NDArray[np.intp], change: Points, reach: Points, farthest: Points) -> None:
    """Moves the live edges, no farther at once, and no farther in all, than is sensible."""
    limit = np.ones_like(change)
    limit[:, OFFSET] = limit[:, TILT] = farthest / 4
    limit[:, BLUR] = 0.15 * farthest
    moved = fitted[live] + np.clip(change, -limit, limit)
    moved[:, OFFSET:BLUR] = np.clip(moved[:, OFFSET:BLUR], -farthest[:, None], farthest[:, None])
    moved[:, BLUR] = np.clip(moved[:, BLUR], _LEAST_BLUR_PX, np.maximum(reach / 2, 1.0))
    fitted[live] = moved
