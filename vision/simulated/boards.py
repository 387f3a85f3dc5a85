"""A calibration board that somebody holds before the simulated camera."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from calibration.lenses.boards import DEFAULT_BOARD, Board, opencv_board
from calibration.optics import rays_of_pixels
from calibration.records import Intrinsics

__all__ = ["POSES", "BoardHeld", "held_before"]

Image = NDArray[np.uint8]

_PX_PER_MM = 8.0
_STEP_PX = 8  # rays are worked out for every so many pixels, and interpolated between
_PAPER_MM = 12.0  # the paper goes on so far beyond the squares


class BoardHeld(Struct, frozen=True, kw_only=True):
    """How a board is held: its turn (a rotation vector), the place of its middle before the camera, and its blur.

    The place is in mm in the camera's frame: x right, y down, z ahead. ``blur_px`` is a hand's shake.
    """

    turn: tuple[float, float, float]
    middle_mm: tuple[float, float, float]
    blur_px: float = 0.0
    board: Board = DEFAULT_BOARD


#: Fifteen ways to hold a board, one after another: over the whole picture, tilted to all sides.
POSES: tuple[BoardHeld, ...] = tuple(
    BoardHeld(turn=turn, middle_mm=middle)
    for turn, middle in (
        ((0.0, 0.0, 0.0), (0.0, 0.0, 420.0)),
        ((0.45, 0.0, 0.05), (-130.0, -55.0, 430.0)),
        ((-0.45, 0.1, 0.0), (130.0, -55.0, 430.0)),
        ((0.1, 0.5, 0.0), (130.0, 55.0, 430.0)),
        ((0.1, -0.5, 0.1), (-130.0, 55.0, 430.0)),
        ((0.4, 0.4, 0.0), (0.0, -60.0, 400.0)),
        ((-0.4, 0.4, -0.1), (0.0, 60.0, 400.0)),
        ((0.0, 0.55, 0.2), (-160.0, 0.0, 440.0)),
        ((0.0, -0.55, -0.2), (160.0, 0.0, 440.0)),
        ((0.5, -0.3, 1.4), (-60.0, 0.0, 460.0)),
        ((-0.5, 0.2, 1.5), (90.0, 10.0, 460.0)),
        ((-0.3, -0.5, 0.0), (-150.0, -60.0, 460.0)),
        ((0.3, 0.5, 3.0), (150.0, 60.0, 460.0)),
        ((-0.5, -0.2, 0.1), (150.0, -70.0, 480.0)),
        ((0.5, 0.2, -0.1), (-150.0, 70.0, 480.0)),
    )
)


def held_before(frame: Image, lens: Intrinsics, held: BoardHeld) -> Image:
    """A frame (H, W, 3) of the lens's size with the board before it."""
    shown, (part, bare, paper) = frame.copy(), _painted(lens, held)
    shown[part] = np.clip(frame[part] * bare + paper, 0, 255)
    return shown


@lru_cache(maxsize=1)
def _painted(
    lens: Intrinsics, held: BoardHeld
) -> tuple[tuple[slice, slice], NDArray[np.float32], NDArray[np.float32]]:
    """The part of the frame that the board takes, what it leaves (H, W, 1) of each pixel there, and what it adds.

    It is held before some frames one after another.
    """
    on = _on_picture(lens, held)
    picture = _picture(held.board)
    seen = cv2.remap(picture, on[..., 0], on[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT)
    there = cv2.remap(
        np.full_like(picture, 255), on[..., 0], on[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    paper = cv2.GaussianBlur(seen.astype(np.float32) * 0.82 + 18, (0, 0), max(0.6, held.blur_px))
    share = np.asarray(cv2.GaussianBlur(there.astype(np.float32) / 255, (0, 0), max(0.6, held.blur_px)), np.float32)
    left, top, width, height = cv2.boundingRect((share > 0).astype(np.uint8))
    part = (slice(top, top + height), slice(left, left + width))
    added = np.asarray(paper * share, dtype=np.float32)
    return part, 1 - share[part][..., None], added[part][..., None]


def _on_picture(lens: Intrinsics, held: BoardHeld) -> NDArray[np.float32]:
    """Where each pixel of a frame looks: (H, W, 2) in pixels of the board's picture."""
    columns = np.arange(0, lens.width_px + _STEP_PX, _STEP_PX, dtype=np.float64)
    rows = np.arange(0, lens.height_px + _STEP_PX, _STEP_PX, dtype=np.float64)
    x, y = np.meshgrid(columns, rows)
    rays = rays_of_pixels(np.column_stack([x.ravel(), y.ravel()]), lens)
    on = _on_board(np.nan_to_num(rays, nan=9.0), held)
    coarse = on.reshape(len(rows), len(columns), 2).astype(np.float32)
    size = (len(columns) * _STEP_PX, len(rows) * _STEP_PX)
    fine = cv2.warpAffine(
        coarse, np.array([[_STEP_PX, 0, 0], [0, _STEP_PX, 0]], dtype=np.float64), size, flags=cv2.INTER_LINEAR
    )
    return np.asarray(fine[: lens.height_px, : lens.width_px], dtype=np.float32)


def _on_board(rays: NDArray[np.float64], held: BoardHeld) -> NDArray[np.float64]:
    """Where rays (N, 2) meet the board, in pixels (N, 2) of its picture."""
    rotation = np.asarray(cv2.Rodrigues(np.array(held.turn))[0], dtype=np.float64)
    board = held.board
    size = np.array([board.columns * board.square_mm, board.rows * board.square_mm])
    middle = np.array(held.middle_mm)
    ahead = np.column_stack([rays, np.ones(len(rays))])
    normal = rotation[:, 2]
    reach = (normal @ middle) / (ahead @ normal)
    there = (ahead * reach[:, None] - middle) @ rotation
    return np.asarray((there[:, :2] + size / 2 + _PAPER_MM) * _PX_PER_MM, dtype=np.float64)


def _picture(board: Board) -> Image:
    """The board on its paper, grey (H, W)."""
    size = (round(board.columns * board.square_mm * _PX_PER_MM), round(board.rows * board.square_mm * _PX_PER_MM))
    inner = opencv_board(board).generateImage(size)
    edge = round(_PAPER_MM * _PX_PER_MM)
    return np.asarray(
        cv2.copyMakeBorder(inner, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=255), dtype=np.uint8
    )
