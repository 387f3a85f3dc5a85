"""How high surveyed markers lie: what the photos alone say of it, and a second start for those on boxes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.optics import camera_matrix, rays_of_pixels
from calibration.records import Intrinsics
from calibration.surveys.bundle import Bundle, View, height_likely

__all__ = ["heights_alone", "lifted", "unsettled"]

Points = NDArray[np.float64]

_LIKELY_MM = np.arange(-80.0, 161.0, 5.0)  # heights at which a marker is tried
_SAID = 0.01  # of what is known of a height in all, the photos say so much, or nothing
_ASTRAY, _ASTRAY_PX = 2.5, 0.1  # markers that miss by so many times what others do, and by more than this


def heights_alone(bundle: Bundle) -> dict[int, tuple[float, float]]:
    """By id, what the photos alone say of a marker's height in mm, with its sigma: what was likely is taken out.

    Of where the photos say nothing, the sigma is infinite.
    """
    out = {}
    for i, place in bundle.markers.items():
        height, variance = float(place[2]), float(bundle.variances[i][2])
        alone = 1 / variance - float(height_likely(height))
        said = alone * variance > _SAID
        out[i] = (height / (alone * variance), float(alone**-0.5)) if said else (0.0, float("inf"))
    return out


def unsettled(bundle: Bundle) -> list[int]:
    """Markers that miss where they should be seen by much more than the others do: they may lie on something.

    Those farthest astray come first.
    """
    seen = np.array([i for view in bundle.views for i in sorted(view.found) for _ in range(4)])
    squares = (bundle.misses_px**2).sum(axis=1)
    rms = {i: float(np.sqrt(squares[seen == i].mean())) for i in sorted(set(seen.tolist()))}
    limit = max(_ASTRAY * float(np.median(list(rms.values()))), _ASTRAY_PX)
    return sorted((i for i, miss in rms.items() if miss > limit), key=lambda i: -rms[i])


def lifted(bundle: Bundle, ids: Collection[int]) -> Bundle:
    """The bundle with some markers at the height at which they would look most as its cameras see them."""
    markers = {i: _best(bundle, i) if i in ids else place for i, place in bundle.markers.items()}
    return replace(bundle, markers=markers)


def _best(bundle: Bundle, i: int) -> Points:
    """A marker's place (x, y, z, bearing), tried at one height after the other."""
    views = [view for view in bundle.views if i in view.found]
    bearing = bundle.markers[i][3]
    tried = []
    for height in _LIKELY_MM:
        xy = np.mean([_on_plane(view, i, float(height), bundle.lens) for view in views], axis=0)
        place = np.array([*xy, height, bearing])
        tried.append((sum(_miss(view, i, place, bundle) for view in views), place))
    return min(tried, key=lambda each: each[0])[1]


def _on_plane(view: View, i: int, height_mm: float, lens: Intrinsics) -> Points:
    """Where at a height a photo sees a marker's middle (2,)."""
    turn = np.asarray(cv2.Rodrigues(view.pose[:3])[0], dtype=np.float64)
    eye = -turn.T @ view.pose[3:]
    ahead = np.append(rays_of_pixels(view.found[i].corners_px.mean(axis=0)[None], lens)[0], 1.0) @ turn
    return np.asarray((eye + ahead * (height_mm - eye[2]) / ahead[2])[:2], dtype=np.float64)


def _miss(view: View, i: int, place: Points, bundle: Bundle) -> float:
    """The sum of squared misses in px² of a marker's corners in a photo, were it at a place."""
    s, c, half = np.sin(place[3]), np.cos(place[3]), bundle.size_mm / 2
    up, right = np.array([s, c, 0.0]) * half, np.array([c, -s, 0.0]) * half
    corners = place[:3] + np.array([up - right, up + right, right - up, -up - right])
    pixels = cv2.projectPoints(
        corners, view.pose[:3], view.pose[3:], camera_matrix(bundle.lens), np.array(bundle.lens.dist)
    )[0]
    return float(((pixels.reshape(-1, 2) - view.found[i].corners_px) ** 2).sum())
