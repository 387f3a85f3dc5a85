"""How far white has spread into black in a picture, measured on the cells inside its markers.

A camera makes white bloom: a dark square looks smaller all round, and a white cell inside it larger. With the
printed proportions known, the edges between cells tell by how much, to about a hundredth of a pixel. Without this,
a square's size, and whatever scale or distance is taken from it, is wrong by up to a part in two hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.prints.edges import fit_edges

__all__ = ["bloom_px", "grown"]

Points = NDArray[np.float64]

_LEAST_CELL_PX = 6.0  # in smaller cells, edges run into each other
_LEAST_EDGES = 12
_ENOUGH_EDGES = 100  # more would tell no more
_MOST_PX = 0.6
#: Outer edges lie beside more white than edges between cells, and glare reaches far: so much more do they bloom
#: (measured on fifteen rendered pictures of known truth: 0.016 +- 0.004 px).
_GLARE_PX = 0.016


def bloom_px(grey: NDArray[np.uint8], squares_px: Points, bits: Sequence[NDArray[np.uint8]]) -> float:
    """How far inside its printed place the outer edge of every black square in this picture is seen, in pixels.

    ``squares_px`` (M, 4, 2) are the corners of markers as seen, ``bits`` their cells, 1 for white. 0 where the
    markers are too small to tell.
    """
    starts: list[Points] = []
    stops, blacks, leverage, reach = [], [], [], []
    sides = np.linalg.norm(squares_px - np.roll(squares_px, -1, axis=1), axis=2).mean(axis=1)
    for i in np.argsort(-sides, kind="stable"):
        corners, cells = squares_px[i], bits[i]
        cell_px = float(sides[i]) / len(cells)
        if cell_px < _LEAST_CELL_PX or sum(len(ends) for ends in starts) > _ENOUGH_EDGES:
            break
        ends, lever = _inner_edges(cells.tobytes(), len(cells))
        side = len(cells)
        square = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32)
        shape = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
        seen = np.asarray(cv2.perspectiveTransform(ends.reshape(-1, 1, 2), shape), dtype=np.float64).reshape(
            -1, 3, 2
        )
        starts.append(seen[:, 0])
        stops.append(seen[:, 1])
        blacks.append(seen[:, 2] - seen[:, :2].mean(axis=1))
        leverage.append(lever)
        reach.append(np.full(len(lever), min(0.4 * cell_px, 3.5)))
    if not starts:
        return 0.0
    return _common_shift(
        grey,
        np.concatenate(starts),
        np.concatenate(stops),
        np.concatenate(blacks),
        np.concatenate(leverage),
        np.concatenate(reach),
    )


def grown(corners_px: Points, shift_px: float) -> Points:
    """Corners (M, 4, 2) with every edge moved outward by ``shift_px``."""
    before = np.roll(corners_px, 1, axis=1) - corners_px
    after = np.roll(corners_px, -1, axis=1) - corners_px
    inward = before / np.linalg.norm(before, axis=2, keepdims=True) + after / np.linalg.norm(
        after, axis=2, keepdims=True
    )
    return np.asarray(corners_px - shift_px * inward, dtype=np.float64)


def _common_shift(
    grey: NDArray[np.uint8], start: Points, stop: Points, towards_black: Points, leverage: Points, reach: Points
) -> float:
    edges = fit_edges(grey, start, stop, reach)
    along = (stop - start) / np.linalg.norm(stop - start, axis=1, keepdims=True)
    normal = towards_black - along * (towards_black * along).sum(axis=1, keepdims=True)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    moved = ((edges.start_px + edges.stop_px - start - stop) / 2 * normal).sum(axis=1)
    clear = edges.contrast > 0.3 * np.median(edges.contrast)
    if clear.sum() < _LEAST_EDGES:
        return 0.0
    moved, leverage = moved[clear], leverage[clear]
    each = moved / leverage
    off = np.abs(each - np.median(each))
    kept = off <= 6.0 * max(float(np.median(off)), 0.01)
    shift = float((leverage[kept] * moved[kept]).sum() / (leverage[kept] ** 2).sum()) + _GLARE_PX
    return float(np.clip(shift, -_MOST_PX, _MOST_PX))


@cache
def _inner_edges(cells: bytes, side: int) -> tuple[Points, Points]:
    """The edges between unequal cells, in cells from the top left corner.

    (E, 3, 2): start, stop, and a point on the black side; and (E,) how far, per pixel of bloom, the edge is seen
    from where the square's own, equally bloomed, outline puts it.
    """
    bits = np.frombuffer(cells, dtype=np.uint8).reshape(side, side)
    points, levers = [], []
    for across in (False, True):
        rows = bits.T if across else bits
        for row, column in np.argwhere(rows[:, 1:] != rows[:, :-1]):
            at = int(column) + 1
            sign = 1.0 if rows[row, at] == 0 else -1.0
            lever = 1.0 + sign * (at - side / 2) / (side / 2)
            if lever < 0.5:
                continue
            edge = np.array([[at, row], [at, row + 1], [at + 0.25 * sign, row + 0.5]], dtype=np.float64)
            points.append(edge[:, ::-1] if across else edge)
            levers.append(lever)
    return np.array(points, dtype=np.float64).reshape(-1, 3, 2), np.array(levers, dtype=np.float64)
