"""A frame as the search for terrain sees it: paint colours, what is printed, and how large a pixel is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Table
from vision.terrain.colour import even_light, lightness_roots

__all__ = ["Scene", "Window", "closed", "dilated", "eroded", "look", "opened"]

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Scalar = TypeVar("Scalar", bound=np.generic)

_SMOOTH_PX = 0.8
_PRINT_MARGIN = 1.5  # a print's card reaches this far, as a share of the black square
_COARSE_PX_PER_MM = 0.6
_MOST_ENLARGED = 2.5
_BESIDE_MM = 30.0
_EDGE_STEPS = 16  # a straight edge of the play area is curved by the lens


@dataclass(frozen=True)
class Window:
    """A part of the picture: its top left pixel, and its size."""

    x: int
    y: int
    width: int
    height: int

    def of(self, whole: NDArray[Scalar]) -> NDArray[Scalar]:
        """That part of an array (H, W, ...), sharing its memory."""
        return whole[self.y : self.y + self.height, self.x : self.x + self.width]


@dataclass(frozen=True, eq=False)
class Scene:
    """A frame's light (H, W, 3) under an even white lamp, its cube roots, and what is known about it.

    ``prints`` (H, W) is 1 where a marker or tag lies. Only what shows the play area is kept, from ``corner_px``
    (2,) on. The scene has ``zoom`` times the frame's pixels each way: small pictures are enlarged, so that walls
    have breadth, and large ones reduced, for speed.
    """

    light: Floats32
    roots: Floats32
    prints: Mask
    camera: CameraModel
    table: Table
    px_per_mm: float
    zoom: float
    corner_px: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in px."""
        return self.roots.shape[0], self.roots.shape[1]

    def to_plane(self, points_px: Floats, height_mm: float) -> Floats:
        """The table points (N, 2) in mm at a height that pixels (N, 2) of this scene show."""
        return self.camera.to_plane(_zoomed(points_px + self.corner_px, 1.0 / self.zoom), height_mm)

    def play_area(self, height_mm: float) -> Mask:
        """Where the play area, raised to a height, lies in the picture (H, W)."""
        mask = np.zeros(self.shape, np.uint8)
        edge = _zoomed(_play_edge(self.camera, self.table, height_mm), self.zoom) - self.corner_px
        if np.isfinite(edge).all():
            cv2.fillPoly(mask, [np.rint(np.clip(edge, -1e5, 1e5)).astype(np.int32)], 1)
        return mask


def look(frame_bgr: Image, camera: CameraModel, table: Table, found: Sequence[FoundMarker]) -> Scene:
    """The scene of a frame (H, W, 3) in which these markers were found."""
    middle = [[table.table.width_mm / 2, table.table.depth_mm / 2, 0.0]]
    scale = float(camera.px_per_mm(middle)[0])
    zoom = _zoom(scale)
    light = even_light(frame_bgr, found)
    if zoom != 1.0:
        size = round(frame_bgr.shape[1] * zoom), round(frame_bgr.shape[0] * zoom)
        how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
        light = np.asarray(cv2.resize(light, size, interpolation=how), dtype=np.float32)
    part = _window_on_play(light, camera, table, zoom, round(_BESIDE_MM * scale * zoom))
    corner = np.array([part.x, part.y], dtype=np.float64)
    light = np.ascontiguousarray(part.of(light))
    roots = lightness_roots(np.asarray(cv2.GaussianBlur(light, (0, 0), _SMOOTH_PX), dtype=np.float32))
    prints = np.zeros(roots.shape[:2], np.uint8)
    for marker in found:
        centre = marker.corners_px.mean(axis=0)
        corners = _zoomed(centre + (marker.corners_px - centre) * _PRINT_MARGIN, zoom) - corner
        cv2.fillConvexPoly(prints, np.rint(corners).astype(np.int32), 1)
    return Scene(light, roots, prints, camera, table, scale * zoom, zoom, corner)


def _play_edge(camera: CameraModel, table: Table, height_mm: float) -> Floats:
    """The edge of the play area at a height, as pixels (N, 2) of the frame."""
    width, depth = table.table.width_mm, table.table.depth_mm
    corners = np.array([[0.0, 0.0], [width, 0.0], [width, depth], [0.0, depth]])
    along = np.arange(_EDGE_STEPS)[:, None, None] / _EDGE_STEPS
    edge = (corners * (1 - along) + np.roll(corners, -1, axis=0) * along).transpose(1, 0, 2).reshape(-1, 2)
    return camera.project(np.column_stack([edge, np.full(len(edge), height_mm)]))


def _window_on_play(light: Floats32, camera: CameraModel, table: Table, zoom: float, beside_px: int) -> Window:
    """The part of the picture that shows the play area at every height of terrain, and a little beside it."""
    heights = {0.0, *(kind.height_mm for kind in table.terrain_kinds)}
    edges = np.concatenate([_zoomed(_play_edge(camera, table, height), zoom) for height in heights])
    height, width = light.shape[:2]
    if not np.isfinite(edges).all():
        return Window(0, 0, width, height)
    low = np.clip(np.floor(edges.min(axis=0)).astype(int) - beside_px, 0, (width - 1, height - 1))
    high = np.clip(np.ceil(edges.max(axis=0)).astype(int) + beside_px, low + 1, (width, height))
    return Window(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def _zoom(px_per_mm: float) -> float:
    """By how much a picture is enlarged or reduced: in steps of a half, so that its sides stay whole."""
    if px_per_mm < _COARSE_PX_PER_MM:
        return min(math.ceil(2.0 * _COARSE_PX_PER_MM / px_per_mm) / 2.0, _MOST_ENLARGED)
    return 0.5 if px_per_mm > 2.0 * _COARSE_PX_PER_MM else 1.0


def _zoomed(points_px: Floats, zoom: float) -> Floats:
    """Pixels (N, 2) in a picture enlarged ``zoom`` times; pixel centres are at integers in both."""
    return (points_px + 0.5) * zoom - 0.5


def dilated(mask: Mask, radius_px: float) -> Mask:
    """A mask grown by a round brush."""
    return np.asarray(cv2.dilate(mask, _disc(radius_px)), dtype=np.uint8)


def eroded(mask: Mask, radius_px: float) -> Mask:
    """A mask shrunk by a round brush; the picture's rim does not shrink it."""
    return np.asarray(cv2.erode(mask, _disc(radius_px)), dtype=np.uint8)


def opened(mask: Mask, radius_px: float) -> Mask:
    """A mask without what is narrower than a round brush."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _disc(radius_px)), dtype=np.uint8)


def closed(mask: Mask, radius_px: float) -> Mask:
    """A mask with the gaps and bays that a round brush cannot enter; nothing lies beyond the window."""
    pad = round(radius_px) + 2
    wide = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    whole = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, _disc(radius_px))
    return np.asarray(whole[pad:-pad, pad:-pad], dtype=np.uint8)


def _disc(radius_px: float) -> Mask:
    r = max(round(radius_px), 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)), dtype=np.uint8)
