"""The least squares behind `calibration.poses.pose`: a pose fitted to table markers, one robust Gauss-Newton.

Centres weigh more than corners, since a marker's corners may all lie a little inside or outside (bloom, print
scale): that common shift of all edges is a parameter of the fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from calibration.optics import camera_matrix, rays_of_pixels
from calibration.prints.markers import FoundMarker
from calibration.records import Intrinsics

__all__ = ["Pose", "Sighting", "fit_pose", "misses_mm", "misses_px", "residuals", "split"]

Points = NDArray[np.float64]

_CENTRE_SIGMA_PX = 0.08  # noise of a centre per axis, where the picture is at its best
_CORNER_SIGMA_PX = 0.15  # noise of a corner against its own centre
_EDGE_SIGMA_PX = 0.1  # how far all edges may lie inside or outside, before anything is seen
_FOCAL_SPREAD = 0.5  # sigma of log(focal length), before anything is seen
_K1_SPREAD = 0.15  # sigma of the first distortion coefficient, likewise
_PRIOR_FREEDOM = 4.0  # how many residuals the assumed noise is worth against the fit's own
_LEAST_FOR_BEND = 3  # more markers than this can tell distortion from tilt
_GUESS_WIDENS = 4.0  # measured: so many times the sigma of the fit are positions off with a guessed lens
_STEPS = 25
_ALIKE_STEPS = 4  # steps in which no marker is doubted: far from the fit, all of them look wrong


@dataclass(frozen=True, eq=False)
class Sighting:
    """A table marker that is seen: where its corners lie, (4, 3) in mm, and what was found in the picture."""

    corners_mm: Points
    found: FoundMarker

    @property
    def id(self) -> int:
        """Its id."""
        return self.found.id


@dataclass(frozen=True, eq=False)
class Pose:
    """A pose (6,), rvec in radians and tvec in mm, with the lens it holds for.

    ``edge_px`` is how far inside all marker edges were seen; ``covariance`` (6, 6) is the pose's, the lens given.
    """

    lens: Intrinsics
    vector: Points
    edge_px: float
    covariance: Points


def fit_pose(seen: Sequence[Sighting], lens: Intrinsics, start: Points, *, free_lens: bool = False) -> Pose:
    """The pose that fits the sightings best, from a start (6,).

    With ``free_lens`` the focal length is fitted too, and, with four markers or more, the first coefficient of
    distortion; the covariance is then widened for what such a guess of a lens cannot know.
    """
    prior = _prior(lens, free=free_lens, bent=free_lens and len(seen) > _LEAST_FOR_BEND)
    pose = Pose(lens, start, 0.0, np.zeros((6, 6)))
    sigma = np.array([_CENTRE_SIGMA_PX, _CORNER_SIGMA_PX])
    normal = np.eye(9)
    for step in range(_STEPS):
        residual, jacobian = residuals(seen, pose)
        doubted = not free_lens or step >= _ALIKE_STEPS
        weights = _weights(residual if doubted else np.zeros_like(residual), sigma)
        normal, change = _step(residual, jacobian, weights, pose, prior)
        pose = _moved(pose, change)
        if doubted:
            sigma = _noise(residual, weights)
        if np.abs(change[:3]).max() < 1e-9 and np.abs(change[3:6]).max() < 1e-6 and np.abs(change[7:]).max() < 1e-9:
            break
    widened = _GUESS_WIDENS if free_lens else 1.0
    covariance = np.asarray(np.linalg.inv(normal[:7, :7])[:6, :6] * widened**2, dtype=np.float64)
    return replace(pose, covariance=covariance)


def misses_px(seen: Sequence[Sighting], pose: Pose) -> tuple[Points, Points]:
    """How far each centre is from where it should be (M,), and, beyond that, each marker's corners (M,), rms."""
    residual, _ = residuals(seen, pose)
    lengths = np.linalg.norm(residual, axis=2)
    return lengths[:, 0], np.sqrt((lengths[:, 1:] ** 2).mean(axis=1))


def residuals(seen: Sequence[Sighting], pose: Pose) -> tuple[Points, Points]:
    """What is seen less what a pose foretells, (M, 5, 2) in px: the middle, then the corners against it.

    And the slopes (M, 5, 2, 9) of what is foretold by all that is fitted: the pose (6), the edges' shift, the
    logarithm of the focal length and the first coefficient of distortion.
    """
    lens = pose.lens
    world = np.stack([s.corners_mm for s in seen]).reshape(-1, 1, 3)
    pixels, slopes = cv2.projectPoints(
        world, pose.vector[:3], pose.vector[3:], camera_matrix(lens), np.array(lens.dist)
    )
    corners = np.asarray(pixels, dtype=np.float64).reshape(-1, 4, 2)
    full = np.asarray(slopes, dtype=np.float64).reshape(-1, 4, 2, slopes.shape[1])
    jacobian = np.zeros((len(seen), 4, 2, 9))
    jacobian[..., :6] = full[..., :6]
    jacobian[..., 7] = full[..., 6] * lens.fx + full[..., 7] * lens.fy
    jacobian[..., 8] = full[..., 10]
    inward = _unit(np.roll(corners, 1, axis=1) - corners) + _unit(np.roll(corners, -1, axis=1) - corners)
    jacobian[..., 6] = inward
    observed = np.stack([s.found.corners_px for s in seen])
    return split(observed - corners - pose.edge_px * inward), split(jacobian)


def misses_mm(stray: Sighting, pose: Pose) -> float:
    """How far from its place a marker lies, its height granted."""
    lens = pose.lens
    turn = np.asarray(cv2.Rodrigues(pose.vector[:3])[0], dtype=np.float64)
    ahead = np.append(rays_of_pixels(stray.found.corners_px.mean(axis=0)[None], lens)[0], 1.0) @ turn
    eye, place = -turn.T @ pose.vector[3:], stray.corners_mm.mean(axis=0)
    return float(np.linalg.norm((eye + ahead * (place[2] - eye[2]) / ahead[2] - place)[:2]))


def split(corners: Points) -> Points:
    """What holds of four corners (M, 4, …) as (M, 5, …): of the marker's middle, and theirs against it.

    The middle is the mean of the corners, not the crossing of the diagonals, which a lens that distorts does not
    keep. Bloom, which moves all edges inward alike, keeps the mean.
    """
    middle = corners.mean(axis=1, keepdims=True)
    return np.concatenate([middle, corners - middle], axis=1)


def _weights(residual: Points, sigma: Points) -> Points:
    """Inverse variances (M, 5), less for markers that disagree."""
    lengths = np.linalg.norm(residual, axis=2)
    scale = np.array([sigma[0], *[sigma[1]] * 4])
    return np.asarray(1 / (scale**2 * (1 + (lengths / (3.0 * scale)) ** 2)), dtype=np.float64)


def _noise(residual: Points, weights: Points) -> Points:
    """Noise of centres and of corners per axis: what residuals say, held to what is likely where they are few."""
    lengths2 = (residual**2).sum(axis=2)
    centre, corner = lengths2[:, 0], lengths2[:, 1:].ravel()
    out = []
    for values, least, freedom in (
        (centre, _CENTRE_SIGMA_PX, max(2 * len(centre) - 6, 0)),
        (corner, _CORNER_SIGMA_PX, max(2 * len(corner) - 3, 0)),
    ):
        typical = np.minimum(values, 16 * max(float(np.median(values)), least**2))
        variance = (typical.sum() + _PRIOR_FREEDOM * least**2) / (freedom + _PRIOR_FREEDOM)
        out.append(max(float(np.sqrt(variance)), least))
    return np.array(out)


def _prior(lens: Intrinsics, *, free: bool, bent: bool) -> Points:
    """What is likely before anything is seen, (2, 9): values, and inverse variances (infinite: held fast)."""
    values, certainty = np.zeros(9), np.zeros(9)
    values[7], values[8] = np.log(lens.fx), lens.dist[0]
    certainty[6] = _EDGE_SIGMA_PX**-2
    certainty[7] = _FOCAL_SPREAD**-2 if free else np.inf
    certainty[8] = _K1_SPREAD**-2 if bent else np.inf
    return np.stack([values, certainty])


def _step(residual: Points, jacobian: Points, weights: Points, pose: Pose, prior: Points) -> tuple[Points, Points]:
    """The normal matrix (9, 9) and the change (9,) that it asks for."""
    flat = jacobian.reshape(-1, 9)
    weight = np.repeat(weights.ravel(), 2)
    normal = flat.T @ (flat * weight[:, None])
    right = flat.T @ (weight * residual.ravel())
    now = np.concatenate([np.zeros(6), [pose.edge_px, np.log(pose.lens.fx), pose.lens.dist[0]]])
    held = ~np.isfinite(prior[1])
    certainty = np.where(held, 0.0, prior[1])
    normal += np.diag(certainty)
    right += certainty * (prior[0] - now)
    normal[held, :] = normal[:, held] = 0.0
    normal[held, held] = 1.0
    right[held] = 0.0
    scale = 1 / np.sqrt(np.maximum(np.diag(normal), 1e-30))
    change = scale * np.linalg.lstsq(normal * np.outer(scale, scale), right * scale, rcond=1e-14)[0]
    return normal, change * min(1.0, 0.3 / max(float(np.abs(change[[0, 1, 2, 7, 8]]).max()), 1e-12))


def _moved(pose: Pose, change: Points) -> Pose:
    factor = float(np.exp(change[7]))
    k1, *others = pose.lens.dist
    dist = (k1 + float(change[8]), *others)
    lens = structs.replace(pose.lens, fx=pose.lens.fx * factor, fy=pose.lens.fy * factor, dist=dist)
    return replace(pose, lens=lens, vector=pose.vector + change[:6], edge_px=pose.edge_px + float(change[6]))


def _unit(vectors: Points) -> Points:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float64)
