"""Pictures of flat prints, rendered with a known truth: many samples a pixel, in light, then a camera's curve."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lenses.boards import Board, opencv_board
from calibration.optics import camera_matrix, rays_of_pixels
from calibration.prints.markers import corners_on_table, marker_bits
from calibration.records import Intrinsics, MarkerAt

LENS = Intrinsics(width_px=960, height_px=540, fx=800.0, fy=802.0, cx=483.0, cy=266.0,
                  dist=(-0.12, 0.05, 0.0006, -0.0004, 0.0))  # fmt: skip
_SAMPLES = 4


def overhead(height_mm: float = 1400.0, tilt_deg: float = 12.0, at_mm: tuple[float, float] = (600.0, 260.0),
             turn_deg: float = 4.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """rvec and tvec of a camera that looks down on a table."""
    tilt, turn = np.radians(tilt_deg), np.radians(turn_deg)
    down = np.diag([1.0, -1.0, -1.0])
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1.0]])
    rotation = about_z @ about_x @ down
    position = np.array([*at_mm, height_mm])
    return np.ravel(cv2.Rodrigues(rotation)[0]), -rotation @ position


def seen(points_mm: NDArray[np.float64], rvec: NDArray[np.float64], tvec: NDArray[np.float64],
         lens: Intrinsics = LENS) -> NDArray[np.float64]:  # fmt: skip
    """Where points (N, 3) are seen, by OpenCV's own reckoning."""
    pixels = cv2.projectPoints(points_mm.reshape(-1, 1, 3), rvec, tvec, camera_matrix(lens), np.array(lens.dist))[0]
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def markers_picture(
    markers: Sequence[MarkerAt], size_mm: float, rvec: NDArray[np.float64], tvec: NDArray[np.float64], *,
    lens: Intrinsics = LENS, dictionary: str = "DICT_4X4_100", white: float = 0.85, noise: float = 1.5,
    seed: int = 1,
) -> NDArray[np.uint8]:  # fmt: skip
    """A grey picture of markers with white borders on a dark mat."""

    light = _ground(lens, 0.12)
    for marker in markers:
        corners = corners_on_table(marker, size_mm)
        border = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 1.5
        block = _block(seen(border, rvec, tvec, lens), lens)
        inside, column, row = _in_marker(marker, size_mm, _rays(lens)[block], rvec, tvec, dictionary)
        bits = np.pad(marker_bits(dictionary, marker.id), 1, constant_values=1)
        light[block][inside] = np.where(bits[row, column] > 0, white, 0.03)
    return _developed(light, noise, seed)


def board_picture(
    board: Board, rvec: NDArray[np.float64], tvec: NDArray[np.float64], *, lens: Intrinsics = LENS,
    noise: float = 1.5, seed: int = 1,
) -> NDArray[np.uint8]:  # fmt: skip
    """A grey picture of a ChArUco board; its frame is OpenCV's, x right and y down on the board."""
    scale = 12
    size = (board.columns * int(board.square_mm) * scale, board.rows * int(board.square_mm) * scale)
    print_ = opencv_board(board).generateImage(size, marginSize=0)

    light = _ground(lens, 0.2)
    places = _on_plane(_rays(lens), rvec, tvec, 0.0)
    x, y = np.moveaxis(np.floor(places * scale).astype(int), -1, 0)
    margin = int(board.square_mm) * scale // 2
    on_sheet = (x >= -margin) & (y >= -margin) & (x < size[0] + margin) & (y < size[1] + margin)
    light[on_sheet] = 0.85
    on = (x >= 0) & (y >= 0) & (x < size[0]) & (y < size[1])
    light[on] = np.where(print_[y[on], x[on]] > 127, 0.85, 0.03)
    return _developed(light, noise, seed)


@cache
def _rays(lens: Intrinsics) -> NDArray[np.float64]:
    """The rays of all samples, (height * samples, width * samples, 2)."""
    x, y = np.meshgrid(np.arange(lens.width_px), np.arange(lens.height_px))
    rays = rays_of_pixels(np.column_stack([x.ravel(), y.ravel()]), lens).reshape(lens.height_px, lens.width_px, 2)
    return np.asarray(cv2.resize(rays, None, fx=_SAMPLES, fy=_SAMPLES, interpolation=cv2.INTER_LINEAR))


def _ground(lens: Intrinsics, light: float) -> NDArray[np.float64]:
    return np.full((lens.height_px * _SAMPLES, lens.width_px * _SAMPLES), light)


def _block(corners_px: NDArray[np.float64], lens: Intrinsics) -> tuple[slice, slice]:
    """The samples about some pixels."""
    low = np.clip(np.floor(corners_px.min(axis=0)) - 2, 0, (lens.width_px, lens.height_px)).astype(int) * _SAMPLES
    high = np.clip(np.ceil(corners_px.max(axis=0)) + 3, 0, (lens.width_px, lens.height_px)).astype(int) * _SAMPLES
    return slice(low[1], high[1]), slice(low[0], high[0])


def _developed(light: NDArray[np.float64], noise: float, seed: int) -> NDArray[np.uint8]:
    """What a camera writes: samples joined to pixels, blurred, put through its curve, with noise."""
    rows, columns = light.shape[0] // _SAMPLES, light.shape[1] // _SAMPLES
    out = light.reshape(rows, _SAMPLES, columns, _SAMPLES).mean(axis=(1, 3))
    out = cv2.GaussianBlur(out, (0, 0), 0.6)
    written = 255 * np.clip(out, 0, 1) ** (1 / 2.2)
    grain = np.random.default_rng(seed).normal(0, noise, out.shape)
    return np.clip(np.round(written + grain), 0, 255).astype(np.uint8)


def _on_plane(
    rays: NDArray[np.float64], rvec: NDArray[np.float64], tvec: NDArray[np.float64], z: float
) -> NDArray[np.float64]:
    """Where rays (…, 2) meet a height."""
    rotation = np.asarray(cv2.Rodrigues(rvec)[0])
    centre = -rotation.T @ tvec
    ahead = rays @ rotation[:2] + rotation[2]
    return np.asarray(centre[:2] + ahead[..., :2] * ((z - centre[2]) / ahead[..., 2])[..., None])


def _in_marker(
    marker: MarkerAt, size_mm: float, rays: NDArray[np.float64], rvec: NDArray[np.float64],
    tvec: NDArray[np.float64], dictionary: str,
) -> tuple[NDArray[np.bool_], NDArray[np.intp], NDArray[np.intp]]:  # fmt: skip
    """Which samples show a marker or its border, and which column and row of its cells."""
    corners = corners_on_table(marker, size_mm)
    across, down = corners[1, :2] - corners[0, :2], corners[3, :2] - corners[0, :2]
    cells = len(marker_bits(dictionary, marker.id))
    place = _on_plane(rays, rvec, tvec, marker.z_mm) - corners[0, :2]
    column = np.floor(place @ across / size_mm**2 * cells).astype(int) + 1
    row = np.floor(place @ down / size_mm**2 * cells).astype(int) + 1
    inside = (column >= 0) & (row >= 0) & (column < cells + 2) & (row < cells + 2)
    return inside, column[inside], row[inside]
