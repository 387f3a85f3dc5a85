"""How far off a fit of a rim may be: what it leaves unexplained, and what it takes for granted.

Odd samples count little while a base is fitted, but what is odd may as well be right: they hold its place less
than their weights say, or not at all. And what the fit takes for granted is put to the test: how the top is shaded,
that ground and paint are alike all round, that no base stands in another. So far as the place would move were it
otherwise, it is in doubt.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Evidence", "circular", "place_covariance"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

# measured on rendered and on drawn tables
_ALIKE_MM = 2.0  # what is unexplained is alike over so much of a rim's length, and a pixel deep
_MOTTLED = 0.5  # of the mottling of the mat, what may lie under a whole rim unseen
_LEAST_HOLD = 0.15  # of what the weights say
_UNEVEN = 0.3  # how far light and paint may differ from one side of a base to the other, before anything is seen
# the share of the square of how far the place would move, that stays in doubt ...
_TOP = 0.5  # ... were the top lit evenly
_GROUND, _PAINT = 5.0, 2.5  # ... were ground or paint not alike all round; a plain slope is the least of it
_PUSHED = 2.0  # ... were it not pushed out of its neighbours, of which either may stand wrong
_PLACE, _OWN = slice(0, 3), [0, 1, 2, 3, 4, 7]
_SLOPES = (slice(5, 7), slice(8, 10), slice(10, 12))  # of the top, the ground and the paint


@dataclass(frozen=True, eq=False)
class Evidence:
    """What bases were fitted to, sample by sample (N, K, M), where the fit has ended.

    ``edge`` is how the expected likeness changes when the rim there moves outwards by a mm; ``ground``, ``inside``
    and ``ring`` the shares of these; ``off`` what is seen beyond what is expected; ``weights`` what each counts, of
    its ``trust``, in square mm. ``normals`` (K, 2) and ``lever`` (K,) are the pattern's, ``slope`` (N, 2) is that
    of the top's level, ``pulls`` (8,) what holds place, turn and the levels outside, inside, its slope and on the
    ring, beside the samples. ``residual`` (N,) is a robust rms, ``mottle`` how much like the paint the mat's own
    colours look, one sigma, and ``pixel_mm`` what a pixel covers.
    """

    edge: Singles
    ground: Singles
    inside: Singles
    ring: Singles
    off: Singles
    weights: Singles
    trust: Singles
    normals: Singles
    lever: Singles
    slope: Floats
    pulls: Floats
    residual: Floats
    mottle: float
    pixel_mm: float


def place_covariance(seen: Evidence) -> Floats:
    """The covariances (N, 3, 3) of right, forward (mm) and turn (radians) of fitted bases."""
    matrix, right = _normal(seen, seen.weights)
    unexplained = _ALIKE_MM * seen.pixel_mm * (seen.residual**2 + (_MOTTLED * seen.mottle) ** 2)
    spread = unexplained[:, None, None] * _loose(seen, matrix[:, :8, :8] + np.diag(seen.pulls))
    for share, shift in zip((_TOP, _GROUND, _PAINT, _PUSHED), _shifts(seen, matrix, right), strict=True):
        spread = spread + share * shift[:, :, None] * shift[:, None, :]
    return spread


def circular(spread: Floats) -> Floats:
    """The sigma (N,) per axis of the round distribution that has 95 % within the same distance as have those of
    covariances (N, 2, 2), within 1 %: 2.45 of it hold 95 %."""
    least, most = np.linalg.eigvalsh(spread).T
    total = np.maximum(least + most, 1e-12)
    return np.asarray(np.sqrt(total / 2) * (1 + 0.13 * ((most - least) / total) ** 2), dtype=np.float64)


def _normal(seen: Evidence, weights: Singles) -> tuple[Floats, Floats]:
    """The normal equations (N, 12, 12) and (N, 12) of place, turn, levels, and slopes of the ground's and the
    paint's."""
    rows = np.stack([seen.edge, seen.ground, seen.inside, seen.ring, seen.off], axis=2)
    gram = (rows * weights[:, :, None]) @ rows.transpose(0, 1, 3, 2)
    spread = _spread(seen)
    count, normals = gram.shape[:2]
    shown = (spread @ gram[..., :4, :4]).transpose(0, 2, 1, 3).reshape(count, 12, normals * 4)
    columns = spread.transpose(0, 2, 1).reshape(normals * 4, 12)
    right = gram[..., :4, 4].reshape(count, normals * 4) @ columns
    return (shown @ columns).astype(np.float64), right.astype(np.float64)


def _spread(seen: Evidence) -> Singles:
    """How (K, 12, 4) the twelve parameters show in edge, ground, inside and ring of each normal."""
    normals = seen.normals
    spread = np.zeros((len(normals), 12, 4), np.float32)
    spread[:, 0:2, 0], spread[:, 2, 0] = normals, seen.lever
    spread[:, 3, 1] = spread[:, 4, 2] = spread[:, 7, 3] = 1.0
    spread[:, 5:7, 2], spread[:, 8:10, 1], spread[:, 10:12, 3] = normals, normals, normals
    return spread


def _loose(seen: Evidence, matrix: Floats) -> Floats:
    """The covariances (N, 3, 3) of place and turn for noise of one a square mm of rim.

    Noise pulls as much as the weights let it, in ``matrix`` (N, 8, 8); what holds against it is less, for where a
    sample is odd, a step brings it no nearer: what an M-estimator's second derivative says.
    """
    kept = np.sqrt(seen.weights / np.maximum(seen.trust, np.float32(1e-9)))
    bent, _ = _normal(seen, np.asarray(seen.trust * kept * kept * (4 * kept - 3), dtype=np.float32))
    counted, real = _reduced(matrix), _reduced(bent[:, :8, :8] + np.diag(seen.pulls))
    root = np.linalg.inv(np.linalg.cholesky(counted))
    values, vectors = np.linalg.eigh(root @ real @ root.transpose(0, 2, 1))
    own = root.transpose(0, 2, 1) @ vectors
    return np.asarray((own / np.square(np.maximum(values, _LEAST_HOLD))[:, None, :]) @ own.transpose(0, 2, 1))


def _reduced(matrix: Floats) -> Floats:
    """What is left (N, 3, 3) for place and turn once the levels have been fitted."""
    cross = matrix[:, 3:, :3]
    return np.asarray(matrix[:, :3, :3] - cross.transpose(0, 2, 1) @ np.linalg.solve(matrix[:, 3:, 3:], cross))


def _shifts(seen: Evidence, matrix: Floats, right: Floats) -> list[Floats]:
    """How far (N, 3) place and turn would move by each of the things taken for granted, were it otherwise."""
    own = matrix[:, _OWN][:, :, _OWN] + np.diag(seen.pulls[_OWN])
    likely = (seen.residual**2 * _ALIKE_MM * seen.pixel_mm / _UNEVEN**2)[:, None] * np.ones(12)
    likely[:, _OWN] = seen.pulls[_OWN]
    free = np.linalg.solve(matrix + likely[:, None, :] * np.eye(12), right[..., None])[..., 0]
    slopes = (seen.slope, free[:, _SLOPES[1]], free[:, _SLOPES[2]])
    shifts: list[Floats] = [
        np.asarray(np.linalg.solve(own, matrix[:, _OWN, which] @ slope[..., None])[:, _PLACE, 0], np.float64)
        for which, slope in zip(_SLOPES, slopes, strict=True)
    ]
    fitted = np.linalg.inv(matrix[:, :8, :8] + np.diag(seen.pulls))[:, _PLACE, _PLACE]
    return [*shifts, np.asarray((fitted @ right[:, _PLACE, None])[..., 0], np.float64)]
