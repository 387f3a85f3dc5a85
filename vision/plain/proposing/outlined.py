"""How clearly an outline shows about a place: how much what has changed steps across it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.shapes import Outline, turned
from vision.lookups import looked_up
from vision.plain.picture.backdrop import Picture
from vision.plain.picture.changed import Changes

__all__ = ["outline_steps", "turns_of"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

_REACH_MM = 1.6  # how far an outline may be missed by a turn between two that are tried
_INNER_MM, _OUTER_MM = 1.6, 1.9  # so far inside and outside it what has changed is compared
_SECTORS, _PER_SECTOR = 10, 3
_AT_A_TIME = 512  # places whose samples stay in the processor's cache
_MOST = 4.0  # sigmas: a clearer step tells no more


def outline_steps(
    seen: Changes, outline: Outline, turn_deg: float, centres: Floats, heights: Floats, camera: CameraModel
) -> Floats:
    """How much (N,) the difference from the backdrop changes across the outline, in the mean over it, in sigmas."""
    ring, normal = outline.ring(0.0, outline.perimeter_mm / (_SECTORS * _PER_SECTOR))
    ring, along = turned(ring, turn_deg), turned(normal, turn_deg).astype(np.float32)
    eye = camera.position_mm
    drop = outline.height_mm / (eye[2] - heights - outline.height_mm)
    side = ((eye[:2] - centres) * drop[:, None]).astype(np.float32)
    clear = np.empty(len(centres))
    for first in range(0, len(centres), _AT_A_TIME):
        some = slice(first, first + _AT_A_TIME)
        lean = np.maximum(along @ side[some].T, np.float32(0))[..., None] * along[:, None]  # the side in sight
        clear[some] = _steps(seen, centres[some], ring, along, lean)
    return clear


def _steps(seen: Changes, centres: Floats, ring: Floats, normal: Singles, lean: Singles) -> Singles:
    """The same (N,) for places (N, 2), the ring (P, 2) with its normals, and how far outside it (P, N, 2) the
    silhouette lies."""
    half = np.float32(0.5)
    here = seen.at(centres)
    on, out, cell = (ring / seen.cell_mm).astype(np.float32), normal / np.float32(seen.cell_mm), seen.cell_mm
    lean = lean / np.float32(cell)
    inner = looked_up(seen.off, here + (on - np.float32(_INNER_MM) * out)[:, None])
    outer = looked_up(seen.off, here + (on + np.float32(_OUTER_MM) * out)[:, None] + lean)
    line = looked_up(seen.off, here + on[:, None] + half * lean)
    line -= half * (inner + outer)
    outer -= inner
    clear = np.maximum(_consistent(outer), np.float32(1.5) * _consistent(line))
    return np.asarray(np.minimum(clear, np.float32(_MOST)).mean(axis=0), dtype=np.float32)


def _consistent(off: Picture) -> Singles:
    """How large (sectors, N) differences (points, N, 3) are in the mean over sectors of the outline."""
    points = off.shape[0]
    first = np.arange(_SECTORS) * points // _SECTORS
    many = np.diff(first, append=points).astype(np.float32)
    mean = np.add.reduceat(off, first, axis=0) / many[:, None, None]
    return np.asarray(np.sqrt(np.einsum("snc,snc->sn", mean, mean)) / np.float32(1.7), dtype=np.float32)


def turns_of(outline: Outline) -> Floats:
    """The bearings (T,) in degrees at which an outline must be tried so that it is not missed; 0 of a round one."""
    if outline.round_:
        return np.zeros(1)
    step = np.rad2deg(2 * _REACH_MM / max(outline.half_depth_mm, outline.half_width_mm))
    return np.asarray(np.arange(0.0, outline.turn_deg, outline.turn_deg / np.ceil(outline.turn_deg / step)))
