"""The ChArUco board: what was printed, and its corners in a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import UnusableFile
from calibration.prints.edges import ENDS, cross_lines, fit_edges, lines_through
from calibration.prints.markers import marker_dictionary

__all__ = ["DEFAULT_BOARD", "Board", "BoardView", "board_corners_mm", "find_board", "opencv_board", "read_board"]

Points = NDArray[np.float64]

_SPEC = re.compile(r"(\d+)x(\d+):([\d.]+):([\d.]+):(\w+)")
_REACH = 0.1  # how far to either side an edge of a square is looked at, as a share of the square
_CROSSINGS = 25  # a square's edge is long, and may be stepped where a photo was made smaller
_STRAY = 0.06  # how far refinement may take a corner, as a share of the square
_GUESSED = 0.2  # the same for a corner that was guessed from those beside it
_LOOKS = 3  # each may reach a corner farther than the one before
_SETTLED_PX = 0.3  # such a corner is one if a second look leaves it where the first one found it
_INSET_PX = 3.0  # edges are followed up to so near the picture's own …
_SAG = (0.5**2 - ((ENDS[1] - ENDS[0]) / 2) ** 2 / 3) / 2  # of a line fitted between those shares of an arc
_LEAST_EDGE = 0.35  # … if so much of one, from corner to corner, is in the picture


@dataclass(frozen=True)
class Board:
    """A ChArUco board: ``columns`` by ``rows`` squares with a marker in every white one.

    ``legacy`` is the layout before OpenCV 4.6, which differs where the number of rows is even.
    """

    columns: int
    rows: int
    square_mm: float
    marker_mm: float
    dictionary: str
    legacy: bool = False

    @property
    def corner_count(self) -> int:
        """How many inner corners it has."""
        return (self.columns - 1) * (self.rows - 1)

    @property
    def layouts_differ(self) -> bool:
        """Whether the older layout looks different."""
        return self.rows % 2 == 0

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}:{self.square_mm:g}:{self.marker_mm:g}:{self.dictionary}"


#: The board on our own sheets: it fits A4 and Letter, and shares no marker with the table.
DEFAULT_BOARD = Board(columns=10, rows=7, square_mm=25.0, marker_mm=18.0, dictionary="DICT_5X5_100")


@dataclass(frozen=True, eq=False)
class BoardView:
    """The corners of a board in a picture: their ids (N,), as OpenCV counts them, and places (N, 2) in pixels."""

    board: Board
    ids: NDArray[np.intp]
    corners_px: Points
    markers_seen: int


def read_board(text: str) -> Board:
    """A board from ``COLSxROWS:SQUARE_MM:MARKER_MM:DICT``. Raises UnusableFile, saying what is wrong."""
    found = _SPEC.fullmatch(text.strip())
    form = "expected COLSxROWS:SQUARE_MM:MARKER_MM:DICT, such as " + str(DEFAULT_BOARD)
    if found is None:
        raise UnusableFile(f"--board {text!r}: {form}")
    try:
        square, marker = float(found[3]), float(found[4])
    except ValueError as error:
        raise UnusableFile(f"--board {text!r}: {form}") from error
    board = Board(int(found[1]), int(found[2]), square, marker, found[5])
    if not (3 <= board.columns <= 200 and 3 <= board.rows <= 200):
        raise UnusableFile(f"--board {text!r}: expected 3 to 200 columns and rows")
    if not 0 < board.marker_mm < board.square_mm:
        raise UnusableFile(f"--board {text!r}: expected a marker smaller than its square, and both above 0")
    known = len(marker_dictionary(board.dictionary).bytesList)
    if board.columns * board.rows // 2 > known:
        raise UnusableFile(
            f"--board {text!r}: needs {board.columns * board.rows // 2} markers, {board.dictionary} has {known}"
        )
    return board


def opencv_board(board: Board) -> Any:
    """The board as OpenCV's own object."""
    size = (board.columns, board.rows)
    dictionary = marker_dictionary(board.dictionary)
    made = cv2.aruco.CharucoBoard(size, board.square_mm, board.marker_mm, dictionary)
    made.setLegacyPattern(board.legacy)
    return made


def board_corners_mm(board: Board) -> Points:
    """The inner corners (N, 3) on the board, by id, z = 0."""
    return np.asarray(opencv_board(board).getChessboardCorners(), dtype=np.float64)


def find_board(grey: NDArray[np.uint8], board: Board) -> BoardView:
    """The corners of a board in a grey picture (H, W), in whichever layout it was printed; there may be none.

    Corners carry no half-pixel shift and, since opposite squares shift them opposite ways, no bloom.
    """
    views = [_detect(grey, board)]
    if board.layouts_differ:
        views.append(_detect(grey, replace(board, legacy=not board.legacy)))
    best = max(views, key=lambda view: len(view.ids))
    return _refined(grey, best) if len(best.ids) else best


def _detect(grey: NDArray[np.uint8], board: Board) -> BoardView:
    corners, ids, _, marker_ids = cv2.aruco.CharucoDetector(opencv_board(board)).detectBoard(grey)
    seen = 0 if marker_ids is None else len(marker_ids)
    if ids is None or len(ids) == 0:
        return BoardView(board, np.zeros(0, dtype=np.intp), np.zeros((0, 2)), seen)
    return BoardView(
        board, np.ravel(ids).astype(np.intp), np.asarray(corners, dtype=np.float64).reshape(-1, 2), seen
    )


def _refined(grey: NDArray[np.uint8], view: BoardView) -> BoardView:
    """The view with each corner where the edges of the four squares round it cross.

    Corners beside those that OpenCV tells are looked for too: it leaves out those of which a marker is not seen
    whole, as they are where the picture cuts the board, and there the lens bends most.
    """
    grid = _grid(view)
    sizes = [np.linalg.norm(np.diff(grid, axis=axis), axis=2) for axis in (0, 1)]
    known = np.concatenate([s[np.isfinite(s)] for s in sizes])
    if not len(known):
        return view
    square = float(np.median(known))
    told = np.isfinite(grid[..., 0])
    first = before = grid
    for _ in range(_LOOKS):
        before = _with_guesses(grid)
        first = np.where(np.isfinite(first), first, before)
        grid = np.where(np.isfinite(before), _crossings(grey, _extended(before)), np.nan)
    moved, stirred = np.linalg.norm(grid - first, axis=2), np.linalg.norm(grid - before, axis=2)
    kept = told & (moved < max(1.0, _STRAY * square))
    kept |= ~told & (moved < max(1.0, _GUESSED * square)) & (stirred < _SETTLED_PX)
    rows, columns = np.nonzero(kept)
    ids = (rows - 1) * (view.board.columns - 1) + columns - 1
    return replace(view, ids=ids.astype(np.intp), corners_px=grid[rows, columns])


def _with_guesses(grid: Points) -> Points:
    """The grid with the inner corners that are beside those told, where these let them be expected."""
    wide = _extended(grid)
    wide[[0, -1]] = np.nan
    wide[:, [0, -1]] = np.nan
    return wide


def _grid(view: BoardView) -> Points:
    """All corners (rows + 1, columns + 1, 2), with the board's rim as NaN, like those unseen."""
    grid = np.full((view.board.rows + 1, view.board.columns + 1, 2), np.nan)
    rows, columns = np.divmod(view.ids, view.board.columns - 1)
    grid[rows + 1, columns + 1] = view.corners_px
    return grid


def _extended(grid: Points) -> Points:
    """The grid with the neighbours of its corners guessed from the two or three beyond them."""
    out = grid.copy()
    guesses = []
    for turn in range(4):
        turned = np.rot90(grid, turn)
        guess = np.full_like(turned, np.nan)
        guess[:, 2:] = 2 * turned[:, 1:-1] - turned[:, :-2]
        curved = 3 * turned[:, 2:-1] - 3 * turned[:, 1:-2] + turned[:, :-3]
        guess[:, 3:] = np.where(np.isfinite(curved), curved, guess[:, 3:])
        guesses.append(np.rot90(guess, -turn))
    stacked = np.stack(guesses)
    count = np.isfinite(stacked).sum(axis=0)
    mean = np.nansum(stacked, axis=0) / np.maximum(count, 1)
    missing = ~np.isfinite(out) & (count > 0)
    out[missing] = mean[missing]
    return out


def _crossings(grey: NDArray[np.uint8], grid: Points) -> Points:
    """Where the fitted edges along rows and along columns cross, at every place of the grid (NaN where unknown)."""
    return np.asarray(cross_lines(_lines(grey, grid), _lines(grey, grid.swapaxes(0, 1)).swapaxes(0, 1)))


def _lines(grey: NDArray[np.uint8], grid: Points) -> Points:
    """The line (R, C, 3) along its row at every place of a grid: the mean of the edges before and after it.

    White is above one of them and below the other, so what bloom does to both cancels; where only one is seen there
    is none.
    """
    start, stop, known = _within(grid[:, :-1], grid[:, 1:], grey.shape)
    lines, lengths = np.full((*known.shape, 3), np.nan), np.linalg.norm(stop - start, axis=2)
    if known.any():
        reach = np.clip(_REACH * lengths[known], 1.5, 4.0)
        edges = fit_edges(grey, start[known], stop[known], reach, _CROSSINGS)
        fitted = lines_through(edges.start_px, edges.stop_px)
        fitted[edges.contrast < 0.25 * np.median(edges.contrast)] = np.nan
        lines[known] = fitted
    rim = np.full((len(grid), 1), np.nan)
    before, after = (
        np.concatenate(parts, axis=1)
        for parts in (
            (np.repeat(rim[..., None], 3, axis=2), lines),
            (lines, np.repeat(rim[..., None], 3, axis=2)),
        )
    )
    mean = (before + after) / 2
    mean[..., 2] -= _sagged(
        before, after, np.concatenate([rim, lengths], axis=1), np.concatenate([lengths, rim], axis=1)
    )
    return np.asarray(mean)


def _sagged(before: Points, after: Points, first: Points, second: Points) -> Points:
    """How far (R, C) a bent row passes, at a corner, beside the mean of the straight lines (R, C, 3) that were
    fitted to it before and after, so long (R, C) each.

    A lens that bends makes arcs of rows. A straight line along a part of an arc is off at its end by what follows
    from how much the row has turned from one part to the next: half a pixel for large squares in a wide lens.
    """
    turn = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
    return np.asarray(_SAG * turn * (first**2 + second**2) / (first + second))


def _within(start: Points, stop: Points, shape: tuple[int, ...]) -> tuple[Points, Points, NDArray[np.bool_]]:
    """The parts of edges (R, C, 2) that are in a picture, and for which (R, C) that is enough of them."""
    low, high = np.full(2, _INSET_PX), np.array([shape[1], shape[0]]) - 1 - _INSET_PX
    way = stop - start
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(low - start) / way, (high - start) / way])
    inside = (start >= low) & (start <= high)
    enters = np.where(way == 0, np.where(inside, 0.0, 1.0), ends.min(axis=0)).max(axis=-1).clip(0, 1)
    leaves = np.where(way == 0, 1.0, ends.max(axis=0)).min(axis=-1).clip(0, 1)
    known = leaves - enters >= _LEAST_EDGE  # never where an end is unknown
    return start + enters[..., None] * way, start + leaves[..., None] * way, np.asarray(known)
