"""One frame and what is known about it, laid flat once for every height of rims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Table
from vision.bases.paint import Paint, features_of
from vision.bases.plane import Flat, Ground, box_of, lay_flat, shrunk
from vision.bases.profiles import Group, Pattern, look_up, pixels_of
from vision.bases.shade import Shade, lit_across, shade_of
from vision.light import Light, linear_of_srgb

__all__ = ["Scene"]

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Singles = NDArray[np.float32]

_SPARSE_MM = 12.0  # points so far apart stand for the whole table
_CURVE = linear_of_srgb(np.arange(256)).astype(np.float32)
_SHADES = np.array([1.0, 0.8, 0.65, 0.52, 0.41, 0.33], np.float32)
_BITS = 5  # of each channel, where colours are looked up
_SEEMS, _FOREIGN = 0.15, 0.3  # what seems painted, but so far astray (see `Paint.astray`) that it is something else
_COARSE_CELLS, _MOSTLY, _WIDE_MM = 4, 0.5, 40.0  # … and where most of an area so wide is, a thing lies there
_ROOM_MM = 80.0  # about where bases are looked for, so that whole ones are seen
_OVER_MM = 5.0  # a base's middle may be so far over the table's edge, no more: it would fall


@dataclass(frozen=True, eq=False)
class Scene:
    """What every step needs. ``within`` (H, W) is where in the frame bases are looked for; None: everywhere.

    ``known_background`` (N, 3) are the mat's features, where an earlier look at it has told them.
    """

    frame: Image
    camera: CameraModel
    ground: Ground
    light: Light
    found: tuple[FoundMarker, ...]
    table: Table
    within: Mask | None = None
    known_background: NDArray[np.float64] | None = None
    _flats: dict[float, tuple[Flat, NDArray[np.int32], Mask] | None] = field(default_factory=dict, repr=False)

    def likeness(self, paint: Paint, rim_mm: float) -> tuple[Flat, Singles, Mask] | None:
        """The frame laid flat at the height of rims, how much like a paint each cell is (H, W), and where bases are
        looked for; None where nothing is."""
        self.prepare((rim_mm,))
        laid = self._flats[rim_mm]
        if laid is None:
            return None
        flat, index, usable = laid
        there = np.flatnonzero(np.bincount(index.ravel(), minlength=len(_SHADES) << (3 * _BITS)))
        likeness = np.zeros(len(_SHADES) << (3 * _BITS), np.float32)
        colours, shades = _palette()[there & ((1 << (3 * _BITS)) - 1)], _SHADES[there >> (3 * _BITS)]
        features = features_of(paint.lit(colours, shades))
        likeness[there] = paint.likeness(features)
        foreign = np.zeros(len(likeness), np.uint8)
        foreign[there] = (likeness[there] > _SEEMS) & (paint.astray(features.astype(np.float64)) > _FOREIGN)
        like = likeness[index]
        like[_wide(foreign[index], flat.cell_mm)] = 1.0  # what is painted all over is no rim
        return flat, like, usable

    def prepare(self, rims_mm: Iterable[float]) -> None:
        """Lays the frame flat at rims of such heights, so that several threads may then ask for `likeness`."""
        for rim_mm in rims_mm:
            if rim_mm not in self._flats:
                self._flats[rim_mm] = self._laid(rim_mm)

    @cached_property
    def background(self) -> NDArray[np.float64]:
        """The features (N, 3) of a sample of the whole table."""
        if self.known_background is not None:
            return self.known_background
        size = self.table.table
        x = np.arange(_SPARSE_MM / 2, size.width_mm, _SPARSE_MM)
        y = np.arange(_SPARSE_MM / 2, size.depth_mm, _SPARSE_MM)
        points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        seen = self.camera.project(np.column_stack([points, np.zeros(len(points))]))
        rows, columns = self.frame.shape[:2]
        with np.errstate(invalid="ignore"):
            inside = (seen >= 0).all(axis=1) & (seen <= [columns - 1, rows - 1]).all(axis=1)
        seen = seen[inside]
        seen = seen[~_on_prints(seen, self.found)]
        at = seen.astype(np.intp)
        return features_of(self.light.reflectance(self.frame[at[:, 1], at[:, 0]], seen)).astype(np.float64)

    @cached_property
    def px_per_mm(self) -> float:
        """The picture's scale in the middle of the table."""
        size = self.table.table
        return float(self.camera.px_per_mm(np.array([[size.width_mm / 2, size.depth_mm / 2, 0.0]]))[0])

    def on_table(self, points_mm: ArrayLike) -> Mask:
        """Which points (N, 2) lie on the table, or as little over its edge as a base's middle may."""
        at, size = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2), self.table.table
        return np.asarray(
            ((at > -_OVER_MM) & (at < [size.width_mm + _OVER_MM, size.depth_mm + _OVER_MM])).all(axis=1)
        )

    def sampled(self, group: Group, pattern: Pattern, paint: Paint) -> tuple[Singles, Mask]:
        """The features (N, K, M, 3) of bases' samples, lit as this paint is, and which (N, K, M) the picture
        shows."""
        small, by = (self.frame, 1) if pattern.deep_mm * self.px_per_mm < 2.0 else self._small
        pixels = pixels_of(group, self.camera, pattern.terms)
        rows, columns = self.frame.shape[:2]
        x, y = pixels[..., 0], pixels[..., 1]
        inside = (x >= 0) & (y >= 0) & (x <= columns - 1) & (y <= rows - 1)
        at = pixels if by == 1 else (pixels + np.float32(0.5)) / np.float32(by) - np.float32(0.5)
        middle = self.camera.project(np.column_stack([group.x, group.y, group.z]))
        shape = (len(group), len(pattern.normals), len(pattern.depths))
        colours = self.light.reflectance_about(look_up(small, at), np.nan_to_num(middle)).reshape(*shape, 3)
        lit = lit_across(colours, pattern.depths, paint.ground)
        return features_of(paint.lit(colours, lit)), inside.reshape(shape)

    @cached_property
    def shade(self) -> Shade:
        """The shadows in the frame."""
        middle = np.median(self.background, axis=0)
        box = None if self.within is None else _box(self.within)
        return shade_of(*self._small, self.px_per_mm, self.light, middle.astype(np.float32), box)

    @cached_property
    def _small(self) -> tuple[Image, int]:
        return shrunk(self.frame, self.px_per_mm)

    def _laid(self, rim_mm: float) -> tuple[Flat, NDArray[np.int32], Mask] | None:
        box = None
        if self.within is not None:
            box = self._wanted()
            if box is None:
                return None
        flat = lay_flat(*self._small, self.camera, self.table.table, self.ground, rim_mm, box)
        usable = flat.seen & ~_prints(flat, self.found)
        if self.within is not None:
            at = flat.pixels
            mask = cv2.remap(self.within.astype(np.uint8), at[..., 0], at[..., 1], cv2.INTER_NEAREST)
            usable &= mask > 0
        index = _indexed(self.light.levelled(flat.image, flat.pixels))
        shades = np.searchsorted(-_SHADES[:-1], -self.shade.at(flat.pixels)).astype(np.int32)
        return flat, index.astype(np.int32) + (shades << (3 * _BITS)), usable

    def _wanted(self) -> tuple[int, int, int, int] | None:
        """The cells of the grid about ``within``."""
        within = self.within
        assert within is not None
        rows, columns = np.flatnonzero(within.any(axis=1)), np.flatnonzero(within.any(axis=0))
        if not len(rows):
            return None
        edge = np.linspace(0, 1, 9)
        x, y = columns[0] + edge * (columns[-1] - columns[0]), rows[0] + edge * (rows[-1] - rows[0])
        around = np.concatenate(
            [np.column_stack([x, np.full(9, v)]) for v in (y[0], y[-1])]
            + [np.column_stack([np.full(9, v), y]) for v in (x[0], x[-1])]
        )
        points = self.camera.to_plane(around, 0.0)
        return box_of(points, self.table.table, _ROOM_MM)


def _wide(foreign: Image, cell_mm: float) -> Mask:
    """Where (H, W) so much is foreign (H, W, 0 or 1) over so wide an area that no bases stand there: sheets of
    paper, books, roofs."""
    height, width = foreign.shape
    size = (max(1, width // _COARSE_CELLS), max(1, height // _COARSE_CELLS))
    coarse = cv2.resize(foreign * np.uint8(255), size, interpolation=cv2.INTER_AREA)
    cells = round(_WIDE_MM / (cell_mm * _COARSE_CELLS)) | 1
    wide = cv2.blur(coarse, (cells, cells)) > _MOSTLY * 255
    if not wide.any():
        return np.zeros((height, width), dtype=np.bool_)
    return np.asarray(cv2.resize(wide.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0)


def _box(mask: Mask) -> tuple[slice, slice]:
    """The rows and columns of a mask (H, W) between the first and the last that are set."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return slice(0, 0), slice(0, 0)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


@lru_cache(maxsize=1)
def _palette() -> Singles:
    """All colours (32768, 3), coarsely, as shares of white."""
    levels = (np.arange(1 << _BITS) << (8 - _BITS)) + (1 << (7 - _BITS))
    blue, green, red = np.meshgrid(levels, levels, levels, indexing="ij")
    return np.asarray(_CURVE[np.stack([blue, green, red], axis=-1).reshape(-1, 3)], dtype=np.float32)


def _indexed(image: Image) -> NDArray[np.uint16]:
    """Which colour of the palette each pixel (H, W) of a picture (H, W, 3) is."""
    coarse = (image >> (8 - _BITS)).astype(np.uint16)
    index = (coarse[..., 0] << (2 * _BITS)) | (coarse[..., 1] << _BITS) | coarse[..., 2]
    return np.asarray(index, dtype=np.uint16)


def _on_prints(points_px: NDArray[np.float64], found: Sequence[FoundMarker]) -> Mask:
    """Which pixels (N, 2) lie on printed markers and tags, with their white borders."""
    on = np.zeros(len(points_px), dtype=bool)
    for marker in found:
        middle = marker.centre_px
        near = np.flatnonzero(np.abs(points_px - middle).max(axis=1) < marker.side_px)
        if len(near):
            on[near] |= _inside(points_px[near], middle + (marker.corners_px - middle) * 1.36)
    return on


def _inside(points: NDArray[np.floating], corners: NDArray[np.float64]) -> Mask:
    """Which points (..., 2) lie within a convex polygon, its corners clockwise on the screen."""
    inside = np.ones(points.shape[:-1], dtype=bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inside &= (b[0] - a[0]) * (points[..., 1] - a[1]) - (b[1] - a[1]) * (points[..., 0] - a[0]) > 0
    return inside


def _prints(flat: Flat, found: Sequence[FoundMarker]) -> Mask:
    """The cells (H, W) on which printed markers and tags are seen, with their white borders."""
    mask = np.zeros(flat.seen.shape, dtype=bool)
    coarse = flat.pixels[::4, ::4]
    for marker in found:
        middle = marker.centre_px.astype(np.float32)
        near = (np.abs(coarse[..., 0] - middle[0]) < marker.side_px) & (
            np.abs(coarse[..., 1] - middle[1]) < marker.side_px
        )
        if not near.any():
            continue
        rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
        top, bottom = max(0, int(rows[0]) * 4 - 8), int(rows[-1]) * 4 + 9
        left, right = max(0, int(columns[0]) * 4 - 8), int(columns[-1]) * 4 + 9
        part = flat.pixels[top:bottom, left:right]
        mask[top:bottom, left:right] |= _inside(part, middle + (marker.corners_px - middle) * 1.42)
    return mask
