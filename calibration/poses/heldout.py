"""Every table marker checked by the others: where they would have it, against where it is seen.

A marker that lies elsewhere than the table file says bends the pose towards itself, and then hides in the fit's own
residual. So each is held out in turn. All is linearised about a fitted pose, which costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import HeldOut
from calibration.poses.posefit import Pose, Sighting, residuals

__all__ = ["held_out", "moved_markers"]

Points = NDArray[np.float64]

_CENTRE_SIGMA_PX = 0.12  # how far off centres are seen, and corners against them, in ordinary pictures
_CORNER_SIGMA_PX = 0.2
_EDGE_SIGMA_PX = 0.1
_MOVED_MM, _MOVED_PX = 1.0, 0.5  # nothing nearer to its place is held to have been moved
_CLEARLY = 5.0  # so many sigmas off is no chance
_QUIET_PX = 0.1  # no centre is taken to be better than this
_RIVAL = 2.0  # another explanation of what is seen must leave so much more unexplained to be ruled out
_MOST_MOVED = 2


class _Others:
    """The linearised fit, from which any markers can be left out."""

    def __init__(self, seen: Sequence[Sighting], pose: Pose, *, free_lens: bool) -> None:
        residual, slopes = residuals(seen, pose)
        columns = range(9 if free_lens else 7)
        scale = np.array([_CENTRE_SIGMA_PX, *[_CORNER_SIGMA_PX] * 4])[:, None]
        white = (residual / scale).reshape(len(seen), 10)
        lever = (slopes[..., columns] / scale[..., None]).reshape(len(seen), 10, -1)
        self.middles, self.levers = residual[:, 0], slopes[:, 0][..., columns]
        self._normals = lever.transpose(0, 2, 1) @ lever
        self._rights = (lever.transpose(0, 2, 1) @ white[..., None])[..., 0]
        self._prior = np.diag([*[1e-12] * 6, _EDGE_SIGMA_PX**-2, *[4.0, 40.0][: len(columns) - 7]])
        self._freedom = len(columns) - 1  # the edges' shift does not move centres

    def __len__(self) -> int:
        return len(self.middles)

    def misses(self, without: Collection[int]) -> tuple[Points, Points]:
        """How far all centres (M, 2) are off in px by a fit without some, and the covariance (M, 2, 2) of that in
        which the fit's own is counted."""
        kept = [i for i in range(len(self)) if i not in without]
        spread = np.linalg.inv(self._normals[kept].sum(axis=0) + self._prior)
        change = spread @ self._rights[kept].sum(axis=0)
        covariance = self.levers @ spread @ self.levers.transpose(0, 2, 1) + _CENTRE_SIGMA_PX**2 * np.eye(2)
        return self.middles - self.levers @ change, covariance

    def noise_px(self, without: Collection[int]) -> float:
        """How far off per axis the centres are of those that a fit without some rests on."""
        kept = [i for i in range(len(self)) if i not in without]
        off, _ = self.misses(without)
        return float(np.sqrt((off[kept] ** 2).sum() / max(2 * len(kept) - self._freedom, 1)))

    def can_spare(self, count: int) -> bool:
        """Whether so many can be left out, and the rest still prove each other."""
        return 2 * (len(self) - count) - self._freedom >= 2


def held_out(seen: Sequence[Sighting], pose: Pose, *, free_lens: bool) -> tuple[HeldOut, ...]:
    """Each of four or more markers that a pose was fitted to, against where the others put it."""
    others = _Others(seen, pose, free_lens=free_lens)
    if len(others) < 4:
        return ()
    per_mm = _slopes_per_mm(seen, pose)
    out = []
    for i, s in enumerate(seen):
        off, covariance = (part[i] for part in others.misses([i]))
        back = np.linalg.inv(per_mm[i])
        sigma = np.sqrt(np.trace(back @ covariance @ back.T) / 2)
        out.append(HeldOut(s.id, float(np.linalg.norm(back @ off)), float(sigma)))
    return tuple(out)


def moved_markers(seen: Sequence[Sighting], pose: Pose, *, free_lens: bool) -> tuple[int, ...]:
    """Which of the sightings are of markers that lie elsewhere than the others say: one or two, by their index.

    None where all agree, and where it cannot be told which it is.
    """
    others = _Others(seen, pose, free_lens=free_lens)
    for count in range(1, _MOST_MOVED + 1):
        if not others.can_spare(count):
            return ()
        told = _told(others, count, _slopes_per_mm(seen, pose))
        if told:
            return told
    return ()


def _told(others: _Others, count: int, per_mm: Points) -> tuple[int, ...]:
    """So many markers without which the others agree, if it can only be these, and all of them are clearly off."""
    left = sorted((others.noise_px(some), some) for some in combinations(range(len(others)), count))
    (noise, best), *rivals = left
    quiet = max(noise, _QUIET_PX)
    if rivals and rivals[0][0] < _RIVAL * quiet:
        return ()
    off, covariance = others.misses(best)
    for i in best:
        shift = np.linalg.solve(per_mm[i], off[i])
        spread = covariance[i] * (quiet / _CENTRE_SIGMA_PX) ** 2
        if not (
            np.linalg.norm(shift) > _MOVED_MM
            and np.linalg.norm(off[i]) > _MOVED_PX
            and off[i] @ np.linalg.solve(spread, off[i]) > _CLEARLY**2
        ):
            return ()
    return best


def _slopes_per_mm(seen: Sequence[Sighting], pose: Pose) -> Points:
    """How a marker's centre moves in the picture, in px, with each mm along x and y of the table (M, 2, 2)."""
    out = []
    for s in seen:
        top_left, top_right, _, bottom_left = s.corners_mm
        edges = np.column_stack([top_right - top_left, bottom_left - top_left])[:2]
        pixels = np.column_stack(
            [s.found.corners_px[1] - s.found.corners_px[0], s.found.corners_px[3] - s.found.corners_px[0]]
        )
        out.append(pixels @ np.linalg.inv(edges))
    return np.array(out)
