"""The known shape laid on the rims seen, to a fraction of a pixel, every base of an army at once.

The picture of a rim is modelled whole: a ring of known outer size and common width, the upright side below it on
the side that faces the camera, blurred by the lens, and joined with the rims that touch it. Position, turn and
brightness of each base are fitted to the pixels about its rim; what stands before the rim is outvoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.model import Look, Rims
from vision.bases.pixels import Pixels, Placed

__all__ = ["Fit", "refine"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_ROUNDS = 12
_ODD = 0.22  # a pixel off by this share of the paint counts half
_SOFT_MM = 1.0  # the model is blurred by this much more in the first round, by nothing after the fifth
_LENIENT = 3.5  # and odd pixels are held against it so much less


@dataclass(frozen=True, eq=False)
class Fit:
    """The bases as fitted.

    ``covariance`` (N, 3, 3) is of x, y in mm and bearing in degrees, from the pixels alone; ``gain`` (N,) their
    paint's strength; ``residual`` (N,) a robust rms; ``support`` (N,) the share of the ring that is seen painted;
    ``contrast`` (N,) how much more paint there is on the ring than beside it.
    """

    placed: list[Placed]
    covariance: Floats
    gain: Floats
    residual: Floats
    support: Floats
    contrast: Floats
    look: Look


def refine(
    placed: Sequence[Placed],
    likeness: Floats,
    pixels: Pixels,
    camera: CameraModel,
    look: Look,
    foreign: Floats | None = None,
    rounds: int = _ROUNDS,
    together: bool = True,
) -> Fit:
    """Bases of one army fitted to the ``likeness`` (N,) of ``pixels``; ``foreign`` (N,) is how much each pixel
    belongs to another army's rim."""
    state = Rims(placed, camera, look)
    trust = np.ones(len(likeness)) if foreign is None else 1.0 - foreign
    near = state.neighbours() if together else np.arange(len(placed))[:, None]
    shared = state.shared(pixels, near)
    levels = np.tile([0.0, 0.0, 1.0], (len(placed), 1))
    weights = trust
    for turn in range(rounds):
        state.softness = max(0.0, _SOFT_MM * (1.0 - turn / 5))
        ring, inside, slopes = state.render(pixels, shared, slopes=True)
        levels, fitted = _levels(pixels.base, likeness, ring, inside, weights, len(placed))
        off = likeness - fitted
        odd = _ODD * max(1.0, _LENIENT - 0.4 * turn)
        weights = trust / (1.0 + (off / (odd * np.maximum(levels[pixels.base, 2], 0.3))) ** 2) ** 2
        push = state.overlaps(near) if together else None
        steps, _ = _solve(pixels.base, slopes * levels[pixels.base, 2][:, None], off, weights, state, push)
        state.move(steps, 0.8 if turn < rounds - 3 else 1.0)
        if together and turn in (4, 7, 10):
            state.look = _relook(state, pixels, shared, likeness, weights, levels)
    ring, inside, slopes = state.render(pixels, shared, slopes=True)
    levels, fitted = _levels(pixels.base, likeness, ring, inside, weights, len(placed))
    off = likeness - fitted
    _, covariance = _solve(pixels.base, slopes * levels[pixels.base, 2][:, None], off, weights, state)
    total = np.maximum(np.bincount(pixels.base, weights, len(placed)), 1e-9)
    residual = np.sqrt(np.bincount(pixels.base, weights * off**2, len(placed)) / total)
    support, contrast = state.seen(pixels, likeness)
    scatter = covariance * np.maximum(residual, 0.03)[:, None, None] ** 2
    return Fit(state.placed(), scatter, levels[:, 2], residual, support, contrast, state.look)


def _levels(
    of: Ints, likeness: Floats, ring: Floats, inside: Floats, weights: Floats, count: int
) -> tuple[Floats, Floats]:
    """The likeness outside, inside and on the ring of each base (N, 3), and the model's likeness at the pixels.

    A pull towards 0, 0 and the common strength settles what too few pixels tell.
    """
    outside = np.clip(1.0 - ring - inside, 0.0, 1.0)
    columns = np.stack([outside, np.minimum(inside, 1.0 - ring), ring], axis=1)
    weighted = columns * weights[:, None]
    matrix = np.stack(
        [np.bincount(of, weighted[:, i] * columns[:, j], count) for i in range(3) for j in range(3)], -1
    )
    right = np.stack([np.bincount(of, weighted[:, i] * likeness, count) for i in range(3)], -1)
    pull = np.diag([3.0, 3.0, 3.0])
    prior = np.array([0.0, 0.0, 0.8])
    solved = np.linalg.solve(matrix.reshape(-1, 3, 3) + pull, (right + pull @ prior)[..., None])[..., 0]
    return solved, np.asarray((columns * solved[of]).sum(axis=1))


def _solve(
    of: Ints, slopes: Floats, off: Floats, weights: Floats, state: Rims, push: tuple[Floats, Floats] | None = None
) -> tuple[Floats, Floats]:
    """The Gauss-Newton steps (N, 3) and the inverses (N, 3, 3) of their normal matrices (degrees for the turn)."""
    count = len(state.x)
    weighted = slopes * weights[:, None]
    normal = np.stack(
        [np.bincount(of, weighted[:, i] * slopes[:, j], count) for i in range(3) for j in range(3)], -1
    )
    normal = normal.reshape(-1, 3, 3)
    right: Floats = np.stack([np.bincount(of, weighted[:, i] * off, count) for i in range(3)], -1).astype(
        np.float64
    )
    pull = np.zeros((count, 3, 3))
    pull[:, 0, 0] = pull[:, 1, 1] = 0.05
    pull[:, 2, 2] = np.where(state.round_, 1e6, 1.0)
    if push is not None:
        pull += push[0]
        right = np.asarray(right + push[1], dtype=np.float64)
    inverse = np.linalg.inv(normal + pull)
    scale = np.diag([1.0, 1.0, 180.0 / np.pi])
    return np.einsum("nij,nj->ni", inverse, right), scale @ inverse @ scale


def _relook(
    state: Rims, pixels: Pixels, shared: tuple[Ints, Ints], likeness: Floats, weights: Floats, levels: Floats
) -> Look:
    """One damped Gauss-Newton step for what all rims share."""
    look, count = state.look, len(levels)
    ring, inside, _ = state.render(pixels, shared, slopes=False)
    _, fitted = _levels(pixels.base, likeness, ring, inside, weights, count)
    columns = []
    for name, step in (("rim_mm", 0.1), ("blur_mm", 0.05)):
        state.look = replace(look, **{name: getattr(look, name) + step})
        ring, inside, _ = state.render(pixels, shared, slopes=False)
        columns.append((_levels(pixels.base, likeness, ring, inside, weights, count)[1] - fitted) / step)
    state.look = look
    slopes = np.stack(columns, axis=1)
    pull = np.diag([20.0, 20.0])
    prior = np.array([2.6 - look.rim_mm, 0.0])
    normal = (slopes * weights[:, None]).T @ slopes + pull
    change = np.linalg.solve(normal, (slopes * weights[:, None]).T @ (likeness - fitted) + pull @ prior)
    return replace(
        look,
        rim_mm=float(np.clip(look.rim_mm + np.clip(change[0], -0.5, 0.5), 1.2, 5.0)),
        blur_mm=float(np.clip(look.blur_mm + np.clip(change[1], -0.25, 0.25), 0.3, 2.5)),
    )
