"""How the light of lamps falls off over a table, told by its mat and by the white of the markers together.

A mat is nearly everywhere, but its blotches look like shade. The markers' white has none, but they are few, and do
not tell what lies between them, as where a lamp hangs over the middle of the table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["falling_off"]

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

# In logarithms of the root: how far a mat's blotches stray, and the white of markers
_BLOTCHES, _WHITES = 0.03, 0.006
_BLOTCH = 16.0  # blocks across
_FAR_OFF, _ROUNDS = 2.0, 5  # so many of these are far off; and rounds in which what is comes to count less
_STRAIGHT = 2  # of the terms of a curved slope, those of a straight one


def falling_off(hues: Floats32, light: Floats32, bare: Mask, places: Floats, whites: Floats) -> Floats32:
    """The light (R, C, 3) BGR over blocks of a table, as logarithms of the root: a curved slope of all colours, and
    a straight one of each.

    The mat is ``bare`` (R, C) where ``hues`` (R, C, 3) has the logarithms of its colours and ``light`` (R, C) tells
    how light it is; markers at blocks ``places`` (K, 2), across and down, have ``whites`` (K, 3).
    """
    blocks = np.stack(np.meshgrid(*map(np.arange, bare.shape[::-1])), axis=-1).astype(np.float64)
    longest = float(max(bare.shape))
    everywhere = _curved(blocks / longest - 0.5)
    terms = np.concatenate([everywhere[bare], _curved(places / longest - 0.5)])
    of_mat = np.arange(len(terms)) < len(terms) - len(places)
    grey = whites.mean(axis=1)
    curve = _slope(np.concatenate([light[bare], grey]), terms, of_mat)
    off = np.concatenate([hues[bare] - hues[bare].mean(axis=1, keepdims=True), whites - grey[:, None]])
    tints = [_slope(channel, terms[:, :_STRAIGHT], of_mat) for channel in off.T]
    falls = (everywhere @ curve)[..., None] + everywhere[..., :_STRAIGHT] @ np.transpose(tints)
    return np.asarray(falls - np.median(falls[bare], axis=0), dtype=np.float32)


def _curved(at: Floats) -> Floats:
    """The terms (..., 5) of a curved slope at points (..., 2)."""
    x, y = at[..., 0], at[..., 1]
    return np.stack([x, y, x * x, x * y, y * y], axis=-1)


def _slope(values: Floats, terms: Floats, of_mat: Mask) -> Floats:
    """The slope (T,) of values (N,) in terms (N, T): those of the mat have a level of their own, as have those of
    whites. A whole blotch of the mat tells as much as one place."""
    design = np.column_stack([of_mat, ~of_mat, terms]).astype(np.float64)
    sure = np.where(of_mat, (_BLOTCH * _BLOTCHES) ** -2, _WHITES**-2)
    far = _FAR_OFF * np.where(of_mat, _BLOTCHES, _WHITES)
    by, weights = np.zeros(design.shape[1]), sure
    for _ in range(_ROUNDS):
        across = (design * weights[:, None]).T
        by = np.linalg.solve(across @ design + 1e-6 * np.eye(design.shape[1]), across @ values)
        weights = sure / (1.0 + np.square((values - design @ by) / far))
    return np.asarray(by[2:], dtype=np.float64)
