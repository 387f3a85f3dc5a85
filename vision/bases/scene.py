"""One frame and what is known about it, laid flat once for every height of rims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Table
from vision.bases.paint import features_of
from vision.bases.plane import Flat, Ground, lay_flat
from vision.light import Light

__all__ = ["Scene"]

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Laid = tuple[Flat, NDArray[np.float32], Mask, Mask]

_SPARSE = 5  # every so many cells each way stand for the whole table


@dataclass(frozen=True, eq=False)
class Scene:
    """What every step needs. ``within`` (H, W) is where in the frame bases are looked for; None: everywhere."""

    frame: Image
    camera: CameraModel
    ground: Ground
    light: Light
    found: tuple[FoundMarker, ...]
    table: Table
    within: Mask | None = None
    _flats: dict[float, Laid] = field(default_factory=dict, repr=False)

    def flat(self, rim_mm: float) -> tuple[Flat, NDArray[np.float32], Mask]:
        """The frame laid flat at the height of rims, its features, and where bases are looked for; made once each.

        Elsewhere the features may be left out.
        """
        flat, features, _, usable = self._laid(rim_mm)
        return flat, features, usable

    def background(self, rim_mm: float) -> NDArray[np.float64]:
        """The features (N, 3) of a sample of the whole table, laid flat at the height of rims."""
        _, features, free, _ = self._laid(rim_mm)
        return features[::_SPARSE, ::_SPARSE][free[::_SPARSE, ::_SPARSE]].astype(np.float64)

    def _laid(self, rim_mm: float) -> Laid:
        if rim_mm not in self._flats:
            flat = lay_flat(self.frame, self.camera, self.table.table, self.ground, rim_mm)
            free = flat.seen & ~_prints(flat, self.found)
            usable = free if self.within is None else free & _looked_up(self.within, flat)
            self._flats[rim_mm] = (flat, self._features(flat, usable), free, usable)
        return self._flats[rim_mm]

    def _features(self, flat: Flat, usable: Mask) -> NDArray[np.float32]:
        """The features (H, W, 3) of all cells, or, where not all are usable, of those and of the sample."""
        height, width = flat.seen.shape
        if self.within is None:
            shares = self.light.reflectance(flat.image.reshape(-1, 3), flat.pixels.reshape(-1, 2))
            return features_of(shares.reshape(height, width, 3))
        wanted = usable.copy()
        wanted[::_SPARSE, ::_SPARSE] = True
        features = np.zeros((height, width, 3), np.float32)
        features[wanted] = features_of(self.light.reflectance(flat.image[wanted], flat.pixels[wanted]))
        return features

    @property
    def px_per_mm(self) -> float:
        """The picture's scale in the middle of the table."""
        size = self.table.table
        return float(self.camera.px_per_mm(np.array([[size.width_mm / 2, size.depth_mm / 2, 0.0]]))[0])

    def features_at(self, pixels: NDArray[np.intp]) -> NDArray[np.float32]:
        """The features (N, 3) of pixels (N, 2)."""
        return features_of(self.light.reflectance(self.frame[pixels[:, 1], pixels[:, 0]], pixels))


def _looked_up(mask: Mask, flat: Flat) -> Mask:
    """A mask (H, W) of the frame on the cells of a flat."""
    at = flat.pixels
    return np.asarray(cv2.remap(mask.astype(np.uint8), at[..., 0], at[..., 1], cv2.INTER_NEAREST) > 0)


def _prints(flat: Flat, found: Sequence[FoundMarker]) -> NDArray[np.bool_]:
    """The cells (H, W) on which printed markers and tags are seen, with their white borders."""
    mask = np.zeros(flat.seen.shape, dtype=np.uint8)
    for marker in found:
        middle = marker.centre_px
        grown = middle + (marker.corners_px - middle) * 1.36
        near = np.abs(flat.pixels[::4, ::4] - middle).max(axis=-1) < marker.side_px
        if not near.any():
            continue
        rows, columns = np.nonzero(near)
        top, bottom = max(0, rows.min() * 4 - 8), rows.max() * 4 + 9
        left, right = max(0, columns.min() * 4 - 8), columns.max() * 4 + 9
        part = flat.pixels[top:bottom, left:right].astype(np.float64)
        inside = np.ones(part.shape[:2], dtype=bool)
        for a, b in zip(grown, np.roll(grown, -1, axis=0), strict=True):
            inside &= (b[0] - a[0]) * (part[..., 1] - a[1]) - (b[1] - a[1]) * (part[..., 0] - a[0]) > 0
        mask[top:bottom, left:right] |= inside.astype(np.uint8)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0)
