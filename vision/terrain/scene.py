"""A frame as the search for terrain sees it: small, evenly lit, its colours numbered; and where the prints lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Table
from vision.terrain.colour import Light, Shade, light_of, lightness_roots

__all__ = ["COLOURS", "Scene", "Window", "closed", "dilated", "eroded", "look", "opened"]

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Scalar = TypeVar("Scalar", bound=np.generic)

COLOURS = 1 << 18  # six bits a channel

_CELLS_PER_MM = 0.5  # the small picture is no finer: walls are six millimetres broad or more
_SMOOTH_PX = 0.6
_PRINT_MARGIN = 1.5  # a print's card reaches this far, as a share of the black square
_BESIDE_MM = 30.0
_EDGE_STEPS = 16  # a straight edge of the play area is curved by the lens
_GAIN_CELLS = 24
_GAIN_ONE = 64.0  # what stands for a gain of one
_SMALL_DISC_PX = 3.0  # larger brushes are quicker by distances


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
    """A frame, and the small picture (h, w) of its play area in which pieces are looked for.

    ``codes`` (h, w) number the colours in even light; ``tones`` (64, 3) has each channel's cube roots of light.
    ``prints`` (h, w) is 1 where a marker or tag lies. The small picture has ``zoom`` times the frame's pixels each
    way and begins at ``corner_px`` (2,) of the frame so zoomed; ``px_per_mm`` is its own scale.
    """

    frame: Image
    light: Light
    codes: Codes
    tones: Floats32
    prints: Mask
    camera: CameraModel
    table: Table
    px_per_mm: float
    zoom: float
    corner_px: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the small picture in px."""
        return self.codes.shape[0], self.codes.shape[1]

    def roots_of(self, codes: Codes) -> Floats32:
        """The cube roots of light (..., 3) of numbered colours (...)."""
        tones = self.tones
        return np.stack([tones[codes >> 12, 0], tones[(codes >> 6) & 63, 1], tones[codes & 63, 2]], axis=-1)

    def in_frame(self, points_px: Floats) -> Floats:
        """Pixels (N, 2) of the small picture as pixels of the frame."""
        return _zoomed(points_px + self.corner_px, 1.0 / self.zoom)

    def from_frame(self, points_px: Floats) -> Floats:
        """Pixels (N, 2) of the frame as pixels of the small picture."""
        return _zoomed(points_px, self.zoom) - self.corner_px

    @cached_property
    def table_top(self) -> Mask:
        """Where the play area itself lies in the small picture (h, w)."""
        return self.play_area(0.0)

    def play_area(self, height_mm: float) -> Mask:
        """Where the play area, raised to a height, lies in the small picture (h, w)."""
        mask = np.zeros(self.shape, np.uint8)
        edge = _zoomed(_play_edge(self.camera, self.table, height_mm), self.zoom) - self.corner_px
        if np.isfinite(edge).all():
            cv2.fillPoly(mask, [np.rint(np.clip(edge, -1e5, 1e5)).astype(np.int32)], 1)
        return mask


def look(
    frame_bgr: Image, camera: CameraModel, table: Table, found: Sequence[FoundMarker], shade: Shade | None = None
) -> Scene:
    """The scene of a frame (H, W, 3) in which these markers were found, in a ``shade`` that may be known."""
    middle = [[table.table.width_mm / 2, table.table.depth_mm / 2, 0.0]]
    scale = float(camera.px_per_mm(middle)[0])
    part = _window_on_play(frame_bgr.shape[:2], camera, table, round(_BESIDE_MM * scale))
    zoom = min(_CELLS_PER_MM / scale, 1.0)
    size = max(round(part.width * zoom), 1), max(round(part.height * zoom), 1)
    zoom = size[0] / part.width
    small = part.of(frame_bgr)
    if zoom < 1.0:
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    corner = np.array([part.x, part.y], dtype=np.float64) * zoom
    light = light_of(frame_bgr, found, shade)
    smooth = np.asarray(cv2.GaussianBlur(small, (3, 3), _SMOOTH_PX), dtype=np.uint8)
    even = cv2.multiply(smooth, _gains(light, part, size), scale=1.0 / _GAIN_ONE)
    prints = np.zeros((size[1], size[0]), np.uint8)
    for marker in found:
        centre = marker.corners_px.mean(axis=0)
        corners = _zoomed(centre + (marker.corners_px - centre) * _PRINT_MARGIN, zoom) - corner
        cv2.fillConvexPoly(prints, np.rint(corners).astype(np.int32), 1)
    return Scene(
        frame_bgr, light, _codes(np.asarray(even, np.uint8)), _tones(light), prints, camera, table,
        scale * zoom, zoom, corner,
    )  # fmt: skip


def _gains(light: Light, part: Window, size: tuple[int, int]) -> Image:
    """What levels of the small picture (h, w, 3) are multiplied by, with `_GAIN_ONE` for one."""
    rows, columns = (_GAIN_CELLS, _GAIN_CELLS) if light.shade is None else light.shade.logs.shape[:2]
    x = (np.arange(columns) + 0.5) * part.width / columns + part.x
    y = (np.arange(rows) + 0.5) * part.height / rows + part.y
    across, down = np.meshgrid(x, y)
    gain = light.gain(np.column_stack([across.ravel(), down.ravel()])).reshape(rows, columns, 3)
    levels = np.rint(np.clip(gain * _GAIN_ONE, 0, 255)).astype(np.uint8)
    return np.asarray(cv2.resize(levels, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _codes(even: Image) -> Codes:
    """The numbers (h, w) of colours (h, w, 3)."""
    blue, green, red = (channel.astype(np.int32) for channel in cv2.split(even >> 2))
    return np.asarray((blue << 12) | (green << 6) | red, dtype=np.int32)


def _tones(light: Light) -> Floats32:
    """The cube roots of light (64, 3) that the six bits of each channel stand for."""
    return lightness_roots(light.levels()[np.arange(64) * 4 + 2])


def _play_edge(camera: CameraModel, table: Table, height_mm: float) -> Floats:
    """The edge of the play area at a height, as pixels (N, 2) of the frame."""
    width, depth = table.table.width_mm, table.table.depth_mm
    corners = np.array([[0.0, 0.0], [width, 0.0], [width, depth], [0.0, depth]])
    along = np.arange(_EDGE_STEPS)[:, None, None] / _EDGE_STEPS
    edge = (corners * (1 - along) + np.roll(corners, -1, axis=0) * along).transpose(1, 0, 2).reshape(-1, 2)
    return camera.project(np.column_stack([edge, np.full(len(edge), height_mm)]))


def _window_on_play(shape: tuple[int, ...], camera: CameraModel, table: Table, beside_px: int) -> Window:
    """The part of the frame that shows the play area at every height of terrain, and a little beside it."""
    heights = {0.0, *(kind.height_mm for kind in table.terrain_kinds)}
    edges = np.concatenate([_play_edge(camera, table, height) for height in heights])
    height, width = shape[:2]
    if not np.isfinite(edges).all():
        return Window(0, 0, width, height)
    low = np.clip(np.floor(edges.min(axis=0)).astype(int) - beside_px, 0, (width - 1, height - 1))
    high = np.clip(np.ceil(edges.max(axis=0)).astype(int) + beside_px, low + 1, (width, height))
    return Window(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def _zoomed(points_px: Floats, zoom: float) -> Floats:
    """Pixels (N, 2) in a picture enlarged ``zoom`` times; pixel centres are at integers in both."""
    return (points_px + 0.5) * zoom - 0.5


def dilated(mask: Mask, radius_px: float) -> Mask:
    """A mask (H, W) grown by a round brush."""
    if radius_px <= _SMALL_DISC_PX:
        return np.asarray(cv2.dilate(mask, _disc(radius_px)), dtype=np.uint8)
    if not mask.any():
        return mask.copy()
    away = cv2.distanceTransform(1 - mask, cv2.DIST_L2, cv2.DIST_MASK_5)
    return np.asarray(away <= radius_px, dtype=np.uint8)


def eroded(mask: Mask, radius_px: float) -> Mask:
    """A mask (H, W) shrunk by a round brush; the picture's rim does not shrink it."""
    if radius_px <= _SMALL_DISC_PX:
        return np.asarray(cv2.erode(mask, _disc(radius_px)), dtype=np.uint8)
    if mask.all():
        return mask.copy()
    away = cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_5)
    return np.asarray(away > radius_px, dtype=np.uint8)


def opened(mask: Mask, radius_px: float) -> Mask:
    """A mask (H, W) without what is narrower than a round brush; nothing of it lies beyond the window."""
    wide = np.asarray(cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT), dtype=np.uint8)
    return np.ascontiguousarray(dilated(eroded(wide, radius_px), radius_px)[1:-1, 1:-1] & mask)


def closed(mask: Mask, radius_px: float) -> Mask:
    """A mask (H, W) with the gaps and bays that a round brush cannot enter; nothing lies beyond the window."""
    pad = round(radius_px) + 2
    wide = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    whole = eroded(dilated(np.asarray(wide, dtype=np.uint8), radius_px), radius_px)
    return np.asarray(whole[pad:-pad, pad:-pad] | mask, dtype=np.uint8)


def _disc(radius_px: float) -> Mask:
    r = max(round(radius_px), 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)), dtype=np.uint8)
