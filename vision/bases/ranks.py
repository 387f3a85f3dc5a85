"""The ranks and files of a formed block of rectangles, as those that were found of it tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import turned

__all__ = ["in_ranks"]

Floats = NDArray[np.float64]

_GAP_MM = 0.4  # between bases that are pushed together
_ASTRAY_MM = 4.0  # what was found farther from where the block has it is not of the block
_OTHERS = 0.3  # what one of another kind counts: where it was found is less sure
_ODD_MM = 1.0  # so far off, one counts half
_ROUNDS = 4
_STIFF = 0.5  # of a base: so firmly is the block held to the pitch and the bearing of its bases


def in_ranks(models: Sequence[Placed], others: Sequence[Placed]) -> list[Placed] | None:
    """Rectangles of one kind and what was found in the same block as another, all where its ranks and files have
    them, in this order; None where they form no block."""
    kind = models[0].outline
    if kind.round_:
        return None
    first, turn = models[0].bearing_deg, kind.turn_deg
    about = [(base.bearing_deg - first + turn / 2) % turn - turn / 2 for base in models]
    bearing = first + float(np.median(about))
    step = np.array([kind.half_width_mm, kind.half_depth_mm]) * 2 + _GAP_MM
    axes = turned(np.eye(2), bearing)
    at = np.array([[base.x_mm, base.y_mm] for base in (*models, *others)])
    own = (at - at[0]) @ axes.T
    phase = np.angle(np.exp(2j * np.pi * own / step).sum(axis=0)) / (2 * np.pi)
    number = np.rint(own / step - phase)
    if len(np.unique(number, axis=0)) < len(number):
        return None
    middle, turned_by, wider = _laid(own, number * step, np.repeat([1.0, _OTHERS], [len(models), len(others)]))
    there = _where(number * step, middle, turned_by, wider)
    if float(np.hypot(*(there - own).T).max()) > _ASTRAY_MM:
        return None
    now = at[0] + there @ axes
    return [
        replace(models[0], x_mm=float(x), y_mm=float(y), bearing_deg=bearing - float(np.rad2deg(turned_by)))
        for x, y in now
    ]


def _laid(own: Floats, spots: Floats, count: Floats) -> tuple[Floats, float, float]:
    """The middle (2,), the turn (radians, to the left) and the widening of a block whose spots (N, 2) lie nearest
    to what was found (N, 2) that counts so much (N,)."""
    weights = count
    reach = max(float(np.abs(spots).max()), 1.0)
    for _ in range(_ROUNDS):
        one, none = np.ones(len(spots)), np.zeros(len(spots))
        rows = np.concatenate(
            [
                np.column_stack([one, none, -spots[:, 1], spots[:, 0]]),
                np.column_stack([none, one, spots[:, 0], spots[:, 1]]),
            ]
        )
        weighted = rows * np.tile(weights, 2)[:, None]
        held = np.diag([1e-9, 1e-9, (_STIFF * reach) ** 2, (_STIFF * reach) ** 2])
        told = np.linalg.solve(weighted.T @ rows + held, weighted.T @ (own - spots).T.ravel())
        off = _where(spots, told[:2], told[2], told[3]) - own
        weights = count / (1 + (off**2).sum(axis=1) / _ODD_MM**2)
    return told[:2], float(told[2]), float(told[3])


def _where(spots: Floats, middle: Floats, turned_by: float, wider: float) -> Floats:
    """Spots (N, 2) of a block that is so moved, turned and widened."""
    crosswise = np.column_stack([-spots[:, 1], spots[:, 0]])
    return np.asarray(spots * (1 + wider) + crosswise * turned_by + middle)
